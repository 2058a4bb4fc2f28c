"""``fake:echo``: the whole stack without a key and without a network (PRV-20, PRV-21, TOOL-38).

``/tool <name> {json}`` on a line of the last message becomes a tool call; any other message is
echoed; after a tool result the first characters of that result are the answer. Other scripted
models are registered by name; the shared ones of ``fake_fixtures`` are loaded when asked for, and
``fake:script:<file>`` plays a file (``fake_script``).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import ChatRequest, Completion, ProviderError, ProviderItem, ReasoningDelta, TextDelta, Usage
from crewlab.engine.models.calls import CallBuilder
from crewlab.engine.texts import Texts

RESULT_CHARS = 200  # TOOL-38
PIECE_CHARS = 16
SCRIPT = "script:"  # FAKE-1
CHARS_PER_TOKEN = 4
YIELD_EVERY = 64  # pieces between two chances for the rest of the loop
TOOL_LINE = re.compile(r"^/tool(?:[ \t]+(\S+))?(?:[ \t]+(.*\S))?[ \t]*$", re.MULTILINE)

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class FakeCall:
    """A call that a script wants to make; ``arguments`` is the text as a model would write it, ``pieces`` characters at a time."""

    name: str
    arguments: str = "{}"
    pieces: int = 0  # all at once


@dataclass(frozen=True, slots=True)
class FakeCost:
    """What the completion says of its price and tokens instead of 0 and the counts by length."""

    cost_usd: float | None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What a script is given: the request, the texts, and a way to wait."""

    request: ChatRequest
    texts: Texts
    sleep: Sleep

    @property
    def last_user(self) -> str:
        """The last message of a person."""
        return next((m.words for m in reversed(self.request.messages) if m.role == "user"), "")

    @property
    def tool_result(self) -> str | None:
        """The result that the request ends with, or ``None``."""
        last = self.request.messages[-1] if self.request.messages else None
        return last.content if last is not None and last.role == "tool" else None


Piece = str | FakeCall | FakeCost | ReasoningDelta
Script = Callable[[Scene], AsyncIterator[Any]]  # of Piece; a script of text alone is one as well
"""A scripted model: yields pieces of text and calls, may raise ``ProviderError``."""


def tokens(text: str) -> int:
    """Token count derived from the length (PRV-21)."""
    return -(-len(text) // CHARS_PER_TOKEN)


async def echo(scene: Scene) -> AsyncIterator[str | FakeCall]:
    """The script of ``fake:echo``."""
    result = scene.tool_result
    if result is not None:
        text = result[:RESULT_CHARS]
    else:
        calls = TOOL_LINE.findall(scene.last_user)
        for name, arguments in calls:
            yield FakeCall(name, arguments or "{}")
        text = "" if calls else scene.last_user
    for start in range(0, len(text), PIECE_CHARS):
        yield text[start : start + PIECE_CHARS]


class FakeProvider:
    """Scripted models under the provider name ``fake``; price 0, tokens by length."""

    name = "fake"
    small = False

    def __init__(self, texts: Texts, *, sleep: Sleep = asyncio.sleep) -> None:
        self._texts = texts
        self._sleep = sleep
        self._scripts: dict[str, Script] = {"echo": echo}
        self._windows: dict[str, int] = {}
        self._aside: set[str] = set()

    def register(self, name: str, script: Script, *, window: int | None = None, aside: bool = False) -> None:
        """Serve ``fake:<name>`` by ``script``; ``window`` is how many tokens it says that it can read, ``aside`` whether it
        is asked for titles and summaries too."""
        self._scripts[name] = script
        if window is not None:
            self._windows[name] = window
        if aside:
            self._aside.add(name)

    def writes_aside(self, route: Route) -> bool:
        """Whether the script was registered for titles and summaries; an echo is none."""
        return route.model in self._aside

    def window(self, route: Route) -> int | None:
        """The declared window of a scripted model (CMP-1)."""
        if route.model in self._windows or route.model == "echo":
            return self._windows.get(route.model)
        from crewlab.engine.models.fake_fixtures import WINDOWS

        return WINDOWS.get(route.model)

    def _script(self, name: str) -> Script:
        if name not in self._scripts and name.startswith(SCRIPT):
            from crewlab.engine.models.fake_script import ScriptedModel

            self._scripts[name] = ScriptedModel(name.removeprefix(SCRIPT)).play
        elif name not in self._scripts:
            from crewlab.engine.models.fake_fixtures import SCRIPTS

            if name not in SCRIPTS:
                raise ProviderError(self._texts("models.fake_unknown", model=name))
            self._scripts[name] = SCRIPTS[name]
        return self._scripts[name]

    async def stream(self, request: ChatRequest, route: Route) -> AsyncIterator[ProviderItem]:
        """Play the script of the route's model."""
        script = self._script(route.model)
        text: list[str] = []
        calls = CallBuilder()
        cost = FakeCost(0.0)
        pieces = 0
        async for piece in script(Scene(request, self._texts, self._sleep)):
            pieces += 1
            if pieces % YIELD_EVERY == 0:
                await asyncio.sleep(0)
            if isinstance(piece, str):
                text.append(piece)
                yield TextDelta(piece)
                continue
            if isinstance(piece, ReasoningDelta):
                yield piece
                continue
            if isinstance(piece, FakeCost):
                cost = piece
                continue
            place, call_id = len(calls), f"call_{len(request.messages)}_{len(calls)}"
            size = piece.pieces or max(1, len(piece.arguments))
            for start in range(0, max(1, len(piece.arguments)), size):
                delta = calls.add(place, call_id, piece.name, piece.arguments[start : start + size])
                if delta is not None:
                    yield delta
        answer = "".join(text)
        written = sum(tokens(call.name) + tokens(str(call.arguments)) for call in calls.finish())
        prompt = tokens(request.system) + sum(tokens(message.content) for message in request.messages)
        usage = Usage(prompt, tokens(answer) + written, 0, 0)
        yield Completion(answer, calls.finish(), cost.usage or usage, cost_usd=cost.cost_usd)

    async def close(self) -> None:
        """Nothing to close."""
