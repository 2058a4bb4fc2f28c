"""Process trees for real: how they end, what they print, what they are given."""

import asyncio
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from crewlab.engine.sandbox.environment import PASSED, command_environment
from crewlab.engine.sandbox.process import Finished, run_tree
from crewlab.engine.texts import Texts

PATIENCE = 30.0
"""How long anything is waited for on a loaded machine; nothing takes it."""


async def sh(line: str, tmp_path: Path, seconds: float = PATIENCE, **more: Any) -> Finished:
    environment = more.pop("environment", {"PATH": os.environ["PATH"]})
    return await run_tree(("/bin/bash", "-c", line), cwd=tmp_path, environment=environment, seconds=seconds, guarded=True, **more)


async def cut(line: str, tmp_path: Path, printed: int) -> Finished:
    """The line at its timeout, which is longer each time until the line came so far that it had printed so many words."""
    for seconds in (1.0, 4.0, 16.0, 64.0):
        done = await sh(line, tmp_path, seconds=seconds)
        assert done.timed_out
        if len(text(done).split()) >= printed:
            return done
    raise AssertionError(text(done))


def text(finished: Finished) -> str:
    return finished.output.parts()[0]


async def until(what: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not what():
            await asyncio.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.spec("SHL-4", "SHL-6", "SHL-12", "SHL-13")
async def test_output_and_errors_come_in_their_order_from_an_empty_input_in_the_folder(tmp_path: Path) -> None:
    done = await sh("pwd; echo one; echo two >&2; echo three; cat; read line || echo ended; echo $0 $- $SHELL", tmp_path)
    first, *rest = text(done).splitlines()
    assert Path(first) == tmp_path.resolve()
    assert rest[:4] == ["one", "two", "three", "ended"]
    assert rest[4].startswith("/bin/bash ")
    assert "i" not in rest[4].split()[1]
    assert (done.exit_code, done.timed_out, done.stopped) == (0, False, None)


@pytest.mark.spec("SHL-8", "SHL-9")
@pytest.mark.parametrize(
    ("line", "code"), [("exit 3", 3), ("false", 1), ("no-such-program-x", 127), ("kill -9 $$", 137), ("kill -TERM $$", 143)]
)
async def test_exit_codes_and_signals(line: str, code: int, tmp_path: Path) -> None:
    assert (await sh(line, tmp_path)).exit_code == code


@pytest.mark.spec("SHL-10", "SHL-11")
async def test_at_the_timeout_the_group_is_asked_and_what_was_printed_is_kept(tmp_path: Path) -> None:
    line = "trap 'echo asked; exit 0' TERM; (trap 'echo child asked' TERM; sleep 600) & echo begun; wait"
    done = await cut(line, tmp_path, 2)
    assert text(done).startswith("begun\n")
    assert "asked\n" in text(done)


@pytest.mark.spec("SHL-11")
async def test_what_does_not_listen_is_ended_by_force(tmp_path: Path) -> None:
    line = "trap '' TERM; (trap '' TERM; echo $BASHPID; sleep 600) & echo $$; while true; do sleep 600; done"
    done = await cut(line, tmp_path, 2)
    pids = [int(each) for each in text(done).split()]
    assert len(pids) == 2
    await until(lambda: not any(alive(pid) for pid in pids))


@pytest.mark.spec("SHL-11")
async def test_cancelling_ends_the_group_before_it_comes_back(tmp_path: Path) -> None:
    task = asyncio.create_task(sh("echo $$ > pid; sleep 600; true", tmp_path))
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip())
    pid = int((tmp_path / "pid").read_text())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not alive(pid)


@pytest.mark.spec("SHL-15")
async def test_a_process_in_the_background_neither_holds_up_the_answer_nor_is_ended(tmp_path: Path) -> None:
    done = await sh("sleep 600 & echo $!", tmp_path, seconds=300)
    pid = int(text(done))
    assert done.exit_code == 0
    assert alive(pid)
    os.kill(pid, signal.SIGKILL)


