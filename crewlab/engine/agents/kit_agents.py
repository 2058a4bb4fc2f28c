"""Agents that a kit describes in Markdown: members of the crew like any other (KIT-6 to KIT-8)."""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crewlab.engine.agents.kits.aliases import Kind, crewlab_tool
from crewlab.engine.agents.kits.folders import Kit, KitFile, files_of, left_out, read
from crewlab.engine.agents.tool_names import ALWAYS_ON, LISTABLE, WORK_TOOLS, bringing_key
from crewlab.engine.home.heads import loose_head, one_line
from crewlab.engine.home.kinds import AGENT_ID_CHARS, RESERVED_IDS, is_agent_id
from crewlab.engine.home.profile import DESCRIPTION_CHARS, NAME_CHARS, AgentProfile
from crewlab.engine.home.routes import parse_route
from crewlab.engine.home.wrong import Wrong
from crewlab.engine.texts import Texts

NO_AGENTS = frozenset({"readme", "claude", "agents", "changelog", "license"})  # notes beside agents, when they have no head
_ITEM = re.compile(r"[^\s,()]+(?:\([^)]*\))?")  # `Read, Bash(git log:*)`, and without commas `Read Grep`

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KitAgent:
    """What one file says. ``profile`` holds only what it sets; ``owner`` is the agent whose kit it is, ``None`` for the home's."""

    id: str
    path: Path
    owner: str | None
    profile: AgentProfile
    persona: str


def kit_agents(kits: Iterable[Kit], texts: Texts) -> tuple[dict[str, KitAgent], list[str]]:
    """The agents of these kits, the first of an id counts (KIT-4), and a sentence for each file that was left out."""
    found: dict[str, KitAgent] = {}
    warnings: list[str] = []
    for kit in kits:
        for file in files_of(kit, "agents"):
            agent = _agent(file, texts)
            if agent is None:
                log.info("%s is no agent or is switched off", file.path)
            elif isinstance(agent, str):
                warnings.append(agent)
            elif agent.id in found:
                log.info("%s is in the shadow of %s", agent.path, found[agent.id].path)
            else:
                found[agent.id] = agent
    return found, warnings


def _agent(file: KitFile, texts: Texts) -> KitAgent | str | None:
    """The agent, a sentence why there is none, or ``None`` where its owner wanted none."""
    text = read(file, texts)
    if isinstance(text, str):
        return text
    head, body = loose_head(text.text)
    if head is None:
        return left_out(file.path, "broken_head", texts)
    if not head and not body.strip():
        return left_out(file.path, "empty", texts)
    if head.get("disable") is True or (not head and file.name.lower() in NO_AGENTS):
        return None
    written = one_line(head.get("name"), NAME_CHARS) or file.name
    agent_id = slug(written)
    if not is_agent_id(agent_id) or agent_id in RESERVED_IDS:
        return left_out(file.path, "bad_id", texts)
    said: dict[str, Any] = {}
    if written != agent_id:
        said["name"] = written
    if description := one_line(head.get("description"), DESCRIPTION_CHARS):
        said["description"] = description
    if head.get("mode") == "work":
        said["mode"] = "work"
    tools = without(tools_of(head.get("tools"), file.kit.kind, work="mode" in said), denied(head, file.kit.kind), work="mode" in said)
    if tools is not None:
        said["tools"] = tools
    if (model := head.get("model")) is not None:
        said.update(_routes(model, file.path))
    return KitAgent(agent_id, file.path, file.kit.owner, AgentProfile(**said), body.strip())


def slug(name: str) -> str:
    """A name as an id: lower-case ASCII letters and digits, single hyphens (AGT-12)."""
    plain = unicodedata.normalize("NFKD", name.replace("đ", "d").replace("Đ", "D")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:AGENT_ID_CHARS].strip("-")


def tools_of(written: Any, kind: Kind, *, work: bool) -> tuple[str, ...] | None:
    """The allow list that ``tools`` means; ``None`` for all (KIT-7). A mapping switches single tools on and off, ``*`` all of them."""
    if written is None:
        return None
    if isinstance(written, dict):
        return _switched({str(name): bool(on) for name, on in written.items()}, kind, work=work)
    items = _items(written)
    names = [item.strip() for item in items if isinstance(item, str) and item.strip()]
    return None if "*" in names else _known((crewlab_tool(name, kind) for name in names), kind)


def _items(written: Any) -> list[Any]:
    return _ITEM.findall(written) if isinstance(written, str) else written if isinstance(written, list) else []


def denied(head: dict[str, Any], kind: Kind) -> frozenset[str]:
    """What a head takes away: ``disallowedTools`` of Claude Code, and of opencode's ``permission`` what is denied as a whole.

    A rule for some commands of a tool (``bash: {"git push": deny}``, ``Bash(rm:*)``) is the gate's matter and takes nothing away.
    """
    names = [item for item in _items(head.get("disallowedTools")) if isinstance(item, str) and "(" not in item]
    permission = head.get("permission")
    if isinstance(permission, dict):
        names += [str(name) for name, rule in permission.items() if rule == "deny" or rule == {"*": "deny"}]
    tools = {crewlab_tool(name.strip(), kind) for name in names}
    if "workspace_edit" in tools:  # opencode's `edit` means every change of a file; a patch is an edit
        tools |= {"workspace_patch", "workspace_write"} if kind == ".opencode" else {"workspace_patch"}
    return frozenset(LISTABLE if "*" in tools else tools)


def without(tools: tuple[str, ...] | None, taken: frozenset[str], *, work: bool) -> tuple[str, ...] | None:
    """The allow list less what is taken away."""
    if not taken:
        return tools
    held = tools if tools is not None else tuple(sorted(LISTABLE if work else LISTABLE - WORK_TOOLS))
    return tuple(name for name in held if name not in taken)


def _switched(switches: dict[str, bool], kind: Kind, *, work: bool) -> tuple[str, ...] | None:
    off = {crewlab_tool(name, kind) for name, on in switches.items() if not on and name != "*"}
    on = {crewlab_tool(name, kind) for name, on in switches.items() if on and name != "*"}
    if switches.get("*", True) is False:
        return _known(sorted(on), kind)
    if not off:
        return None
    every = LISTABLE if work else LISTABLE - WORK_TOOLS
    return tuple(sorted((every | (on & LISTABLE)) - off))


def _known(names: Iterable[str], kind: Kind) -> tuple[str, ...]:
    kept: list[str] = []
    unknown: list[str] = []
    for name in names:
        known = name in LISTABLE or name in ALWAYS_ON or bringing_key(name) is not None
        (kept if known else unknown).append(name)
    if unknown:
        log.info("a kit (%s) names tools that are none here: %s", kind, ", ".join(unknown))
    return tuple(dict.fromkeys(kept))


def _routes(model: Any, path: Path) -> dict[str, Any]:
    """``routes`` for a ``provider:model``; another name of a model is ignored with one line in the log (KIT-7)."""
    try:
        return {"routes": (parse_route(model),)}
    except Wrong:
        log.info("%s: the model %r is no route and is ignored", path, one_line(model, NAME_CHARS))
        return {}
