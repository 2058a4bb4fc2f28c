"""Routes as people write them: ``provider:model``, with an optional thinking effort (PRV-1, PRV-13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Effort = Literal["minimal", "low", "medium", "high"]


@dataclass(frozen=True, slots=True)
class Route:
    """A ``provider:model`` pair. The model may contain colons (``ollama:qwen3:8b``)."""

    provider: str
    model: str
    reasoning: Effort | None = None

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"
