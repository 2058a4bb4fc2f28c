"""Running one judged call: whatever happens inside a tool becomes an answer the model can read (TOOL-15)."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from crewlab.engine.texts import Texts
from crewlab.engine.tools.ceiling import Way, shorten_aside
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.shown import clean_name

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a call as the model reads it. ``ok`` is false for an error result."""

    text: str
    ok: bool
    way: Way | None = None
    original_chars: int | None = None


async def call_tool(tool: Tool, arguments: Arguments, context: ToolContext, pointer: str = "") -> Answer:
    """Run ``tool`` and limit its answer, good or bad (OUT-1). Only cancellation comes out as an exception."""
    ok = False
    try:
        text = _text(await tool.run(arguments, context))
        ok = True
    except ToolError as error:
        text = error.message
    except Exception as error:
        logger.exception("tool %s failed", tool.name)
        text = failure(tool.name, error, context.texts)
    return await limited(_stored(text) or context.texts("tools.empty", name=tool.name), ok, context, pointer)


async def limited(text: str, ok: bool, context: ToolContext, pointer: str = "") -> Answer:
    """``text`` within the agent's ceiling, as an answer; for results that no tool wrote (refusals, wrong arguments)."""
    short = await shorten_aside(text, context.output_chars, context.texts, pointer)
    return Answer(short.text, ok, short.way, short.original_chars if short.way else None)


def failure(name: str, error: BaseException, texts: Texts) -> str:
    """The sentence for a fault inside a tool: its name and the kind, never what was raised (TOOL-15). The caller logs the details."""
    return texts("tools.failed", name=clean_name(name), kind=type(error).__name__)


def _text(answer: object) -> str:
    if isinstance(answer, str):
        return answer
    raise TypeError(f"the tool gave {type(answer).__name__} and not text")


def _stored(text: str) -> str:
    """``text`` as it can be stored: halves of surrogate pairs joined, or replaced when alone. Most texts are just returned."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
