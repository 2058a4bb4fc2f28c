"""The store as one object: every family of tables over one database."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

from crewlab.engine.errors import StartupStop
from crewlab.engine.store.approvals import Approvals
from crewlab.engine.store.attachments import Attachments
from crewlab.engine.store.canvas_marks import CanvasMarks
from crewlab.engine.store.canvases import Canvases
from crewlab.engine.store.channels import Channel
from crewlab.engine.store.children import Children
from crewlab.engine.store.compactions import Compactions
from crewlab.engine.store.conversations import Conversations
from crewlab.engine.store.db import Database
from crewlab.engine.store.jobs import Jobs
from crewlab.engine.store.ledger import Ledger
from crewlab.engine.store.messages import Messages
from crewlab.engine.store.proposals import Proposals
from crewlab.engine.store.queue import Queue
from crewlab.engine.store.readers import Readers
from crewlab.engine.store.runs import Runs
from crewlab.engine.store.schema import apply_schema, look
from crewlab.engine.store.script_store import ScriptStore
from crewlab.engine.store.side_calls import SideCalls
from crewlab.engine.texts import Texts


class Store:
    """Opens ``crew.db``, brings its schema up to date and gives access to the families.

    Raises ``StartupStop`` for a file of a newer crewlab and for one that SQLite cannot use.
    """

    def __init__(self, path: Path, texts: Texts) -> None:
        problem = look(path, texts)
        if problem is not None:
            raise StartupStop(problem)
        try:
            self.db = _opened(path, texts)
        except sqlite3.Error as error:
            raise StartupStop(texts("store.broken", file=str(path), error=error)) from error
        self.readers = Readers(path)
        self.conversations = Conversations(self.db)
        self.messages = Messages(self.db)
        self.queue = Queue(self.db)
        self.attachments = Attachments(self.db)
        self.approvals = Approvals(self.db)
        self.runs = Runs(self.db)
        self.children = Children(self.db)
        self.side_calls = SideCalls(self.db)
        self.compactions = Compactions(self.db)
        self.ledger = Ledger(self.db)
        self.jobs = Jobs(self.db)
        self.proposals = Proposals(self.db)
        self.canvases = Canvases(self.db)
        self.canvas_marks = CanvasMarks(self.db)
        self.script_store = ScriptStore(self.db)
        self.conversations.on_delete = self.messages.forget

    def channel(self, name: str) -> Channel:
        """What the channel of this name remembers."""
        return Channel(self.db, name)

    def transaction(self) -> AbstractContextManager[None]:
        """One commit for everything inside the ``with`` block."""
        return self.db.transaction()

    def close(self) -> None:
        """Close the file."""
        self.readers.close()
        self.db.close()


def _opened(path: Path, texts: Texts) -> Database:
    database = Database(path)
    try:
        apply_schema(database.connection, path, texts)
    except BaseException:
        database.close()
        raise
    return database
