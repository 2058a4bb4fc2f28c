"""Which file is meant: one of the agent's workspace, else one of the home (VIS-6, PDF-2)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.workspace.opening import regular_file
from crewlab.engine.tools.workspace.paths import resolve_file


@dataclass(frozen=True, slots=True)
class Found:
    """An open regular file. ``asked`` is the path as the model wrote it, fit to be shown."""

    descriptor: int
    asked: str


def refusal(raw: str, context: ToolContext, home: Path) -> str | None:
    """The words for a path that neither the workspace nor the home can hold; ``None`` when one of them may."""
    first: str | None = None
    for base in (context.workspace, home):
        try:
            resolve_file(raw, replace(context, workspace=base))
        except ToolError as error:
            first = first or error.message
        else:
            return None
    return first


@contextmanager
def opened(raw: str, context: ToolContext, home: Path) -> Iterator[Found]:
    """The file, workspace first; raises ``ToolError`` with what the workspace said when neither has it."""
    first: ToolError | None = None
    for base in (context.workspace, home):
        with ExitStack() as stack:
            try:
                place = resolve_file(raw, replace(context, workspace=base))
                descriptor = stack.enter_context(regular_file(place, context))
            except ToolError as error:
                first = first or error
                continue
            yield Found(descriptor, place.asked)
            return
    raise first or ToolError(context.texts("tools.path_not_there", path=raw))
