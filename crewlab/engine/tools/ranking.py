"""Which tools answer a few words: the ranking of ``tool_search`` and of ``tools.search`` (TSR-7 to TSR-10). Pure."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from crewlab.engine.folding import fold
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.parameters import parameters

SATURATION = 1.2  # TSR-7: k1
LENGTH_WEIGHT = 0.75  # TSR-7: b
PLURAL_LETTERS = 4  # TSR-9
MAX_TEXT = 20_000  # characters of one tool that are read; what a server writes beyond counts for nothing

_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The words of a text, without case, accents and plural (TSR-8, TSR-9)."""
    bare = "".join(letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter) != "Mn")
    return [_singular(word) for word in _WORD.findall(fold("".join(_apart(unicodedata.normalize("NFC", bare)))))]


def _apart(text: str) -> Iterator[str]:
    """The text with a space at every change from lower to upper case."""
    before = ""
    for letter in text:
        if before.islower() and letter.isupper():
            yield " "
        yield letter
        before = letter


def _singular(word: str) -> str:
    if len(word) < PLURAL_LETTERS:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _read(tool: Tool) -> list[str]:
    """The words of one tool: its own name, the server's, the description, names and descriptions of parameters."""
    foreign = tool.foreign
    texts = [tool.name, tool.description] if foreign is None else [foreign.name, foreign.server, foreign.description]
    for each in parameters(tool):
        texts += [each.path, each.description]
    return words_of(" ".join(texts)[:MAX_TEXT])


class Index:
    """A set of tools, read once, to be searched."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tuple(tools)
        self._counts = [Counter(_read(tool)) for tool in self._tools]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._average = sum(self._lengths) / len(self._lengths) if self._lengths else 0.0
        self._holding = Counter(word for counts in self._counts for word in counts)

    def found(self, query: str) -> list[Tool]:
        """Every tool that matches, best first; ties in the order of the tools. A name that is spelt exactly stands first."""
        wanted = dict.fromkeys(words_of(query))
        scores = [self._score(place, wanted) for place in range(len(self._tools))]
        exact = [_spelt(tool, query.strip().casefold()) for tool in self._tools]
        places = sorted(range(len(self._tools)), key=lambda place: (-exact[place], -scores[place]))
        return [self._tools[place] for place in places if exact[place] or scores[place] > 0]

    def best(self, query: str, limit: int) -> list[Tool]:
        """The first ``limit`` of them."""
        return list(islice(self.found(query), limit))

    def _score(self, place: int, wanted: dict[str, None]) -> float:
        counts, total = self._counts[place], 0.0
        for word in wanted:
            times = counts.get(word, 0)
            if times:
                holding = self._holding[word]
                rare = math.log(1 + (len(self._tools) - holding + 0.5) / (holding + 0.5))
                long = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * self._lengths[place] / self._average
                total += rare * times * (SATURATION + 1) / (times + SATURATION * long)
        return total


def _spelt(tool: Tool, query: str) -> int:
    """2: the full name; 1: the name its server gave it; 0: neither (TSR-10)."""
    if query == tool.name.casefold():
        return 2
    return int(tool.foreign is not None and query == tool.foreign.name.casefold())
