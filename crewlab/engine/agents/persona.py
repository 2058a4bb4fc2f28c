"""Who an agent is: its persona files, as they are now (MEMF-1, MEMF-2, MEMF-16)."""

from __future__ import annotations

from crewlab.engine.agents.agent import PERSONA_FILES, Agent
from crewlab.engine.home.textfiles import TextFiles
from crewlab.engine.texts import Texts

_FILES = TextFiles()


def persona_of(agent: Agent, texts: Texts) -> str:
    """``PERSONA.md``, then ``INSTRUCTIONS.md``; a file that cannot be read says so in one line, an absent one is absent."""
    parts = []
    for name in PERSONA_FILES:
        file = _FILES.read(agent.directory / name)
        if file.trouble is not None:
            parts.append(texts("memory.trouble", file=name, why=texts(f"memory.{file.trouble}")))
        elif file.text.strip():
            parts.append(file.text.strip())
    return "\n\n".join(parts) or agent.kit_persona
