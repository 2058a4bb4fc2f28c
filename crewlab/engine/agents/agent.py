"""One member of the crew with the values in force: its own, else the crew's, else the default of its mode."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from crewlab.engine.agents.switches import Switches
from crewlab.engine.home.profile import AgentProfile, Mode, Toolset
from crewlab.engine.home.routes import Route

MASTER = "default"  # AGT-19
PERSONA_FILES = ("PERSONA.md", "INSTRUCTIONS.md")  # MEMF-2, in this order

Origin = Literal["default", "profile", "kit"]  # AGT-33


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent as the engine uses it. ``profile`` is exactly what its file says.

    ``routes`` ``None``: the crew's. ``tools`` ``None``: no list (standard set). ``write_paths`` ``None``:
    the whole workspace. ``delegates``: ids it may give work to besides itself (DLG-5). ``workspace`` and
    ``directory`` are absolute.
    """

    id: str
    name: str
    description: str
    master: bool
    mode: Mode
    origin: Origin
    directory: Path
    workspace: Path
    routes: tuple[Route, ...] | None
    autonomous: bool
    max_steps: int
    cost_cap_usd: float
    approval_ttl_seconds: int
    tool_output_chars: int
    tools: tuple[str, ...] | None
    write_paths: tuple[str, ...] | None
    shell_ask_patterns: tuple[str, ...]
    shell_allow_patterns: tuple[str, ...]
    shell_deny_patterns: tuple[str, ...]
    rewrite_max_chars: int
    toolset: Toolset
    extra_tools: tuple[str, ...]
    skills_dirs: tuple[Path, ...]
    delegates: tuple[str, ...]
    may_delegate: bool
    switches: Switches
    profile: AgentProfile
    generation: int = 0
    """How often an agent of this id had been removed when this one was built (STO-44)."""
    kit_persona: str = ""
    """What a kit's file says it is; counts where it has no persona files of its own (KIT-6, KIT-7)."""
