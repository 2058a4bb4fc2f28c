"""Which built-in tools there are and which of them an agent holds.

The order is part of the contract: the provider's prompt cache holds as long as it does not change (TOOL-25).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from crewlab.engine.agents.roster import Agent
from crewlab.engine.agents.tool_names import ALWAYS_ON, PORTAL_BASE, PORTAL_SWITCHED, bringing_key, extra_names
from crewlab.engine.home.settings import Settings
from crewlab.engine.tools.asking import family as asking
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.documents import family as documents
from crewlab.engine.tools.family import Family, FamilyParts, LateFamily
from crewlab.engine.tools.memory import family as memory
from crewlab.engine.tools.noting import family as noting
from crewlab.engine.tools.reading_back import family as reading_back
from crewlab.engine.tools.registry import Registry
from crewlab.engine.tools.said import family as said
from crewlab.engine.tools.schedules import family as schedules
from crewlab.engine.tools.skills import family as skills
from crewlab.engine.tools.web import family as web
from crewlab.engine.tools.wiki import family as wiki
from crewlab.engine.tools.workspace import family as workspace

ORDER = tuple(  # TOOL-25
    """
    workspace_list workspace_read workspace_write fetch_url web_search memory_save memory_search conversation_search
    user_memory_save user_memory_forget wiki_get wiki_search wiki_apply shell_run schedule_create skill_read image_read pdf_read
    ask_user tool_output_read progress_note artifact_create artifact_list artifact_read artifact_edit artifact_rewrite
    artifact_import artifact_export workspace_edit workspace_grep workspace_glob browser_navigate browser_snapshot browser_text
    browser_tabs browser_screenshot browser_pdf browser_act browser_download computer_state computer_screenshot computer_observe
    computer_act workspace_patch lsp lsp_rename ast_grep ast_edit resolve debug eval vibe_spawn vibe_send vibe_wait vibe_kill
    vibe_list notebook_list notebook_read notebook_edit notebook_create notebook_run kernel_variables kernel_state
    kernel_interrupt kernel_restart workspace_delete run_code calculator read_transcript suggest_next_actions knowledge_search
    read_document search_attachments budget_check research_web read_page inspect_artifact measure_layout print_pdf update_tasks
    list_tools get_tool_schema delegate tool_search tool_script
    """.split()  # noqa: SIM905
)
SMALL_FAMILIES: tuple[Family, ...] = (workspace, schedules, documents, web, memory, said, wiki, skills, asking, reading_back, noting)
"""The families of this package; ``crew.py`` adds the large ones."""

_PLACE = {name: place for place, name in enumerate(ORDER)}


class Holder(Protocol):
    """What the catalogue asks of an agent: its allow-list, ``None`` without one."""

    @property
    def tools(self) -> tuple[str, ...] | None: ...


def arrange(tools: Iterable[Tool], agent: Holder, extra: Collection[str] = ()) -> Registry:
    """The tools an agent holds of those it can get, in the order of the catalogue; unknown names last.

    ``extra`` are the names that its ``extra_tools`` mean (PTL-13).
    """
    held = [tool for tool in tools if tool.name in extra or _holds(tool.name, agent)]
    return Registry(sorted(held, key=lambda tool: place_of(tool.name)))


def place_of(name: str) -> int:
    """Where a tool stands in the order; unknown ones last (TOOL-25)."""
    return _PLACE.get(name, len(ORDER))


def listable(names: Iterable[str], agent: Holder) -> tuple[str, ...]:
    """Of the tools an agent can get, those that its allow-list decides (TOOL-48, AGT-33)."""
    fixed = ALWAYS_ON | (PORTAL_BASE if getattr(agent, "toolset", "crew") == "portal" else frozenset())
    return tuple(sorted((name for name in names if bringing_key(name) is None and name not in fixed), key=place_of))


def _holds(name: str, agent: Holder) -> bool:
    """Its list limits and brings nothing (TOOL-21), and has no say over tools that follow a key (TOOL-22) or stand in every turn
    (PTL-15, PTL-16). Without a list the agent holds all (TOOL-24), under ``portal`` the base set (PTL-12).
    """
    if bringing_key(name) is not None or name in ALWAYS_ON:
        return True
    if getattr(agent, "toolset", "crew") == "portal":
        return name in PORTAL_BASE or name in PORTAL_SWITCHED or name in (agent.tools or ())
    return agent.tools is None or name in agent.tools


def tools_of(families: Sequence[Family], parts: FamilyParts, agent: Agent, late: Sequence[LateFamily] = ()) -> Registry:
    """The tools of ``agent`` as it is now (TOOL-19); ``late`` are the families that stand on what it holds already (SCR-75)."""
    held = arrange((tool for family in families for tool in family(parts, agent)), agent, extra_names(agent.extra_tools))
    more = [tool for family in late for tool in family(parts, agent, held)]
    return Registry(sorted((*held.all, *more), key=lambda tool: place_of(tool.name))) if more else held


class AgentTools:
    """The tools of each agent, assembled once per agent (TOOL-19)."""

    def __init__(self, families: Sequence[Family], parts: FamilyParts, late: Sequence[LateFamily] = ()) -> None:
        self._families = families
        self._late = late
        self._parts = parts
        self._built: dict[str, tuple[Agent, tuple[bool, bool], Registry]] = {}

    def follow(self, settings: Settings) -> None:
        """Build with other settings from now on; a turn that runs keeps its tools (AGT-25)."""
        self._parts = replace(self._parts, settings=settings)
        self._built = {}

    def of(self, agent: Agent) -> Registry:
        """The registry of the agent as it is now."""
        built = self._built.get(agent.id)
        skilled = agent.toolset != "portal" or bool(self._parts.skill_names(agent))  # PTL-122
        state = (self._parts.sees(), skilled)  # a key that was saved, a skill that was installed act on the next turn (VIS-3)
        if built is None or built[0] is not agent or built[1] != state:
            built = self._built[agent.id] = (agent, state, tools_of(self._families, self._parts, agent, self._late))
        return built[2]

    def listable(self, agent: Agent) -> tuple[str, ...]:
        """The names that the agent's allow-list can decide (TOOL-48)."""
        return listable((tool.name for family in self._families for tool in family(self._parts, agent)), agent)
