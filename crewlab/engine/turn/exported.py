"""What an export says, as data and as Markdown (TURN-100, TURN-106, TURN-107, TURN-109). Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crewlab.engine.records import Json, Message, Run, ToolCall
from crewlab.engine.store.slices import Child, Cut
from crewlab.engine.texts import Texts
from crewlab.engine.turn.masking import Mask

RESULT_CHARS = 2000  # TURN-107
FACTS = ("id", "agent_id", "source", "status", "halt_reason", "started_at", "ended_at", "cost_usd", "unknown_cost_calls")


@dataclass(frozen=True, slots=True)
class Exported:
    """A run with everything that belongs to it."""

    run: Run
    agent_name: str
    cut: Cut
    messages: Sequence[Message]
    children: Sequence[Child]


class Writer:
    """Writes exports. ``full`` leaves long tool results whole."""

    def __init__(self, mask: Mask, texts: Texts, *, full: bool) -> None:
        self._mask = mask
        self._texts = texts
        self._full = full

    def as_json(self, exported: Exported, now: str) -> Json:
        """The export for programs."""
        return {
            "notice": self._texts("export.notice"),
            "exported_at": now,
            "run": self._mask.value(exported.run.model_dump()),
            "agent_name": exported.agent_name,
            "slice": exported.cut,
            "messages": self._messages(exported.messages),
            "tool_calls": self._calls(exported.messages),
            "children": [
                {
                    "tool_call_id": child.tool_call_id,
                    "conversation_id": child.conversation_id,
                    "agent_id": child.agent_id,
                    "title": self._mask.text(child.title),
                    "created_at": child.created_at,
                    "runs": [self._mask.value(run.model_dump()) for run in child.runs],
                    "messages": self._messages(child.messages),
                    "tool_calls": self._calls(child.messages),
                }
                for child in exported.children
            ],
        }

    def as_markdown(self, exported: Exported) -> str:
        """The export for reading and for an issue."""
        run = self._mask.value(exported.run.model_dump())
        facts = [f"- {name}: {_inline(run[name])}" for name in FACTS if run[name] is not None]
        lines = [f"# {self._texts('export.run', agent=exported.agent_name)}", self._quoted_notice(), *facts, f"- slice: {exported.cut}"]
        lines += self._steps(run["steps"])
        lines += [f"## {self._texts('export.messages')}", *self._thread(exported.messages)]
        for child in exported.children:
            title = self._texts("export.child", agent=child.agent_id, call=child.tool_call_id)
            lines += [f"## {title}", *self._thread(child.messages)]
        return _document(lines)

    def conversation(self, title: str, messages: Sequence[Message]) -> str:
        """A whole conversation as Markdown."""
        return _document([f"# {_inline(self._mask.text(title))}", self._quoted_notice(), *self._thread(messages)])

    def _quoted_notice(self) -> str:
        return f"> {self._texts('export.notice')}"

    def _messages(self, messages: Iterable[Message]) -> list[Json]:
        written: list[Json] = []
        for message in messages:
            one: Json = self._mask.value(message.model_dump())
            if message.role == "tool":
                one |= self._result(one["content"], len(message.content))
            written.append(one)
        return written

    def _result(self, content: str, chars: int) -> Json:
        """A result, cut unless it is short or all is wanted; its length is that of the stored text."""
        if self._full or len(content) <= RESULT_CHARS:
            return {"content": content, "content_chars": chars, "content_cut": False}
        mark = self._texts("export.cut", chars=chars)
        return {"content": f"{content[:RESULT_CHARS]}\n{mark}", "content_chars": chars, "content_cut": True}

    def _calls(self, messages: Sequence[Message]) -> list[Json]:
        """Every call with its arguments and its result, in the order they were asked for."""
        results = {message.tool_call_id: message for message in messages if message.role == "tool"}
        calls: list[Json] = []
        for message in messages:
            for call in message.tool_calls:
                result = results.get(call.id)
                kept = self._result(self._mask.text(result.content), len(result.content)) if result else None
                calls.append(
                    {
                        "message_id": message.id,
                        "tool_call_id": call.id,
                        "name": self._mask.text(call.name),
                        "arguments": self._mask.value(call.arguments),
                        "result": kept["content"] if kept else None,
                        "result_chars": kept["content_chars"] if kept else None,
                        "result_cut": bool(kept and kept["content_cut"]),
                        "outcome": (result.context or {}).get("outcome", "ok") if result else None,
                    }
                )
        return calls

    def _steps(self, steps: Iterable[Json]) -> list[str]:
        rows = []
        for step in steps:
            what = step["name"] or step["route"] or step["text"] or step["tool"] or ""
            shown = " ".join(_inline(part) for part in (what, step["output"] or step["error"] or step["reason"] or "") if part)
            ms = "" if step["ms"] is None else f", {step['ms']} ms"
            rows.append(f"{step['index'] + 1}. {step['kind']} ({step['status']}{ms}) {shown}".rstrip())
        return [f"## {self._texts('export.steps')}", "\n".join(rows)] if rows else []

    def _thread(self, messages: Iterable[Message]) -> list[str]:
        lines: list[str] = []
        for message in messages:
            if message.role == "tool":
                result = self._result(self._mask.text(message.content), len(message.content))["content"]
                lines += [f"#### {self._texts('export.result', name=_inline(self._mask.text(message.name or '')))}", _fenced(result)]
                continue
            lines.append(f"### {self._texts(f'export.{message.role}')} · {message.created_at}")
            if message.content:
                lines.append(self._mask.text(message.content))
            lines += [line for call in message.tool_calls for line in self._asked(call)]
        return lines

    def _asked(self, call: ToolCall) -> list[str]:
        arguments = self._mask.value(call.arguments)
        text = arguments if isinstance(arguments, str) else json.dumps(arguments, indent=2, ensure_ascii=False)
        return [f"#### {self._texts('export.call', name=_inline(self._mask.text(call.name)))}", _fenced(text, "json")]


def _inline(value: object) -> str:
    """On one line, so that it cannot become a heading of its own."""
    return " ".join(str(value).split())


def _fenced(text: str, kind: str = "") -> str:
    """``text`` in a code block whose fence is longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text}\n{fence}"


def _document(parts: Iterable[str]) -> str:
    """Blocks with an empty line between them; lines of a list stay together."""
    text = ""
    before = ""
    for part in parts:
        gap = "" if not text else "\n" if before.startswith("- ") and part.startswith("- ") else "\n\n"
        text += gap + part
        before = part
    return text + "\n"
