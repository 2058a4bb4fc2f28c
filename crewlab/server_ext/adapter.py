"""The one Tornado handler of all plain routes (design page): it carries a request to ``calling.py`` and the answer back."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
from typing import TYPE_CHECKING
from urllib.parse import quote

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado.http1connection import HTTP1Connection
from tornado.iostream import StreamClosedError
from tornado.web import authenticated

from crewlab.server_ext.base import Guarded

if TYPE_CHECKING:
    from crewlab.server_ext.api.files import FileReply
    from crewlab.server_ext.calling import Reply
    from crewlab.server_ext.following import Stream
    from crewlab.server_ext.sse import EventStream

READ, WRITE = "read", "write"  # what Jupyter's authorizer is asked
GZIP_FROM_BYTES = 1024  # TURN-9
GZIP_LEVEL = 5
GZIP_APART_FROM_BYTES = 64 * 1024  # what is larger is compressed in a worker thread: it takes milliseconds


def _zip(data: bytes) -> bytes:
    return gzip.compress(data, GZIP_LEVEL, mtime=0)


def saved_as(name: str, *, inline: bool = False) -> str:
    """The header that makes a browser save the answer under ``name`` (RFC 6266): in ASCII for old programs, and as it is.

    ``inline``: it is shown in place, and saved under that name when the person asks for it.
    """
    plain = "".join(letter if " " <= letter <= "~" and letter not in '"\\' else "_" for letter in name)
    way = "inline" if inline else "attachment"
    return f"{way}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def mended(name: str) -> str:
    """A file name without halves of characters, which fit in no row."""
    return name.encode("utf-8", "replace").decode()


class ApiHandler(Guarded, APIHandler):
    """Every route of register D except the WebSocket."""

    _stream: EventStream | None = None
    _gone = False

    async def _serve(self, path: str) -> None:
        crew = await self.holder.get()  # while it is being built, its modules are loaded in a worker thread
        from crewlab.server_ext.calling import Reply, Request, call
        from crewlab.server_ext.following import Stream
        from crewlab.server_ext.routing import Upload

        sent = self.request
        # as sent: Tornado's own reading takes spaces off the ends and replaces control characters, which a key may have (STO-35)
        query = {name: [self.decode_argument(value, name) for value in values] for name, values in sent.query_arguments.items()}
        files = [Upload(mended(one.filename), one.body, one.content_type) for many in sent.files.values() for one in many]
        answer = await call(Request(sent.method or "", path, sent.path, query, sent.headers, sent.body, files), crew)
        if isinstance(answer, Reply):
            await self._answer(answer)
        elif isinstance(answer, Stream):
            await self._follow(answer)
        else:
            await self._send(answer)

    get = head = authenticated(authorized(READ)(_serve))
    post = put = patch = delete = authenticated(authorized(WRITE)(_serve))
    options = get  # type: ignore[assignment]  # a 405 like any other: nothing is for other origins, so there is no preflight

    @property
    def content_security_policy(self) -> str:
        """Jupyter's, and no scripts in whatever a browser makes of an answer (MED-15)."""
        return f"{super().content_security_policy}; sandbox"

    def on_connection_close(self) -> None:
        """The client has gone: stop what it was watching at once."""
        self._gone = True
        if self._stream is not None:
            self._stream.close()
        super().on_connection_close()

    async def _answer(self, reply: Reply) -> None:
        self.set_status(reply.status)
        self.set_header("Cache-Control", "no-store")
        if not reply.data:
            self.finish()
            return
        if reply.name is not None:
            self.set_header("Content-Disposition", saved_as(reply.name, inline=reply.inline))
        for name, value in reply.headers.items():
            self.set_header(name, value)
        data = reply.data
        self.set_header("Vary", "Accept-Encoding")
        if len(data) > GZIP_FROM_BYTES and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            data = _zip(data) if len(data) < GZIP_APART_FROM_BYTES else await asyncio.to_thread(_zip, data)
            self.set_header("Content-Encoding", "gzip")
        self.finish(data, set_content_type=reply.content_type)

    async def _send(self, reply: FileReply) -> None:
        """The bytes of a file, piece by piece; a client that reads slowly keeps one piece here."""
        file = reply.file
        try:
            for name, value in {**reply.headers, "Cache-Control": "no-store", "Content-Length": str(file.size)}.items():
                self.set_header(name, value)
            self.set_header("Content-Type", reply.content_type)
            sent = 0
            async for chunk in file.chunks():
                self.write(chunk)
                await self.flush()
                sent += len(chunk)
        except StreamClosedError:
            return  # the client has seen enough
        finally:
            file.close()
        if sent < file.size:
            self._abort()  # it was cut while it was read: an answer that looks whole would be wrong
        else:
            self.finish(set_content_type=reply.content_type)

    async def _follow(self, stream: Stream) -> None:
        from crewlab.server_ext.sse import HEADERS, EventStream

        for name, value in HEADERS.items():
            self.set_header(name, value)
        self._stream = EventStream(stream, self, self._abort, self.holder.sleep, self.holder.pace)
        self.holder.open.add(self._stream)
        try:
            with contextlib.suppress(StreamClosedError):
                await self.flush()  # the client knows at once that it is followed, also when nothing happens yet
            await self._stream.run()
        finally:
            self.holder.open.discard(self._stream)
        if not self._gone:
            self.finish(set_content_type=HEADERS["Content-Type"])

    def _abort(self) -> None:
        """Let go of a client that takes nothing any more."""
        self._gone = True
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        connection.close()
