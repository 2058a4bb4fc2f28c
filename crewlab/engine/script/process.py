"""The server's side of one script: start the child, answer what it asks, end it in time, leave nothing behind (SCR-6 to SCR-20)."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic_core import to_json

from crewlab.engine.script import compiled
from crewlab.engine.script.fence import Fence, fence, python
from crewlab.engine.script.messages import Answer, Message, read_message
from crewlab.engine.script.words import script_words
from crewlab.engine.texts import Texts

log = logging.getLogger(__name__)

ALONE_SECONDS = 60.0  # SCR-17
TOTAL_SECONDS = 300.0  # SCR-17
GONE_SECONDS = 2.0  # how long what is left of an ended child may take to close its pipes
MAX_LINE = 16 * 1024 * 1024  # SCR-10
MAX_STDERR = 4_000  # SCR-7
MAX_SOURCE = 20_000  # SCR-11
RESTARTS = frozenset({"call", "batch", "llm"})  # SCR-17: what restarts the clock of running alone


class Host(Protocol):
    """Who does what the script asks for. Counts and checks everything itself (SCR-9)."""

    async def answer(self, message: Message) -> Answer:
        """The answer to one message. ``Answer.stop`` ends the script; its code and params are then the script's end."""


@dataclass(frozen=True, slots=True)
class Times:
    """How long a script may run; tests shorten it."""

    alone: float = ALONE_SECONDS
    total: float = TOTAL_SECONDS


@dataclass(frozen=True, slots=True)
class Ended:
    """How a script ended. ``code``: SCR-64. ``printed_chars`` is ``None`` when the child was ended from outside (SCR-200)."""

    code: str
    line: int = 0
    params: dict[str, Any] = field(default_factory=dict)
    printed: str = ""
    printed_chars: int | None = None


