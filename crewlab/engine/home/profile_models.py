"""Kinds of values that only ``agent.yaml`` has: levels with ``off``, host lists, apps, the Telegram block."""

from __future__ import annotations

import ipaddress
import json
import unicodedata
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from crewlab.engine.home.kinds import HOST_CHARS, Keys, VariableName, Whole, host_name
from crewlab.engine.home.wrong import Wrong

APP_CHARS = 200  # DSK-11
BROWSERS_FILE = Path(__file__).with_name("browsers.json")  # DSK-110: one list for server and helper


def level(*allowed: str, empty_is_off: bool = True, quote_on: bool = False) -> Any:
    """A key whose first value is ``off``. YAML reads an unquoted ``off`` as a switch: that is ``off``;
    an unquoted ``on`` says not how far the agent may go and stops startup (BRW-7, TIER-7, NBK-8, PTL-18).

    ``quote_on``: the value ``"on"`` exists, and must be quoted (DSK-3).
    """

    def read(value: object) -> object:
        if value is False or (value is None and empty_is_off):
            return "off"
        if value is True:
            raise Wrong("must_quote_on") if quote_on else Wrong("must_level", allowed=", ".join(allowed))
        return value

    return BeforeValidator(read)


BrowserLevel = Annotated[Literal["off", "read", "act"] | None, level("off", "read", "act")]
ComputerLevel = Annotated[Literal["off", "on"] | None, level("off", quote_on=True)]
CodeLevel = Annotated[Literal["off", "read", "write", "exec"] | None, level("off", "read", "write", "exec")]
NotebookLevel = Annotated[Literal["off", "read", "edit", "run"] | None, level("off", "read", "edit", "run")]
HistoryLevel = Annotated[Literal["off", "user", "all"] | None, level("off", "user", "all", empty_is_off=False)]
ArtifactCheck = Annotated[Literal["off", "warn", "require"] | None, level("off", "warn", "require", empty_is_off=False)]


def browser_host(value: object) -> str:
    """One line of ``browser_hosts``: a host, or ``*.`` and a host of at least two labels (BRW-14, BRW-15)."""
    if not isinstance(value, str):
        raise Wrong("must_text")
    if not value.isascii():
        raise Wrong("must_host_ascii", ascii=_punycode(value))
    name = value.removeprefix("*.")
    wildcard = name != value
    try:
        plain = host_name(name)
    except Wrong as error:
        raise Wrong("must_browser_host") from error
    if plain != name.removesuffix(".") or len(value) > HOST_CHARS or name.endswith(".") or (wildcard and "." not in plain):
        raise Wrong("must_browser_host")
    if plain == "localhost" or plain.endswith(".localhost") or _is_address(plain):
        raise Wrong("must_browser_host")
    return value


def _punycode(value: str) -> str:
    try:
        return value.encode("idna").decode("ascii")
    except UnicodeError:
        return "xn--…"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.replace(".", "").isdigit()  # 127.1 and 2130706433 are addresses for a browser
    return True


def host_list(value: object) -> object:
    """The lines of ``browser_hosts``; empty is no list, a list written out must not be empty (BRW-15)."""
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        raise Wrong("must_list")
    if not value:
        raise Wrong("must_not_be_empty_list")
    return tuple(value)


BrowserHosts = Annotated[tuple[Annotated[str, BeforeValidator(browser_host)], ...] | None, BeforeValidator(host_list)]


@cache
def _browsers() -> dict[str, frozenset[str]]:
    written: dict[str, list[str]] = json.loads(BROWSERS_FILE.read_text(encoding="utf-8"))
    return {kind: frozenset(map(_same, names)) for kind, names in written.items()}


def _same(name: str) -> str:
    """Names as DSK-12 compares them."""
    return unicodedata.normalize("NFC", name).casefold()


def is_browser(app: str) -> bool:
    """Whether a line of ``computer_apps`` names a web browser or a page saved as an application (DSK-13, DSK-110)."""
    name, known = _same(app), _browsers()
    if name in known["names"] or name in known["linux_ids"]:
        return True
    below = any(name == known_id or name.startswith(f"{known_id}.") for known_id in known["ids"])
    return below or any(name.startswith(prefix) for prefix in known["linux_prefixes"])


def app_line(value: str) -> str:
    """One application, trimmed (DSK-11, DSK-13)."""
    app = value.strip()
    if not 1 <= len(app) <= APP_CHARS or not app.isprintable():
        raise Wrong("must_app", max=APP_CHARS)
    if is_browser(app):
        raise Wrong("must_no_browser")
    return app


def distinct(items: tuple[str, ...]) -> tuple[str, ...]:
    """Each item once, in order."""
    return tuple(dict.fromkeys(items))


def chat_id(value: object) -> int:
    """The number of a chat, also written as text."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Wrong("must_chat_id")
    text = str(value).strip()
    if not text.removeprefix("-").isascii() or not text.removeprefix("-").isdigit():
        raise Wrong("must_chat_id")
    return int(text)


class Telegram(Keys):
    """The channel of the master (CHN-2); the file names the variable, never the token."""

    token_env: VariableName
    chat_id: Annotated[int, BeforeValidator(chat_id)]
    approval_ttl_seconds: Whole | None = None
