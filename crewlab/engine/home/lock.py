"""One home, one server: an operating-system lock that dies with the process (DB-10 to DB-13)."""

from __future__ import annotations

import errno
import os
import weakref
from pathlib import Path

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.layout import PRIVATE_DIRECTORY, Home
from crewlab.engine.texts import Texts

_HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)


class HomeLock:
    """``flock`` on a descriptor of the home directory itself: no file, nothing a crash leaves behind (DB-11)."""

    def __init__(self, home: Home, texts: Texts | None = None) -> None:
        self.home = home
        self._texts = texts or Texts("en")
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the home."""
        return self._descriptor is not None

    def acquire(self) -> None:
        """Take the home; makes the directory when it is not there, reads nothing of it (DB-12).

        Raises ``StartupStop``: ``home_locked`` when another server holds it, ``config_invalid`` when
        the directory cannot be used or the system has no such lock.
        """
        if self._descriptor is not None:
            return
        descriptor = self._open()
        try:
            _flock(descriptor)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _HELD:
                raise StartupStop(self._say("locked"), code="home_locked", home=str(self.home.root)) from error
            raise StartupStop(self._say("no_lock", error=error.strerror), home=str(self.home.root)) from error
        except ImportError as error:
            os.close(descriptor)
            raise StartupStop(self._say("no_lock", error=str(error)), home=str(self.home.root)) from error
        self._descriptor = descriptor
        _close_in_children(self)

    def release(self) -> None:
        """Let the home go. The end of the process, however it comes, does the same."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _open(self) -> int:
        """A close-on-exec descriptor of the directory (DB-13)."""
        try:
            self.home.root.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
            return os.open(self.home.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise StartupStop(self._say("home_unusable", error=error.strerror), home=str(self.home.root)) from error

    def _say(self, key: str, **values: object) -> str:
        return self._texts(f"home.{key}", home=self.home.root, **values)


LOCKS_FILE = Path("/proc/locks")  # Linux: every lock of the system, without touching one


def is_held(home: Home, locks_file: Path = LOCKS_FILE) -> bool:
    """Whether some process holds the home. Takes no lock where the system lists them (DB-14)."""
    try:
        status = home.root.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    try:
        locks = locks_file.read_text(encoding="ascii", errors="replace")
    except OSError:
        return _refuses(home)
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    return any(" FLOCK " in line and place in line.split() for line in locks.splitlines())


def _refuses(home: Home) -> bool:
    """Where nothing lists the locks: ask for it and let it go in the same breath."""
    lock = HomeLock(home)
    try:
        lock.acquire()
    except StartupStop as stop:
        return stop.code == "home_locked"
    lock.release()
    return False


def _flock(descriptor: int) -> None:
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _close_in_children(lock: HomeLock) -> None:
    """A forked child shares the lock until it closes its copy: close it at once (DB-13)."""
    reference = weakref.ref(lock)

    def forget() -> None:
        inherited = reference()
        if inherited is not None:
            inherited.release()

    os.register_at_fork(after_in_child=forget)
