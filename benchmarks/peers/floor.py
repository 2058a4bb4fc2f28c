"""No framework at all: the scripted stream, the tool and ten lines of SQLite with one commit per model response.

Nobody gets below it with Python and these commits; it has no limits, events, approvals, retries or validation.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from typing import Any

from peers.scripted import MessageLog, Peer, beat, call_id, crash, pieces, tool_args, tool_result, watch


class Floor(Peer):
    name = "floor"
    label = "plain asyncio and sqlite3"
    imports = "import asyncio, json, sqlite3"
    ours = True

    async def setup(self, folder: str) -> None:
        self.log = MessageLog(os.path.join(folder, "floor.db"))

    async def model(self, messages: list[dict[str, Any]]) -> AsyncIterator[dict[str, str]]:
        watch(messages)
        text = next(m["content"] for m in reversed(messages) if m["role"] == "user")
        if messages[-1]["role"] == "tool":
            crash("second request")
            for piece in pieces(text):
                await beat()
                yield {"content": piece}
        else:
            await beat()
            yield {"tool": "lookup", "id": call_id(text)}
            await beat()
            yield {"args": tool_args(text)}

    async def run_turn(self, conversation: str, text: str) -> str:
        messages = [json.loads(body) for body in self.log.load(conversation)]
        saved = len(messages)
        messages.append({"role": "user", "content": text})
        while True:
            out: dict[str, Any] = {"role": "assistant", "content": ""}
            async for item in self.model(messages):
                if "content" in item:
                    out["content"] += item["content"]
                    self.deltas += 1
                elif "tool" in item:
                    out["call"] = {"id": item["id"], "name": item["tool"], "args": ""}
                else:
                    out["call"]["args"] += item["args"]
            messages.append(out)
            self.log.append(conversation, saved, [json.dumps(m).encode() for m in messages[saved:]])
            saved = len(messages)
            if "call" not in out:
                return str(out["content"])
            self.tool_calls += 1
            messages.append({"role": "tool", "id": out["call"]["id"], "content": tool_result(**json.loads(out["call"]["args"]))})
