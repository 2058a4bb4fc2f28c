"""Persona files as a person edits them; they are read on every turn, so an edit acts on the next one (MEMF-1, AGT-32)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from crewlab.engine.agents.agent import PERSONA_FILES
from crewlab.engine.change.agents import AgentDesk
from crewlab.engine.change.rebuild import Rebuilding
from crewlab.engine.errors import Conflict, Invalid, Unavailable
from crewlab.engine.home.textfiles import MAX_BYTES, TextFiles
from crewlab.engine.home.whole import write_whole


class PersonaDesk:
    """Reads and writes ``PERSONA.md`` and ``INSTRUCTIONS.md``."""

    def __init__(self, rebuilding: Rebuilding, agents: AgentDesk) -> None:
        self._rebuilding = rebuilding
        self._agents = agents
        self._texts = rebuilding.texts
        self._files = TextFiles()

    async def read(self, agent_id: str) -> dict[str, str]:
        """The text of each file, "" for one that is not there. Raises ``NotFound``, ``Conflict`` for a file that is no text."""
        agent = self._rebuilding.roster.get(agent_id)
        found: dict[str, str] = {}
        for name in PERSONA_FILES:
            file = await asyncio.to_thread(self._files.read, agent.directory / name)
            if file.trouble is not None or file.unread:
                raise Conflict(self._texts("change.persona_unreadable", file=agent.directory / name))
            found[name] = file.text
        return found

    async def write(self, agent_id: str, files: Mapping[str, str]) -> dict[str, str]:
        """Set the files that are named; an empty text removes one. Raises ``NotFound``, ``Invalid``, ``Conflict`` (``kit_agent``)."""
        agent = self._rebuilding.roster.get(agent_id)
        for name, text in files.items():
            if name not in PERSONA_FILES:
                raise Invalid(self._texts("change.persona_name", name=repr(name), known=", ".join(PERSONA_FILES)), field="files")
            if len(text.encode()) > MAX_BYTES:
                raise Invalid(self._texts("change.persona_long", name=name), field="files")
        self._agents.refuse_kit(agent)

        def put() -> None:
            for name, text in files.items():
                path = (agent.directory / name).resolve()
                if text:
                    write_whole(path, text.encode())
                else:
                    path.unlink(missing_ok=True)

        async with self._rebuilding.turn:
            try:
                await asyncio.to_thread(put)
            except OSError as error:
                raise Unavailable(self._texts("change.not_written", error=error.strerror)) from error
        return await self.read(agent_id)
