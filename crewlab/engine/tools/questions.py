"""A question to the person: what may be asked, what counts as an answer, and what the model reads (GATE-83, ASKU-3, ASKU-9, ASKU-10).

Pure. ``asking.py`` is the tool, the turn stores the question, the decisions take the answer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crewlab.engine.records import Approval, CallOutcome, QuestionOption
from crewlab.engine.texts import Texts

MAX_OPTIONS = 20  # GATE-83
QUESTION_CHARS = 1000  # GATE-83
LABEL_CHARS = 1000  # ASKU-2
DESCRIPTION_CHARS = 1000  # ASKU-2
CONTEXT_CHARS = 2000  # GATE-83
ANSWER_CHARS = 100_000  # as long as any message of a person (TURN-18)

_STROKES = str.maketrans("đĐ", "dD")  # a letter with a stroke is not taken apart by Unicode


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it is stored and shown."""

    text: str
    options: tuple[QuestionOption, ...] = ()
    default: str | None = None
    context: str | None = None
    allow_free_text: bool = True
    multi_select: bool = False

    def fault(self) -> str | None:
        """The key of the text that says why this is not asked; ``None`` when it may be (GATE-91, ASKU-3, PTL-59)."""
        labels = [_folded(option.label) for option in self.options]
        faults: tuple[tuple[bool, str], ...] = (
            (not self.text, "empty"),
            (not self.allow_free_text and not labels, "nothing_to_take"),
            (self.multi_select and not labels, "several_of_none"),
            (not all(labels), "empty_label"),
            (len(set(labels)) < len(labels), "label_twice"),
            (sum(option.suggested for option in self.options) > 1, "suggested_twice"),
            (self.default is not None and not self.allow_free_text and _folded(self.default) not in labels, "default_no_option"),
        )
        return next((key for wrong, key in faults if wrong), None)


def question_of(arguments: dict[str, Any]) -> Question:
    """The question of a checked call; a plain string is an option without a description."""
    options = arguments.get("options") or ()
    default = arguments.get("default")
    return Question(
        text=arguments["question"].strip(),
        options=tuple(_option(each) for each in options),
        default=default.strip() or None if default else None,
        context=arguments.get("context") or None,
        allow_free_text=arguments.get("allow_free_text", True),
        multi_select=arguments.get("multi_select", False),
    )


def _option(given: str | dict[str, Any]) -> QuestionOption:
    """One option; its label is one line, because labels are answered one per line (ASKU-10)."""
    if isinstance(given, str):
        return QuestionOption(label=_line(given))
    return QuestionOption(label=_line(given["label"]), description=given.get("description"), suggested=given.get("suggested", False))


def _line(text: str) -> str:
    return " ".join(text.split())


def _folded(label: str) -> str:
    return _line(label).casefold()


def same_words(text: str) -> str:
    """What two askings of one question have in common: no case, no accents, no punctuation (ASKU-12)."""
    plain = unicodedata.normalize("NFKD", text.translate(_STROKES).casefold())
    kept = "".join(each if each.isalnum() else " " for each in plain if not unicodedata.combining(each))
    return _line(kept) or text.strip()


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that the question takes: the options chosen, in the order of the question, and typed text."""

    labels: tuple[str, ...] = ()
    text: str = ""

    @property
    def whole(self) -> str:
        """As it is stored: the labels one per line, then the text."""
        return "\n".join((*self.labels, self.text) if self.text else self.labels)


class WrongAnswer(Exception):
    """The question does not take this; ``key`` names the text that says why (ASKU-9)."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def read_answer(asked: Approval, labels: Sequence[str] | None, text: str) -> Given:
    """The answer to ``asked``; plain text (``labels`` is ``None``) that is a number or a label counts as that option.

    Raises ``WrongAnswer``.
    """
    text = text.strip()
    if len(text) > ANSWER_CHARS:
        raise WrongAnswer("answer_long")
    if labels is None:
        found = _option_meant(asked.options, text)
        return _checked(asked, Given((found,)) if found is not None else Given(text=text))
    known = {option.label: place for place, option in enumerate(asked.options)}
    if not all(label in known for label in labels):
        raise WrongAnswer("answer_unknown")
    return _checked(asked, Given(tuple(sorted(set(labels), key=known.__getitem__)), text))


def _option_meant(options: Sequence[QuestionOption], text: str) -> str | None:
    """Exactly a label, else exactly the number of an option."""
    labels = [option.label for option in options]
    if text in labels:
        return text
    if text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_OPTIONS)) and 1 <= int(text) <= len(labels):
        return labels[int(text) - 1]
    return None


def _checked(asked: Approval, given: Given) -> Given:
    if not given.labels and not given.text:
        raise WrongAnswer("answer_empty")
    if given.text and not asked.allow_free_text:
        raise WrongAnswer("answer_no_text")
    if len(given.labels) > 1 and not asked.multi_select:
        raise WrongAnswer("answer_one")
    return given


def result_of(asked: Approval, texts: Texts) -> tuple[CallOutcome, str]:
    """What the model reads when the question is closed: a fixed first line, then the words (ASKU-10, ASKU-11, GATE-84)."""
    if asked.status == "denied":
        return "denied", texts("gate.agent_gone")
    if asked.status == "expired":
        if asked.default is None:
            return "expired", f"answer=timeout\n{texts('asking.timeout')}"
        return "ok", f"answer=default\n{asked.default}\n\n{texts('asking.default')}"
    if asked.skipped:
        return "ok", f"answer=skipped\n{texts('asking.skipped')}"
    chosen = "\n".join(asked.labels)
    kind = "text" if not asked.labels else "chosen" if asked.answer == chosen else "both"
    return "ok", f"answer={kind}\n{asked.answer}"
