"""Which tools a small model is offered, and the JSON schema its answer must keep (LOC-12 to LOC-15).

A model of 135 million parameters calls tools at random when it sees any. So it sees tools only when the
person speaks of files or names a tool, only those the words point at, and its arguments are held to
what the person wrote: file names and quoted texts of the message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, get_args

from crewlab.engine.models.base import ChatRequest, ToolSpec
from crewlab.engine.texts import Language, Texts

MAX_TOOLS = 8  # offered at once
MAX_TEXT_CHARS = 400  # of one free string argument
NEEDED: dict[str, tuple[str, ...]] = {  # the tools a tiny model is offered, and the arguments it fills
    "workspace_list": (),
    "workspace_read": ("path",),
    "workspace_write": ("path", "content"),
}
PATHS = frozenset({"path", "file", "folder", "directory", "filename"})
FILE_NAME = re.compile(
    r"(?<![\w/:.])(?:[\w-]+/)*(?:[\w-]{2,}\.[a-z]|[\w-]+(?:\.\w{1,8})*\.(?:[a-z][a-z0-9]{1,7}|[A-Z]{2,5}))(?![\w/])"
    r"|(?<![\w/:.])(?:[\w-]+/)+(?![\w.])"
)
QUOTED = re.compile(r"\"([^\"\n]+)\"|“([^”\n]+)”|«([^»\n]+)»|(?<!\w)'([^'\n]+)'(?!\w)|‘([^’\n]+)’|`([^`\n]+)`")
KEPT_KEYS = ("type", "enum", "const", "items", "properties", "required", "minimum", "maximum", "minLength")


@dataclass(frozen=True, slots=True)
class Cues:
    """The words of all languages: things (files, folders), questions that want an answer, verbs per tool."""

    things: re.Pattern[str]
    answers: re.Pattern[str]
    verbs: dict[str, re.Pattern[str]]

    @classmethod
    def load(cls) -> Cues:
        """Read the lists of every language: people write in the language they like."""
        catalogues = [Texts(language) for language in get_args(Language)]

        def words(key: str) -> re.Pattern[str]:
            phrases = [phrase.strip() for texts in catalogues for phrase in texts(key).split("|")]
            return re.compile("|".join(rf"(?<!\w){re.escape(phrase)}(?!\w)" for phrase in phrases), re.IGNORECASE)

        verbs = {tool: words(f"models.local_cues_{tool}") for tool in NEEDED}
        return cls(words("models.local_cues_things"), words("models.local_cues_answers"), verbs)


def file_names(text: str) -> list[str]:
    """What looks like a file or folder in ``text``, each once."""
    return list(dict.fromkeys(FILE_NAME.findall(text)))


def quoted(text: str) -> list[str]:
    """The quoted texts that are not file names, each once."""
    names = set(file_names(text))
    found = ("".join(groups) for groups in QUOTED.findall(text))
    return list(dict.fromkeys(part for part in found if part not in names))


def last_words(request: ChatRequest) -> str:
    """The person's last message."""
    return next((message.words for message in reversed(request.messages) if message.role == "user"), "")


def after_result(request: ChatRequest) -> bool:
    """Whether the request ends with a tool result."""
    return bool(request.messages) and request.messages[-1].role == "tool"


def wants_tools(text: str, tools: tuple[ToolSpec, ...], cues: Cues) -> bool:
    """Whether the message speaks of files, folders or saving, or names a tool."""
    if any(re.search(rf"(?<!\w){re.escape(tool.name)}(?!\w)", text) for tool in tools):
        return True
    return cues.answers.search(text) is None and (cues.things.search(text) is not None or bool(file_names(text)))


def tiny_choice(text: str, tools: tuple[ToolSpec, ...], cues: Cues) -> tuple[ToolSpec, ...]:
    """The one tool the words point at; all known ones when they point at none, so that an answer stays possible."""
    known = [tool for tool in tools if tool.name in NEEDED]
    named = [tool for tool in tools if re.search(rf"(?<!\w){re.escape(tool.name)}(?!\w)", text)]
    if named:
        return (named[0],)
    has_name = bool(file_names(text))
    scores = [(2 * len(cues.verbs[tool.name].findall(text)) + (has_name and bool(NEEDED[tool.name])), tool) for tool in known]
    best = max((score for score, _ in scores), default=0)
    if best < 2:
        return tuple(known)
    pointed = [tool for score, tool in scores if score == best]
    if not has_name and pointed[0].name == "workspace_read":  # nothing to read is named: show what there is
        pointed = [tool for tool in known if tool.name == "workspace_list"] or pointed
    return (pointed[0],)


def tiny_arguments(tool: ToolSpec, text: str) -> dict[str, Any]:
    """The schema of the arguments, held to what the message holds."""
    properties = tool.parameters.get("properties") or {}
    needed = NEEDED.get(tool.name, tuple(tool.parameters.get("required") or ()))
    names, texts = file_names(text), quoted(text)
    kept: dict[str, Any] = {}
    for name, schema in properties.items():
        choices = names if name in PATHS else texts if name in needed else []
        is_text = isinstance(schema, dict) and schema.get("type") == "string" and "enum" not in schema
        if is_text and choices:
            kept[name] = {"type": "string", "enum": choices}
        elif name in needed:
            kept[name] = {"type": "string", "minLength": 1, "maxLength": MAX_TEXT_CHARS} if is_text else plain(schema)
    return {"type": "object", "properties": kept, "required": list(kept), "additionalProperties": False}


def plain(schema: Any) -> Any:
    """A schema reduced to what the grammar builder of llama.cpp takes without doubt."""
    if not isinstance(schema, dict):
        return {}
    kept: dict[str, Any] = {key: schema[key] for key in KEPT_KEYS if key in schema}
    if isinstance(kept.get("properties"), dict):
        kept["properties"] = {name: plain(value) for name, value in kept["properties"].items()}
        kept["additionalProperties"] = False
        kept["required"] = [name for name in kept.get("required") or [] if name in kept["properties"]]
    if "items" in kept:
        kept["items"] = plain(kept["items"])
    return kept


def one_of(calls: list[tuple[str, dict[str, Any]]], *, may_answer: bool) -> dict[str, Any]:
    """The schema of a whole reply: an answer, or one of the calls."""
    forms = [_closed({"tool": {"const": name}, "args": arguments}) for name, arguments in calls]
    if may_answer:
        forms.insert(0, _closed({"answer": {"type": "string"}}))
    return forms[0] if len(forms) == 1 else {"oneOf": forms}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
