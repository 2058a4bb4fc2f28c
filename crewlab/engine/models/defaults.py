"""The routes when nobody has named any: keys that are set, else a running Ollama, else ``local`` (register A)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from crewlab.engine.home.routes import Route
from crewlab.engine.models.catalogue import DEFAULT_MODELS, PROVIDERS, Keys, ollama_url, openai_url
from crewlab.engine.models.http import HttpPool

PROBE_SECONDS = 0.5
PROBE_KEPT_SECONDS = 30.0
EMBEDDING_WORDS = ("embed", "bge", "minilm", "rerank")
EMBEDDING_FAMILIES = ("bert", "nomic-bert")


class Defaults:
    """Finds the default routes; answers of probes are kept for ``PROBE_KEPT_SECONDS``."""

    def __init__(
        self,
        keys: Keys,
        pool: HttpPool,
        local_route: Callable[[], Route | None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys = keys
        self._pool = pool
        self._local_route = local_route
        self._monotonic = monotonic
        self._probed: dict[str, tuple[float, str | None]] = {}

    def forget(self) -> None:
        """Ask every server again."""
        self._probed.clear()

    async def routes(self) -> tuple[Route, ...]:
        """The routes, best first; empty when nothing is there."""
        keyed = [route for provider in DEFAULT_MODELS if (route := await self._keyed(provider)) is not None]
        if keyed:
            return tuple(keyed)
        model = await self.ollama_model()
        if model is not None:
            return (Route("ollama", model),)
        local = self._local_route()
        return (local,) if local is not None else ()

    async def _keyed(self, provider: str) -> Route | None:
        variable = PROVIDERS[provider].key
        if variable is None or not self._keys.get(variable):
            return None
        model: str | None = DEFAULT_MODELS[provider]
        if provider == "openai" and self._keys.get("OPENAI_BASE_URL"):
            model = await self._first_served()
        return Route(provider, model) if model else None

    async def _first_served(self) -> str | None:
        """The first model of a server of the person's own (vLLM, llama.cpp, a gateway)."""
        url = f"{openai_url(self._keys).rstrip('/')}/models"
        headers = {"Authorization": f"Bearer {self._keys.get('OPENAI_API_KEY')}"}
        return await self._probe(url, headers, lambda answer: _chat_models(answer, "data", "id"))

    async def ollama_model(self) -> str | None:
        """A chat model installed in a running Ollama, the newest first; ``None`` when there is none."""
        url = f"{ollama_url(self._keys).removesuffix('/v1')}/api/tags"
        return await self._probe(url, {}, lambda answer: _chat_models(answer, "models", "name"))

    async def ollama_answers(self) -> bool:
        """Whether Ollama is there and has a model of any kind."""
        url = f"{ollama_url(self._keys)}/models"
        return await self._probe(url, {}, _ids) is not None

    async def _probe(self, url: str, headers: dict[str, str], read: Callable[[Any], list[str]]) -> str | None:
        kept = self._probed.get(url)
        if kept is not None and self._monotonic() - kept[0] < PROBE_KEPT_SECONDS:
            return kept[1]
        names = read(await self._pool.get_json(url, seconds=PROBE_SECONDS, headers=headers))
        model = names[0] if names else None
        self._probed[url] = (self._monotonic(), model)
        return model


def _ids(answer: Any) -> list[str]:
    rows = answer.get("data") if isinstance(answer, dict) else None
    return [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)] if isinstance(rows, list) else []


def _chat_models(answer: Any, key: str, name: str) -> list[str]:
    rows = answer.get(key) if isinstance(answer, dict) else None
    found: list[str] = []
    for row in rows if isinstance(rows, list) else []:
        if not isinstance(row, dict) or not isinstance(row.get(name), str) or not row[name]:
            continue
        details = row.get("details")
        family = details.get("family") if isinstance(details, dict) else None
        is_embedding = family in EMBEDDING_FAMILIES or any(word in row[name].lower() for word in EMBEDDING_WORDS)
        if not is_embedding:
            found.append(row[name])
    return found
