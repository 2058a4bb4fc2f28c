"""crewlab itself: the real engine with store, gate, loop and watch; only the model and the tool are the scripted ones.

Each turn is read by a viewer, as the panel reads it: a turn ends for this measurement when the viewer has the ``done`` frame.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from peers import scripted
from peers.scripted import Peer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


class Scripted:
    """The scripted model as a provider."""

    name = "fake"
    small = False

    async def stream(self, request: Any, route: Any) -> AsyncIterator[Any]:
        from crewlab.engine.models.base import CallDelta, Completion, TextDelta
        from crewlab.engine.records import ToolCall

        scripted.watch(request.messages)
        text = next(m.content for m in reversed(request.messages) if m.role == "user")
        if request.messages[-1].role == "user":
            name, arguments = scripted.call_id(text), scripted.tool_args(text)
            await scripted.beat()
            yield CallDelta(0, name, "lookup", "")
            await scripted.beat()
            yield CallDelta(0, name, "lookup", arguments)
            yield Completion("", (ToolCall(id=name, name="lookup", arguments=json.loads(arguments)),), cost_usd=0.0)
            return
        scripted.crash("second request")
        for piece in scripted.pieces(text):
            await scripted.beat()
            yield TextDelta(piece)
        yield Completion(scripted.answer(text), cost_usd=0.0)

    async def close(self) -> None:
        """Nothing to close."""


class Crewlab(Peer):
    name = "crewlab"
    label = "crewlab: the whole engine, nine commits a turn"
    imports = "import crewlab.engine.crew"
    ours = True

    async def setup(self, folder: str) -> None:
        from crewlab.engine.crew import open_crew
        from crewlab.engine.home.layout import Home
        from crewlab.engine.tools.contract import Tool
        from crewlab.engine.tools.registry import Registry

        async def run(arguments: dict[str, Any], context: Any) -> str:
            self.tool_calls += 1
            return scripted.tool_result(arguments["q"])

        registry = Registry([Tool("lookup", scripted.TOOL_DOC, scripted.PARAMETERS, run, tier="read", replay_safe=True)])
        home = Path(folder) / "home"
        home.mkdir()
        self.crew = await open_crew(Home(home), environ={"CREWLAB_ROUTES": "fake:echo"})
        self.crew.models.plug(Scripted())
        self.crew.toolbox.of = lambda agent: registry
        await self.crew.start()
        self.ids: dict[str, str] = {}

    async def run_turn(self, conversation: str, text: str) -> str:
        crew = self.crew
        own = self.ids.get(conversation)
        if own is None:
            own = self.ids[conversation] = crew.conversations.create().id
        watcher = crew.watch.join(own)
        await crew.inbound.send(own, text)
        shown: list[str] = []
        async for frame in watcher:
            event = frame.event
            if event.type == "text_delta":
                self.deltas += 1
                shown.append(event.text)
            elif event.type in ("done", "error", "halted", "stopped"):
                if event.type != "done":
                    raise RuntimeError(repr(event))
                break
        watcher.close()
        await crew.host.wait(own)
        return "".join(shown)

    async def close(self) -> None:
        await self.crew.stop()
