"""The time zone of this process as an IANA name, when it has one (UI-148, PTL-154)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

ZONEINFO = "/zoneinfo/"
LOCALTIME = Path("/etc/localtime")


def iana_zone(environ: Mapping[str, str] | None = None, localtime: Path = LOCALTIME) -> str | None:
    """``Asia/Ho_Chi_Minh`` from ``TZ`` or the machine's link to its zone; None when no known name is there."""
    env = os.environ if environ is None else environ
    name = env.get("TZ", "").removeprefix(":")
    if not name:
        target = os.path.realpath(localtime)
        name = target.partition(ZONEINFO)[2] if localtime.is_symlink() else ""
    return name if name and _known(name) else None


def _known(name: str) -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
