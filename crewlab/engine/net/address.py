"""Reading an address strictly (WEB-2, BRW-107 to BRW-111). Pure.

What is read is written again from its parts, and only that is used, so no other reader of addresses can see another host in it.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from crewlab.engine.net.failures import Refused
from crewlab.engine.net.ranges import Address

MAX_ADDRESS_CHARS = 8192
MAX_HOST_CHARS = 253
PORTS = {"http": 80, "https": 443}  # WEB-2
_FORM = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")
_PORT = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Target:
    """An address that was read. ``host`` is ASCII, in lower case, an IPv6 address without brackets; ``literal`` when it is no name."""

    scheme: str
    host: str
    port: int
    rest: str
    literal: Address | None

    @property
    def authority(self) -> str:
        """Host and, when it is not the scheme's own, port, as they stand in an address."""
        host = f"[{self.host}]" if isinstance(self.literal, IPv6Address) else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address in its normal spelling, without the part after ``#``."""
        return f"{self.scheme}://{self.authority}{self.rest}"


def read_address(text: str, *, owners: bool = False) -> Target:
    """The parts of a complete http or https address; raises ``Refused`` for every other text.

    ``owners`` says that the owner wrote it (the address of a service), who may name this machine.
    """
    text = text.strip(" ")
    if len(text) > MAX_ADDRESS_CHARS:
        raise Refused("too_long", limit=MAX_ADDRESS_CHARS)
    if any(not char.isprintable() for char in text):
        raise Refused("control")
    if "\\" in text:
        raise Refused("backslash")
    form = _FORM.fullmatch(text)
    if form is None:
        raise Refused("incomplete")
    scheme = form[1].lower()
    if scheme not in PORTS:
        raise Refused("scheme", scheme=scheme[:20])
    if not form[2].startswith("//"):
        raise Refused("incomplete")
    authority, rest = _split(form[2][2:])
    if "@" in authority:
        raise Refused("user")
    written, port = _port(authority, PORTS[scheme])
    host, literal = read_host(written, owners=owners)
    return Target(scheme, host, port, rest, literal)


def _split(text: str) -> tuple[str, str]:
    """Authority, and path with query; what is after ``#`` is never sent."""
    end = min((place for mark in "/?#" if (place := text.find(mark)) >= 0), default=len(text))
    rest = text[end:].partition("#")[0].replace(" ", "%20")
    return text[:end], rest if rest.startswith("/") else f"/{rest}"


def _port(authority: str, default: int) -> tuple[str, int]:
    host, bracket, after = authority.rpartition("]")
    if bracket:
        host, colon, port = host + bracket, after[:1], after[1:]
        if after and colon != ":":
            raise Refused("host")
    else:
        host, _, port = authority.partition(":")
    if not port:
        return host, default
    if not _PORT.fullmatch(port) or not 0 < int(port) < 65536:
        raise Refused("port")
    return host, int(port)


def read_host(written: str, *, owners: bool = False) -> tuple[str, Address | None]:
    """The host in its normal spelling, and the address it is when it is no name; raises ``Refused`` (BRW-107 to BRW-111)."""
    if written.startswith("["):
        return _ipv6(written)
    if "%" in written:
        raise Refused("percent")
    name = _ascii(written).removesuffix(".")
    labels = name.split(".")
    if not name or len(name) > MAX_HOST_CHARS or not all(_LABEL.fullmatch(label) for label in labels):
        raise Refused("host")
    if _NUMBER.fullmatch(labels[-1]):
        number = _ipv4(labels)
        return str(number), number
    if labels[-1] == "localhost" and not owners:  # BRW-111
        raise Refused("localhost")
    return name, None


def _ipv6(written: str) -> tuple[str, Address]:
    inside = written[1:-1]
    if not written.endswith("]") or not inside.isascii():
        raise Refused("host")
    if "%" in inside:  # BRW-110: a zone
        raise Refused("zone")
    try:
        address = IPv6Address(inside)
    except AddressValueError as error:
        raise Refused("host") from error
    return str(address), address


def _ascii(written: str) -> str:
    """The name in ASCII and lower case; international names by UTS #46, not transitional (BRW-108)."""
    if written.isascii():
        return written.lower()
    if len(written) > MAX_HOST_CHARS:
        raise Refused("host")
    idna = importlib.import_module("idna")
    try:
        encoded: bytes = idna.encode(written, uts46=True, std3_rules=True, transitional=False)
    except UnicodeError as error:
        raise Refused("host") from error
    return encoded.decode("ascii").lower()


def _ipv4(labels: list[str]) -> IPv4Address:
    """A host that ends in a number is an IPv4 address in whatever base and number of parts, or nothing (BRW-109, BRW-110)."""
    if len(labels) > 4 or not all(_NUMBER.fullmatch(label) for label in labels):
        raise Refused("number")
    try:
        parts = [_part(label) for label in labels]
    except ValueError as error:
        raise Refused("number") from error
    *first, last = parts
    if any(part > 255 for part in first) or last >= 256 ** (5 - len(parts)):
        raise Refused("number")
    return IPv4Address(sum(part << 8 * (3 - place) for place, part in enumerate(first)) + last)


def _part(label: str) -> int:
    if label[:2] in ("0x", "0X"):
        return int(label[2:] or "0", 16)
    return int(label, 8) if len(label) > 1 and label.startswith("0") else int(label)
