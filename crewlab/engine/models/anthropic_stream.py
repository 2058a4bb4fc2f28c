"""Events of Anthropic's stream, read one by one into items."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from crewlab.engine.models.base import Completion, ProviderError, ProviderItem, ReasoningDelta, TextDelta, Usage
from crewlab.engine.models.calls import CallBuilder
from crewlab.engine.models.failures import Server, from_code, window_full
from crewlab.engine.models.overflow import STOP_REASONS
from crewlab.engine.models.unicode import SurrogateMender
from crewlab.engine.texts import Texts

STATUS = {  # the status that an error type has when it comes as an answer
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class EventReader:
    """Reads events, keeps the text, the calls and the usage of one answer."""

    def __init__(self, texts: Texts, server: Server) -> None:
        self._texts = texts
        self._server = server
        self._text: list[str] = []
        self._calls = CallBuilder()
        self._tokens: dict[str, int] = {}
        self._mender = SurrogateMender()
        self._reason = ""
        self.started = False
        self.finished = False

    def read(self, data: str) -> Iterator[ProviderItem]:
        """The items of one event; raises ``ProviderError`` for an error event."""
        try:
            event = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise ProviderError(
                self._texts("models.not_sse", provider=self._server.provider, url=self._server.url), started=self.started
            ) from error
        if not isinstance(event, dict):
            return
        kind = event.get("type")
        if kind == "error":
            raise self._error(_dict(event.get("error")))
        if kind == "message_start":
            self.started = True
            self._take_usage(_dict(event.get("message")).get("usage"))
        elif kind == "content_block_start":
            yield from self._block(event.get("index"), _dict(event.get("content_block")))
        elif kind == "content_block_delta":
            yield from self._delta(event.get("index"), _dict(event.get("delta")))
        elif kind == "message_delta":
            self._take_usage(event.get("usage"))
            self._reason = _str(_dict(event.get("delta")).get("stop_reason")) or self._reason
            self.finished = self.finished or bool(self._reason)
        elif kind == "message_stop":
            self.finished = True

    def _block(self, index: object, block: dict[str, Any]) -> Iterator[ProviderItem]:
        kind = block.get("type")
        if kind == "text":
            yield from self._show(block.get("text"))
        elif kind in ("thinking", "redacted_thinking"):
            yield ReasoningDelta()
        elif kind == "tool_use":
            given = block.get("input") or None  # whole when the server does not stream it
            yield from self._call(index, block.get("id"), block.get("name"), given)

    def _delta(self, index: object, delta: dict[str, Any]) -> Iterator[ProviderItem]:
        kind = delta.get("type")
        if kind == "text_delta":
            yield from self._show(delta.get("text"))
        elif kind == "thinking_delta":
            yield ReasoningDelta()
        elif kind == "input_json_delta":
            yield from self._call(index, None, None, delta.get("partial_json"))

    def _show(self, text: object) -> Iterator[ProviderItem]:
        shown = self._mender.add(text) if isinstance(text, str) else ""
        if shown:
            self._text.append(shown)
            yield TextDelta(shown)

    def _call(self, index: object, call_id: object, name: object, arguments: object) -> Iterator[ProviderItem]:
        place = index if isinstance(index, int) else None
        item = self._calls.add(place, _str(call_id), _str(name), arguments)
        if item is None:
            raise ProviderError(self._texts("models.too_many_calls", provider=self._server.provider), started=True)
        yield item

    def _take_usage(self, usage: object) -> None:
        for name, value in _dict(usage).items():
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                self._tokens[name] = max(value, self._tokens.get(name, 0))  # told anew from the beginning, never less (FM-2)

    def _error(self, error: dict[str, Any]) -> ProviderError:
        kind = _str(error.get("type")) or ""
        said = _str(error.get("message")) or kind
        return from_code(self._texts, self._server, STATUS.get(kind), said, code=kind, started=self.started)

    def completion(self) -> Completion:
        """The whole answer; raises ``ProviderError`` when the stream broke off before its end."""
        if not self.finished:
            key = "models.stream_ended" if self.started else "models.not_sse"  # nothing that could be read: a page, not a model
            raise ProviderError(self._texts(key, provider=self._server.provider, url=self._server.url), started=self.started)
        if self._reason in STOP_REASONS and not self._text and not len(self._calls):
            raise window_full(self._texts, self._server)
        cached = self._tokens.get("cache_read_input_tokens")
        parts = [self._tokens.get("input_tokens"), self._tokens.get("cache_creation_input_tokens"), cached]
        prompt = sum(part for part in parts if part is not None) if parts[0] is not None else None
        usage = Usage(prompt, self._tokens.get("output_tokens"), cached, cache_write_tokens=parts[1])
        return Completion("".join(self._text), self._calls.finish(), usage)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _str(value: object) -> str | None:
    return value if isinstance(value, str) else None
