"""The calls of one batch: all judged before any runs, each writing one again at its turn (SCR-117 to SCR-119, SCR-131, SCR-132)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from crewlab.engine.script.batches import Element, run_batch
from crewlab.engine.script.callables import DELEGATE, writes
from crewlab.engine.script.calling import Call, Calling

Answered = dict[str, Any]


class Batch:
    """A batch of the right form. Raises ``Refused`` when a call of it may not be made at all."""

    def __init__(self, calling: Calling, first: int, given: Sequence[tuple[str, dict[str, Any]]]) -> None:
        self._calling = calling
        self._elements: list[Call | str] = []
        for number, (name, arguments) in enumerate(given, first):
            tool = calling.tool(name)
            self._elements.append(calling.unknown(name) if tool is None else calling.prepare(number, tool, arguments))
        self.calls = [one for one in self._elements if isinstance(one, Call)]

    def judge(self) -> None:
        """Ask the gate about every writing call. Raises ``Refused``, and then none has run (SCR-131)."""
        for call in self.calls:
            self._calling.judge(call)

    async def run(self) -> list[Answered]:
        """The answers in written order. Raises ``Refused`` when a call is refused at its turn: those before it have run (SCR-132)."""
        one_by_one = any(writes(call.tool) for call in self.calls)
        elements = [
            Element(self._runner(one, again=one_by_one and place > 0), isinstance(one, Call) and one.tool.name == DELEGATE)
            for place, one in enumerate(self._elements)
        ]
        return await run_batch(elements, writes=one_by_one)

    def _runner(self, one: Call | str, *, again: bool) -> Callable[[], Awaitable[Answered]]:
        async def run() -> Answered:
            if isinstance(one, str):
                return {"ok": False, "error": one}
            if again:
                self._calling.judge(one)
            handed = await self._calling.run(one)
            return {"ok": True, "output": handed.text} if handed.ok else {"ok": False, "error": handed.text}

        return run
