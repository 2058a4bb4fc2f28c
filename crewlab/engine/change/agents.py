"""What a person may do to the agents of a running crew (AGT-26 to AGT-38)."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from crewlab.engine.agents.agent import MASTER, Agent
from crewlab.engine.agents.profiles import Profiles, ReadProfile, profile_file
from crewlab.engine.agents.templates import Template, find_template, install_files, installed_profile, templates, written_yaml
from crewlab.engine.change.drafting import check, drafted, tidied, unfrozen
from crewlab.engine.change.rebuild import Draft, Rebuilding
from crewlab.engine.change.saving import save_file
from crewlab.engine.clock import Clock
from crewlab.engine.errors import Conflict, Invalid, NotFound
from crewlab.engine.home.kinds import RESERVED_IDS, is_agent_id
from crewlab.engine.home.layout import PRIVATE_DIRECTORY
from crewlab.engine.home.profile import AgentProfile
from crewlab.engine.store.store import Store
from crewlab.engine.tools.catalogue import AgentTools

NAMED_ROUTES = frozenset({"templates"})  # an agent of that id could not be read: its route is another one (AGT-32)
OWN_FOLDERS = ("browser", "kernels", "sandbox-tmp")  # AGT-37: what an agent has beside its directory


@dataclass(frozen=True, slots=True)
class Removed:
    """An agent that was taken out of the crew, and where its directory lies now."""

    id: str
    moved_to: str


@dataclass(frozen=True, slots=True)
class Installed:
    """The ids that joined the crew, and those that were there and stayed as they are (AGT-29)."""

    installed: list[str]
    kept: list[str]


ProblemOf = Callable[[str], Awaitable[str | None]]
"""Why a script would not begin, with its line; ``None`` when it would (SCR-224)."""


class AgentDesk:
    """Saves, makes, removes and installs agents; the crew follows at once."""

    def __init__(self, rebuilding: Rebuilding, store: Store, clock: Clock, toolbox: AgentTools, problem_of: ProblemOf) -> None:
        self._rebuilding = rebuilding
        self._home = rebuilding.home
        self._texts = rebuilding.texts
        self._store = store
        self._clock = clock
        self._toolbox = toolbox
        self._problem_of = problem_of

    async def save(self, agent_id: str, changes: Mapping[str, Any]) -> Agent:
        """Set the keys that are named; ``None`` removes one (AGT-35).

        Raises ``NotFound``, ``Invalid`` that names the field, ``Conflict`` (``file_changed``, ``kit_agent``).
        """
        rebuilding = self._rebuilding
        async with rebuilding.turn:
            agent = rebuilding.roster.get(agent_id)
            read = rebuilding.roster.profiles.by_id[agent_id]
            self.refuse_kit(agent)
            wanted = unfrozen(tidied(changes), read, self._toolbox.of(agent).names, self._toolbox.listable(agent))
            check(wanted, rebuilding.settings, self._texts)
            await self._check_scripts(wanted)
            path = profile_file(self._home, agent_id)
            text, profile = drafted(path, read, wanted, self._texts)
            await rebuilding.rebuild(
                Draft(profiles=rebuilding.roster.profiles.having(agent_id, profile)),
                lambda: save_file(path, read.text, text, self._texts),
            )
            return rebuilding.roster.get(agent_id)

    async def create(self, agent_id: str, keys: Mapping[str, Any]) -> Agent:
        """Make an agent (AGT-12). Raises ``Invalid``, ``Conflict`` for an id that is taken."""
        rebuilding = self._rebuilding
        async with rebuilding.turn:
            if not is_agent_id(agent_id) or agent_id in (RESERVED_IDS | NAMED_ROUTES) - {MASTER}:
                raise Invalid(self._texts("change.bad_id"), field="id")
            path = profile_file(self._home, agent_id)
            taken = rebuilding.roster.knows(agent_id) and rebuilding.roster.get(agent_id).origin != "kit"  # KIT-8: a kit's is edited so
            if taken or path.exists() or path.is_symlink():
                raise Conflict(self._texts("change.taken", id=repr(agent_id)))
            wanted = {key: value for key, value in tidied(keys).items() if value is not None}
            check(wanted, rebuilding.settings, self._texts)
            await self._check_scripts(wanted)
            empty = ReadProfile(AgentProfile())
            text, profile = drafted(path, empty, wanted, self._texts)
            draft = Draft(profiles=rebuilding.roster.profiles.having(agent_id, ReadProfile(profile.profile, text)))
            await rebuilding.rebuild(draft, lambda: self._make(agent_id, text))
            return rebuilding.roster.get(agent_id)

    async def _check_scripts(self, wanted: Mapping[str, Any]) -> None:
        """The scripts of schedules must pass the check of the language. Raises ``Invalid`` with the line (SCR-224)."""
        wrong: dict[str, str] = {}
        for place, schedule in enumerate(wanted.get("schedules") or (), start=1):
            script = schedule.get("script")
            problem = await self._problem_of(script) if script is not None else None
            if problem is not None:
                wrong[f"schedules[{place}].script"] = problem
        if wrong:
            raise Invalid(next(iter(wrong.values())), field="schedules", fields=wrong)

    def _make(self, agent_id: str, text: str) -> None:
        path = profile_file(self._home, agent_id)
        path.parent.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
        path.chmod(0o600)

    async def remove(self, agent_id: str) -> Removed:
        """Take an agent out of the crew and move its directory aside; its running work goes on (AGT-37).

        Raises ``NotFound``, ``Conflict`` (``master``, ``kit_agent``, ``directory_busy``); then everything is as it was.
        """
        rebuilding = self._rebuilding
        async with rebuilding.turn:
            agent = rebuilding.roster.get(agent_id)
            if agent.master:
                raise Conflict(self._texts("change.master"), code="master")
            self.refuse_kit(agent)
            stamp = self._clock.now().strftime("%Y%m%dT%H%M%S%fZ")
            aside = self._home.trash / f"{agent_id}-{stamp}"

            def move() -> None:
                try:
                    self._home.trash.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
                    self._home.agent_dir(agent_id).rename(aside)
                except OSError as error:
                    why = self._texts("change.directory_busy", directory=self._home.agent_dir(agent_id), error=error.strerror)
                    raise Conflict(why, code="directory_busy") from error

            await rebuilding.rebuild(Draft(profiles=rebuilding.roster.profiles.without(agent_id)), move)
            self._forget(agent_id)
            await asyncio.to_thread(self._sweep, agent_id)
            return Removed(agent_id, str(aside))

    def _forget(self, agent_id: str) -> None:
        """Another agent of this id begins with nothing, and what still runs for this one keeps nothing (STO-39, STO-40)."""
        generations = self._rebuilding.roster.generations
        with generations.lock:
            generations.removed(agent_id)
            with self._store.transaction():
                self._store.script_store.forget_agent(agent_id)
                self._store.jobs.forget_agent(agent_id)

    def _sweep(self, agent_id: str) -> None:
        for name in OWN_FOLDERS:
            shutil.rmtree(self._home.root / name / agent_id, ignore_errors=True)

    def refuse_kit(self, agent: Agent) -> None:
        """A member that a kit brought is changed by an ``agent.yaml`` of its own alone (KIT-8)."""
        if agent.origin == "kit":
            raise Conflict(self._texts("change.kit_agent", id=agent.id, file=profile_file(self._home, agent.id)), code="kit_agent")

    def templates(self) -> list[Template]:
        """What can be installed, in the crew's language (AGT-26)."""
        return templates(self._texts)

    async def install(self, name: str, workspace: str | None = None) -> Installed:
        """Install a template with the peers it gives work to and the shared skills; what exists stays (AGT-27 to AGT-30).

        Raises ``NotFound``, ``Invalid``.
        """
        rebuilding = self._rebuilding
        async with rebuilding.turn:
            template = find_template(name, self._texts)
            if template is None:
                raise NotFound(self._texts("change.no_template", name=repr(name), known=", ".join(one.id for one in self.templates())))
            if workspace is not None:
                check({"workspace": workspace}, rebuilding.settings, self._texts)
            ids = (name, *template.brings)
            new = [each for each in ids if not rebuilding.roster.knows(each) and not profile_file(self._home, each).exists()]
            profiles: Profiles = rebuilding.roster.profiles
            yaml = {each: written_yaml(each, workspace if each == name else None, self._texts) for each in new}
            for each, text in yaml.items():
                profiles = profiles.having(each, installed_profile(profile_file(self._home, each), text, self._texts))
            await rebuilding.rebuild(Draft(profiles=profiles), lambda: install_files(self._home, yaml, self._texts))
            return Installed(new, [each for each in ids if each not in new])
