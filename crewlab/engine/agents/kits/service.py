"""The kits of a crew as they are now: commands and hooks of each agent, with a warning for what was left out."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.kits.commands import Command, expand, read_command, typed
from crewlab.engine.agents.kits.folders import Kit, KitFile, Shut, files_of, hook_files, kits_in, read
from crewlab.engine.agents.kits.hooks import Hook, Parsed, parse_hooks
from crewlab.engine.agents.roster import Roster
from crewlab.engine.home.layout import Home
from crewlab.engine.home.textfiles import FileText, TextFiles
from crewlab.engine.texts import Texts

log = logging.getLogger(__name__)


class Kits:
    """Reads kits when they are asked for, so that an edit acts at once; a file that has not changed is not read again."""

    def __init__(self, home: Home, roster: Roster, files: TextFiles, texts: Texts) -> None:
        self._home = home
        self._roster = roster
        self._files = files
        self._texts = texts
        self._parsed: dict[Path, tuple[FileText, Parsed]] = {}
        self._told: set[str] = set()

    def commands(self, agent: Agent) -> dict[str, Command]:
        """The slash commands of the agent by name: its own first, then those of the whole crew (KIT-9)."""
        found: dict[str, Command] = {}
        places: dict[str, Path] = {}
        for file, command in self._commands(agent):
            if isinstance(command, str):
                self._tell(command)
            elif command.name in found:
                self._tell(self._texts("kits.shadowed", file=file.path, by=places[command.name]))
            else:
                found[command.name], places[command.name] = command, file.path
        return found

    def call(self, agent: Agent, text: str, limit: int) -> tuple[Command, str | None] | None:
        """The command that a message calls, and its text (``None``: longer than ``limit``); ``None`` for any other message."""
        said = typed(text)
        if said is None:
            return None
        commands = self.commands(agent)
        command = commands.get(said.name) or commands.get(said.name.partition("@")[0])  # Telegram writes /name@bot in groups
        return None if command is None else (command, expand(command.body, said.rest, limit))

    def hooks(self, agent: Agent) -> tuple[Hook, ...]:
        """What is asked about the agent's calls: its own hooks, then those of the whole crew; the same one once."""
        found: dict[tuple[str, str, str], Hook] = {}
        for _, parsed in self._hooks(agent):
            for hook in parsed.hooks if isinstance(parsed, Parsed) else ():
                pattern = hook.matcher.pattern if hook.matcher else ""
                found.setdefault((hook.event, pattern, hook.command), hook)
        return tuple(found.values())

    def warnings(self, agent: Agent) -> list[str]:
        """A sentence for each thing in the agent's kits that gives nothing; agents and skills of kits are told elsewhere."""
        shut = [
            self._texts("kits.in_workspace", kit=kit.root, workspace=kit.workspace) for kit in self._kits(agent) if isinstance(kit, Shut)
        ]
        commands = [command for _, command in self._commands(agent) if isinstance(command, str)]
        hooks = [sentence for _, parsed in self._hooks(agent) for sentence in ([parsed] if isinstance(parsed, str) else parsed.warnings)]
        return list(dict.fromkeys([*shut, *commands, *hooks]))

    def _kits(self, agent: Agent) -> Iterator[Kit | Shut]:
        def workspaces() -> list[Path]:
            return [member.workspace for member in self._roster.all()]

        for directory in dict.fromkeys((agent.directory, self._home.root)):
            yield from kits_in(directory, workspaces)

    def _open(self, agent: Agent) -> Iterable[Kit]:
        return (kit for kit in self._kits(agent) if isinstance(kit, Kit))

    def _commands(self, agent: Agent) -> Iterator[tuple[KitFile, Command | str]]:
        for kit in self._open(agent):
            for file in files_of(kit, "commands", deep=True):
                yield file, read_command(file, self._texts, self._files)

    def _hooks(self, agent: Agent) -> Iterator[tuple[KitFile, Parsed | str]]:
        for kit in self._open(agent):
            for file in hook_files(kit):
                yield file, self._hook_file(file)

    def _hook_file(self, file: KitFile) -> Parsed | str:
        text = read(file, self._texts, self._files)
        if isinstance(text, str):
            self._tell(text)
            return text
        kept = self._parsed.get(file.path)
        if kept is None or kept[0] is not text:
            kept = self._parsed[file.path] = (text, parse_hooks(text.text, file, self._texts))
            for sentence in kept[1].warnings:
                self._tell(sentence)
            if kept[1].ignored:  # KIT-15
                self._tell(self._texts("kits.ignored", file=file.path, events=", ".join(kept[1].ignored)))
        return kept[1]

    def _tell(self, line: str) -> None:
        """One line in the log, once."""
        if line not in self._told:
            self._told.add(line)
            log.warning("%s", line)
