"""The store as one object: every family of tables over one database."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from crewlab.engine.store.approvals import Approvals
from crewlab.engine.store.conversations import Conversations
from crewlab.engine.store.db import Database
from crewlab.engine.store.messages import Messages
from crewlab.engine.store.queue import Queue
from crewlab.engine.store.runs import Runs
from crewlab.engine.store.schema import apply_schema
from crewlab.engine.store.side_calls import SideCalls
from crewlab.engine.texts import Texts


class Store:
    """Opens ``crew.db``, brings its schema up to date and gives access to the families.

    Raises ``StartupStop`` for a file of a newer crewlab, ``sqlite3.Error`` for one that is no database.
    """

    def __init__(self, path: Path, texts: Texts) -> None:
        self.db = Database(path)
        try:
            apply_schema(self.db.connection, path, texts)
        except BaseException:
            self.db.close()
            raise
        self.conversations = Conversations(self.db)
        self.messages = Messages(self.db)
        self.queue = Queue(self.db)
        self.approvals = Approvals(self.db)
        self.runs = Runs(self.db)
        self.side_calls = SideCalls(self.db)
        self.conversations.on_delete = self.messages.forget

    def transaction(self) -> AbstractContextManager[None]:
        """One commit for everything inside the ``with`` block."""
        return self.db.transaction()

    def close(self) -> None:
        """Close the file."""
        self.db.close()
