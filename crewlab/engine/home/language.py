"""Which language is set, readable before anything else is (AGT-8): messages about a broken file need it."""

from __future__ import annotations

from collections.abc import Mapping

from crewlab.engine.home.layout import Home
from crewlab.engine.home.yamlfile import language_line
from crewlab.engine.texts import Language

LANGUAGE_VARIABLE = "CREWLAB_LANGUAGE"


def language_of(home: Home, environ: Mapping[str, str]) -> Language | None:
    """The language that is set, also when the file is broken elsewhere; ``None``: none, or one that does not exist."""
    told = environ.get(LANGUAGE_VARIABLE, "").strip() or language_line(home.config_file)
    languages: dict[str, Language] = {"en": "en", "vi": "vi"}
    return languages.get(told or "")
