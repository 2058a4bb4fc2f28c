"""One home, one server (DB-10 to DB-14), with real processes."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crewlab.engine.errors import StartupStop
from crewlab.engine.home import lock as lock_module
from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock, is_held
from crewlab.engine.texts import Texts

HOLDER = """
import subprocess, sys
from pathlib import Path
from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
lock = HomeLock(Home(Path(sys.argv[1])))
lock.acquire()
child = subprocess.Popen(["sleep", "60"], close_fds=False) if len(sys.argv) > 2 else None
print(child.pid if child else 0, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


class Holder:
    """Another process that holds the home."""

    def __init__(self, home: Home, *, with_child: bool = False) -> None:
        arguments = [sys.executable, "-c", HOLDER, str(home.root), *(["child"] if with_child else [])]
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ)
        assert self.process.stdout is not None
        self.child = int(self.process.stdout.readline())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.kill()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        if self.child:
            os.kill(self.child, signal.SIGKILL)


@pytest.fixture
def holder(home: Home) -> Iterator[Holder]:
    holder = Holder(home)
    yield holder
    holder.close()


@pytest.fixture
def holder_with_child(home: Home) -> Iterator[Holder]:
    holder = Holder(home, with_child=True)
    yield holder
    holder.close()


@pytest.mark.spec("DB-10", "DB-12")
def test_a_home_held_by_another_process_is_refused_by_name(home: Home, holder: Holder) -> None:
    with pytest.raises(StartupStop) as caught:
        HomeLock(home).acquire()
    assert caught.value.code == "home_locked"
    assert caught.value.body()["home"] == str(home.root)
    assert str(home.root) in caught.value.message
    assert "CREWLAB_HOME" in caught.value.message


@pytest.mark.spec("DB-10")
def test_the_lock_is_gone_when_its_holder_was_killed(home: Home, holder: Holder) -> None:
    holder.kill()
    lock = HomeLock(home)
    lock.acquire()
    assert lock.held
    lock.release()


@pytest.mark.spec("DB-13")
def test_a_process_the_server_left_behind_does_not_hold_the_home(home: Home, holder_with_child: Holder) -> None:
    holder_with_child.kill()
    os.kill(holder_with_child.child, 0)  # it is still there
    lock = HomeLock(home)
    lock.acquire()
    lock.release()


def _live_on(started: object, end: object) -> None:
    started.set()  # type: ignore[attr-defined]
    end.wait()  # type: ignore[attr-defined]


@pytest.mark.spec("DB-13")
def test_a_forked_child_that_runs_on_does_not_hold_the_home(home: Home) -> None:
    lock = HomeLock(home)
    lock.acquire()
    fork = multiprocessing.get_context("fork")
    started, end = fork.Event(), fork.Event()
    child = fork.Process(target=_live_on, args=(started, end))
    child.start()
    try:
        assert started.wait(10)
        with pytest.raises(StartupStop):  # the fork has not let the parent's lock go
            HomeLock(home).acquire()
        lock.release()
        again = HomeLock(home)
        again.acquire()
        again.release()
    finally:
        end.set()
        child.join()


@pytest.mark.spec("DB-11")
def test_the_lock_makes_no_file(home: Home) -> None:
    lock = HomeLock(home)
    lock.acquire()
    assert list(home.root.iterdir()) == []
    lock.release()
    assert list(home.root.iterdir()) == []


@pytest.mark.spec("DB-10")
def test_two_engines_in_one_process_do_not_share_a_home(home: Home) -> None:
    first, second = HomeLock(home), HomeLock(home)
    first.acquire()
    first.acquire()
    with pytest.raises(StartupStop):
        second.acquire()
    first.release()
    second.acquire()
    second.release()


@pytest.mark.spec("DB-13")
def test_the_descriptor_closes_on_exec(home: Home) -> None:
    lock = HomeLock(home)
    lock.acquire()
    assert lock._descriptor is not None
    assert not os.get_inheritable(lock._descriptor)
    lock.release()


@pytest.mark.spec("DB-11")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_file_system_without_such_a_lock_is_refused_and_said(home: Home, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(lock_module, "_flock", refuse)
    with pytest.raises(StartupStop) as caught:
        HomeLock(home, Texts(language)).acquire()  # type: ignore[arg-type]
    assert caught.value.code == "config_invalid"
    assert os.strerror(errno.ENOLCK) in caught.value.message
    assert "CREWLAB_HOME" in caught.value.message


@pytest.mark.spec("AGT-4")
def test_a_home_that_is_a_file_is_refused_with_what_to_do(home: Home) -> None:
    home.root.write_text("")
    with pytest.raises(StartupStop) as caught:
        HomeLock(home).acquire()
    assert caught.value.code == "config_invalid"
    assert str(home.root) in caught.value.message


@pytest.mark.spec("DB-14")
def test_asking_who_holds_the_home_takes_no_lock(home: Home, holder: Holder) -> None:
    assert is_held(home)
    holder.kill()
    assert not is_held(home)


@pytest.mark.spec("DB-14")
def test_where_no_list_of_locks_exists_the_answer_is_the_same(home: Home, holder: Holder, tmp_path: Path) -> None:
    assert is_held(home, tmp_path / "no-such-file")
    holder.kill()
    assert not is_held(home, tmp_path / "no-such-file")
    assert not is_held(Home(tmp_path / "absent"), tmp_path / "no-such-file")
