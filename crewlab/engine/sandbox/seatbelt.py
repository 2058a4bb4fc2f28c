"""The profile of macOS's ``sandbox-exec`` for a policy (SHL-63, SHL-64). Pure text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from crewlab.engine.sandbox.policy import Form

PROGRAM = "/usr/bin/sandbox-exec"  # SHL-60
BLOCKED_PROGRAMS = ("/usr/bin/open", "/bin/launchctl", "/usr/bin/osascript", "/usr/bin/shortcuts", "/usr/bin/pbcopy")  # SHL-52
BLOCKED_SERVICES = ('(global-name "com.apple.coreservices.launchservicesd")',)
BLOCKED_PREFIXES = ("com.apple.lsd.", "com.apple.pasteboard.")
TEMPORARY = ("/private/tmp", "/private/var/tmp")
WRITABLE_DEVICES = ('(literal "/dev/null")', '(literal "/dev/tty")', '(subpath "/dev/fd")')


def quoted(text: str) -> str:
    """A string of the profile language: nothing in a path can end it (SHL-64)."""
    if any(ord(sign) < 32 or ord(sign) == 127 for sign in text):
        raise ValueError(repr(text))
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def profile(form: Form, writable: Sequence[Path], hidden: Iterable[Path], ports: Iterable[int]) -> str:
    """The profile; every path is real already. Later rules win, so the covers come last. Raises ``ValueError``."""
    lines = ["(version 1)", "(allow default)"]
    if form == "closed":
        lines.append("(deny network*)")
    else:
        lines += [f'(deny network-outbound (remote tcp "*:{port}"))' for port in sorted(set(ports))]
    lines.append(f"(deny process-exec {' '.join(f'(literal {quoted(path)})' for path in BLOCKED_PROGRAMS)})")
    prefixes = [f'(global-name-regex #"^{prefix.replace(".", "[.]")}")' for prefix in BLOCKED_PREFIXES]
    lines.append(f"(deny mach-lookup {' '.join([*BLOCKED_SERVICES, *prefixes])})")
    lines.append("(deny file-write*)")
    open_places = [f"(subpath {quoted(path)})" for path in dict.fromkeys([*map(str, writable), *TEMPORARY])]
    lines.append(f"(allow file-write* {' '.join([*open_places, *WRITABLE_DEVICES])})")
    covers = [f"(subpath {quoted(str(path))})" for path in dict.fromkeys(hidden)]
    if covers:
        lines.append(f"(deny file-read* file-write* {' '.join(covers)})")
    return "\n".join(lines) + "\n"
