"""Tool calls that a model wrote as text, because its server does not read its format (FT-4).

Known forms: ``<tool_call>`` (Hermes, Qwen), ``<function=…>`` (Llama, Qwen Coder), ``[TOOL_CALLS]`` (Mistral),
``<|python_tag|>`` (Llama 3.1), and a reply that is nothing but one JSON object, fenced or bare. Only names of
offered tools count; everything else stays the text it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Set
from typing import Any

from crewlab.engine.models.calls import read_arguments
from crewlab.engine.records import Json, ToolCall

MARKS = ("<tool_call>", "<function=", "[TOOL_CALLS]", "<|python_tag|>")
WHOLE = ("{", "[", "```")  # a reply that begins so may be a call and nothing else
FENCE = re.compile(r"```(?:json|tool_call|tool_code)?\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", re.DOTALL)
FUNCTION = re.compile(r"<function=([\w.-]+)>\s*(.*?)\s*(?:</function>|$)", re.DOTALL)
PARAMETER = re.compile(r"<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
MISTRAL = re.compile(r"\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(\{.*)", re.DOTALL)
NAME_IN = re.compile(r'"name"\s*:\s*"([^"]+)"')
NAME_KEYS = ("name", "tool", "tool_name", "function")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")

Found = tuple[str, Json | str]


class TextCalls:
    """``feed`` pieces of text, show what comes back; ``finish`` gives the rest and the calls."""

    def __init__(self, names: Set[str]) -> None:
        self._names = names
        self._seen = ""
        self._shown = 0
        self._held = False
        self._before = ""

    def feed(self, piece: str) -> str:
        """What can be shown: text from a mark on is held, and an end that may become a mark waits."""
        self._seen += piece
        if self._held:
            return ""
        start = self._seen.lstrip()
        if start.startswith(WHOLE) or (start and any(mark.startswith(start) for mark in WHOLE)) or not start:
            self._held = start.startswith(WHOLE)
            return ""
        until = min((at for mark in MARKS if (at := self._seen.find(mark, self._shown)) >= 0), default=-1)
        self._held = until >= 0
        return self._show(until if until >= 0 else len(self._seen) - self._beginning_of_a_mark())

    def _beginning_of_a_mark(self) -> int:
        sizes = range(min(max(map(len, MARKS)) - 1, len(self._seen)), 0, -1)
        return next((size for size in sizes if any(mark.startswith(self._seen[-size:]) for mark in MARKS)), 0)

    @property
    def shown(self) -> str:
        """The text that was shown when calls were found: what stood before them."""
        return self._before

    def rest(self) -> str:
        """The text still held, when real calls came and it is text after all."""
        return self._show(len(self._seen))

    def _show(self, until: int) -> str:
        shown = self._seen[self._shown : until]
        self._shown = max(until, self._shown)
        return shown

    def finish(self) -> tuple[str, tuple[ToolCall, ...]]:
        """The text still to show and the calls; text that is no call after all is given whole."""
        self._before = self._seen[: self._shown]
        held = self._seen[self._shown :]
        found = [(name, arguments) for name, arguments in find_calls(held) if name in self._names]
        if not found:
            return self.rest(), ()
        self._shown = len(self._seen)
        return "", tuple(ToolCall(id=f"call_t{n}", name=name, arguments=arguments) for n, (name, arguments) in enumerate(found))


def find_calls(text: str) -> Iterator[Found]:
    """The calls in ``text``, in the first form that fits."""
    if "<function=" in text:
        for found in FUNCTION.finditer(text):
            parameters = PARAMETER.findall(found[2])
            yield found[1], dict(parameters) if parameters else read_arguments(found[2])
    elif "<tool_call>" in text:
        for tagged in TAGGED.finditer(text):
            yield from _in_json(tagged[1])
    elif "[TOOL_CALLS]" in text:
        rest = text.split("[TOOL_CALLS]", 1)[1]
        named = MISTRAL.match(rest)
        yield from [(named[1], read_arguments(named[2]))] if named else _in_json(rest)
    elif "<|python_tag|>" in text:
        yield from _in_json(text.split("<|python_tag|>", 1)[1])
    else:
        fenced = FENCE.match(text.strip())
        yield from _in_json(fenced[1] if fenced else text, is_marked=False)


def _in_json(text: str, *, is_marked: bool = True) -> Iterator[Found]:
    """Calls as one JSON object or a list of them; a marked one that is broken keeps its text (PRV-18)."""
    try:
        value = json.loads(text.strip())
    except (ValueError, RecursionError):
        name = NAME_IN.search(text) if is_marked else None
        if name is not None:
            yield name[1], text.strip()
        return
    for item in value if isinstance(value, list) else [value]:
        call = _as_call(item)
        if call is not None:
            yield call


def _as_call(item: Any) -> Found | None:
    if not isinstance(item, dict):
        return None
    inner = item.get("function")
    if isinstance(inner, dict):
        item = inner
    name = next((item[key] for key in NAME_KEYS if isinstance(item.get(key), str)), None)
    arguments = next((item[key] for key in ARGUMENT_KEYS if key in item), None)
    if name is None or arguments is None:
        return None
    return name, read_arguments(arguments if isinstance(arguments, str) else json.dumps(arguments))
