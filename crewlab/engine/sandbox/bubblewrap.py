"""The command line of bubblewrap for a policy (SHL-67 to SHL-77). Looks at the file system, changes nothing."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.sandbox.filter import Sockets
from crewlab.engine.sandbox.places import Place, outermost
from crewlab.engine.sandbox.policy import Policy

LAUNCHER = Path(__file__).resolve().with_name("launcher.py")
SHARED_MEMORY_BYTES = 64 * 1024 * 1024
BLOCKED_PROGRAMS = (  # SHL-77
    "xdg-open", "gio", "gdbus", "dbus-send", "busctl", "systemctl", "systemd-run", "loginctl", "at", "batch", "crontab", "xclip",
    "xsel", "wl-copy", "notify-send", "flatpak-spawn", "docker", "podman",
)  # fmt: skip
SYSTEM_DIRECTORIES = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
MANY_IN_ONE = frozenset({"busybox", "toybox"})  # covering one name would cover every program in it
TEMPORARY = ("/tmp", "/var/tmp")  # SHL-72
RESOLVER = Path("/etc/resolv.conf")  # SHL-73
BASE = (  # SHL-67
    "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
    "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
)  # fmt: skip
READ_ONLY_SYSTEM = (
    # a server run by root could otherwise write the kernel's settings (/proc/sys/kernel/core_pattern), and fill memory through /dev
    "--remount-ro", "/proc", "--size", str(SHARED_MEMORY_BYTES), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Around:
    """What surrounds a policy: the program, the agent's private temporary folder, places to cover, ports, descriptors, ``PATH``."""

    program: str
    temporary: Path
    hidden: tuple[Path, ...]
    ports: tuple[int, ...]
    ready: int
    filter: int
    path: str


def command_line(policy: Policy, places: Sequence[Place], around: Around, command: Sequence[str]) -> list[str]:
    """bubblewrap, the launcher and ``command``; ``places`` are the opened write paths."""
    workspace = os.path.realpath(policy.workspace)
    temporary = [arg for inside in TEMPORARY for arg in ("--bind", str(around.temporary), inside)]
    empty = _emptied()
    restored = _restored(workspace, (*TEMPORARY, *empty))
    between = _between(restored)
    seen = [*restored, *(str(place.path) for place in places)]
    writable = [*TEMPORARY, *(str(place.path) for place in places)]
    network = "own" if policy.own_sockets else "none" if policy.form == "closed" else "limited"
    config = {"ready": around.ready, "ports": list(around.ports), "network": network, "writable": writable}
    return [
        around.program,
        *BASE,
        *READ_ONLY_SYSTEM,
        *(("--unshare-net",) if policy.form == "closed" else ()),
        *temporary,
        *(arg for folder in empty for arg in ("--tmpfs", folder)),
        *(_resolver() if policy.form == "write_limited" else ()),
        *(arg for folder in between for arg in ("--tmpfs", folder)),
        *(arg for path in restored for arg in ("--ro-bind", path, path)),
        *(arg for place in places for arg in ("--bind", f"/proc/self/fd/{place.descriptor}", str(place.path))),
        *(arg for folder in (*between, *empty) for arg in ("--remount-ro", folder)),
        *_covers(_in_sight(around.hidden, seen, (*TEMPORARY, *empty))),
        *_blocked(around.path, writable),
        *("--chdir", workspace, "--seccomp", str(around.filter)),
        *("--", os.path.realpath(sys.executable), "-I", "-S", "-B", str(LAUNCHER), json.dumps(config)),
        *command,
    ]


def sockets_of(policy: Policy) -> Sockets:
    """What the filter does with ``socket()`` (SHL-76)."""
    if policy.own_sockets:
        return "own"
    return "none" if policy.form == "closed" else "internet"


def _emptied() -> tuple[str, ...]:
    """``/run``, and ``/var/run`` where it is a folder of its own (SHL-74)."""
    return ("/run",) if os.path.islink("/var/run") or not os.path.isdir("/var/run") else ("/run", "/var/run")


def _below(path: str | Path, folders: Iterable[str]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


def _restored(workspace: str, covered: Sequence[str]) -> list[str]:
    """What is shown again where a covered folder holds it: the interpreter with its packages, launcher, workspace (SHL-68)."""
    needed = (sys.base_prefix, sys.base_exec_prefix, sys.prefix, str(LAUNCHER), workspace)
    wanted = dict.fromkeys(os.path.realpath(path) for path in needed)
    return [path for path in wanted if _below(path, covered)]


def _between(restored: Iterable[str]) -> list[str]:
    """The first folder below a temporary folder on the way to what is shown again there, as an empty one.

    Else bubblewrap would make the way in the agent's own temporary folder, through whatever links a command left in it.
    """
    found: dict[str, None] = {}
    for path in restored:
        for folder in TEMPORARY:
            if Path(path).is_relative_to(folder) and len(parts := Path(path).relative_to(folder).parts) > 1:
                found[f"{folder}/{parts[0]}"] = None
    return list(found)


def _in_sight(hidden: Iterable[Path], seen: Sequence[str], covered: Sequence[str]) -> list[Path]:
    """The places to cover; what an emptied or private folder already hides needs no cover, and has nothing to be put on."""
    return [path for path in outermost(hidden) if not _below(path, covered) or _below(path, seen)]


def _covers(paths: Iterable[Path]) -> list[str]:
    """SHL-75."""
    out: list[str] = []
    for path in paths:
        if path.is_dir():
            out += ["--perms", "0000", "--tmpfs", str(path), "--remount-ro", str(path)]
        else:
            out += ["--ro-bind", "/dev/null", str(path)]
    return out


def _resolver() -> list[str]:
    """SHL-73."""
    real = os.path.realpath(RESOLVER)
    return ["--ro-bind", real, real] if _below(real, _emptied()) and os.path.isfile(real) else []


def _blocked(search: str, writable: Sequence[str]) -> list[str]:
    """SHL-77, wherever a program of that name lies that a command could not have written itself."""
    folders = dict.fromkeys([*SYSTEM_DIRECTORIES, *(each for each in search.split(":") if each.startswith("/"))])
    found = {os.path.realpath(f"{folder}/{name}") for folder in folders for name in BLOCKED_PROGRAMS if os.path.isfile(f"{folder}/{name}")}
    usable = sorted(path for path in found if os.path.basename(path) not in MANY_IN_ONE and not _below(path, (*writable, *_emptied())))
    return [arg for path in usable for arg in ("--ro-bind", "/dev/null", path)]
