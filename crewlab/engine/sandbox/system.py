"""What this machine can hold, found out once by trying (SHL-66), and the server's own mark on itself (SHL-81)."""

from __future__ import annotations

import ctypes
import logging
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from crewlab.engine.sandbox.filter import MACHINES
from crewlab.engine.sandbox.launcher import ABI_NETWORK, landlock_abi
from crewlab.engine.sandbox.policy import Form
from crewlab.engine.sandbox.seatbelt import PROGRAM

log = logging.getLogger(__name__)

System = Literal["macos", "linux", "other"]
Missing = Literal["bwrap", "namespaces", "landlock", "processor", "sandbox_exec", "system"]
PR_SET_DUMPABLE = 4


@dataclass(slots=True)
class Found:
    """What the probe found: per form the reason why it cannot be held, and the first line the system said about it."""

    system: System
    program: str = ""
    missing: dict[Form, Missing] = field(default_factory=dict)
    said: dict[Form, str] = field(default_factory=dict)


def this_system() -> System:
    """The kind of machine."""
    return "macos" if sys.platform == "darwin" else "linux" if sys.platform.startswith("linux") else "other"


def look(system: System, environ: Mapping[str, str]) -> Found:
    """What can be told without starting anything: the program, the processor, Landlock."""
    if system == "macos":
        usable = os.access(PROGRAM, os.X_OK)
        return Found(system, PROGRAM if usable else "", {} if usable else _both("sandbox_exec"))
    if system == "other":
        return Found(system, "", _both("system"))
    program = shutil.which("bwrap", path=environ.get("PATH")) or ""
    if not program:
        return Found(system, "", _both("bwrap"))
    if os.uname().machine not in MACHINES:
        return Found(system, program, _both("processor"))
    return Found(system, program, {} if landlock_abi() >= ABI_NETWORK else {"write_limited": "landlock"})


def _both(missing: Missing) -> dict[Form, Missing]:
    return {"closed": missing, "write_limited": missing}


def close_to_others() -> bool:
    """Mark this process as not readable by other processes of the same user (SHL-81); on Linux. Whether it worked."""
    if not sys.platform.startswith("linux"):
        return False
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0:
        return True
    log.warning("this process could not be closed to other processes of the same user: %s", os.strerror(ctypes.get_errno()))
    return False
