"""The crew of a home: the master and every ``agents/<id>/agent.yaml`` (AGT-12, AGT-19)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from crewlab.engine.agents.agent import MASTER, Agent
from crewlab.engine.agents.generations import Generations
from crewlab.engine.agents.profiles import Profiles, profile_file, read_profiles
from crewlab.engine.agents.values import build_agent, lists_delegate
from crewlab.engine.agents.warnings import warnings_of
from crewlab.engine.errors import NotFound, StartupStop
from crewlab.engine.home.layout import Home
from crewlab.engine.home.settings import Settings
from crewlab.engine.texts import Texts

__all__ = ["MASTER", "Agent", "Roster", "build_roster", "load_roster"]


class Roster:
    """The agents by id. ``warnings``: one sentence for each thing that was written and gives nothing.

    Everybody holds one roster for the life of the crew; ``become`` puts another crew in its place, at once and whole (AGT-38).
    An ``Agent`` itself never changes, so a turn keeps the one it began with (AGT-25).
    """

    def __init__(self, agents: Iterable[Agent], texts: Texts, warnings: Iterable[str] = (), profiles: Profiles | None = None) -> None:
        self._agents = {agent.id: agent for agent in agents}
        self._texts = texts
        self.warnings: list[str] = list(warnings)
        self.profiles = profiles or Profiles({})
        """What the agents were built from."""
        self.generations = Generations()

    def become(self, other: Roster) -> None:
        """Hold the agents of ``other`` from now on, each with the number of its id (STO-44)."""
        self.profiles, self.warnings = other.profiles, other.warnings
        self._agents = {agent.id: replace(agent, generation=self.generations.of(agent.id)) for agent in other._agents.values()}

    def knows(self, agent_id: str) -> bool:
        """Whether there is such an agent."""
        return agent_id in self._agents

    @property
    def master(self) -> Agent:
        """The agent a person talks to (AGT-19)."""
        return self._agents[MASTER]

    def get(self, agent_id: str) -> Agent:
        """The agent ``agent_id``; raises ``NotFound``."""
        agent = self._agents.get(agent_id)
        if agent is None:
            raise NotFound(self._texts("home.no_such_agent", id=repr(agent_id), known=", ".join(self._agents)))
        return agent

    def all(self) -> list[Agent]:
        """Every agent, the master first, the others by id."""
        return [self.master, *(agent for _, agent in sorted(self._agents.items()) if not agent.master)]


def load_roster(home: Home, settings: Settings, texts: Texts) -> Roster:
    """Read every profile of the home. Raises ``StartupStop`` (AGT-4) for the first that cannot stand."""
    return build_roster(read_profiles(home, texts), home, settings, texts)


def build_roster(profiles: Profiles, home: Home, settings: Settings, texts: Texts) -> Roster:
    """The crew of these profiles; nothing is read. Raises ``StartupStop``."""
    crew_ids = tuple(profiles.by_id)
    agents = [_agent(name, profiles, home, settings, crew_ids) for name in profiles.by_id]
    warnings = list(profiles.warnings)
    for agent in agents:
        _refuse_wide_shell(agent, home, texts)
        if agent.origin != "kit":  # nobody here wrote those names
            warnings += warnings_of(agent, crew_ids, home, settings, texts)
    return Roster(agents, texts, [*settings.warnings, *warnings], profiles)


def _agent(name: str, profiles: Profiles, home: Home, settings: Settings, crew_ids: tuple[str, ...]) -> Agent:
    """The agent of its profile and of what a kit adds to it (KIT-6, KIT-8); ``Agent.profile`` is what the file alone says."""
    read, brings = profiles.by_id[name], profiles.brought_by(name)
    agent = build_agent(name, read.effective, home, settings, crew_ids, read.origin)
    if brings:
        agent = replace(agent, delegates=tuple(dict.fromkeys((*agent.delegates, *brings))), may_delegate=lists_delegate(read.effective))
    if read.kit is not None:
        workspace = agent.workspace if read.profile.workspace is not None else home.workspace
        agent = replace(agent, profile=read.profile, kit_persona=read.kit.persona, workspace=workspace)
    return agent


def _refuse_wide_shell(agent: Agent, home: Home, texts: Texts) -> None:
    """An entry of ``shell_write_paths`` must not open the home, a settings file or the store to commands (SHL-55)."""
    file = profile_file(home, agent.id)
    guarded = [path.resolve() for path in (home.root, home.config_file, home.db_file, home.master_profile, file)]
    for entry in agent.switches.shell_write_paths or ():
        target = (agent.workspace / entry).resolve()
        if any(path.is_relative_to(target) for path in guarded):
            raise StartupStop(texts("home.wide_shell", file=file, entry=repr(entry)), file=str(file), key="shell_write_paths")
