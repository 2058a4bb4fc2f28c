"""Search over what was said (FTS-3, FTS-5 to FTS-9): the query, the snippet, and the search itself for people and for tools."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from crewlab.engine.agents.roster import Roster
from crewlab.engine.store import search
from crewlab.engine.store.search import Hit, Scope
from crewlab.engine.store.store import Store

MARK, UNMARK = "\u0002", "\u0003"  # FTS-9
SNIPPET_CHARS = 160
ELLIPSIS = "…"
LAST_DROPPED_MARK = "\u0331"  # the last combining mark that the tokenizer drops


@dataclass(frozen=True, slots=True)
class Found:
    """One hit for people or for a model. In ``snippet`` matched words stand between U+0002 and U+0003."""

    message_id: int
    conversation_id: str
    agent_id: str
    agent_name: str
    title: str
    role: str
    snippet: str
    created_at: str


def build_query(text: str) -> str | None:
    """``text`` as an FTS5 query: every word must match, the last also as a beginning; ``None`` when there is no word in it.

    Pure, and never a syntax error: words stand between quotes, so operators are words too (FTS-5).
    """
    words = [_readable(word) for word in text.split()]
    phrases = [_phrase(word) for word in words if any(_counts(letter) for letter in word)]
    if not phrases:
        return None
    *whole, last = phrases
    return " AND ".join([*map(_either, whole), _either([f"{phrase} *" for phrase in last])])


def _readable(word: str) -> str:
    """Without what SQLite cannot be given: the NUL and halves of surrogate pairs. đ as d (FTS-3)."""
    kept = "".join(letter for letter in word if letter != "\0" and not "\ud800" <= letter <= "\udfff")
    return kept.replace("đ", "d").replace("Đ", "D")


def _counts(letter: str) -> bool:
    """Whether the tokenizer takes it for part of a word."""
    kind = unicodedata.category(letter)
    return kind[0] in "LN" or kind == "Co"


def _phrase(word: str) -> list[str]:
    """The word between quotes; more than once where the tokenizer does not see that its Unicode forms are one word.

    These are Hangul and kana, and letters that no normal form keeps as they are written (ά of the Greek block, 豈).
    """
    whole, parts = unicodedata.normalize("NFC", word), unicodedata.normalize("NFD", word)
    apart = any(letter > LAST_DROPPED_MARK and letter not in whole for letter in parts)
    forms = [whole, parts] if apart else [whole]
    return [_quoted(form) for form in (forms if word in (whole, parts) else [*forms, word])]


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _either(phrases: list[str]) -> str:
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"


def snippet(hit: Hit, limit: int = SNIPPET_CHARS) -> str:
    """At most ``limit`` characters of the message around its first match, on one line, with the matched words marked. Pure.

    The marks are found in the indexed text and put into the message's own, which has the same characters in the same places.
    """
    begin = _begin(hit)
    shown: list[str] = [ELLIPSIS] if hit.start + begin > 1 else []
    at, inside = 0, False
    for letter in hit.marked:
        if letter in (MARK, UNMARK):
            if at >= begin:
                shown.append(letter)
                inside = letter == MARK
            continue
        if at - begin == limit:
            break
        if at >= begin and at < len(hit.content):
            shown.append(_on_one_line(hit.content[at]))
        at += 1
    if inside:
        shown.append(UNMARK)
    if hit.start - 1 + at < hit.chars:
        shown.append(ELLIPSIS)
    return "".join(shown)


def _begin(hit: Hit) -> int:
    """Where in the window the snippet begins: at the message's beginning, or at a word before the first match."""
    if hit.start == 1:
        return 0
    space = hit.marked.find(" ", 0, max(0, hit.marked.find(MARK)))
    return space + 1


def _on_one_line(letter: str) -> str:
    return " " if letter.isspace() or letter < " " or letter == "\x7f" else letter


class Search:
    """The search of a crew, in a worker thread on a read connection of its own (DB-5)."""

    def __init__(self, store: Store, roster: Roster) -> None:
        self._store = store
        self._roster = roster

    async def messages(self, text: str, limit: int, scope: Scope = Scope()) -> list[Found]:  # noqa: B008 - frozen
        """The best matches of ``text``, best first; nothing for a text without a word."""
        query = build_query(text)
        if query is None:
            return []
        hits = await self._store.readers.run(lambda view: search.find(view, query, scope, limit))
        names = {agent.id: agent.name for agent in self._roster.all()}
        return [
            Found(
                message_id=hit.message_id,
                conversation_id=hit.conversation_id,
                agent_id=hit.agent_id,
                agent_name=names.get(hit.agent_id, hit.agent_id),
                title=hit.title,
                role=hit.role,
                snippet=snippet(hit),
                created_at=hit.created_at,
            )
            for hit in hits
        ]
