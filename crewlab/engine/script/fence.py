"""The operating system's sandbox around the child: nothing can be written, no network, no second process (SCR-12, SCR-13)."""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BUBBLEWRAP = (
    "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--ro-bind", "/", "/", "--dev", "/dev",
    "--proc", "/proc", "--remount-ro", "/proc", "--remount-ro", "/dev", "--chdir", "/",
)  # fmt: skip
SEATBELT = '(version 1)(allow default)(deny network*)(deny file-write* (require-not (path "/dev/null")))(deny process-fork)'
PROBE_SECONDS = 30.0
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
X32 = 0x40000000
MACHINES: dict[str, tuple[int, tuple[int, ...]]] = {  # audit number; clone, clone3, fork, vfork, socket, ptrace, io_uring_setup, bpf
    "x86_64": (0xC000003E, (56, 435, 57, 58, 41, 101, 425, 321)),
    "aarch64": (0xC00000B7, (220, 435, 198, 117, 425, 280)),
}


@dataclass(frozen=True, slots=True)
class Fence:
    """What stands before the command of the child. ``why``: the reason when there is none, empty otherwise."""

    prefix: tuple[str, ...]
    seccomp: bytes
    why: str = ""

    @contextlib.contextmanager
    def command(self, command: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        """The whole command and the descriptors it needs, which live while the block is open."""
        if not self.seccomp:
            yield (*self.prefix, *command), ()
            return
        reading, writing = os.pipe()
        try:
            os.write(writing, self.seccomp)
            os.close(writing)
            yield (*self.prefix, "--seccomp", str(reading), "--", *command), (reading,)
        finally:
            os.close(reading)


def seccomp_program(machine: str) -> bytes:
    """A filter that lets no second process, no socket and no tracing come to be."""
    audit, refused = MACHINES[machine]
    lines = [(LOAD, 0, 0, 4), (JUMP_EQUAL, 1, 0, audit), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    if machine == "x86_64":
        lines += [(JUMP_AT_LEAST, 0, 1, X32), (RETURN, 0, 0, KILL)]
    for number in refused:
        lines += [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, ERROR | errno.EPERM)]
    lines.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def python() -> str:
    """The interpreter that runs the server (SCR-6)."""
    return sys.executable


@cache
def fence() -> Fence:
    """The sandbox of this machine, tried once."""
    if sys.platform == "darwin":
        return _tried(Fence(("/usr/bin/sandbox-exec", "-p", SEATBELT), b""))
    program = shutil.which("bwrap")
    if program is None:
        return Fence((), b"", "bwrap: not found")
    machine = platform.machine()
    if machine not in MACHINES:
        return Fence((), b"", f"seccomp: {machine}")
    return _tried(Fence((os.path.realpath(program), *BUBBLEWRAP), seccomp_program(machine)))


def _tried(candidate: Fence) -> Fence:
    try:
        with candidate.command((python(), "-I", "-S", "-B", "-c", "")) as (command, fds):
            done = subprocess.run(
                command, env={}, pass_fds=fds, stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE_SECONDS, check=False
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Fence((), b"", f"{Path(candidate.prefix[0]).name}: {error}")
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit {done.returncode}"]
        return Fence((), b"", f"{Path(candidate.prefix[0]).name}: {lines[-1][:200]}")
    return candidate
