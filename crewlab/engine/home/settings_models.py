"""The mappings inside ``config.yaml``, and the checks that need the home."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo

from crewlab.engine.home.kinds import Keys, Line, NameList, Text, absolute_path, after, one_line
from crewlab.engine.home.layout import Home
from crewlab.engine.home.wrong import Wrong
from crewlab.engine.home.zones import is_zone

PERSON_CHARS = 120  # PTL-152
SOCKET_BYTES = 103 if sys.platform == "darwin" else 107  # DSK-7


def person_line(value: str) -> str:
    """One line of the context block, at most 120 characters (PTL-152)."""
    line = one_line(value)
    if len(line) > PERSON_CHARS:
        raise Wrong("must_at_most_chars", max=PERSON_CHARS)
    return line


PersonLine = Annotated[str, after(person_line)]


class Person(Keys):
    """Who works here, as the context block says it (PTL-152)."""

    name: PersonLine | None = None
    department: PersonLine | None = None
    organisation: PersonLine | None = None


class Billing(Keys):
    """Who pays; stored on runs, shown to nobody (PTL-156)."""

    organisation_id: str | None = None
    department_id: str | None = None
    person_id: str | None = None


def directory_path(value: object) -> Path:
    """A directory of the machine; ``~`` is expanded. Whether it is there is a warning, not an error (PTL-80)."""
    return absolute_path(value)


class KnowledgeBase(Keys):
    """One knowledge base (PTL-80). ``include`` ``None``: all readable types; ``exclude`` ``None``: the skip list."""

    path: Annotated[Path, BeforeValidator(directory_path)]
    description: Line = ""
    include: NameList | None = None
    exclude: NameList | None = None
    embedding: bool = True


def lsp_server(value: object) -> object:
    """``false``, a command, or ``{command: [...]}`` (TIER-24)."""
    if value is False:
        return False
    if isinstance(value, dict) and set(value) == {"command"}:
        value = value["command"]
    if isinstance(value, list | tuple) and value and all(isinstance(part, str) and part for part in value):
        return tuple(value)
    raise Wrong("must_lsp_server", form="{command: [pylsp, --stdio]}")


LspServer = Annotated[tuple[str, ...] | Literal[False], BeforeValidator(lsp_server)]


def time_zone(value: str) -> str:
    """An IANA name this machine knows (AGT-8)."""
    if not is_zone(value):
        raise Wrong("must_zone")
    return value


def _home(info: ValidationInfo) -> Home | None:
    home = (info.context or {}).get("home")
    return home if isinstance(home, Home) else None


def browser_program(value: object, info: ValidationInfo) -> Path | None:
    """An absolute path outside the home, links followed (BRW-11). Empty: the channel decides."""
    if value == "":
        return None
    path, home = absolute_path(value), _home(info)
    if home is not None and path.resolve().is_relative_to(home.root.resolve()):
        raise Wrong("must_outside_home")
    return path


def socket_path(value: object) -> Path | None:
    """An absolute path short enough for a socket (DSK-7). Empty: the home's own."""
    if value == "":
        return None
    path = absolute_path(value)
    if len(str(path).encode()) > SOCKET_BYTES:
        raise Wrong("must_socket_bytes", max=SOCKET_BYTES)
    return path


BrowserChannel = Literal["chromium", "chrome"]
ScriptSandbox = Literal["auto", "required"]
Toolset = Literal["crew", "portal"]
WebProvider = Literal["firecrawl", "brave", "tavily", "duckduckgo"]
TimeZone = Annotated[Text, after(time_zone)]
BrowserProgram = Annotated[Path | None, BeforeValidator(browser_program)]
SocketPath = Annotated[Path | None, BeforeValidator(socket_path)]
Minutes = Annotated[int, Field(ge=1)]
