"""A question of a script to a model: what is asked, how the answer is read, what people see of it (SCR-165 to SCR-182). Pure.

What binds is how the answer is read: one of the labels as the script wrote it, or at most so many characters. A text that tells the
model to answer something else can only make the question fail.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from crewlab.engine.script.child.limits import DEFAULT_SUMMARY, LABELS, MAX_LABEL, MAX_QUESTION_TEXT, MAX_SUMMARY
from crewlab.engine.texts import Texts
from crewlab.engine.tools.fence import fence

Fields = dict[str, Any]
NAMES = {"classify": "llm.classify", "summarise": "llm.summarise"}
"""Kind of a question to its name on the run card (SCR-179)."""


def check(kind: str, fields: Fields) -> bool:
    """The server's own look at the arguments (SCR-9, SCR-170); text that no provider can be sent is none."""
    text, labels, most = fields.get("text"), fields.get("labels"), fields.get("max_chars")
    if not _is_text(text, MAX_QUESTION_TEXT):
        return False
    if kind == "classify":
        return most is None and _are_labels(labels)
    return kind == "summarise" and labels is None and (most is None or (type(most) is int and 1 <= most <= MAX_SUMMARY))


def _is_text(text: object, limit: int) -> bool:
    if type(text) is not str or len(text) > limit or not text.strip():
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _are_labels(labels: object) -> bool:
    least, most = LABELS
    if type(labels) is not list or not least <= len(labels) <= most or not all(_is_text(one, MAX_LABEL) for one in labels):
        return False
    return len({same(one) for one in labels}) == len(labels)


def same(text: str) -> str:
    """What labels that count as one have in common: no case, no runs of whitespace, no way of typing accents (SCR-167)."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold()).split())


def system(kind: str, fields: Fields, texts: Texts) -> str:
    """The task. Labels stand on one line each, so none can look like a line of ours."""
    if kind == "classify":
        lines = [texts("script_tool.label", label=" ".join(label.split())) for label in fields["labels"]]
        return texts("script_tool.classify", labels="\n".join(lines))
    return texts("script_tool.summarise", limit=_most(fields))


def framed(text: str, texts: Texts) -> str:
    """The text in a message of its own, between two lines with a number made for this one question (SCR-175)."""
    return fence("TEXT", text, texts)


def card(kind: str, fields: Fields) -> Fields:
    """The arguments as people see them, not yet shortened (SCR-179)."""
    if kind == "classify":
        return {"text": fields["text"], "labels": fields["labels"]}
    return {"text": fields["text"], "max_chars": _most(fields)}


def _most(fields: Fields) -> int:
    most = fields.get("max_chars")
    return DEFAULT_SUMMARY if most is None else int(most)


def read(kind: str, answer: str, fields: Fields) -> str | None:
    """What the script receives; ``None`` when the answer names no label or two, or is empty (SCR-166 to SCR-169)."""
    if kind == "summarise":
        return answer.strip()[: _most(fields)] or None
    written = {same(label): str(label) for label in fields["labels"]}
    said = same(answer)
    found = _whole(said, written) or _bare(said, written) or _within(said, written)
    return None if found is None else written[found]


def _whole(said: str, labels: dict[str, str]) -> str | None:
    """Step 1: the whole answer is a label."""
    return said if said in labels else None


def _bare(said: str, labels: dict[str, str]) -> str | None:
    """Step 2: nothing but signs stands around a label. A sign that belongs to a label is not taken off: ``"C#"`` is not ``C``."""
    found = {label: places for label in labels if (places := [at for at in _places(said, label) if _is_framed(said, at, len(label))])}
    longest = max(map(len, found), default=0)
    best = [label for label in found if len(label) == longest]
    return best[0] if len(best) == 1 else None


def _within(said: str, labels: dict[str, str]) -> str | None:
    """Step 3: exactly one label stands in the answer as a word or words of its own."""
    found = [label for label in labels if any(_is_apart(said, at, len(label)) for at in _places(said, label))]
    return found[0] if len(found) == 1 else None


def _places(said: str, label: str) -> Iterator[int]:
    at = said.find(label)
    while at >= 0:
        yield at
        at = said.find(label, at + 1)


def _is_framed(said: str, at: int, size: int) -> bool:
    return all(_is_sign(letter) for letter in said[:at] + said[at + size :])


def _is_sign(letter: str) -> bool:
    """Punctuation, quotation marks, bold marks and marks of code, and the spaces between them."""
    return letter == " " or letter in "`´" or unicodedata.category(letter).startswith("P")


def _is_apart(said: str, at: int, size: int) -> bool:
    return not any(_is_letter(letter) for letter in said[max(at - 1, 0) : at] + said[at + size : at + size + 1])


def _is_letter(letter: str) -> bool:
    """A letter, a digit, ``_``, or a mark on a letter."""
    return letter.isalnum() or letter == "_" or unicodedata.category(letter).startswith("M")
