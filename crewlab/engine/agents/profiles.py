"""What the profiles of a home say, and what their files said when they were read (AGT-11, AGT-35)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from crewlab.engine.agents.agent import MASTER, Origin
from crewlab.engine.errors import StartupStop
from crewlab.engine.home.kinds import RESERVED_IDS, is_agent_id
from crewlab.engine.home.layout import Home
from crewlab.engine.home.profile import AgentProfile, profile_of
from crewlab.engine.home.yamlfile import YamlFile, read_yaml
from crewlab.engine.texts import Texts

PROFILE_FILE = "agent.yaml"  # AGT-12


@dataclass(frozen=True, slots=True)
class ReadProfile:
    """One profile; ``text`` is what its file said when it was read, ``None`` when there was no file."""

    profile: AgentProfile
    text: str | None = None
    origin: Origin = "profile"


@dataclass(frozen=True, slots=True)
class Profiles:
    """The profiles by id, the master first. Never changed in place: a save makes another one."""

    by_id: Mapping[str, ReadProfile]
    warnings: tuple[str, ...] = ()

    def having(self, agent_id: str, profile: ReadProfile) -> Profiles:
        """The same with this one, in the place it had or in that of its name."""
        changed = {**self.by_id, agent_id: profile}
        rest = sorted(name for name in changed if name != MASTER)
        return replace(self, by_id={name: changed[name] for name in (MASTER, *rest)})

    def without(self, agent_id: str) -> Profiles:
        """The same without this one."""
        return replace(self, by_id={name: read for name, read in self.by_id.items() if name != agent_id})


def profile_file(home: Home, agent_id: str) -> Path:
    """Where the profile of an agent stands."""
    return home.agent_dir(agent_id) / PROFILE_FILE


def read_profiles(home: Home, texts: Texts) -> Profiles:
    """Read every profile of the home. A directory without ``agent.yaml`` is no agent and gets a warning. Raises ``StartupStop``."""
    found = {MASTER: read_profile(read_yaml(home.master_profile, texts), texts)}
    warnings: list[str] = []
    for name in _directories(home, texts):
        directory = home.agents_dir / name
        if not is_agent_id(name) or name in RESERVED_IDS:
            raise StartupStop(texts("home.bad_agent_id", directory=directory), file=str(directory), key=name)
        path = directory / PROFILE_FILE
        if not path.exists() and not path.is_symlink():
            warnings.append(texts("home.no_profile", directory=directory))
            continue
        found[name] = read_profile(read_yaml(path, texts), texts)
    return Profiles(found, tuple(warnings))


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
