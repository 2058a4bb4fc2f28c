"""What every provider's stream is held to, whoever wrote the provider: whole characters and a bounded length (DUR-5, FU-3)."""

from __future__ import annotations

from dataclasses import replace

from crewlab.engine.models.base import CallDelta, Completion, ProviderError, ProviderItem, ProviderNotice, TextDelta
from crewlab.engine.models.unicode import SurrogateMender, mend, mend_value
from crewlab.engine.records import ToolCall
from crewlab.engine.texts import Texts

MAX_ANSWER_CHARS = 1_000_000  # DUR-5: text and arguments of one answer
MAX_PIECES = 1_000_000  # DUR-5: pieces of one answer, those of reasoning included


class Bounds:
    """Watches one answer."""

    def __init__(self, texts: Texts, provider: str) -> None:
        self._texts = texts
        self._provider = provider
        self._mender = SurrogateMender()
        self._chars = 0
        self._pieces = 0

    def take(self, item: ProviderItem) -> ProviderItem:
        """The item with its halves of characters mended. Raises ``ProviderError`` when the answer has become too long."""
        self._pieces += 1
        if isinstance(item, TextDelta):
            self._chars += len(item.text)
            item = TextDelta(self._mender.add(item.text))
        elif isinstance(item, CallDelta):
            self._chars += len(item.arguments)
            item = CallDelta(item.index, mend(item.id), mend(item.name), mend(item.arguments))
        elif isinstance(item, ProviderNotice):
            item = ProviderNotice(mend(item.text))
        elif isinstance(item, Completion):
            return replace(item, text=mend(item.text), tool_calls=tuple(_whole(call) for call in item.tool_calls))
        if self._chars > MAX_ANSWER_CHARS or self._pieces > MAX_PIECES:
            raise ProviderError(self._texts("models.answer_too_big", provider=self._provider), started=True)
        return item


def _whole(call: ToolCall) -> ToolCall:
    return ToolCall(id=mend(call.id), name=mend(call.name), arguments=mend_value(call.arguments))
