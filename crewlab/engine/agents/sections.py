"""The parts of the system prompt that come from files: skills, facts about the person, ``MEMORY.md`` (TURN-71 5, 7 and 8).

What agents wrote down may have come from anywhere, so it stands between fence lines, below a sentence that says what notes
can and cannot do (FI-7). Skills are texts the person installed: they are advice, and a line says that they grant nothing.
"""

from __future__ import annotations

from functools import lru_cache

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.capping import FACTS_CHARS, MEMORY_CHARS, SKILL_CHARS, capped
from crewlab.engine.agents.facts import IN_FULL, Known
from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.notes import MEMORY_FILE
from crewlab.engine.agents.skills import Skill, Skills
from crewlab.engine.home.textfiles import FileText
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.texts import Texts
from crewlab.engine.tools.fence import standing
from crewlab.engine.tools.registry import Registry

MAX_LISTED = 60  # skills named in one prompt
MAX_SWITCHED_ON = 10  # skills that a conversation carries in full
REMEMBERED = 64


class Sections:
    """The sections of a crew; each is the same text until a file behind it changes (TURN-70)."""

    def __init__(self, memory: Memory, skills: Skills) -> None:
        self._memory = memory
        self._skills = skills
        self._texts = memory.texts

    def skills(self, agent: Agent, registry: Registry, conversation: StoredConversation | None) -> str | None:
        """``always`` skills and those switched on in the conversation in full, one line for each other (KIT-23)."""
        held = self._skills.of(agent).skills
        if not held:
            return None
        chosen = conversation.skills[:MAX_SWITCHED_ON] if conversation else []
        full = tuple(skill for skill in held.values() if skill.always or skill.name in chosen)
        listed = tuple(skill for skill in held.values() if skill not in full) if registry.get("skill_read") else ()
        return _skills(full, listed[:MAX_LISTED], self._texts) if full or listed else None

    def facts(self, _agent: Agent, _registry: Registry, _conversation: StoredConversation | None) -> str | None:
        """The index of facts, and those of type profile, preference and feedback in full (MEMF-6)."""
        known = self._memory.facts.known()
        return _facts(known, self._texts) if known.facts or known.unreadable else None

    def memory(self, agent: Agent, _registry: Registry, _conversation: StoredConversation | None) -> str | None:
        """The agent's ``MEMORY.md``."""
        file = self._memory.notes(agent).memory()
        return _memory(file, self._texts) if file.trouble or file.text.strip() else None


@lru_cache(maxsize=REMEMBERED)
def _skills(full: tuple[Skill, ...], listed: tuple[Skill, ...], texts: Texts) -> str:
    parts = [skill_text(skill, texts) for skill in full]
    if listed:
        lines = [f"- {skill.name}: {skill.description}".rstrip(": ") for skill in listed]
        parts.append("\n".join([texts("skills.listed"), *lines]))
    return "\n\n".join(parts)


def skill_text(skill: Skill, texts: Texts, limit: int = SKILL_CHARS) -> str:
    """A skill in full, below a line that says what it is and where its files lie."""
    return texts("skills.full", name=skill.name, directory=skill.directory) + "\n" + capped(skill.text, limit, texts)


@lru_cache(maxsize=REMEMBERED)
def _facts(known: Known, texts: Texts) -> str:
    lines = [texts("memory.trouble", file=f"{slug}.md", why=texts("memory.not_read")) for slug in known.unreadable]
    body = [f"- {fact.slug} ({fact.type}): {fact.description}" for fact in known.facts]
    body += [f"\n## {fact.slug}\n{fact.text}" for fact in known.facts if fact.type in IN_FULL]
    shown = capped("\n".join(body), FACTS_CHARS, texts)
    return "\n".join([*lines, *([standing("NOTES", shown, texts, texts("memory.facts_section"))] if body else [])])


@lru_cache(maxsize=REMEMBERED)
def _memory(file: FileText, texts: Texts) -> str:
    if file.trouble is not None:
        return texts("memory.trouble", file=MEMORY_FILE, why=texts(f"memory.{file.trouble}"))
    return standing("NOTES", capped(file.text.strip(), MEMORY_CHARS, texts, file.unread), texts, texts("memory.memory_section"))
