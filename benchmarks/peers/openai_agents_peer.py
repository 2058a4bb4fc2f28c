"""The OpenAI agents SDK: a streamed run with its SQLite session, tracing off."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Any

from peers.scripted import INSTRUCTIONS, TOOL_DOC, Peer, answer, beat, call_id, crash, pieces, token, tool_args, tool_result, watch

OPEN_SESSIONS = 64  # each holds connections of its own


class OpenAIAgents(Peer):
    name = "openai-agents"
    label = "openai-agents streamed run, SQLiteSession, tracing off"
    dists = ("openai-agents", "openai")
    imports = "import agents"

    async def setup(self, folder: str) -> None:
        from agents import Agent, RunConfig, Runner, SQLiteSession, function_tool, set_tracing_disabled

        set_tracing_disabled(True)
        self.runner, self.session_type, self.path = Runner, SQLiteSession, os.path.join(folder, "peer.db")
        self.config = RunConfig(tracing_disabled=True)

        @function_tool(description_override=TOOL_DOC)
        async def lookup(q: str) -> str:
            self.tool_calls += 1
            return tool_result(q)

        self.agent = Agent(name="bench", instructions=INSTRUCTIONS, model=scripted_model(), tools=[lookup])
        self.sessions: OrderedDict[str, Any] = OrderedDict()

    def session(self, conversation: str) -> Any:
        if conversation not in self.sessions:
            self.sessions[conversation] = self.session_type(conversation, self.path)
            if len(self.sessions) > OPEN_SESSIONS:
                self.sessions.popitem(last=False)[1].close()
        return self.sessions[conversation]

    async def run_turn(self, conversation: str, text: str) -> str:
        run = self.runner.run_streamed(self.agent, text, session=self.session(conversation), run_config=self.config)
        async for event in run.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                self.deltas += 1
        return str(run.final_output)


def scripted_model() -> Any:
    """The scripted model behind the SDK's model interface."""
    from agents import Model
    from openai.types import responses as r
    from openai.types.responses.response_usage import InputTokensDetails, OutputTokensDetails

    def response(output: list[Any]) -> Any:
        usage = r.ResponseUsage(
            input_tokens=1,
            output_tokens=1,
            total_tokens=2,
            input_tokens_details=InputTokensDetails.model_construct(cached_tokens=0),
            output_tokens_details=OutputTokensDetails(reasoning_tokens=0),
        )
        return r.Response(
            id="resp",
            created_at=0,
            model="fake",
            object="response",
            output=output,
            tool_choice="auto",
            tools=[],
            parallel_tool_calls=False,
            usage=usage,
        )

    async def said(text: str) -> AsyncIterator[Any]:
        item = r.ResponseOutputMessage(id="msg_" + token(text), type="message", role="assistant", status="completed", content=[])
        yield r.ResponseOutputItemAddedEvent(type="response.output_item.added", output_index=0, item=item, sequence_number=1)
        for n, piece in enumerate(pieces(text), start=2):
            await beat()
            yield r.ResponseTextDeltaEvent(
                type="response.output_text.delta",
                item_id=item.id,
                output_index=0,
                content_index=0,
                delta=piece,
                logprobs=[],
                sequence_number=n,
            )
        whole = r.ResponseOutputText(type="output_text", text=answer(text), annotations=[])
        yield item.model_copy(update={"content": [whole]})

    async def called(text: str) -> AsyncIterator[Any]:
        await beat()
        item = r.ResponseFunctionToolCall(id="fc_" + token(text), call_id=call_id(text), name="lookup", arguments="", type="function_call")
        yield r.ResponseOutputItemAddedEvent(type="response.output_item.added", output_index=0, item=item, sequence_number=1)
        await beat()
        yield r.ResponseFunctionCallArgumentsDeltaEvent(
            type="response.function_call_arguments.delta", item_id=item.id, output_index=0, delta=tool_args(text), sequence_number=2
        )
        yield item.model_copy(update={"arguments": tool_args(text)})

    class Scripted(Model):
        async def get_response(self, *args: Any, **more: Any) -> Any:
            raise NotImplementedError

        async def stream_response(self, system_instructions: Any, input: Any, *args: Any, **more: Any) -> AsyncIterator[Any]:
            watch(input)
            text = input if isinstance(input, str) else next(i["content"] for i in reversed(input) if i.get("role") == "user")
            yield r.ResponseCreatedEvent(type="response.created", response=response([]), sequence_number=0)
            last: Any = None
            answering = not isinstance(input, str) and input[-1].get("type") == "function_call_output"
            if answering:
                crash("second request")
            async for event in said(text) if answering else called(text):
                if hasattr(event, "sequence_number"):
                    yield event
                last = event
            yield r.ResponseOutputItemDoneEvent(type="response.output_item.done", output_index=0, item=last, sequence_number=98)
            yield r.ResponseCompletedEvent(type="response.completed", response=response([last]), sequence_number=99)

    return Scripted()
