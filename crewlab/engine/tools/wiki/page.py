"""One wiki page as text: its head, its content, and the block of links that compiling owns (MEM-20, MEM-28). Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from crewlab.engine.folding import fold, words
from crewlab.engine.home.heads import one_line, split_head, with_head

OPENING, CLOSING = "<!-- crewlab:links -->", "<!-- /crewlab:links -->"  # MEM-28
TITLE_CHARS = 200
SOURCE_CHARS = 500
SLUG_CHARS = 80
_BLOCK = re.compile(rf"^{OPENING}[ \t]*\r?\n(?:(?!{OPENING}).)*?^{CLOSING}[ \t]*$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"^- \[\[(.+?)\]\][ \t]*\r?$", re.MULTILINE)
_MARKER = re.compile(r"<!--\s*/?\s*crewlab:links\s*-->", re.IGNORECASE)
_WORD_CHARS = 3  # shorter words join no pages


@dataclass(frozen=True)
class Page:
    """A page as its file says. ``content`` is without head and block, ``block`` is "" where there is none."""

    slug: str
    title: str
    sources: tuple[str, ...]
    updated: str
    content: str
    block: str
    raw: str = field(repr=False)

    @cached_property
    def folded(self) -> str:
        """The content for searching."""
        return fold(self.content)

    @cached_property
    def folded_title(self) -> str:
        """The title for comparing (MEM-17)."""
        return fold(" ".join(self.title.split()))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words that can join it to another page."""
        return frozenset(word for word in words(f"{self.title} {self.content}") if len(word) >= _WORD_CHARS)

    @property
    def links(self) -> list[str]:
        """The titles in the block."""
        return _LINK.findall(self.block)

    @property
    def first_line(self) -> str:
        """The first line of the content that says something."""
        lines = (line.strip(" #\t\r") for line in self.content.splitlines())
        return one_line(next((line for line in lines if line), ""), 200)


def read_page(slug: str, raw: str) -> Page:
    """The page in a file, also one a person wrote or edited; without a title in its head the slug stands for it."""
    head, body = split_head(raw)
    head = head or {}
    found = _last_block(body)
    block = found[0] if found else ""
    content = body[: found.start()] + body[found.end() :] if found else body
    title = one_line(head.get("title"), TITLE_CHARS) or slug
    return Page(slug, title, _sources(head.get("sources")), one_line(head.get("updated"), 40), content.strip(), block, raw)


def _sources(written: Any) -> tuple[str, ...]:
    items = written if isinstance(written, list) else [written]
    return tuple(source for item in items if (source := one_line(item, SOURCE_CHARS)))


def _last_block(text: str) -> re.Match[str] | None:
    return next(reversed(list(_BLOCK.finditer(text))), None) if OPENING in text else None


def has_marker(text: str) -> bool:
    """Whether a text holds a line that only compiling may write (MEM-20)."""
    return _MARKER.search(text) is not None


def write_page(title: str, sources: Iterable[str], updated: str, content: str, block: str) -> str:
    """The text of a page's file; ``block`` byte for byte."""
    text = with_head({"title": title, "sources": list(sources), "updated": updated}, f"\n{content.strip()}\n")
    return f"{text}\n{block}\n" if block else text


def with_links(raw: str, titles: Iterable[str]) -> str:
    """The same file with another block; nothing outside it changes. Without titles and without a block it stays as it is."""
    block = "\n".join([OPENING, *(f"- [[{title}]]" for title in titles), CLOSING])
    found = _last_block(raw)
    if found:
        return raw[: found.start()] + block + raw[found.end() :]
    if block == f"{OPENING}\n{CLOSING}":
        return raw
    return raw + ("\n" if raw.endswith("\n") else "\n\n") + block + "\n"


def slug_of(title: str) -> str:
    """The name of a page's file: the folded title, with hyphens for everything that is no letter or digit."""
    letters = "".join(letter if unicodedata.category(letter)[0] in "LN" else "-" for letter in fold(title))
    return "-".join(part for part in letters.split("-") if part)[:SLUG_CHARS].strip("-")
