"""How a canvas tool is put together: its schema, its texts, its refusals and the hand it works with (CNV-21, CNV-22)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from crewlab.engine.agents.agent import Agent
from crewlab.engine.canvas.channel import refusal
from crewlab.engine.canvas.hand import Hand, hand_of
from crewlab.engine.canvas.library import Library
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, ScriptUse, Tool, ToolContext

Schema = dict[str, Any]
Work = Callable[[Hand, Arguments, ToolContext], Awaitable[str]]


def field(texts: Texts, name: str, kind: str = "string", **limits: object) -> Schema:
    """One parameter; its description is that of its name."""
    return {"type": kind, "description": texts(f"canvas.param_{name}"), **limits}


def schema(*, required: tuple[str, ...] = (), **fields: Schema) -> Schema:
    """The parameters of a tool."""
    return {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class Bench:
    """Where the tools of one agent are made."""

    library: Library
    agent: Agent

    @property
    def texts(self) -> Texts:
        """The texts of the crew."""
        return self.library.parts.texts

    def tool(self, name: str, parameters: Schema, work: Work, *, writes: bool = False, script: ScriptUse = "gated", **more: Any) -> Tool:
        """A tool that works through a hand; ``writes``: refused by the gate where the channel cannot carry a canvas (GATE-8)."""

        async def run(arguments: Arguments, context: ToolContext) -> str:
            return await work(hand_of(self.library, self.agent, context), arguments, context)

        def refuse(_arguments: Arguments, context: ToolContext) -> str | None:
            return refusal(self.library.store.canvases, context.conversation_id, context.source, context.texts)

        return Tool(
            name=name,
            description=self.texts(f"canvas.{name}"),
            parameters=parameters,
            run=run,
            script=script,
            **{"tier": "write", "refuse_reason": refuse if writes else None, "marking": "own", **more},
        )
