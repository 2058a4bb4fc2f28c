"""Skills: directories with a ``SKILL.md`` that tell an agent how a task is done (KIT-21 to KIT-26). A skill grants nothing."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.kits.folders import MAX_BYTES, left_out, open_kits
from crewlab.engine.home.heads import one_line, split_head
from crewlab.engine.home.layout import Home
from crewlab.engine.home.textfiles import FileText, TextFiles
from crewlab.engine.texts import Texts

SKILL_FILE = "SKILL.md"
SKILLS = "skills"
NAME_CHARS = 100
DESCRIPTION_CHARS = 300
COMMAND_CHARS = 100

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill. ``requires`` are the commands it needs, ``directory`` is where its scripts and references lie."""

    name: str
    description: str
    always: bool
    requires: tuple[str, ...]
    text: str
    directory: Path


@dataclass(frozen=True, slots=True)
class Held:
    """The skills of an agent by name, and a sentence for each that was left out (KIT-26)."""

    skills: Mapping[str, Skill]
    warnings: tuple[str, ...] = ()


class Skills:
    """Finds the skills of agents; a file that has not changed is not read again."""

    def __init__(self, home: Home, files: TextFiles, texts: Texts) -> None:
        self._common = home.root / SKILLS
        self._files = files
        self._texts = texts
        self._home = home.root
        self._read: dict[Path, tuple[FileText, Skill | str]] = {}
        self.workspaces: Callable[[], Iterable[Path]] = lambda: ()
        """Where agents work: a kit that lies there is theirs and not read (KIT-2)."""

    def of(self, agent: Agent) -> Held:
        """The agent's own skills and ``skills_dirs`` first, then those of the home; the first of a name counts (KIT-22)."""
        skills: dict[str, Skill] = {}
        warnings: list[str] = []
        own: list[tuple[Path, Path | None]] = [(path, None) for path in (agent.directory / SKILLS, *agent.skills_dirs)]
        for directory, inside in dict.fromkeys((*own, *self._of_kits(agent), (self._common, None))):
            for found in self._in(directory, inside):
                if isinstance(found, str):
                    warnings.append(found)
                else:
                    skills.setdefault(found.name, found)
        return Held(skills, tuple(warnings))

    def names(self, agent: Agent) -> tuple[str, ...]:
        """The names of the agent's skills."""
        return tuple(self.of(agent).skills)

    def _of_kits(self, agent: Agent) -> Iterator[tuple[Path, Path]]:
        """The folders of kits with the kit nothing may lead out of: the agent's own, then the home's (KIT-3 to KIT-5, KIT-22)."""
        for directory in dict.fromkeys((agent.directory, self._home)):
            for kit in open_kits(directory, self.workspaces):
                yield from ((folder, kit.root.resolve()) for folder in kit.places("skills"))

    def _in(self, directory: Path, inside: Path | None = None) -> Iterator[Skill | str]:
        try:
            names = sorted(os.listdir(directory))
        except OSError:
            return
        for name in names:
            place = directory / name
            file = self._files.read(place / SKILL_FILE)
            if not file.there:
                continue
            if inside is not None and (trouble := _refused(place / SKILL_FILE, inside, file)) is not None:
                yield left_out(place / SKILL_FILE, trouble, self._texts)
                continue
            kept = self._read.get(place)
            if kept is None or kept[0] is not file:
                kept = self._read[place] = (file, self._parse(place, file))
                if isinstance(kept[1], str):
                    log.warning("%s", kept[1])
            yield kept[1]

    def _parse(self, place: Path, file: FileText) -> Skill | str:
        if file.trouble is not None:
            return self._texts("skills.skipped", file=place / SKILL_FILE, why=self._texts(f"memory.{file.trouble}"))
        head, body = split_head(file.text)
        if head is None:
            return self._texts("skills.skipped", file=place / SKILL_FILE, why=self._texts("skills.broken_head"))
        name = one_line(head.get("name"), NAME_CHARS)
        if not name:
            return self._texts("skills.skipped", file=place / SKILL_FILE, why=self._texts("skills.no_name"))
        return Skill(
            name=name,
            description=one_line(head.get("description"), DESCRIPTION_CHARS),
            always=head.get("always") is True,
            requires=_commands(head.get("requires")),
            text=body.strip(),
            directory=place,
        )


def _refused(path: Path, inside: Path, file: FileText) -> str | None:
    """Why a file of a kit is left out (KIT-5)."""
    if not path.resolve().is_relative_to(inside):
        return "outside"
    return "large" if len(file.text.encode()) + file.unread > MAX_BYTES else None


def _commands(written: Any) -> tuple[str, ...]:
    """``requires`` as a list, also when one command stands alone."""
    items = written if isinstance(written, list) else [written]
    return tuple(command for item in items if (command := one_line(item, COMMAND_CHARS)))


def missing_commands(skill: Skill, environ: Mapping[str, str]) -> list[str]:
    """The commands of ``requires`` that this machine lacks (KIT-24). Looks at the disk."""
    import shutil

    return [command for command in skill.requires if shutil.which(command, path=environ.get("PATH")) is None]
