"""Slash commands of kits: Markdown files whose body becomes the message (KIT-9 to KIT-13). Nothing in them is run or read."""

from __future__ import annotations

import logging
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.kit_files import Kit, KitFile, Skipped, kits_of, markdown, read_file
from crewlab.engine.home.heads import one_line
from crewlab.engine.home.layout import Home

DESCRIPTION_CHARS = 300
HINT_CHARS = 100
RESERVED = frozenset(  # KIT-13, CHN-10, TIER-15: what the crew's own faces answer
    "steer plan vibe start help status new stop approve deny answer skip".split()  # noqa: SIM905
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(?::[A-Za-z0-9][A-Za-z0-9_.-]*)*")
_TYPED = re.compile(rf"\A\s*/({_NAME.pattern})(?:\s+(.*))?\Z", re.DOTALL)
_PLACE = re.compile(r"\$ARGUMENTS|\$([1-9])(?![0-9])")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Command:
    """One command. ``argument_hint`` and ``description`` are shown while somebody types it (KIT-12)."""

    name: str
    description: str
    argument_hint: str
    body: str


@dataclass(frozen=True, slots=True)
class Expanded:
    """What a typed command means: the message that is stored, and what was typed."""

    text: str
    name: str
    typed: str

    @property
    def context(self) -> dict[str, object]:
        """What the stored message keeps, so that a face can show what was typed (KIT-10)."""
        return {"command": {"name": self.name, "typed": self.typed}}


class Commands:
    """The commands of agents, read from their files as they are now."""

    def __init__(self, home: Home, workspaces: Callable[[], Iterable[Path]]) -> None:
        self._home = home
        self._workspaces = workspaces
        self._told: set[Path] = set()
        self._kept: dict[Path, tuple[tuple[int, int, int], KitFile | Skipped]] = {}

    def of(self, agent: Agent) -> Mapping[str, Command]:
        """By name: the agent's own before the home's, then the order of the kits (KIT-4, KIT-9)."""
        found: dict[str, Command] = {}
        for file in self._files(agent):
            name = ":".join(file.name)
            if file.body and _NAME.fullmatch(name) and name.lower() not in RESERVED:
                head = file.head
                hint = one_line(_plain(head.get("argument-hint")), HINT_CHARS)
                found.setdefault(name, Command(name, one_line(head.get("description"), DESCRIPTION_CHARS), hint, file.body))
        return found

    def expand(self, agent: Agent, text: str) -> Expanded | None:
        """The message that ``text`` stands for; ``None`` when it is no command anybody defines (QUE-7)."""
        typed = _TYPED.match(text)
        if typed is None or typed[1].lower() in RESERVED:
            return None
        command = self.of(agent).get(typed[1])
        return None if command is None else Expanded(filled(command.body, typed[2] or ""), command.name, text.strip())

    def _kits(self, agent: Agent) -> list[Kit]:
        directories = dict.fromkeys((agent.directory, self._home.root))
        return [kit for directory in directories for kit in kits_of(directory, None, self._workspaces)]

    def _files(self, agent: Agent) -> Iterator[KitFile]:
        for kit in self._kits(agent):
            for file in markdown(kit, "commands", deep=True, read=self._read):
                if not isinstance(file, Skipped):
                    yield file
                elif file.path not in self._told:
                    self._told.add(file.path)
                    log.warning("%s was left out: %s", file.path, file.why)

    def _read(self, kit: Kit, path: Path, name: tuple[str, ...]) -> KitFile | Skipped:
        """The file, read again only when it has changed."""
        try:
            status = path.stat()
        except OSError:
            return Skipped(path, "unreadable")
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        kept = self._kept.get(path)
        if kept is None or kept[0] != stamp:
            kept = self._kept[path] = (stamp, read_file(kit, path, name))
        return kept[1]


def filled(body: str, rest: str) -> str:
    """``body`` with ``$ARGUMENTS`` replaced by the rest and ``$1`` … ``$9`` by its words; what is put in is not read again (KIT-10)."""
    words = _words(rest)

    def put(found: re.Match[str]) -> str:
        if found[1] is None:
            return rest.strip()
        place = int(found[1]) - 1
        return words[place] if place < len(words) else ""

    return _PLACE.sub(put, body)


def _words(rest: str) -> list[str]:
    """The words, quotes grouping them; a quote that is never closed is a letter like any other."""
    try:
        return shlex.split(rest)
    except ValueError:
        return rest.split()


def _plain(hint: object) -> object:
    """``[file] [how]`` stands unquoted in many files, where YAML reads a list."""
    return " ".join(f"[{item}]" for item in hint) if isinstance(hint, list) else hint
