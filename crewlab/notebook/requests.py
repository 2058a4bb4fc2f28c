"""A pending request in a cell's output: what is asked, and what to call (GATE-31, GATE-32, UI-153)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from crewlab.notebook.words import say

Request = Mapping[str, Any]


def request_text(approval: Request, language: str | None = None) -> str:
    """A pending request as Markdown. The model's words stand in fences, so that they are text and never markup (GATE-92)."""
    asked = _question(approval, language) if approval.get("kind") == "question" else _call(approval, language)
    return "\n\n".join(
        [*asked, say("request_until", language, time=_clock_time(str(approval.get("expires_at")))), *_how(approval, language)]
    )


def _call(approval: Request, language: str | None) -> list[str]:
    """The tool, all arguments in full, the reason, and what the turn had read before it asked (FI-1)."""
    arguments = json.dumps(approval.get("arguments") or {}, ensure_ascii=False, indent=2)
    parts = [say("request", language, tool=approval.get("tool")), _fenced(arguments, "json")]
    if approval.get("reason"):
        parts.append(say("request_reason", language, reason=approval["reason"]))
    if approval.get("again"):
        parts.append(say("request_again", language))
    before = approval.get("read_before")
    if before:
        more = say("request_more", language, more=before["more"]) if before.get("more") else ""
        parts += [say("request_read", language, more=more), _fenced(f"{before['tool']} {before['argument']}".strip(), "text")]
    return parts


def _question(approval: Request, language: str | None) -> list[str]:
    lines = [str(approval.get("question") or "")]
    if approval.get("context"):
        lines += ["", str(approval["context"])]
    options = approval.get("options") or []
    if options:
        lines.append("")
    for number, option in enumerate(options, 1):
        mark = f" ({say('request_suggested', language)})" if option.get("suggested") else ""
        note = f": {option['description']}" if option.get("description") else ""
        lines.append(f"{number}. {option['label']}{mark}{note}")
    parts = [say("request_question", language), _fenced("\n".join(lines), "text")]
    if approval.get("default") is not None:
        parts += [say("request_default", language), _fenced(str(approval["default"]), "text")]
    return parts


def _how(approval: Request, language: str | None) -> list[str]:
    call = f'crewlab.connect().approval("{approval.get("id")}")'
    if approval.get("kind") == "question":
        code = f'{call}.answer("{say("request_words", language)}")\n{call}.skip()'
        return [say("request_how_answer", language), _fenced(code, "python")]
    return [say("request_how", language), _fenced(f"{call}.approve()\n{call}.deny()", "python")]


def _clock_time(moment: str) -> str:
    """The time of day of ``moment`` where this process runs."""
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%H:%M")
    except ValueError:
        return moment


def _fenced(code: str, info: str) -> str:
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{info}\n{code}\n{fence}"
