"""An answer that grows in a cell's output (UI-153): at most ten updates a second, plain Markdown at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from crewlab.notebook.markdown import safe_markdown
from crewlab.notebook.progress import Progress
from crewlab.notebook.requests import request_text
from crewlab.notebook.words import say

UPDATES_PER_SECOND = 10  # UI-153
CARET = "▍"


class Canvas(Protocol):
    """Where output is shown: the first ``show`` makes it, later ones replace it."""

    def show(self, bundle: Mapping[str, str]) -> None:
        """Shows a MIME bundle."""
        ...


class CellOutput:
    """The output of the running cell."""

    def __init__(self, metadata: Mapping[str, Any] | None = None) -> None:
        self._id: str | None = None
        self._metadata = dict(metadata or {})

    def show(self, bundle: Mapping[str, str]) -> None:
        """Displays ``bundle``, in place of what was shown before."""
        from IPython.display import display

        if self._id is None:
            handle = display(dict(bundle), raw=True, metadata=self._metadata, display_id=True)  # type: ignore[no-untyped-call]
            self._id = getattr(handle, "display_id", None)
        else:
            display(dict(bundle), raw=True, metadata=self._metadata, display_id=self._id, update=True)  # type: ignore[no-untyped-call]


def in_notebook() -> bool:
    """Whether this code runs in a cell whose output can be updated."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


class Live:
    """Draws ``Progress`` on a canvas. ``wait`` says how long until the next drawing is due."""

    def __init__(self, canvas: Canvas, language: str | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._canvas = canvas
        self._language = language
        self._clock = clock
        self._drawn_at: float | None = None
        self._drawn: Progress | None = None
        self._wanted: Progress | None = None

    def show(self, progress: Progress) -> None:
        """Takes the newest progress; draws it when a drawing is due. The end is always drawn."""
        self._wanted = progress
        if progress.over or self.wait() == 0:
            self._draw(progress)

    def wait(self) -> float | None:
        """Seconds until a drawing is due, 0 when now, None when nothing is to be drawn."""
        if self._wanted is None or self._wanted is self._drawn:
            return None
        if self._drawn_at is None:
            return 0
        return max(0.0, self._drawn_at + 1 / UPDATES_PER_SECOND - self._clock())

    def flush(self) -> None:
        """Draws what is waiting."""
        if self._wanted is not None and self._wanted is not self._drawn:
            self._draw(self._wanted)

    def note(self, text: str) -> None:
        """Draws the last progress with a closing line."""
        self._draw(self._wanted or Progress(), text)

    def _draw(self, progress: Progress, note: str | None = None) -> None:
        self._drawn_at, self._drawn = self._clock(), progress
        self._canvas.show(bundle(progress, self._language, note))


def bundle(progress: Progress, language: str | None = None, note: str | None = None) -> dict[str, str]:
    """The answer so far as Markdown and as text; while it grows with what happens now, at the end nothing but itself."""
    line = note or _line(progress, language)
    markdown, plain = safe_markdown(progress.text), progress.text
    if progress.open_part and note is None:
        markdown, plain = markdown + CARET, plain + CARET
    if line:
        markdown = f"{markdown}\n\n*{safe_markdown(line)}*" if markdown else f"*{safe_markdown(line)}*"
        plain = f"{plain}\n\n{line}" if plain else line
    if progress.status == "waiting" and progress.pending is not None:
        request = request_text(progress.pending, language)
        markdown = f"{markdown}\n\n{safe_markdown(request)}"
        plain = f"{plain}\n\n{request}"
    return {"text/markdown": markdown, "text/plain": plain}


def _line(progress: Progress, language: str | None) -> str:
    """One sentence beside the answer, where there is something to say."""
    status = progress.status
    if status == "running":
        return _now(progress, language)
    if status == "waiting":
        return say("waits", language)
    if status == "queued":
        return say("queued", language, position=(progress.queued or {}).get("position", 1))
    if status == "halted":
        return say("halted", language, reason=say(f"halt_{progress.reason}", language) if progress.reason in HALTS else progress.reason)
    if status == "error":
        return say("failed", language, message=progress.fault or "")
    return say("stopped", language) if status == "stopped" else ""


def _now(progress: Progress, language: str | None) -> str:
    if progress.open_part:
        return ""
    return say("working_tool", language, tool=progress.tool) if progress.tool else say("working", language)


HALTS = ("budget", "max_steps", "loop", "nested_calls")  # TURN-28