class _Outside(Exception):
    """The child is ended from outside, or died."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def run_script(
    script: Any, host: Host, texts: Texts, *, required: bool = False, times: Times | None = None, limits: dict[str, int] | None = None,
    around: Fence | None = None, only_check: bool = False,
) -> Ended:  # fmt: skip
    """Run ``script`` in a child of its own.

    ``limits`` (``steps``, ``memory``) serves benchmarks and tests; nothing a person sets reaches it (SCR-5). ``only_check``: the
    script is read and checked, and no statement of it runs (SCR-224).
    """
    if not isinstance(script, str) or not 1 <= len(script) <= MAX_SOURCE or not script.strip() or "\0" in script:
        return Ended("limit_source")
    if sys.platform not in ("linux", "darwin"):
        return Ended("no_system")
    used = await asyncio.to_thread(fence) if around is None else around
    if required and not used.prefix:
        return Ended("sandbox_missing", params={"why": used.why})
    await asyncio.to_thread(compiled.prepare)
    start = {"script": script, "lang": texts.language, "limits": limits or {}, "words": script_words(texts), "check": only_check}
    return await _Run(host, times or Times()).run(used, start)


class _Run:
    """One child from start to end."""

    def __init__(self, host: Host, times: Times) -> None:
        self._host = host
        self._times = times
        self._stopped: Answer | None = None
        self._number = 0

    async def run(self, around: Fence, start: dict[str, Any]) -> Ended:
        command = (python(), "-I", "-S", "-B", str(compiled.ENTRY))
        with around.command(command) as (whole, fds):
            child = await asyncio.create_subprocess_exec(
                *whole, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                env={}, cwd="/", pass_fds=fds, start_new_session=True, limit=MAX_LINE,
            )  # fmt: skip
        errors = asyncio.create_task(_last_bytes(child))
        try:
            return await self._converse(child, start)
        except _Outside as outside:
            code = outside.code
            if code == "child_died":
                code = await self._cause(child, errors)
            return self._with_stop(Ended(code))
        finally:
            await _end(child, errors)

    async def _cause(self, child: asyncio.subprocess.Process, errors: asyncio.Task[bytes]) -> str:
        """Why the pipe closed: the limit of CPU, or death."""
        _kill(child.pid)
        await _gone(child, errors)
        status = child.returncode
        said = errors.result() if errors.done() and not errors.cancelled() else b""
        log.info("a script process died (%s): %s", status, said.decode("utf-8", "replace"))
        return "limit_cpu" if status in (-signal.SIGXCPU, 128 + signal.SIGXCPU) else "child_died"

    def _with_stop(self, ended: Ended) -> Ended:
        """A stop that the host decided is how the script ended, whatever the child says."""
        stop = self._stopped
        if stop is None:
            return ended
        return Ended(stop.code, ended.line or stop.line, stop.params, ended.printed, ended.printed_chars)

    async def _converse(self, child: asyncio.subprocess.Process, start: dict[str, Any]) -> Ended:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._times.total
        alone = loop.time() + self._times.alone
        await self._within(self._send(child, start), min(end, alone), "limit_idle")
        while True:
            await asyncio.sleep(0)  # a child that asks without listening takes no more of the server than its share
            message = await self._within(self._read(child), min(end, alone), "limit_time" if end < alone else "limit_idle")
            if message.op == "done":
                return self._with_stop(_ended(message.fields))
            waits = message.op in RESTARTS
            until, code = (end, "limit_time") if waits or end < alone else (alone, "limit_idle")
            answer = await self._within(self._host.answer(message), until, code)
            if answer.stop:
                self._stopped = answer
            await self._within(self._send(child, answer.line_for(message.id)), until, code)
            if waits:
                alone = loop.time() + self._times.alone

    @staticmethod
    async def _within(work: Coroutine[Any, Any, Any], until: float, code: str) -> Any:
        if asyncio.get_running_loop().time() >= until:  # what never has to wait is never interrupted
            work.close()
            raise _Outside(code)
        try:
            async with asyncio.timeout_at(until):
                return await work
        except TimeoutError:
            raise _Outside(code) from None

    async def _read(self, child: asyncio.subprocess.Process) -> Message:
        assert child.stdout is not None
        try:
            line = await child.stdout.readuntil(b"\n")
            self._number += 1
            return read_message(line, self._number, stopped=self._stopped is not None)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            raise _Outside("child_died") from None

    @staticmethod
    async def _send(child: asyncio.subprocess.Process, message: dict[str, Any]) -> None:
        assert child.stdin is not None
        try:
            child.stdin.write(_line(message))
            await child.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise _Outside("child_died") from None


def _line(message: dict[str, Any]) -> bytes:
    """The message as one line. Text goes as it is; a half character can only be escaped, which the fast writer does not do."""
    try:
        return to_json(message, inf_nan_mode="constants") + b"\n"
    except ValueError:
        return (json.dumps(message, separators=(",", ":")) + "\n").encode()


def _ended(fields: dict[str, Any]) -> Ended:
    return Ended(fields["code"], fields["line"], fields["params"], fields["printed"], len(fields["printed"]))


async def _last_bytes(child: asyncio.subprocess.Process) -> bytes:
    """The end of stderr, for the log of the server (SCR-7)."""
    assert child.stderr is not None
    kept = b""
    while chunk := await child.stderr.read(65_536):
        kept = (kept + chunk)[-MAX_STDERR:]
    return kept


def _kill(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        log.debug("the script process %s is gone already", pid)


async def _end(child: asyncio.subprocess.Process, errors: asyncio.Task[bytes]) -> None:
    """Kill the process group, reap the child, close its pipes; also when the task that runs the script is cancelled."""
    if child.returncode is None:
        _kill(child.pid)
    if child.stdin is not None:
        child.stdin.close()
    await _gone(child, errors)


async def _gone(child: asyncio.subprocess.Process, errors: asyncio.Task[bytes]) -> None:
    """Wait for the end of a child and of its pipes; for what it left behind only as long as it may take."""
    waiting = asyncio.create_task(child.wait())  # ends when the pipes are closed as well
    last: set[asyncio.Task[Any]] = {errors, waiting, asyncio.create_task(_drained(child))}
    _, left = await asyncio.wait(last, timeout=GONE_SECONDS)
    if left:  # a process of its group holds the other ends; as long as there is one, the number of the group is no other's
        _kill(child.pid)
        _, left = await asyncio.wait(left, timeout=GONE_SECONDS)
    for task in left:
        task.cancel()


async def _drained(child: asyncio.subprocess.Process) -> None:
    """Read what is left of its output: a pipe that nobody reads is not closed."""
    assert child.stdout is not None
    while await child.stdout.read(65_536):
        pass
