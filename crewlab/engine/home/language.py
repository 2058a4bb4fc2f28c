"""Which language is set, readable before anything else is (AGT-8): messages about a broken file need it."""

from __future__ import annotations

from collections.abc import Mapping

from crewlab.engine.home.layout import Home
from crewlab.engine.home.yamlfile import language_line
from crewlab.engine.texts import Language

LANGUAGE_VARIABLE = "CREWLAB_LANGUAGE"
_LANGUAGES: dict[str, Language] = {"en": "en", "vi": "vi"}


def language_of_environment(environ: Mapping[str, str]) -> Language | None:
    """The language of the variable alone: for what is said before a file of the home may be read (DB-12)."""
    return _LANGUAGES.get(environ.get(LANGUAGE_VARIABLE, "").strip())


def language_of(home: Home, environ: Mapping[str, str]) -> Language | None:
    """The language that is set, also when the file is broken elsewhere; ``None``: none, or one that does not exist."""
    told = environ.get(LANGUAGE_VARIABLE, "").strip() or language_line(home.config_file)
    return _LANGUAGES.get(told or "")
