"""The tool ``schedule_create``: the card a person reads, and what is stored after a yes (GATE-102 to GATE-108, GATE-114)."""

from __future__ import annotations

import secrets

from crewlab.engine.activity_events import JobsFrame
from crewlab.engine.agents.roster import Agent
from crewlab.engine.clock import iso
from crewlab.engine.home.schedules import CHAT_PREFIX
from crewlab.engine.home.timing_words import local_time, words
from crewlab.engine.store.jobs import CreatedSchedule
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.schedules.proposal import PER_AGENT, Proposal, next_runs, read

ID_BYTES = 6


def schedule_tool(parts: FamilyParts, agent: Agent) -> Tool:
    """The tool; nothing of it runs unasked, whatever the conversation or a file says (GATE-102)."""
    texts = parts.texts

    def checked(arguments: Arguments) -> Proposal:
        if parts.store.jobs.count(agent.id) >= PER_AGENT:
            raise ToolError(texts("jobs.create_full", limit=PER_AGENT))
        return read(arguments, parts.skill_names(agent), parts.clock.now(), parts.zone, texts)

    def reason(arguments: Arguments, _context: ToolContext) -> str:
        """The card; a proposal that breaks a rule gets an honest one (GATE-107)."""
        try:
            return _card(parts, checked(arguments))
        except ToolError as error:
            return error.message

    async def run(arguments: Arguments, context: ToolContext) -> str:
        proposal = checked(arguments)  # another may have been approved in between (GATE-106)
        now = parts.clock.now()
        row = CreatedSchedule(
            f"{CHAT_PREFIX}{secrets.token_hex(ID_BYTES)}",
            agent.id,
            proposal.name,
            proposal.prompt,
            proposal.cron,
            proposal.every,
            proposal.skills,
            context.conversation_id,
            iso(now),
        )
        parts.store.jobs.create(row)
        parts.announce(JobsFrame())
        following = local_time(next_runs(proposal, now, parts.zone)[0], parts.zone)
        return texts("jobs.created", id=row.id, words=words(proposal.cron, proposal.every, texts), next=following)

    return Tool(
        name="schedule_create",
        description=texts("jobs.schedule_create.description"),
        parameters={
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": texts("jobs.schedule_create.name")},
                "prompt": {"type": "string", "description": texts("jobs.schedule_create.prompt")},
                "cron": {"type": "string", "description": texts("jobs.schedule_create.cron")},
                "every": {"type": "string", "description": texts("jobs.schedule_create.every")},
                "skills": {"type": ["array", "string"], "items": {"type": "string"}, "description": texts("jobs.schedule_create.skills")},
            },
            "required": ["name", "prompt"],
            "additionalProperties": False,
        },
        run=run,
        tier="exec",
        requires_approval=True,
        ask_reason=reason,
        settled_by_arguments=True,
        one_of=(("cron",), ("every",)),
        marking="own",
    )


def _card(parts: FamilyParts, proposal: Proposal) -> str:
    texts = parts.texts
    runs = next_runs(proposal, parts.clock.now(), parts.zone)
    return texts(
        "jobs.card",
        words=words(proposal.cron, proposal.every, texts),
        prompt=proposal.prompt,
        about=texts("jobs.card_about") if proposal.every is not None else "",
        runs="; ".join(local_time(moment, parts.zone) for moment in runs),
        skills=texts("jobs.card_skills", names=", ".join(proposal.skills)) if proposal.skills else "",
    )


