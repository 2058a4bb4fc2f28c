"""What a model reads about ``tool_script`` (SCR-85 to SCR-92, DLG-81). Pure: the same tools give the same bytes (TOOL-25)."""

from __future__ import annotations

from collections.abc import Iterator

from crewlab.engine.script.callables import DELEGATE, Callables, writes
from crewlab.engine.script.lookup import first_sentence, one_line
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.parameters import parameters, usage_line

MAX_LINES = 30  # SCR-87
MAX_SHOWN = 12  # SCR-87: parameters of one line
BATCH = (
    'wanted = ["...", "..."]',
    'answers = tools.batch([{"tool": "TOOL", "args": ARGS} for each in wanted])',
    "for each, answer in zip(wanted, answers):",
    '    print(each, answer["output"][:200] if answer["ok"] else answer["error"])',
)
EXAMPLES = ("workspace_read", "fetch_url", "web_search", "wiki_get")
"""What the example of a batch calls, when the script may; else the first tool that needs one text."""


def description(callables: Callables, texts: Texts, *, asks: bool) -> str:
    """The whole text. ``asks``: the agent's ``script_llm``."""
    lines = list(_lines(callables, texts))
    gated, found = callables.gated, any(tool.foreign is not None and tool.exposure != "direct" for tool in callables.tools)
    parts = [
        texts("script_tool.purpose"),
        texts("script_tool.language"),
        "\n".join([texts("script_tool.calls"), *lines]),
        texts("script_tool.lookups") + " " + texts("script_tool.gated_outside" if gated else "script_tool.read_outside")
        + (" " + texts("script_tool.deferred") if found else ""),
        _batches(callables, texts),
        *([texts("script_tool.gated")] if gated else []),
        texts("script_tool.store"),
        *([texts("script_tool.asks")] if asks else []),
        *([texts("script_tool.delegate")] if gated and callables.registry.get(DELEGATE) is not None else []),
    ]  # fmt: skip
    return "\n\n".join(parts)


def _lines(callables: Callables, texts: Texts) -> Iterator[str]:
    """Tools that are declared, then those a server keeps for scripts with what they do; the rest is counted."""
    own = [tool for tool in callables.tools if tool.foreign is None and tool.exposure == "direct"]
    served = [tool for tool in callables.tools if tool.foreign is not None and tool.exposure == "codemode"]
    shown = [*own, *served][:MAX_LINES]
    for tool in shown:
        words = "" if tool.foreign is None else first_sentence(tool.foreign.description)
        yield usage_line(tool, MAX_SHOWN) + (f": {words}" if words else "")
    more = len(callables.tools) - len(shown)
    if more:
        yield texts("script_tool.more_one" if more == 1 else "script_tool.more", count=more)


def _batches(callables: Callables, texts: Texts) -> str:
    tool, argument = _example(callables)
    args = f'{{"{argument}": each}}' if argument else "{}"
    example = "\n".join(BATCH).replace("TOOL", tool).replace("ARGS", args)
    said = texts("script_tool.batches_gated" if callables.gated else "script_tool.batches")
    return "\n".join([said, example])


def _example(callables: Callables) -> tuple[str, str]:
    """A tool the script may call and the name of the one text it needs."""
    by_name = {tool.name: tool for tool in callables.tools}
    preferred = [by_name[name] for name in EXAMPLES if name in by_name]
    readers = sorted(callables.tools, key=writes)
    for tool in (*preferred, *readers):
        needed = _needed(tool)
        if needed is not None:
            return one_line(tool.name), needed
    return one_line(readers[0].name) if readers else "workspace_read", ""


def _needed(tool: Tool) -> str | None:
    found = [each for each in parameters(tool) if each.required and "." not in each.path]
    return found[0].path if len(found) == 1 and found[0].form == "string" and found[0].path.isidentifier() else None
