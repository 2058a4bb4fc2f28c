"""Which turns may write canvases: those whose channel can carry one back to the person (CNV-78 to CNV-80, DLG-22)."""

from __future__ import annotations

from crewlab.engine.store.canvases import Canvases, Chain
from crewlab.engine.texts import Texts

INBOUND = "inbound"  # CHN-33: alone or with the name of its sender behind a colon
CHILDREN = ("delegate:", "vibe:")  # TURN-13


def source_of(chain: Chain, source: str) -> str | None:
    """How the turn that opened the chain began; ``None`` where a chain has no record of it (CNV-80)."""
    return chain.chain_source if chain.child or chain.source.startswith(CHILDREN) else source


def refusal(canvases: Canvases, conversation_id: str | None, source: str, texts: Texts) -> str | None:
    """Why a turn may not write canvases; ``None`` when it may. Outside a conversation the call fails by itself (CNV-14)."""
    chain = canvases.chain(conversation_id) if conversation_id is not None else None
    if chain is None:
        return None
    origin = source_of(chain, source)
    if origin is None:
        return texts("canvas.no_origin")
    return texts("canvas.inbound") if origin.partition(":")[0] == INBOUND else None
