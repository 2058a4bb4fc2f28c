"""The parameters of a tool as its author wrote them, told in short (SCR-86, SCR-98, MCP-40). Pure.

A schema of an MCP server may have any form: what cannot be read counts as ``any``, and whatever it is, the text stays short and is
soon made.
"""

from __future__ import annotations

import json
import keyword
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.shown import clean_line, clean_name

MAX_PARAMETERS = 300  # of one tool, those inside others included
MAX_LEVELS = 6  # how deep parameters inside others are looked at
MAX_VISITS = 5_000  # parts of one schema that are looked at: one that points to itself in many places has no end
MAX_FORM = 80  # a longer form of a value is told by its type alone
MAX_USAGE = 1_200  # characters of one usage line
KINDS = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
REST = "…"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; inside another one its name is a path, ``filter.owner`` or ``pages[].title``."""

    path: str
    form: str
    required: bool
    description: str


def usage_line(tool: Tool, most: int | None = None) -> str:
    """``name(a: string, b?: integer)``; with groups to choose from one such form each, joined by ``|``.

    What is beyond ``most`` parameters, or beyond the longest line, is shown as ``…``. A name that cannot be written as a keyword
    stands in quotation marks.
    """
    schema = _Schema(tool)
    members = list(islice(schema.members(schema.root), MAX_PARAMETERS))
    grouped = {name for group in tool.one_of for name in group}
    lines = []
    for group in tool.one_of or ((),):
        kept = [each for each in members if each[0] not in grouped or each[0] in group]
        parts = [_shown(name) + ("" if needed or name in group else "?") + f": {schema.form(each)}" for name, each, needed in kept]
        lines.append(f"{tool.name}({_cut(parts, most)})")
    return " | ".join(lines)


def parameters(tool: Tool) -> Iterator[Parameter]:
    """Every parameter, each followed by those inside it."""
    schema = _Schema(tool)
    return islice(schema.inside(schema.root, "", 0), MAX_PARAMETERS)


def _cut(parts: list[str], most: int | None) -> str:
    kept: list[str] = []
    size = 0
    for part in parts[:most]:
        size += len(part) + 2
        if size > MAX_USAGE:
            break
        kept.append(part)
    return ", ".join([*kept, REST] if len(kept) < len(parts) else kept)


def _shown(name: str) -> str:
    if name.isidentifier() and not keyword.iskeyword(name) and name[:2] != "__" and unicodedata.normalize("NFKC", name) == name:
        return clean_name(name)
    return json.dumps(clean_name(name), ensure_ascii=False)


def _list(schema: Mapping[str, Any], word: str) -> list[Any]:
    found = schema.get(word)
    return found if isinstance(found, list) else []


def _joined(parts: Iterable[str], between: str) -> str | None:
    """The parts, each once; ``None`` as soon as they are too long."""
    kept: dict[str, None] = {}
    size = 0
    for part in parts:
        size += 0 if part in kept else len(part) + len(between)
        if size > MAX_FORM:
            return None
        kept[part] = None
    return between.join(kept)


class _Schema:
    """One walk over the schema of a tool, as its author wrote it, whatever is declared to the model (SCR-92, SCR-110)."""

    def __init__(self, tool: Tool) -> None:
        self.root: Any = tool.parameters if tool.foreign is None else tool.foreign.schema
        self._left = MAX_VISITS

    def opened(self, schema: Any) -> dict[str, Any]:
        """The schema, or what it points to within the same text; an empty one when it is neither, or the walk has been long."""
        for _ in range(MAX_LEVELS):
            self._left -= 1
            if not isinstance(schema, dict) or self._left < 0:
                return {}
            target = schema.get("$ref")
            if not isinstance(target, str):
                return schema
            schema = self._pointed(target)
        return {}

    def _pointed(self, target: str) -> Any:
        if target == "#":
            return self.root
        place = self.root if target.startswith("#/") else None
        for step in target[2:].split("/"):
            place = place.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(place, dict) else None
        return place

    def members(self, schema: Any, level: int = 0) -> Iterator[tuple[str, Any, bool]]:
        """Name, schema and whether it is needed, of the members of an object, those of its alternatives too, each name once."""
        opened = self.opened(schema)
        seen: set[str] = set()
        properties = opened.get("properties")
        required = _list(opened, "required")
        for name, each in properties.items() if isinstance(properties, dict) else ():
            seen.add(name)
            yield name, each, name in required
        for word in ("allOf", "anyOf", "oneOf") if level < MAX_LEVELS else ():
            for branch in _list(opened, word):
                for name, each, needed in self.members(branch, level + 1) if self._left > 0 else ():
                    if name not in seen:
                        seen.add(name)
                        yield name, each, word == "allOf" and (needed or name in required)

    def inside(self, schema: Any, prefix: str, level: int) -> Iterator[Parameter]:
        """The parameters of one object, each followed by those inside it."""
        for name, each, required in self.members(schema) if level < MAX_LEVELS else ():
            path = prefix + clean_name(name)
            yield Parameter(path, self.form(each), required, self._words(each))
            inner, mark = self.opened(each), ""
            while isinstance(inner.get("items"), dict) and len(mark) < MAX_LEVELS:
                inner, mark = self.opened(inner["items"]), mark + "[]"
            yield from self.inside(inner, f"{path}{mark}.", level + 1)

    def _words(self, schema: Any) -> str:
        own = schema.get("description") if isinstance(schema, dict) else None
        words = own if isinstance(own, str) else self.opened(schema).get("description")
        return words if isinstance(words, str) else ""

    def form(self, schema: Any, level: int = 0) -> str:
        """The type of a value: ``string``, ``string[]``, ``"a"|"b"``, ``{id: string}``; a long one by its type alone."""
        opened = self.opened(schema)
        declared = opened.get("type")
        types = [each for each in (declared if isinstance(declared, list) else [declared]) if isinstance(each, str) and each in KINDS]
        fine = self._fine(opened, bool(types), level + 1) if level < MAX_LEVELS and self._left > 0 else None
        if fine is not None and len(fine) <= MAX_FORM:
            return fine
        return "|".join(dict.fromkeys(types)) or ("array" if "items" in opened else "object" if "properties" in opened else "any")

    def _fine(self, schema: Mapping[str, Any], typed: bool, level: int) -> str | None:
        choices = _list(schema, "enum") or ([schema["const"]] if "const" in schema else [])
        if choices:
            plain = not any(isinstance(each, (dict, list)) for each in choices)
            return _joined((clean_line(json.dumps(each, ensure_ascii=False), MAX_FORM) for each in choices), "|") if plain else None
        if isinstance(schema.get("items"), dict):
            item = self.form(schema["items"], level)
            return f"({item})[]" if "|" in item and (item[0], item[-1]) != ("{", "}") else f"{item}[]"
        if isinstance(schema.get("properties"), dict):
            members = self.members(schema)
            inner = _joined((f"{_shown(name)}{'' if must else '?'}: {self.form(each, level)}" for name, each, must in members), ", ")
            return None if inner is None else f"{{{inner}}}"
        branches = [] if typed else _list(schema, "anyOf") or _list(schema, "oneOf")
        return _joined((self.form(each, level) for each in branches), "|") if branches else None
