"""Putting a turn together: agent, tools, prompt and history as they are at its start (AGT-25)."""

from __future__ import annotations

from crewlab.engine.agents.roster import Agent
from crewlab.engine.models.base import ToolSpec
from crewlab.engine.records import Run
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.tools.registry import Registry
from crewlab.engine.turn.escalate import guard_of
from crewlab.engine.turn.history import History
from crewlab.engine.turn.holding import held
from crewlab.engine.turn.nested import count_of
from crewlab.engine.turn.prompt import short_prompt, system_prompt
from crewlab.engine.turn.trim import quiet, trim
from crewlab.engine.turn.turn import Parts, Turn


def assemble(parts: Parts, run: Run, agent: Agent) -> Turn:
    """The turn of ``run``, ready to start. Reads the conversation's messages."""
    conversation_id = run.conversation_id or ""
    conversation = parts.store.conversations.get(conversation_id)
    registry = held(parts.toolbox.of(agent), agent, conversation)
    messages = parts.store.messages.list(conversation_id)
    return Turn(
        run=run,
        conversation_id=conversation_id,
        agent=agent,
        registry=registry,
        specs=tuple(ToolSpec(tool.name, tool.description, tool.parameters) for tool in registry.all),
        system="\n\n".join([prompt_of(parts, agent, registry, conversation), *_ending(parts, run, registry)]),
        short_system=short_prompt(agent, parts.texts),
        messages=History(
            trim(quiet(messages, run.after_seq or 0, parts.old_call), run.after_seq or 0, parts.texts),
            parts.store.compactions.newest(conversation_id),
        ),
        own_paths=(parts.home.spill(conversation_id), parts.home.outputs(conversation_id), parts.home.attachments(conversation_id)),
        guard=guard_of(run, messages, parts.texts),
        nested=count_of(run),
    )


def _ending(parts: Parts, run: Run, registry: Registry) -> list[str]:
    """What stands after the date line in turns of this channel (TURN-73)."""
    return [text for ending in parts.endings if (text := ending(run, registry))]


def prompt_of(parts: Parts, agent: Agent, registry: Registry, conversation: StoredConversation | None) -> str:
    """The system prompt of the agent as it is now, in a conversation or as it is shown without one."""
    more = tuple(text for section in parts.sections if (text := section(agent, registry, conversation)))
    return system_prompt(agent, registry, more, parts.clock.now(), parts.zone, parts.texts)
