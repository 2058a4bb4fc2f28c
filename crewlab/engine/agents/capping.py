"""How much of each part of the system prompt a model reads (TURN-74)."""

from __future__ import annotations

from crewlab.engine.texts import Texts

PERSONA_CHARS = 12_000  # TURN-74
SKILL_CHARS = 8_000  # TURN-74: each skill that stands in full
FACTS_CHARS = 6_000  # TURN-74
MEMORY_CHARS = 8_000  # TURN-74
OPENING_CHARS = 4_000  # TURN-74


def capped(text: str, limit: int, texts: Texts, unread: int = 0) -> str:
    """A section keeps its beginning, and a line says how much was left out (TURN-74). ``unread``: what was not even read."""
    if len(text) <= limit and not unread:
        return text
    return text[:limit] + "\n" + texts("prompt.left_out", chars=max(0, len(text) - limit) + unread)
