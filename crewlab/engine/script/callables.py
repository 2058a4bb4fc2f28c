"""Which of the tools that a turn holds its scripts may call (SCR-78 to SCR-84, SCR-122, SCR-123, SCR-146). Pure."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.ranking import Index
from crewlab.engine.tools.registry import Registry

DELEGATE = "delegate"
NEAR = 0.6  # how alike a name must be to be offered for a mistyped one
LONGEST = 200  # no name of a tool is longer, and to compare text of any length would hold the server up

Outside = Literal["direct", "asks"]
"""Why a tool is not called from a script: it is called directly, or it always asks a person (SCR-101, SCR-123)."""


@dataclass(frozen=True)
class Callables:
    """The tools of one script, fixed when it starts (SCR-83)."""

    registry: Registry
    gated: bool
    delegates: bool = False

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """What may be called, in the order in which the agent holds it."""
        return tuple(tool for tool in self.registry.all if self.outside(tool) is None)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(tool.name for tool in self.tools)

    @cached_property
    def index(self) -> Index:
        """The same tools, to be searched; reading them takes a moment where servers give many."""
        return Index(self.tools)

    def outside(self, tool: Tool) -> Outside | None:
        """Why this tool may not be called; ``None`` when it may."""
        if tool.name == DELEGATE:
            return None if self.delegates else "direct"
        if tool.script == "any" or (tool.script == "gated" and self.gated):
            return None
        return "asks" if tool.script == "no" and tool.requires_approval else "direct"

    def near(self, name: str) -> str | None:
        """The callable name that is most like ``name`` (SCR-100)."""
        if len(name) > LONGEST:
            return None
        found = difflib.get_close_matches(name, self.names, n=1, cutoff=NEAR)
        return found[0] if found else None


def writes(tool: Tool) -> bool:
    """Whether a call passes the gate (SCR-125); giving out work does not (SCR-149)."""
    return tool.script == "gated" and tool.name != DELEGATE
