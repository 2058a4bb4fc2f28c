"""Runs one command and outlives nobody: when the server is gone or lets go, the command's whole process group is ended.

Run by file path as ``python -I -S -B guardian.py <program> <argument>…`` with the standard library only. Its standard input is a
pipe whose other end only the server holds: the end of that pipe, after ``kill -9`` as well, is the order to stop (SHL-11).
The command gets an empty standard input and a session of its own; its exit code is passed on, a signal as 128 and its number.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time

GRACE_SECONDS = 2.0  # SHL-11: after SIGTERM
PR_SET_PDEATHSIG = 1
NOT_STARTED = 127
MOST_DESCRIPTORS = 4096  # of this small program; it opened three


def start(command: list[str]) -> int:
    """The pid of the command, leader of a session of its own."""
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(NOT_STARTED)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.closerange(3, min(os.sysconf("SC_OPEN_MAX"), MOST_DESCRIPTORS))
        for number in (signal.SIGPIPE, signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.environ.pop("LC_CTYPE", None)  # Python's own, where the server has no locale; it is not among the eight names (SHL-18)
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_STARTED)


def ended(pid: int) -> int | None:
    """The exit code of the command as a shell tells it; ``None`` while it runs."""
    done, status = os.waitpid(pid, os.WNOHANG)
    if not done:
        return None
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def signal_group(pid: int, number: int) -> None:
    """Send to the whole group, which may be gone."""
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        return


def stop(pid: int) -> int:
    """First SIGTERM, after the grace SIGKILL; everything of the group is gone afterwards."""
    signal_group(pid, signal.SIGTERM)
    until = time.monotonic() + GRACE_SECONDS
    code = None
    while time.monotonic() < until and (code := ended(pid) if code is None else code) is None:
        time.sleep(0.02)
    signal_group(pid, signal.SIGKILL)
    while code is None:
        code = ended(pid)
        time.sleep(0 if code is not None else 0.01)
    return code


def main() -> int:
    """Wait for the command or for the end of standard input."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the order comes through the pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the server
    pid = start(sys.argv[1:])
    while True:
        code = ended(pid)
        if code is not None:
            return code
        ready, _, _ = select.select([0, woken], [], [])
        if woken in ready:
            os.read(woken, 512)
        if 0 in ready and not os.read(0, 512):
            return stop(pid)


if __name__ == "__main__":
    sys.stdout = None  # nothing of its own is printed
    os._exit(main())
