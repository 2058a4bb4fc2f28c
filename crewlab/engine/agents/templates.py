"""The profiles that ship with crewlab: a starting point to edit (AGT-26 to AGT-31). The files lie in ``shipped/<language>/``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.agents.agent import PERSONA_FILES
from crewlab.engine.agents.profiles import PROFILE_FILE, ReadProfile, profile_file, read_profile
from crewlab.engine.home.layout import Home
from crewlab.engine.home.whole import write_whole
from crewlab.engine.home.yamledit import changed_yaml
from crewlab.engine.home.yamlfile import parse_yaml
from crewlab.engine.texts import Texts

SHIPPED = Path(__file__).with_name("shipped")
SKILLS = "skills"
TEMPLATES = ("fullstack-developer", "kongming", "researcher")  # AGT-26


@dataclass(frozen=True, slots=True)
class Template:
    """One profile that can be installed. ``brings`` are the peers it gives work to (AGT-27)."""

    id: str
    name: str
    description: str
    brings: tuple[str, ...]


def templates(texts: Texts) -> list[Template]:
    """All of them, in the language of ``texts``."""
    return [_template(name, texts) for name in TEMPLATES]


def find_template(name: str, texts: Texts) -> Template | None:
    """The template of that id."""
    return _template(name, texts) if name in TEMPLATES else None


def _template(name: str, texts: Texts) -> Template:
    profile = installed_profile(_folder(texts) / name / PROFILE_FILE, written_yaml(name, None, texts), texts).profile
    peers = tuple(peer for peer in profile.delegates or () if peer in TEMPLATES and peer != name)
    return Template(name, profile.name or name, profile.description or "", peers)


def written_yaml(name: str, workspace: str | None, texts: Texts) -> str:
    """The ``agent.yaml`` of a template; ``workspace`` pins the role to a folder (AGT-28)."""
    path = _folder(texts) / name / PROFILE_FILE
    text = path.read_text(encoding="utf-8")
    return text if workspace is None else changed_yaml(path, text, {"workspace": workspace}, texts)


def installed_profile(path: Path, text: str, texts: Texts) -> ReadProfile:
    """What ``text`` says once it stands in ``path``."""
    return read_profile(parse_yaml(path, text, texts), texts)


def install_files(home: Home, yaml: Mapping[str, str], texts: Texts) -> None:
    """Write the agents of ``yaml``, their persona files and the shared skills; a file that exists stays (AGT-29). Raises ``OSError``.

    ``agent.yaml`` comes last: a directory without one is no agent, so a copy that was cut off is none either.
    """
    for source, target in _skill_files(home, texts):
        _put(target, source.read_bytes())
    for name in yaml:
        for file in PERSONA_FILES:
            source = _folder(texts) / name / file
            if source.is_file():
                _put(home.agent_dir(name) / file, source.read_bytes())
    for name, text in yaml.items():
        _put(profile_file(home, name), text.encode())


def _skill_files(home: Home, texts: Texts) -> Iterator[tuple[Path, Path]]:
    root = _folder(texts) / SKILLS
    for source in sorted(root.rglob("*")):
        if source.is_file():
            yield source, home.root / SKILLS / source.relative_to(root)


def _put(path: Path, data: bytes) -> None:
    if not path.exists() and not path.is_symlink():
        write_whole(path, data)


def _folder(texts: Texts) -> Path:
    return SHIPPED / texts.language
