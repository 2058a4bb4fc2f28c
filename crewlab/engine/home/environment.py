"""Variables that stand for keys of ``config.yaml`` (AGT-8, register A)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

Form = Literal["text", "switch", "whole", "number", "commas", "semicolons"]

PREFIX = "CREWLAB_"
FORMS: dict[str, Form] = {  # the variable is PREFIX and the key in capitals
    "language": "text",
    "timezone": "text",
    "routes": "commas",
    "vision_routes": "commas",
    "audio_routes": "commas",
    "embedding_routes": "commas",
    "vibe_fast_routes": "commas",
    "vibe_good_routes": "commas",
    "max_steps": "whole",
    "cost_cap_usd": "number",
    "approval_ttl_seconds": "whole",
    "tool_output_chars": "whole",
    "shell_ask_patterns": "semicolons",
    "shell_allow_patterns": "semicolons",
    "toolset": "text",
    "web_providers": "commas",
    "monthly_budget_usd": "number",
    "browser_enabled": "switch",
    "browser_channel": "text",
    "browser_executable": "text",
    "browser_sandbox": "switch",
    "browser_idle_minutes": "whole",
    "browser_max_tabs": "whole",
    "browser_ask_patterns": "semicolons",
    "desktop_socket": "text",
    "script_sandbox": "text",
    "lsp_enabled": "switch",
    "lsp_idle_minutes": "whole",
    "lsp_max_servers": "whole",
    "diagnostics_wait_seconds": "number",
    "debug_enabled": "switch",
    "debug_wait_seconds": "whole",
    "eval_enabled": "switch",
    "eval_idle_seconds": "whole",
    "eval_kernel_idle_minutes": "whole",
    "eval_max_kernels": "whole",
    "vibe_max_workers": "whole",
    "notebooks_enabled": "switch",
    "notebook_idle_seconds": "whole",
    "notebook_total_seconds": "whole",
    "notebook_kernel_idle_minutes": "whole",
    "notebook_provenance": "switch",
    "allowed_hosts": "commas",
}
_SWITCH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def variable(key: str) -> str:
    """The variable of a key."""
    return PREFIX + key.upper()


def from_environment(environ: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The values that variables set, by key, and the names of those variables.

    A text that is no such value stays text, so that the key's own check refuses it. A variable set
    to the empty string is an empty list for the lists (SHL-24, VIS-3) and counts as not set for the rest.
    """
    values: dict[str, Any] = {}
    names: dict[str, str] = {}
    for key, form in FORMS.items():
        written = environ.get(variable(key))
        if written is None or (not written.strip() and form not in ("commas", "semicolons")):
            continue
        values[key] = _read(written, form)
        names[key] = variable(key)
    return values, names


def _read(written: str, form: Form) -> Any:
    if form == "commas":
        return [item.strip() for item in written.split(",") if item.strip()]
    if form == "semicolons":  # spaces inside and around a pattern count (SHL-26)
        return [item for item in written.split(";") if item.strip()]
    bare = written.strip()
    if form == "switch":
        return _SWITCH.get(bare.lower(), bare)
    if form == "text":
        return bare
    return _number(bare, form)


def _number(bare: str, form: Form) -> int | float | str:
    if not bare.isascii() or "_" in bare:
        return bare
    try:
        return int(bare)
    except ValueError:
        pass
    try:
        number = float(bare)
    except ValueError:
        return bare
    return number if math.isfinite(number) else bare
