"""What a command that has ended answers (SHL-6 to SHL-10, SHL-61). Pure."""

from __future__ import annotations

from crewlab.engine.sandbox import Finished
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import ToolError
from crewlab.engine.tools.shown import grouped

TAIL_CHARS = 4000  # SHL-8, SHL-10
BLOCKED_WRITES = ("Operation not permitted", "Read-only file system", "Permission denied")  # SHL-61


def answer(finished: Finished, seconds: int, texts: Texts, *, sandboxed: bool) -> str:
    """What the command printed, or that it printed nothing. Raises ``ToolError`` for one that failed or was ended."""
    head, tail = finished.output.parts()
    if finished.stopped is not None:
        raise ToolError(_failure(texts(f"shell.stopped_{finished.stopped}"), finished, head, tail, texts))
    if finished.timed_out:
        raise ToolError(_failure(texts("shell.timed_out", seconds=seconds), finished, head, tail, texts))
    if finished.exit_code:
        text = _failure(f"exit code: {finished.exit_code}", finished, head, tail, texts)
        if sandboxed and any(mark in head or mark in tail for mark in BLOCKED_WRITES):
            text += "\n" + texts("shell.blocked_write")
        raise ToolError(text)
    if not finished.output.total:
        return texts("shell.nothing_printed")
    return f"{head}\n{texts('shell.left_out', count=grouped(finished.output.left_out, texts))}\n{tail}" if tail else head


def _failure(first: str, finished: Finished, head: str, tail: str, texts: Texts) -> str:
    """The first line, how much was left out, the end of what was printed."""
    text = head + tail
    kept = text[-TAIL_CHARS:]
    missing = len(text) - len(kept) + finished.output.left_out
    lines = [first, texts("shell.left_out", count=grouped(missing, texts)) if missing else "", kept]
    return "\n".join(line for line in lines if line)
