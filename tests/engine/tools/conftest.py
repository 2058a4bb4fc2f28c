"""A workspace with an outside, and a way to make a call the way a turn makes it."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.gate.verdict import Stance, judge
from crewlab.engine.texts import Texts
from crewlab.engine.tools.call import Ran, run_tool
from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.registry import Registry
from crewlab.engine.tools.validate import check_arguments
from crewlab.engine.tools.workspace import all_tools


@dataclass
class Bench:
    """The tools of an agent on a workspace in ``base / "ws"``; ``base / "outside"`` must stay as it is."""

    base: Path
    context: ToolContext

    @property
    def root(self) -> Path:
        return self.context.workspace

    @property
    def outside(self) -> Path:
        return self.base / "outside"

    def but(self, **changes: Any) -> "Bench":
        return Bench(self.base, replace(self.context, **changes))

    def tool(self, name: str) -> Any:
        return Registry(all_tools(self.context.texts)).get(name)

    def call(self, name: str, /, **arguments: Any) -> Ran:
        """Arguments, gate (approved when it asks), run: the order of TOOL-14."""
        tool = self.tool(name)
        try:
            checked = check_arguments(tool, arguments, self.context.texts)
        except ToolError as error:
            return Ran(error.message, False)
        verdict = judge(tool, checked, self.context, Stance())
        if verdict.kind == "refuse":
            return Ran(verdict.text or "", False)
        return asyncio.run(run_tool(tool, checked, self.context))

    def verdict(self, name: str, /, **arguments: Any) -> str:
        return judge(self.tool(name), check_arguments(self.tool(name), arguments, self.context.texts), self.context, Stance()).kind

    def run_unjudged(self, name: str, /, **arguments: Any) -> Ran:
        """What the tool itself says when the gate saw another file system (GATE-10)."""
        return asyncio.run(run_tool(self.tool(name), arguments, self.context))


def make_bench(base: Path) -> Bench:
    for name in ("ws", "outside"):
        (base / name).mkdir()
    (base / "outside" / "secret.txt").write_text("secret")
    return Bench(base, ToolContext("default", base / "ws", Texts("en"), conversation_id="c_1", call_id="call_1"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return make_bench(tmp_path)
