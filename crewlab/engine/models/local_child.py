"""The one child process of the local model: started on first use, stopped when idle, replaced when it died."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
from collections import deque
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from crewlab.engine.models.local_files import ENGINE_MODULE

START_SECONDS = 120.0  # a large model of the person's own is read from disk
STOP_SECONDS = 5.0
MAX_THREADS = 8  # of half the cores: threads that wait for each other suffer most from other load
ERROR_LINES = 20
KEPT_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")
SERVER_FILE = Path(__file__).with_name("local_server.py")


class ChildFailed(Exception):
    """The child did not come up; the message is what it said last."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the child listens and the key it asks for."""

    url: str
    key: str


class Child:
    """A running server process for one model file."""

    def __init__(self, model: Path, address: Address, process: asyncio.subprocess.Process, errors: asyncio.Task[None]) -> None:
        self.model = model
        self.address = address
        self._process = process
        self._errors = errors

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.returncode is None

    async def wait(self) -> None:
        """Return when it has ended."""
        await self._process.wait()

    async def stop(self) -> None:
        """End it: first by closing its input, then by force."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        self._errors.cancel()
        await asyncio.gather(self._errors, return_exceptions=True)

    @classmethod
    async def start(cls, model: Path, *, context: int, threads: int | None = None) -> Child:
        """Start a server for ``model``; raises ``ChildFailed``. The key goes through a pipe, never through argv."""
        key = secrets.token_urlsafe(32)
        order = _order(model, key, context, threads)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            str(SERVER_FILE),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ},
            close_fds=True,
        )
        tail: deque[str] = deque(maxlen=ERROR_LINES)
        child = cls(model, Address("", key), process, asyncio.create_task(_drain(process.stderr, tail)))
        try:
            child.address = Address(await _greet(process, order), key)
        except BaseException as error:
            await child.stop()
            if isinstance(error, (ChildFailed, TimeoutError, OSError, ValueError)):
                raise ChildFailed(" ".join([str(error), *tail]).strip()) from error
            raise
        return child


def _order(model: Path, key: str, context: int, threads: int | None) -> dict[str, object]:
    spec = find_spec(ENGINE_MODULE)
    if spec is None or spec.origin is None:
        raise ChildFailed(f"no module named {ENGINE_MODULE}")
    return {
        "model": str(model.resolve()),
        "key": key,
        "context": context,
        "threads": threads or max(1, min(MAX_THREADS, (os.cpu_count() or 2) // 2)),
        "parent": os.getpid(),
        "site": str(Path(spec.origin).parent.parent),
    }


async def _greet(process: asyncio.subprocess.Process, order: dict[str, object]) -> str:
    if process.stdin is None or process.stdout is None:
        raise ChildFailed("no pipes")
    async with asyncio.timeout(START_SECONDS):
        process.stdin.write(json.dumps(order).encode() + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
    answer = json.loads(line) if line else {"error": f"exit status {await process.wait()}"}
    if "address" not in answer:
        raise ChildFailed(str(answer.get("error")))
    return str(answer["address"])


async def _drain(stream: asyncio.StreamReader | None, tail: deque[str]) -> None:
    """Keep the last lines of the child's errors, so that its pipe never fills."""
    while stream is not None and (chunk := await stream.read(4096)):
        tail.extend(chunk.decode("utf-8", "replace").splitlines())
