"""The audio chain: what is said in a voice message, paid like every model call (CHN-27, COST-9)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from crewlab.engine.agents.agent import Agent
from crewlab.engine.models.base import ChatMessage, ChatRequest, NoRoute, RoutesFailed, Sound, StreamBroken
from crewlab.engine.models.metered import SideCall
from crewlab.engine.turn.side import charge_of, side_chain

if TYPE_CHECKING:
    from crewlab.engine.turn.turn import Parts

HEARING_SECONDS = 120.0


class Unheard(Exception):
    """Why nothing was written down, as one sentence."""


async def write_down(parts: Parts, agent: Agent, conversation_id: str, sound: Sound) -> str:
    """The words of a voice message. The conversation pays. Raises ``Unheard``."""
    texts = parts.texts
    question = ChatMessage("user", texts("telegram.voice_question"), sounds=(sound,))

    def paid(call: SideCall) -> None:
        parts.store.conversations.charge(conversation_id, charge_of([call]), parts.now())

    try:
        chain = await side_chain(parts, agent, conversation_id, parts.hearing, paid)
        async with asyncio.timeout(HEARING_SECONDS):
            words = (await chain.ask("audio", ChatRequest(texts("telegram.voice_system"), (question,)))).text.strip()
    except NoRoute as error:
        raise Unheard(str(error)) from error
    except RoutesFailed as error:
        raise Unheard(error.lines[0] if error.lines else str(error)) from error
    except StreamBroken as error:
        raise Unheard(error.error) from error
    except TimeoutError as error:
        raise Unheard(texts("telegram.voice_empty")) from error
    if not words:
        raise Unheard(texts("telegram.voice_empty"))
    return words
