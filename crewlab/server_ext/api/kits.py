"""What kits bring to the composer (KIT-12, UI-51)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.records import Record

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


class KitCommand(Record):
    """A slash command; ``hint`` says what may stand behind it."""

    name: str
    description: str
    hint: str


class CommandList(Record):
    """The commands of an agent by name."""

    commands: list[KitCommand]


async def commands(crew: Crew, id: str) -> CommandList:
    """The commands that the agent's kits define, as their files are now."""
    found = crew.kits.commands(crew.roster.get(id))
    return CommandList(commands=[KitCommand(name=one.name, description=one.description, hint=one.hint) for _, one in sorted(found.items())])
