"""Which addresses are public, and which are another address in disguise."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest

from crewlab.engine.net.ranges import carried, not_public

REFUSED = {
    "0.0.0.0": "unspecified",
    "0.1.2.3": "unspecified",
    "10.0.0.5": "private",
    "100.64.0.1": "cgnat",
    "100.100.100.200": "cgnat",
    "100.127.255.255": "cgnat",
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "169.254.169.254": "link_local",
    "169.254.170.2": "link_local",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.0.0.192": "reserved",
    "192.0.2.1": "documentation",
    "192.88.99.1": "reserved",
    "192.168.1.1": "private",
    "198.18.0.1": "benchmark",
    "198.19.255.255": "benchmark",
    "198.51.100.7": "documentation",
    "203.0.113.9": "documentation",
    "224.0.0.1": "multicast",
    "239.255.255.250": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "reserved",
    "168.63.129.16": "reserved",
    "::": "unspecified",
    "::1": "loopback",
    "fc00::1": "private",
    "fd00:ec2::254": "private",
    "fe80::1": "link_local",
    "fec0::1": "private",
    "ff02::1": "multicast",
    "100::1": "reserved",
    "200::1": "reserved",
    "4000::1": "reserved",
    "5f00::1": "reserved",
    "2001:db8::1": "documentation",
    "3fff::1": "documentation",
    "2001:2::1": "benchmark",
    "2001:20::1": "reserved",
    "2001:1ff:ffff::1": "reserved",
}
CARRIED = {  # FR-2: decoded first
    "::ffff:127.0.0.1": "127.0.0.1",
    "::ffff:8.8.8.8": "8.8.8.8",  # refused all the same
    "::ffff:0:10.0.0.1": "10.0.0.1",
    "::127.0.0.1": "127.0.0.1",
    "::169.254.169.254": "169.254.169.254",
    "64:ff9b::127.0.0.1": "127.0.0.1",
    "64:ff9b::a9fe:a9fe": "169.254.169.254",
    "64:ff9b:1::10.0.0.1": "10.0.0.1",
    "64:ff9b:1:a9fe:a9:fe00::": "169.254.169.254",
    "2002:7f00:1::": "127.0.0.1",
    "2002:c0a8:101::1": "192.168.1.1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe": "127.0.0.1",
    "2606:4700::5efe:10.0.0.1": "10.0.0.1",
    "2606:4700::200:5efe:c0a8:0101": "192.168.1.1",
}
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.0.1.1", "198.17.0.1"]
PUBLIC += ["198.20.0.1", "223.255.255.255", "2606:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2a00::1", "3ffe::1"]


@pytest.mark.spec("WEB-3", "WEB-5", "BRW-113")
@pytest.mark.parametrize(("address", "kind"), REFUSED.items())
def test_an_address_that_is_not_public_says_of_what_kind_it_is(address: str, kind: str) -> None:
    assert not_public(ip_address(address)) == kind


@pytest.mark.spec("FR-2", "WEB-5", "BRW-113")
@pytest.mark.parametrize(("address", "inner"), CARRIED.items())
def test_a_form_that_carries_an_ipv4_address_is_decoded_and_refused(address: str, inner: str) -> None:
    assert carried(IPv6Address(address)) == IPv4Address(inner)
    assert not_public(ip_address(address)) == "carries"


@pytest.mark.spec("WEB-3", "BRW-113")
@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_public(address: str) -> None:
    assert not_public(ip_address(address)) is None
