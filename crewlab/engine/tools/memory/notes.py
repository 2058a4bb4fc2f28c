"""``memory_save``: one line in today's note (MEM-2, MEM-3)."""

from __future__ import annotations

import asyncio

from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.notes import NOTE_CHARS, note_text
from crewlab.engine.agents.roster import Agent
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.shown import grouped


def save_tool(memory: Memory, agent: Agent, texts: Texts) -> Tool:
    """The tool; in every kind of turn, without approval (MEM-2)."""

    async def run(arguments: Arguments, _context: ToolContext) -> str:
        text = note_text(arguments["text"])
        if not text:
            raise ToolError(texts("memory.empty_note"))
        if len(text) > NOTE_CHARS:
            raise ToolError(texts("memory.long_note", chars=grouped(len(text), texts), limit=grouped(NOTE_CHARS, texts)))
        now = memory.now()
        try:
            await asyncio.to_thread(memory.notes(agent).add, now, text)
        except OSError as error:
            raise ToolError(texts("memory.not_written", target=now.date().isoformat(), why=error.strerror)) from error
        return texts("memory.noted", date=now.date().isoformat(), time=f"{now:%H:%M}")

    return Tool(
        name="memory_save",
        description=texts("memory.save_description"),
        parameters={
            "type": "object",
            "properties": {"text": {"type": "string", "description": texts("memory.save_text")}},
            "required": ["text"],
            "additionalProperties": False,
        },
        run=run,
        marking="own",
        tier="write",
        script="gated",
    )
