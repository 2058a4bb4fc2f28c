"""How much of a request is the same text as the request before it: what a provider's prompt cache can keep (TURN-70).

    python benchmarks/prefix.py                  # a conversation of 30 turns
    python benchmarks/prefix.py --turns 100

Each turn calls a tool; every third saves a note with ``memory_save`` when the crew holds that tool, else writes a file. Measured
are the bytes of system prompt, tool definitions and messages in the order in which a provider reads them. Exit status 1 when less
than 99 % of the earlier requests' bytes were read again unchanged.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

GOAL = 0.99
SAVES_EVERY = 3


def words_of(request: Any) -> bytes:
    """The request as a provider reads it: system prompt, tools, messages."""
    tools = [[tool.name, tool.description, tool.parameters] for tool in request.tools]
    messages = [
        [m.role, m.content, [[call.id, call.name, call.arguments] for call in m.tool_calls], m.tool_call_id] for m in request.messages
    ]
    parts = [request.system, json.dumps(tools, ensure_ascii=False), *(json.dumps(each, ensure_ascii=False) for each in messages)]
    return "\n".join(parts).encode()


def shared(before: bytes, after: bytes) -> int:
    """How many bytes both begin with."""
    if after.startswith(before):
        return len(before)
    pairs = enumerate(zip(before, after + bytes(len(before)), strict=False))
    return next((place for place, (one, other) in pairs if one != other), len(before))


class Listener:
    """A model that calls a tool in each turn and keeps every request."""

    name, small = "fake", False

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.saves = 0

    def window(self, _route: Any) -> int:
        return 100_000_000

    def call_for(self, request: Any, number: int) -> tuple[str, dict[str, Any]]:
        names = {tool.name for tool in request.tools}
        if number % SAVES_EVERY:
            return "workspace_list", {"path": "."}
        if "memory_save" in names:
            self.saves += 1
            return "memory_save", {"text": f"The person prefers way {number}."}
        return "workspace_write", {"path": f"note{number}.txt", "content": f"way {number}"}

    async def stream(self, request: Any, route: Any) -> Any:
        from crewlab.engine.models.base import Completion
        from crewlab.engine.records import ToolCall

        self.requests.append(words_of(request))
        number = sum(message.role == "user" for message in request.messages)
        if request.messages[-1].role == "user":
            name, arguments = self.call_for(request, number)
            yield Completion("", (ToolCall(id=f"k{number}", name=name, arguments=arguments),), cost_usd=0.0)
        else:
            yield Completion(f"Answer {number}, in a sentence or two of the usual length.", cost_usd=0.0)

    async def close(self) -> None:
        """Nothing to close."""


async def measure(turns: int, folder: Path) -> dict[str, Any]:
    """Run the conversation; the share of unchanged bytes."""
    from crewlab.engine.crew import open_crew
    from crewlab.engine.home.layout import Home

    crew = await open_crew(Home(folder / "home"), environ={"CREWLAB_ROUTES": "fake:echo"})
    listener = Listener()
    crew.models.plug(listener)
    await crew.start()
    conversation = crew.conversations.create(title="prefix").id
    crew.conversations.patch(conversation, {"autonomous": True})
    for number in range(turns):
        reply = await crew.inbound.reply(f"Question {number}: what about it?", conversation_id=conversation, source="chat")
        if reply.status != "done":
            raise SystemExit(f"turn {number} ended {reply.status}")
    failed = [m.content for m in crew.conversations.detail(conversation).messages if m.role == "tool" and m.context is not None]
    await crew.stop()
    if failed:
        raise SystemExit(f"a tool failed, so nothing was measured: {failed[0]}")
    pairs = list(itertools.pairwise(listener.requests))
    same = [shared(before, after) for before, after in pairs]
    sizes = [len(before) for before, _ in pairs]
    return {
        "turns": turns,
        "requests": len(listener.requests),
        "memory_saves": listener.saves,
        "share_unchanged": round(sum(same) / sum(sizes), 5),
        "worst_request": round(min(kept / size for kept, size in zip(same, sizes, strict=True)), 5),
        "last_request_bytes": len(listener.requests[-1]),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=30)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="crewlab-prefix-") as folder:
        result = asyncio.run(measure(args.turns, Path(folder)))
    print(json.dumps(result, indent=1))
    return int(result["share_unchanged"] < GOAL)


if __name__ == "__main__":
    sys.exit(main())
