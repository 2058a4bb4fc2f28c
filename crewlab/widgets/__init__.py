"""anywidget components (UI-155). Speak HTTP through ``crewlab.notebook``; their front end is built from ``labextension/src``.

Importing this package is free; a component is loaded when it is named, and with it ``anywidget``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crewlab.widgets.agents import AgentsTable
    from crewlab.widgets.approvals import Approvals
    from crewlab.widgets.chat import Chat
    from crewlab.widgets.costs import CostChart
    from crewlab.widgets.store import ScriptStore
    from crewlab.widgets.timeline import RunTimeline

__all__ = ["AgentsTable", "Approvals", "Chat", "CostChart", "RunTimeline", "ScriptStore"]

_PLACES = {
    "AgentsTable": "crewlab.widgets.agents",
    "Approvals": "crewlab.widgets.approvals",
    "Chat": "crewlab.widgets.chat",
    "CostChart": "crewlab.widgets.costs",
    "RunTimeline": "crewlab.widgets.timeline",
    "ScriptStore": "crewlab.widgets.store",
}


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(place), name)
    except ModuleNotFoundError as missing:
        if missing.name not in ("anywidget", "traitlets"):
            raise
        from crewlab.notebook.errors import CrewError
        from crewlab.notebook.words import say

        raise CrewError("no_anywidget", 0, say("no_anywidget")) from None
