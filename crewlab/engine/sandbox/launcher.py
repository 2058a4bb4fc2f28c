"""The last step inside the Linux sandbox: lets go of what it inherited, binds itself with Landlock, becomes the command (SHL-70).

Run by bubblewrap as ``python -I -S -B launcher.py <config> <program> <argument>…``; standard library only. Whatever fails ends it
before the command is started (SHL-71): the server learns from the pipe ``ready`` that the command is about to run.

The config: ``ready`` a descriptor, ``ports`` those of the server, ``network`` ``none``, ``limited`` or ``own`` (a network namespace
of its own in which sockets are left alone), ``writable`` the places that may be written, the temporary folders included.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS = 38
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every processor
VERSION_FLAG = 1
RULE_PATH, RULE_PORT = 1, 2
FS_WRITE_FILE, FS_REFER = 1 << 1, 1 << 13
NET_BIND, NET_CONNECT = 1, 2
SCOPE_ABSTRACT_SOCKET, SCOPE_SIGNAL = 1, 2
ABI_REFER, ABI_NETWORK, ABI_SCOPE = 2, 4, 6
PORTS = 65536  # SHL-79
WITH_SYSTEM = ("/dev", "/proc")  # mounted read-only where a write would matter
FAILED = 121

libc = ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: object) -> int:
    """One system call. Raises ``OSError``."""
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def landlock_abi() -> int:
    """The version of Landlock, 0 without it."""
    try:
        return call(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG)
    except OSError:
        return 0


def allow_path(ruleset: int, access: int, path: str) -> None:
    """Let ``path`` and everything below be used with ``access``."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            access &= ~FS_REFER
        call(ADD_RULE, ruleset, RULE_PATH, struct.pack("=Qi", access, descriptor), 0)
    finally:
        os.close(descriptor)


def allow_other_ports(ruleset: int, closed: set[int]) -> None:
    """Let every TCP port be connected to but those of the server (SHL-79)."""
    rule = ctypes.create_string_buffer(struct.pack("=QQ", NET_CONNECT, 0), 16)
    syscall = libc.syscall
    for port in range(PORTS):
        if port in closed:
            continue
        struct.pack_into("=QQ", rule, 0, NET_CONNECT, port)
        if syscall(ADD_RULE, ruleset, RULE_PORT, rule, 0):
            raise OSError(ctypes.get_errno(), "landlock_add_rule")


def bind(config: dict[str, object]) -> None:
    """Apply the Landlock rules. Raises ``OSError``, also where the kernel cannot hold the port rule."""
    abi, network = landlock_abi(), config["network"]
    if network == "limited" and abi < ABI_NETWORK:
        raise OSError(errno.ENOSYS, "Landlock")
    if abi < 1:
        return
    files = FS_WRITE_FILE | (FS_REFER if abi >= ABI_REFER else 0)
    net = {"none": NET_BIND | NET_CONNECT, "limited": NET_CONNECT, "own": 0}[str(network)] if abi >= ABI_NETWORK else 0
    scope = (SCOPE_ABSTRACT_SOCKET if network != "own" else 0) | SCOPE_SIGNAL if abi >= ABI_SCOPE else 0
    attributes = struct.pack("=QQQ", files, net, scope)[: 8 if abi < ABI_NETWORK else 16 if abi < ABI_SCOPE else 24]
    ruleset = call(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    writable = config["writable"]
    for path in (*(writable if isinstance(writable, list) else ()), *WITH_SYSTEM):
        allow_path(ruleset, files, str(path))
    if network == "limited":
        ports = config["ports"]
        allow_other_ports(ruleset, set(ports) if isinstance(ports, list) else set())
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def main() -> None:
    """Become the command, or end with a line that says why not."""
    config, command = json.loads(sys.argv[1]), sys.argv[2:]
    ready = config["ready"]
    try:
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2 and int(name) != ready:
                try:
                    os.close(int(name))
                except OSError:  # the one that listed them
                    continue
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "no_new_privs")
        bind(config)
        os.set_inheritable(ready, False)
        os.write(ready, b"1")
        os.environ.pop("LC_CTYPE", None)  # Python's own, where the server has no locale; it is not among the eight names (SHL-18)
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"sandbox: {error.strerror or error}\n".encode())
        os._exit(FAILED)


if __name__ == "__main__":
    main()
