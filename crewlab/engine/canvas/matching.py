"""Where the passage of an edit stands in a text, and what comes nearest when it stands nowhere (CNV-48 to CNV-50). Pure."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

SINGLE, DOUBLE = "‘’‚‛", "“”„‟"  # CNV-49
SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
ALIKE = str.maketrans({**dict.fromkeys(SINGLE, "'"), **dict.fromkeys(DOUBLE, '"'), **dict.fromkeys(SPACES, " ")})
SIMILAR = 0.6  # CNV-49
QUOTED_CHARS = 600  # CNV-49
WINDOW_WORK = 5_000_000  # characters of all windows together; above that nothing near is looked for
RATIO_WORK = 20_000_000  # pairs of characters compared at most


@dataclass(frozen=True, slots=True)
class Match:
    """How often the passage stands in the text: ``seen`` is what is searched, of the same length as the text."""

    text: str
    seen: str
    old: str
    count: int

    def chars_after(self, new: str) -> int:
        """How long the text would become; nothing is built for it."""
        return len(self.text) + self.seen.count(self.old) * (len(new) - len(self.old))

    def replaced(self, new: str) -> str:
        """The text with every match replaced; what stands around them is unchanged."""
        out: list[str] = []
        done, place = 0, self.seen.find(self.old)
        while place >= 0:
            out += (self.text[done:place], new)
            done = place + len(self.old)
            place = self.seen.find(self.old, done)
        return "".join((*out, self.text[done:]))


def find(text: str, old: str) -> Match | None:
    """The passage exactly, else with quotes and spaces taken as alike; ``None`` when it is not there."""
    for seen, wanted in ((text, old), (text.translate(ALIKE), old.translate(ALIKE))):
        count = _count(seen, wanted)
        if count:
            return Match(text, seen, wanted, count)
    return None


def _count(text: str, old: str) -> int:
    """Matches; two that overlap are two."""
    count = text.count(old)
    if count == 1 and text.find(old, text.find(old) + 1) >= 0:
        return 2
    return count


def nearest(text: str, old: str) -> str | None:
    """The one place that is similar enough when no other is as similar, at most 600 characters of it."""
    lines, height = text.split("\n"), old.rstrip("\n").count("\n") + 1
    if len(text) * height > WINDOW_WORK or len(lines) < height:
        return None
    matcher = difflib.SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(old)
    bounds: list[tuple[float, str]] = []
    for first in range(len(lines) - height + 1):
        window = "\n".join(lines[first : first + height])
        matcher.set_seq1(window)
        if matcher.real_quick_ratio() >= SIMILAR and (bound := matcher.quick_ratio()) >= SIMILAR:
            bounds.append((bound, window))
    return _best(matcher, sorted(bounds, key=lambda each: -each[0]), len(old))


def _best(matcher: difflib.SequenceMatcher[str], bounds: list[tuple[float, str]], length: int) -> str | None:
    """The window of the highest ratio; those whose bound is lower than the best so far need not be compared."""
    best, found, ties, work = SIMILAR, None, 0, 0
    for bound, window in bounds:
        if bound < best:
            break
        work += length * len(window)
        if work > RATIO_WORK:
            return None
        matcher.set_seq1(window)
        ratio = matcher.ratio()
        if ratio > best or (found is None and ratio == best):
            best, found, ties = ratio, window, 0
        elif ratio == best:
            ties += 1
    return found[:QUOTED_CHARS] if found is not None and not ties else None
