"""What one running script keeps: its copy of a namespace, and the one moment at which its writes take effect (STO-14 to STO-21)."""

from __future__ import annotations

import logging
import sqlite3
from typing import Any

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.generations import Generations
from crewlab.engine.clock import Clock, iso
from crewlab.engine.errors import StoreWriteFailed
from crewlab.engine.script.keeping import MAX_KEY, MAX_NAMESPACE, MAX_NESTING, MAX_VALUE, compact, good_key, size
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

log = logging.getLogger(__name__)


class BookError(Exception):
    """An error the script can catch; its text is of the catalogue."""


class NotKept(Exception):
    """The script ran to its end and nothing of it was kept. ``code`` (SCR-64) is the key of the reason among the texts of scripts."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Book:
    """The book of one script, for one thread. Nothing is read before the first ``load`` or ``store`` (STO-19).

    ``namespace`` ``None``: there is nowhere to keep anything (STO-23).
    """

    def __init__(self, store: Store, agent: Agent, namespace: str | None, generations: Generations, texts: Texts, clock: Clock) -> None:
        self._store = store
        self._agent = agent
        self._namespace = namespace
        self._generations = generations
        self._texts = texts
        self._clock = clock
        self._copy: dict[str, str] | None = None
        self._used = 0
        self._foreign = False
        self._writes: dict[str, str | None] = {}

    def load(self, key: str) -> str | None:
        """The JSON text kept under ``key``, what this script stored included; ``None`` when it holds nothing. Raises ``BookError``."""
        text = self._opened(key).get(key)
        if text is not None and compact(text) is None:  # somebody changed the row by hand
            raise BookError(self._texts("script.book_unreadable", key=repr(key)))
        return text

    def store(self, key: str, text: str) -> None:
        """Take the JSON text for the end of the script. Raises ``BookError``; then the earlier value stays whole (STO-10)."""
        copy = self._opened(key)
        if len(text) > MAX_VALUE:
            raise BookError(self._texts("script.book_long", size=len(text), limit=MAX_VALUE))
        kept = compact(text)
        if kept is None or kept == "null":  # STO-6
            raise BookError(self._texts("script.book_value", depth=MAX_NESTING))
        before = len(key) + len(copy[key]) if key in copy else 0
        after = self._used - before + len(key) + len(kept)
        if after > MAX_NAMESPACE:
            raise BookError(self._texts("script.book_full", size=after, limit=MAX_NAMESPACE))
        copy[key] = self._writes[key] = kept
        self._used = after

    def forget(self, key: str) -> None:
        """Forget the key at the end of the script; never an error with a good key and a namespace (STO-6). Raises ``BookError``."""
        copy = self._opened(key)
        if key in copy:
            self._used -= len(key) + len(copy.pop(key))
        self._writes[key] = None

    def commit(self) -> None:
        """The script has run to its end: apply its writes, all in one transaction (STO-14). Raises ``NotKept``; then nothing is kept."""
        namespace = self._namespace
        if self._foreign:  # STO-41: it only read, and what it read was nobody's
            raise NotKept("agent_removed")
        if namespace is None or not self._writes:
            return
        try:
            with self._generations.lock, self._store.transaction():
                self._apply(namespace)
        except (StoreWriteFailed, sqlite3.Error) as error:
            log.warning("what a script of %s wanted to keep could not be written: %s", self._agent.id, error)
            raise NotKept("store_failed") from error
        self._writes.clear()

    def _apply(self, namespace: str) -> None:
        table, agent_id = self._store.script_store, self._agent.id
        if self._is_removed():
            raise NotKept("agent_removed")
        if not table.can_stand(namespace):
            raise NotKept("conversation_gone")
        there = table.namespace(agent_id, namespace)
        after = {key: text for key, text in {**there, **self._writes}.items() if text is not None}
        if size(after) > max(MAX_NAMESPACE, size(there)):  # what only makes room is always taken (STO-6)
            raise NotKept("store_overflow", size=size(after), limit=MAX_NAMESPACE)
        table.apply(agent_id, namespace, self._writes, iso(self._clock.now()))

    def _is_removed(self) -> bool:
        return self._generations.of(self._agent.id) != self._agent.generation

    def _opened(self, key: str) -> dict[str, str]:
        """The copy of the namespace, taken at the first use; that of a removed agent is empty (STO-41)."""
        if self._namespace is None:
            raise BookError(self._texts("script.book_nowhere"))
        if not good_key(key):
            raise BookError(self._texts("script.book_key", limit=MAX_KEY))
        if self._copy is None:
            try:
                with self._generations.lock:
                    self._foreign = self._is_removed()
                    self._copy = {} if self._foreign else self._store.script_store.namespace(self._agent.id, self._namespace)
            except sqlite3.Error as error:
                log.warning("what scripts of %s keep could not be read: %s", self._agent.id, error)
                raise BookError(self._texts("script.book_unread")) from error
            self._used = size(self._copy)
        return self._copy


def book_of(store: Store, agent: Agent, namespace: str | None, generations: Generations, texts: Texts, clock: Clock) -> Book:
    """The book of a script that ``agent``, as the turn or the job holds it, runs now; ``generations`` are those of the roster."""
    return Book(store, agent, namespace, generations, texts, clock)
