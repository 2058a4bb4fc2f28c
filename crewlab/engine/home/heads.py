"""Markdown files with a head: ``---``, YAML, ``---``, then the text (KIT-21, MEMF-6, MEM-28)."""

from __future__ import annotations

import re
from typing import Any

MAX_HEAD_CHARS = 8_192  # a longer head is a mistake, and YAML is slow
_HEAD = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)

_LINE = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):[ \t]*(.*)", re.ASCII)


def split_head(text: str) -> tuple[dict[str, Any] | None, str]:
    """The head and the text after it. The head is ``{}`` where there is none, ``None`` where it is broken."""
    found = _HEAD.match(text)
    if found is None:
        return {}, text
    body = text[found.end() :]
    return (None if len(found[1]) > MAX_HEAD_CHARS else _mapping(found[1])), body


def loose_head(text: str) -> tuple[dict[str, Any] | None, str]:
    """Head and body as ``split_head`` gives them; a head that is no YAML is read line by line (KIT-7, KIT-12).

    The programs that kits were written for do so themselves, and real files hold ``argument-hint: [a] [b]`` and descriptions
    with ``: `` in them. A line that names no key goes on with the value before it.
    """
    head, body = split_head(text)
    found = _HEAD.match(text)
    if head is not None or found is None or len(found[1]) > MAX_HEAD_CHARS:
        return head, body
    values: dict[str, str] = {}
    last = ""
    for line in found[1].splitlines():
        key = _LINE.fullmatch(line)
        if key is not None:
            last = key[1]
            values[last] = key[2].strip()
        elif last:
            values[last] = f"{values[last]} {line.strip()}".strip()
    if not values or any(_is_left_open(value) for value in values.values()):
        return None, body
    return {key: value.strip("\"'") for key, value in values.items()}, body


def _is_left_open(value: str) -> bool:
    """Whether a value is YAML that was not ended, rather than a sentence."""
    return value.startswith(("[", "{")) and not value.endswith(("]", "}"))


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
