"""The three lists of command fragments: ask, allow, deny (GATE-19 to GATE-23).

A soft barrier, not a sandbox: a case-insensitive substring test (GATE-21).
"""

from __future__ import annotations

from dataclasses import dataclass

from crewlab.engine.home.patterns import first_match, split_allow_patterns

__all__ = ["NO_PATTERNS", "Patterns", "first_match"]


@dataclass(frozen=True, slots=True)
class Patterns:
    """The lists that hold for one agent. Bad allow patterns are dropped here, so no caller can forget it."""

    ask: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "allow", split_allow_patterns(self.allow)[0])


NO_PATTERNS = Patterns()
