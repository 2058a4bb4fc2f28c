"""The tools of one turn, by name and in order, and what is answered for a name that is not among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.shown import clean_name

NAME = re.compile(r"[A-Za-z0-9_]+")  # TOOL-1
SCRIPT_NAMES = frozenset({"names", "search", "describe", "batch"})  # TOOL-7: taken by the object `tools` of scripts


class RegistryError(ValueError):
    """A tool breaks the contract; its author mends it. Nothing starts with it."""


def _fault(tool: Tool) -> str | None:
    """Why ``tool`` cannot be registered, or ``None``. For developers, hence in English only."""
    if NAME.fullmatch(tool.name) is None:
        return "a name consists of letters, digits and _ (TOOL-1)"
    if tool.name in SCRIPT_NAMES:
        return "the name belongs to the script object `tools` (TOOL-7)"
    if tool.ask_reason is not None and not tool.requires_approval:
        return "it has ask_reason, so it must declare requires_approval (GATE-18)"
    if tool.is_question and not tool.requires_approval:
        return "it is a question, so it must declare requires_approval (GATE-18)"
    if tool.parameters.get("type") != "object":
        return "parameters is a JSON schema of type object (TOOL-1)"
    return None


class Registry:
    """An ordered set of tools; the order is the one the model is told (TOOL-25)."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        """Raises ``RegistryError`` for a tool that breaks the contract and for a name that comes twice."""
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            fault = _fault(tool)
            if fault is None and tool.name in self._tools:
                fault = "the name is taken (TOOL-1)"
            if fault is not None:
                raise RegistryError(f"tool {tool.name!r} cannot be registered: {fault}")
            self._tools[tool.name] = tool

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(self._tools)

    @property
    def all(self) -> tuple[Tool, ...]:
        """The tools in order."""
        return tuple(self._tools.values())

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name; no near name is looked for (TOOL-13)."""
        return self._tools.get(name)


def not_available(name: str, texts: Texts) -> str:
    """The one sentence for a tool the turn does not hold, whatever the cause (PTL-9)."""
    return texts("tools.not_available", name=clean_name(name))
