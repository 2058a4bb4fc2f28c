"""The calls that a script or a kernel cell makes, as the turn or the job it runs in answers for them (SCR-95, SCR-125, SCR-210)."""

from __future__ import annotations

import logging
from dataclasses import replace

from crewlab.engine.agents.roster import Agent
from crewlab.engine.events import NestedCallEnded
from crewlab.engine.gate.verdict import Stance, judge
from crewlab.engine.models.base import ChatMessage, ChatRequest, NoRoute, RoutesFailed, StreamBroken
from crewlab.engine.records import NestedCall, Run, Step, Tier
from crewlab.engine.store.children import SCRIPTS, is_child
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools import spill
from crewlab.engine.tools.call import Ran, failure
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.hooked import run_hooked
from crewlab.engine.tools.nested import Done, Inside, Judged, NotAsked
from crewlab.engine.tools.registry import Registry
from crewlab.engine.turn import steps
from crewlab.engine.turn.holding import cap_of
from crewlab.engine.turn.output import READER, keep_whole
from crewlab.engine.turn.requests import stance_of
from crewlab.engine.turn.side import charge_of, side_chain
from crewlab.engine.turn.turn import Parts, Turn, patterns_of

CALLS_PER_ROUND = 10  # SCR-210: times `max_steps`
UNATTENDED = Stance(autonomous=True)  # SCR-137, GATE-67
DELEGATE = "delegate"

log = logging.getLogger(__name__)


class AgentNest:
    """Implements ``Nest`` for an agent without a conversation: a job (SCR-137, SCR-226). ``TurnNest`` is that of a turn."""

    def __init__(self, parts: Parts, agent: Agent, registry: Registry, run: Run, step: Step, outer: ToolContext) -> None:
        self._parts = parts
        self._agent = agent
        self._run = run
        self._step = step
        self._outer = outer
        self.registry = registry
        self.inside = Inside()
        self.gated = agent.switches.script_calls == "gated" and self._cap() == "exec"  # SCR-83, TIER-11
        self.delegates: tuple[str, ...] = ()
        self.asks = agent.switches.script_llm

    def _cap(self) -> Tier:
        return cap_of(self._agent, None)

    @property
    def limit(self) -> int:
        """What the turn allows (SCR-210)."""
        return self._agent.max_steps * CALLS_PER_ROUND

    def context(self, call_id: str | None = None) -> ToolContext:
        """What a call inside is given: the place of the outer call, and lists of its own."""
        own = ToolContext(self._agent.id, self._outer.workspace, self._parts.texts)
        return replace(
            self._outer,
            in_script=True,
            nest=None,
            call_id=self._outer.call_id if call_id is None else call_id,
            opened=own.opened,
            charges=own.charges,
            handovers=own.handovers,  # SCR-159: nothing is handed on
        )

    def judge(self, tool: Tool, arguments: Arguments, context: ToolContext) -> Judged:
        """The verdict of the gate of direct calls; a person must be asked when what it goes by cannot be read (SCR-128)."""
        try:
            stance = self._stance()
        except Exception:
            log.exception("a person must be asked: how %s is to be judged could not be read", tool.name)
            return Judged("ask")
        verdict = judge(tool, arguments, context, stance, patterns_of(self._agent))
        return Judged(verdict.kind, verdict.pattern)

    def _stance(self) -> Stance:
        return UNATTENDED

    def take(self, _count: int) -> bool:
        """Outside a turn nothing is counted (SCR-214)."""
        return True

    def give_back(self, count: int) -> None:
        """See ``take``."""

    async def run(self, tool: Tool, arguments: Arguments, context: ToolContext) -> Ran:
        """The call between its hooks."""
        return await run_hooked(self._parts.hooks, self._agent, tool, arguments, context)

    async def keep(self, _call_id: str, _text: str) -> bool:
        """Only a conversation has a place for it (SCR-226)."""
        return False

    def ended(self, done: Done) -> None:
        """Add it to the list of the step, shortened as on a run card (SCR-194, SCR-195, SCR-201)."""
        tool = self.registry.get(done.name)
        card = tool.card if tool is not None and done.ok else None
        own = sum((charge for charge in done.charges if not charge.child), Charge())
        children = sum(charge.usd for charge in done.charges if charge.child)
        call = NestedCall(
            name=done.name,
            arguments=steps.card_arguments(done.arguments),
            ok=done.ok,
            output=card(done.output) if card is not None else steps.card_output(done.output, ok=done.ok),
            ms=done.ms,
            cost_usd=own.usd if own != Charge() and not own.unknown else None,
            metered=done.metered,
            gated=True if done.gated else None,
            child_spent_usd=children if children > 0 else None,
        )
        self.inside.calls.append(call)
        self._step.calls = list(self.inside.calls)
        self._outer.charges.extend(done.charges)
        self.tell(call)

    def tell(self, call: NestedCall) -> None:
        """Nobody watches a job's conversation, for it has none."""

    def is_spent(self) -> bool:
        """A job has no conversation and no cap of one (SCR-173)."""
        return False

    async def ask(self, system: str, text: str) -> tuple[str, Charge]:
        """The first route alone; ``NotAsked`` tells people why there is no answer, and what was paid all the same."""
        chain = None
        try:
            chain = (await side_chain(self._parts, self._agent, self._outer.conversation_id)).only_first()
            completion = await chain.ask("script", ChatRequest(system, (ChatMessage("user", text),)))
            return completion.text, charge_of(chain.calls)
        except NoRoute as error:
            raise NotAsked(str(error), Charge()) from error
        except (RoutesFailed, StreamBroken) as error:
            said = error.error if isinstance(error, StreamBroken) else "\n".join(error.lines)
            raise NotAsked(said, charge_of(chain.calls) if chain is not None else Charge()) from error
        except Exception as error:  # of the server around the question, such as a ledger that cannot be written: paid all the same
            log.exception("a question of a script failed")
            said = failure("llm", error, self._parts.texts)
            raise NotAsked(said, charge_of(chain.calls) if chain is not None else Charge()) from error


