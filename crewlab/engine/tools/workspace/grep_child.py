"""The child process in which patterns are matched: standard library only, because a pattern can take for ever (WS-26).

Run by file path in an isolated interpreter. Its first line of input is one JSON object ``{"patterns", "literal", "ignore_case",
"context", "text_chars", "parent", "seconds", "memory"}``. It answers one JSON line, ``{"ok": true}`` or ``{"error", "position"}``,
and then one for each file it is sent: ``F <most>`` and a line feed, pieces of ``<length>`` line feed and bytes, ``0`` line feed. The
answer has ``hits`` ([pattern, line] pairs, at most ``most`` and one more), and ``lines``, the texts of their lines and those around.
"""

from __future__ import annotations

import codecs
import ctypes
import json
import os
import re
import resource
import signal
import sys
from collections import deque
from collections.abc import Iterator
from typing import Any, BinaryIO

PR_SET_PDEATHSIG = 1
MAX_LINE_CHARS = 4 << 20


def bounded(order: dict[str, Any]) -> None:
    """End with the parent, and no more memory and time than allowed."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (order["memory"], order["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (order["seconds"], order["seconds"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if os.getppid() != order["parent"]:
        os._exit(0)


def pieces(source: BinaryIO) -> Iterator[bytes]:
    """The pieces of one file."""
    while True:
        length = int(source.readline() or b"0")
        if length == 0:
            return
        yield source.read(length)


def lines_of(source: Iterator[bytes]) -> Iterator[str]:
    """The lines of a text; raises ``ValueError`` for what is none."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    held = ""
    for data in source:
        if b"\0" in data:
            raise ValueError("binary")
        held += decoder.decode(data)
        *whole, held = held.split("\n")
        yield from whole
        held = held[:MAX_LINE_CHARS]
    held += decoder.decode(b"", final=True)
    if held:
        yield held


class Search:
    """One search over many files."""

    def __init__(self, order: dict[str, Any]) -> None:
        flags = re.IGNORECASE if order["ignore_case"] else 0
        self._patterns = [re.compile(re.escape(each) if order["literal"] else each, flags) for each in order["patterns"]]
        self._around: int = order["context"]
        self._chars: int = order["text_chars"]

    def file(self, lines: Iterator[str], most: int) -> dict[str, Any]:
        """What one file has."""
        hits: list[tuple[int, int]] = []
        kept: dict[int, str] = {}
        before: deque[tuple[int, str]] = deque(maxlen=self._around)
        until = 0
        for number, line in enumerate(lines, 1):
            found = [] if len(hits) > most else [place for place, each in enumerate(self._patterns) if each.search(line)]
            if found:
                hits += [(place, number) for place in found]
                kept.update(before)
                until = number + self._around
            shown = line.rstrip("\r")
            cut = shown if len(shown) <= self._chars else shown[: self._chars] + "…"
            if found or number <= until:
                kept[number] = cut
            before.append((number, cut))
        return {"hits": hits[: most + 1], "lines": kept}


def main() -> None:
    """Answer files until the input ends."""
    source = sys.stdin.buffer
    order = json.loads(source.readline())
    bounded(order)
    try:
        search = Search(order)
    except (re.error, RecursionError, OverflowError) as error:
        say({"error": str(getattr(error, "msg", error)), "position": getattr(error, "pos", None)})
        return
    say({"ok": True})
    while head := source.readline():
        rest = pieces(source)
        try:
            answer = search.file(lines_of(rest), int(head.split()[1]))
        except ValueError:
            answer = {"hits": [], "lines": {}}
            for _ in rest:
                pass
        say(answer)


def say(answer: dict[str, Any]) -> None:
    """One line of output."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
