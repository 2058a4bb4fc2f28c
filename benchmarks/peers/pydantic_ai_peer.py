"""pydantic-ai with its own function model, and the application's ten lines of SQLite: one commit per model response."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import Any

from peers.scripted import INSTRUCTIONS, TOOL_DOC, MessageLog, Peer, beat, call_id, crash, pieces, tool_args, tool_result, watch


class PydanticAI(Peer):
    name = "pydantic-ai"
    label = "pydantic-ai FunctionModel, own SQLite log, one commit per model response"
    dists = ("pydantic-ai-slim",)
    imports = "from pydantic_ai import Agent; from pydantic_ai.models.function import FunctionModel"

    async def setup(self, folder: str) -> None:
        from pydantic_ai import Agent
        from pydantic_ai.messages import (
            ModelMessagesTypeAdapter,
            ModelRequest,
            PartDeltaEvent,
            PartStartEvent,
            TextPart,
            TextPartDelta,
            ToolReturnPart,
            UserPromptPart,
        )
        from pydantic_ai.models.function import DeltaToolCall, FunctionModel

        self.log = MessageLog(os.path.join(folder, "peer.db"))
        self.agent_type, self.codec = Agent, ModelMessagesTypeAdapter
        self.events = (PartStartEvent, PartDeltaEvent, TextPart, TextPartDelta)

        async def stream(messages: list[Any], info: Any) -> AsyncIterator[Any]:
            watch(messages)
            asked = (part for m in reversed(messages) if isinstance(m, ModelRequest) for part in m.parts)
            text = next(part.content for part in asked if isinstance(part, UserPromptPart))
            if isinstance(messages[-1].parts[-1], ToolReturnPart):
                crash("second request")
                for piece in pieces(text):
                    await beat()
                    yield piece
            else:
                await beat()
                yield {0: DeltaToolCall(name="lookup", tool_call_id=call_id(text))}
                await beat()
                yield {0: DeltaToolCall(json_args=tool_args(text))}

        self.agent = Agent(FunctionModel(stream_function=stream), instructions=INSTRUCTIONS)

        @self.agent.tool_plain(description=TOOL_DOC)
        async def lookup(q: str) -> str:
            self.tool_calls += 1
            return tool_result(q)

    async def run_turn(self, conversation: str, text: str) -> str:
        history = [m for body in self.log.load(conversation) for m in self.codec.validate_json(body)]
        saved = len(history)
        async with self.agent.iter(text, message_history=history) as run:
            async for node in run:
                if self.agent_type.is_model_request_node(node):
                    async with node.stream(run.ctx) as events:
                        async for event in events:
                            self.deltas += self.is_text(event)
                    new = run.all_messages()[saved:]
                    self.log.append(conversation, saved, [self.codec.dump_json([m]) for m in new])
                    saved += len(new)
            return str(run.result.output)

    def is_text(self, event: Any) -> bool:
        start, delta, part, text_delta = self.events
        if isinstance(event, delta):
            return isinstance(event.delta, text_delta)
        return isinstance(event, start) and isinstance(event.part, part)
