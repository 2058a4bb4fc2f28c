"""The seven canvas tools of one agent, in the order of the catalogue (CNV-21, TOOL-25)."""

from __future__ import annotations

from crewlab.engine.agents.agent import Agent
from crewlab.engine.canvas.bench import Bench
from crewlab.engine.canvas.file_tools import file_tools
from crewlab.engine.canvas.library import Library
from crewlab.engine.canvas.reading_tools import reading_tools
from crewlab.engine.canvas.writing_tools import writing_tools
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.family import FamilyParts

WRITES = ("artifact_create", "artifact_edit", "artifact_rewrite", "artifact_import")  # GATE-8
STREAMED = frozenset({"artifact_create", "artifact_edit", "artifact_rewrite"})  # CNV-108


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """The tools; whether the channel of a turn may write is judged at each call."""
    bench = Bench(Library(parts), agent)
    create, edit, rewrite = writing_tools(bench)
    return [create, *reading_tools(bench), edit, rewrite, *file_tools(bench)]
