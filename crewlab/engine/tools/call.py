"""Running one judged call: whatever happens inside a tool becomes a text the model can read (TOOL-15).

The text is not limited yet; the one place that stores results does that, for refusals as well (OUT-1).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.shown import clean_name

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ran:
    """What a tool answered. ``ok`` is false for an error result; ``hooked``: hooks have added to the text (KIT-16)."""

    text: str
    ok: bool
    hooked: bool = False


async def run_tool(tool: Tool, arguments: Arguments, context: ToolContext) -> Ran:
    """Run ``tool``. The text is never empty (TOOL-11) and can always be stored; only cancellation comes out as an exception."""
    ok = False
    try:
        text = _text(await tool.run(arguments, context))
        ok = True
    except ToolError as error:
        text = error.message
    except Exception as error:
        logger.exception("tool %s failed", tool.name)
        text = failure(tool.name, error, context.texts)
    return Ran(_storable(text) or context.texts("tools.empty", name=tool.name), ok)


def failure(name: str, error: BaseException, texts: Texts) -> str:
    """The sentence for a fault inside a tool: its name and the kind, never what was raised (TOOL-15). The caller logs the details."""
    return texts("tools.failed", name=clean_name(name), kind=type(error).__name__)


def _text(answer: object) -> str:
    if isinstance(answer, str):
        return answer
    raise TypeError(f"the tool gave {type(answer).__name__} and not text")


def _storable(text: str) -> str:
    """``text`` with halves of surrogate pairs joined, or replaced when alone. Most texts are just returned."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
