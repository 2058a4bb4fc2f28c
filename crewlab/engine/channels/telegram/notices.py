"""Requests in the chat: announced with their buttons, and told when they were decided elsewhere (CHN-11, CHN-13)."""

from __future__ import annotations

import json
import logging
from datetime import datetime

from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.chat import Chat
from crewlab.engine.channels.telegram.pieces import TEXT_UNITS, units
from crewlab.engine.channels.telegram.wire import Button, Refused, Unknown, Unreachable, Wire
from crewlab.engine.errors import NotFound
from crewlab.engine.home.timing_words import local_time
from crewlab.engine.records import Approval

APPROVE, DENY = "approve:", "deny:"
ROOM = 600  # units of a notice that are not arguments
ELLIPSIS = "…"

log = logging.getLogger(__name__)


class Notices:
    """Tells the chat of requests. ``decided_here`` are those the chat itself decided."""

    def __init__(self, reach: Reach, chat: Chat, wire: Wire) -> None:
        self._reach = reach
        self._chat = chat
        self._wire = wire
        self._told: set[str] = set()
        self.decided_here: set[str] = set()

    async def watch_for_ever(self) -> None:
        """Follow the crew's activity; what is pending at the start is told once (FA-5)."""
        while True:
            watcher = self._reach.parts.hub.join()
            try:
                for approval in self._chat.pending():
                    await self._announce(approval)
                async for frame in watcher:
                    data = frame.event.model_dump(mode="json")
                    if data["type"] == "event" and data["name"] == "approval_required":
                        await self._announce_id(data["data"]["approval"]["id"])
                    elif data["type"] == "event" and data["name"] == "approval_decided":
                        await self._decided(data["data"]["approval_id"], data["data"]["status"])
            finally:
                watcher.close()
            if self._reach.parts.hub.going_down:
                return

    async def _announce_id(self, approval_id: str) -> None:
        try:
            approval = self._reach.approvals.get(approval_id)
        except NotFound:
            return
        if approval.status == "pending" and self._chat.concerns(approval):
            await self._announce(approval)

    async def _announce(self, approval: Approval) -> None:
        if approval.id in self._told:
            return
        self._told.add(approval.id)
        buttons = [] if approval.kind == "question" else self._buttons(approval)
        await self.say(self.words(approval), buttons)

    def _buttons(self, approval: Approval) -> list[Button]:
        """Two buttons; there is no "always" on Telegram (CHN-11)."""
        texts = self._reach.parts.texts
        return [
            Button(texts("telegram.button_approve"), APPROVE + approval.id),
            Button(texts("telegram.button_deny"), DENY + approval.id),
        ]

    def words(self, approval: Approval) -> str:
        """The request as the person reads it; the arguments are cut to what fits into one message."""
        texts, zone = self._reach.parts.texts, self._reach.parts.zone
        agent = self._chat.agent_name(approval.agent_id)
        deadline = local_time(datetime.fromisoformat(approval.expires_at), zone)
        if approval.kind == "question":
            options = "".join(f"\n– {option.label}" for option in approval.options)
            return texts("telegram.question", agent=agent, question=approval.question or "", options=options, deadline=deadline)
        reason = texts("telegram.request_reason", reason=approval.reason) if approval.reason else ""
        arguments = json.dumps(approval.arguments, ensure_ascii=False, indent=1) if approval.arguments else ""
        arguments = approval.summary or arguments
        room = max(0, TEXT_UNITS - ROOM - units(reason))
        if units(arguments) > room:
            arguments = arguments.encode("utf-16-le", "surrogatepass")[: 2 * room].decode("utf-16-le", "ignore") + ELLIPSIS
        said = texts("telegram.request", agent=agent, tool=approval.tool, reason=reason, arguments=arguments, deadline=deadline)
        return said.encode("utf-16-le", "surrogatepass")[: 2 * TEXT_UNITS].decode("utf-16-le", "ignore")

    def decided_words(self, approval: Approval) -> str:
        """One line about a decision."""
        status = "skipped" if approval.skipped else approval.status
        return self._reach.parts.texts(f"telegram.decided_{status}", tool=approval.tool)

    async def _decided(self, approval_id: str, status: str) -> None:
        if approval_id not in self._told or status == "pending":
            return
        self._told.discard(approval_id)
        if approval_id in self.decided_here:
            self.decided_here.discard(approval_id)
            return
        said = self.decided_words(self._reach.approvals.get(approval_id))
        await self.say(said if status == "expired" else self._reach.parts.texts("telegram.decided_elsewhere", said=said))

    async def say(self, text: str, buttons: list[Button] | None = None) -> None:
        """A line of the bot's own; it is not sent again when it does not arrive."""
        try:
            await self._wire.text(text, buttons=buttons or ())
        except (Refused, Unknown, Unreachable) as fault:
            log.warning("telegram: a notice did not arrive: %s", str(fault) or type(fault).__name__)
