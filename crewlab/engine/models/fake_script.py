"""``fake:script:<file>``: a model that plays a YAML or JSON file (FAKE-1 to FAKE-6).

What it answers follows from the request alone, never from what it answered before: the number of the
person's message chooses the turn, the number of answers with calls since then the round. So a turn
that goes on after a restart goes on in the script as well.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from crewlab.engine.models.base import ProviderError, ReasoningDelta, Usage
from crewlab.engine.models.failures import is_transient
from crewlab.engine.models.fake import FakeCall, FakeCost, Piece, Scene
from crewlab.engine.models.fake_fixtures import DIES_STATUS, DIES_VARIABLE

VERBS = frozenset({"text", "think", "wait", "call", "fail", "hang", "huge", "endless", "price", "tokens", "die"})
PLACE = re.compile(r"\{(last|result|turn|round|\d)\}")  # FAKE-4; other braces stay as they are
HUGE_PIECE = "0123456789" * 100


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Tokens(_Part):
    """Token counts of one call; what is left out is not reported."""

    prompt: int | None = None
    completion: int | None = None
    cached: int | None = None
    reasoning: int | None = None


class ScriptStep(_Part):
    """One step of a round: exactly one of ``VERBS`` with its options (FAKE-3)."""

    text: str | None = None
    pieces: int = Field(0, ge=0)
    times: int = Field(1, ge=0)
    think: int = Field(0, ge=0)
    wait: float = Field(0.0, ge=0)
    call: str | None = None
    arguments: dict[str, Any] = Field(default_factory=dict)
    raw: str | None = None
    fail: str | None = None
    status: int | None = None
    hang: bool = False
    huge: int = Field(0, ge=0)
    endless: str = ""
    price: float | None = None
    tokens: Tokens | None = None
    die: bool = False

    @model_validator(mode="after")
    def _one_verb(self) -> ScriptStep:
        if len(VERBS & self.model_fields_set) != 1:
            raise ValueError(f"exactly one of {', '.join(sorted(VERBS))}")
        return self


class ScriptTurn(_Part):
    """The answers to one message: one list of steps per model call; the last stands for all further ones."""

    match: str | None = None
    rounds: list[list[ScriptStep]] = Field(min_length=1)

    @field_validator("match")
    @classmethod
    def _compiles(cls, pattern: str | None) -> str | None:
        try:
            re.compile(pattern or "")
        except re.error as error:
            raise ValueError(f"{pattern!r} is no pattern: {error}") from error
        return pattern


class ScriptFile(_Part):
    """The whole file. ``price`` is that of a call whose round names none."""

    price: float | None = 0.0
    turns: list[ScriptTurn] = Field(min_length=1)


class ScriptedModel:
    """Plays one file; a file that has changed is read again."""

    def __init__(self, file: str) -> None:
        self._path = Path(file).expanduser()
        self._read: tuple[int, ScriptFile] | None = None

    async def play(self, scene: Scene) -> AsyncIterator[Piece]:
        """The pieces of the answer to the request. Raises ``ProviderError`` for a file or a message that does not fit."""
        script = await asyncio.to_thread(self._load, scene)
        people = [place for place, message in enumerate(scene.request.messages) if message.role == "user"]
        turn, found = _choose(script, scene, len(people))
        since = scene.request.messages[people[-1] :] if people else ()
        number = sum(1 for message in since if message.tool_calls)
        words = {"last": scene.last_user, "result": scene.tool_result or "", "turn": str(len(people)), "round": str(number + 1)}
        words |= {str(place): group or "" for place, group in enumerate((found[0], *found.groups()) if found else ())}
        cost, usage = script.price, None
        for step in turn.rounds[min(number, len(turn.rounds) - 1)]:
            if "price" in step.model_fields_set:
                cost = step.price
            if step.tokens is not None:
                usage = Usage(step.tokens.prompt, step.tokens.completion, step.tokens.cached, step.tokens.reasoning)
            async for piece in _act(step, words, scene):
                yield piece
        yield FakeCost(cost, usage)

    def _load(self, scene: Scene) -> ScriptFile:
        try:
            stamp = self._path.stat().st_mtime_ns
            if self._read is None or self._read[0] != stamp:
                self._read = stamp, ScriptFile.model_validate(_parse(self._path))
            return self._read[1]
        except (OSError, ValueError) as error:  # a file that is no YAML, and one of another form
            raise ProviderError(scene.texts("models.script_bad", file=self._path, why=_why(error))) from error


def _parse(path: Path) -> object:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return json.loads(text)
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _why(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def _choose(script: ScriptFile, scene: Scene, number: int) -> tuple[ScriptTurn, re.Match[str] | None]:
    """The turn for the person's last message: the first whose pattern is found in it, else by order (FAKE-2)."""
    for turn in script.turns:
        found = re.search(turn.match, scene.last_user, re.DOTALL) if turn.match is not None else None
        if found is not None:
            return turn, found
    ordered = [turn for turn in script.turns if turn.match is None]
    if not ordered:
        raise ProviderError(scene.texts("models.script_no_turn", message=scene.last_user[:80]))
    return ordered[min(max(number, 1), len(ordered)) - 1], None


def _fill(value: Any, words: dict[str, str]) -> Any:
    if isinstance(value, str):
        return PLACE.sub(lambda found: words.get(found[1], found[0]), value)
    if isinstance(value, list):
        return [_fill(item, words) for item in value]
    if isinstance(value, dict):
        return {_fill(key, words): _fill(item, words) for key, item in value.items()}
    return value


async def _act(step: ScriptStep, words: dict[str, str], scene: Scene) -> AsyncIterator[Piece]:
    if step.text is not None:
        text = _fill(step.text, words) * step.times
        size = step.pieces or max(1, len(text))
        for start in range(0, len(text), size):
            yield text[start : start + size]
    for _ in range(step.think):
        yield ReasoningDelta()
    if step.call is not None:
        written = json.dumps(_fill(step.arguments, words), ensure_ascii=False) if step.raw is None else _fill(step.raw, words)
        yield FakeCall(_fill(step.call, words), written, step.pieces)
    for start in range(0, step.huge, len(HUGE_PIECE)):
        yield HUGE_PIECE[: step.huge - start]
    while step.endless:
        yield step.endless
    await _suffer(step, words, scene)


async def _suffer(step: ScriptStep, words: dict[str, str], scene: Scene) -> None:
    """The steps that give nothing: waiting, failing, dying."""
    if step.wait:
        await scene.sleep(step.wait)
    if step.hang:
        await asyncio.Event().wait()
    if step.die and os.environ.get(DIES_VARIABLE) == "1":
        os._exit(DIES_STATUS)
    if step.fail is not None:
        raise ProviderError(_fill(step.fail, words), transient=is_transient(step.status), status=step.status)
