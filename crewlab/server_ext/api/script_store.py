"""The script store: what the scripts of an agent keep. Read and deleted here, never written (STO-29, STO-36)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from crewlab.engine.records import Record
from crewlab.engine.script.shelf import ScriptShelves, ScriptValue
from crewlab.server_ext.routing import Route

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew

NO_AGENT = ("404 agent_not_found",)
WRONG = ("422 invalid",)


class ValueQuery(Record):
    """One key of one namespace, exactly as they are written."""

    namespace: str = Field(min_length=1)
    key: str = Field(min_length=1)


class ForgetQuery(Record):
    """What to forget; without ``key`` everything the namespace holds. An empty ``key`` is none (STO-37)."""

    namespace: str = Field(min_length=1)
    key: str | None = Field(None, min_length=1)


class ScriptValuesDeleted(Record):
    """How many values were lost."""

    deleted: int


async def shelves(crew: Crew, id: str) -> ScriptShelves:
    """All namespaces of the agent."""
    return await crew.script_store.shelves(id)


async def value(crew: Crew, id: str, query: ValueQuery) -> ScriptValue:
    """One whole value."""
    return crew.script_store.value(id, query.namespace, query.key)


async def forget(crew: Crew, id: str, query: ForgetQuery) -> ScriptValuesDeleted:
    """Forget a key or a namespace; what is not there is no error."""
    return ScriptValuesDeleted(deleted=crew.script_store.forget(id, query.namespace, query.key))


SCRIPT_STORE_ROUTES: tuple[Route, ...] = (
    Route("GET", "agents/{id}/script-store", shelves, ScriptShelves, errors=NO_AGENT, ids=("STO-29", "STO-30")),
    Route(
        "GET",
        "agents/{id}/script-store/value",
        value,
        ScriptValue,
        query=ValueQuery,
        errors=(*NO_AGENT, "404 value_not_found", *WRONG),
        ids=("STO-29", "STO-35"),
    ),
    Route(
        "DELETE",
        "agents/{id}/script-store",
        forget,
        ScriptValuesDeleted,
        query=ForgetQuery,
        errors=(*NO_AGENT, *WRONG),
        ids=("STO-29", "STO-36", "STO-37"),
    ),
)
