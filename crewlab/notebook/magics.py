"""The magics of ``%load_ext crewlab`` (UI-150). They never run code that an answer contains (UI-154)."""

from __future__ import annotations

import argparse
import shlex
from typing import Any, NoReturn

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class

from crewlab.notebook.chat import Approval, Conversation, Run, Turn
from crewlab.notebook.client import Crew, connect
from crewlab.notebook.errors import NotFound
from crewlab.notebook.jobs import Job
from crewlab.notebook.kept import kept_conversation, naming
from crewlab.notebook.records import Agent, Record, Rows, Stats
from crewlab.notebook.sql_magic import SqlMagics
from crewlab.notebook.variables import send_values
from crewlab.notebook.words import say

RUNS_SHOWN = 10  # `%crew_runs` without a number


class _Parser(argparse.ArgumentParser):
    """Options of ``%%crew``; a mistake is a ``UsageError`` and never ends the kernel."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage()}")


def _options() -> _Parser:
    parser = _Parser(prog="%%crew", add_help=False)
    parser.add_argument("--agent", metavar="ID")
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--conversation", metavar="ID")
    parser.add_argument("--send", nargs="+", action="extend", default=[], metavar="NAME")
    parser.add_argument("--into", metavar="NAME")
    parser.add_argument("--no-wait", action="store_true", dest="no_wait")
    parser.add_argument("--force", action="store_true")
    return parser


@magics_class
class CrewMagics(Magics):
    """The conversation that the notebook names in its metadata, else one per kernel, opened with the first message (UI-152)."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._crew: Crew | None = None
        self._conversation: Conversation | None = None

    @property
    def crew(self) -> Crew:
        """The client, made on first use."""
        if self._crew is None:
            self._crew = connect()
        return self._crew

    def _current(self) -> Conversation:
        found = self._known()
        if found is None:
            raise UsageError(say("no_conversation"))
        return found

    def _known(self) -> Conversation | None:
        """The conversation of this notebook: the one of this kernel, else the one its metadata name, when it is still there."""
        kept = kept_conversation() if self._conversation is None else None
        if kept is not None:
            try:
                self._conversation = self.crew.conversation(kept)
            except NotFound:
                return None  # deleted since: the next message opens another
        return self._conversation

    @line_cell_magic("crew")  # type: ignore[arg-type]  # IPython types the name as a function
    def crew_message(self, line: str, cell: str | None = None) -> Turn | None:
        """``%crew <text>`` sends the line, ``%%crew`` the cell; the answer grows in the output."""
        if cell is None:
            return self._ask(_options().parse_args([]), line.strip())
        try:
            words = shlex.split(line)
        except ValueError as fault:
            raise UsageError(str(fault)) from None
        return self._ask(_options().parse_args(words), cell.strip())

    def _ask(self, options: argparse.Namespace, text: str) -> Turn | None:
        if not text:
            raise UsageError(say("empty_message"))
        if options.into and not options.into.isidentifier():
            raise UsageError(say("bad_name", name=options.into))
        if options.send:
            text = f"{text}\n\n{send_values(options.send, self._namespace(), force=options.force)}"
        conversation = self._choose(options)
        turn = conversation.send(text, wait=False) if options.no_wait else conversation.ask(text, metadata=naming(str(conversation["id"])))
        if options.into:
            self._namespace()[options.into] = turn
        return None

    def _namespace(self) -> dict[str, Any]:
        return self.shell.user_ns if self.shell is not None else {}

    def _choose(self, options: argparse.Namespace) -> Conversation:
        """``--conversation``, else a new one with ``--new`` or another ``--agent``, else this notebook's."""
        now = None if options.conversation or options.new else self._known()
        if options.conversation:
            now = self.crew.conversation(options.conversation)
        elif now is None or options.new or (options.agent and options.agent != now["agent_id"]):
            now = self.crew.new(options.agent)
        self._conversation = now
        return now

    @line_magic
    def crew_steer(self, line: str) -> None:
        """``%crew_steer <text>`` puts words into the running turn."""
        if not line.strip():
            raise UsageError(say("empty_message"))
        self._current().steer(line.strip())

    @line_magic
    def crew_stop(self, line: str) -> Record:
        """``%crew_stop`` stops the running turn."""
        return self._current().stop()

    @line_magic
    def crew_agents(self, line: str) -> Rows[Agent]:
        """``%crew_agents``: the agents of the crew."""
        return self.crew.agents()

    @line_magic
    def crew_runs(self, line: str) -> Rows[Run]:
        """``%crew_runs [n]``: the newest runs."""
        count = line.strip() or str(RUNS_SHOWN)
        if not count.isdigit():
            raise UsageError(say("bad_count", value=count))
        return self.crew.runs(limit=int(count))

    @line_magic
    def crew_approvals(self, line: str) -> Rows[Approval]:
        """``%crew_approvals``: requests that wait for a decision."""
        return self.crew.approvals()

    @line_magic
    def crew_jobs(self, line: str) -> Rows[Job]:
        """``%crew_jobs``: the jobs of the crew."""
        return self.crew.jobs()

    @line_magic
    def crew_costs(self, line: str) -> Stats:
        """``%crew_costs``: what model calls have cost."""
        return self.crew.stats()


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Brings the magics into ``shell``; a second time it changes nothing."""
    if "crew_stop" not in shell.magics_manager.magics["line"]:
        shell.register_magics(CrewMagics, SqlMagics)
