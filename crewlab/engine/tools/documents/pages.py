"""The pages of a PDF, read by a child process that can be ended (PDF-12)."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAX_PAGES = 50  # PDF-8
PAGE_SECONDS = 60.0  # PDF-12
PIXELS = 2000  # PDF-12
SCANNED_CHARS = 20  # PDF-12
LEAVE_SECONDS = 5.0
MEMORY_BYTES = 3 << 30  # address space of the child, of which libraries map a good part
LINE_BYTES = 64 << 20  # a drawn page in one line
CHILD = Path(__file__).with_name("pdf_child.py")
LIBRARIES = ("pypdf", "pypdfium2", "PIL")


@dataclass(frozen=True, slots=True)
class Page:
    """One page: exactly one of its text, its picture (JPEG), or why there is neither."""

    number: int
    text: str | None = None
    picture: bytes | None = None
    why: str | None = None
    """``scan``, ``empty``, ``slow`` or the kind of failure."""


class Unreadable(Exception):
    """The document cannot be read at all: ``locked``, ``broken`` or ``missing`` (the libraries)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def libraries_there() -> bool:
    """Whether what reads PDFs is installed; imports nothing."""
    return all(importlib.util.find_spec(name) is not None for name in LIBRARIES)


class Pages:
    """``count`` is known when the first item came; ``read`` gives the pages from ``first`` on, at most ``MAX_PAGES``."""

    def __init__(self, descriptor: int, *, render: bool, page_seconds: float = PAGE_SECONDS) -> None:
        self._descriptor = descriptor
        self._render = render
        self._seconds = page_seconds
        self.count = 0

    async def count_pages(self) -> int:
        """How many pages there are. Raises ``Unreadable``."""
        async with aclosing(self._child(1, 0)) as lines:
            async for _ in lines:
                break
        return self.count

    async def read(self, first: int, last: int) -> AsyncGenerator[Page, None]:
        """The pages ``first`` to ``last`` (from 1, inclusive). A page that takes too long, or takes the child down, is one page lost."""
        number = first
        while number <= last:
            reached = number
            async with aclosing(self._child(number, last)) as lines:
                async for line in lines:
                    if "page" in line:
                        yield _page(line)
                        reached = line["page"] + 1
            if reached <= last:
                yield Page(reached, why="slow")
                reached += 1
            number = reached

    async def _child(self, first: int, last: int) -> AsyncGenerator[dict[str, Any], None]:
        """The lines of one child; ends early when it is slow or gone."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        order = {
            "first": first,
            "last": last,
            "most": MAX_PAGES if last else 0,
            "pixels": PIXELS,
            "scanned_chars": SCANNED_CHARS,
            "parent": os.getpid(),
            "memory": MEMORY_BYTES,
            "render": self._render,
        }
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-I", str(CHILD), json.dumps(order), stdin=self._descriptor, stdout=-1, stderr=-3, env={}, limit=LINE_BYTES
        )
        try:
            async with aclosing(self._lines(child)) as lines:
                async for line in lines:
                    yield line
        finally:
            if child.stdout is None or not child.stdout.at_eof():  # one that has closed its output is leaving by itself
                _kill(child)
            try:
                async with asyncio.timeout(LEAVE_SECONDS):
                    await child.wait()
            except TimeoutError:
                _kill(child)
                await child.wait()

    async def _lines(self, child: asyncio.subprocess.Process) -> AsyncGenerator[dict[str, Any], None]:
        if child.stdout is None:
            raise RuntimeError("the child has no output")
        heard = False
        while True:
            try:
                async with asyncio.timeout(self._seconds):
                    raw = await child.stdout.readline()
            except (TimeoutError, ValueError):  # ValueError: a line beyond every bound
                raw = b""
            line = _parsed(raw)
            if line is None:
                if not heard:
                    raise Unreadable("broken")
                return
            if "error" in line:
                raise Unreadable(str(line["error"]))
            heard = True
            self.count = int(line.get("pages", self.count))
            yield line


def _kill(child: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        child.kill()


def _parsed(raw: bytes) -> dict[str, Any] | None:
    try:
        line = json.loads(raw)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def _page(line: dict[str, Any]) -> Page:
    import base64

    number = int(line["page"])
    if "text" in line:
        return Page(number, text=str(line["text"]))
    if "picture" in line:
        return Page(number, picture=base64.b64decode(line["picture"]))
    return Page(number, why="scan" if "scan" in line else "empty" if "empty" in line else str(line.get("failed", "")))
