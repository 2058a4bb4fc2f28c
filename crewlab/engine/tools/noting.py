"""``progress_note``: one line on the run while the work goes on (GATE-95, GATE-96, GATE-99).

The turn makes the step of it (``turn/notes.py``); what ``run`` answers is the same fixed word.
"""

from __future__ import annotations

from crewlab.engine.agents.roster import Agent
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.family import FamilyParts


def family(parts: FamilyParts, _agent: Agent) -> list[Tool]:
    """The tool, for every agent."""
    return [note_tool(parts.texts)]


def note_tool(texts: Texts) -> Tool:
    """The tool; calling it again changes nothing outside the run (TOOL-5), and scripts cannot (TOOL-6)."""
    return Tool(
        name="progress_note",
        description=texts("output.progress_note.description"),
        parameters={
            "type": "object",
            "properties": {"text": {"type": "string", "description": texts("output.progress_note.text")}},
            "required": ["text"],
            "additionalProperties": False,
        },
        run=_run,
        tier="read",
        replay_safe=True,
        marking="own",
        keeps_ceiling=True,
        step="note",
    )


async def _run(_arguments: Arguments, context: ToolContext) -> str:
    return context.texts("output.noted")
