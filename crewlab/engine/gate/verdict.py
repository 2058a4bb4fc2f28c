"""The one function that says whether a call runs, asks a person, or is refused (GATE-5, GATE-7).

Direct calls, calls of gated scripts and calls taken up again after a restart all come here. It fails
closed: whatever breaks while a call is judged, a person is asked (GATE-16). Which tools always ask is a
property of the tool; there is no list of names here (GATE-17).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from crewlab.engine.gate.patterns import NO_PATTERNS, Patterns, first_match
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext

__all__ = ["Patterns", "Stance", "Verdict", "judge"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What happens to a call. ``text`` is the card's reason (``ask``) or the answer of the call (``refuse``).

    ``pattern`` is the entry of the owner's lists that decided it, if one did (SCR-127).
    """

    kind: Literal["run", "ask", "refuse"]
    text: str | None = None
    pattern: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Stance:
    """What the conversation says at the moment of the call (GATE-2, GATE-6)."""

    autonomous: bool = False
    auto_approve: frozenset[str] = frozenset()


RUN = Verdict("run")
ASK = Verdict("ask")


@dataclass(slots=True)
class _Call:
    """One call while it is judged; ``failed`` once a part of the tool raised."""

    tool: Tool
    arguments: Arguments
    context: ToolContext
    failed: bool = False

    def attempt(self, part: str, ask: Callable[[], object], otherwise: object = None) -> object:
        """What a part of the tool says; ``otherwise`` when it raises."""
        try:
            return ask()
        except Exception:
            logger.exception("the gate asks a person: %s of tool %s failed", part, self.tool.name)
            self.failed = True
            return otherwise

    def pattern_text(self) -> str | None:
        """What the lists are compared with; ``None`` for a tool they do not judge."""
        ask_text = self.tool.ask_text
        if ask_text is None:
            return None
        text = self.attempt("ask_text", lambda: ask_text(self.arguments))
        if isinstance(text, str):
            return text
        self.failed = True
        return None

    def refusal(self) -> str | None:
        """Rule 1 without the deny list (GATE-8, GATE-9)."""
        refuse_reason = self.tool.refuse_reason
        if refuse_reason is None:
            return None
        text = self.attempt("refuse_reason", lambda: refuse_reason(self.arguments, self.context))
        if text is None:
            return None
        return text if isinstance(text, str) and text.strip() else self.context.texts("gate.refused")

    def reason(self) -> str | None:
        """Rule 3: only an explicit nothing is no reason; a broken or empty one names the tool (GATE-16)."""
        name, ask_reason = self.tool.name, self.tool.ask_reason
        text = None if ask_reason is None else self.attempt("ask_reason", lambda: ask_reason(self.arguments, self.context), name)
        if text is None:
            return name if self.tool.is_question else None
        return text if isinstance(text, str) and text.strip() else name

    def routine(self) -> bool:
        """Rule 5 for tools that know their routine calls."""
        routine = self.tool.routine
        return routine is not None and self.attempt("routine", lambda: routine(self.arguments, self.context)) is True


def judge(tool: Tool, arguments: Arguments, context: ToolContext, stance: Stance, patterns: Patterns = NO_PATTERNS) -> Verdict:
    """The verdict on one call of a tool the turn holds; the first rule of GATE-7 that applies decides. Never raises."""
    try:
        return _judge(_Call(tool, arguments, context), stance, patterns)
    except Exception:
        logger.exception("the gate asks a person: judging tool %s failed", tool.name)
        return Verdict("ask", tool.name)


def _judge(call: _Call, stance: Stance, patterns: Patterns) -> Verdict:
    tool = call.tool
    text = call.pattern_text()
    refusal = _refused(call, text, patterns)  # rule 1
    if refusal is not None:
        return refusal
    if not (tool.requires_approval or tool.ask_reason is not None or tool.is_question or call.failed):
        return RUN  # rule 2
    reason = call.reason()  # rule 3
    pattern = first_match(text, patterns.ask) if text is not None else None  # rule 4
    if reason is not None:
        return Verdict("ask", reason, pattern if pattern == reason else None)
    if pattern is not None:
        return Verdict("ask", pattern, pattern)
    if call.failed:
        return Verdict("ask", tool.name)  # GATE-16
    return _without_reason(call, text, stance, patterns)


def _refused(call: _Call, text: str | None, patterns: Patterns) -> Verdict | None:
    refusal = call.refusal()
    if refusal is not None:
        return Verdict("refuse", refusal)
    denied = first_match(text, patterns.deny) if text is not None else None
    return None if denied is None else Verdict("refuse", call.context.texts("gate.deny_pattern", pattern=denied), denied)


def _without_reason(call: _Call, text: str | None, stance: Stance, patterns: Patterns) -> Verdict:
    """Rules 5 to 8."""
    tool = call.tool
    if tool.allow_listed and text is not None and first_match(text, patterns.allow) is not None:
        return RUN
    if call.routine():
        return RUN
    if call.failed:
        return Verdict("ask", tool.name)
    if stance.autonomous or tool.name in stance.auto_approve:
        return RUN
    return ASK
