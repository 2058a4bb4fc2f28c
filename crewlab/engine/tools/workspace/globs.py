"""Patterns of file names (WS-25, WS-29): ``*``, ``?`` and ``[…]`` within a name, ``**`` over directories, ``{a,b}`` for either. Pure.

Each name is matched by the standard library's translation, which does not backtrack; names are matched one by one, so no pattern
takes more than its length times the path's.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence

MAX_PATTERN_CHARS = 1_000
MAX_FORMS = 64
BRACES = re.compile(r"\{([^{}]*)\}")
ANY_DEPTH = "**"

Segment = re.Pattern[str] | None
"""One name of a pattern; ``None`` for ``**``."""


class Globs:
    """A pattern, ready to be compared. Raises ``ValueError`` (``long`` or ``outside``) for one that is absolute or leads out."""

    def __init__(self, pattern: str, *, anywhere: bool = False) -> None:
        """With ``anywhere`` a pattern without ``/`` is about the name alone, at any depth."""
        if len(pattern) > MAX_PATTERN_CHARS:
            raise ValueError("long")
        forms = _forms(pattern)
        self._forms = [self._segments(form, anywhere) for form in forms]

    @staticmethod
    def _segments(form: str, anywhere: bool) -> tuple[Segment, ...]:
        names = [name for name in form.split("/") if name not in ("", ".")]
        if form.startswith("/") or ".." in names or not names:
            raise ValueError("outside")
        if anywhere and "/" not in form:
            names.insert(0, ANY_DEPTH)
        return tuple(None if name == ANY_DEPTH else re.compile(fnmatch.translate(name)) for name in names)

    def match(self, parts: Sequence[str]) -> bool:
        """Whether the path of these names fits."""
        return any(_fits(form, parts) for form in self._forms)


def _fits(form: tuple[Segment, ...], parts: Sequence[str]) -> bool:
    """Walks the names with the set of places in the pattern that are reached so far."""
    places = _skipped({0}, form)
    for name in parts:
        reached = {place if form[place] is None else place + 1 for place in places if place < len(form) and _takes(form[place], name)}
        places = _skipped(reached, form)
        if not places:
            return False
    return len(form) in places


def _takes(segment: Segment, name: str) -> bool:
    return segment is None or segment.match(name) is not None


def _skipped(places: set[int], form: tuple[Segment, ...]) -> set[int]:
    """The places, and those behind a ``**`` that stands for nothing."""
    out = set(places)
    for place in sorted(places):
        while place < len(form) and form[place] is None:
            place += 1
            out.add(place)
    return out


def _forms(pattern: str) -> list[str]:
    """The pattern once for each choice of its braces. Raises ``ValueError`` (``long``) above 64."""
    open_forms, forms = [pattern], []
    while open_forms:
        form = open_forms.pop()
        match = BRACES.search(form)
        if match is None:
            forms.append(form)
        else:
            open_forms += [form[: match.start()] + choice + form[match.end() :] for choice in match[1].split(",")]
        if len(open_forms) + len(forms) > MAX_FORMS:
            raise ValueError("long")
    return forms
