"""Families of tools of other installed packages (AGT-39): under the same contract, and what they do not declare counts against them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from crewlab.engine.agents.roster import Agent
from crewlab.engine.home.packages import TOOLS, brought, left_out
from crewlab.engine.tools.catalogue import ORDER
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.family import Family, FamilyParts
from crewlab.engine.tools.registry import Registry


def outside_families() -> tuple[Family, ...]:
    """The families of the entry points ``crewlab.tools``, as one: no two tools of them may have one name."""
    packages = tuple(brought(TOOLS))
    return (_Outside(packages),) if packages else ()


class _Outside:
    """A family whose packages cannot harm an agent: each is asked alone, and told once in the log when it is left out."""

    def __init__(self, packages: Iterable[tuple[str, Callable[..., Any]]]) -> None:
        self._packages = tuple(packages)
        self._told: set[tuple[str, str]] = set()

    def __call__(self, parts: FamilyParts, agent: Agent) -> list[Tool]:
        """The tools of all packages that keep the contract."""
        found: dict[str, Tool] = {}
        for name, family in self._packages:
            for tool in self._of(name, family, parts, agent):
                if tool.name in ORDER or tool.name in found:
                    self._tell(name, f"{tool.name!r}: name taken")
                else:
                    found[tool.name] = tool
        return list(found.values())

    def _of(self, name: str, family: Callable[..., Any], parts: FamilyParts, agent: Agent) -> Iterator[Tool]:
        try:
            tools = list(family(parts, agent))
        except Exception as error:  # noqa: BLE001 - code of another package
            self._tell(name, f"{type(error).__name__}: {error}")
            return
        for tool in tools:
            if not isinstance(tool, Tool):
                self._tell(name, f"{type(tool).__name__} is no tool")
                continue
            try:
                Registry([strict(tool)])
            except Exception as error:  # noqa: BLE001 - code of another package
                self._tell(name, error)
            else:
                yield strict(tool)

    def _tell(self, name: str, why: object) -> None:
        if (name, str(why)) not in self._told:
            self._told.add((name, str(why)))
            left_out(TOOLS, name, why)


def strict(tool: Tool) -> Tool:
    """The tool as the crew holds it: only ``tier="read"`` says that nothing needs approval, and what only the crew's own may be is off."""
    reads = tool.tier == "read"
    return replace(
        tool,
        requires_approval=tool.requires_approval or not reads,
        replay_safe=tool.replay_safe and reads,
        parallel=tool.parallel and reads,
        script=tool.script if reads or tool.script == "no" else "gated",
        routine=None,
        allow_listed=False,
        settled_by_arguments=False,
        is_question=False,
        marking=None if tool.marking == "own" else tool.marking,
        keeps_ceiling=False,
        nests=False,
        capped=None,
        step="tool",
        exposure="direct",
        foreign=None,
    )
