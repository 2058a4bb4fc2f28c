"""The arguments of lookups and of questions to a model (SCR-106 to SCR-108, SCR-165 to SCR-171)."""

from __future__ import annotations

import unicodedata

from . import limits
from .faults import Fault, fault
from .kinds import Any
from .words import say

Named = dict[str, Any]
FORMS = {
    "names": "tools.names()",
    "search": 'tools.search("words", limit=5)',
    "describe": 'tools.describe("name")',
    "classify": "llm.classify(text, labels)",
    "summarise": "llm.summarise(text, max_chars=500)",
}


def taken(name: str, names: tuple[str, ...], args: list[Any], named: Named) -> Named:
    """The arguments by name; another form is an error that opens with the right one."""
    found = dict(zip(names, args, strict=False))
    if len(args) > len(names) or set(found) & set(named) or not set(names).issuperset(named):
        raise wrong(name, say("arguments"))
    return {**found, **named}


def wrong(name: str, what: str) -> Fault:
    """The error that opens with the form of the call (SCR-171)."""
    return fault("RuntimeError", f"{FORMS[name]}: {what}")


def lookup_arguments(name: str, args: list[Any], named: Named) -> tuple[str, int]:
    """The text and the limit of a lookup."""
    names = {"names": (), "search": ("words", "limit"), "describe": ("name",)}[name]
    found = taken(name, names, args, named)
    if name == "names":
        return "", 0
    text, limit = found.get(names[0]), found.get("limit", limits.DEFAULT_FOUND)
    if type(text) is not str or len(text) > limits.MAX_LOOKUP_TEXT:
        raise wrong(name, say("lookup_text", limit=limits.MAX_LOOKUP_TEXT))
    if type(limit) is not int or not 1 <= limit <= limits.MAX_FOUND:
        raise wrong(name, say("lookup_limit", limit=limits.MAX_FOUND))
    return text, limit


def question_arguments(name: str, args: list[Any], named: Named) -> Named:
    """The fields of a question."""
    found = taken(name, ("text", "labels" if name == "classify" else "max_chars"), args, named)
    text = found.get("text")
    if type(text) is not str or len(text) > limits.MAX_QUESTION_TEXT or not text.strip():
        size = len(text) if type(text) is str else 0
        raise wrong(name, say("question_text", limit=limits.MAX_QUESTION_TEXT, size=size))
    if name == "classify":
        return {"text": text, "labels": _labels(found.get("labels"))}
    most = found.get("max_chars", limits.DEFAULT_SUMMARY)
    if type(most) is not int or not 1 <= most <= limits.MAX_SUMMARY:
        raise wrong(name, say("question_size", limit=limits.MAX_SUMMARY))
    return {"text": text, "max_chars": most}


def _labels(labels: Any) -> list[str]:
    low, high = limits.LABELS
    fits = type(labels) is list and low <= len(labels) <= high and all(_label(one) for one in labels)
    if not fits or len({same(one) for one in labels}) != len(labels):
        raise wrong("classify", say("question_labels", low=low, high=high, limit=limits.MAX_LABEL))
    return list(labels)


def same(label: str) -> str:
    """What labels that count as one have in common; ``asking.same`` of the server is the same rule (SCR-167)."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFD", label).casefold()).split())


def _label(one: Any) -> bool:
    return type(one) is str and len(one) <= limits.MAX_LABEL and bool(one.strip())
