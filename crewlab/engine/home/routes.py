"""Routes as people write them: ``provider:model``, with an optional thinking effort (PRV-1, PRV-13)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from crewlab.engine.home.wrong import Wrong

Effort = Literal["minimal", "low", "medium", "high"]
EFFORTS: dict[str, Effort] = {effort: effort for effort in get_args(Effort)}

_PROVIDER = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_MODEL = re.compile(r"[^\s?]{1,200}")


@dataclass(frozen=True, slots=True)
class Route:
    """A ``provider:model`` pair. The model may contain colons (``ollama:qwen3:8b``)."""

    provider: str
    model: str
    reasoning: Effort | None = None

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


def parse_route(written: object) -> Route:
    """A route from ``provider:model``, ``provider:model?reasoning=low`` or ``{route, reasoning}`` (PRV-13).

    Raises ``Wrong`` (a ``ValueError``) that says what is not right. Whether the provider exists is
    not judged here: outside packages may bring more.
    """
    if isinstance(written, Route):
        return written
    if isinstance(written, Mapping):
        return _from_mapping(written)
    if not isinstance(written, str):
        raise Wrong("must_route", example="ollama:qwen3:8b")
    address, mark, query = written.strip().partition("?")
    if not mark:
        return _from_text(address, None)
    name, _, value = query.partition("=")
    if name != "reasoning":
        raise Wrong("must_route_query", query=query)
    return _from_text(address, value)


def format_route(route: Route) -> str:
    """The text form of a route, as a variable holds it; ``parse_route`` reads it back."""
    return str(route) if route.reasoning is None else f"{route}?reasoning={route.reasoning}"


def _from_mapping(written: Mapping[object, object]) -> Route:
    unknown = sorted(str(key) for key in written if key not in ("route", "reasoning"))
    address = written.get("route")
    if unknown or not isinstance(address, str):
        raise Wrong("must_route_mapping", form="{route: provider:model, reasoning: low}")
    return _from_text(address.strip(), written.get("reasoning"))


def _from_text(address: str, reasoning: object) -> Route:
    provider, _, model = address.partition(":")
    if not _PROVIDER.fullmatch(provider) or not _MODEL.fullmatch(model):
        raise Wrong("must_route", example="ollama:qwen3:8b")
    if reasoning is None:
        return Route(provider, model)
    effort = EFFORTS.get(reasoning) if isinstance(reasoning, str) else None
    if effort is None:
        raise Wrong("must_effort", allowed=", ".join(EFFORTS))
    return Route(provider, model, effort)
