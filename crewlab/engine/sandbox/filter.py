"""The seccomp filter of the Linux sandbox as a BPF program (SHL-76). Pure.

It is handed to bubblewrap, which puts it on the first process of the namespace and on the command. A processor or a table of
system calls other than the machine's own kills the process, so that another numbering is no way round.
"""

from __future__ import annotations

import errno
import struct
from typing import Literal, NamedTuple

Sockets = Literal["none", "internet", "own"]
"""``socket()``: refused; for the Internet and netlink; left alone in a network namespace of its own (TIER-22)."""

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER_AT, MACHINE_AT, ARGUMENTS_AT = 0, 4, 16
X32 = 0x40000000  # system calls of the 32-bit pointer table of x86_64
AF_INET, AF_INET6, AF_NETLINK = 2, 10, 16
PROTOCOLS = (0, 1, 6, 17, 58)  # the default, ICMP, TCP, UDP, ICMPv6: Landlock does not look at MPTCP (262), SMC (256) and others
MSG_FASTOPEN = 0x20000000
CLONE_NEWUSER = 0x10000000
TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: typing into somebody else's terminal


class Machine(NamedTuple):
    """The audit number of a processor and its system calls by name."""

    audit: int
    calls: dict[str, int]


_NAMES = (
    "socket", "sendto", "sendmsg", "sendmmsg", "io_uring_setup", "clone", "clone3", "unshare", "setns", "keyctl", "add_key",
    "request_key", "bpf", "perf_event_open", "ioctl",
)  # fmt: skip
_X86_64 = (41, 44, 46, 307, 425, 56, 435, 272, 308, 250, 248, 249, 321, 298, 16)
_AARCH64 = (198, 206, 211, 269, 425, 220, 435, 97, 268, 219, 217, 218, 280, 241, 29)
MACHINES = {  # SHL-66
    "x86_64": Machine(0xC000003E, dict(zip(_NAMES, _X86_64, strict=True))),
    "aarch64": Machine(0xC00000B7, dict(zip(_NAMES, _AARCH64, strict=True))),
}
REFUSED = ("setns", "keyctl", "add_key", "request_key", "bpf", "perf_event_open")  # keys and events are the machine's, not the sandbox's

Line = tuple[int, int, int, int]


def filter_program(machine: str, sockets: Sockets) -> bytes:
    """The program for ``machine`` (a key of ``MACHINES``), ready for the kernel."""
    audit, calls = MACHINES[machine]
    lines: list[Line] = [(LOAD, 0, 0, MACHINE_AT), (JUMP_EQUAL, 1, 0, audit), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER_AT)]
    if machine == "x86_64":
        lines += [(JUMP_AT_LEAST, 0, 1, X32), (RETURN, 0, 0, KILL)]
    bodies: dict[str, list[Line]] = {name: [_error(errno.EPERM)] for name in REFUSED}
    bodies |= {name: [_error(errno.ENOSYS)] for name in ("io_uring_setup", "clone3")}  # clone3: its flags cannot be read here
    bodies |= {name: _with_bit(0, CLONE_NEWUSER, errno.EPERM) for name in ("clone", "unshare")}
    bodies["ioctl"] = _with_value(1, TERMINAL_INPUT, errno.EPERM)
    if sockets == "none":
        bodies["socket"] = [_error(errno.EACCES)]
    elif sockets == "internet":
        bodies["socket"] = _internet()
        bodies |= {name: _with_bit(at, MSG_FASTOPEN, errno.EACCES) for name, at in (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3))}
    for name, body in bodies.items():
        lines += [(JUMP_EQUAL, 0, len(body), calls[name]), *body]
    lines.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _error(number: int) -> Line:
    return (RETURN, 0, 0, ERROR | number)


def _argument(place: int) -> Line:
    """The lower half of an argument: the kernel takes no more of an ``int`` either."""
    return (LOAD, 0, 0, ARGUMENTS_AT + 8 * place)


def _with_bit(place: int, bit: int, number: int) -> list[Line]:
    """Refused when the argument has the bit."""
    return [_argument(place), (JUMP_ANY_BIT, 0, 1, bit), _error(number), (RETURN, 0, 0, ALLOW)]


def _with_value(place: int, values: tuple[int, ...], number: int) -> list[Line]:
    """Refused when the argument is one of the values."""
    jumps: list[Line] = [(JUMP_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [_argument(place), *jumps, (RETURN, 0, 0, ALLOW), _error(number)]


def _internet() -> list[Line]:
    """IPv4 and IPv6 with a protocol that Landlock sees, and netlink."""
    protocols: list[Line] = [(JUMP_EQUAL, len(PROTOCOLS) - index, 0, value) for index, value in enumerate(PROTOCOLS)]
    return [
        _argument(0),
        (JUMP_EQUAL, len(PROTOCOLS) + 5, 0, AF_NETLINK),
        (JUMP_EQUAL, 2, 0, AF_INET),
        (JUMP_EQUAL, 1, 0, AF_INET6),
        _error(errno.EACCES),
        _argument(2),
        *protocols,
        _error(errno.EACCES),
        (RETURN, 0, 0, ALLOW),
    ]
