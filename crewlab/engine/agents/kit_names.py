"""The names that other programs give to the same tools (KIT-20, NBK-1)."""

from __future__ import annotations

from typing import Literal

Kind = Literal[".agents", ".claude", ".opencode"]
KINDS: tuple[Kind, ...] = (".agents", ".claude", ".opencode")  # KIT-4: the order of preference

CLAUDE = {
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
OPENCODE = {
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


def crewlab_tool(name: str, kind: Kind) -> str:
    """The crewlab name of a tool of that kit's world; ``Bash(git log:*)`` names the tool before the bracket."""
    bare = name.partition("(")[0].strip()
    return ALIASES[kind].get(bare, bare)
