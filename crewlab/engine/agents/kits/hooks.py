"""Hooks of kits as their files tell them (KIT-14, KIT-15), and what a hook's answer means (KIT-16, KIT-17). Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from crewlab.engine.agents.kits.aliases import CLAUDE, OPENCODE, Kind, aliases
from crewlab.engine.agents.kits.folders import KitFile, left_out
from crewlab.engine.texts import Texts

Event = Literal["PreToolUse", "PostToolUse"]  # KIT-15
EVENTS: tuple[str, ...] = get_args(Event)
HOOK_SECONDS = 60.0  # KIT-19: at most; a hook may ask for less
COMMAND_CHARS = 10_000
MATCHER_CHARS = 500
MAX_HOOKS = 50  # of one file
WORDS_CHARS = 4_000  # of what one hook says
BLOCKS = 2  # KIT-16: the exit code


@dataclass(frozen=True, slots=True)
class Hook:
    """One command that is asked about calls. ``matcher`` ``None``: about every tool."""

    event: Event
    matcher: re.Pattern[str] | None
    command: str
    seconds: float
    kind: Kind
    file: Path

    def called(self, tool: str) -> str | None:
        """The name under which the hook is asked about the tool; ``None`` when it is not asked (KIT-15)."""
        names = aliases(tool, self.kind)
        matcher = self.matcher
        if matcher is None:
            return names[0] if names else tool
        for name in names:
            if matcher.fullmatch(name):
                return name
        return (names[0] if names else tool) if matcher.fullmatch(tool) else None


@dataclass(frozen=True, slots=True)
class Said:
    """What hooks said of one call: the reason why it may not run or stand, and what they add to its result."""

    blocked: str | None = None
    added: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """The hooks of a file, the sentences for what was left out, and the events that nobody asks here."""

    hooks: tuple[Hook, ...] = ()
    warnings: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


def parse_hooks(text: str, file: KitFile, texts: Texts) -> Parsed:
    """The hooks of ``settings.json`` or ``hooks.json``. What is wrong is left out with a sentence; the rest holds."""
    try:
        written = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Parsed(warnings=(left_out(file.path, "no_json", texts, error=str(error)[:200]),))
    table = _table(written, bare=file.name == "hooks.json")
    if table is None:
        return Parsed(warnings=(_left_out(file, "hook_shape", texts),))
    hooks: list[Hook] = []
    warnings: list[str] = []
    for event in EVENTS:
        for found in _hooks(event, table.get(event), file, texts):
            (warnings if isinstance(found, str) else hooks).append(found)  # type: ignore[arg-type]
    if len(hooks) > MAX_HOOKS:
        warnings.append(_left_out(file, "too_many_hooks", texts, limit=MAX_HOOKS))
    ignored = tuple(str(event) for event in table if event not in EVENTS and event != "description")
    return Parsed(tuple(hooks[:MAX_HOOKS]), tuple(warnings), ignored)


def _table(written: object, *, bare: bool) -> Mapping[str, Any] | None:
    """The key ``hooks``; ``hooks.json`` may also be that mapping itself."""
    if not isinstance(written, dict):
        return None
    table = written.get("hooks", written if bare else {})
    return table if isinstance(table, dict) else None


def _hooks(event: str, groups: object, file: KitFile, texts: Texts) -> Iterator[Hook | str]:
    if groups is None:
        return
    if not isinstance(groups, list):
        yield _left_out(file, "hook_shape", texts)
        return
    for group in groups:
        inner = group.get("hooks") if isinstance(group, dict) else None
        if not isinstance(inner, list):
            yield _left_out(file, "hook_shape", texts)
            continue
        try:
            matcher = _matcher(group.get("matcher"))
        except (re.error, ValueError, RecursionError, OverflowError):
            yield _left_out(file, "hook_matcher", texts, matcher=repr(group.get("matcher"))[:100])
            continue
        if matcher is not None and _is_foreign(matcher):
            yield _left_out(file, "hook_rule", texts, matcher=repr(matcher.pattern)[:100])
            continue
        for one in inner:
            yield _hook(event, matcher, one, file, texts)


def _matcher(written: object) -> re.Pattern[str] | None:
    if written in (None, "", "*"):
        return None
    if not isinstance(written, str) or len(written) > MATCHER_CHARS:
        raise ValueError(written)
    return re.compile(written)


def _is_foreign(matcher: re.Pattern[str]) -> bool:
    """Whether it is a rule rather than an expression (``Bash(git *)``, ``tool == "Edit"``): it would meet no tool and nobody would know."""
    names = (*CLAUDE, *OPENCODE, *CLAUDE.values())
    return ("(" in matcher.pattern or "==" in matcher.pattern) and "mcp" not in matcher.pattern and not any(map(matcher.fullmatch, names))


def _hook(event: str, matcher: re.Pattern[str] | None, written: object, file: KitFile, texts: Texts) -> Hook | str:
    if not isinstance(written, dict) or written.get("type", "command") != "command":
        return _left_out(file, "hook_type", texts)
    command = written.get("command")
    if not isinstance(command, str) or not command.strip() or len(command) > COMMAND_CHARS or not _usable(command):
        return _left_out(file, "hook_command", texts)
    kind: Event = "PreToolUse" if event == "PreToolUse" else "PostToolUse"
    return Hook(kind, matcher, command, _seconds(written.get("timeout")), file.kit.kind, file.path)


def _seconds(wished: object) -> float:
    """How long a hook may take: what it asks for, when that is less than the limit (KIT-19)."""
    asked = isinstance(wished, int | float) and not isinstance(wished, bool) and 0 < wished < HOOK_SECONDS
    return float(wished) if asked else HOOK_SECONDS  # type: ignore[arg-type]


def _usable(command: str) -> bool:
    """Whether the system can be given it: no NUL, no half of a character."""
    return "\0" not in command and not any("\ud800" <= sign <= "\udfff" for sign in command)


def _left_out(file: KitFile, why: str, texts: Texts, **values: object) -> str:
    return texts("kits.hook_skipped", file=file.path, why=texts(f"kits.why_{why}", **values))


def read_answer(code: int, out: str, err: str, texts: Texts) -> Said:
    """What an ended hook said (KIT-16). It can refuse and add; whatever it grants is not heard (KIT-17)."""
    if code == BLOCKS:
        return Said(blocked=_words(err) or texts("kits.no_reason"))
    if code != 0:
        return Said()
    try:
        answer = json.loads(out) if out.lstrip().startswith("{") else {}
    except (ValueError, RecursionError):
        return Said()
    specific = answer.get("hookSpecificOutput")
    specific = specific if isinstance(specific, dict) else {}
    added = tuple(text for each in (specific.get("additionalContext"), answer.get("additionalContext")) if (text := _words(each)))
    if answer.get("decision") == "block":
        return Said(_words(answer.get("reason")) or texts("kits.no_reason"), added[:1])
    if specific.get("permissionDecision") == "deny":
        return Said(_words(specific.get("permissionDecisionReason")) or texts("kits.no_reason"), added[:1])
    return Said(None, added[:1])


def _words(written: object) -> str:
    text = written.strip() if isinstance(written, str) else ""
    return text if len(text) <= WORDS_CHARS else text[: WORDS_CHARS - 1] + "…"
