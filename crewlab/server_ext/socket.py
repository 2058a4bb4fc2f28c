"""The WebSocket of a window (WIRE-5), with Jupyter's authentication and the guard before it opens (WIRE-11)."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import authorized, ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from crewlab.server_ext.base import Guarded

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew
    from crewlab.server_ext.window import Window

READ_LIMIT_BYTES = 1024 * 1024  # what is larger than WIRE-8 allows is still read, so that it can be refused


class WindowSocket(Guarded, WebSocketMixin, WebSocketHandler, JupyterHandler):
    """Carries texts between a window and its ``Window``."""

    max_message_size = READ_LIMIT_BYTES
    ping_interval = 0  # the pings of WIRE-5 take the place of Jupyter's
    _crew: Crew
    _window: Window | None = None
    _serving: asyncio.Task[None] | None = None

    @ws_authenticated
    @authorized
    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Become a WebSocket; without a crew the answer is a plain 503."""
        self._crew = await self.holder.get()
        await super().get(*args, **kwargs)

    def open(self, *args: str, **kwargs: str) -> None:
        """The window is there."""
        from crewlab.server_ext.window import Window

        self._window = Window(self._crew, self._send, self.close, self.holder.sleep)
        self._serving = asyncio.create_task(self._serve(self._window))
        self.holder.open.add(self)

    async def on_message(self, message: str | bytes) -> None:
        """Pass on what the window says; the next message is read when this one has been answered."""
        assert self._window is not None
        with contextlib.suppress(WebSocketClosedError):
            await self._window.hear(message)

    def on_close(self) -> None:
        """The window has gone: its topics are let go at once."""
        self.holder.open.discard(self)
        if self._serving is not None and self._window is not None:
            self._serving.cancel()
            self._window.leave()  # also when its task had no time to begin

    async def _send(self, text: str) -> None:
        await self.write_message(text)

    async def _serve(self, window: Window) -> None:
        try:
            await window.run()
        except* WebSocketClosedError:
            pass  # the window has gone
        except* Exception as failures:  # noqa: BLE001  (logged whole, and the window is told by the close)
            self.log_exception(type(failures), failures, failures.__traceback__)
            self.close()
