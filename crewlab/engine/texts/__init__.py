"""Every word for a person or a model, English and Vietnamese (TURN-3).

One module per language and area, ``en_<area>.py`` and ``vi_<area>.py``, each with ``TEXTS: dict[str, str]``.
A key is ``<area>.<name>``; values use ``str.format`` fields, so a brace that is meant is doubled. No other file holds such text.
"""

from __future__ import annotations

import importlib
from typing import Literal, get_args

Language = Literal["en", "vi"]
LANGUAGES: tuple[str, ...] = get_args(Language)


class Texts:
    """The catalogue of one language; areas are loaded when first used."""

    def __init__(self, language: Language = "en") -> None:
        self.language: Language = language
        self._areas: dict[str, dict[str, str]] = {}

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of ``key`` with its fields filled in; an unknown key raises ``KeyError``."""
        area, _, name = key.partition(".")
        texts = self._areas.get(area)
        if texts is None:
            module = importlib.import_module(f"{__name__}.{self.language}_{area}")
            texts = self._areas[area] = module.TEXTS
        return texts[name].format(**values)
