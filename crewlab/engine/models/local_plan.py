"""What a small model is asked: the prompt, the form of the reply, and the limits (LOC-10 to LOC-16). Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from crewlab.engine.models.base import ChatMessage, ChatRequest, ToolSpec
from crewlab.engine.models.local_files import is_tiny
from crewlab.engine.models.local_prompt import BUDGET_TOKENS, OUTPUT_TOKENS, Written, fit, history, shots, tool_lines
from crewlab.engine.models.local_tools import (
    MAX_TOOLS,
    Cues,
    after_result,
    last_words,
    one_of,
    plain,
    tiny_arguments,
    tiny_choice,
    wants_tools,
)
from crewlab.engine.texts import Texts

SAMPLING: dict[str, Any] = {
    "temperature": 0.2,
    "top_p": 0.9,
    "min_p": 0.05,
    "repeat_penalty": 1.05,
    "repeat_last_n": 64,
    "dry_multiplier": 0.8,
    "dry_allowed_length": 6,
    "cache_prompt": True,
}
FORCED: dict[str, Any] = {"temperature": 0.0, "cache_prompt": True}  # a call repeats the person's words: no penalty
TINY_OUTPUT_TOKENS = 320
TINY_BUDGET_TOKENS = 2_048  # it reads 150 tokens a second on a slow machine
RESULT_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Plan:
    """One request to the child. ``reply`` is an answer that needs no model."""

    system: str = ""
    head: tuple[Written, ...] = ()
    turns: tuple[Written, ...] = ()
    schema: dict[str, Any] | None = None
    reply: str | None = None
    forced: bool = False
    max_tokens: int = OUTPUT_TOKENS
    budget: int = BUDGET_TOKENS

    def body(self) -> dict[str, Any]:
        """The JSON of the request."""
        body: dict[str, Any] = {
            "model": "local",
            "messages": fit(self.system, list(self.head), list(self.turns), self.budget),
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": self.max_tokens,
            **(FORCED if self.forced else SAMPLING),
        }
        if self.schema is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": self.schema}}
        return body

    def shorter(self) -> Plan:
        """The same within half the room."""
        return replace(self, budget=self.budget // 2)


def plan_for(request: ChatRequest, model: Path, texts: Texts, cues: Cues) -> Plan:
    """The plan for ``request`` to ``model``."""
    system = request.short_system or request.system or texts("models.local_system")
    text = last_words(request)
    wanted = after_result(request) or wants_tools(text, request.tools, cues)
    tools = request.tools if wanted else ()
    return _tiny(request, system, text, tools, texts, cues) if is_tiny(model) else _larger(request, system, tools, texts)


def _larger(request: ChatRequest, system: str, tools: tuple[ToolSpec, ...], texts: Texts) -> Plan:
    """A model that can choose: all tools that fit, an answer always possible."""
    tools = tools[:MAX_TOOLS]
    schema = None
    if tools:
        system = f"{system}\n\n{texts('models.local_tools', tools=tool_lines(tools, texts))}"
        schema = one_of([(tool.name, plain(tool.parameters)) for tool in tools], may_answer=True)
    return Plan(system, (), tuple(history(request.messages, texts)), schema)


def _tiny(request: ChatRequest, system: str, text: str, tools: tuple[ToolSpec, ...], texts: Texts, cues: Cues) -> Plan:
    """A demonstration model: results are shown, not retold; a call is asked for alone; talk has examples."""
    if after_result(request):
        return Plan(reply=_shown(request, texts))
    chosen = tiny_choice(text, tools, cues)
    if not chosen:
        talk = tuple(shots(texts, "models.local_shots").written())
        turns = tuple(history(_talk_only(request.messages), texts))
        return Plan(system, talk, turns, max_tokens=TINY_OUTPUT_TOKENS, budget=TINY_BUDGET_TOKENS)
    calls = [(tool.name, tiny_arguments(tool, text)) for tool in chosen]
    forced = len(chosen) == 1 and not any("maxLength" in schema for schema in calls[0][1]["properties"].values())
    schema = one_of(calls, may_answer=len(chosen) > 1)
    told = texts("models.local_tools", tools=tool_lines(chosen, texts))
    head = tuple(shots(texts, "models.local_tool_shots").written())
    return Plan(told, head, ({"role": "user", "content": text},), schema, None, forced, TINY_OUTPUT_TOKENS, TINY_BUDGET_TOKENS)


def _talk_only(messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """The history without the messages that led to tools: a tiny model would imitate calls and results."""
    groups: list[list[ChatMessage]] = []
    for message in messages:
        if message.role == "user" or not groups:
            groups.append([])
        groups[-1].append(message)
    talk = [group for group in groups if not any(message.role == "tool" or message.tool_calls for message in group)]
    return tuple(message for group in talk for message in group)


def _shown(request: ChatRequest, texts: Texts) -> str:
    """The results that the request ends with, as they are: a tiny model would misstate them."""
    parts: list[str] = []
    for message in reversed(request.messages):
        if message.role != "tool":
            break
        result = message.content if len(message.content) <= RESULT_CHARS else f"{message.content[:RESULT_CHARS]}…"
        fence = "```"
        while fence in result:
            fence += "`"
        parts.insert(0, texts("models.local_shown", name=message.name or "", fence=fence, result=result.rstrip("\n")))
    return "\n\n".join(parts)
