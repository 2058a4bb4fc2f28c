"""The scripted model and tool that every peer is given, and what a peer must be able to do.

The turn is the same for all: a user message; the model streams one call of ``lookup(q)``; the tool returns 200
characters; the model streams an answer of 400 characters in 20 pieces. Nothing leaves the process. ``beat`` runs
before every piece: one turn of the event loop, as a real stream has.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Iterator

DELAY = float(os.environ.get("BENCH_DELAY_MS", "0")) / 1000
CRASH = os.environ.get("BENCH_CRASH", "")
PIECE = 20
ANSWER_CHARS = 400
RESULT_CHARS = 200
INSTRUCTIONS = "You answer questions about the table. Use the lookup tool first."
TOOL_DOC = "Look up a row of the table."
PARAMETERS = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": False}
_FILL = "the row holds a name, a price, a stock count and a date; " * 8

seen: set[int] | None = None
"""While it is a set: the numbers of the earlier answers that the model was handed (the check of the long conversation)."""


def question(conversation: str, n: int) -> str:
    return f"usr~{conversation}~{n} what does the table say about this row?"


def token(text: str) -> str:
    """The part of a question that makes it unique: ``<conversation>~<n>``; an engine may say something before it."""
    return text[text.index("usr~") :].split(" ", 1)[0][4:]


def call_id(text: str) -> str:
    return "call_" + token(text)


def tool_args(text: str) -> str:
    return json.dumps({"q": "arg~" + token(text)})


def tool_result(q: str) -> str:
    crash("tool")
    return ("res~" + q[4:] + " " + _FILL)[:RESULT_CHARS]


def answer(text: str) -> str:
    return ("ans~" + token(text) + " " + _FILL)[:ANSWER_CHARS]


def pieces(text: str) -> Iterator[str]:
    full = answer(text)
    for start in range(0, ANSWER_CHARS, PIECE):
        if start == ANSWER_CHARS // 2:
            crash("middle")
        yield full[start : start + PIECE]


async def beat() -> None:
    await asyncio.sleep(DELAY)


def watch(messages: object) -> None:
    """Note which earlier answers of the long conversation the model gets to see."""
    if seen is not None:
        import re

        seen.update(int(n) for n in re.findall(r"ans~h~(\d+)", repr(messages)))


def crash(point: str) -> None:
    """End the process without any clean-up at the named point, as `kill -9` would."""
    if point == CRASH:
        os._exit(9)


class Peer:
    """One engine. ``deltas`` counts the pieces of text that reached whoever reads the turn, ``tool_calls`` the tool's runs."""

    name = ""
    label = ""
    dists: tuple[str, ...] = ()
    imports = "pass"
    ours = False  # whether crewlab's own environment runs it

    def __init__(self) -> None:
        self.deltas = 0
        self.tool_calls = 0

    async def setup(self, folder: str) -> None:
        """Build the engine; what lasts goes into ``folder``."""

    async def run_turn(self, conversation: str, text: str) -> str:
        """One turn of a new or known conversation, with its whole history; the answer."""
        raise NotImplementedError

    async def close(self) -> None:
        """Go down."""


class MessageLog:
    """What an application writes when its framework brings no SQLite store."""

    def __init__(self, path: str) -> None:
        self.con = sqlite3.connect(path)
        self.con.execute("PRAGMA journal_mode=WAL")
        self.con.execute("CREATE TABLE IF NOT EXISTS msg(conv TEXT, seq INTEGER, body BLOB, PRIMARY KEY(conv, seq))")
        self.con.commit()

    def load(self, conversation: str) -> list[bytes]:
        return [body for (body,) in self.con.execute("SELECT body FROM msg WHERE conv=? ORDER BY seq", (conversation,))]

    def append(self, conversation: str, seq: int, bodies: list[bytes]) -> None:
        with self.con:
            self.con.executemany("INSERT INTO msg VALUES(?,?,?)", [(conversation, seq + i, body) for i, body in enumerate(bodies)])
