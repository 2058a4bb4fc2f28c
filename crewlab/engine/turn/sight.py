"""The vision chain as a tool uses it: one picture, one question, one answer, paid like every model call (VIS-1, VIS-8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from crewlab.engine.agents.agent import Agent
from crewlab.engine.models.base import ChatMessage, ChatRequest, NoRoute, Picture, RoutesFailed, StreamBroken
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.contract import ToolError
from crewlab.engine.turn.side import charge_of, side_chain

if TYPE_CHECKING:
    from crewlab.engine.turn.turn import Parts


class Seeing:
    """What ``Sight`` of the tools' contract is in a turn."""

    def __init__(self, parts: Parts, agent: Agent, conversation_id: str | None) -> None:
        self._parts = parts
        self._agent = agent
        self._conversation_id = conversation_id

    async def read(
        self, purpose: Literal["image", "pdf"], system: str, question: str, picture: bytes, media_type: str
    ) -> tuple[str, Charge]:
        """The answer and what it cost. Raises ``ToolError`` with the first cause when no route could read it (VIS-11)."""
        texts = self._parts.texts
        request = ChatRequest(system, (ChatMessage("user", question, pictures=(Picture(media_type, picture),)),))
        try:
            chain = await side_chain(self._parts, self._agent, self._conversation_id, self._parts.vision)
            completion = await chain.ask(purpose, request)
        except NoRoute as error:
            raise ToolError(texts("media.no_sight")) from error
        except RoutesFailed as error:
            raise ToolError(texts("media.unread", why=error.lines[0] if error.lines else "")) from error
        except StreamBroken as error:
            raise ToolError(texts("media.unread", why=error.error)) from error
        words = completion.text.strip()
        if not words:
            raise ToolError(texts("media.unread_empty"))
        return words, charge_of(chain.calls)

    def is_spent(self, more: Charge) -> bool:
        """Whether the conversation has reached its cap with ``more`` on top of what is stored (PDF-13)."""
        conversation = self._parts.store.conversations.get(self._conversation_id) if self._conversation_id else None
        return conversation is not None and 0 < conversation.cost_cap_usd <= conversation.spent_usd + more.usd
