"""The loop guard: the same call with the same answer, again and again (ESC-7, ESC-9)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from crewlab.engine.records import Json

NOTE_AFTER = 2  # ESC-7: after the second repetition the result carries a note
STUCK_AFTER = 3  # ESC-7: a third repetition makes the turn stuck
NOT_COUNTED = frozenset({"progress_note", "ask_user"})  # ESC-9


@dataclass(slots=True)
class LoopGuard:
    """Counts repetitions within one turn."""

    _seen: Counter[str] = field(default_factory=Counter)

    def note(self, name: str, arguments: Json | str, output: str) -> Literal["", "note", "stuck"]:
        """Count one ended call; says whether the model must be told or the turn is stuck."""
        if name in NOT_COUNTED:
            return ""
        key = json.dumps([name, arguments, output], sort_keys=True, ensure_ascii=False)
        repetitions = self._seen[key]
        self._seen[key] += 1
        if repetitions >= STUCK_AFTER:
            return "stuck"
        return "note" if repetitions >= NOTE_AFTER else ""
