"""One search over the files of a workspace: ``rg`` finds the files where it is installed, one matcher finds the lines (WS-26, WS-28).

The matcher is a child process (``grep_child``), so that a pattern that takes for ever can be ended; it is sent the contents of files
that were opened safely here, and so ``rg`` only spares it files: both ways give the same results.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.shown import shown_path
from crewlab.engine.tools.workspace.globs import Globs
from crewlab.engine.tools.workspace.opening import regular_file
from crewlab.engine.tools.workspace.paths import Place
from crewlab.engine.tools.workspace.reserved import Parts
from crewlab.engine.tools.workspace.walking import SKIPPED, files

MAX_RESULTS = 200  # WS-26
SECONDS = 30.0  # WS-26
TEXT_CHARS = 300  # WS-28
CHUNK_BYTES = 1 << 18
CHILD_MEMORY_BYTES = 1 << 30
CHILD = Path(__file__).with_name("grep_child.py")


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: regular expressions, or literal strings."""

    patterns: tuple[str, ...]
    literal: bool
    ignore_case: bool
    context: int
    globs: Globs | None


@dataclass(slots=True)
class Outcome:
    """What was found: ``hits`` as (pattern, path, line), ``lines`` the texts by path and line."""

    hits: list[tuple[int, str, int]] = field(default_factory=list)
    lines: dict[str, dict[int, str]] = field(default_factory=dict)
    more: bool = False
    late: bool = False


class Search:
    """One run of a query below a place."""

    def __init__(self, query: Query, place: Place, context: ToolContext) -> None:
        self._query = query
        self._place = place
        self._context = context
        self._outcome = Outcome()
        self._running: list[subprocess.Popen[bytes]] = []
        self._ended = False

    async def run(self) -> Outcome:
        """The results, after 30 seconds those found by then. Raises ``ToolError``. Its processes are gone when it returns."""
        work = asyncio.ensure_future(asyncio.to_thread(self._search))
        try:
            done, _ = await asyncio.wait({work}, timeout=SECONDS)
        except asyncio.CancelledError:
            self._end()
            await asyncio.wait({work})
            raise
        if not done:
            self._outcome.late = True
            self._end()
        await work
        return self._outcome

    def _end(self) -> None:
        self._ended = True
        for process in self._running:
            process.kill()

    def _is_ended(self) -> bool:
        return self._ended or self._context.cancel.is_set()

    def _start(self, command: list[str], directory: str | None = None) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}, cwd=directory
        )
        self._running.append(process)
        if self._ended:
            process.kill()
        return process

    def _search(self) -> None:
        try:
            child = self._start([sys.executable, "-I", "-S", "-W", "ignore", str(CHILD)])
            self._order(child)
            for parts, descriptor in self._files():
                if not self._one(child, parts, descriptor) or self._outcome.more:
                    return
        finally:
            for process in self._running:
                process.kill()
                process.communicate()

    def _order(self, child: subprocess.Popen[bytes]) -> None:
        query = self._query
        order = {
            "patterns": query.patterns,
            "literal": query.literal,
            "ignore_case": query.ignore_case,
            "context": query.context,
            "text_chars": TEXT_CHARS,
            "parent": os.getpid(),
            "seconds": int(SECONDS) + 1,
            "memory": CHILD_MEMORY_BYTES,
        }
        answer = self._ask(child, [json.dumps(order).encode() + b"\n"]) or {}
        if "error" in answer:
            texts, position = self._context.texts, answer.get("position")
            pattern = shown_path(query.patterns[0])
            key = "worktools.grep_pattern" if position is None else "worktools.grep_pattern_at"
            raise ToolError(texts(key, pattern=pattern, why=answer["error"], position=position))

    def _ask(self, child: subprocess.Popen[bytes], message: Iterator[bytes] | list[bytes]) -> dict[str, Any] | None:
        """The answer to a message; ``None`` when the child has been ended, or has ended."""
        if child.stdin is None or child.stdout is None:
            return None
        try:
            for data in message:
                child.stdin.write(data)
            child.stdin.flush()
            raw = child.stdout.readline()
        except OSError:
            raw = b""
        if raw:
            answer: dict[str, Any] = json.loads(raw)
            return answer
        self._outcome.late = True
        return None

    def _one(self, child: subprocess.Popen[bytes], parts: Parts, descriptor: int) -> bool:
        """Search one file, which is closed; false when no other is to follow."""
        try:
            most = MAX_RESULTS - len(self._outcome.hits)
            answer = self._ask(child, _sent(descriptor, most))
        finally:
            os.close(descriptor)
        if answer is None:
            return False
        path = shown_path("/".join((*self._place.text, *parts)))
        hits = answer["hits"]
        self._outcome.more = len(hits) > most
        self._outcome.hits += [(pattern, path, line) for pattern, line in hits[:most]]
        if hits:
            self._outcome.lines[path] = {int(line): text for line, text in answer["lines"].items()}
        return True

    def _files(self) -> Iterator[tuple[Parts, int]]:
        """The files to be searched, open, by path; the one at the place itself when it is a file."""
        place, context = self._place, self._context
        real = place.root.joinpath(*place.parts)
        if not place.parts and not real.exists():
            return
        if not real.is_dir():
            with regular_file(place, context) as descriptor:
                yield (), os.dup(descriptor)
            return
        named = self._named(str(real))
        for found in files(place, context, self._is_ended):
            if (named is not None and found.parts not in named) or not self._fits(found.parts):
                continue
            opened = found.open()
            if opened is not None:
                yield found.parts, opened

    def _fits(self, parts: Parts) -> bool:
        return self._query.globs is None or self._query.globs.match(parts)

    def _named(self, directory: str) -> set[Parts] | None:
        """The files that ``rg`` finds a line in; ``None`` where it is not there or cannot say: then all are searched."""
        program = shutil.which("rg")
        if program is None or any(not each.isprintable() for each in self._query.patterns):
            return None
        command = [program, "--no-config", "--no-ignore", "--hidden", "--no-messages", "--no-mmap", "--encoding=none", "-l", "-0"]
        command += [f"--glob=!{name}/" for name in sorted(SKIPPED)]
        command += (["-F"] if self._query.literal else []) + (["-i"] if self._query.ignore_case else [])
        command += [f"--regexp={each}" for each in self._query.patterns]
        try:
            process = self._start([*command, "--", "."], directory)
            output, _ = process.communicate()
        except OSError:
            return None
        if process.returncode not in (0, 1):
            return None
        return {tuple(os.fsdecode(path).removeprefix("./").split("/")) for path in output.split(b"\0") if path}


def _sent(descriptor: int, most: int) -> Iterator[bytes]:
    """A file as the child reads it."""
    yield b"F %d\n" % most
    while data := os.read(descriptor, CHUNK_BYTES):
        yield b"%d\n" % len(data)
        yield data
    yield b"0\n"
