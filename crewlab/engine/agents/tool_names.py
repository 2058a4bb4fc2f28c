"""Which tool and group names a profile may name (TOOL-21 to TOOL-23, PTL-13, PTL-14, PTL-25). Names only: the tools are elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

PORTAL_NAMES = {  # PTL-25: read as the crewlab name
    "list_files": "workspace_list",
    "search_files": "workspace_grep",
    "read_file": "workspace_read",
    "write_file": "workspace_write",
    "edit_file": "workspace_edit",
    "delete_file": "workspace_delete",
    "read_tool_result": "tool_output_read",
    "create_artifact": "artifact_create",
    "rewrite_artifact": "artifact_rewrite",
    "update_artifact": "artifact_edit",
    "search_tools": "tool_search",
}
WORK_TOOLS = frozenset({"workspace_edit", "workspace_grep", "workspace_glob"})  # AGT-22
ALWAYS_ON = frozenset({"calculator", "read_transcript", "suggest_next_actions"})  # PTL-15
BY_KEY = {  # TOOL-22: what brings them, whatever a list says
    "tool_search": "mcp",
    "tool_script": "script_calls",
    "workspace_patch": "code",
    "lsp": "code",
    "lsp_rename": "code",
    "ast_grep": "code",
    "ast_edit": "code",
    "resolve": "code",
    "debug": "code",
    "eval": "code",
    "budget_check": "budget_tool",
    "knowledge_search": "knowledge",
    "read_document": "knowledge",
    "search_attachments": "attachments",
    "list_tools": "discovery",
    "get_tool_schema": "discovery",
    "kernel_variables": "notebooks",
    "kernel_state": "notebooks",
    "kernel_interrupt": "notebooks",
    "kernel_restart": "notebooks",
}
BY_PREFIX = {"browser_": "browser", "computer_": "computer", "vibe_": "vibe", "notebook_": "notebooks", "mcp__": "mcp"}
LISTABLE = frozenset(
    """
    workspace_list workspace_read workspace_write fetch_url web_search memory_save memory_search conversation_search
    user_memory_save user_memory_forget wiki_get wiki_search wiki_apply shell_run schedule_create skill_read image_read
    pdf_read ask_user tool_output_read progress_note artifact_create artifact_list artifact_read artifact_edit
    artifact_rewrite artifact_import artifact_export workspace_edit workspace_grep workspace_glob workspace_delete run_code
    research_web read_page inspect_artifact measure_layout print_pdf update_tasks delegate
    """.split()  # noqa: SIM905
)
GROUP_TOOLS = {  # PTL-14: what `extra_tools` takes, and what it gives
    "workspace": "workspace_list workspace_grep workspace_read workspace_write workspace_edit workspace_delete",
    "code": "run_code",
    "calculation": "calculator",
    "stored_results": "tool_output_read",
    "earlier_turns": "read_transcript",
    "pause": "ask_user",
    "suggestions": "suggest_next_actions",
    "memory": "memory_search memory_save user_memory_save user_memory_forget",
    "documents": "knowledge_search read_document search_attachments",
    "budget": "budget_check",
    "history": "conversation_search",
    "web": "research_web read_page",
    "artifacts": "artifact_create artifact_rewrite artifact_edit artifact_list artifact_read",
    "artifact_review": "inspect_artifact measure_layout print_pdf",
    "skills": "skill_read",
    "tasks": "update_tasks",
    "discovery": "tool_search list_tools get_tool_schema",
}
OTHER_GROUP_TOOLS = {  # PTL-14: groups that only `deferred_groups` and displays use; and NBK-1
    "files": "workspace_glob",
    "fetch": "fetch_url web_search",
    "wiki": "wiki_get wiki_search wiki_apply",
    "media": "image_read pdf_read",
    "canvas_files": "artifact_import artifact_export",
    "shell": "shell_run",
    "jobs": "schedule_create",
    "notes": "progress_note",
    "delegation": "delegate",
    "script": "tool_script",
    "browser": "",
    "desktop": "",
    "code_tools": "workspace_patch lsp lsp_rename ast_grep ast_edit resolve debug eval",
    "vibe": "",
    "notebook": "kernel_variables kernel_state kernel_interrupt kernel_restart",
}
GROUPS = frozenset(GROUP_TOOLS)
OTHER_GROUPS = frozenset(OTHER_GROUP_TOOLS)
GROUP_PREFIXES = {"browser_": "browser", "computer_": "desktop", "vibe_": "vibe", "notebook_": "notebook"}
_GROUP_OF = {name: group for group, names in (GROUP_TOOLS | OTHER_GROUP_TOOLS).items() for name in names.split()}
PORTAL_BASE = frozenset(  # PTL-15, PTL-16: in every turn under `portal`, whatever a list says
    [*GROUP_TOOLS["workspace"].split(), "tool_output_read", "ask_user"]
)
PORTAL_SWITCHED = frozenset([*GROUP_TOOLS["memory"].split(), *GROUP_TOOLS["history"].split()])  # PTL-19: the switch alone brings them


def group_of(name: str) -> str:
    """The group a tool stands in (PTL-14, PTL-24); a tool nobody knows is a group of its own."""
    if name.startswith("mcp__"):
        return f"mcp:{name.split('__')[1]}"
    return _GROUP_OF.get(name) or next((group for prefix, group in GROUP_PREFIXES.items() if name.startswith(prefix)), name)


def crewlab_name(name: str) -> str:
    """The crewlab name of a tool, whichever catalogue's name was written (PTL-25)."""
    return PORTAL_NAMES.get(name, name)


def extra_names(extra_tools: Iterable[str]) -> frozenset[str]:
    """The tools that `extra_tools` names, groups opened (PTL-13)."""
    return frozenset(name for each in extra_tools for name in GROUP_TOOLS.get(each, each).split())


def bringing_key(name: str) -> str | None:
    """The key that alone brings this tool; ``None`` when a list can decide it (TOOL-22)."""
    if name in BY_KEY:
        return BY_KEY[name]
    return next((key for prefix, key in BY_PREFIX.items() if name.startswith(prefix)), None)


def is_group(name: str) -> bool:
    """Whether ``deferred_groups`` can name it: a group of PTL-14 or ``mcp:<server>``."""
    return name in GROUPS or name in OTHER_GROUPS or name.startswith("mcp:")
