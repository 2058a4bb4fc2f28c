"""What a person typed becomes what is said: commands of kits are replaced by their text (KIT-10, KIT-13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.kits.service import Kits
from crewlab.engine.records import Json, WrittenBy

TEXT_LIMIT = 100_000  # TURN-18


@dataclass(frozen=True, slots=True)
class Said:
    """A message as it is stored. ``command`` is ``{"name", "typed"}`` where a kit wrote it; only a kit's words alone are the kit's."""

    text: str
    written_by: WrittenBy = "person"
    command: Json | None = None

    @property
    def context(self) -> Json:
        """What is stored beside the message."""
        return {"command": self.command} if self.command is not None else {}


def spoken(kits: Kits | None, agent: Agent, texts: Sequence[str]) -> Said:
    """Texts as one message, joined by empty lines (QUE-5). A command whose text has become too long meanwhile stays as it was typed."""
    said: list[str] = []
    names: list[str] = []
    typed = [text for text in texts if text]
    for text in typed:
        found = kits.call(agent, text, TEXT_LIMIT) if kits is not None else None
        if found is not None and found[1] is not None:
            names.append(found[0].name)
        said.append(found[1] if found is not None and found[1] is not None else text)
    if not names:
        return Said("\n\n".join(said))
    command: Json = {"name": names[0], "typed": "\n\n".join(typed)}
    return Said("\n\n".join(said), "kit" if len(names) == len(said) else "person", command)
