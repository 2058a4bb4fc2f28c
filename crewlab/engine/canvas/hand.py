"""An agent's hand on the canvases for one call: what it reaches, what it knows, what it may write (CNV-13 to CNV-29)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from crewlab.engine.agents.agent import Agent
from crewlab.engine.artifacts import ArtifactHow, ArtifactKind
from crewlab.engine.canvas.channel import refusal
from crewlab.engine.canvas.kinds import AGENT_BYTES, CAPS
from crewlab.engine.canvas.library import Draft, Full, Library
from crewlab.engine.store.canvas_marks import Mark
from crewlab.engine.store.canvases import Chain, Origin, Source, StoredCanvas
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.shown import shown_path, size

NEW_IN_TURN = 30  # CNV-25
VERSIONS_IN_TURN = 30  # CNV-25: of each canvas
TRIES = 20  # a write that keeps being overtaken gives up
NUL = "\x00"


@dataclass(frozen=True, slots=True)
class Hand:
    """One agent in one call of one conversation."""

    library: Library
    agent: Agent
    context: ToolContext
    chain: Chain

    @property
    def conversation_id(self) -> str:
        """The conversation of the call."""
        return self.context.conversation_id or ""

    @property
    def author(self) -> str:
        """The agent as the author of a version (CNV-3)."""
        return f"agent:{self.context.agent_id}"

    @property
    def texts(self) -> Texts:
        """The texts of the crew."""
        return self.context.texts

    def canvas(self, canvas_id: str) -> StoredCanvas:
        """A canvas within reach; any other answers like one that does not exist (CNV-13)."""
        found = self.library.store.canvases.reach(canvas_id, self.context.agent_id, self.chain.root)
        if found is None:
            raise ToolError(self.texts("canvas.gone", id=shown_path(canvas_id)))
        return found

    def mark(self, canvas_id: str) -> Mark:
        """What the agent of this conversation knows of the canvas."""
        return self.library.store.canvas_marks.get(self.conversation_id, canvas_id)

    def keep(self, canvas_id: str, mark: Mark) -> None:
        """Store what it knows now."""
        self.library.store.canvas_marks.put(self.conversation_id, canvas_id, mark)

    def may_write(self) -> None:
        """Raises ``ToolError`` in a turn whose channel cannot carry a canvas back; the gate has asked the same (GATE-8)."""
        reason = refusal(self.library.store.canvases, self.conversation_id, self.context.source, self.context.texts)
        if reason is not None:
            raise ToolError(reason)

    def encoded(self, text: str, kind: ArtifactKind) -> bytes:
        """The bytes of a text within the cap of its kind; line ends stay as written (CNV-27, CNV-28)."""
        if NUL in text:
            raise ToolError(self.texts("canvas.nul"))
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise ToolError(self.texts("canvas.half")) from None
        self.check_cap(len(data), kind)
        return data

    def check_cap(self, length: int, kind: ArtifactKind) -> None:
        """Raises ``ToolError`` with size and cap when the kind does not hold so much (CNV-27)."""
        cap = CAPS[kind]
        if length > cap:
            raise ToolError(self.texts("canvas.over_cap", size=size(length, self.texts), kind=kind, cap=size(cap, self.texts)))

    def _origin(self, how: ArtifactHow) -> Origin:
        return Origin(self.author, how, self.conversation_id, self.context.run_id or None)

    def make(self, draft: Draft, how: ArtifactHow, *, whole: bool) -> StoredCanvas:
        """Store a new canvas within the budget of the turn (CNV-25); ``whole``: the agent has its text in hand."""
        self.may_write()
        store, run_id = self.library.store, self.context.run_id

        def inside(canvas: StoredCanvas) -> None:
            if run_id and store.canvases.made_in(run_id) > NEW_IN_TURN:
                raise ToolError(self.texts("canvas.budget_new", limit=NEW_IN_TURN))
            self.keep(canvas.id, Mark(known=1, whole=int(whole), told=1, title=draft.title))

        try:
            return self.library.make(draft, self._origin(how), self.chain.agent_id, self.chain.root, AGENT_BYTES, inside)
        except Full:
            raise self._full() from None

    async def add(
        self, base: StoredCanvas, data: bytes, how: ArtifactHow, *, whole: Callable[[Mark], bool], source: Source | None = None
    ) -> int:
        """Store the version after ``base`` within the budget; ``whole`` says by the mark before whether the agent has all its text.

        Raises ``ToolError``, and ``Moved`` when another version came in between.
        """
        self.may_write()
        store, run_id = self.library.store, self.context.run_id

        def inside(version: int) -> None:
            if run_id and store.canvases.added_in(run_id, base.id) > VERSIONS_IN_TURN:
                raise ToolError(self.texts("canvas.budget_versions", id=base.id, limit=VERSIONS_IN_TURN))
            mark = self.mark(base.id)
            has = version if whole(mark) else mark.whole
            self.keep(base.id, replace(mark, known=version, whole=has, told=version, changes=None, changes_to=None))

        try:
            return await self.library.add(base, data, self._origin(how), AGENT_BYTES, inside, source)
        except Full:
            raise self._full() from None

    def _full(self) -> ToolError:
        return ToolError(self.texts("canvas.full", limit=size(AGENT_BYTES, self.context.texts)))


def hand_of(library: Library, agent: Agent, context: ToolContext) -> Hand:
    """The hand for one call. Raises ``ToolError`` outside a conversation (CNV-14)."""
    chain = library.store.canvases.chain(context.conversation_id) if context.conversation_id else None
    if chain is None:
        raise ToolError(context.texts("canvas.no_conversation"))
    return Hand(library, agent, context, chain)
