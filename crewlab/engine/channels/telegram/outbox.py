"""Sending what has to arrive: written down first, sent once, its fate recorded (CHN-23, RES-9, JOB-41, FL-5, FL-8, FG-7)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.lines import Named, read
from crewlab.engine.channels.telegram.pieces import Piece, rendered, split
from crewlab.engine.channels.telegram.wire import Refused, Unknown, Unreachable, Wire
from crewlab.engine.errors import NotFound, StoreWriteFailed
from crewlab.engine.records import Run
from crewlab.engine.store.channels import Channel, Outgoing
from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.tools.workspace.serving import OpenFile, open_file
from crewlab.engine.turn import steps

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of an answer, to be sent behind its text."""

    named: Named
    agent_id: str


Part = Piece | FilePart


class Outbox:
    """Sends the rows of the outbox one after another."""

    def __init__(self, reach: Reach, channel: Channel, wire: Wire) -> None:
        self._reach = reach
        self._channel = channel
        self._wire = wire
        self._wake = asyncio.Event()

    def put(self, kind: str, run: Run, text: str) -> None:
        """Write down a message about a run; a run has one of each kind. Raises ``StoreWriteFailed``."""
        agent = run.relayed_from or run.agent_id
        if self._channel.put(kind, run.id, agent, run.conversation_id, text, self._reach.parts.now()):
            self._wake.set()

    async def send_for_ever(self) -> None:
        """Send what waits, then wait for more, until cancelled."""
        self._wake.set()
        while True:
            await self._wake.wait()
            self._wake.clear()
            for outgoing in self._channel.waiting():
                try:
                    await self._send(outgoing)
                except StoreWriteFailed as error:
                    log.error("telegram: how far message %d came cannot be stored: %s", outgoing.id, error.message)
                    break
                except Exception as error:
                    log.exception("telegram: message %d could not be made", outgoing.id)
                    self._mark(outgoing, "failed", outgoing.parts, type(error).__name__)

    async def _send(self, outgoing: Outgoing) -> None:
        """Send the parts that are not there yet. A part that an earlier process was sending may be there: it is left out (FG-7)."""
        parts = self._parts(outgoing)
        cut = outgoing.status == "sending"
        fate, error = ("unknown", self._reach.parts.texts("telegram.fate_unknown")) if cut else ("sent", None)
        for number in range(outgoing.parts + cut, len(parts)):
            self._mark(outgoing, "sending", number, error)
            try:
                await self._send_part(parts[number])
            except Unknown:
                fate, error = "unknown", self._reach.parts.texts("telegram.fate_unknown")
            except (Refused, Unreachable) as fault:
                fate, error = "failed", self._reach.parts.texts("telegram.fate_failed", why=str(fault) or type(fault).__name__)
                break
        self._mark(outgoing, fate, len(parts), error)
        if error is not None:
            self._note(outgoing, error)

    def _mark(self, outgoing: Outgoing, status: str, parts: int, error: str | None) -> None:
        self._channel.mark(outgoing.id, status, parts, error, self._reach.parts.now())  # type: ignore[arg-type]

    def _note(self, outgoing: Outgoing, error: str) -> None:
        """Say on the run and in the log that its answer may not have arrived; the stored answer is whole in any case."""
        log.warning("telegram: message %d of run %s: %s", outgoing.id, outgoing.run_id, error)
        parts = self._reach.parts
        run = parts.store.runs.get(outgoing.run_id)
        if run is not None and run.status not in ("running", "waiting"):
            steps.end(steps.begin(run, parts.clock, "note", text=error), 0)
            parts.store.runs.save(run)
            parts.hub.run(run)

    def _parts(self, outgoing: Outgoing) -> list[Part]:
        text, files = read(outgoing.text)
        pieces: list[Part] = [*split(rendered(text))] if text else []
        return pieces + [FilePart(named, outgoing.agent_id) for named in files]

    async def _send_part(self, part: Part) -> None:
        if isinstance(part, FilePart):
            return await self._send_file(part)
        try:
            await self._wire.text(part.text, part.entities())
        except Refused as refusal:
            if not part.spans:
                raise
            log.info("telegram refused a message with entities (%s); it is sent as plain text", refusal.reason)
            await self._wire.text(part.text)

    async def _send_file(self, part: FilePart) -> None:
        """Send the file, or say in the chat why it does not come (CHN-19)."""
        name, data, why = await self._file(part)
        if data is None:
            await self._wire.text(self._reach.parts.texts(f"telegram.{why}", path=part.named.path))
            return
        try:
            await (self._wire.photo(name, data) if part.named.way == "photo" else self._wire.document(name, data))
        except Refused as refusal:
            await self._wire.text(self._reach.parts.texts("telegram.file_refused", path=part.named.path, why=refusal.reason))

    async def _file(self, part: FilePart) -> tuple[str, bytes | None, str]:
        """Name and bytes, or why there are none (a key of the texts)."""
        named = part.named
        if named.way is None:
            return "", None, "file_kind"
        if named.way == "artifact":
            found = await self._reach.artifact(named.path, part.agent_id) if self._reach.artifact else None
            return (found[0], found[1], "") if found else ("", None, "file_artifact")
        opened = await self._open(part)
        if opened is None:
            return "", None, "file_missing"
        try:
            if opened.size > named.limit:
                return "", None, "file_large"
            return opened.name, b"".join([chunk async for chunk in opened.chunks()]), ""
        finally:
            opened.close()

    async def _open(self, part: FilePart) -> OpenFile | None:
        parts = self._reach.parts
        try:
            agent = parts.roster.get(part.agent_id)
        except NotFound:
            return None
        context = ToolContext(agent.id, Path(agent.workspace), parts.texts, closed_paths=parts.closed)
        return await open_file(part.named.path, context)
