"""The arguments of a call against the tool's schema, before anything runs (TOOL-12).

Checked is the part of JSON Schema that tools use: ``type``, ``enum``, ``properties``, ``required``,
``additionalProperties``, ``items`` and the limits. Other keywords inform the model only.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolError
from crewlab.engine.tools.shown import clean_name

MAX_PROBLEMS = 5  # a call wrong in every place is still answered in a few lines

Schema = dict[str, Any]

TYPES: dict[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer()),
    "number": lambda value: (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and math.isfinite(value)),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def _itself(value: float) -> float:
    return value


LIMITS: tuple[tuple[str, type | tuple[type, ...], bool, Callable[[Any], float], str], ...] = (
    ("minimum", (int, float), True, _itself, "tools.args_low"),
    ("maximum", (int, float), False, _itself, "tools.args_high"),
    ("minLength", str, True, len, "tools.args_short"),
    ("maxLength", str, False, len, "tools.args_long"),
    ("minItems", list, True, len, "tools.args_few"),
    ("maxItems", list, False, len, "tools.args_many"),
)


class _Check:
    """One walk over the arguments; ``problems`` holds a sentence for each fault."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.problems: list[str] = []

    def fault(self, key: str, name: str, **values: object) -> None:
        self.problems.append(self.texts(key, name=name, **values))

    def value(self, value: object, schema: Schema, name: str) -> object:
        """``value`` as the tool is given it: nulls of optional members left out, ``3.0`` as ``3`` where an integer is meant."""
        allowed = _types(schema)
        if allowed and not any(TYPES[each](value) for each in allowed):
            self.fault("tools.args_type", name, expected=_form(schema), got=_type_of(value))
            return value
        if "enum" in schema and value not in schema["enum"]:
            self.fault("tools.args_enum", name, choices=_form(schema))
            return value
        self.limits(value, schema, name)
        if isinstance(value, float) and "integer" in allowed and "number" not in allowed:
            return int(value)
        if isinstance(value, dict) and "properties" in schema:
            return self.members(value, schema, f"{name}.")
        if isinstance(value, list) and "items" in schema:
            return [self.value(item, schema["items"], f"{name}[{index}]") for index, item in enumerate(value)]
        return value

    def limits(self, value: object, schema: Schema, name: str) -> None:
        for keyword, kind, least, measure, key in LIMITS:
            limit = schema.get(keyword)
            if limit is None or not isinstance(value, kind):
                continue
            measured = measure(value)
            if measured < limit if least else measured > limit:
                self.fault(key, name, limit=limit)

    def members(self, given: dict[str, Any], schema: Schema, prefix: str) -> Arguments:
        known: dict[str, Schema] = schema.get("properties", {})
        required = schema.get("required", ())
        out: Arguments = {}
        for name, value in given.items():
            if name in known:
                if value is not None or "null" in _types(known[name]):
                    out[name] = self.value(value, known[name], prefix + name)
            elif not schema.get("additionalProperties", False):
                self.fault("tools.args_unknown", prefix + clean_name(str(name)))
            else:
                out[name] = value
        for name in required:
            if name not in out:
                self.fault("tools.args_missing", prefix + name)
        return out

    def choice(self, given: Arguments, groups: tuple[tuple[str, ...], ...]) -> None:
        """Exactly one of ``groups`` is given, and whole."""
        touched = [group for group in groups if any(name in given for name in group)]
        if len(touched) != 1:
            joined = self.texts("tools.args_or").join(" + ".join(group) for group in groups)
            self.problems.append(self.texts("tools.args_choice", groups=joined))
            return
        for name in touched[0]:
            if name not in given:
                self.fault("tools.args_missing", name)


def check_arguments(tool: Tool, arguments: object, texts: Texts, wrong: str = "tools.args_wrong") -> Arguments:
    """The arguments ``run`` is given; raises ``ToolError`` that ends with the correct form. Nothing is changed in place.

    ``wrong`` is the sentence of that error; scripts have their own (SCR-98).
    """
    check = _Check(texts)
    checked: Arguments = {}
    if not isinstance(arguments, dict):
        check.problems.append(texts("tools.args_not_object"))
    else:
        checked = check.members(arguments, tool.parameters, "")
        if tool.one_of and not check.problems:
            check.choice(checked, tool.one_of)
    if check.problems:
        raise ToolError(texts(wrong, problems=" ".join(check.problems[:MAX_PROBLEMS]), form=correct_form(tool)))
    return checked


def correct_form(tool: Tool) -> str:
    """``name(a: string, b?: integer)``; with groups to choose from, one such form for each, joined by ``|``."""
    known: dict[str, Schema] = tool.parameters.get("properties", {})
    grouped = {name for group in tool.one_of for name in group}
    forms = []
    for group in tool.one_of or ((),):
        required = {*tool.parameters.get("required", ()), *group}
        names = [name for name in known if name not in grouped or name in group]
        forms.append(f"{tool.name}({', '.join(_member(name, known[name], name in required) for name in names)})")
    return " | ".join(forms)


def _member(name: str, schema: Schema, required: bool) -> str:
    return f"{name}{'' if required else '?'}: {_form(schema)}"


def _form(schema: Schema) -> str:
    """The type of a value in the notation of the correct form."""
    if "enum" in schema:
        return "|".join(json.dumps(choice, ensure_ascii=False) for choice in schema["enum"])
    if "items" in schema:
        return f"{_form(schema['items'])}[]"
    if "properties" in schema:
        required = schema.get("required", ())
        inner = ", ".join(_member(name, each, name in required) for name, each in schema["properties"].items())
        return f"{{{inner}}}"
    return "|".join(_types(schema)) or "any"


def _types(schema: Schema) -> tuple[str, ...]:
    declared = schema.get("type", ())
    return (declared,) if isinstance(declared, str) else tuple(declared)


def _type_of(value: object) -> str:
    """The JSON name of what was given."""
    order = ("null", "boolean", "integer", "number", "string", "array", "object")
    return next((name for name in order if TYPES[name](value)), "number")
