"""The ``summary`` way: opening and closing word for word, the middle told by a model between two labels (OUT-22, OUT-23). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from crewlab.engine.texts import Texts
from crewlab.engine.tools.fence import fence
from crewlab.engine.tools.shown import grouped
from crewlab.engine.tools.structure import parse

MIN_CEILING = 2_000  # OUT-29
MIN_EXCESS = 4  # OUT-29: longer than the ceiling by a quarter of it
OPENING_PERCENT = 45  # OUT-30
CLOSING_PERCENT = 20  # OUT-30
BREAK_PERCENT = 10  # OUT-30: where in a share a line break is looked for
MAX_MIDDLE = 200_000  # OUT-31


@dataclass(frozen=True, slots=True)
class Split:
    """A text that can be summarised: ``room`` is how many characters the summary may take."""

    opening: str
    middle: str
    closing: str
    before: str
    after: str
    tail: str
    room: int

    def text(self, summary: str) -> str:
        """The whole answer around ``summary``, which is cut at its share (OUT-30)."""
        return f"{self.opening}{self.before}{summary[: self.room]}{self.after}{self.closing}{self.tail}"


def split(text: str, limit: int, texts: Texts, pointer: str = "") -> Split | None:
    """Where ``text`` is parted for a ceiling of ``limit``; ``None`` where no model is to be asked.

    That is a text too short to split (OUT-29), one with too long a middle (OUT-31), and JSON: figures never go
    through a model (OUT-20).
    """
    if limit < MIN_CEILING or (len(text) - limit) * MIN_EXCESS < limit or len(text) - limit > MAX_MIDDLE or parse(text) is not None:
        return None
    opening = _opening(text, limit * OPENING_PERCENT // 100)
    closing = _closing(text, limit * CLOSING_PERCENT // 100)
    middle = text[len(opening) : len(text) - len(closing)]
    if len(middle) > MAX_MIDDLE:
        return None
    before = texts("output.summary_begins", count=grouped(len(middle), texts))
    before = f"{'' if opening.endswith(chr(10)) else chr(10)}{before}\n"
    after = f"\n{texts('output.summary_ends')}\n"
    tail = f"\n{pointer}" if pointer else ""
    room = limit - len(opening) - len(closing) - len(before) - len(after) - len(tail)
    return Split(opening, middle, closing, before, after, tail, room) if room > 0 else None


def question(parted: Split, texts: Texts) -> tuple[str, str]:
    """System prompt and message for the model: the middle is data inside a fence (OUT-31)."""
    return texts("output.summary_system", limit=parted.room), fence("OUTPUT", parted.middle, texts)


def _opening(text: str, share: int) -> str:
    """The first ``share`` characters, up to a line break when one lies within their last tenth."""
    place = text.rfind("\n", share - share * BREAK_PERCENT // 100, share)
    return text[: place + 1] if place >= 0 else text[: _apart(text, share)]


def _closing(text: str, share: int) -> str:
    """The last ``share`` characters, from a line break on when one lies within their first tenth."""
    start = len(text) - share
    place = text.find("\n", start, start + share * BREAK_PERCENT // 100)
    return text[place + 1 :] if place >= 0 else text[_apart(text, start) :]


def _apart(text: str, place: int) -> int:
    """``place``, or one less where it would part the two halves of a surrogate pair (OUT-34)."""
    parts_pair = "\ud800" <= text[place - 1] <= "\udbff" and "\udc00" <= text[place] <= "\udfff"
    return place - 1 if parts_pair else place
