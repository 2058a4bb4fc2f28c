"""The one agent loop (TURN-1): rounds of a model call and its tool calls, until the turn ends."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from typing import Literal, TypedDict

from crewlab.engine.errors import StoreWriteFailed
from crewlab.engine.event import Event
from crewlab.engine.events import Done, ErrorCode, Halted, Steer, Stopped, TurnError
from crewlab.engine.models.base import NoRoute, RoutesFailed, StreamBroken
from crewlab.engine.records import INTERRUPTED, AttachedFile, HaltReason, Json, RunStatus
from crewlab.engine.turn import steps
from crewlab.engine.turn.attachments import still_there, with_files
from crewlab.engine.turn.commands import spoken
from crewlab.engine.turn.compact import PromptTooLarge, fit
from crewlab.engine.turn.escalate import ask_or_escalate, escalate
from crewlab.engine.turn.groups import run_calls
from crewlab.engine.turn.kept import as_stored, kept
from crewlab.engine.turn.turn import Parts, Turn

log = logging.getLogger(__name__)


class Money(TypedDict):
    """What a conversation has cost when a turn of it ends."""

    spent_usd: float
    delegated_usd: float
    unknown_cost_calls: int
    estimated_cost_calls: int


class Shown(TypedDict):
    """What a face shows of a steer besides its text."""

    typed: str | None
    attachments: list[AttachedFile]


def _shown(context: Json | None) -> Shown:
    told = context or {}
    files = [AttachedFile(**file) for file in told.get("attachments") or []]
    return Shown(typed=(told.get("command") or {}).get("typed"), attachments=files)


class TurnLoop:
    """Runs turns to their end. Every end is stored before it is told (TURN-28)."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def run(self, turn: Turn, *, fresh: bool) -> None:
        """Run one turn until it ends or pauses.

        ``fresh`` says that open calls of the history have surely not run (a decision in this
        process); else they are settled first as RPL-3 says. Never raises but on cancellation by
        the server going down.
        """
        try:
            await self._rounds(turn, fresh=fresh)
        except asyncio.CancelledError:
            if turn.stop == "shutdown":
                raise  # the run stays `running` for the next start (RES-2)
            self.stopped(turn)
        except NoRoute as error:
            self._failed(turn, "no_route", str(error) or self._parts.texts("turn.no_route"))
        except RoutesFailed as error:
            self._failed(turn, "routes_failed", self._parts.texts("turn.routes_failed", lines="\n".join(error.lines)))
        except StreamBroken as error:
            self._failed(turn, "routes_failed", self._parts.texts("turn.stream_broken", route=error.route, error=error.error))
        except PromptTooLarge as error:
            self._failed(turn, "prompt_too_large", str(error))
        except StoreWriteFailed as error:
            self._unwritten(turn, error)
        except Exception:
            log.exception("turn of run %s failed", turn.run.id)
            self._failed(turn, "internal", self._parts.texts("turn.internal", run=turn.run.id))

    async def _rounds(self, turn: Turn, *, fresh: bool) -> None:
        calls = turn.messages.open_calls()
        answer = turn.messages.answered()
        if answer is not None and not calls:  # cut between the answer and its end: nothing is asked or paid again
            self._close(turn, "done", answer.content)
            return self._done(turn)
        while True:
            if calls:
                after = await run_calls(self._parts, turn, calls, fresh=fresh)
                if after == "paused":
                    return
                if after == "relayed":
                    return self._done(turn)
                if after == "nested_calls":
                    return self._halted(turn, "nested_calls")
                if after == "stuck" and not await escalate(self._parts, turn, "loop"):
                    return self._halted(turn, "loop")
            limit = self._limit(turn)
            if limit is not None:
                return self._halted(turn, limit)
            self._take_steers(turn)
            await fit(self._parts, turn)
            message = await ask_or_escalate(self._parts, turn)
            if not message.tool_calls:
                return self._done(turn)
            calls, fresh = message.tool_calls, True

    def _limit(self, turn: Turn) -> Literal["budget", "max_steps"] | None:
        """The limit that stops the turn before its next model call (COST-5, TURN-27)."""
        conversation = self._parts.store.conversations.get(turn.conversation_id)
        if conversation and 0 < conversation.cost_cap_usd <= conversation.spent_usd:
            return "budget"
        return "max_steps" if steps.model_calls(turn.run) >= turn.agent.max_steps else None

    def _take_steers(self, turn: Turn) -> None:
        """Waiting steers become one user message of this turn (QUE-8, QUE-12)."""
        parts = self._parts
        waiting = parts.store.queue.waiting(turn.conversation_id, "steer")
        if not waiting:
            return
        said = spoken(parts.kits, turn.agent, [item.text for item in waiting])
        text = said.text
        with kept(turn.run), parts.store.transaction():
            steps.end(steps.begin(turn.run, parts.clock, "steer", text=text), 0)
            context = with_files(parts, {"steer": True, **said.context}, still_there(parts, turn.conversation_id, waiting))
            message = parts.store.messages.append(
                turn.conversation_id, "user", text, parts.now(), written_by=said.written_by, context=context
            )
            for item in waiting:
                if item.request_id:
                    parts.store.messages.note_request(turn.conversation_id, item.request_id, message.id)
            parts.store.queue.remove([item.item_id for item in waiting])
            parts.store.conversations.touch(turn.conversation_id, parts.now())
            parts.store.runs.save(turn.run)
        turn.messages.append(message)
        parts.hub.run(turn.run)
        turn.emit(parts, Steer(item_ids=[item.item_id for item in waiting], message_id=message.id, text=text, **_shown(context)))

    def _done(self, turn: Turn) -> None:
        """Tell the end that was stored with the answer."""
        self._tell(turn, Done(run_id=turn.run.id, cost_usd=turn.run.cost_usd, relayed_from=turn.run.relayed_from, **self._money(turn)))

    def _halted(self, turn: Turn, reason: HaltReason) -> None:
        turn.run.halt_reason = reason
        money = self._close(turn, "halted", self._parts.texts(f"turn.halted_{reason}"))
        self._tell(turn, Halted(run_id=turn.run.id, reason=reason, cost_usd=turn.run.cost_usd, **money))

    def stopped(self, turn: Turn) -> None:
        """Close the turn as stopped by a person, keeping what was shown."""
        self._end_badly(turn, INTERRUPTED, "stopped", Stopped(run_id=turn.run.id))

    def _failed(self, turn: Turn, code: ErrorCode, message: str) -> None:
        self._end_badly(turn, message, "error", TurnError(run_id=turn.run.id, code=code, message=message))

    def _end_badly(self, turn: Turn, summary: str, partial: Literal["error", "stopped"], event: Event) -> None:
        try:
            self._close(turn, "error", summary, partial=partial)
        except StoreWriteFailed as error:
            self._unwritten(turn, error)
        else:
            self._tell(turn, event)

    def _unwritten(self, turn: Turn, error: StoreWriteFailed) -> None:
        """The store cannot be written: end the turn in memory and say so; the row follows as soon as it can (DUR-6)."""
        log.error("the store could not be written in run %s: %s", turn.run.id, error)
        message = self._parts.texts("turn.store_write", error=error.message)
        self._take_back(turn)
        steps.finish(turn.run, "error", message, self._parts.now())
        self._parts.hub.unwritten.append(turn.run)
        self._parts.hub.run(turn.run)
        self._tell(turn, TurnError(run_id=turn.run.id, code="store_write", message=message))

    def _take_back(self, turn: Turn) -> None:
        """Forget what was not written, so that run, conversation and ledger tell the same money (DB-9)."""
        try:
            as_stored(self._parts.store, turn.run)
        except sqlite3.Error as unreadable:
            log.error("the store cannot be read either: %s", unreadable)

    def _close(self, turn: Turn, status: RunStatus, summary: str, partial: Literal["error", "stopped"] | None = None) -> Money:
        """Store the end of the turn, with the text shown so far (TURN-29); returns the conversation's money."""
        parts, run = self._parts, turn.run
        now = parts.now()
        steps.finish(run, status, summary, now)
        shown = "".join(turn.text)
        with parts.store.transaction():
            if partial and shown and parts.store.conversations.get(turn.conversation_id):
                parts.store.messages.append(turn.conversation_id, "assistant", shown, now, context={"partial": partial})
            parts.store.conversations.touch(turn.conversation_id, now)
            parts.store.runs.save(run)
        turn.text.clear()
        parts.hub.run(run)
        return self._money(turn)

    def _money(self, turn: Turn) -> Money:
        """The conversation's money; the run's when the conversation is gone."""
        conversation, run = self._parts.store.conversations.get(turn.conversation_id), turn.run
        return Money(
            spent_usd=conversation.spent_usd if conversation else run.cost_usd,
            delegated_usd=conversation.delegated_usd if conversation else 0.0,
            unknown_cost_calls=conversation.unknown_cost_calls if conversation else run.unknown_cost_calls,
            estimated_cost_calls=conversation.estimated_cost_calls if conversation else run.estimated_cost_calls,
        )

    def _tell(self, turn: Turn, event: Event) -> None:
        turn.end = event
        turn.emit(self._parts, event)
