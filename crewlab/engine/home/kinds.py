"""The kinds of values that configuration keys take: strict, with the sentence for each mistake (AGT-18)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from crewlab.engine.home.routes import Route, parse_route
from crewlab.engine.home.wrong import Wrong

AGENT_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")  # AGT-12
AGENT_ID_CHARS = 40  # AGT-12
RESERVED_IDS = frozenset({"default", "owner"})  # AGT-12
_HOST_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
HOST_CHARS = 253
FIRST_PRINTABLE = 32
SLUG = re.compile(r"[a-z0-9-]{1,32}")  # PTL-80
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")  # CHN-48


class Keys(BaseModel):
    """A mapping with a fixed set of keys (AGT-5): strict types, nothing further, built on first use."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True, arbitrary_types_allowed=True)


def is_agent_id(name: str) -> bool:
    """Whether ``name`` can be an agent's directory and id; reserved names count as well formed (AGT-12)."""
    return len(name) <= AGENT_ID_CHARS and AGENT_ID.fullmatch(name) is not None


def as_tuple(value: object) -> object:
    """A YAML list as a tuple."""
    if isinstance(value, list | tuple):
        return tuple(value)
    raise Wrong("must_list")


def one_line(value: str) -> str:
    """Text without line breaks; other control characters are removed (PTL-152)."""
    if any(sign in value for sign in "\n\r\u2028\u2029"):
        raise Wrong("must_one_line")
    return "".join(sign for sign in value if sign.isprintable()).strip()


def path_text(value: str) -> str:
    """A path as it may stand in a profile: no control characters, and ``~name`` only for somebody who is there (AGT-14)."""
    if not value.strip() or any(ord(sign) < FIRST_PRINTABLE for sign in value):
        raise Wrong("must_path")
    try:
        Path(value).expanduser()
    except RuntimeError as error:  # no such user
        raise Wrong("must_path") from error
    return value


def relative_entry(value: str) -> str:
    """A path inside some root: not absolute, not empty, no ``..`` (WS-11, NBK-8, SHL-55)."""
    if any(ord(sign) < FIRST_PRINTABLE for sign in value):
        raise Wrong("must_path")
    windows = PureWindowsPath(value)
    if not value.strip() or PurePosixPath(value).is_absolute() or windows.drive or windows.root or value.startswith("~"):
        raise Wrong("must_relative")
    if ".." in windows.parts:
        raise Wrong("must_relative")
    return value


def absolute_path(value: object) -> Path:
    """An absolute path after ``~`` is expanded."""
    if not isinstance(value, str | Path) or not str(value).strip():
        raise Wrong("must_absolute")
    path = Path(value).expanduser()
    if not path.is_absolute():
        raise Wrong("must_absolute")
    return path


def agent_id(value: str) -> str:
    """The id of an agent, the master's included."""
    if not is_agent_id(value):
        raise Wrong("must_agent_id")
    return value


def host_name(value: str) -> str:
    """A host name without scheme, port or path, lower-case (CHN-60)."""
    name = value.strip().lower().removesuffix(".")
    if not name or len(name) > HOST_CHARS or not all(_HOST_LABEL.fullmatch(label) for label in name.split(".")):
        raise Wrong("must_host")
    return name


def variable_name(value: object) -> str:
    """The name of an environment variable; what stands there is not repeated, it may be the token itself."""
    if not isinstance(value, str) or not _VARIABLE.fullmatch(value):
        raise Wrong("must_variable")
    return value


def slug(value: str) -> str:
    """A name of lower-case letters, digits and hyphens, at most 32 (PTL-80)."""
    if not SLUG.fullmatch(value):
        raise Wrong("must_slug")
    return value


def after(check: Callable[[str], str]) -> Any:
    """A check of a text that pydantic already took as one."""
    from pydantic import AfterValidator

    return AfterValidator(check)


Tupled = BeforeValidator(as_tuple)
Text = Annotated[str, Field(min_length=1)]
Line = Annotated[str, after(one_line)]
TextList = Annotated[tuple[str, ...], Tupled]
NameList = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Tupled]
PathText = Annotated[str, after(path_text)]
PathList = Annotated[tuple[PathText, ...], Tupled]
AgentIdList = Annotated[tuple[Annotated[str, after(agent_id)], ...], Tupled]
RelativeList = Annotated[tuple[Annotated[str, after(relative_entry)], ...], Tupled]
HostList = Annotated[tuple[Annotated[str, after(host_name)], ...], Tupled]
RouteKey = Annotated[Route, BeforeValidator(parse_route)]
RouteList = Annotated[tuple[RouteKey, ...], Tupled]
VariableName = Annotated[str, BeforeValidator(variable_name)]
AbsolutePath = Annotated[Path, BeforeValidator(absolute_path)]
Whole = Annotated[int, Field(ge=1)]
Steps = Annotated[int, Field(ge=1, le=200)]  # AGT-13, TURN-27
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]  # COST-5: 0 = none
