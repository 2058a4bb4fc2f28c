"""What the crew knows about the person: one file per fact and an index, the same for every agent (MEM-7 to MEM-10, MEMF-6).

The files are the truth. ``INDEX.md`` is made from them, is never read for the prompt, and is made again wherever it differs.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Literal, get_args

from crewlab.engine.home.heads import one_line, split_head, with_head
from crewlab.engine.home.textfiles import ABSENT, FileText, TextFiles
from crewlab.engine.home.whole import write_whole
from crewlab.engine.texts import Texts

NAME_CHARS = 60  # MEM-8
TEXT_CHARS = 4_000  # MEM-8
DESCRIPTION_CHARS = 160  # MEM-8
SUFFIX = ".md"
SLUG = re.compile(rf"[a-z0-9-]{{1,{NAME_CHARS}}}")
_FILE = re.compile(SLUG.pattern + re.escape(SUFFIX))

FactType = Literal["profile", "preference", "feedback", "project", "reference"]  # MEMF-6
FACT_TYPES: tuple[FactType, ...] = get_args(FactType)
IN_FULL: frozenset[FactType] = frozenset({"profile", "preference", "feedback"})  # MEMF-6: what the prompt carries whole
UNTYPED: FactType = "reference"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. ``slug`` is its identity; ``updated`` is the day it was last saved, as its file says."""

    slug: str
    type: FactType
    description: str
    updated: str
    text: str


@dataclass(frozen=True, slots=True)
class Known:
    """All facts by name, and the files that could not be read (MEMF-16)."""

    facts: tuple[Fact, ...] = ()
    unreadable: tuple[str, ...] = ()


class FactProblem(ValueError):
    """A fact cannot be saved like this. ``field`` is the parameter that is wrong; the message says the rule."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def is_slug(name: str) -> bool:
    """Whether ``name`` can be the name of a fact; anything else never reaches the file system."""
    return SLUG.fullmatch(name) is not None


def checked(slug: str, kind: str, text: str, description: str, day: str, texts: Texts) -> Fact:
    """The fact as it is stored. Raises ``FactProblem`` that names the rule (MEM-8)."""
    if not is_slug(slug):
        raise FactProblem("name", texts("memory.bad_name", limit=NAME_CHARS))
    if kind not in FACT_TYPES:
        raise FactProblem("type", texts("memory.bad_type", types=", ".join(FACT_TYPES)))
    body = text.strip()
    if not body:
        raise FactProblem("text", texts("memory.empty_fact"))
    if len(body) > TEXT_CHARS:
        raise FactProblem("text", texts("memory.long_fact", chars=len(body), limit=TEXT_CHARS))
    if len(" ".join(description.split())) > DESCRIPTION_CHARS:
        raise FactProblem("description", texts("memory.long_description", limit=DESCRIPTION_CHARS))
    said = one_line(description, DESCRIPTION_CHARS) or one_line(body.splitlines()[0], DESCRIPTION_CHARS)
    return Fact(slug, kind, said, day, body)


def file_of(fact: Fact) -> str:
    """The text of the fact's file."""
    return with_head({"name": fact.slug, "type": fact.type, "description": fact.description, "updated": fact.updated}, fact.text + "\n")


def read_fact(slug: str, text: str) -> Fact:
    """The fact in a file, also one a person wrote: what its head does not say, or says wrongly, gets a plain value."""
    head, body = split_head(text)
    head = head or {}
    body = body.strip()
    kind = head.get("type")
    first = one_line(body.splitlines()[0], DESCRIPTION_CHARS) if body else ""
    description = one_line(head.get("description"), DESCRIPTION_CHARS) or first
    known: FactType = kind if kind in FACT_TYPES else UNTYPED
    return Fact(slug, known, description, one_line(head.get("updated"), 40), body)


class UserFacts:
    """The facts in ``<home>/users/owner``. One lock for all agents (MEM-15); methods that write block and belong in a thread."""

    def __init__(self, directory: Path, files: TextFiles, texts: Texts) -> None:
        self._facts_dir = os.fspath(directory / "facts")
        self._index = directory / "INDEX.md"
        self._files = files
        self._texts = texts
        self._lock = Lock()
        self._parsed: dict[str, tuple[FileText, Fact]] = {}
        self._known = Known()

    def known(self) -> Known:
        """All facts as they are now; a ``stat`` per file that has not changed."""
        parsed: dict[str, tuple[FileText, Fact]] = {}
        unreadable: list[str] = []
        for slug in self._slugs():
            file = self._files.read(f"{self._facts_dir}/{slug}{SUFFIX}")
            if file.trouble is not None:
                unreadable.append(slug)
            elif file.there:
                kept = self._parsed.get(slug)
                parsed[slug] = kept if kept is not None and kept[0] is file else (file, read_fact(slug, file.text))
        self._parsed = parsed
        known = Known(tuple(fact for _, fact in parsed.values()), tuple(unreadable))
        if known != self._known:
            self._known = known
        return self._known

    def path(self, slug: str) -> Path:
        """The file of a fact."""
        return Path(self._facts_dir, f"{slug}{SUFFIX}")

    def raw(self, slug: str) -> str | None:
        """The text of the fact's file, ``None`` when there is none."""
        file = self._files.read(self.path(slug))
        return file.text if file is not ABSENT and file.there else None

    def _slugs(self) -> list[str]:
        try:
            names = os.listdir(self._facts_dir)
        except OSError:
            return []
        return sorted(name[: -len(SUFFIX)] for name in names if _FILE.fullmatch(name))

    def index(self) -> str:
        """The text of ``INDEX.md`` for the facts there are."""
        return index_of(self.known().facts, self._texts)

    def write(self, slug: str, text: str | None, expected: Callable[[str | None], bool] | None = None) -> tuple[bool, str | None]:
        """Put ``text`` in the place of the fact's file (``None``: remove it), then make the index anew; all under the one lock.

        ``expected`` looks at what is there and may refuse. Returns whether it was written, and what was there. Raises ``OSError``.
        """
        with self._lock:
            before = self.raw(slug)
            if expected is not None and not expected(before):
                return False, before
            if text is not None:
                write_whole(self.path(slug), text.encode())
            elif before is not None:
                self.path(slug).unlink(missing_ok=True)
            self._write_index()
            return True, before

    def mend(self) -> None:
        """Make ``INDEX.md`` anew when it is missing, damaged or older than the facts (MEM-15). Never raises."""
        with self._lock:
            try:
                self._write_index()
            except OSError as error:
                log.warning("%s cannot be written: %s", self._index, error.strerror)

    def _write_index(self) -> None:
        wanted = self.index()
        if not wanted and not self._index.exists():
            return
        if self._files.read(self._index) != FileText(wanted, there=True):
            write_whole(self._index, wanted.encode())


def index_of(facts: tuple[Fact, ...], texts: Texts) -> str:
    """One line per fact, by name. Pure; "" without facts."""
    lines = [f"- {fact.slug} ({fact.type}): {fact.description}" for fact in facts]
    return "\n".join([texts("memory.index_head"), "", *lines, ""]) if lines else ""
