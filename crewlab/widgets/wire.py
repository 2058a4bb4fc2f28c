"""How the state of a live widget travels: whole once, then only what has changed, in pages that Jupyter lets through (UI-158). Pure.

``labextension/src/widgets/live/wire.ts`` puts together again what is taken apart here; both are tested on the same examples.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Json = dict[str, Any]

MAX_STATE_BYTES = 2 * 1024 * 1024  # UI-158
PAGE_CHARS = 64 * 1024  # WID-1: of one message; with every character escaped still far below the 10 MB of a WebSocket (FQ-4)
KEPT_BYTES = 256 * 1024  # WID-2: of the state that stands in the model, which travels in one message and is saved with a notebook
BYTES_PER_SECOND = 500_000  # WID-3: of all widgets of a kernel together; Jupyter drops what comes faster than 1,000,000
_OWN = ("v", "at")  # which state this is, and of when: no reasons to send anything


def size(value: object) -> int:
    """The bytes of ``value`` in a message."""
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def changes(old: Mapping[str, Any], new: Mapping[str, Any], lists: Mapping[str, str]) -> Json | None:
    """What turns ``old`` into ``new``; None when nothing that is drawn differs.

    ``lists`` names the fields that are lists of objects and the key that tells their entries apart. Without ``old`` it is all of ``new``.
    """
    if not old:
        return {"type": "state", "state": dict(new)}
    changed = [name for name in new if name not in _OWN and old.get(name) != new[name]]
    if not changed:
        return None
    parts: dict[str, Json] = {}
    whole: Json = {}
    for name in changed:
        part = _list_change(old.get(name) or [], new[name], lists[name]) if name in lists else None
        if part is None:
            whole[name] = new[name]
        else:
            parts[name] = part
    return {"type": "change", "from": old["v"], "v": new["v"], "at": new["at"], "set": whole, "lists": parts}


def _list_change(old: Sequence[Json], new: Sequence[Json], key: str) -> Json | None:
    """What went, what is new or other, what has grown. None when the order is another one: then the list travels whole."""
    before = {entry[key]: entry for entry in old}
    after = {entry[key]: entry for entry in new}
    dropped = [name for name in before if name not in after]
    order = [name for name in before if name in after] + [name for name in after if name not in before]
    if order != list(after) or len(after) != len(new):
        return None
    put: list[Json] = []
    grow: list[list[Any]] = []
    for name, entry in after.items():
        was = before.get(name)
        if was == entry:
            continue
        grown = None if was is None else _grown(was, entry)
        if grown is None:
            put.append(entry)
        else:
            grow.append([name, *grown])
    return {"key": key, "drop": dropped, "put": put, "grow": grow}


def _grown(was: Mapping[str, Any], entry: Mapping[str, Any]) -> list[str] | None:
    """The field and what was added to it, when a text that has grown at its end is all the difference."""
    if was.keys() != entry.keys():
        return None
    other = [name for name in entry if was[name] != entry[name]]
    if len(other) != 1:
        return None
    before, after = was[other[0]], entry[other[0]]
    grown = isinstance(before, str) and isinstance(after, str) and before != "" and after.startswith(before)
    return [other[0], after[len(before) :]] if grown else None


def apply_change(old: Mapping[str, Any], change: Mapping[str, Any]) -> Json:
    """``old`` with ``change``: what the page does with the message."""
    if change["type"] == "state":
        return dict(change["state"])
    lists = {name: _apply_list(old.get(name) or [], part) for name, part in change["lists"].items()}
    return {**old, **change["set"], **lists, "v": change["v"], "at": change["at"]}


def _apply_list(old: Sequence[Json], part: Mapping[str, Any]) -> list[Json]:
    key = part["key"]
    entries = {entry[key]: entry for entry in old if entry[key] not in part["drop"]}
    entries.update({entry[key]: entry for entry in part["put"]})
    for name, field, more in part["grow"]:
        entries[name] = {**entries[name], field: entries[name][field] + more}
    return list(entries.values())


def pages(message: Json, number: int) -> Iterator[Json]:
    """``message`` as it is when it is short, else in pages; ``number`` tells the messages of a widget apart (FQ-4)."""
    text = json.dumps(message, ensure_ascii=False)
    if len(text) <= PAGE_CHARS:
        yield message
        return
    count = -(-len(text) // PAGE_CHARS)
    for index in range(count):
        piece = text[index * PAGE_CHARS : (index + 1) * PAGE_CHARS]
        yield {"type": "page", "of": number, "index": index, "count": count, "text": piece}


def newest(entries: Sequence[Json], limit: int) -> tuple[list[Json], int]:
    """The last of ``entries`` that fit into ``limit`` bytes, and how many before them do not."""
    total, kept = 0, len(entries)
    while kept > 0:
        total += size(entries[kept - 1]) + 2
        if total > limit:
            break
        kept -= 1
    return list(entries[kept:]), kept


def trimmed(fields: Mapping[str, Any], name: str, limit: int, first: Callable[[Json], Json] | None = None) -> Json:
    """``fields`` within ``limit`` bytes: the oldest entries of the list ``name`` are left out, ``dropped`` says how many (UI-158).

    The last entry always stays: when it alone is too long, ``first`` makes it shorter.
    """
    rest = {key: value for key, value in fields.items() if key != name}
    kept, dropped = newest(fields[name], limit - size(rest))
    if not kept and fields[name] and first is not None:
        kept, dropped = [first(fields[name][-1])], dropped - 1
    return {**fields, name: kept, "dropped": fields.get("dropped", 0) + dropped}
