"""Changing one key of ``secrets.env``: all other lines stay (CHN-48, CHN-49)."""

from __future__ import annotations

import re

from crewlab.engine.home.keys import NAME, VALUE_CHARS, parse_keys
from crewlab.engine.home.wrong import Wrong

CLOSED_NAMES = frozenset({"PATH", "HOME", "CREWLAB_HOME"})  # CHN-48
CLOSED_PREFIXES = ("LD_", "DYLD_", "PYTHON", "JUPYTER")  # CHN-48
SIGN_IN = re.compile(r"MCP_\w+_(?:ACCESS_TOKEN|REFRESH_TOKEN|ISSUER|REDIRECT_URI)")  # MCP-85: kept by the crew itself
BREAKS = frozenset("\n\r\0\v\f\x1c\x1d\x1e\x85\u2028\u2029")  # CHN-48: whatever a reader may take for the end of a line


def check_name(name: str) -> str:
    """The name of a variable that a person may set. Raises ``Wrong``, which does not repeat it when it may be the key itself."""
    if not NAME.fullmatch(name):
        raise Wrong("must_variable")
    if name in CLOSED_NAMES or name.startswith(CLOSED_PREFIXES) or is_sign_in(name):
        raise Wrong("must_free_variable", name=name)
    return name


def is_sign_in(name: str) -> bool:
    """Whether the crew itself keeps this variable for the sign-in of an MCP server; it is shown and set by nobody."""
    return SIGN_IN.fullmatch(name) is not None


def check_value(value: str) -> str:
    """A value without spaces around it. Raises ``Wrong``, which never repeats it (CHN-48)."""
    bare = value.strip(" \t")
    if any(sign in BREAKS for sign in bare):
        raise Wrong("must_key_line")
    if not bare:
        raise Wrong("must_key_value")
    if len(bare) > VALUE_CHARS:
        raise Wrong("must_at_most_chars", max=VALUE_CHARS)
    return bare


def with_key(text: str, name: str, value: str | None) -> str:
    """``text`` with the key set in the place of its last line, or without it; a second line of the name goes."""
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if _name_of(line) == name]
    written = None if value is None else f"{name}={_quoted(value)}"
    if written is not None and not places:
        body = text if not text or text.endswith("\n") else text + "\n"
        return f"{body}{written}\n"
    for number in places:
        keep = written is not None and number == places[-1]
        lines[number] = written if keep and written is not None else "\0"
    return "\n".join(line for line in lines if line != "\0")


def _name_of(line: str) -> str:
    return line.strip().removeprefix("export ").lstrip().partition("=")[0].strip()


def _quoted(value: str) -> str:
    """As ``parse_keys`` reads it back: in quotes when it has quotes around it itself."""
    pairs, _ = parse_keys(f"A={value}")
    return value if pairs.get("A") == value else f'"{value}"'
