"""What a script finds out about the tools it may call: ``tools.names``, ``search`` and ``describe`` (SCR-106 to SCR-110). Pure.

Nothing here counts or checks an argument: the host does. A tool the script may not call is not there for any of the three.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from crewlab.engine.script.callables import Callables
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.parameters import Parameter, parameters, usage_line
from crewlab.engine.tools.shown import UNSHOWABLE

__all__ = ["describe", "first_sentence", "names", "one_line", "search", "usage_line"]

LINE_CHARS = 200  # the table of lookups, TSR-13
DESCRIBE_CHARS = 2_000  # the table of lookups
SENTENCE_END = re.compile(r"(?P<word>\S*)[.!?…][)\"'»”’]* ")
PARAGRAPH_CHARS = 400  # a longer line of a description is divided, so that cutting at whole lines leaves some of it


def names(callables: Callables) -> list[str]:
    """Every name, in the order in which the agent holds the tools."""
    return list(callables.names)


def search(callables: Callables, words: str, limit: int) -> list[dict[str, str]]:
    """The best matches among the callable tools, ranked as ``tool_search`` ranks; empty when nothing matches."""
    return [{"name": tool.name, "description": one_line(tool.description)} for tool in callables.index.best(words, limit)]


def describe(callables: Callables, name: str, texts: Texts) -> str | None:
    """The usage line, the description and each parameter; ``None`` for a tool the script may not call (SCR-108)."""
    tool = next((tool for tool in callables.tools if tool.name == name), None)
    if tool is None:
        return None
    lines = list(_lines(tool, texts))
    whole = "\n".join(lines)
    if len(whole) <= DESCRIBE_CHARS:
        return whole
    note = texts("script_tool.describe_cut", limit=DESCRIBE_CHARS)
    kept, room = [], DESCRIBE_CHARS - len(note)
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, note])


def _lines(tool: Tool, texts: Texts) -> Iterator[str]:
    yield usage_line(tool)
    for line in (tool.description if tool.foreign is None else tool.foreign.description).splitlines():
        clean = " ".join(UNSHOWABLE.sub(" ", line).split())
        yield from textwrap.wrap(clean, PARAGRAPH_CHARS, break_on_hyphens=False)
    for each in parameters(tool):
        yield _parameter(each, texts)


def _parameter(each: Parameter, texts: Texts) -> str:
    kind = texts("script_tool.required", form=each.form) if each.required else each.form
    words = first_sentence(each.description)
    return f"{each.path} ({kind}): {words}" if words else f"{each.path} ({kind})"


def one_line(text: str, limit: int = LINE_CHARS) -> str:
    """The beginning of ``text`` on one line, without control characters, of at most ``limit`` characters."""
    line = " ".join(UNSHOWABLE.sub(" ", text[: limit * 8]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def first_sentence(text: str, limit: int = LINE_CHARS) -> str:
    """The first sentence of ``text`` in the same way; no end is a point before a small letter, nor that of ``e.g.``."""
    line = one_line(text, limit)
    ends = (end for end in SENTENCE_END.finditer(line) if "." not in end["word"] and not line[end.end() : end.end() + 1].islower())
    end = next(ends, None)
    return line if end is None else line[: end.end() - 1]
