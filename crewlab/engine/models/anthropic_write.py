"""Requests in the form of Anthropic's Messages API.

Roles must take turns, so consecutive messages of one side are one message; tool results are blocks of
a user message. Breakpoints for prompt caching stand on the system prompt, the last tool and the last
message, because each of the three grows only at its end (PRV-16).
"""

from __future__ import annotations

import re
from typing import Any

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import ChatMessage, ChatRequest
from crewlab.engine.models.calls import safe_name, write_arguments

MAX_TOKENS = 16_000
MAX_TOKENS_CLAUDE_3 = 4_096
THINKING_BUDGET = {"minimal": 1_024, "low": 2_048, "medium": 8_192, "high": 16_000}  # PRV-13, for models with a budget
EFFORT = {"minimal": "low", "low": "low", "medium": "medium", "high": "high"}  # PRV-13, for models that adapt
BUDGET_MODELS = re.compile(r"claude-3|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8})?$")
CACHE = {"type": "ephemeral"}
Block = dict[str, Any]


def body_of(request: ChatRequest, route: Route) -> dict[str, Any]:
    """The JSON of a request."""
    max_tokens = MAX_TOKENS_CLAUDE_3 if route.model.startswith("claude-3") else MAX_TOKENS
    body: dict[str, Any] = {"model": route.model, "max_tokens": max_tokens, "stream": True}
    if request.system:
        body["system"] = [{"type": "text", "text": request.system, "cache_control": CACHE}]
    messages = messages_of(request.messages)
    if messages:
        messages[-1]["content"][-1]["cache_control"] = CACHE
    body["messages"] = messages
    if request.tools:
        tools: list[Block] = [{"name": t.name, "description": t.description, "input_schema": t.parameters} for t in request.tools]
        tools[-1]["cache_control"] = CACHE
        body["tools"] = tools
    _add_thinking(body, request, route)
    return body


def _add_thinking(body: dict[str, Any], request: ChatRequest, route: Route) -> None:
    """Within a tool loop nothing is asked: the API wants the thinking back, and it is not kept (PRV-12)."""
    if route.reasoning is None or (request.messages and request.messages[-1].role == "tool"):
        return
    if BUDGET_MODELS.search(route.model):
        budget = THINKING_BUDGET[route.reasoning]
        body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        body["max_tokens"] += budget
    else:
        body["thinking"] = {"type": "adaptive"}
        body["output_config"] = {"effort": EFFORT[route.reasoning]}


def messages_of(messages: tuple[ChatMessage, ...]) -> list[dict[str, Any]]:
    """The history with roles taking turns; empty texts, which the API refuses, are left out."""
    written: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if not blocks:
            continue
        if written and written[-1]["role"] == role:
            written[-1]["content"] += blocks
        else:
            written.append({"role": role, "content": blocks})
    return written


def _blocks(message: ChatMessage) -> list[Block]:
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": safe_name(message.tool_call_id or ""), "content": message.content}]
    blocks: list[Block] = [
        {"type": "image", "source": {"type": "base64", "media_type": picture.media_type, "data": picture.base64}}
        for picture in message.pictures
    ]
    blocks += [{"type": "text", "text": message.content}] if message.content.strip() else []
    for call in message.tool_calls:
        blocks.append(
            {"type": "tool_use", "id": safe_name(call.id), "name": safe_name(call.name), "input": write_arguments(call.arguments)}
        )
    return blocks
