"""Runs as faces read them (TURN-14, TURN-88, TURN-91)."""

from __future__ import annotations

from collections.abc import Sequence

from crewlab.engine.errors import NotFound
from crewlab.engine.records import Run
from crewlab.engine.turn.turn import Parts


class Runs:
    """Runs for faces: those in memory as they are now, finished ones from the store (TURN-88)."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def get(self, run_id: str) -> Run:
        """One run with all steps. Raises ``NotFound``."""
        run = self._parts.hub.live.get(run_id) or self._parts.store.runs.get(run_id)
        if run is None:
            raise NotFound(self._parts.texts("turn.run_gone", id=run_id))
        return run

    def list(
        self, agent_id: str | None = None, conversation_id: str | None = None, before: str | None = None, limit: int = 50
    ) -> tuple[list[Run], bool]:
        """Newest first, and whether there are more; those of a removed agent stay readable (AGT-37). Raises ``NotFound``."""
        of = None if conversation_id is None else self._with_children(conversation_id)
        found = self._parts.store.runs.list(agent_id, of, before, limit + 1)
        if agent_id is not None and not found and before is None:
            self._parts.roster.get(agent_id)
        live = self._parts.hub.live
        return [live.get(run.id, run) for run in found[:limit]], len(found) > limit

    def _with_children(self, conversation_id: str) -> Sequence[str]:
        """The conversation, those it gave out jobs to, and its background workers (TURN-91)."""
        store = self._parts.store
        children = [child.id for child in store.children.of(conversation_id, store.messages.list(conversation_id))]
        return [conversation_id, *children, *store.children.workers(conversation_id)]
