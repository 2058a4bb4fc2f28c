"""The sentences the child gives to scripts, in the language of the crew; the child itself holds none."""

from __future__ import annotations

import importlib

from crewlab.engine.texts import Texts


def script_words(texts: Texts) -> dict[str, str]:
    """Key to sentence, fields not filled in."""
    module = importlib.import_module(f"crewlab.engine.texts.{texts.language}_script_words")
    words: dict[str, str] = module.TEXTS
    return words
