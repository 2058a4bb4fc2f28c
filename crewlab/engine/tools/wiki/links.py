"""Which pages belong together, and what that makes of their blocks (MEM-28). Pure."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from crewlab.engine.folding import fold
from crewlab.engine.tools.wiki.page import Page

MAX_LINKS = 8  # MEM-28
LEAST_SHARED = 2  # words two pages share before they are near at all


def nearest(pages: Mapping[str, Page], slug: str, limit: int = MAX_LINKS) -> list[str]:
    """The pages nearest to one by the words they share; a word that many pages have counts little."""
    spread = Counter(word for page in pages.values() for word in page.vocabulary)
    own = pages[slug].vocabulary
    scores: list[tuple[float, str]] = []
    for other, page in pages.items():
        shared = own & page.vocabulary
        if other != slug and len(shared) >= LEAST_SHARED:
            weight = sum(math.log(1 + len(pages) / spread[word]) for word in shared)
            scores.append((weight / math.sqrt(len(page.vocabulary)), other))
    return [other for _, other in sorted(scores, key=lambda each: (-each[0], each[1]))[:limit]]


def read_answer(answer: str, pages: Mapping[str, Page], asked: Iterable[str]) -> dict[str, list[str]] | None:
    """What a model answered, as slugs: only pages it was shown, at most eight each; ``None`` when it is no answer."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        said = json.loads(answer[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    by_title = {page.folded_title: slug for slug, page in pages.items()}

    def slug_of(title: object) -> str | None:
        return by_title.get(fold(" ".join(title.split()))) if isinstance(title, str) else None

    named: dict[str, list[str]] = {slug: [] for slug in asked}
    for title, others in said.items():
        slug = slug_of(title)
        if slug in named and isinstance(others, list):
            found = [other for each in others if (other := slug_of(each)) is not None and other != slug]
            named[slug] = list(dict.fromkeys(found))[:MAX_LINKS]
    return named


def joined(pages: Mapping[str, Page], wanted: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The titles in the block of every page that changes, links written on both sides.

    ``wanted`` says what each changed page is joined to from now on. A page that has eight links already takes no more, and then
    the other side has none either; a link to a page that is gone goes with the next change of its page.
    """
    by_title = {page.folded_title: slug for slug, page in pages.items()}
    links = {
        slug: list(dict.fromkeys(other for title in page.links if (other := by_title.get(fold(title))) is not None and other != slug))
        for slug, page in pages.items()
    }
    touched: set[str] = set()
    for slug, others in wanted.items():
        if slug not in pages:
            continue
        fresh = [other for other in dict.fromkeys(others) if other in pages and other != slug][:MAX_LINKS]
        for gone in set(links[slug]) - set(fresh):
            links[gone] = [other for other in links[gone] if other != slug]
            touched.add(gone)
        links[slug] = [other for other in fresh if slug in links[other] or len(links[other]) < MAX_LINKS]
        for other in links[slug]:
            if slug not in links[other]:
                links[other].append(slug)
                touched.add(other)
        touched.add(slug)
    return {slug: [pages[other].title for other in links[slug]] for slug in sorted(touched)}
