"""The socket filter as a table, judged by a small interpreter of the kernel's own program form."""

import errno
import struct
from typing import Any

import pytest

from crewlab.engine.sandbox import filter as seccomp

LOAD, EQUAL, AT_LEAST, BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL = "allow", "kill"
EACCES, EPERM, ENOSYS = errno.EACCES, errno.EPERM, errno.ENOSYS
X86, ARM = seccomp.MACHINES["x86_64"], seccomp.MACHINES["aarch64"]


def verdict(program: bytes, audit: int, number: int, *arguments: int) -> Any:
    """What the kernel does with one system call."""
    data = struct.pack("=IIQ6Q", number, audit, 0, *(arguments + (0,) * 6)[:6])
    lines = list(struct.iter_unpack("=HBBI", program))
    at = value = 0
    while True:
        code, yes, no, k = lines[at]
        at += 1
        if code == LOAD:
            (value,) = struct.unpack_from("=I", data, k)
        elif code == RETURN:
            return {0x7FFF0000: ALLOW, 0x80000000: KILL}.get(k, k & 0xFFFF)
        else:
            at += yes if {EQUAL: value == k, AT_LEAST: value >= k, BIT: bool(value & k)}[code] else no


FAMILIES = {"unix": 1, "v4": 2, "v6": 10, "netlink": 16, "packet": 17, "crypto": 38, "vsock": 40, "smc": 43}


@pytest.mark.spec("SHL-49", "SHL-51", "SHL-69", "SHL-76")
@pytest.mark.parametrize("machine", list(seccomp.MACHINES))
@pytest.mark.parametrize(
    ("sockets", "family", "protocol", "expected"),
    [
        *(("none", family, 0, EACCES) for family in FAMILIES.values()),
        *(("internet", FAMILIES[name], 0, EACCES) for name in ("unix", "packet", "crypto", "vsock", "smc")),
        *(("internet", FAMILIES[name], 0, ALLOW) for name in ("v4", "v6", "netlink")),
        *(("internet", family, protocol, ALLOW) for family in (2, 10) for protocol in (1, 6, 17, 58)),
        *(("internet", family, protocol, EACCES) for family in (2, 10) for protocol in (262, 256, 132, 33, 136, 255)),
        ("internet", 16, 15, ALLOW),
        ("internet", 2 | 1 << 40, 0, ALLOW),  # the kernel takes the lower half, so it is the same socket
        ("internet", 1 | 1 << 40, 0, EACCES),
        *(("own", family, 262, ALLOW) for family in FAMILIES.values()),
    ],
)
def test_which_sockets_can_be_made(machine: str, sockets: Any, family: int, protocol: int, expected: Any) -> None:
    audit, calls = seccomp.MACHINES[machine]
    assert verdict(seccomp.filter_program(machine, sockets), audit, calls["socket"], family, 1, protocol) == expected


@pytest.mark.spec("SHL-76")
@pytest.mark.parametrize("machine", list(seccomp.MACHINES))
@pytest.mark.parametrize(("name", "place"), [("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)])
def test_sending_with_the_flag_that_connects_is_refused_where_the_network_stays(machine: str, name: str, place: int) -> None:
    audit, calls = seccomp.MACHINES[machine]
    for flags, expected in ((0, ALLOW), (0x4000, ALLOW), (0x20000000, EACCES), (0x20004000, EACCES)):
        arguments = [0x20000000] * 6
        arguments[place] = flags
        assert verdict(seccomp.filter_program(machine, "internet"), audit, calls[name], *arguments) == expected
        assert verdict(seccomp.filter_program(machine, "none"), audit, calls[name], *arguments) == ALLOW  # there is nothing to send on


@pytest.mark.spec("SHL-76", "SBX-3")
@pytest.mark.parametrize("sockets", ["none", "internet", "own"])
@pytest.mark.parametrize("machine", list(seccomp.MACHINES))
def test_what_every_form_refuses_and_what_it_leaves_alone(machine: str, sockets: Any) -> None:
    audit, calls = seccomp.MACHINES[machine]
    program = seccomp.filter_program(machine, sockets)
    socketpair = 53 if machine == "x86_64" else 199
    table: list[tuple[int, tuple[int, ...], Any]] = [
        (calls["io_uring_setup"], (), ENOSYS),
        (calls["clone3"], (), ENOSYS),
        (calls["clone"], (0x11,), ALLOW),
        (calls["clone"], (0x10000000 | 0x11,), EPERM),
        (calls["unshare"], (0x20000,), ALLOW),
        (calls["unshare"], (0x10020000,), EPERM),
        (calls["ioctl"], (0, 0x5412), EPERM),
        (calls["ioctl"], (0, 0x541C), EPERM),
        (calls["ioctl"], (0, 0x5413), ALLOW),
        *((calls[name], (), EPERM) for name in ("setns", "keyctl", "add_key", "request_key", "bpf", "perf_event_open")),
        (socketpair, (1, 1, 0), ALLOW),
        (0, (), ALLOW),
        (439, (), ALLOW),
    ]
    for number, arguments, expected in table:
        assert verdict(program, audit, number, *arguments) == expected, number


@pytest.mark.spec("SHL-76")
def test_another_table_of_system_calls_kills() -> None:
    program = seccomp.filter_program("x86_64", "none")
    i386 = 0x40000003
    for audit in (i386, ARM.audit, 0):
        assert verdict(program, audit, 0) == KILL
    for number in (0x40000000, 0x40000000 + 41, 0xFFFFFFFF):
        assert verdict(program, X86.audit, number) == KILL
    assert verdict(seccomp.filter_program("aarch64", "none"), X86.audit, 0) == KILL


def test_every_jump_lands_inside_the_program() -> None:
    for machine in seccomp.MACHINES:
        for sockets in ("none", "internet", "own"):
            lines = list(struct.iter_unpack("=HBBI", seccomp.filter_program(machine, sockets)))
            assert len(lines) < 4096
            assert lines[-1][0] == RETURN
            assert all(at + 1 + max(yes, no) < len(lines) for at, (code, yes, no, _) in enumerate(lines) if code in (EQUAL, AT_LEAST, BIT))
