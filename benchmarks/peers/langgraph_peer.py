"""LangGraph's prebuilt agent with its SQLite checkpointer: stored after every step (sync), or once at the end (exit)."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import Any

from peers.scripted import INSTRUCTIONS, TOOL_DOC, Peer, beat, call_id, crash, pieces, tool_args, tool_result, watch


class LangGraphSync(Peer):
    name = "langgraph-sync"
    label = 'langchain create_agent, AsyncSqliteSaver, durability="sync" (every step stored)'
    dists = ("langchain", "langgraph", "langgraph-checkpoint-sqlite")
    imports = (
        "from langchain.agents import create_agent; from langchain_core.language_models import BaseChatModel; "
        "from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver"
    )
    durability = "sync"

    async def setup(self, folder: str) -> None:
        from langchain.agents import create_agent
        from langchain_core.language_models import BaseChatModel
        from langchain_core.messages import AIMessageChunk, HumanMessage, ToolMessage
        from langchain_core.outputs import ChatGenerationChunk
        from langchain_core.tools import tool
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        self.human, self.chunk = HumanMessage, AIMessageChunk

        class Scripted(BaseChatModel):
            @property
            def _llm_type(self) -> str:
                return "scripted"

            def bind_tools(self, tools: Any, **more: Any) -> Any:
                return self

            def _generate(self, *args: Any, **more: Any) -> Any:
                raise NotImplementedError

            async def _astream(self, messages: list[Any], stop: Any = None, run_manager: Any = None, **more: Any) -> AsyncIterator[Any]:
                watch(messages)
                text = next(m.content for m in reversed(messages) if isinstance(m, HumanMessage))
                if isinstance(messages[-1], ToolMessage):
                    crash("second request")
                    for piece in pieces(text):
                        await beat()
                        chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
                        if run_manager:
                            await run_manager.on_llm_new_token(piece, chunk=chunk)
                        yield chunk
                    return
                for name, args, own in (("lookup", "", call_id(text)), (None, tool_args(text), None)):
                    await beat()
                    part = {"name": name, "args": args, "id": own, "index": 0, "type": "tool_call_chunk"}
                    chunk = ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[part]))
                    if run_manager:
                        await run_manager.on_llm_new_token("", chunk=chunk)
                    yield chunk

        @tool(description=TOOL_DOC)
        async def lookup(q: str) -> str:
            self.tool_calls += 1
            return tool_result(q)

        self.saver_context = AsyncSqliteSaver.from_conn_string(os.path.join(folder, "peer.db"))
        saver = await self.saver_context.__aenter__()
        self.graph = create_agent(Scripted(), [lookup], system_prompt=INSTRUCTIONS, checkpointer=saver)

    async def run_turn(self, conversation: str, text: str) -> str:
        config = {"configurable": {"thread_id": conversation}}
        shown: list[str] = []
        given = {"messages": [self.human(text)]}
        async for message, _ in self.graph.astream(given, config, stream_mode="messages", durability=self.durability):
            if isinstance(message, self.chunk) and message.content:
                self.deltas += 1
                shown.append(message.content)
        return "".join(shown)

    async def close(self) -> None:
        await self.saver_context.__aexit__(None, None, None)


class LangGraphExit(LangGraphSync):
    name = "langgraph-exit"
    label = 'the same, durability="exit" (nothing stored before the end)'
    durability = "exit"
