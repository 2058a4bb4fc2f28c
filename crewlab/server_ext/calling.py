"""From a request to a typed function of ``api/`` and back; knows nothing of Tornado.

Loaded with the engine: it brings pydantic and the engine's records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, get_origin

from pydantic import BaseModel, ValidationError

from crewlab.engine.errors import BadRequest, Invalid, NotFound, TooLarge
from crewlab.engine.models.unicode import mend_value
from crewlab.engine.texts import Texts
from crewlab.server_ext.api.files import FileReply
from crewlab.server_ext.api.table import ROUTES
from crewlab.server_ext.fields import invalid
from crewlab.server_ext.following import Stream
from crewlab.server_ext.problems import WrongMethod
from crewlab.server_ext.routing import Answer, File, Found, Served, Upload, matches

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew

MAX_BODY_BYTES = 2 * 1024 * 1024
JSON_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class Request:
    """What a request says. ``path`` is relative to ``/crewlab/api/``, ``shown`` is the whole path for messages."""

    method: str
    path: str
    shown: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    files: Sequence[Upload] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer; ``data`` is JSON, empty for 204, or with ``name`` a file to be saved (shown in place when ``inline``)."""

    status: int
    data: bytes
    content_type: str = JSON_TYPE
    name: str | None = None
    inline: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)


async def call(request: Request, crew: Crew) -> Reply | Stream | FileReply:
    """Find the route, read the request into its models, call its function. Raises ``CrewError``."""
    found = find(request, crew.texts)
    answer = await found.route.function(crew, **read(request, found, crew.texts))
    if isinstance(answer, (Stream, FileReply)):
        return answer
    if isinstance(answer, File):
        return Reply(found.route.status, answer.data, answer.content_type, answer.name)
    if isinstance(answer, Served):
        return Reply(found.route.status, answer.data, answer.content_type, answer.name, answer.inline, answer.headers)
    status, body = (answer.status, answer.body) if isinstance(answer, Answer) else (found.route.status, answer)
    if status == HTTPStatus.NO_CONTENT:
        return Reply(status, b"")
    assert isinstance(body, BaseModel)
    return Reply(status, body.model_dump_json(by_alias=True).encode())


def find(request: Request, texts: Texts) -> Found:
    """The route that answers. Raises ``NotFound``, or ``WrongMethod`` naming the methods that the path takes."""
    named = list(matches(ROUTES, request.path))
    for found in named:
        if found.route.method == request.method:
            return found
    if named:
        allowed = ", ".join(sorted({found.route.method for found in named}))
        raise WrongMethod(texts("http.wrong_method", method=request.method, path=request.shown, allowed=allowed))
    raise NotFound(texts("http.no_route", method=request.method, path=request.shown))


def read(request: Request, found: Found, texts: Texts) -> dict[str, object]:
    """The arguments of the route's function beside the crew. Raises ``BadRequest``, ``TooLarge``, ``Invalid``."""
    route = found.route
    given: dict[str, object] = dict(found.parameters)
    if route.query is not None:
        given["query"] = _model(route.query, _query(request, route.query), texts)
    if route.headers is not None:
        given["headers"] = _model(route.headers, _headers(request, route.headers), texts)
    if route.body is not None:
        given["body"] = _model(route.body, _json(request.body, texts, route.max_body or MAX_BODY_BYTES), texts, strict=True)
    if route.upload:
        given["file"] = _file(request.files, texts)
    if route.address:
        given["address"] = request.shown
    return given


def _query(request: Request, model: type[BaseModel]) -> dict[str, object]:
    """The arguments that ``model`` knows; others (a token, a cache buster) are not ours to judge."""
    asked = {field.alias or name: field for name, field in model.model_fields.items()}
    many = {name for name, field in asked.items() if get_origin(field.annotation) is list}
    given = {name: request.query[name] for name in asked if name in request.query}
    return {name: values if name in many else values[-1] for name, values in given.items()}


def _headers(request: Request, model: type[BaseModel]) -> dict[str, object]:
    names = {name: name.replace("_", "-") for name in model.model_fields}
    return {name: request.headers[header] for name, header in names.items() if header in request.headers}


def _file(files: Sequence[Upload], texts: Texts) -> Upload:
    if len(files) != 1:
        raise Invalid(texts("http.one_file", count=len(files)), field="file")
    return files[0]


def _json(body: bytes, texts: Texts, most: int) -> object:
    if len(body) > most:
        raise TooLarge(texts("http.too_large", limit=most))
    try:
        value = json.loads(body) if body else {}
    except (ValueError, RecursionError) as error:  # also text that is no UTF-8, and brackets without end
        raise BadRequest(texts("http.bad_json")) from error
    if not isinstance(value, dict):
        raise BadRequest(texts("http.bad_json"))
    return mend_value(value)  # a pasted half of an emoji is taken as U+FFFD: it fits in no row


def _model(model: type[BaseModel], values: object, texts: Texts, *, strict: bool = False) -> BaseModel:
    try:
        return model.model_validate(values, strict=strict)
    except ValidationError as error:
        raise invalid(error, texts) from error
