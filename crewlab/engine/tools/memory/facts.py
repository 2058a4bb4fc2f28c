"""``user_memory_save`` and ``user_memory_forget``: facts about the person, at once or as a proposal (MEM-7 to MEM-16)."""

from __future__ import annotations

import asyncio
from difflib import get_close_matches

from crewlab.engine.agents.facts import DESCRIPTION_CHARS, FACT_TYPES, NAME_CHARS, TEXT_CHARS, FactProblem, checked, file_of, is_slug
from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.proposals import Proposals
from crewlab.engine.errors import TooMany
from crewlab.engine.folding import fold
from crewlab.engine.memory_records import ProposalOperation
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.shown import clean_name

NEAR_NAMES = 5  # MEM-10


class _Facts:
    """Both tools: write where a person can object, propose where nobody can (MEM-11)."""

    def __init__(self, memory: Memory, proposals: Proposals, texts: Texts) -> None:
        self._memory = memory
        self._proposals = proposals
        self._texts = texts

    async def save(self, arguments: Arguments, context: ToolContext) -> str:
        name = arguments["name"]
        try:
            fact = checked(
                name, arguments["type"], arguments["text"], arguments.get("description") or "", self._memory.today(), self._texts
            )
        except FactProblem as problem:
            raise ToolError(str(problem)) from problem
        text = file_of(fact)
        if not self._proposals.present(context.source, context.conversation_id):
            before = await asyncio.to_thread(self._memory.facts.raw, name)
            return self._propose("save", name, (before, text), context)
        before = (await self._write(name, text))[1]
        return self._texts("memory.fact_saved" if before is None else "memory.fact_updated", name=name)

    async def forget(self, arguments: Arguments, context: ToolContext) -> str:
        name = arguments["name"]
        before = await asyncio.to_thread(self._memory.facts.raw, name) if is_slug(name) else None
        if before is None:
            raise ToolError(self._unknown(name))
        if not self._proposals.present(context.source, context.conversation_id):
            return self._propose("forget", name, (before, None), context)
        await self._write(name, None)
        return self._texts("memory.fact_forgotten", name=name)

    async def _write(self, name: str, text: str | None) -> tuple[bool, str | None]:
        try:
            return await asyncio.to_thread(self._memory.facts.write, name, text)
        except OSError as error:
            raise ToolError(self._texts("memory.not_written", target=name, why=error.strerror)) from error

    def _propose(self, operation: ProposalOperation, name: str, texts: tuple[str | None, str | None], context: ToolContext) -> str:
        reason = self._texts("memory.reason_unattended", agent=context.agent_id, source=clean_name(context.source))
        try:
            self._proposals.propose(context.agent_id, operation, name, texts, reason, context.conversation_id)
        except TooMany as error:
            raise ToolError(error.message) from error
        return self._texts("memory.proposed", name=name)

    def _unknown(self, name: str) -> str:
        """The error for a name that no fact has, with the names that are near (MEM-10)."""
        known = [fact.slug for fact in self._memory.facts.known().facts]
        near = get_close_matches(fold(name)[:NAME_CHARS], known, NEAR_NAMES, 0.4) or known[:NEAR_NAMES]
        said = self._texts("memory.near_names", names=", ".join(near)) if near else self._texts("memory.no_facts")
        return self._texts("memory.no_fact", name=clean_name(name)) + " " + said


def save_fact_tool(memory: Memory, proposals: Proposals, texts: Texts) -> Tool:
    """``user_memory_save``."""
    return Tool(
        name="user_memory_save",
        description=texts("memory.fact_description"),
        parameters={
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": texts("memory.fact_name", limit=NAME_CHARS)},
                "type": {"type": "string", "enum": list(FACT_TYPES), "description": texts("memory.fact_type")},
                "text": {"type": "string", "description": texts("memory.fact_text", limit=TEXT_CHARS)},
                "description": {"type": "string", "description": texts("memory.fact_line", limit=DESCRIPTION_CHARS)},
            },
            "required": ["name", "type", "text"],
            "additionalProperties": False,
        },
        run=_Facts(memory, proposals, texts).save,
        marking="own",
        tier="write",
        script="gated",
    )


def forget_tool(memory: Memory, proposals: Proposals, texts: Texts) -> Tool:
    """``user_memory_forget``."""
    return Tool(
        name="user_memory_forget",
        description=texts("memory.forget_description"),
        parameters={
            "type": "object",
            "properties": {"name": {"type": "string", "description": texts("memory.forget_name")}},
            "required": ["name"],
            "additionalProperties": False,
        },
        run=_Facts(memory, proposals, texts).forget,
        marking="own",
        tier="write",
        script="gated",
    )
