"""Running one script in a nest: the same way for a call of ``tool_script`` and for a job (SCR-223)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from crewlab.engine.script.book import Book, NotKept
from crewlab.engine.script.host import ScriptHost
from crewlab.engine.script.outcome import reason, script_answer
from crewlab.engine.script.process import Ended, run_script
from crewlab.engine.texts import Texts
from crewlab.engine.tools.nested import Nest

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answered:
    """How a script ended, in words. ``printed``: what it printed, for ``then_prompt`` (SCR-229). ``reason``: why it failed (SCR-227)."""

    ok: bool
    text: str
    printed: str
    reason: str


async def run_source(script: object, nest: Nest, book: Book, texts: Texts, monotonic: Callable[[], float], *, required: bool) -> Answered:
    """Run ``script`` to its end, then keep what it stored (STO-14, STO-15). ``required``: ``script_sandbox``."""
    try:
        ended = await run_script(script, ScriptHost(nest, book, texts, monotonic), texts, required=required)
    except Exception:  # the process could not be started, or the server around a call failed: no reason to lose what is known (SCR-71)
        log.exception("a script was ended by a fault of the server")
        ended = Ended("child_died")
    nest.inside.printed_chars = ended.printed_chars
    if ended.code == "ok":
        ended = _kept(book, ended)
    ok = ended.code == "ok"
    return Answered(ok, script_answer(ended, texts), ended.printed, "" if ok else reason(ended, texts))


def _kept(book: Book, ended: Ended) -> Ended:
    try:
        book.commit()
    except NotKept as lost:
        return replace(ended, code=lost.code, line=0, params=lost.params)
    return ended
