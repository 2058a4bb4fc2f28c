"""The crew of a home: the master and every ``agents/<id>/agent.yaml`` (AGT-12, AGT-19)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crewlab.engine.agents.agent import MASTER, Agent
from crewlab.engine.agents.kits.members import joined, read_members
from crewlab.engine.agents.values import build_agent, workspace_of
from crewlab.engine.agents.warnings import warnings_of
from crewlab.engine.errors import NotFound, StartupStop
from crewlab.engine.home.kinds import RESERVED_IDS, is_agent_id
from crewlab.engine.home.layout import Home
from crewlab.engine.home.profile import AgentProfile, load_profile
from crewlab.engine.home.settings import Settings
from crewlab.engine.texts import Texts

__all__ = ["MASTER", "Agent", "Roster", "load_roster"]


class Roster:
    """The agents by id. ``warnings``: one sentence for each thing that was written and gives nothing."""

    def __init__(self, agents: Iterable[Agent], texts: Texts, warnings: Iterable[str] = ()) -> None:
        self._agents = {agent.id: agent for agent in agents}
        self._texts = texts
        self.warnings: list[str] = list(warnings)

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
    profiles, without = _profiles(home, texts)
    owners = {agent_id: home.agent_dir(agent_id) for agent_id in profiles}
    members = read_members(home, owners, {agent_id: workspace_of(agent_id, profile, home) for agent_id, profile in profiles.items()}, texts)
    warnings = [texts("home.no_profile", directory=home.agents_dir / name) for name in without if name not in members.by_id]
    warnings += members.warnings
    crew = joined(profiles, members)
    crew_ids = tuple(crew)
    agents = [build_agent(agent_id, one.profile, home, settings, crew_ids, one.origin, one.file) for agent_id, one in crew.items()]
    for agent in agents:
        _refuse_wide_shell(agent, home, texts)
        warnings += warnings_of(agent, crew_ids, home, settings, texts)
    return Roster(agents, texts, [*settings.warnings, *warnings])


def _refuse_wide_shell(agent: Agent, home: Home, texts: Texts) -> None:
    """An entry of ``shell_write_paths`` must not open the home, a settings file or the store to commands (SHL-55)."""
    file = agent.directory / "agent.yaml"
    guarded = [path.resolve() for path in (home.root, home.config_file, home.db_file, home.master_profile, file)]
    for entry in agent.switches.shell_write_paths or ():
        target = (agent.workspace / entry).resolve()
        if any(path.is_relative_to(target) for path in guarded):
            raise StartupStop(texts("home.wide_shell", file=file, entry=repr(entry)), file=str(file), key="shell_write_paths")


def _profiles(home: Home, texts: Texts) -> tuple[Mapping[str, AgentProfile], list[str]]:
    """The profiles by id, the master first, and the directories without ``agent.yaml``, which are agents only where a kit says so."""
    profiles = {MASTER: load_profile(home.master_profile, texts)}
    without: list[str] = []
    for name in _directories(home, texts):
        directory = home.agents_dir / name
        if not is_agent_id(name) or name in RESERVED_IDS:
            raise StartupStop(texts("home.bad_agent_id", directory=directory), file=str(directory), key=name)
        path = directory / "agent.yaml"
        if not path.exists() and not path.is_symlink():
            without.append(name)
            continue
        profiles[name] = load_profile(path, texts)
    return profiles, without


def _directories(home: Home, texts: Texts) -> list[str]:
    """The names below ``agents/`` that are directories, hidden ones left out."""
    try:
        return sorted(entry.name for entry in home.agents_dir.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        message = texts("home.file_unreadable", file=home.agents_dir, error=error.strerror)
        raise StartupStop(message, file=str(home.agents_dir)) from error
