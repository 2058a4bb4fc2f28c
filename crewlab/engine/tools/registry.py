"""The tools of one turn, by name and in order, and what is answered for a name that is not among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.shown import clean_name

NAME = re.compile(r"[A-Za-z0-9_]+")  # TOOL-1
SCRIPT_NAMES = frozenset({"names", "search", "describe", "batch"})  # TOOL-7: taken by the object `tools` of scripts


def _check(tool: Tool) -> None:
    if NAME.fullmatch(tool.name) is None:
        raise TypeError(f"tool {tool.name!r}: a name consists of letters, digits and _ (TOOL-1)")
    if tool.name in SCRIPT_NAMES:
        raise TypeError(f"tool {tool.name!r}: the name belongs to the script object `tools` (TOOL-7)")
    if not tool.requires_approval and (tool.ask_reason is not None or tool.is_question):
        raise TypeError(f"tool {tool.name!r}: a question or a tool with ask_reason also declares requires_approval (GATE-18)")
    if tool.parameters.get("type") != "object":
        raise TypeError(f"tool {tool.name!r}: parameters is a JSON schema of type object (TOOL-1)")


class Registry:
    """An ordered set of tools; the order is the one the model is told (TOOL-25)."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        """Raises ``TypeError`` for a tool that breaks the contract and for a name that comes twice: its author mends it."""
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            _check(tool)
            if tool.name in self._tools:
                raise TypeError(f"tool {tool.name!r}: the name is taken (TOOL-1)")
            self._tools[tool.name] = tool

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(self._tools)

    @property
    def all(self) -> tuple[Tool, ...]:
        """The tools in order."""
        return tuple(self._tools.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What the tools add to the system prompt, in order; the same note of several tools once (PTL-138)."""
        return tuple(dict.fromkeys(note for tool in self._tools.values() for note in tool.notes))

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name; no near name is looked for (TOOL-13)."""
        return self._tools.get(name)


def not_available(name: str, texts: Texts) -> str:
    """The one sentence for a tool the turn does not hold, whatever the cause (PTL-9)."""
    return texts("tools.not_available", name=clean_name(name))
