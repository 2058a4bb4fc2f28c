"""Each guarantee of the sandbox, by what a broken interpreter could do in it, and the same with that guarantee taken away (SCR-13)."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.script import Answer, Message, run_script, script_answer
from crewlab.engine.script import fence as fences
from crewlab.engine.script.fence import BUBBLEWRAP, Fence, fence
from crewlab.engine.texts import Texts

TRY = "try:\n    {}\nexcept (OSError, RuntimeError) as error:\n    print('no', type(error).__name__)\nelse:\n    print('yes')\n"


def tried(around: Fence, attempt: str) -> str:
    """What a program says that stands where the interpreter stands: ``yes`` when its attempt succeeded."""
    program = "import os, socket, _thread, signal\n" + TRY.format(attempt.replace("\n", "\n    "))
    with around.command((sys.executable, "-I", "-B", "-c", program)) as (command, fds):
        done = subprocess.run(command, env={}, pass_fds=fds, capture_output=True, text=True, timeout=60, check=False)
    said = done.stdout.split()
    return said[0] if said else f"died {done.returncode} {done.stderr}"


def replaced(old: tuple[str, ...], new: tuple[str, ...]) -> Callable[[Fence], Fence]:
    """The sandbox with some of its words replaced."""

    def weaken(around: Fence) -> Fence:
        words = list(around.prefix)
        places = [place for place in range(len(words)) if tuple(words[place : place + len(old)]) == old]
        assert places, f"{old} is not a word of the sandbox"
        for place in reversed(places):
            words[place : place + len(old)] = new
        return Fence(tuple(words), around.seccomp)

    return weaken


def unfiltered(around: Fence) -> Fence:
    return Fence(around.prefix, b"")


ALL_BUT_NET = ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts")
ALL_BUT_PID = ("--unshare-user", "--unshare-ipc", "--unshare-net", "--unshare-uts")
PRIVILEGE = "held = open('/proc/self/status').read().split('CapEff:')[1].split()[0]\nif set(held) == set('0'):\n    raise OSError"
GUARANTEES: dict[str, tuple[str, Callable[[Fence], Fence]]] = {
    "no socket": ("socket.socket()", unfiltered),
    "no local socket": ("socket.socket(socket.AF_UNIX)", unfiltered),
    "no second process": ("pid = os.fork()\nif not pid:\n    os._exit(0)\nos.waitpid(pid, 0)", unfiltered),
    "no other program": ("os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)", unfiltered),
    "no thread": ("_thread.start_new_thread(print, ())", unfiltered),
    "no writing": ("open('{canary}', 'w').write('x')", replaced(("--ro-bind",), ("--bind",))),
    "no new file": ("os.mkdir('{canary}-made')", replaced(("--ro-bind",), ("--bind",))),
    "no writing of devices": ("open('/dev/shm/made', 'w').write('x')", replaced(("--remount-ro", "/dev"), ())),
    "no writing of its own process": ("open('/proc/self/coredump_filter', 'w').write('0')", replaced(("--remount-ro", "/proc"), ())),
    "no signal to the server": ("os.kill({server}, 0)", replaced(("--unshare-all",), ALL_BUT_PID)),
    "no privilege": (PRIVILEGE, replaced(("--cap-drop", "ALL"), ("--cap-add", "ALL"))),
    "a session of its own": ("if os.getsid(0) != 0:\n    raise OSError", replaced(("--new-session",), ())),
}


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Path]:
    """A file that may be written by who runs the tests."""
    place = tmp_path / "canary"
    place.write_text("whole")
    yield place
    assert place.parent.exists()


@pytest.mark.spec("SCR-13", "SCR-15")
@pytest.mark.parametrize("name", GUARANTEES)
def test_each_guarantee_holds_and_would_be_missed(name: str, canary: Path) -> None:
    attempt, weaken = GUARANTEES[name]
    attempt = attempt.replace("{canary}", str(canary)).replace("{server}", str(os.getpid()))
    around = fence()
    assert around.prefix, around.why
    assert tried(around, attempt) == "no"
    assert canary.read_text() == "whole"
    assert not Path(f"{canary}-made").exists()
    assert tried(weaken(around), attempt) == "yes", "without the guarantee the attempt succeeds: the test looks at the right thing"


@pytest.mark.spec("SCR-13")
def test_without_the_filter_the_network_is_still_not_there() -> None:
    """Two fences: no socket can be made, and where one could be, nothing is connected to it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        attempt = f"socket.create_connection(('127.0.0.1', {listener.getsockname()[1]}), 5)"
        open_filter = unfiltered(fence())
        assert tried(open_filter, attempt) == "no"
        assert tried(replaced(("--unshare-all",), ALL_BUT_NET)(open_filter), attempt) == "yes"


@pytest.mark.spec("SCR-13", "SCR-15")
def test_reading_files_is_not_blocked_by_the_sandbox(canary: Path) -> None:
    """The interpreter is the fence there, which is why it must hold by itself."""
    assert tried(fence(), f"open({str(canary)!r}).read()") == "yes"


class Silent:
    async def answer(self, message: Message) -> Answer:
        return Answer(value="x")


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine on which bubblewrap is not installed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("bwrap") is None
    fences.fence.cache_clear()
    yield
    fences.fence.cache_clear()


@pytest.mark.spec("SCR-13")
async def test_without_bubblewrap_a_script_runs_behind_the_limits_unless_the_sandbox_is_required(
    without_bubblewrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fence() == Fence((), b"", "bwrap: not found")
    assert (await run_script("print(1)", Silent(), Texts("en"))).printed == "1"
    monkeypatch.setattr(asyncio, "create_subprocess_exec", None)  # nothing is started
    ended = await run_script("print(1)", Silent(), Texts("en"), required=True)
    assert (ended.code, ended.printed_chars) == ("sandbox_missing", None)
    for language in ("en", "vi"):
        assert "bwrap: not found" in script_answer(ended, Texts(language))


@pytest.mark.spec("SCR-13")
@pytest.mark.parametrize("says", ["exit 1", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "exec /does/not/exist"])
async def test_a_bubblewrap_that_cannot_start_counts_as_missing(says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    fences.fence.cache_clear()
    try:
        around = fence()
        assert (around.prefix, around.why.startswith("bwrap: ")) == ((), True)
        assert (await run_script("x = 1", Silent(), Texts("en"), required=True)).code == "sandbox_missing"
        assert (await run_script("x = 1", Silent(), Texts("en"))).code == "ok"
    finally:
        fences.fence.cache_clear()


@pytest.mark.spec("SCR-13", "SCR-20")
def test_the_words_of_the_sandbox_are_these() -> None:
    """A word that goes missing is missed here, also where the machine of the tests would not show it."""
    assert {"--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop"} <= set(BUBBLEWRAP)
    assert not {"--bind", "--dev-bind", "--tmpfs", "--share-net", "--bind-try"} & set(BUBBLEWRAP)
    assert dataclasses.asdict(fence())["why"] == ""


@pytest.mark.spec("SCR-14")
async def test_on_another_system_no_script_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from crewlab.engine.script import process

    class Elsewhere:
        platform = "win32"

        def __getattr__(self, name: str) -> Any:
            return getattr(sys, name)

    monkeypatch.setattr(process, "sys", Elsewhere())
    ended = await run_script("print(1)", Silent(), Texts("en"))
    assert (ended.code, ended.printed) == ("no_system", "")
    assert script_answer(ended, Texts("en")).startswith("Script did not finish.\n")
