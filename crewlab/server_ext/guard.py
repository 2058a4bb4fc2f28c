"""The local guard before Jupyter's own checks (CHN-60 to CHN-63): one pure function, tested as a table.

A page of another site must not reach the crew through the person's browser: not by a name that
resolves to this machine (DNS rebinding), not with the person's cookie, not from a sandboxed frame.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from crewlab.engine.texts import Texts

ALLOWED_HOSTS_VARIABLE = "CREWLAB_ALLOWED_HOSTS"  # CHN-60: names, separated by commas or spaces
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
HTTP_SCHEMES = frozenset({"http", "https"})


@dataclass(frozen=True, slots=True)
class Presented:
    """What a request shows to be let in: an ``Authorization`` header, the XSRF header, ``?token=`` in the address."""

    authorization: bool = False
    xsrf: bool = False
    url_token: bool = False


def allowed_hosts(environ: Mapping[str, str]) -> frozenset[str]:
    """The names of ``CREWLAB_ALLOWED_HOSTS``, lower case."""
    return frozenset(environ.get(ALLOWED_HOSTS_VARIABLE, "").replace(",", " ").lower().split())


def refusal(host: str, origin: str | None, names: Collection[str], method: str, presented: Presented, texts: Texts) -> str | None:
    """Why the request is refused, or ``None``. ``names`` are the allowed host names beside ``localhost``."""
    if not _known(host, names):
        return texts("guard.host", host=host)
    if origin is not None and not _same(origin, host):
        return texts("guard.origin_null", host=host) if origin == "null" else texts("guard.origin", origin=origin, host=host)
    if method in SAFE_METHODS:
        return None
    if presented.url_token:
        return texts("guard.url_token", host=host)
    if not (presented.authorization or presented.xsrf):
        return texts("guard.cookie_alone", host=host)
    return None


def _known(host: str, names: Collection[str]) -> bool:
    """Whether ``host`` (with or without a port) is an IP address, ``localhost`` or an allowed name."""
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
    except ValueError:  # an unclosed bracket, a port that is no number
        return False
    if not name or parts.netloc != host or "@" in host or (port is None and host.endswith(":")):
        return False
    if name == "localhost" or name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same(origin: str, host: str) -> bool:
    """Whether ``origin`` is exactly this host and port (CHN-60)."""
    scheme, separator, rest = origin.partition("://")
    return bool(separator) and scheme in HTTP_SCHEMES and rest.lower() == host.lower()
