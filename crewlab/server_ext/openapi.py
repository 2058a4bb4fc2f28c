"""The HTTP API as an OpenAPI 3.1 document, made from the route table."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel

from crewlab._version import __version__
from crewlab.server_ext.routing import Route
from crewlab.server_ext.sse import HEADERS

JSON = "application/json"
EVENT_STREAM = HEADERS["Content-Type"].partition(";")[0]
EVERYWHERE = (  # CHN-60, AGT-4, DB-12
    *("403 forbidden", "500 internal"),
    *("503 config_invalid", "503 home_locked", "503 unavailable"),
)
WITH_BODY = ("400 bad_request", "413 too_large", "422 invalid")
WITH_QUERY = ("400 bad_request",)
SOCKET_PATH = "/crewlab/api/ws"
PREFIX = "/crewlab/api/"

Schema = Mapping[str, Any]


def document(routes: Iterable[Route], components: Schema) -> dict[str, Any]:
    """``components`` are the schemas of all models by class name."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(PREFIX + route.template, {})[route.method.lower()] = operation(route, components)
    paths[SOCKET_PATH] = {"get": _socket()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "crewlab", "version": __version__},
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": dict(components)},
    }


def operation(route: Route, components: Schema) -> dict[str, Any]:
    """One operation."""
    lines = (inspect.getdoc(route.function) or "").split("\n")
    found: dict[str, Any] = {
        "operationId": f"{route.function.__module__.rpartition('.')[2]}_{route.function.__name__}",
        "summary": lines[0],
        "parameters": _parameters(route, components),
        "responses": {**_answers(route), **_errors(route)},
        "x-ids": list(route.ids),
    }
    if route.body is not None:
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": _ref(route.body)}}}
    if route.upload:
        form = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}}}
        found["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": form}}}
    return found


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}


def _parameters(route: Route, components: Schema) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in route.parameters
    ]
    for place, model in (("query", route.query), ("header", route.headers)):
        if model is None:
            continue
        schema = components[model.__name__]
        for name, field in schema.get("properties", {}).items():
            shown = name if place == "query" else name.replace("_", "-")
            found.append({"name": shown, "in": place, "required": name in schema.get("required", []), "schema": field})
    return found


def _answers(route: Route) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if route.answer is not None:
        content[JSON] = {"schema": _ref(route.answer)}
    for kind in route.files:
        content[kind] = {"schema": {"type": "object"} if kind == JSON else {"type": "string"}}
    if route.streams:
        content[EVENT_STREAM] = {"schema": {"type": "string"}}
    answer: dict[str, Any] = {"description": route.answer.__name__ if route.answer else "-"}
    found: dict[str, Any] = {str(route.status): {**answer, "content": content} if content else answer}
    for status in route.also:
        found[str(status)] = {"description": "-"} if status == HTTPStatus.NO_CONTENT else found[str(route.status)]
    return found


def _errors(route: Route) -> dict[str, Any]:
    codes: dict[str, list[str]] = {}
    for error in (*route.errors, *(WITH_BODY if route.body else ()), *(WITH_QUERY if route.query else ()), *EVERYWHERE):
        status, _, code = error.partition(" ")
        codes.setdefault(status, []).append(code)
    body = {JSON: {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
    return {status: {"description": ", ".join(dict.fromkeys(names)), "content": body} for status, names in sorted(codes.items())}


def _socket() -> dict[str, Any]:
    """The WebSocket of WIRE-5; OpenAPI has no words for its messages, so their schemas are named."""
    return {
        "operationId": "window_socket",
        "summary": "The one WebSocket of a window (WIRE-5)",
        "responses": {"101": {"description": "ClientMessage in, ServerMessage and WireFrame out"}},
        "x-ids": ["WIRE-5", "WIRE-8"],
    }
