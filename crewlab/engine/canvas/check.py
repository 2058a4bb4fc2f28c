"""The check of a visual canvas before it is stored, as far as it needs no browser (PTL-108 to PTL-110)."""

from __future__ import annotations

import asyncio
from xml.parsers import expat

from crewlab.engine.artifacts import ArtifactKind
from crewlab.engine.canvas.hand import Hand
from crewlab.engine.canvas.kinds import VISUAL
from crewlab.engine.canvas.pictures import picture_of
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import ToolError

SVG = "svg"


async def checked(hand: Hand, kind: ArtifactKind, data: bytes) -> list[str]:
    """The lines that follow the tag. Raises ``ToolError`` where the agent's ``artifact_check`` refuses (PTL-110)."""
    mode = hand.agent.switches.artifact_check
    if mode == "off" or kind not in VISUAL:
        return []
    faults = await asyncio.to_thread(faults_of, kind, data, hand.context.texts)
    if mode == "warn":
        return [hand.texts("canvas.check_fault", fault=fault) for fault in faults]
    if faults:
        raise ToolError("\n".join([hand.texts("canvas.check_refused"), *faults]))
    return [hand.texts("canvas.check_not_rendered")]


def faults_of(kind: ArtifactKind, data: bytes, texts: Texts) -> list[str]:
    """What is wrong with the content by itself. Pure."""
    if kind == "image":
        return [] if picture_of(data) else [texts("canvas.check_no_picture")]
    return _svg(data, texts) if kind == "svg" else []


def _svg(data: bytes, texts: Texts) -> list[str]:
    roots: list[str] = []
    entities: list[str] = []
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, _attributes: roots.append(name) if not roots else None
    parser.EntityDeclHandler = lambda name, *_rest: entities.append(name)  # never resolved: a few lines can stand for gigabytes
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        return [texts("canvas.check_svg", line=error.lineno, why=expat.ErrorString(error.code))]
    if entities:
        return [texts("canvas.check_entities")]
    root = roots[0].rpartition(" ")[2] if roots else ""
    return [] if root == SVG else [texts("canvas.check_root", root=root)]
