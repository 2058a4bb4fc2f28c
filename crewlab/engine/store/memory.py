"""What the store remembers of its tables, so that a turn does not read the same rows again and again.

One process serves a home (DB-10) and every write goes through the families, which keep what is
remembered in step. A transaction that is taken back drops all of it. Every memory is bounded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Generic, TypeVar

from crewlab.engine.records import Message
from crewlab.engine.store.db import Database

HISTORY_CHARS = 4_000_000  # of all remembered histories together; a longer one is read from the file each time
MESSAGE_COST = 1_000  # what a message counts beside its text
ROWS = 256

Kept = TypeVar("Kept")


class Rows(Generic[Kept]):
    """The rows used last, by id."""

    def __init__(self, db: Database, limit: int = ROWS) -> None:
        self._rows: OrderedDict[str, Kept] = OrderedDict()
        self._limit = limit
        db.on_rollback.append(self.clear)

    def get(self, row_id: str) -> Kept | None:
        """The remembered row, if any."""
        row = self._rows.get(row_id)
        if row is not None:
            self._rows.move_to_end(row_id)
        return row

    def put(self, row_id: str, row: Kept) -> None:
        """Remember a row as it is now."""
        self._rows[row_id] = row
        self._rows.move_to_end(row_id)
        if len(self._rows) > self._limit:
            self._rows.popitem(last=False)

    def drop(self, row_id: str) -> None:
        """Forget a row."""
        self._rows.pop(row_id, None)

    def clear(self) -> None:
        """Forget all rows."""
        self._rows.clear()


class Histories:
    """The messages of the conversations used last; they are only appended to (DB-8)."""

    def __init__(self, db: Database, limit: int = HISTORY_CHARS) -> None:
        self._kept: OrderedDict[str, list[Message]] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._total = 0
        self._limit = limit
        db.on_rollback.append(self.clear)

    @property
    def size(self) -> int:
        """What all remembered messages count together."""
        return self._total

    def get(self, conversation_id: str) -> list[Message] | None:
        """The remembered messages, as a list of the caller's own."""
        messages = self._kept.get(conversation_id)
        if messages is None:
            return None
        self._kept.move_to_end(conversation_id)
        return messages.copy()

    def last(self, conversation_id: str) -> Message | None:
        """The newest message of a remembered conversation."""
        messages = self._kept.get(conversation_id)
        return messages[-1] if messages else None

    def put(self, conversation_id: str, messages: Iterable[Message]) -> None:
        """Remember a whole conversation."""
        self.drop(conversation_id)
        self._kept[conversation_id] = list(messages)
        self._grow(conversation_id, sum(map(_cost, self._kept[conversation_id])))

    def append(self, conversation_id: str, message: Message) -> None:
        """A message was stored; a conversation that is not remembered stays so, unless this is its first message."""
        if message.seq == 1:
            self.put(conversation_id, ())
        messages = self._kept.get(conversation_id)
        if messages is None:
            return
        messages.append(message)
        self._kept.move_to_end(conversation_id)
        self._grow(conversation_id, _cost(message))

    def drop(self, conversation_id: str) -> None:
        """Forget a conversation."""
        if self._kept.pop(conversation_id, None) is not None:
            self._total -= self._sizes.pop(conversation_id)

    def clear(self) -> None:
        """Forget all conversations."""
        self._kept.clear()
        self._sizes.clear()
        self._total = 0

    def _grow(self, conversation_id: str, cost: int) -> None:
        self._sizes[conversation_id] = self._sizes.get(conversation_id, 0) + cost
        self._total += cost
        while self._total > self._limit:
            self.drop(next(iter(self._kept)))


class Maybe:
    """The conversations that may have rows in a table; one that is not among them surely has none.

    Writers add; a reader that finds nothing takes the conversation out, unless a transaction is open,
    whose deletions may yet be taken back.
    """

    def __init__(self, db: Database, sql: str) -> None:
        self._db = db
        self._ids = {str(row[0]) for row in db.rows(sql)}

    def add(self, conversation_id: str) -> None:
        """Rows of the conversation are being added."""
        self._ids.add(conversation_id)

    def none(self, conversation_id: str) -> bool:
        """Whether the table surely has no row of the conversation."""
        return conversation_id not in self._ids

    def found_none(self, conversation_id: str) -> None:
        """The table was read and had no row of the conversation."""
        if not self._db.in_transaction:
            self._ids.discard(conversation_id)


def _cost(message: Message) -> int:
    calls = sum(len(str(call.arguments)) for call in message.tool_calls)
    return len(message.content) + calls + MESSAGE_COST
