"""The words of the notebook side: the one place of it that knows the catalogue of texts.

``crewlab.engine.texts`` is data without imports of its own; nothing else of the engine is used here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from crewlab.engine.texts import Texts

AREA = "notebook"


@cache
def _catalogue(language: str) -> Texts:
    return Texts("vi" if language == "vi" else "en")


def machine_language(environ: Mapping[str, str] | None = None) -> str:
    """The language of this process (``en`` or ``vi``), used until a server has named the crew's."""
    env = os.environ if environ is None else environ
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "vi" if locale.lower().startswith("vi") else "en"


def say(key: str, /, language: str | None = None, **values: object) -> str:
    """The text ``notebook.<key>`` in ``language`` (default: that of this process) with its fields filled in."""
    return _catalogue(language or machine_language())(f"{AREA}.{key}", **values)