@pytest.mark.spec("SHL-14")
async def test_printing_for_ever_costs_no_memory(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done = await sh("yes crewlab | head -c 80000000", tmp_path, seconds=10 * PATIENCE)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert done.output.total == 80_000_000
    head, tail = done.output.parts()
    assert len(head) == len(tail) == 2_500_000
    assert grown < 40 * 1024  # KiB


@pytest.mark.spec("SHL-17")
async def test_a_command_inherits_no_open_file_and_not_the_lock_of_the_home(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    lock = HomeLock(home, Texts("en"))
    lock.acquire()
    with open(tmp_path / "secret", "w") as file:
        os.set_inheritable(file.fileno(), True)
        done = await sh("ls /proc/self/fd; sleep 600 & echo $!", tmp_path)
    *descriptors, pid = (int(each) for each in text(done).split())
    assert set(descriptors) <= {0, 1, 2, 3}  # 3: what lists them
    lock.release()
    again = HomeLock(home, Texts("en"))
    again.acquire()
    again.release()
    assert alive(pid)
    os.kill(pid, signal.SIGKILL)


@pytest.mark.spec("SHL-11", "SBX-7")
async def test_the_command_ends_when_the_process_that_started_it_is_killed(tmp_path: Path) -> None:
    program = (
        "import asyncio, pathlib, sys; from crewlab.engine.sandbox.process import run_tree; "
        "asyncio.run(run_tree(('/bin/sh', '-c', 'echo $$ > pid; trap \"\" TERM; sleep 600; sleep 600'), "
        "cwd=pathlib.Path(sys.argv[1]), environment={}, seconds=600, guarded=True))"
    )
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", program, str(tmp_path), cwd=Path(__file__).parents[3])
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip())
    pid = int((tmp_path / "pid").read_text())
    server.kill()
    await server.wait()
    await until(lambda: not alive(pid))


async def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = await run_tree(("/no/such/program",), cwd=tmp_path, environment={}, seconds=PATIENCE, guarded=True)
    assert (done.exit_code, text(done)) == (127, "/no/such/program: No such file or directory\n")
    with pytest.raises(OSError, match="No such file"):
        await run_tree(("/bin/true",), cwd=tmp_path / "gone", environment={}, seconds=PATIENCE, guarded=True)
    assert len(os.listdir("/proc/self/fd")) < 200


@pytest.mark.spec("SHL-18", "SHL-19", "SHL-21")
async def test_the_environment_is_eight_names_and_no_key(tmp_path: Path) -> None:
    environ = dict.fromkeys(PASSED, "C") | {
        "PATH": os.environ["PATH"],
        "OPENAI_API_KEY": "k",
        "JPY_API_TOKEN": "t",
        "CREWLAB_X": "y",
    }
    assert sorted(PASSED) == sorted(["PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "SHELL"])
    assert set(command_environment(environ)) == set(PASSED)
    assert command_environment({"HOME": "/h", "A": "b"}) == {"HOME": "/h"}
    assert command_environment({"TMPDIR": "/x"}, private_tmp=True) == {"TMPDIR": "/tmp"}
    done = await sh("env", tmp_path, environment=command_environment(environ))
    names = {line.partition("=")[0] for line in text(done).splitlines()}
    assert not [name for name in names if name.startswith(("PYTHON", "LC_CTYPE"))]
    assert names - {"PWD", "OLDPWD", "SHLVL", "_"} == set(PASSED)


@pytest.mark.spec("SHL-11")
@pytest.mark.parametrize("cancels", [1, 2])
async def test_a_process_that_was_made_and_not_yet_told_to_begin_goes_with_the_outermost(tmp_path: Path, cancels: int) -> None:
    """As bubblewrap's first child between its making and its start: in the group of the outermost, waiting for it."""
    line = "sleep 600 & echo $! > pid; wait"
    running = asyncio.create_task(run_tree(("/bin/sh", "-c", line), cwd=tmp_path, environment={}, seconds=PATIENCE, guarded=False))
    note = tmp_path / "pid"
    await until(lambda: note.is_file() and note.read_text().endswith("\n"))
    for _ in range(cancels):
        running.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await running
    await until(lambda: not alive(int(note.read_text())))
