"""Time zones: which names there are, and which one the machine has (AGT-8, JOB-15)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from pathlib import Path

LOCALTIME = Path("/etc/localtime")


def is_zone(name: str) -> bool:
    """Whether ``name`` is an IANA time zone this machine knows."""
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):  # no such name, no file, a directory such as "America"
        return False
    return True


def machine_zone(environ: Mapping[str, str], localtime: Path = LOCALTIME) -> str:
    """The machine's IANA zone: ``TZ``, else what ``/etc/localtime`` points at, else ``UTC``."""
    named = environ.get("TZ", "").removeprefix(":")
    if named and is_zone(named):
        return named
    _, found, name = str(localtime.resolve()).partition("/zoneinfo/")
    return name if found and is_zone(name) else "UTC"


def zone_of(name: str | None) -> tzinfo:
    """The person's zone: the set one, else the machine's."""
    from zoneinfo import ZoneInfo

    return ZoneInfo(name) if name else datetime.now().astimezone().tzinfo or ZoneInfo("UTC")
