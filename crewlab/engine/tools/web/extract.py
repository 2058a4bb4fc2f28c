"""HTML to text, by a child process that can be ended (WEB-9).

A page of 512 KB can keep a parser busy for many seconds and its interpreter's lock with it, so no page is parsed in the
process that serves everybody.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

SECONDS = 20.0  # for one page, as the clock on the wall goes
MEMORY_BYTES = 2 << 30  # address space of the child, of which libraries map a good part
AT_ONCE = 2
CHILD = Path(__file__).with_name("extract_child.py")
LIBRARY = "trafilatura"


class Unreadable(Exception):
    """No text: ``missing`` (the library), ``slow`` or ``broken``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Read:
    """What a page says; both may be empty."""

    title: str
    text: str


class Html:
    """Reads pages, at most ``AT_ONCE`` at a time."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._places = asyncio.Semaphore(AT_ONCE)

    async def read(self, page: str) -> Read:
        """Title and text of an HTML page; raises ``Unreadable``."""
        if importlib.util.find_spec(LIBRARY) is None:
            raise Unreadable("missing")
        async with self._places:
            raw = await self._child(page)
        try:
            found = json.loads(raw)
            return Read(str(found["title"]), str(found["text"]))
        except (ValueError, KeyError, TypeError) as error:
            raise Unreadable("broken") from error

    async def _child(self, page: str) -> bytes:
        order = {"parent": os.getpid(), "memory": MEMORY_BYTES, "seconds": round(self._seconds) + 1}
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-I", str(CHILD), json.dumps(order), stdin=-1, stdout=-1, stderr=-3, env={}
        )
        try:
            async with asyncio.timeout(self._seconds):
                return (await child.communicate(page.encode("utf-8", "replace")))[0]
        except TimeoutError as error:
            raise Unreadable("slow") from error
        finally:
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.kill()
                await child.wait()
