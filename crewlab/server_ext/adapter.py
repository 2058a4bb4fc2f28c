"""The one Tornado handler: from a request to a typed function of ``api/`` and back (design page).

It finds the route, reads path, query, headers and JSON body into the route's models, calls the
function and writes the answer: JSON, or an event stream.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from http import HTTPStatus
from typing import get_origin

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from pydantic import BaseModel, ValidationError
from tornado.http1connection import HTTP1Connection
from tornado.web import authenticated

from crewlab.engine.errors import BadRequest, NotFound, TooLarge
from crewlab.server_ext.base import JSON_TYPE, Guarded
from crewlab.server_ext.following import Stream
from crewlab.server_ext.problems import WrongMethod, invalid_of
from crewlab.server_ext.routing import Answer, Found, Route, matches
from crewlab.server_ext.sse import HEADERS, EventStream

MAX_BODY_BYTES = 2 * 1024 * 1024
GZIP_FROM_BYTES = 1024  # TURN-9
GZIP_LEVEL = 5


@cache
def table() -> tuple[Route, ...]:
    """The routes; loaded with the first request, because they bring pydantic and the engine's records."""
    from crewlab.server_ext.api.table import ROUTES

    return ROUTES


class ApiHandler(Guarded, APIHandler):
    """Every route of register D except the WebSocket."""

    _stream: EventStream | None = None
    _gone = False

    @authenticated
    @authorized
    async def get(self, path: str) -> None:
        """Answer a request; the other methods do the same."""
        await self._serve(path)

    post = put = patch = delete = get

    head = get
    options = get  # type: ignore[assignment]  # a 405 like any other: nothing is for other origins, so there is no preflight

    def on_connection_close(self) -> None:
        """The client has gone: stop what it was watching at once."""
        self._gone = True
        if self._stream is not None:
            self._stream.close()
        super().on_connection_close()

    async def _serve(self, path: str) -> None:
        found = self._find(path)
        route = found.route
        crew = await self.holder.get()
        given: dict[str, object] = dict(found.parameters)
        if route.query is not None:
            given["query"] = self._read(route.query, self._query(route.query))
        if route.headers is not None:
            given["headers"] = self._read(route.headers, self._headers_for(route.headers))
        if route.body is not None:
            given["body"] = self._read(route.body, self._json(), strict=True)
        answer = await route.function(crew, **given)
        if isinstance(answer, Stream):
            await self._follow(answer)
        elif isinstance(answer, Answer):
            self._answer(answer.status, answer.body)
        else:
            self._answer(route.status, answer)

    def _find(self, path: str) -> Found:
        named = list(matches(table(), path))
        for found in named:
            if found.route.method == self.request.method:
                return found
        if named:
            allowed = sorted({found.route.method for found in named})
            self.set_header("Allow", ", ".join(allowed))
            text = self.holder.texts("http.wrong_method", method=self.request.method, path=self.request.path, allowed=", ".join(allowed))
            raise WrongMethod(text)
        raise NotFound(self.holder.texts("http.no_route", method=self.request.method, path=self.request.path))

    def _query(self, model: type[BaseModel]) -> dict[str, object]:
        """The arguments that ``model`` knows; others (a token, a cache buster) are not ours to judge."""
        many = {name for name, field in model.model_fields.items() if get_origin(field.annotation) is list}
        given = {name: self.get_query_arguments(name) for name in model.model_fields if name in self.request.query_arguments}
        return {name: values if name in many else values[-1] for name, values in given.items()}

    def _headers_for(self, model: type[BaseModel]) -> dict[str, object]:
        names = {name: name.replace("_", "-") for name in model.model_fields}
        return {name: self.request.headers[header] for name, header in names.items() if header in self.request.headers}

    def _json(self) -> object:
        body = self.request.body
        if len(body) > MAX_BODY_BYTES:
            raise TooLarge(self.holder.texts("http.too_large", limit=MAX_BODY_BYTES))
        try:
            value = json.loads(body) if body else {}
        except ValueError as error:  # also text that is no UTF-8
            raise BadRequest(self.holder.texts("http.bad_json")) from error
        if not isinstance(value, dict):
            raise BadRequest(self.holder.texts("http.bad_json"))
        return value

    def _read(self, model: type[BaseModel], values: object, strict: bool = False) -> BaseModel:
        try:
            return model.model_validate(values, strict=strict)
        except ValidationError as error:
            raise invalid_of(error, self.holder.texts) from error

    def _answer(self, status: int, body: object) -> None:
        self.set_status(status)
        self.set_header("Cache-Control", "no-store")
        if status == HTTPStatus.NO_CONTENT:
            self.finish()
            return
        assert isinstance(body, BaseModel)
        data = body.model_dump_json().encode()
        self.set_header("Vary", "Accept-Encoding")
        if len(data) > GZIP_FROM_BYTES and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            data = gzip.compress(data, GZIP_LEVEL, mtime=0)
            self.set_header("Content-Encoding", "gzip")
        self.finish(data, set_content_type=JSON_TYPE)

    async def _follow(self, stream: Stream) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)
        self._stream = EventStream(stream, self, self._abort, self.holder.sleep)
        self.holder.open.add(self._stream)
        try:
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
