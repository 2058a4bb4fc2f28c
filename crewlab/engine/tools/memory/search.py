"""``memory_search``: what is remembered, by words (MEM-5, MEM-6)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event

from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.notes import MEMORY_FILE, AgentNotes
from crewlab.engine.agents.roster import Agent
from crewlab.engine.folding import fold, keywords
from crewlab.engine.home.settings import Settings
from crewlab.engine.home.textfiles import FileText
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import fenced, room

MAX_RESULTS = 12  # MEM-5
LEAST_SHOWN = 300  # characters of each result, however many there are
BY_TEXT = "search=text"  # PTL-65: a fixed token, the same in both languages
NO_ROUTE, NOT_READY = "no embedding route", "index not ready"  # PTL-65: fixed tokens
_PARAGRAPHS = re.compile(r"\n[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is remembered; ``source`` says where, ``found_in`` is what the words are looked for in."""

    source: str
    text: str
    found_in: str


def search_tool(memory: Memory, agent: Agent, settings: Settings, texts: Texts) -> Tool:
    """The tool; it only reads."""
    why = NOT_READY if settings.embedding_routes else NO_ROUTE
    head = f"{BY_TEXT} ({why})"

    async def run(arguments: Arguments, context: ToolContext) -> str:
        words = keywords(arguments["query"])
        if not words:
            raise ToolError(texts("memory.no_words"))
        stopped = Event()
        try:
            found, unread = await asyncio.to_thread(_search, memory, memory.notes(agent), words, stopped)
        finally:
            stopped.set()  # a call that was cancelled leaves no thread that reads on
        notes = [texts("memory.trouble", file=name, why=texts("memory.not_read")) for name in unread]
        if not found:
            return "\n".join([head, texts("memory.no_match"), *notes])
        return fenced("NOTES", shown(found, room(context.output_chars)), context.output_chars, texts, head="\n".join([head, *notes]))

    return Tool(
        name="memory_search",
        description=texts("memory.search_description"),
        parameters={
            "type": "object",
            "properties": {"query": {"type": "string", "description": texts("memory.search_query")}},
            "required": ["query"],
            "additionalProperties": False,
        },
        run=run,
        marking="fenced",
        tier="read",
        replay_safe=True,
        script="any",
        notes=(texts("memory.search_note"),),
    )


def shown(found: list[Entry], chars: int) -> str:
    """The results with their sources; each gets its share of the room."""
    share = max(LEAST_SHOWN, chars // len(found) - 40)
    return "\n".join(f"[{entry.source}] {entry.text if len(entry.text) <= share else entry.text[:share] + '…'}" for entry in found)


def _search(memory: Memory, notes: AgentNotes, words: list[str], stopped: Event) -> tuple[list[Entry], list[str]]:
    unread: list[str] = []
    found: list[Entry] = []
    for entry in _entries(memory, notes, unread):
        if stopped.is_set() or len(found) == MAX_RESULTS:
            break
        folded = fold(entry.found_in)
        if all(word in folded for word in words):
            found.append(entry)
    return found, unread


def _entries(memory: Memory, notes: AgentNotes, unread: list[str]) -> Iterator[Entry]:
    """Facts, then ``MEMORY.md``, then every day note, newest first (MEM-5)."""
    known = memory.facts.known()
    unread += [f"{slug}.md" for slug in known.unreadable]
    for fact in known.facts:
        yield Entry(fact.slug, fact.text, f"{fact.slug} {fact.slug.replace('-', ' ')} {fact.description} {fact.text}")
    for paragraph in _PARAGRAPHS.split(_text(notes.memory(), MEMORY_FILE, unread)):
        if paragraph.strip():
            yield Entry(MEMORY_FILE, paragraph.strip(), paragraph)
    for day in notes.days():
        for note in reversed(_notes(_text(notes.of(day), f"{day}.md", unread))):
            yield Entry(day, note, note)


def _text(file: FileText, name: str, unread: list[str]) -> str:
    if file.trouble is not None:
        unread.append(name)
    return file.text


def _notes(text: str) -> list[str]:
    """The notes of a day: a line that begins with ``- ``, or a paragraph, with the lines that belong to it."""
    notes: list[list[str]] = []
    begun = False
    for line in text.splitlines():
        if not line.strip():
            begun = False
        elif line.startswith("- ") or not begun:
            notes.append([line])
            begun = True
        else:
            notes[-1].append(line)
    return ["\n".join(note) for note in notes]
