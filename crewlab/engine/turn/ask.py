"""One model call of a turn: the request, the stream, the steps of the run (TURN-25, PRV-4 to PRV-12)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing

from crewlab.engine.clock import new_id
from crewlab.engine.events import Note, RouteFallback, TextDelta, Thinking, ToolCallDelta
from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import (
    CallDelta,
    ChatRequest,
    Completion,
    ProviderNotice,
    ReasoningDelta,
    RouteFailed,
    RouteRetry,
    RouteStarted,
)
from crewlab.engine.models.base import TextDelta as TextItem
from crewlab.engine.models.chain import ProviderChain
from crewlab.engine.records import Message, Step, ToolCall
from crewlab.engine.store.ledger import TURN
from crewlab.engine.store.side_calls import NO_TOKENS
from crewlab.engine.turn import steps
from crewlab.engine.turn.turn import Parts, Turn


class _Call:
    """The state of one model call: its step and whether thinking was told."""

    def __init__(self, parts: Parts, turn: Turn, route: str) -> None:
        self.parts = parts
        self.turn = turn
        self.thinking = False
        self.shown = frozenset(name for name in parts.streamed if turn.registry.get(name) is not None)
        self.ids: dict[int, str] = {}
        self.step = self._begin(route)

    def _begin(self, route: str) -> Step:
        step = steps.begin(self.turn.run, self.parts.clock, "model", route=route)
        self.started = self.parts.clock.monotonic()
        return step

    def ms(self) -> int:
        return round((self.parts.clock.monotonic() - self.started) * 1000)

    def fell_back(self, item: RouteFailed) -> None:
        """The failed attempt becomes a ``fallback`` step; the model step moves behind it (PRV-5)."""
        run = self.turn.run
        run.steps.remove(self.step)
        step = steps.begin(run, self.parts.clock, "fallback", route=item.route, error=item.error)
        step.started_at = self.step.started_at
        steps.end(step, self.ms(), "error")
        if item.next_route is not None:
            self.step = self._begin(item.next_route)
        self.turn.save(self.parts)
        if item.next_route is not None:
            self.turn.emit(self.parts, RouteFallback(from_route=item.route, to_route=item.next_route, error=item.error))

    def abandoned(self, route: Route) -> None:
        """A call that began to answer and gave no completion: its price is unknown (COST-2), in one commit (DB-9).

        Its step ends with it, so that a start after a cut does not count it again (DUR-1); the ledger has it (COST-21).
        """
        turn, store, now = self.turn, self.parts.store, self.parts.now()
        turn.run.unknown_cost_calls += 1
        steps.end(self.step, self.ms(), "error")
        with store.transaction():
            store.conversations.spend(turn.conversation_id, None, now)
            store.side_calls.insert(turn.agent.id, turn.conversation_id, TURN, (route.provider, route.model), None, NO_TOKENS, now)
            store.runs.save(turn.run)

    def again(self) -> None:
        """The same route is asked once more in the same step (PRV-8)."""
        if self.step.status != "running":
            self.step.status, self.step.ms = "running", None
            self.parts.store.runs.save(self.turn.run)

    def fragment(self, item: CallDelta) -> None:
        """A piece of the arguments of a call, shown under the id the call will have (CNV-107, CNV-108)."""
        if item.index not in self.ids:
            self.ids[item.index] = _own_id(self.turn, item.id, set(self.ids.values()))
        if item.name in self.shown and item.arguments:
            own = self.ids[item.index]
            self.turn.emit(self.parts, ToolCallDelta(tool_call_id=own, name=item.name, index=item.index, arguments=item.arguments))

    def hear(self, item: object) -> None:
        """Take one item of the chain."""
        turn, parts = self.turn, self.parts
        if isinstance(item, TextItem):
            turn.text.append(item.text)
            turn.emit(parts, TextDelta(text=item.text))
        elif isinstance(item, CallDelta):
            self.fragment(item)
        elif isinstance(item, ReasoningDelta):
            if not self.thinking:
                self.thinking = True
                turn.emit(parts, Thinking())
        elif isinstance(item, RouteStarted):
            self.step.route = item.route
        elif isinstance(item, ProviderNotice):
            turn.emit(parts, Note(text=item.text))
        elif isinstance(item, RouteRetry):
            self.ids.clear()
            self.again()
        elif isinstance(item, RouteFailed):
            self.ids.clear()
            self.fell_back(item)


async def chain_of(parts: Parts, turn: Turn) -> ProviderChain:
    """The chain that answers now: after an escalation its one route, for the rest of the turn (ESC-3)."""
    route = turn.agent.profile.escalation_route
    escalated = route is not None and any(step.kind == "escalation" for step in turn.run.steps)
    return await parts.models.chain((route,) if route is not None and escalated else turn.agent.routes)


async def ask(parts: Parts, turn: Turn) -> Message:
    """Ask the chain once and store the answer with its money (DB-9), an answer without calls together with the end of the turn.

    Raises ``NoRoute``, ``RoutesFailed``, ``StreamBroken``; then ``turn.text`` holds what was shown.
    """
    chain = await chain_of(parts, turn)
    request = ChatRequest(turn.system, turn.messages.arranged(), turn.specs, turn.short_system)
    turn.text.clear()
    call = _Call(parts, turn, str(chain.routes[0]))
    turn.save(parts)
    completion: Completion | None = None
    async with aclosing(chain.stream(request, call.shown, abandoned=call.abandoned)) as items:
        async for item in items:
            if isinstance(item, Completion):
                completion = item
            else:
                call.hear(item)
    if completion is None:
        raise RuntimeError("a provider chain ended without a completion")
    return _store(parts, turn, call, completion)


def _own_id(turn: Turn, call_id: str, new: set[str]) -> str:
    """A new id for a call whose id is empty or was used before in this conversation.

    Results and approvals are found by the id of their call; some models count from ``call_0`` each time.
    """
    return new_id("call") if not call_id or call_id in new or turn.messages.used(call_id) else call_id


def _own_ids(turn: Turn, calls: tuple[ToolCall, ...], told: Mapping[int, str]) -> tuple[ToolCall, ...]:
    """The calls under ids of their own: those under which their fragments were ``told``, where each had some."""
    if len(told) == len(calls):
        ids = [told[index] for index in sorted(told)]
        return tuple(call.model_copy(update={"id": own}) for call, own in zip(calls, ids, strict=True))
    new: set[str] = set()
    own: list[ToolCall] = []
    for call in calls:
        call = call.model_copy(update={"id": _own_id(turn, call.id, new)})
        new.add(call.id)
        own.append(call)
    return tuple(own)


def _store(parts: Parts, turn: Turn, call: _Call, completion: Completion) -> Message:
    usage = completion.usage
    tokens = (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, usage.reasoning_tokens)
    run = turn.run
    run.cost_usd += completion.cost_usd or 0.0
    run.unknown_cost_calls += completion.cost_usd is None
    run.estimated_cost_calls += completion.cost_estimated
    steps.end(
        call.step,
        call.ms(),
        cost_usd=completion.cost_usd,
        cost_estimated=completion.cost_estimated or None,
        prompt_tokens=tokens[0],
        completion_tokens=tokens[1],
        cached_tokens=tokens[2],
        reasoning_tokens=tokens[3],
    )
    now = parts.now()
    calls = _own_ids(turn, completion.tool_calls, call.ids)
    if not calls:
        steps.finish(run, "done", completion.text, now)  # the answer and the end of the turn are one commit (TURN-28)
    with parts.store.transaction():
        message = parts.store.messages.append(
            turn.conversation_id,
            "assistant",
            completion.text,
            now,
            tool_calls=calls,
            provider=completion.provider,
            model=completion.model,
            cost_usd=completion.cost_usd,
            cost_estimated=completion.cost_estimated,
            tokens=tokens,
        )
        parts.store.conversations.spend(turn.conversation_id, completion.cost_usd, now, estimated=completion.cost_estimated)
        parts.store.runs.save(run)
    turn.messages.append(message)
    turn.text.clear()
    parts.hub.run(run)
    return message
