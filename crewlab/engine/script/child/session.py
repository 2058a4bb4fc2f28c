"""One script in this process: the limits of the system first, then the script from the server, then how it ended (SCR-16)."""

from __future__ import annotations

import _warnings
import fcntl
import posix
import resource
import sys
import unicodedata  # the parser imports it at the first name that is not ASCII (SCR-6: all imports are done before)

from . import limits, words
from .channel import Channel
from .faults import Fault, Refused, Stop
from .host import Host
from .json_read import stand_in
from .kinds import Any
from .machine import Machine
from .meter import Memory, Meter
from .printed import clean
from .program import compiled
from .show import error_text

NORMALISES = unicodedata.normalize
CPU_SECONDS = (20, 21)  # SCR-16, SCR-17
ADDRESS_SPACE = 1024 * 1024 * 1024
OPEN_FILES = 16
RECURSION = 400_000  # 200 nested nodes times 40 calls, each a few frames (SCR-24)


def fence() -> None:
    """The limits of the system for this process."""
    resource.setrlimit(resource.RLIMIT_CPU, CPU_SECONDS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    if sys.platform.startswith("linux"):
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    end_with_server()


def end_with_server() -> None:
    """When the server closes its end of stderr, the system sends SIGIO, which ends this process whatever it does (SCR-20)."""
    fcntl.fcntl(2, fcntl.F_SETOWN, posix.getpid())
    fcntl.fcntl(2, fcntl.F_SETFL, fcntl.fcntl(2, fcntl.F_GETFL) | fcntl.FASYNC)


def serve() -> None:
    """Run the one script this process is for."""
    stand_in()
    _warnings.filters.insert(0, ("ignore", None, Warning, None, 0))  # SCR-23
    fence()
    channel = Channel()
    start = channel.read()
    words.learn(start["words"])
    given = start.get("limits", {})
    meter = Meter(int(given.get("steps", limits.MAX_STEPS)), Memory(int(given.get("memory", limits.MAX_MEMORY))))
    machine = Machine(meter)
    sys.setrecursionlimit(RECURSION)
    ended = conclude(start["script"], machine, Host(machine, channel), only_check=start.get("check") is True)
    sys.setrecursionlimit(RECURSION + 1000)
    channel.send("done", **ended)


def conclude(source: str, machine: Machine, host: Host, *, only_check: bool = False) -> dict[str, Any]:
    """Run ``source`` and say how it ended (SCR-64)."""
    code, line, params = "ok", 0, {}
    try:
        machine.meter.memory.begin()
        go = compiled(source, machine, host, host.builtins())
        if not only_check:
            go()
    except Refused as refused:
        code, line, params = refused.code, refused.line, {"word": refused.word, **refused.params}
    except Fault as error:
        code, line, params = "uncaught", error.line, uncaught(error, machine)
    except Stop as stop:
        code, line, params = stop.code, stop.line, stop.params
    except MemoryError:
        code = "limit_memory"
    printed = machine.printed.result()
    return {
        "ok": code == "ok", "code": code, "params": params, "line": line, "printed": printed, "printed_chars": len(printed),
    }  # fmt: skip


def uncaught(error: Fault, machine: Machine) -> dict[str, Any]:
    """The class, the text and the calling lines of an error nobody caught (SCR-60, SCR-63)."""
    try:
        text = error_text(error, machine.meter)
    except (Fault, Stop):
        text = ""
    return {"type": error.name, "message": clean(text)[: limits.MAX_MESSAGE], "callers": error.callers}
