"""Files that carry a run or a conversation out of the crew (TURN-100 to TURN-109)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from crewlab.engine.errors import NotFound
from crewlab.engine.records import Run
from crewlab.engine.store.messages import Messages
from crewlab.engine.store.readers import View
from crewlab.engine.store.slices import children_of, messages_of
from crewlab.engine.turn.exported import Exported, Writer
from crewlab.engine.turn.masking import Mask
from crewlab.engine.turn.turn import Parts

Format = Literal["json", "md"]
TYPES: dict[Format, str] = {"json": "application/json", "md": "text/markdown; charset=utf-8"}
NAME_CHARS = 100
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]+')


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file to be saved."""

    name: str
    content_type: str
    text: str


class Exports:
    """Writes exports in a worker thread, with secrets masked (TURN-104).

    ``secrets`` gives the values of the environment and of the key ring, ``run`` the record of a run as it is now.
    """

    def __init__(self, parts: Parts, run: Callable[[str], Run], secrets: Callable[[], list[str]]) -> None:
        self._parts = parts
        self._run = run
        self._secrets = secrets
        self._hidden: list[str] = []

    def hide(self, secret: str) -> None:
        """Mask this value too: the host knows it and the engine does not (Jupyter's token)."""
        self._hidden.append(secret)

    async def run(self, run_id: str, format: Format, *, full: bool) -> ExportFile:
        """One turn, whole. Raises ``NotFound``."""
        run = self._run(run_id).model_copy(deep=True)  # a running one changes while it is written
        names = {agent.id: agent.name for agent in self._parts.roster.all()}
        writer = Writer(self._mask(), self._parts.texts, full=full)
        now = self._parts.now()

        def written(view: View) -> str:
            messages, cut = messages_of(view, run)
            exported = Exported(run, names.get(run.agent_id, run.agent_id), cut, messages, children_of(view, run, messages))
            if format == "md":
                return writer.as_markdown(exported)
            return json.dumps(writer.as_json(exported, now), indent=2, ensure_ascii=False) + "\n"

        return ExportFile(f"run-{run.id}.{format}", TYPES[format], await self._parts.store.readers.run(written))

    async def conversation(self, conversation_id: str) -> ExportFile:
        """A conversation as Markdown, every result whole. Raises ``NotFound``."""
        stored = self._parts.store.conversations.get(conversation_id)
        if stored is None:
            raise NotFound(self._parts.texts("turn.conversation_gone", id=conversation_id))
        title = stored.title or self._parts.texts("export.untitled")
        mask = self._mask()
        writer = Writer(mask, self._parts.texts, full=True)
        text = await self._parts.store.readers.run(lambda view: writer.conversation(title, Messages(view).list(conversation_id)))
        return ExportFile(f"{file_name(mask.text(title), conversation_id)}.md", TYPES["md"], text)

    def secrets(self) -> list[str]:
        """What is masked: values of the environment and of the key ring, and what the host has named."""
        return [*self._secrets(), *self._hidden]

    def _mask(self) -> Mask:
        return Mask(self.secrets())


def file_name(title: str, otherwise: str) -> str:
    """``title`` as the name of a file on any system; ``otherwise`` when nothing of it can stand in one. Pure."""
    name = " ".join(_NOT_IN_NAMES.sub(" ", title).split())[:NAME_CHARS].strip(" .")
    return name or otherwise
