"""Tool names of the kits' own worlds and ours (KIT-20). Pure."""

from __future__ import annotations

from typing import Any

from crewlab.engine.agents.kits.folders import World

_CLAUDE = {  # KIT-20
    "workspace_read": ("Read",),
    "workspace_write": ("Write",),
    "workspace_edit": ("Edit", "MultiEdit"),
    "workspace_list": ("LS",),
    "workspace_glob": ("Glob",),
    "workspace_grep": ("Grep",),
    "shell_run": ("Bash",),
    "fetch_url": ("WebFetch",),
    "web_search": ("WebSearch",),
    "delegate": ("Task", "Agent"),
    "ask_user": ("AskUserQuestion",),
    "skill_read": ("Skill",),
    "notebook_read": ("NotebookRead",),  # by name only: their arguments are not translated
    "notebook_edit": ("NotebookEdit",),
}
_OPENCODE = {  # KIT-20
    "workspace_read": ("read",),
    "workspace_write": ("write",),
    "workspace_edit": ("edit",),
    "workspace_patch": ("patch", "apply_patch"),
    "workspace_list": ("list",),
    "workspace_glob": ("glob",),
    "workspace_grep": ("grep",),
    "shell_run": ("bash",),
    "fetch_url": ("webfetch",),
    "web_search": ("websearch",),
    "delegate": ("task",),
    "ask_user": ("question",),
    "skill_read": ("skill",),
}
_RENAMED = {  # KIT-20; the directories of LS, Glob and Grep are `path` there too
    "workspace_read": {"path": "file_path"},
    "workspace_write": {"path": "file_path"},
    "workspace_edit": {"path": "file_path", "old": "old_string", "new": "new_string"},
}
_OURS = {alias: name for table in (_CLAUDE, _OPENCODE) for name, aliases in table.items() for alias in aliases}


def our_name(written: str) -> str:
    """The crewlab name of a tool that a kit names; a name nobody knows stays."""
    return _OURS.get(written, written)


def aliases(name: str, world: World) -> tuple[str, ...]:
    """What a tool is called in that world; empty where it has no name. ``.agents`` speaks like ``.claude``."""
    return (_OPENCODE if world == "opencode" else _CLAUDE).get(name, ())


def inputs(name: str, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments as hooks know them: one set, or one for each file where one call writes several."""
    files = arguments.get("files")
    if name == "workspace_write" and isinstance(files, list) and files:
        return [_renamed(name, file) for file in files if isinstance(file, dict)]
    return [_renamed(name, arguments)]


def _renamed(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    names = _RENAMED.get(name, {})
    return {names.get(key, key): value for key, value in arguments.items()}
