"""One call of a script: what stands in its way, running it, and what the script is handed (SCR-93 to SCR-105)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from crewlab.engine.script.callables import DELEGATE, Callables, writes
from crewlab.engine.script.messages import Answer
from crewlab.engine.texts import Texts
from crewlab.engine.tools.call import failure
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import SCRIPT_CHARS
from crewlab.engine.tools.nested import Done, Judged, Nest
from crewlab.engine.tools.shown import clean_name
from crewlab.engine.tools.validate import check_arguments

MAX_ARGUMENTS = 100_000  # SCR-94: characters of JSON

log = logging.getLogger(__name__)


class Refused(Exception):
    """The script ends at this call; it has not run (SCR-101, SCR-127, SCR-150)."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def at(self, line: int) -> Answer:
        """The end of the script as an answer to its child."""
        return Answer(stop=True, code=self.code, line=line, params=self.params)


@dataclass(frozen=True, slots=True)
class Handed:
    """What the script is given for a call."""

    ok: bool
    text: str


@dataclass(slots=True)
class Call:
    """One call that may run. ``problem``: its arguments do not fit, and this is its error. ``started``: it counts (SCR-212)."""

    number: int
    tool: Tool
    given: Arguments
    arguments: Arguments
    context: ToolContext
    problem: str | None = None
    started: bool = field(default=False)

    @property
    def gated(self) -> bool:
        """Whether the gate judges it; one whose arguments do not fit has nothing to be judged."""
        return self.problem is None and writes(self.tool)


class Calling:
    """Prepares and runs the calls of one script."""

    def __init__(self, nest: Nest, callables: Callables, texts: Texts, monotonic: Callable[[], float]) -> None:
        self._nest = nest
        self._callables = callables
        self._texts = texts
        self._monotonic = monotonic

    def tool(self, name: str) -> Tool | None:
        """The tool the agent holds by this name (SCR-100)."""
        return self._nest.registry.get(name)

    def unknown(self, name: str) -> str:
        """The error for a name the agent does not hold, with the nearest one that can be called (SCR-100)."""
        near = self._callables.near(name)
        key = "script_calls.unknown" if near is None else "script_calls.unknown_near"
        return self._texts(key, name=clean_name(name), near=near or "")

    def prepare(self, number: int, tool: Tool, given: Arguments) -> Call:
        """The call, when the script may make it. Raises ``Refused`` (SCR-101, SCR-123, SCR-150)."""
        outside = self._callables.outside(tool)
        if outside is not None:
            raise Refused("tool_refused", variant=outside, tool=tool.name)
        call_id = None
        if tool.name == DELEGATE:
            if "agent" in given and given["agent"] not in self._nest.delegates:
                raise Refused("delegate_agent", ids=", ".join(self._nest.delegates))
            call_id = f"{self._nest.context().call_id}:{number}"  # SCR-151
        context = self._nest.context(call_id)
        try:
            arguments = check_arguments(tool, given, self._texts, "script_calls.args_wrong")
        except ToolError as error:
            return Call(number, tool, given, given, context, error.message)
        return Call(number, tool, given, arguments, context)

    def judge(self, call: Call) -> None:
        """Ask the gate about a writing call. Raises ``Refused`` for anything but "run" (SCR-125 to SCR-129)."""
        if not call.gated:
            return
        judged = self._nest.judge(call.tool, call.arguments, call.context)
        if judged.kind != "run":
            raise _refused(judged, call.tool)

    async def run(self, call: Call) -> Handed:
        """Run it and record it, also when it is cut (SCR-19). Only cancellation comes out."""
        call.started = True
        started = self._monotonic()
        try:
            handed = await self._handed(call)
        except asyncio.CancelledError:
            self._record(call, Handed(False, self._texts("script_calls.cut")), started, handed=False)
            raise
        except Exception as error:  # of the server around the tool: an error of this call alone (SCR-99)
            log.exception("a call of %s inside a script failed", call.tool.name)
            handed = self._error(failure(call.tool.name, error, self._texts))
        self._record(call, handed, started)
        return handed

    async def _handed(self, call: Call) -> Handed:
        if call.problem is not None:
            return self._error(call.problem)
        ran = await self._nest.run(call.tool, call.arguments, call.context)
        if not ran.ok:
            return self._error(ran.text)
        return Handed(True, await self._cut(call, ran.text))

    def _error(self, message: str) -> Handed:
        return Handed(False, self._texts("script_calls.error", message=message)[:SCRIPT_CHARS])

    async def _cut(self, call: Call, text: str) -> str:
        """At most what a script can hold; the whole is kept where it can be, and a line says where (SCR-187, SCR-188)."""
        if len(text) <= SCRIPT_CHARS:
            return text
        kept_id = f"{self._nest.context().call_id}.{call.number}"
        if not await self._nest.keep(kept_id, text):
            return text[:SCRIPT_CHARS]
        more = self._texts("script_calls.more", more=len(text) - SCRIPT_CHARS, id=json.dumps(kept_id), offset=SCRIPT_CHARS)
        return f"{text[:SCRIPT_CHARS]}\n{more}"

    def _record(self, call: Call, answer: Handed, started: float, *, handed: bool = True) -> None:
        charges = tuple(call.context.charges)
        ms = round((self._monotonic() - started) * 1000)
        metered = any(not charge.child for charge in charges)
        self._nest.ended(Done(call.tool.name, call.given, answer.ok, answer.text, ms, charges, metered, call.gated))
        if handed:
            self.received(answer.text)

    def received(self, text: str) -> None:
        """Count what the script is handed (SCR-200)."""
        inside = self._nest.inside
        inside.received_chars = (inside.received_chars or 0) + len(text)


def _refused(judged: Judged, tool: Tool) -> Refused:
    code = "gate_deny" if judged.kind == "refuse" else "gate_ask"
    if judged.pattern is not None:
        return Refused(code, variant="pattern", tool=tool.name, pattern=judged.pattern)
    return Refused(code, tool=tool.name)


def size_of(arguments: Arguments) -> int:
    """The characters of the arguments' JSON (SCR-94)."""
    return len(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))
