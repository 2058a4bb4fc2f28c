"""From a value that cannot stand to the sentence a person reads: file, line, key, what is wrong, what to do (AGT-4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.unknown import unknown_key
from crewlab.engine.home.wrong import Wrong
from crewlab.engine.home.yamlfile import Loc, YamlFile, show_loc
from crewlab.engine.texts import Texts

SHOWN_CHARS = 60  # of a wrong value
SHOWN_PROBLEMS = 5  # of one file

Model = TypeVar("Model", bound=BaseModel)

_NEVER_SHOWN = frozenset({"headers", "url", "token_env", "billing"})  # what stands there may be a secret
_EMPTY_IS_A_VALUE = frozenset(  # an empty value has a meaning of its own: BRW-7, DSK-3, TIER-7, NBK-8, BRW-15, VIS-3
    {"browser", "computer", "code", "notebooks", "browser_hosts", "vision_routes"}
)
_EMPTY_WHEN_ABSENT = frozenset(  # keys whose absence and emptiness mean the same
    {
        "timezone", "browser_executable", "desktop_socket", "description", "routes", "escalation_route", "vibe_fast_routes",
        "vibe_good_routes", "extra_tools", "mcp", "knowledge", "deferred_groups", "skills_dirs", "schedules", "memory_consolidate",
        "telegram", "computer_apps", "shell_allow_patterns", "shell_deny_patterns", "workspace", "name",
    }
)  # fmt: skip
_TYPES = {  # pydantic's type of error -> text
    "string_type": "must_text",
    "int_type": "must_whole",
    "int_from_float": "must_whole",
    "float_type": "must_number",
    "finite_number": "must_number",
    "bool_type": "must_switch",
    "dict_type": "must_mapping",
    "model_type": "must_mapping",
    "literal_error": "must_one_of",
    "greater_than_equal": "must_at_least",
    "greater_than": "must_more_than",
    "less_than_equal": "must_at_most",
    "string_too_short": "must_at_least_chars",
    "string_too_long": "must_at_most_chars",
    "missing": "must_be_there",
}


@dataclass(frozen=True, slots=True)
class Source:
    """Where values came from: the file, and for some keys a variable. ``elsewhere`` names the other kind
    of file for a key that stands there."""

    file: YamlFile
    variables: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Callable[[str], str | None] = lambda key: None

    def where(self, loc: Loc, texts: Texts) -> str:
        """The place as people read it."""
        if loc and loc[0] in self.variables:
            return texts("home.in_variable", variable=self.variables[str(loc[0])])
        line = self.file.line(loc)
        if line is None:
            return texts("home.in_file", file=self.file.path)
        return texts("home.in_line", file=self.file.path, line=line)

    def without_empty(self, values: dict[str, Any], model: type[BaseModel], texts: Texts) -> dict[str, Any]:
        """``values`` without keys that have no value, where empty is what they are anyway.

        Where absent and empty mean different things (``write_paths:``) a key without a value stops
        startup: nobody can tell which was meant.
        """
        kept: dict[str, Any] = {}
        for key, value in values.items():
            if value is not None or key in _EMPTY_IS_A_VALUE or key not in model.model_fields:
                kept[key] = [] if value is None and key == "vision_routes" else value
            elif not _empty_by_default(model, key):
                message = texts("home.no_value", where=self.where((key,), texts), key=key)
                raise StartupStop(message, file=str(self.file.path), key=key)
        return kept


def validate(model: type[Model], values: dict[str, Any], source: Source, texts: Texts, context: dict[str, Any] | None = None) -> Model:
    """``values`` as ``model``; raises ``StartupStop`` with one line per mistake."""
    try:
        return model.model_validate(values, context=context)
    except ValidationError as error:
        problems = [(_loc(detail), _say(detail, model, source, texts)) for detail in error.errors(include_url=False)]
    shown = [sentence for _, sentence in problems[:SHOWN_PROBLEMS]]
    if len(problems) > SHOWN_PROBLEMS:
        shown.append(texts("home.more_problems", count=len(problems) - SHOWN_PROBLEMS))
    raise StartupStop("\n".join(shown), file=str(source.file.path), key=show_loc(problems[0][0]))


def mistakes(model: type[BaseModel], values: Mapping[str, Any], texts: Texts) -> dict[str, str]:
    """One sentence by key for each value that cannot stand, without place and without what was written (AGT-18)."""
    try:
        model.model_validate(values)
    except ValidationError as error:
        found = [(show_loc(_loc(detail)), _must(detail, texts)) for detail in error.errors(include_url=False)]
        return {key: texts("home.field_must", key=key, must=must) for key, must in found}
    return {}


def _empty_by_default(model: type[BaseModel], key: str) -> bool:
    default = model.model_fields[key].get_default(call_default_factory=True)
    if isinstance(default, BaseModel):
        return not default.model_fields_set
    return default in ((), {}, "") or (default is None and key in _EMPTY_WHEN_ABSENT)


def _loc(detail: ErrorDetails) -> Loc:
    """The path of a mistake, without the parts that pydantic adds for keys and branches."""
    return tuple(part for part in detail["loc"] if part != "[key]")


def _say(detail: ErrorDetails, model: type[BaseModel], source: Source, texts: Texts) -> str:
    loc = _loc(detail)
    where, key = source.where(loc, texts), show_loc(loc)
    kind = detail["type"]
    if kind in ("extra_forbidden", "invalid_key"):
        return unknown_key(loc, model, source.elsewhere, where, texts)
    if kind == "missing":
        return texts("home.missing", where=where, key=key)
    must = _must(detail, texts)
    hint = _hint(detail["input"], kind, texts)
    if any(part in _NEVER_SHOWN for part in loc) or isinstance(detail["input"], dict | list | tuple):
        return texts("home.bad_value", where=where, key=key, must=must, hint=hint).rstrip()
    return texts("home.bad_value_shown", where=where, key=key, value=show(detail["input"], texts), must=must, hint=hint).rstrip()


def _must(detail: ErrorDetails, texts: Texts) -> str:
    context = detail.get("ctx", {})
    cause = context.get("error")
    if isinstance(cause, Wrong):
        return cause.say(texts)
    text = _TYPES.get(detail["type"])
    if detail["type"] in ("extra_forbidden", "invalid_key"):
        return texts("home.must_known_key")
    if text is None:
        return detail["msg"]
    limits = {name: context[name] for name in ("ge", "gt", "le", "min_length", "max_length") if name in context}
    named = {"min_length": "min", "max_length": "max", "ge": "min", "gt": "min", "le": "max"}
    values: dict[str, object] = {named[name]: limit for name, limit in limits.items()}
    if "expected" in context:
        values["allowed"] = str(context["expected"]).replace("'", "").replace(" or ", ", ")
    return texts(f"home.{text}", **values)


def _hint(value: object, kind: str, texts: Texts) -> str:
    """Why a text may not have been read as one: YAML takes ``no``, ``007`` and dates for something else."""
    quotable = isinstance(value, bool | int | float)
    return texts("home.hint_quote") if kind == "string_type" and quotable else ""


def show(value: object, texts: Texts) -> str:
    """A value as the person wrote it, shortened."""
    if value is None:
        return texts("home.nothing")
    if isinstance(value, bool):
        return texts("home.switch_on") if value else texts("home.switch_off")
    shown = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
    return shown if len(shown) <= SHOWN_CHARS else shown[: SHOWN_CHARS - 1] + "…"
