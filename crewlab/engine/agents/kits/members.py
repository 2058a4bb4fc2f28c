"""Agents of kits: a Markdown file becomes a member of the crew (KIT-6 to KIT-8)."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.agents.agent import MASTER, Origin
from crewlab.engine.agents.kits.aliases import our_name
from crewlab.engine.agents.kits.folders import FILES, KitFile, Shut, files_of, kit_head, kits_in, left_out, read
from crewlab.engine.agents.tool_names import LISTABLE, WORK_TOOLS
from crewlab.engine.home.heads import one_line
from crewlab.engine.home.kinds import AGENT_ID_CHARS, RESERVED_IDS, is_agent_id
from crewlab.engine.home.layout import Home
from crewlab.engine.home.profile import DESCRIPTION_CHARS, NAME_CHARS, AgentProfile
from crewlab.engine.home.routes import Route, parse_route
from crewlab.engine.texts import Texts

_COMMAS = re.compile(r",(?![^(]*\))")  # `Bash(git add, git commit)` is one name

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Member:
    """An agent of a kit; ``owner`` is the agent in whose directory the kit lies."""

    id: str
    profile: AgentProfile
    file: KitFile
    owner: str


@dataclass(frozen=True, slots=True)
class Members:
    """All agents of kits by id, with a sentence for each file that was left out."""

    by_id: Mapping[str, Member]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """What an agent is built from: its own profile with what the kit says below it (KIT-6)."""

    profile: AgentProfile
    origin: Origin
    file: KitFile | None = None


def read_members(home: Home, owners: Mapping[str, Path], workspaces: Mapping[str, Path], texts: Texts) -> Members:
    """The agents of every kit. ``owners`` are the agents' directories by id, ``workspaces`` where agents work (KIT-2).

    Agents' directories come before the home (KIT-4); a member's own directory is looked into as well.
    """
    found: dict[str, Member] = {}
    warnings: list[str] = []
    waiting = [*sorted((name, path) for name, path in owners.items() if name != MASTER), (MASTER, home.root)]
    seen: set[str] = set()
    while waiting:
        owner, directory = waiting.pop(0)
        if owner in seen:
            continue
        seen.add(owner)
        for member in _members(home, owner, directory, tuple(workspaces.values()), texts):
            if isinstance(member, str):
                warnings.append(member)
            elif member.id in found:
                log.info("kit: %s is shadowed by %s", member.file.path, found[member.id].file.path)
            else:
                found[member.id] = member
                waiting.append((member.id, home.agent_dir(member.id)))
    for warning in warnings:
        log.warning("%s", warning)
    return Members(found, tuple(warnings))


def joined(profiles: Mapping[str, AgentProfile], members: Members) -> dict[str, Joined]:
    """The whole crew, the master first. What a profile sets has the last word; its kit's members join its ``delegates`` (KIT-8)."""
    crew = {name: _with_kit(profile, members.by_id.get(name)) for name, profile in profiles.items()}
    for name, member in sorted(members.by_id.items()):
        if name not in crew:
            crew[name] = Joined(member.profile, "kit", member.file)
    for name, member in members.by_id.items():
        owner = crew.get(member.owner)
        if owner is not None and member.owner != MASTER and name != member.owner:
            delegates = tuple(dict.fromkeys((*(owner.profile.delegates or ()), name)))
            crew[member.owner] = Joined(owner.profile.model_copy(update={"delegates": delegates}), owner.origin, owner.file)
    return crew


def _with_kit(profile: AgentProfile, member: Member | None) -> Joined:
    if member is None:
        return Joined(profile, "profile")
    own = {key: getattr(profile, key) for key in profile.declared}
    kept = {key: value for key in member.profile.declared - {"workspace"} if (value := getattr(member.profile, key)) is not None}
    return Joined(AgentProfile.model_construct(_fields_set={*own, *kept}, **{**kept, **own}), "profile", member.file)


def _members(home: Home, owner: str, directory: Path, workspaces: tuple[Path, ...], texts: Texts) -> Iterator[Member | str]:
    for kit in kits_in(directory, workspaces):
        if isinstance(kit, Shut):
            yield texts("kits.in_workspace", kit=kit.root, workspace=kit.workspace)
            continue
        for file in files_of(kit, "agents"):
            yield _member(home, owner, file, texts)


def _member(home: Home, owner: str, file: KitFile, texts: Texts) -> Member | str:
    text = read(file, texts, FILES)
    if isinstance(text, str):
        return text
    head, body = kit_head(text.text)
    if head is None:
        return left_out(file.path, "broken_head", texts)
    if not body.strip() and not head:
        return left_out(file.path, "empty", texts)
    written = one_line(head.get("name"), NAME_CHARS) or file.name
    agent_id = slug(written)
    if not is_agent_id(agent_id) or agent_id in RESERVED_IDS:
        return left_out(file.path, "agent_id", texts, name=repr(written))
    values: dict[str, object] = {"workspace": str(home.workspace)}  # KIT-8
    if written != agent_id:
        values["name"] = written
    if description := one_line(head.get("description"), DESCRIPTION_CHARS):
        values["description"] = description
    if head.get("mode") == "work":
        values["mode"] = "work"
    if (tools := tools_of(head)) is not None:
        values["tools"] = list(tools)
    if (route := _route(head.get("model"), file)) is not None:
        values["routes"] = [str(route)]
    return Member(agent_id, AgentProfile.model_validate(values), file, owner)


def slug(written: str) -> str:
    """A name as an id: lower-case letters, digits and hyphens."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", written.replace("đ", "d").replace("Đ", "D")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:AGENT_ID_CHARS].strip("-")


def tools_of(head: Mapping[str, object]) -> tuple[str, ...] | None:
    """The allow-list of a head; ``None`` when it names no tools at all (KIT-7).

    Written as a list, as one line with commas, or as switches (``write: false``), where what is not switched off stays.
    """
    if "tools" not in head:
        return None
    written = head["tools"]
    if isinstance(written, dict):
        return _switched({our_name(str(name)): on for name, on in written.items()}, work=head.get("mode") == "work")
    if isinstance(written, list):
        names = [one_line(item, NAME_CHARS) for item in written]
    else:
        line = str(written or "").strip().removeprefix("[").removesuffix("]")
        names = [name.strip().strip("\"'") for name in _COMMAS.split(line)]
    names = [name for name in names if name]
    return None if names == ["*"] else tuple(dict.fromkeys(our_name(name) for name in names))


def _switched(switches: Mapping[str, object], *, work: bool) -> tuple[str, ...] | None:
    off = {name for name, on in switches.items() if on is not True}
    if not off:
        return None
    if "*" in off:
        return tuple(name for name, on in switches.items() if on is True)
    return tuple(sorted(LISTABLE - off - (frozenset() if work else WORK_TOOLS | {"delegate"})))  # AGT-20, AGT-22


def _route(written: object, file: KitFile) -> Route | None:
    """``model`` where it is a route of ours; any other name means nothing here (KIT-7)."""
    if written is None:
        return None
    try:
        return parse_route(str(written))
    except ValueError:
        log.info("kit: the model %r in %s is no route and is not used", written, file.path)
        return None
