"""``crewlab agent …``: reads files, takes no lock (DB-14)."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts


def list_agents(home: Home, environ: Mapping[str, str], texts: Texts) -> int:
    """Write one line per agent, the master first; warnings go to stderr."""
    from crewlab.engine.agents.roster import load_roster
    from crewlab.engine.home.settings import load_settings

    settings = load_settings(home, environ, texts)
    roster = load_roster(home, settings, texts)
    head = tuple(texts(f"cli.column_{name}") for name in ("id", "name", "mode", "origin", "workspace"))
    rows = [head, *((agent.id, agent.name, agent.mode, agent.origin, str(agent.workspace)) for agent in roster.all())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    for warning in roster.warnings:
        print(warning, file=sys.stderr)
    return 0
