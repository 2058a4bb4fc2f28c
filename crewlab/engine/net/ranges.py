"""Which IP addresses are public (WEB-3, WEB-5, BRW-113). Pure.

A form of IPv6 that carries an IPv4 address is decoded first, so that the refusal can name what it leads to (FR-2); it is
refused whatever it carries. Of IPv6 only global unicast is taken, so a range that is not thought of is refused as well.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Kind = str
"""Why an address is not public: a key of the catalogue, ``net.kind_<kind>``, or ``carries`` for a form that carries another."""

V4: tuple[tuple[IPv4Network, Kind], ...] = tuple(  # BRW-113
    (IPv4Network(network), kind)
    for network, kind in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "cgnat"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link_local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "reserved"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmark"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("168.63.129.16/32", "reserved"),  # the platform address of a cloud, reachable only from inside a machine there
    )
)
V6_PUBLIC = IPv6Network("2000::/3")  # BRW-113: global unicast, without what follows
V6: tuple[tuple[IPv6Network, Kind], ...] = tuple(
    (IPv6Network(network), kind)
    for network, kind in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link_local"),
        ("fec0::/10", "private"),
        ("ff00::/8", "multicast"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        ("2001:2::/48", "benchmark"),
        ("2001::/23", "reserved"),
    )
)
MAPPED = IPv6Network("::ffff:0:0/96")
TRANSLATED = IPv6Network("::ffff:0:0:0/96")
COMPATIBLE = IPv6Network("::/96")
NAT64 = IPv6Network("64:ff9b::/96")
NAT64_LOCAL = IPv6Network("64:ff9b:1::/48")
SIX_TO_FOUR = IPv6Network("2002::/16")
TEREDO = IPv6Network("2001::/32")
LAST_FOUR = (MAPPED, TRANSLATED, COMPATIBLE, NAT64)
ISATAP = (0x00005EFE, 0x02005EFE)  # RFC 5214: the upper half of the interface identifier
WORD = 0xFFFFFFFF


def carried(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that ``address`` leads to through a transition form, or ``None`` when it is of none."""
    number = int(address)
    if number <= 1:
        return None  # ``::`` and ``::1`` are themselves
    if any(address in network for network in LAST_FOUR):
        return IPv4Address(number & WORD)
    if address in NAT64_LOCAL:
        return IPv4Address(number & WORD or (number >> 64 & 0xFFFF) << 16 | number >> 40 & 0xFFFF)  # RFC 6052: /96, else /48
    if address in SIX_TO_FOUR:
        return IPv4Address(number >> 80 & WORD)
    if address in TEREDO:
        return IPv4Address(number & WORD ^ WORD)
    if number >> 32 & WORD in ISATAP:
        return IPv4Address(number & WORD)
    return None


def not_public(address: Address) -> Kind | None:
    """Why ``address`` is not a public one; ``None`` when it is."""
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in V4 if address in network), None)
    if carried(address) is not None:
        return "carries"
    kind = next((kind for network, kind in V6 if address in network), None)
    return kind or (None if address in V6_PUBLIC else "reserved")
