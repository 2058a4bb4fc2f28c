"""The route table as data: which function answers which method and path (register D)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import BaseModel

PARAMETER = re.compile(r"\{(\w+)(\+?)\}")


@dataclass(frozen=True)
class Route:
    """One route. ``path`` is relative to ``/crewlab/api/``; ``{name}`` stands for one segment, ``{name+}``
    for one or more (an id with slashes in it, JOB-25).

    ``function`` is called with the crew, the path's parameters by name, and ``query``, ``headers``
    and ``body`` as instances of the models named here. ``streams`` marks an answer that is an event
    stream, always or when asked for.
    """

    method: str
    path: str
    function: Callable[..., Awaitable[object]]
    answer: type[BaseModel] | None
    status: int = 200
    query: type[BaseModel] | None = None
    headers: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    streams: bool = False
    files: tuple[str, ...] = ()
    """Content types of an answer that is a file to be saved."""
    upload: bool = False
    """Whether the body is a form with one file, which the function is given as ``file`` (PTL-89)."""
    max_body: int | None = None
    """How many bytes a body may have, where that is more than elsewhere."""
    address: bool = False
    """Whether the function is given ``address``, the whole path it was called by."""
    also: tuple[int, ...] = ()
    """Further statuses of a good answer, with the same body (204: none)."""
    errors: tuple[str, ...] = ()
    """The codes this route adds to those that every route may answer, each as ``404 not_found``."""
    ids: tuple[str, ...] = field(default=())

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The path as a regular expression with named groups."""
        return re.compile(PARAMETER.sub(lambda found: f"(?P<{found[1]}>{'.+' if found[2] else '[^/]+'})", self.path))

    @property
    def parameters(self) -> list[str]:
        """Names of the path's parameters, in order."""
        return [name for name, _ in PARAMETER.findall(self.path)]

    @property
    def template(self) -> str:
        """The path as OpenAPI writes it."""
        return PARAMETER.sub(r"{\1}", self.path)


@dataclass(frozen=True, slots=True)
class Found:
    """The route of a request with the path's parameters."""

    route: Route
    parameters: dict[str, str]


def matches(table: Sequence[Route], path: str) -> Iterator[Found]:
    """Every route whose path is ``path``, whatever its method."""
    for route in table:
        if match := route.pattern.fullmatch(path):
            yield Found(route, match.groupdict())


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came in a form."""

    name: str
    data: bytes
    type: str


@dataclass(frozen=True, slots=True)
class File:
    """An answer that a browser saves under ``name`` (TURN-108)."""

    name: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Served:
    """An answer that a browser shows, or with ``name`` saves unless it is ``inline``, under headers of its own."""

    data: bytes
    content_type: str
    headers: Mapping[str, str]
    name: str | None = None
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with a status of its own, where a route has more than one."""

    status: int
    body: BaseModel | None = None
