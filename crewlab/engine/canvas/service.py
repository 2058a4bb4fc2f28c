"""The canvases of a crew as its other parts see them: routes, delegation, channels, turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from crewlab.engine.activity_events import ArtifactFrame
from crewlab.engine.agents.agent import Agent
from crewlab.engine.canvas.channel import refusal
from crewlab.engine.canvas.family import STREAMED, WRITES
from crewlab.engine.canvas.kinds import PAGES
from crewlab.engine.canvas.notes import inbound_section, note, old_call
from crewlab.engine.canvas.page import diagram_page
from crewlab.engine.canvas.people import CanvasFile, People
from crewlab.engine.canvas.tags import Tag, read_tag
from crewlab.engine.canvas.titles import shown
from crewlab.engine.errors import Conflict
from crewlab.engine.records import Message, Run
from crewlab.engine.store.children import SCRIPTS
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.tools.registry import Registry


class Canvases(People):
    """Everything that is asked of canvases beside the tools. ``old_call`` and ``streamed`` are what turns need of them."""

    old_call = staticmethod(old_call)
    streamed = STREAMED

    def shows_page(self, canvas_id: str, version: int) -> None:
        """Raises ``NotFound``, and ``Conflict`` for a kind that has no page which runs (CNV-114)."""
        canvas = self._canvas(canvas_id)
        self.version(canvas_id, version)
        if canvas.kind not in PAGES:
            raise Conflict(self._parts.texts("canvas.api_no_page", kind=canvas.kind))

    async def page(self, canvas_id: str, version: int) -> str:
        """The page of a version. Raises as ``shows_page``."""
        self.shows_page(canvas_id, version)
        canvas = self._canvas(canvas_id)
        text = self._library.text(canvas, version)
        return text if canvas.kind == "html" else await asyncio.to_thread(diagram_page, text, self._parts.texts)

    def written_in(self, conversation_id: str) -> Sequence[tuple[str, int, str]]:
        """Id, highest version and title of each canvas that was written in a conversation, first written first (DLG-57, DLG-58).

        The title is one line of at most 160 characters. Deleted canvases and those only read are left out.
        """
        return [(each, version, shown(title)) for each, version, title in self._store.canvases.written_in(conversation_id)]

    def just_written(self, messages: Sequence[Message]) -> list[str]:
        """One line per canvas that the calls of these messages wrote, in the order of the first write (CNV-83).

        Only the tags at the beginning of answers count, and the block in the answer of a ``delegate`` call (CNV-85).
        """
        newest: dict[str, int] = {}
        for message in messages:
            for found in _tags(message):
                newest[found.id] = max(found.version, newest.get(found.id, 0))
        canvases = [(self._store.canvases.get(each), version) for each, version in newest.items()]
        return [f"{shown(canvas.title)} (v{version})" for canvas, version in canvases if canvas is not None and not canvas.deleted]

    def note(self, conversation: StoredConversation, agent: Agent) -> str | None:
        """The note that is stored with the message that opens a turn (CNV-98, TURN-78); none for an agent without canvas tools."""
        if agent.tools is not None and not any(name.startswith("artifact_") for name in agent.tools):
            return None  # it could do nothing with it
        return note(self._library, conversation.id, agent.id)

    def ending(self, run: Run, registry: Registry) -> str | None:
        """The last section of the prompt of a turn that cannot carry a canvas back (TURN-73, CNV-79)."""
        texts = self._parts.texts
        if refusal(self._store.canvases, run.conversation_id, run.source, texts) is None:
            return None
        return inbound_section(registry.names, texts)

    def attachment(self, conversation_id: str, canvas_id: str) -> CanvasFile | None:
        """The newest version as a file, for a reply that sends it (CNV-81); ``None`` when the agent there does not reach it."""
        chain = self._store.canvases.chain(conversation_id)
        canvas = self._store.canvases.reach(canvas_id, chain.agent_id, chain.root) if chain else None
        return self.file(canvas.id, canvas.version) if canvas else None

    def doomed(self, conversation_id: str) -> Callable[[], None]:
        """Note the canvases that go with a conversation (CNV-12); the answer tells everybody that they are gone (CNV-112)."""
        doomed = [canvas.id for canvas in self._store.canvases.in_chain(conversation_id) if not canvas.deleted]

        def gone() -> None:
            for canvas_id in doomed:
                self._parts.announce(ArtifactFrame(id=canvas_id, deleted=True))

        return gone


HEAD_LINES = 2  # DLG-36: above the block of canvases in the answer of a delegate call


def _tags(message: Message) -> list[Tag]:
    if message.role != "tool":
        return []
    if message.name in SCRIPTS:  # SCR-142: what its calls answered, also when it failed after them; never what it printed
        lines = [call["output"] for call in (message.context or {}).get("calls", []) if call["ok"] and call["name"] in WRITES]
    elif (message.context or {}).get("outcome"):
        return []
    elif message.name in WRITES:
        lines = [message.content]
    elif message.name == "delegate":
        lines = message.content.partition("\n\n")[0].split("\n")[HEAD_LINES:]
    else:
        return []
    return [found for line in lines if (found := read_tag(line)) is not None and not found.unchanged]
