"""Settings of the crew that people change in the manager (PTL-152)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.records import Record

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


class PersonLines(Record):
    """Who works here, as agents are told; each one line of at most 120 characters, null: nothing is said (PTL-152)."""

    name: str | None = None
    department: str | None = None
    organisation: str | None = None


async def person(crew: Crew) -> PersonLines:
    """The three lines about the person."""
    return PersonLines(**crew.person.read().model_dump())


async def save_person(crew: Crew, body: PersonLines) -> PersonLines:
    """Replace the three lines; they hold from the next turn."""
    return PersonLines(**(await crew.person.save(body.model_dump())).model_dump())
