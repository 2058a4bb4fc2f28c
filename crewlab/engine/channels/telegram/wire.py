"""The Bot API through python-telegram-bot, with the fate of every send told apart (CHN-4, CHN-23, FG-7)."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from telegram import Bot, MessageEntity, Update
    from telegram.error import RetryAfter
    from telegram.request import HTTPXRequest

POLL_SECONDS = 30  # CHN-4
ANSWER_SECONDS = 20.0
TRIES = 3  # CHN-23: after the first
PAUSES = (1.0, 2.0, 4.0)
LONGEST_PAUSE = 60.0  # a longer flood pause is told as a refusal
MAX_DOWNLOAD = 20 * 1024 * 1024  # CHN-26

SPEAKING = ("httpx", "telegram.Bot", "telegram.ext.ExtBot")  # loggers that name addresses

Sleep = Callable[[float], Awaitable[None]]


class Refused(Exception):
    """Telegram will never take this message; ``reason`` is Telegram's own word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unknown(Exception):
    """Nobody knows whether the message arrived: the connection broke after the request had left."""


class Unreachable(Exception):
    """Telegram could not be reached, or asked to wait; nothing was taken."""


class OtherPoller(Exception):
    """Another server polls with the same token (CHN-7)."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button under a message; ``data`` comes back when it is pressed."""

    words: str
    data: str


class Wire:
    """One bot. ``base_url`` is another Bot API server (one of the person's own, or of a test)."""

    def __init__(self, token: str, chat_id: int, *, base_url: str | None = None, sleep: Sleep = asyncio.sleep) -> None:
        self._token = token
        self._chat_id = chat_id
        self._base = (base_url or "https://api.telegram.org").rstrip("/")
        self._sleep = sleep
        self._made: Bot | None = None
        self._requests: list[HTTPXRequest] = []

    async def open(self) -> None:
        """Build the client; the library is imported here, in a worker thread. Asks Telegram nothing."""
        if self._made is None:
            self._made = await asyncio.to_thread(self._build)

    def _build(self) -> Bot:
        from telegram import Bot
        from telegram.request import HTTPXRequest

        for name in SPEAKING:
            logging.getLogger(name).addFilter(without_tokens)
        self._requests = [
            HTTPXRequest(connect_timeout=5, read_timeout=ANSWER_SECONDS, write_timeout=ANSWER_SECONDS, pool_timeout=5) for _ in range(2)
        ]
        return Bot(
            self._token,
            base_url=f"{self._base}/bot",
            base_file_url=f"{self._base}/file/bot",
            request=self._requests[0],
            get_updates_request=self._requests[1],
        )

    @property
    def _bot(self) -> Bot:
        if self._made is None:
            raise RuntimeError("the bot is not open")
        return self._made

    async def close(self) -> None:
        """Let go of the connections."""
        self._made = None
        for request in self._requests:
            await request.shutdown()
        self._requests = []

    async def updates(self, offset: int | None, seconds: int = POLL_SECONDS) -> Sequence[Update]:
        """What came after ``offset``; waits up to ``seconds``. Raises ``OtherPoller``, ``Unreachable``, ``Refused``."""
        from telegram import error

        try:
            return await self._bot.get_updates(offset=offset, timeout=seconds, allowed_updates=["message", "callback_query"])
        except error.Conflict as conflict:
            raise OtherPoller from conflict
        except (error.InvalidToken, error.Forbidden) as wrong:
            raise Refused(type(wrong).__name__) from wrong
        except error.TelegramError as fault:
            raise Unreachable(type(fault).__name__) from fault

    async def text(self, text: str, entities: Sequence[MessageEntity] = (), buttons: Sequence[Button] = ()) -> None:
        """Send one message. Raises ``Refused``, ``Unknown``, ``Unreachable``."""
        markup = _markup(buttons)
        marks = list(entities) or None
        await self._send(lambda: self._bot.send_message(self._chat_id, text, entities=marks, reply_markup=markup))

    async def photo(self, name: str, data: bytes) -> None:
        """Send a picture. Raises as ``text``."""
        await self._send(lambda: self._bot.send_photo(self._chat_id, photo=data, filename=name))

    async def document(self, name: str, data: bytes) -> None:
        """Send a file with its bytes and its name unchanged. Raises as ``text``."""
        await self._send(lambda: self._bot.send_document(self._chat_id, document=data, filename=name, disable_content_type_detection=True))

    async def typing(self) -> None:
        """Show that somebody writes; nobody misses it when it fails."""
        from telegram import error

        try:
            await self._bot.send_chat_action(self._chat_id, "typing")
        except error.TelegramError:
            return

    async def pressed(self, query_id: str) -> None:
        """Take the spinner from a button that was pressed."""
        from telegram import error

        try:
            await self._bot.answer_callback_query(query_id)
        except error.TelegramError:
            return

    async def download(self, file_id: str) -> bytes:
        """The bytes of a file that was sent to the bot. Raises ``Refused``, ``Unreachable``."""
        from telegram import error

        try:
            file = await self._bot.get_file(file_id)
            if (file.file_size or 0) > MAX_DOWNLOAD:
                raise Refused("too large")
            return bytes(await file.download_as_bytearray())
        except error.BadRequest as wrong:
            raise Refused(wrong.message) from wrong
        except error.TelegramError as fault:
            raise Unreachable(type(fault).__name__) from fault

    async def _send(self, send: Callable[[], Awaitable[Any]]) -> None:
        for attempt in range(TRIES + 1):
            pause = await self._once(send)
            if pause is None:
                return
            if attempt == TRIES or pause > LONGEST_PAUSE:
                raise Unreachable
            await self._sleep(pause or PAUSES[attempt])

    async def _once(self, send: Callable[[], Awaitable[Any]]) -> float | None:
        """Send once: ``None`` when it is there, else the pause before the next try (0: ours)."""
        from telegram import error

        try:
            await send()
        except error.RetryAfter as flood:
            return _asked_pause(flood)
        except (error.BadRequest, error.Forbidden, error.InvalidToken, error.ChatMigrated) as refusal:
            raise Refused(refusal.message) from refusal
        except error.NetworkError as fault:
            if not _never_left(fault):
                raise Unknown from fault
            return 0.0
        except error.TelegramError as refusal:
            raise Refused(refusal.message) from refusal
        return None


def _asked_pause(flood: RetryAfter) -> float:
    """The seconds Telegram asks for, whether the library tells them as a number or as a duration."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the library, about its own attribute
        pause = flood.retry_after
    return float(pause if isinstance(pause, int) else pause.total_seconds())


def _never_left(fault: Exception) -> bool:
    """Whether the request surely did not reach Telegram, or Telegram said itself that it did not take it."""
    import httpx

    cause = fault.__cause__
    if isinstance(cause, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)):
        return True
    return cause is None  # a status of 5xx with Telegram's own words; a page of a gateway has a cause, and nobody knows what was behind it


def without_tokens(record: logging.LogRecord) -> bool:
    """Keep lines out of the log in which httpx names the address: the token stands in it (CHN-41)."""
    return "/bot" not in record.getMessage()


def _markup(buttons: Sequence[Button]) -> Any:
    if not buttons:
        return None
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup

    return InlineKeyboardMarkup([[InlineKeyboardButton(button.words, callback_data=button.data) for button in buttons]])
