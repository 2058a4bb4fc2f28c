"""What the profiles of a home say, and what their files said when they were read (AGT-11, AGT-35)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from crewlab.engine.agents.agent import MASTER, Origin
from crewlab.engine.agents.kit_agents import KitAgent, kit_agents
from crewlab.engine.agents.kits.folders import Kit, open_kits
from crewlab.engine.agents.values import workspace_of
from crewlab.engine.errors import StartupStop
from crewlab.engine.home.kinds import RESERVED_IDS, is_agent_id
from crewlab.engine.home.layout import Home
from crewlab.engine.home.profile import AgentProfile, profile_of
from crewlab.engine.home.yamlfile import YamlFile, read_yaml
from crewlab.engine.texts import Texts

PROFILE_FILE = "agent.yaml"  # AGT-12


@dataclass(frozen=True, slots=True)
class ReadProfile:
    """One profile; ``text`` is what its file said when it was read, ``None`` when there was no file. ``kit``: what a kit says of it."""

    profile: AgentProfile
    text: str | None = None
    kit: KitAgent | None = None

    @property
    def origin(self) -> Origin:
        """Where the agent comes from; a YAML file has the last word (KIT-6)."""
        return "kit" if self.kit is not None and self.text is None else "profile"

    @property
    def effective(self) -> AgentProfile:
        """The profile with what only the kit sets."""
        if self.kit is None:
            return self.profile
        missing = self.kit.profile.model_fields_set - self.profile.model_fields_set
        return self.profile.model_copy(update={key: getattr(self.kit.profile, key) for key in missing})


@dataclass(frozen=True, slots=True)
class Profiles:
    """The profiles by id, the master first. Never changed in place: a save makes another one."""

    by_id: Mapping[str, ReadProfile]
    warnings: tuple[str, ...] = ()

    def having(self, agent_id: str, profile: ReadProfile) -> Profiles:
        """The same with this one, in the place of its name; what a kit says of it stays."""
        known = self.by_id.get(agent_id)
        kept = replace(profile, kit=known.kit) if known is not None else profile
        return self._sorted({**self.by_id, agent_id: kept})

    def without(self, agent_id: str) -> Profiles:
        """The same without this file and the kits that lie beside it; what another kit says of the agent stands again."""
        left: dict[str, ReadProfile] = {}
        for name, read in self.by_id.items():
            kit = None if read.kit is not None and read.kit.owner == agent_id else read.kit
            own = name != agent_id and read.text is not None
            if own or name == MASTER:
                left[name] = replace(read, kit=kit)
            elif kit is not None:
                left[name] = ReadProfile(AgentProfile(), kit=kit)
        return self._sorted(left)

    def with_kits(self, agents: Mapping[str, KitAgent], warnings: Iterable[str]) -> Profiles:
        """The same with the members that kits describe (KIT-6)."""
        changed = dict(self.by_id)
        for name, kit in agents.items():
            changed[name] = replace(changed.get(name, ReadProfile(AgentProfile())), kit=kit)
        return replace(self._sorted(changed), warnings=(*self.warnings, *warnings))

    def brought_by(self, agent_id: str) -> tuple[str, ...]:
        """The members that kits in this agent's directory describe (KIT-8)."""
        return tuple(name for name, read in self.by_id.items() if read.kit is not None and read.kit.owner == agent_id)

    def _sorted(self, by_id: Mapping[str, ReadProfile]) -> Profiles:
        names = (MASTER, *sorted(name for name in by_id if name != MASTER))
        return replace(self, by_id={name: by_id[name] for name in names if name in by_id})


def profile_file(home: Home, agent_id: str) -> Path:
    """Where the profile of an agent stands."""
    return home.agent_dir(agent_id) / PROFILE_FILE


def read_profiles(home: Home, texts: Texts) -> Profiles:
    """Read every profile of the home. A directory without ``agent.yaml`` is no agent and gets a warning. Raises ``StartupStop``."""
    found = {MASTER: read_profile(read_yaml(home.master_profile, texts), texts)}
    bare: list[Path] = []
    for name in _directories(home, texts):
        directory = home.agents_dir / name
        if not is_agent_id(name) or name in RESERVED_IDS:
            raise StartupStop(texts("home.bad_agent_id", directory=directory), file=str(directory), key=name)
        path = directory / PROFILE_FILE
        if not path.exists() and not path.is_symlink():
            bare.append(directory)
            continue
        found[name] = read_profile(read_yaml(path, texts), texts)
    agents, warnings = kit_agents(_kits(home, found), texts)
    unnamed = [texts("home.no_profile", directory=directory) for directory in bare if directory.name not in agents]
    return Profiles(found, tuple(unnamed)).with_kits(agents, warnings)


def _kits(home: Home, found: Mapping[str, ReadProfile]) -> list[Kit]:
    """The kits of the home and of its agents; an agent's own come before the home's (KIT-4)."""

    def workspaces() -> list[Path]:
        return [workspace_of(name, read.profile, home) for name, read in found.items()]

    own = [kit for name in found if name != MASTER for kit in open_kits(home.agent_dir(name), workspaces, name)]
    return [*own, *open_kits(home.root, workspaces)]


def read_profile(file: YamlFile, texts: Texts) -> ReadProfile:
    """The profile of a file that was read. Raises ``StartupStop``."""
    return ReadProfile(profile_of(file, texts), file.text)


def _directories(home: Home, texts: Texts) -> list[str]:
    """The names below ``agents/`` that are directories, hidden ones left out."""
    try:
        return sorted(entry.name for entry in home.agents_dir.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        message = texts("home.file_unreadable", file=home.agents_dir, error=error.strerror)
        raise StartupStop(message, file=str(home.agents_dir)) from error
