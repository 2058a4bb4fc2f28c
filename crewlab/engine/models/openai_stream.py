"""Chunks of an OpenAI-compatible stream, read one by one into items.

Vendors differ: reasoning under two names, content as text or as parts, usage in the last chunk or in
each, an error object in mid-stream with a number, a word or no code at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from crewlab.engine.models.base import Completion, ProviderError, ProviderItem, ReasoningDelta, TextDelta, Usage
from crewlab.engine.models.calls import CallBuilder
from crewlab.engine.models.failures import Server, detail_of, from_code, window_full
from crewlab.engine.models.overflow import STOP_REASONS
from crewlab.engine.models.thinking import ThinkingFilter
from crewlab.engine.models.unicode import SurrogateMender
from crewlab.engine.texts import Texts

REASONING_KEYS = ("reasoning", "reasoning_content", "reasoning_details", "thinking")
CODES = {"rate_limit_exceeded": 429, "server_error": 500, "internal_server_error": 500, "overloaded_error": 503, "timeout": 408}


class ChunkReader:
    """Reads chunks, keeps the text, the calls and the usage of one answer."""

    def __init__(self, texts: Texts, server: Server, *, reports_cost: bool = False) -> None:
        self._texts = texts
        self._server = server
        self._reports_cost = reports_cost
        self._text: list[str] = []
        self._calls = CallBuilder()
        self._usage = Usage()
        self._cost: float | None = None
        self._reason = ""
        self._reasoned = False
        self.started = False
        self.finished = False
        self._mender = SurrogateMender()
        self._thinking = ThinkingFilter()

    def read(self, data: str) -> Iterator[ProviderItem]:
        """The items of one chunk; raises ``ProviderError`` for an error chunk."""
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise ProviderError(
                self._texts("models.not_sse", provider=self._server.provider, url=self._server.url), started=self.started
            ) from error
        if not isinstance(chunk, dict):
            return
        if chunk.get("error"):
            raise self._error(chunk["error"])
        self._take_usage(chunk.get("usage"))
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return
        self.started = True
        choice = choices[0]
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from self._delta(delta)
        self.finished = self.finished or bool(choice.get("finish_reason"))
        self._reason = _str(choice.get("finish_reason")) or self._reason

    def _delta(self, delta: dict[str, Any]) -> Iterator[ProviderItem]:
        if any(delta.get(key) for key in REASONING_KEYS):
            self._reasoned = True
            yield ReasoningDelta()
        raw = self._mender.add(_text(delta.get("content")))
        text = self._thinking.feed(raw)
        if raw and self._thinking.inside:
            yield ReasoningDelta()
        yield from self._show(text)
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            if not isinstance(call, dict):
                continue
            function = call.get("function")
            function = function if isinstance(function, dict) else {}
            item = self._calls.add(_int(call.get("index")), _str(call.get("id")), _str(function.get("name")), function.get("arguments"))
            if item is None:
                raise ProviderError(self._texts("models.too_many_calls", provider=self._server.provider), started=True)
            yield item

    def _show(self, text: str) -> Iterator[ProviderItem]:
        if text:
            self._text.append(text)
            yield TextDelta(text)

    def flush(self) -> Iterator[ProviderItem]:
        """What was still held at the end of the stream."""
        yield from self._show(self._thinking.finish())

    def _take_usage(self, usage: object) -> None:
        if not isinstance(usage, dict):
            return
        prompt, completion = _dict(usage.get("prompt_tokens_details")), _dict(usage.get("completion_tokens_details"))
        told = Usage(
            prompt_tokens=_int(usage.get("prompt_tokens")),
            completion_tokens=_int(usage.get("completion_tokens")),
            cached_tokens=_first_int(prompt.get("cached_tokens"), usage.get("prompt_cache_hit_tokens")),
            reasoning_tokens=_int(completion.get("reasoning_tokens")),
            cache_write_tokens=_int(prompt.get("cache_write_tokens")),
        )
        self._usage = self._usage.grown(told)
        cost = usage.get("cost")
        if self._reports_cost and isinstance(cost, int | float) and not isinstance(cost, bool) and math.isfinite(cost) and cost >= 0:
            self._cost = max(float(cost), self._cost or 0.0)

    def _error(self, error: object) -> ProviderError:
        code: object = None
        if isinstance(error, dict):
            metadata = _dict(error.get("metadata"))
            kinds = (error.get("code"), error.get("type"), metadata.get("error_type"))
            code = next((kind for kind in kinds if _status(kind) is not None), error.get("code") or error.get("type"))
        detail = detail_of(json.dumps({"error": error}))
        word = code if isinstance(code, str) else ""
        whole = json.dumps(error, ensure_ascii=False)
        return from_code(self._texts, self._server, _status(code), detail, code=word, started=self.started, whole=whole)

    def _ended_full(self) -> bool:
        """Whether nothing was answered because the request alone filled the window (CMP-9)."""
        if self._text or len(self._calls):
            return False
        return self._reason in STOP_REASONS or (
            self._reason == "length" and not self._reasoned and (self._usage.completion_tokens or 0) <= 1
        )

    def completion(self) -> Completion:
        """The whole answer; raises ``ProviderError`` when the stream broke off before its end."""
        if not self.finished:
            key = "models.stream_ended" if self.started else "models.not_sse"  # nothing that could be read: a page, not a model
            raise ProviderError(self._texts(key, provider=self._server.provider, url=self._server.url), started=self.started)
        if self._ended_full():
            raise window_full(self._texts, self._server)
        return Completion("".join(self._text), self._calls.finish(), self._usage, self._cost)


def _status(code: object) -> int | None:
    if isinstance(code, str):
        return int(code) if code.isdecimal() and len(code) == 3 else CODES.get(code)
    return code if isinstance(code, int) and 100 <= code <= 599 else None


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_str(part.get("text")) or "" for part in content if isinstance(part, dict) and part.get("type") == "text")
    return ""


def _int(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _first_int(*values: object) -> int | None:
    return next((number for number in map(_int, values) if number is not None), None)


def _str(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
