"""``crewlab agent …``: reads and writes files, takes no lock; a running server sees them at its next start (DB-14, AGT-30)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from crewlab.engine.errors import NotFound
from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts


def list_agents(home: Home, environ: Mapping[str, str], texts: Texts) -> int:
    """Write one line per agent, the master first; warnings go to stderr."""
    from crewlab.engine.agents.roster import load_roster
    from crewlab.engine.home.settings import load_settings

    settings = load_settings(home, environ, texts)
    roster = load_roster(home, settings, texts)
    head = tuple(texts(f"cli.column_{name}") for name in ("id", "name", "mode", "origin", "workspace"))
    _print_table([head, *((agent.id, agent.name, agent.mode, agent.origin, str(agent.workspace)) for agent in roster.all())])
    for warning in roster.warnings:
        print(warning, file=sys.stderr)
    return 0


def list_templates(texts: Texts) -> int:
    """Write one line per template that can be added."""
    from crewlab.engine.agents.templates import templates

    _print_table([(one.id, one.name, one.description) for one in templates(texts)])
    return 0


def add_agent(home: Home, environ: Mapping[str, str], texts: Texts, name: str, workspace: str | None) -> int:
    """Install a template with its peers and the shared skills; an agent that exists is kept (AGT-26 to AGT-29).

    Raises ``NotFound`` for an unknown template, ``StartupStop`` when the home cannot stand; then nothing is written.
    """
    import os

    from crewlab.engine.agents.profiles import profile_file
    from crewlab.engine.agents.roster import load_roster
    from crewlab.engine.agents.templates import TEMPLATES, find_template, install_files, written_yaml
    from crewlab.engine.home.settings import load_settings

    template = find_template(name, texts)
    if template is None:
        raise NotFound(texts("change.no_template", name=repr(name), known=", ".join(TEMPLATES)))
    load_roster(home, load_settings(home, environ, texts), texts)
    ids = (name, *template.brings)
    new = [each for each in ids if not profile_file(home, each).exists() and not profile_file(home, each).is_symlink()]
    pinned = None if workspace is None else os.path.abspath(os.path.expanduser(workspace))
    home.ensure(texts)
    install_files(home, {each: written_yaml(each, pinned if each == name else None, texts) for each in new}, texts)
    if new:
        print(texts("cli.agent_added", ids=", ".join(new), home=home.root))
    if len(new) < len(ids):
        print(texts("cli.agent_kept", ids=", ".join(each for each in ids if each not in new)))
    return 0


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
