"""What a command knows of the server's environment: eight names, fixed here (SHL-18, SHL-19)."""

from __future__ import annotations

from collections.abc import Mapping

PASSED = ("PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "SHELL")  # SHL-18: no setting widens it
PRIVATE_TMP = "/tmp"  # SHL-21, SHL-72


def command_environment(environ: Mapping[str, str], *, private_tmp: bool = False) -> dict[str, str]:
    """The environment of a command. ``private_tmp``: it has a ``/tmp`` of its own (SHL-21)."""
    passed = {name: environ[name] for name in PASSED if name in environ}
    if private_tmp:
        passed["TMPDIR"] = PRIVATE_TMP
    return passed
