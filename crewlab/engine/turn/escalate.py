"""The way out of a stuck turn: its agent's escalation route, once per turn and always visible (ESC-1 to ESC-9)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Literal

from crewlab.engine.events import Escalated
from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import NoRoute, RoutesFailed
from crewlab.engine.records import Message, Run
from crewlab.engine.texts import Texts
from crewlab.engine.turn import steps
from crewlab.engine.turn.guard import LoopGuard
from crewlab.engine.turn.overflow import ask_in_window, explained
from crewlab.engine.turn.turn import Parts, Turn

Reason = Literal["loop", "routes_failed"]

log = logging.getLogger(__name__)


async def ask_or_escalate(parts: Parts, turn: Turn) -> Message:
    """Ask the chain; when every main route failed unseen, move to the escalation route and ask again.

    Raises as ``ask``, and ``PromptTooLarge`` when the request was too long for every route (CMP-11).
    """
    try:
        return await ask_in_window(parts, turn)
    except RoutesFailed as error:
        if not await escalate(parts, turn, "routes_failed"):
            raise await explained(parts, turn, error) from error
    try:
        return await ask_in_window(parts, turn)
    except RoutesFailed as error:
        raise await explained(parts, turn, error) from error


async def escalate(parts: Parts, turn: Turn, reason: Reason) -> bool:
    """Move the turn to its escalation route; ``False`` when there is no way out (ESC-3, ESC-5)."""
    route = await way_out(parts, turn)
    if route is None:
        return False
    step = steps.begin(turn.run, parts.clock, "escalation", route=str(route), reason=reason)
    steps.end(step, 0)
    turn.guard = LoopGuard()  # ESC-7: after an escalation the count starts at zero
    turn.save(parts)
    turn.emit(parts, Escalated(route=str(route), reason=reason))
    return True


async def way_out(parts: Parts, turn: Turn) -> Route | None:
    """The escalation route when it may be used: set, not used yet, none of the main routes, and ready to be asked (ESC-5)."""
    route = turn.agent.profile.escalation_route
    if route is None or any(step.kind == "escalation" for step in turn.run.steps):
        return None
    try:
        main = (await parts.models.chain(turn.agent.routes)).routes
        await parts.models.chain((route,))
    except NoRoute as error:
        log.info("no escalation to %s: %s", route, error)
        return None
    return None if _is_one_of(route, main) else route


def _is_one_of(route: Route, routes: Sequence[Route]) -> bool:
    """The same model with another thinking effort is the same route: what failed there fails here."""
    return any((one.provider, one.model) == (route.provider, route.model) for one in routes)


def guard_of(run: Run, messages: Iterable[Message], texts: Texts) -> LoopGuard:
    """The loop guard as it stands: a paused turn that goes on still knows what it has repeated.

    After an escalation the count starts at zero, also when the turn was cut since.
    """
    guard = LoopGuard()
    if any(step.kind == "escalation" for step in run.steps):
        return guard
    calls = {}
    for message in messages:
        if message.seq <= (run.after_seq or 0):
            continue
        for call in message.tool_calls:
            calls[call.id] = call
        asked = calls.get(message.tool_call_id or "") if message.role == "tool" else None
        if asked is not None:
            guard.note(asked.name, asked.arguments, message.content.removesuffix(texts("turn.repeats")))
    return guard
