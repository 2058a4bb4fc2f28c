"""What went wrong at a model server, in a sentence that says what to do (PRV-7, PRV-15, FT-1).

A sentence names the variable of a key, never its value; what the server wrote is cut and masked.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from crewlab.engine.models.base import ProviderError
from crewlab.engine.models.http import BAD_URL, BROKEN, TIMEOUT, TOO_BIG, HttpFailure
from crewlab.engine.models.overflow import is_too_long, limit_in
from crewlab.engine.texts import Texts

TRANSIENT = frozenset({408, 425, 429})  # PRV-7, beside 5xx
UNAVAILABLE = "provider_unavailable"  # PRV-7
DETAIL_CHARS = 300
SAID_CHARS = 4_000  # what of an error is searched for a sign that the request was too long
MASK = "•••"
KEY_LIKE = re.compile(r"(?i)\b(?:bearer\s+)?(?:sk|pk|rk|or|key|xox[a-z])[-_][\w*.\-]{6,}|\bbearer\s+\S+")
UNSEEN = re.compile(r"(?is)<(script|style|title|head)\b.*?</\1\s*>|<!--.*?-->")  # parts of an error page that are no words for people
TAG = re.compile(r"<[^>]*>")
CALL_WORDS = re.compile(  # FT-1: how llama.cpp, Ollama, vLLM and others say that they could not read a call
    r"(?is)\b(pars|unmarshal|decod|deserializ|invalid|malformed|unexpected)\w*\b.{0,80}?\b(tool|function)[ _-]?call"
    r"|\b(tool|function)[ _-]?call.{0,80}?\b(pars|unmarshal|decod|deserializ|invalid|malformed)\w*"
)
STATUS_TEXT = {
    400: "models.bad_request",
    401: "models.bad_key",
    402: "models.no_credit",
    403: "models.forbidden",
    404: "models.no_model",
    408: "models.timed_out",
    413: "models.too_long",
    429: "models.rate_limited",
}


@dataclass(frozen=True, slots=True)
class Server:
    """What the sentences need to know of a server: its provider name, the key's variable, the model, the URL."""

    provider: str
    model: str
    url: str
    variable: str | None = None
    secret: str | None = None


def is_transient(status: int | None) -> bool:
    """Whether PRV-7 retries this status."""
    return status is not None and (status in TRANSIENT or 500 <= status <= 599)


def mask(text: str, secret: str | None = None) -> str:
    """``text`` without the key and without anything that looks like one, on one line, cut."""
    if secret:
        text = text.replace(secret, MASK)
    text = " ".join(KEY_LIKE.sub(MASK, text).split())
    return text if len(text) <= DETAIL_CHARS else text[: DETAIL_CHARS - 1] + "…"


def detail_of(body: str) -> str:
    """The message inside an error body of any vendor, else the body itself."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return TAG.sub(" ", UNSEEN.sub(" ", body))
    found = _message(value)
    return found if found is not None else body


def _message(value: object) -> str | None:
    if isinstance(value, list) and value:
        return _message(value[0])
    if not isinstance(value, dict):
        return value if isinstance(value, str) else None
    inner = value.get("error", value)
    if isinstance(inner, str):
        return inner
    if isinstance(inner, dict):
        metadata = inner.get("metadata")
        raw = metadata.get("raw") if isinstance(metadata, dict) else None
        message = inner.get("message") or inner.get("detail")
        return " ".join(str(part) for part in (message, raw) if part) or None
    return None


def from_status(texts: Texts, server: Server, status: int, body: str) -> ProviderError:
    """The error of an HTTP answer that is not 200."""
    return from_code(texts, server, status, detail_of(body), whole=body)


def from_code(
    texts: Texts, server: Server, status: int | None, detail: str, *, code: str = "", started: bool = False, whole: str = ""
) -> ProviderError:
    """The error of an error chunk or an error answer; ``status`` is ``None`` when the chunk has no code.

    ``whole`` is all that the server wrote; ``detail`` the words in it.
    """
    shown = mask(detail, server.secret)
    said = f"{detail} {code} {whole}"[:SAID_CHARS]
    too_long = is_too_long(status, said)
    message = texts(
        "models.too_long" if too_long else _sentence(server, status, code),
        provider=server.provider,
        model=server.model,
        url=server.url,
        variable=server.variable or "",
        status=status or code or "error",
        detail=texts("models.said", detail=shown) if shown else "",
    )
    unreadable = (status is None or status >= 500) and CALL_WORDS.search(detail) is not None
    return ProviderError(
        message.strip(),
        transient=(is_transient(status) or code == UNAVAILABLE) and not too_long,  # asked again as it is, it fails again
        status=status,
        unreadable_call=unreadable and not too_long,
        started=started,
        too_long=too_long,
        limit=limit_in(said) if too_long else None,
    )


def _sentence(server: Server, status: int | None, code: str) -> str:
    """The key of the sentence for a status, or for a code when there is no status."""
    key = STATUS_TEXT.get(status or 0)
    if key == "models.bad_key" and server.variable is None:
        key = None
    if key is not None:
        return key
    if is_transient(status) or code == UNAVAILABLE:
        return "models.server_error"
    return "models.moved" if status is not None and 300 <= status <= 399 else "models.refused"


def window_full(texts: Texts, server: Server) -> ProviderError:
    """The error of an answer that ended empty because the window was full before it began (CMP-9)."""
    values = {"provider": server.provider, "model": server.model, "detail": ""}
    return ProviderError(texts("models.too_long", **values).strip(), started=True, too_long=True)


def from_failure(texts: Texts, server: Server, failure: HttpFailure, *, started: bool) -> ProviderError:
    """The error of a connection; a stream that broke after it had begun is not retried (PRV-7)."""
    values = {"provider": server.provider, "url": server.url, "detail": mask(failure.reason, server.secret)}
    if failure.kind == TOO_BIG:
        return ProviderError(texts("models.answer_too_big", **values), started=True)
    if failure.kind == BAD_URL:
        return ProviderError(texts("models.bad_url", **values))
    if failure.kind == TIMEOUT:
        return ProviderError(texts("models.timed_out", **values), transient=True, started=started)
    if failure.kind == BROKEN:
        return ProviderError(texts("models.stream_ended", **values), transient=False, started=started)
    key = "models.not_running" if server.provider == "ollama" else "models.no_connection"
    return ProviderError(texts(key, **values), transient=True, started=started)
