"""Tool names of the kits' own worlds and ours (KIT-20). Pure."""

from __future__ import annotations

from typing import Any, Literal

Kind = Literal[".agents", ".claude", ".opencode"]
KINDS: tuple[Kind, ...] = (".agents", ".claude", ".opencode")  # KIT-4: the order of preference

CLAUDE = {  # KIT-20, NBK-1; the arguments of the notebook tools are not translated
    "Read": "workspace_read",
    "Write": "workspace_write",
    "Edit": "workspace_edit",
    "MultiEdit": "workspace_edit",
    "LS": "workspace_list",
    "Glob": "workspace_glob",
    "Grep": "workspace_grep",
    "Bash": "shell_run",
    "WebFetch": "fetch_url",
    "WebSearch": "web_search",
    "Task": "delegate",
    "Agent": "delegate",
    "AskUserQuestion": "ask_user",
    "Skill": "skill_read",
    "NotebookRead": "notebook_read",
    "NotebookEdit": "notebook_edit",
}
OPENCODE = {  # KIT-20
    "read": "workspace_read",
    "write": "workspace_write",
    "edit": "workspace_edit",
    "patch": "workspace_patch",
    "apply_patch": "workspace_patch",
    "list": "workspace_list",
    "glob": "workspace_glob",
    "grep": "workspace_grep",
    "bash": "shell_run",
    "webfetch": "fetch_url",
    "websearch": "web_search",
    "task": "delegate",
    "question": "ask_user",
    "skill": "skill_read",
}
ALIASES: dict[Kind, dict[str, str]] = {".agents": CLAUDE | OPENCODE, ".claude": CLAUDE, ".opencode": OPENCODE}
_RENAMED = {  # KIT-20; the directories of LS, Glob and Grep are `path` there too
    "workspace_read": {"path": "file_path"},
    "workspace_write": {"path": "file_path"},
    "workspace_edit": {"path": "file_path", "old": "old_string", "new": "new_string"},
}


def crewlab_tool(name: str, kind: Kind) -> str:
    """The crewlab name of a tool of that kit's world; ``Bash(git log:*)`` names the tool before the bracket."""
    bare = name.partition("(")[0].strip()
    return ALIASES[kind].get(bare, bare)


def aliases(name: str, kind: Kind) -> tuple[str, ...]:
    """What a tool is called in that kit's world; empty where it has no name. Hooks of ``.agents`` speak like those of ``.claude``."""
    return tuple(alias for alias, ours in (OPENCODE if kind == ".opencode" else CLAUDE).items() if ours == name)


def inputs(name: str, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments as hooks know them: one set, or one for each file where one call writes several."""
    files = arguments.get("files")
    if name == "workspace_write" and isinstance(files, list) and files:
        return [_renamed(name, file) for file in files if isinstance(file, dict)]
    return [_renamed(name, arguments)]


def _renamed(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    names = _RENAMED.get(name, {})
    return {names.get(key, key): value for key, value in arguments.items()}
