"""``conversation_search``: what was said in other conversations (MEM-22 to MEM-27, PTL-99). Stands on the contract."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from crewlab.engine.agents.roster import Agent, Roster
from crewlab.engine.errors import NotFound
from crewlab.engine.folding import keywords
from crewlab.engine.store.search import Scope
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.fence import fenced
from crewlab.engine.tools.remembered import SaidHit, SaidSearch

__all__ = ["family"]

MAX_RESULTS = 20  # MEM-22
PER_CONVERSATION = 3  # MEM-22
WHOLE_CREW = "*"  # MEM-23
QUERY_CHARS = 400
_UNMARKED = str.maketrans("", "", "\u0002\u0003")


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """The tool of an agent whose ``history_tool`` is not off."""
    if agent.switches.history_tool == "off":
        return []
    return [_tool(parts.remembered.said, parts.roster, agent, parts.zone, parts.texts)]


def _tool(said: SaidSearch, roster: Roster, agent: Agent, zone: tzinfo, texts: Texts) -> Tool:
    async def run(arguments: Arguments, context: ToolContext) -> str:
        query = arguments["query"][:QUERY_CHARS]
        if not keywords(query):
            raise ToolError(texts("said.no_words"))
        person = agent.switches.history_tool == "user" or arguments.get("written_by") == "user"  # PTL-99
        scope = Scope(_whose(arguments.get("agent"), agent, roster, texts), context.conversation_id, person, PER_CONVERSATION)
        hits = await said.messages(query, MAX_RESULTS, scope)
        if not hits:
            return texts("said.no_match")
        return fenced("NOTES", _lines(hits, agent, zone, texts), context.output_chars, texts, head=texts("said.found", count=len(hits)))

    return Tool(
        name="conversation_search",
        description=texts("said.description"),
        parameters={
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": texts("said.query")},
                "agent": {"type": "string", "description": texts("said.agent")},
                "written_by": {"type": "string", "enum": ["user", "all"], "description": texts("said.written_by")},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
        run=run,
        marking="fenced",
        tier="read",
        replay_safe=True,
        script="any",
    )


def _whose(named: str | None, agent: Agent, roster: Roster, texts: Texts) -> str | None:
    """Whose conversations are searched; ``None``: everybody's. Only the master may look at others (MEM-23)."""
    if named is None or named == agent.id:
        return agent.id
    if not agent.master:
        raise ToolError(texts("said.not_yours"))
    if named == WHOLE_CREW:
        return None
    try:
        return roster.get(named).id
    except NotFound as error:
        raise ToolError(error.message) from error


def _lines(hits: Sequence[SaidHit], agent: Agent, zone: tzinfo, texts: Texts) -> str:
    """One line per hit: date, title, the agent when it is another one, who spoke, the words around the match (MEM-27)."""
    lines = []
    for hit in hits:
        whose = "" if hit.agent_id == agent.id else f" ({hit.agent_name})"
        who = texts(f"said.by_{hit.role}")
        day = datetime.fromisoformat(hit.created_at).astimezone(zone).date().isoformat()
        lines.append(f"{day} {_one_line(hit.title)!r}{whose} {who}: {_one_line(hit.snippet)}")
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return " ".join(text.translate(_UNMARKED).split())