class TurnNest(AgentNest):
    """The calls inside one call of a turn."""

    def __init__(self, parts: Parts, turn: Turn, step: Step, outer: ToolContext) -> None:
        self._turn = turn
        super().__init__(parts, turn.agent, turn.registry, turn.run, step, outer)
        conversation = parts.store.conversations.get(turn.conversation_id)
        own = conversation is not None and not is_child(turn.run.source) and not is_child(conversation.source)
        if self.gated and own and turn.registry.get(DELEGATE) is not None:  # SCR-146, SCR-148
            there = {agent.id for agent in parts.roster.all()}
            self.delegates = (turn.agent.id, *(id for id in turn.agent.delegates if id in there))

    def _cap(self) -> Tier:
        return cap_of(self._agent, self._parts.store.conversations.get(self._turn.conversation_id))

    def _stance(self) -> Stance:
        return stance_of(self._parts, self._turn.conversation_id)

    def take(self, count: int) -> bool:
        """All or none; without room the turn ends after this call (SCR-213)."""
        if self._turn.nested + count > self.limit:
            self._turn.nested_spent = True
            return False
        self._turn.nested += count
        return True

    def give_back(self, count: int) -> None:
        """The places of calls that did not start."""
        self._turn.nested -= count

    async def keep(self, call_id: str, text: str) -> bool:
        """In the conversation's directory, where the agent can read it back (SCR-187, SCR-188)."""
        conversation_id = self._turn.conversation_id
        if self.registry.get(READER) is None or not spill.can_name(call_id):
            return False
        try:
            await keep_whole(self._parts, conversation_id, call_id, text)
        except OSError as error:
            log.warning("the whole answer %s was not kept: %s", call_id, error)
            return False
        return True

    def tell(self, call: NestedCall) -> None:
        """Tell the viewers and the watchers (SCR-206)."""
        index = len(self.inside.calls) - 1
        self._turn.emit(self._parts, NestedCallEnded(tool_call_id=self._outer.call_id, index=index, call=call))

    def is_spent(self) -> bool:
        """With what this call has cost so far, its children included (SCR-173)."""
        conversation = self._parts.store.conversations.get(self._turn.conversation_id)
        more = sum(self._outer.charges, Charge()).usd
        return conversation is not None and 0 < conversation.cost_cap_usd <= conversation.spent_usd + more


def count_of(run: Run) -> int:
    """The calls that this run has made inside others, as far as they are stored (SCR-216)."""
    return sum(len(step.calls or ()) for step in run.steps)


def left_by_children(parts: Parts, conversation_id: str, call_id: str, name: str) -> list[Charge]:
    """What the children of a cut script have spent, for the result that closes its call (SCR-158)."""
    if name not in SCRIPTS:
        return []
    return [
        Charge(child.spent_usd, child.unknown_cost_calls, child.estimated_cost_calls, child.spent_usd, child=True)
        for child_id in parts.store.children.opened_inside(conversation_id, call_id)
        if (child := parts.store.conversations.get(child_id)) is not None
    ]
