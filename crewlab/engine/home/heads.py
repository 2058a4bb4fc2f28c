"""Markdown files with a head: ``---``, YAML, ``---``, then the text (KIT-21, MEMF-6, MEM-28)."""

from __future__ import annotations

import re
from typing import Any

MAX_HEAD_CHARS = 8_192  # a longer head is a mistake, and YAML is slow
_HEAD = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)

_LINE = re.compile(r"^([A-Za-z][A-Za-z0-9_-]*):[ \t]*(.*?)[ \t]*\r?$", re.MULTILINE)


def split_head(text: str) -> tuple[dict[str, Any] | None, str]:
    """The head and the text after it. The head is ``{}`` where there is none, ``None`` where it is broken."""
    found = _HEAD.match(text)
    if found is None:
        return {}, text
    body = text[found.end() :]
    return (None if len(found[1]) > MAX_HEAD_CHARS else _mapping(found[1])), body


def loose_head(text: str) -> dict[str, Any]:
    """The head read line by line, for files of programs that do so themselves: ``key: anything`` (KIT-7, KIT-12).

    Real files hold ``argument-hint: [a] [b]`` and descriptions with ``: `` in them, which are no YAML.
    """
    found = _HEAD.match(text)
    lines = _LINE.findall(found[1][:MAX_HEAD_CHARS]) if found is not None else []
    return {key: value.strip().strip("\"'") for key, value in lines if value.strip()}


def _mapping(head: str) -> dict[str, Any] | None:
    import yaml

    # Both are safe loaders; the first is written in C and not everywhere
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        values = yaml.load(head, Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if values is None:
        return {}
    return {str(key): value for key, value in values.items()} if isinstance(values, dict) else None


def with_head(values: dict[str, Any], body: str) -> str:
    """The text of a file with this head."""
    import yaml

    head = yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=1_000_000, default_flow_style=False)
    return f"---\n{head}---\n{body}"


def one_line(value: object, limit: int) -> str:
    """A value of a head as one line of at most ``limit`` characters; "" for what is no text, number or date."""
    if value is None or isinstance(value, (dict, list, bytes)):
        return ""
    line = " ".join(str(value).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
