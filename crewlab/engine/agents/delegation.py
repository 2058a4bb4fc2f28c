"""One contract in four places: the tool, the crew list, "Assigned work", the skill ``delegation`` (DLG-15 to DLG-19). Pure.

Every place is written from the same sentences, so that none can say something else.
"""

from __future__ import annotations

from crewlab.engine.texts import Texts

SKILL = "delegation"
GIVING = ("intent", "files", "rights", "outcome", "consent", "titles", "field")  # DLG-16, in its order
TAKING = ("writer", "conventions", "no_rights", "blocked", "status")  # DLG-17, in its order


def giving(texts: Texts) -> list[str]:
    """What holds for the agent that gives work out, one sentence or two each."""
    return [f"{number}. {texts(f'delegate.give_{name}')}" for number, name in enumerate(GIVING, 1)]


def taking(texts: Texts) -> list[str]:
    """What holds for the agent that was given work."""
    return [f"{number}. {texts(f'delegate.take_{name}')}" for number, name in enumerate(TAKING, 1)]


def skill(texts: Texts) -> str:
    """The text of the always-on skill: both sides, and how to divide work by files when programming (DLG-18)."""
    return "\n".join(
        [
            texts("delegate.skill_title"),
            "",
            texts("delegate.skill_giving"),
            *giving(texts),
            "",
            texts("delegate.skill_taking"),
            *taking(texts),
            "",
            texts("delegate.skill_programming"),
        ]
    )
