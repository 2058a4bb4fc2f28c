"""The contract of a tool (TOOL-1): a specification, ``run``, and flags.

A family is a function ``tools(context) -> list[Tool]``. What a tool does not declare counts
against it (TOOL-4): it needs approval only when it says so, but it is never called again after
a restart and never called from scripts unless it declares ``replay_safe``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from crewlab.engine.records import Purpose, Tier
from crewlab.engine.store.conversations import Charge
from crewlab.engine.texts import Texts

if TYPE_CHECKING:
    from crewlab.engine.tools.nested import Nest  # stands on this contract

Arguments = dict[str, Any]
Marking = Literal["fenced", "line", "bare", "own"]
"""How an answer marks text from outside (FI-2): between fence lines; below a line that says it is data; not at all, because it must
come exactly as it is (the frame of the prompt says that it is data); or there is none, and all words are the tool's own."""
Exposure = Literal["direct", "deferred", "codemode"]
"""Whether a tool is declared up front, must be found first, or is named for scripts besides (PTL-128, MCP-50)."""
ScriptUse = Literal["any", "gated", "no"]  # SCR-78: every script; only with `script_calls: gated`, through the gate; never


class ToolError(Exception):
    """The tool cannot do it; the message is the answer the model reads, and says what to do next."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SideModel(Protocol):
    """Asks the agent's own models beside the turn; every call stands in the ledger under its purpose (COST-8, COST-9)."""

    async def ask(self, purpose: Purpose, system: str, text: str) -> tuple[str, Charge]:
        """The answer, and what it cost. Raises ``NoRoute``, ``RoutesFailed`` and ``StreamBroken`` of the models."""
        ...


class Sight(Protocol):
    """Shows a picture to the vision chain (VIS-1)."""

    async def read(
        self, purpose: Literal["image", "pdf"], system: str, question: str, picture: bytes, media_type: str
    ) -> tuple[str, Charge]:
        """What the chain read, and what it cost. Raises ``ToolError`` when nothing could read it."""
        ...

    def is_spent(self, more: Charge) -> bool:
        """Whether the conversation has reached its cap with ``more`` on top."""
        ...


@dataclass(frozen=True, slots=True)
class Handover:
    """An answer of another agent that may become the turn's own, word for word (DLG-74)."""

    text: str
    agent_id: str


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool is given for one call (TOOL-9).

    ``workspace`` is absolute; ``write_paths`` is ``None`` for the whole workspace (WS-11).
    ``closed_paths`` are reserved directories and files (WS-4), ``open_paths`` the places below them that are
    this turn's own. ``cancel`` is set when the turn stops. ``rewrite_max_chars`` is 0 where PTL-32 does not
    hold (off, or no ``workspace_edit`` in the turn).
    ``side`` asks the agent's models (COST-8), ``None`` where there are none; a tool adds to ``charges`` what of it, or of a
    child conversation, the run and the conversation pay with the result (COST-4, COST-7; what it does not add
    stands in the ledger alone, COST-10).
    ``sight`` shows pictures to the vision chain, ``None`` while there is none.
    ``handovers`` is where it offers an answer that may be the turn's own (DLG-74).
    ``opened`` is told the conversation that the call gave its job to, for the step of the run (DLG-14).
    ``nest`` is for the tools that make calls themselves (``nests``): scripts, kernel cells.
    ``conversation_id`` and ``run_id`` are ``None`` outside a conversation. ``output_chars`` is the agent's ceiling (OUT-2).
    """

    agent_id: str
    workspace: Path
    texts: Texts
    conversation_id: str | None = None
    run_id: str | None = None
    call_id: str = ""
    source: str = "chat"
    write_paths: tuple[str, ...] | None = None
    closed_paths: tuple[Path, ...] = ()
    open_paths: tuple[Path, ...] = ()
    output_chars: int = 8000
    rewrite_max_chars: int = 0
    in_script: bool = False
    opened: Callable[[str], None] = lambda _conversation_id: None
    nest: Nest | None = None
    side: SideModel | None = None
    sight: Sight | None = None
    charges: list[Charge] = field(default_factory=list)
    handovers: list[Handover] = field(default_factory=list)
    cancel: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class Foreign:
    """What an MCP server wrote of its tool; data, and of any form (MCP-40, MCP-43)."""

    server: str
    name: str
    description: str
    schema: Any


@dataclass(frozen=True, slots=True)
class Tool:
    """A function the model can call. ``parameters`` is a JSON schema of type ``object``.

    ``ask_reason`` returns the text of an always-ask case or ``None`` (GATE-14); ``refuse_reason`` the
    text of a certain refusal or ``None`` (GATE-8); ``routine`` whether a call runs unasked (GATE-7 rule 5);
    ``summary`` one readable sentence for the approval card, or ``None``.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    run: Callable[[Arguments, ToolContext], Awaitable[str]]
    tier: Tier = "exec"
    requires_approval: bool = False
    parallel: bool = False
    replay_safe: bool = False
    is_question: bool = False
    script: ScriptUse = "no"
    ask_reason: Callable[[Arguments, ToolContext], str | None] | None = None
    refuse_reason: Callable[[Arguments, ToolContext], str | None] | None = None
    routine: Callable[[Arguments, ToolContext], bool] | None = None
    summary: Callable[[Arguments, ToolContext], str | None] | None = None
    ask_text: Callable[[Arguments], str] | None = None
    """For tools judged by pattern lists: the text the patterns are compared with (GATE-7 rules 4 and 5)."""
    card: Callable[[str], str] | None = None
    """What the run card keeps of an answer in place of its beginning (JOBS-3); ``None``: OUT-38."""
    allow_listed: bool = False
    """Whether the allow list may let a call run unasked: ``shell_run`` alone says so (GATE-7 rule 5)."""
    settled_by_arguments: bool = False
    """Whether a yes holds for the arguments alone, because the reason tells times that move on while the person reads (GATE-103)."""
    notes: tuple[str, ...] = ()
    """What the system prompt says right after the names of the tools (PTL-138)."""
    binding: Callable[[Arguments, ToolContext], str | None] | None = None
    """What the verdict on a call hangs on besides its arguments, as one line that is compared (ASK-1): which file a path really
    leads to, which version would be replaced. An approval holds only while this stays; else the call is judged again."""
    one_of: tuple[tuple[str, ...], ...] = ()
    """Groups of parameters of which exactly one is given, and given whole (``path`` and ``content``, or ``files``)."""
    marking: Marking | None = None
    """How its answers mark text from outside; every tool of the crew declares it (FI-2). The means are in ``fence.py``.

    The card of a request names the last answer of the turn that was not the program's own (FI-1)."""
    keeps_ceiling: bool = False
    """Its answers measure themselves and are neither shortened nor kept in a file (PTL-29, OUT-53, DLG-45)."""
    nests: bool = False
    """It makes calls itself, which its step lists one by one (SCR-203): scripts and kernel cells."""
    capped: Tool | None = None
    """What a turn whose tier is below this tool's holds in its place (TIER-11)."""
    misfit: Callable[[str], str] | None = None
    """How it answers arguments that do not fit; ``None``: with the error alone (SCR-245)."""
    step: Literal["tool", "note"] = "tool"
    """What a call is on the run: ``note`` for ``progress_note`` alone (GATE-97)."""
    exposure: Exposure = "direct"
    foreign: Foreign | None = None
    """Where it is a tool of an MCP server: what the server wrote, which searching and explaining read (MCP-40)."""
