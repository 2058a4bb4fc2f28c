"""Requests in the form of OpenAI's chat completions."""

from __future__ import annotations

import json
from typing import Any

from crewlab.engine.models.base import ChatMessage, ChatRequest
from crewlab.engine.models.calls import safe_name, write_arguments


def messages_of(request: ChatRequest) -> list[dict[str, Any]]:
    """The system prompt and the history."""
    written = [_message(message) for message in request.messages]
    return [{"role": "system", "content": request.system}, *written] if request.system else written


def _message(message: ChatMessage) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call_id or "", "content": message.content}
    if message.pictures or message.sounds:
        shown = [{"type": "image_url", "image_url": {"url": f"data:{p.media_type};base64,{p.base64}"}} for p in message.pictures]
        heard = [{"type": "input_audio", "input_audio": {"data": s.base64, "format": s.kind}} for s in message.sounds]
        return {"role": message.role, "content": [{"type": "text", "text": message.content}, *shown, *heard]}
    if message.role == "user" or not message.tool_calls:
        return {"role": message.role, "content": message.content}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {
                "name": safe_name(call.name),
                "arguments": json.dumps(write_arguments(call.arguments), ensure_ascii=False, separators=(",", ":")),
            },
        }
        for call in message.tool_calls
    ]
    return {"role": "assistant", "content": message.content or None, "tool_calls": calls}


def tools_of(request: ChatRequest) -> list[dict[str, Any]]:
    """The declared tools."""
    return [
        {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters}}
        for tool in request.tools
    ]
