"""What may be kept, and where: pure rules of the script store (STO-3 to STO-11, STO-23, STO-24).

The server trusts no claim of the child (SCR-9).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from crewlab.engine.store.script_store import CONVERSATION, JOB

MAX_KEY = 200  # STO-4
MAX_VALUE = 65_536  # STO-10
MAX_NAMESPACE = 262_144  # STO-10
MAX_NESTING = 100  # STO-9


def namespace_of(source: str, agent_id: str, conversation_id: str | None) -> str | None:
    """Where a script of a run keeps; ``None``: nowhere (STO-23).

    ``source`` is that of the run, not of its conversation: a turn that a job opened carries the job's also when it goes on after an
    approval or a restart, and the turn of a person who goes on talking there carries the person's (STO-24).
    """
    own = f"{JOB}{agent_id}/"
    if source.startswith(own):
        return JOB + source.removeprefix(own)
    return None if conversation_id is None else CONVERSATION + conversation_id


def good_key(key: str) -> bool:
    """Whether it can be a key (STO-4, STO-5)."""
    return 1 <= len(key) <= MAX_KEY and _whole(key)


def compact(text: str) -> str | None:
    """The JSON text as it is kept (STO-7), or ``None`` when it is none that reads back unchanged."""
    if not _whole(text):
        return None
    try:
        value = json.loads(text, parse_constant=_refused)
        if _nesting(value) > MAX_NESTING:
            return None
        written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return written if _whole(written) else None


def size(values: Mapping[str, str]) -> int:
    """What the limit of a namespace counts: keys and values, in code points (STO-10)."""
    return sum(len(key) + len(text) for key, text in values.items())


def _refused(name: str) -> Any:
    raise ValueError(name)


def _whole(text: str) -> bool:
    """Whether no half of a surrogate pair stands in it: such text fits in no row."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _nesting(value: Any) -> int:
    deepest, left = 0, [(value, 1)]
    while left:
        part, level = left.pop()
        if isinstance(part, dict | list):
            deepest = max(deepest, level)
            left += [(one, level + 1) for one in (part.values() if isinstance(part, dict) else part)]
    return deepest
