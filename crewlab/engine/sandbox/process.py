"""Running one process tree: bounded output, a time limit, and an end for all of it (SHL-10, SHL-11, SHL-14, SHL-15).

Two kinds of tree are ended in two ways. A *guarded* one runs under ``guardian.py``, whose standard input is the server's hold on
it. A *namespaced* one is bubblewrap's: its processes are asked first, then the namespace goes with its first process.
Either way the kernel ends the tree when the server is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from crewlab.engine.sandbox.output import Output

GRACE_SECONDS = 2.0  # SHL-11: from SIGTERM to SIGKILL
LATE_SECONDS = 1.0  # SHL-15: for what is in the pipe when the shell has ended
GUARD_SECONDS = 4.0  # the guardian keeps the grace itself; after this it is ended by force
WATCH_SECONDS = 0.25
CHUNK = 65536
PACE_SECONDS = 0.002  # between two chunks once more has come than is kept: an endless printer gets no whole processor
GUARDIAN = Path(__file__).with_name("guardian.py")

Watch = Callable[[int], str | None]
"""Given the pid of the outermost process, the word for what is wrong with the tree, or ``None``; asked a few times a second."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a tree ended: ``exit_code`` as a shell tells it (128 and the signal), ``stopped`` the word of the watch that ended it."""

    exit_code: int
    output: Output
    timed_out: bool = False
    stopped: str | None = None


@dataclass(slots=True)
class Tree:
    """A running process tree."""

    process: asyncio.subprocess.Process
    hold: int | None
    output: Output = field(default_factory=Output)

    async def stop(self) -> None:
        """End everything: SIGTERM, after the grace SIGKILL."""
        if self.process.returncode is not None:
            return
        if self.hold is not None:
            self.let_go()
        else:
            _ask_inside(self.process.pid)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GUARD_SECONDS if self.hold is not None else GRACE_SECONDS):
                await self.process.wait()
        self.kill()
        await self.process.wait()

    def let_go(self) -> None:
        """Close the server's end of the guardian's pipe; a second time nothing."""
        hold, self.hold = self.hold, -1
        if hold is not None and hold >= 0:
            os.close(hold)

    def kill(self) -> None:
        """End the outermost process and its group at once; the kernel ends the rest.

        The group, because a process that bubblewrap has made and not yet told to begin would wait for that for ever.
        """
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


async def run_tree(
    command: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    seconds: float,
    guarded: bool,
    pass_fds: Sequence[int] = (),
    watch: Watch | None = None,
) -> Finished:
    """Run ``command`` to its end or its time limit. Cancelling ends the tree first. Raises ``OSError`` when it cannot be started."""
    tree, reading = await _start(command, cwd, environment, guarded, pass_fds)
    pump = asyncio.create_task(_pump(reading, tree.output))
    try:
        timed_out, stopped = await _wait(tree, seconds, watch)
    finally:
        await _end(tree, pump)
    code = tree.process.returncode or 0
    return Finished(code if code >= 0 else 128 - code, tree.output, timed_out, stopped)


async def _start(
    command: Sequence[str], cwd: Path, environment: Mapping[str, str], guarded: bool, pass_fds: Sequence[int]
) -> tuple[Tree, int]:
    """Started on the loop's own thread: the kernel's promise to end a tree with its parent is about that thread."""
    reading, writing = os.pipe()
    given, hold = os.pipe() if guarded else (asyncio.subprocess.DEVNULL, None)
    if guarded:
        command = (sys.executable, "-I", "-S", "-B", str(GUARDIAN), *command)
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=cwd,
            env=dict(environment),
            stdin=given,
            stdout=writing,
            stderr=writing,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
        )
    except BaseException:
        os.close(reading)
        if hold is not None:
            os.close(hold)
        raise
    finally:
        os.close(writing)
        if guarded:
            os.close(given)
    return Tree(process, hold), reading


async def _wait(tree: Tree, seconds: float, watch: Watch | None) -> tuple[bool, str | None]:
    """Whether the time ran out, and what the watch said; the tree still runs then."""
    ended = asyncio.create_task(tree.process.wait())
    tasks: set[asyncio.Task[int] | asyncio.Task[str]] = {ended}
    watcher = asyncio.create_task(_watch(tree.process.pid, watch)) if watch is not None else None
    if watcher is not None:
        tasks.add(watcher)
    try:
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    if ended in done:
        return False, None
    return (False, watcher.result()) if watcher is not None and watcher in done else (True, None)


async def _watch(pid: int, watch: Watch) -> str:
    while True:
        await asyncio.sleep(WATCH_SECONDS)
        said = watch(pid)
        if said is not None:
            return said


async def _end(tree: Tree, pump: asyncio.Task[None]) -> None:
    """Stop what runs and read what is left, also while this task is cancelled; a second cancellation ends it by force."""
    work = asyncio.create_task(_stop_and_read(tree, pump))
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:
        tree.kill()
        tree.let_go()
        raise


async def _stop_and_read(tree: Tree, pump: asyncio.Task[None]) -> None:
    await tree.stop()
    tree.let_go()
    await asyncio.wait({pump}, timeout=LATE_SECONDS)
    pump.cancel()
    await asyncio.gather(pump, return_exceptions=True)


async def _pump(descriptor: int, output: Output) -> None:
    """Read while it comes, with the reader's own back pressure: a command that prints for ever costs no memory."""
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", buffering=0)
    )
    try:
        while chunk := await reader.read(CHUNK):
            output.feed(chunk)
            if output.full:
                await asyncio.sleep(PACE_SECONDS)
    finally:
        transport.close()


def children(pid: int) -> list[int]:
    """The processes that ``pid`` started; empty when it is gone or the kernel does not tell."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (OSError, ValueError):
        return []


def _ask_inside(outermost: int) -> None:
    """SIGTERM to the group of bubblewrap's namespace. Its first process takes no notice, being that; the command does.

    To the outermost process it would be the end of all at once.
    """
    for first in children(outermost):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(first, signal.SIGTERM)
