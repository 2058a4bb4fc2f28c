"""The pages of the wiki on disk, shared by the crew (MEM-28). Methods read and write files and belong in a thread."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from threading import Lock

from crewlab.engine.folding import fold, keywords
from crewlab.engine.home.heads import one_line
from crewlab.engine.home.textfiles import FileText, TextFiles
from crewlab.engine.home.whole import write_whole
from crewlab.engine.tools.wiki.page import Page, read_page, slug_of, with_links, write_page

SUFFIX = ".md"
MAX_PAGES = 10_000  # of a larger vault the first by name are read
NEAR_TITLES = 5
SNIPPET_CHARS = 240
EXACT, IN_TITLE, IN_TEXT, MOST_COUNTED = 10, 5, 1, 5  # what a word counts: a word of the title, part of it, each time in the text


class Vault:
    """The pages by slug. One lock for every writer."""

    def __init__(self, directory: Path, files: TextFiles) -> None:
        self._directory = directory
        self._files = files
        self._lock = Lock()
        self._read: dict[str, tuple[FileText, Page]] = {}

    def pages(self) -> Mapping[str, Page]:
        """Every readable page as it is now; a page edited by hand is read as it is (MEM-28)."""
        read: dict[str, tuple[FileText, Page]] = {}
        for slug in self._slugs():
            file = self._files.read(self._path(slug))
            if file.there and file.trouble is None:
                kept = self._read.get(slug)
                read[slug] = kept if kept is not None and kept[0] is file else (file, read_page(slug, file.text))
        self._read = read
        return {slug: page for slug, (_, page) in read.items()}

    def _slugs(self) -> list[str]:
        try:
            names = os.listdir(self._directory)
        except OSError:
            return []
        return sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX) and not name.startswith("."))[:MAX_PAGES]

    def _path(self, slug: str) -> Path:
        return self._directory / f"{slug}{SUFFIX}"

    def find(self, title: str) -> Page | None:
        """The page of this title, whatever its case and accents, or of this slug (MEM-17)."""
        return _found(self.pages(), title)

    def nearest(self, title: str) -> list[str]:
        """Titles that look like ``title``."""
        by_title = {page.folded_title: page.title for page in self.pages().values()}
        return [by_title[name] for name in get_close_matches(_plain(title), by_title, NEAR_TITLES, 0.4)]

    def search(self, query: str, limit: int) -> list[tuple[Page, str]]:
        """The best matches with a line of each, best first: most words first, then where they stand (MEM-18)."""
        wanted = keywords(query)
        scored = [(score, page) for page in self.pages().values() if (score := _score(page, wanted))[0]]
        scored.sort(key=lambda each: (each[0], each[1].slug), reverse=True)
        return [(page, _line(page, wanted)) for _, page in scored[:limit]]

    def apply(self, title: str, content: str, sources: Sequence[str], today: str) -> tuple[Page, bool]:
        """Write or update the page of this title; the block of links stays byte for byte. True when it is new. Raises ``OSError``."""
        with self._lock:
            pages = self.pages()
            old = _found(pages, title)
            slug = old.slug if old else self._free(title)
            raw = write_page(title, sources, today, content, old.block if old else "")
            write_whole(self._path(slug), raw.encode())
            return read_page(slug, raw), old is None

    def _free(self, title: str) -> str:
        """A slug that no other page has: titles that differ may have the same letters (C, C++)."""
        wanted = slug_of(title) or hashlib.sha256(title.encode()).hexdigest()[:16]
        number, slug = 1, wanted
        while os.path.lexists(self._path(slug)):
            number += 1
            slug = f"{wanted}-{number}"
        return slug

    def relink(self, plan: Callable[[Mapping[str, Page]], Mapping[str, Sequence[str]]]) -> list[str]:
        """Give pages the links that ``plan`` makes of all pages as they are now: slug to titles. Returns the pages that changed.

        Raises ``OSError``.
        """
        with self._lock:
            pages = self.pages()
            changed = []
            for slug, titles in plan(pages).items():
                raw = with_links(pages[slug].raw, titles)
                if raw != pages[slug].raw:
                    write_whole(self._path(slug), raw.encode())
                    changed.append(slug)
            return changed


def _plain(title: str) -> str:
    return fold(" ".join(title.split()))


def _found(pages: Mapping[str, Page], title: str) -> Page | None:
    """By title first, then by slug: of two pages with the same letters the title decides."""
    plain = _plain(title)
    by_title = next((page for page in pages.values() if page.folded_title == plain), None)
    return by_title or pages.get(title.strip())


def _score(page: Page, wanted: Sequence[str]) -> tuple[int, int]:
    """How many of the words the page has, and how much they count."""
    in_title = Counter(page.folded_title.split())
    matched = total = 0
    for word in wanted:
        count = min(page.folded.count(word), MOST_COUNTED) * IN_TEXT
        count += EXACT if in_title[word] else IN_TITLE if word in page.folded_title else 0
        matched += bool(count)
        total += count
    return matched, total


def _line(page: Page, wanted: Sequence[str]) -> str:
    """The title, and the first line that has one of the words, else the first line."""
    lines = (line for line in page.content.splitlines() if any(word in fold(line) for word in wanted))
    return f"{page.title}: {one_line(next(lines, page.first_line), SNIPPET_CHARS)}"
