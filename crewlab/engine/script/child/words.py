"""Sentences of our own, given by the server in the language of the crew; Python's own error texts stay as they are (SCR-35)."""

from __future__ import annotations

from .kinds import Mapping

_sentences: dict[str, str] = {}


def learn(sentences: Mapping[str, str]) -> None:
    """Take the sentences of one language."""
    _sentences.clear()
    _sentences.update(sentences)


def say(key: str, /, **values: object) -> str:
    """One sentence with its fields filled in."""
    return _sentences[key].format(**values)
