"""What the scripts of an agent keep, as a person sees it and deletes it (STO-29 to STO-38)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Literal, Protocol

from crewlab.engine.agents.roster import Roster
from crewlab.engine.errors import NotFound
from crewlab.engine.records import Record
from crewlab.engine.script.keeping import MAX_NAMESPACE
from crewlab.engine.store.script_store import CONVERSATION, JOB, ScriptStore, StoredValue
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

PREVIEW_CHARS = 200  # STO-31
ELLIPSIS = "…"

Kind = Literal["job", "conv", "other"]


class Named(Protocol):
    """A job, as far as it is needed here."""

    @property
    def name(self) -> str:
        """What the person called it."""


class ScriptEntry(Record):
    """One key. ``chars`` is the length of its JSON value in code points."""

    key: str
    preview: str
    chars: int
    updated_at: str


class ScriptNamespace(Record):
    """What is kept in one place. ``chars`` counts keys and values; ``orphan``: no script will read it again."""

    namespace: str
    kind: Kind
    ref: str
    title: str | None
    orphan: bool
    chars: int
    entries: list[ScriptEntry]


class ScriptShelves(Record):
    """Everything the scripts of one agent keep."""

    limit_chars: int
    namespaces: list[ScriptNamespace]


class ScriptValue(Record):
    """One value, exactly as it is kept."""

    namespace: str
    key: str
    text: str
    chars: int
    updated_at: str


class ScriptShelf:
    """Reads and deletes. ``jobs`` gives the jobs that there are, by ``<agent>/<schedule>``."""

    def __init__(self, store: Store, roster: Roster, jobs: Callable[[], Mapping[str, Named]], texts: Texts) -> None:
        self._store = store
        self._roster = roster
        self._jobs = jobs
        self._texts = texts

    async def shelves(self, agent_id: str) -> ScriptShelves:
        """All namespaces by name, their keys by name. Raises ``NotFound``."""
        self._known(agent_id)
        found = await self._store.readers.run(lambda view: _measured(ScriptStore(view), agent_id))
        jobs = self._jobs()
        namespaces = [self._namespace(agent_id, name, entries, jobs) for name, entries in found.items()]
        return ScriptShelves(limit_chars=MAX_NAMESPACE, namespaces=namespaces)

    def value(self, agent_id: str, namespace: str, key: str) -> ScriptValue:
        """One whole value. Raises ``NotFound`` (``agent_not_found``, ``value_not_found``)."""
        self._known(agent_id)
        row = self._store.script_store.value(agent_id, namespace, key)
        if row is None:
            raise NotFound(self._texts("script.no_value", key=repr(key), namespace=repr(namespace)), code="value_not_found")
        return ScriptValue(namespace=namespace, key=key, text=row.text, chars=len(row.text), updated_at=row.updated_at)

    def forget(self, agent_id: str, namespace: str, key: str | None) -> int:
        """Forget one key, or with ``None`` all of the namespace; how many values are lost. Raises ``NotFound``."""
        self._known(agent_id)
        return self._store.script_store.forget(agent_id, namespace, key)

    def _known(self, agent_id: str) -> None:
        try:
            self._roster.get(agent_id)
        except NotFound as error:
            raise NotFound(error.message, code="agent_not_found") from error

    def _namespace(self, agent_id: str, name: str, entries: list[ScriptEntry], jobs: Mapping[str, Named]) -> ScriptNamespace:
        kind, ref = _kind(name)
        title, gone = self._owner(agent_id, kind, ref, jobs)
        chars = sum(len(entry.key) + entry.chars for entry in entries)
        return ScriptNamespace(namespace=name, kind=kind, ref=ref, title=title, orphan=gone, chars=chars, entries=entries)

    def _owner(self, agent_id: str, kind: Kind, ref: str, jobs: Mapping[str, Named]) -> tuple[str | None, bool]:
        """The title of what it was kept for, and whether that is gone (STO-33, STO-34)."""
        if kind == "other":
            return None, False
        if kind == "job":
            job = jobs.get(f"{agent_id}/{ref}")
            title = job.name if job else None
            gone = job is None
        else:
            conversation = self._store.conversations.get(ref)
            title = conversation.title if conversation else None
            gone = conversation is None
        return (title if title and title.strip() else None), gone


def _kind(name: str) -> tuple[Kind, str]:
    if name.startswith(JOB):
        return "job", name.removeprefix(JOB)
    if name.startswith(CONVERSATION):
        return "conv", name.removeprefix(CONVERSATION)
    return "other", name


def _entry(row: StoredValue) -> ScriptEntry:
    cut = ELLIPSIS if len(row.text) > PREVIEW_CHARS else ""
    return ScriptEntry(key=row.key, preview=row.text[:PREVIEW_CHARS] + cut, chars=len(row.text), updated_at=row.updated_at)


def _measured(table: ScriptStore, agent_id: str) -> dict[str, list[ScriptEntry]]:
    """The entries by namespace; run in a worker thread, one value in memory at a time."""
    return {name: [_entry(row) for row in rows] for name, rows in groupby(table.all(agent_id), key=lambda row: row.namespace)}
