"""Attempts to get out of the sandbox, run inside it: ``python ways_out.py <facts.json> <results.json>``. Standard library only.

Each way runs in a process of its own with a few seconds to live. It returns what it got hold of, and nothing when it was held;
an exception is being held as well, unless the way says which refusal it must be. A way is registered for ``both`` forms of the
sandbox, or for the ``closed`` one alone.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import glob
import json
import mmap
import os
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SECONDS = 20
libc = ctypes.CDLL(None, use_errno=True)
Way = Callable[[dict[str, Any]], object]
WAYS: dict[str, tuple[str, Way]] = {}


def way(form: str = "both", name: str = "") -> Callable[[Way], Way]:
    def register(function: Way) -> Way:
        WAYS[name or function.__name__] = (form, function)
        return function

    return register


def syscall(number: int, *arguments: object) -> int:
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def must_be_refused(attempt: Callable[[], object], *numbers: int) -> object:
    """What the attempt got, or that it was refused for another reason than the system's rule."""
    try:
        got = attempt()
    except OSError as error:
        return None if error.errno in (numbers or (errno.EACCES, errno.EPERM)) else f"refused only by {error!r}"
    return got or "done"


# Network ---------------------------------------------------------------------------------------------------------------------


def connect(family: int, address: Any, kind: int = socket.SOCK_STREAM, protocol: int = 0) -> str:
    with socket.socket(family, kind, protocol) as sock:
        sock.settimeout(3)
        sock.connect(address)
        return f"connected to {address}"


ELSEWHERE = {
    "tcp_v4": (socket.AF_INET, "127.0.0.1"),
    "tcp_v6": (socket.AF_INET6, "::1"),
    "tcp_v4_mapped": (socket.AF_INET6, "::ffff:127.0.0.1"),
    "tcp_any_address": (socket.AF_INET, "0.0.0.0"),
}
for _name, (_family, _host) in ELSEWHERE.items():
    way("closed", _name)(lambda facts, f=_family, h=_host: must_be_refused(lambda: connect(f, (h, facts["tcp_port"]))))


OWN_PORT: dict[str, Callable[[dict[str, Any]], object]] = {
    "v4": lambda facts: connect(socket.AF_INET, ("127.0.0.1", facts["server_port"])),
    "other_loopback": lambda facts: connect(socket.AF_INET, ("127.0.0.2", facts["server_port"])),
    "v6": lambda facts: connect(socket.AF_INET6, ("::1", facts["server_port"])),
    "mapped": lambda facts: connect(socket.AF_INET6, ("::ffff:127.0.0.1", facts["server_port"])),
    "any": lambda facts: connect(socket.AF_INET, ("0.0.0.0", facts["server_port"])),
    "any_v6": lambda facts: connect(socket.AF_INET6, ("::", facts["server_port"])),
    "own_address": lambda facts: connect(socket.AF_INET, (facts["own_address"], facts["server_port"])),
    "mptcp": lambda facts: connect(socket.AF_INET, ("127.0.0.1", facts["server_port"]), protocol=262),
    "mptcp_v6": lambda facts: connect(socket.AF_INET6, ("::1", facts["server_port"]), protocol=262),
    "smc": lambda facts: connect(socket.AF_INET, ("127.0.0.1", facts["server_port"]), protocol=256),
    "smc_family": lambda facts: connect(43, ("127.0.0.1", facts["server_port"])),
    "sctp": lambda facts: connect(socket.AF_INET, ("127.0.0.1", facts["server_port"]), protocol=132),
    "fast_open_connect": lambda facts: fast_open_connect(facts),
    "after_unspec": lambda facts: after_unspec(facts),
    "non_blocking": lambda facts: non_blocking(facts),
}
for _name, _attempt in OWN_PORT.items():
    way("both", f"own_port_{_name}")(lambda facts, a=_attempt: must_be_refused(lambda: a(facts)))


def fast_open_connect(facts: dict[str, Any]) -> str:
    with socket.socket() as sock:
        sock.setsockopt(socket.IPPROTO_TCP, 30, 1)  # TCP_FASTOPEN_CONNECT
        sock.connect(("127.0.0.1", facts["server_port"]))
        sock.send(b"GET / HTTP/1.0\r\n\r\n")
        return f"read {sock.recv(16)!r}"


def after_unspec(facts: dict[str, Any]) -> str:
    with socket.socket() as sock:
        libc.connect(sock.fileno(), struct.pack("=H14x", 0), 16)
        sock.connect(("127.0.0.1", facts["server_port"]))
        return "connected"


def non_blocking(facts: dict[str, Any]) -> str:
    with socket.socket() as sock:
        sock.setblocking(False)
        sock.connect(("127.0.0.1", facts["server_port"]))
        return "connected"


@way()
def own_port_fast_open_sendto(facts: dict[str, Any]) -> object:
    def attempt() -> object:
        with socket.socket() as sock:
            return sock.sendto(b"GET / HTTP/1.0\r\n\r\n", 0x20000000, ("127.0.0.1", facts["server_port"]))

    return must_be_refused(attempt)


@way()
def own_port_fast_open_sendmsg(facts: dict[str, Any]) -> object:
    def attempt() -> object:
        with socket.socket() as sock:
            return sock.sendmsg([b"GET / HTTP/1.0\r\n\r\n"], [], 0x20000000, ("127.0.0.1", facts["server_port"]))

    return must_be_refused(attempt)


@way()
def own_port_by_name(facts: dict[str, Any]) -> object:
    found = []
    for family, kind, protocol, _, address in socket.getaddrinfo("localhost", facts["server_port"], type=socket.SOCK_STREAM):
        found.append(must_be_refused(lambda f=family, k=kind, p=protocol, a=address: connect(f, a, k, p)))
    return [each for each in found if each]


@way()
def own_port_bash(facts: dict[str, Any]) -> object:
    done = subprocess.run(["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{facts['server_port']}"], capture_output=True, text=True)
    return "connected" if done.returncode == 0 else None


@way()
def own_port_curl(facts: dict[str, Any]) -> object:
    if shutil.which("curl") is None:
        return None
    done = subprocess.run(["curl", "-s", "-m", "3", f"http://localhost:{facts['server_port']}/api"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


@way()
def own_port_script_written_first(facts: dict[str, Any]) -> object:
    script = Path("out/again.py")
    script.write_text(f"import socket; socket.create_connection(('127.0.0.1', {facts['server_port']}), 3); print('connected')\n")
    return subprocess.run([sys.executable, str(script)], capture_output=True, text=True).stdout


@way()
def own_port_built_in_shell(facts: dict[str, Any]) -> object:
    line = f"$(printf 'ba'; printf 'sh') -c 'echo > /dev/tcp/$(echo 127.0.0.1)/{facts['server_port']}' && echo connected"
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True).stdout


@way()
def own_port_new_namespace(facts: dict[str, Any]) -> object:
    if libc.unshare(0x10000000 | 0x40000000):
        return None
    return connect(socket.AF_INET, ("127.0.0.1", facts["server_port"]))


@way()
def io_uring(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: syscall(425, 8, ctypes.create_string_buffer(256)), errno.ENOSYS)


@way()
def socket_by_32_bit_call(facts: dict[str, Any]) -> object:
    if os.uname().machine != "x86_64":
        return None
    code = b"\x53\xb8" + struct.pack("<I", 359) + b"\xbb\x02\0\0\0\xb9\x01\0\0\0\xba\0\0\0\0\xcd\x80\x5b\xc3"
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    number = function()
    return f"a socket by the 32-bit table: {number}" if number >= 0 else None


@way()
def socket_by_x32_call(facts: dict[str, Any]) -> object:
    if os.uname().machine != "x86_64":
        return None
    return must_be_refused(lambda: syscall(0x40000000 + 41, 2, 1, 0), errno.ENOSYS)


@way("closed")
def udp(facts: dict[str, Any]) -> object:
    def attempt() -> object:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            return sock.sendto(b"secret", ("127.0.0.1", facts["udp_port"]))

    return must_be_refused(attempt)


@way("closed")
def udp_v6(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).connect(("::1", facts["udp_port"])))


@way("closed")
def resolver_packet(facts: dict[str, Any]) -> object:
    lines = Path("/etc/resolv.conf").read_text().splitlines()
    servers = [line.split()[1] for line in lines if line.startswith("nameserver")] or ["127.0.0.1"]
    found = []
    for server in servers:
        family = socket.AF_INET6 if ":" in server else socket.AF_INET
        found.append(must_be_refused(lambda f=family, s=server: socket.socket(f, socket.SOCK_DGRAM).sendto(b"\0" * 12, (s, 53))))
    return [each for each in found if each]


@way("closed")
def resolver_library(facts: dict[str, Any]) -> object:
    return [address[4] for address in socket.getaddrinfo("data-carried-out.example.com", 80)]


@way("closed")
def resolver_program(facts: dict[str, Any]) -> object:
    return subprocess.run(["getent", "ahosts", "data-carried-out.example.com"], capture_output=True, text=True).stdout


for _name, _path in {
    "resolved": "/run/systemd/resolve/io.systemd.Resolve",
    "nscd": "/var/run/nscd/socket",
    "system_bus": "/run/dbus/system_bus_socket",
    "service_manager": "/run/systemd/private",
    "docker": "/var/run/docker.sock",
    "x11": "/tmp/.X11-unix/X0",
}.items():
    way("both", f"service_{_name}")(lambda facts, p=_path: connect(socket.AF_UNIX, p) if os.path.exists(p) else None)


@way()
def session_bus(facts: dict[str, Any]) -> object:
    return os.environ.get("DBUS_SESSION_BUS_ADDRESS") or glob.glob("/run/user/*/*")


@way()
def unix_path(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: connect(socket.AF_UNIX, facts["unix_path"]))


@way()
def unix_datagram(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", facts["unix_path"]))


@way()
def unix_sequence(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: connect(socket.AF_UNIX, facts["unix_path"], socket.SOCK_SEQPACKET))


@way()
def unix_abstract(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: connect(socket.AF_UNIX, "\0" + facts["abstract"]))


@way()
def desktop_socket(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: connect(socket.AF_UNIX, facts["home"] + "/desktop/sock"))


def listens(family: int, address: Any) -> object:
    def attempt() -> object:
        with socket.socket(family) as sock:
            sock.bind(address)
            sock.listen()
            return f"listens at {address!r}"

    return must_be_refused(attempt)


way("closed", "listen_v4")(lambda facts: listens(socket.AF_INET, ("0.0.0.0", 0)))
way("closed", "listen_v6")(lambda facts: listens(socket.AF_INET6, ("::", 0)))
way("both", "listen_unix")(lambda facts: listens(socket.AF_UNIX, "out/offer.sock"))
way("both", "listen_abstract")(lambda facts: listens(socket.AF_UNIX, "\0crewlab-offer"))
way("closed", "netlink")(lambda facts: must_be_refused(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)))
way("both", "packet")(lambda facts: must_be_refused(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)))
way("both", "raw")(lambda facts: must_be_refused(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)))
way("both", "vsock")(lambda facts: must_be_refused(lambda: socket.socket(40, socket.SOCK_STREAM)))
way("both", "kernel_crypto")(lambda facts: must_be_refused(lambda: socket.socket(38, socket.SOCK_SEQPACKET)))
way("both", "bluetooth")(lambda facts: must_be_refused(lambda: socket.socket(31, socket.SOCK_RAW)))


# Writing ---------------------------------------------------------------------------------------------------------------------


def writes(path: str | Path) -> object:
    with open(path, "a") as file:
        file.write("x")
    return f"wrote {path}"


PLACES: dict[str, Callable[[dict[str, Any]], str]] = {
    "workspace": lambda facts: "new.txt",
    "workspace_existing": lambda facts: "facts.json",
    "above": lambda facts: "../new.txt",
    "dots": lambda facts: "out/../new.txt",
    "dots_above": lambda facts: "out/../../../new.txt",
    "absolute": lambda facts: facts["outside"] + "/new.txt",
    "existing": lambda facts: facts["outside"] + "/kept.txt",
    "link": lambda facts: "out/leads-up/new.txt",
    "link_to_file": lambda facts: "out/leads-to-kept",
    "proc_cwd": lambda facts: "/proc/self/cwd/new.txt",
    "proc_root": lambda facts: "/proc/self/root" + facts["outside"] + "/new.txt",
    "proc_first": lambda facts: "/proc/1/root" + facts["outside"] + "/new.txt",
    "proc_first_cwd": lambda facts: "/proc/1/cwd/" + facts["outside"] + "/new.txt",
    "startup_file": lambda facts: facts["person"] + "/.zshrc",
    "startup_agent": lambda facts: facts["person"] + "/.config/autostart/x.desktop",
    "user_unit": lambda facts: facts["person"] + "/.config/systemd/user/x.service",
    "keys": lambda facts: facts["person"] + "/.ssh/authorized_keys",
    "crontab": lambda facts: "/var/spool/cron/crontabs/root",
    "cron": lambda facts: "/etc/cron.d/x",
    "at_spool": lambda facts: "/var/spool/cron/atjobs/x",
    "system": lambda facts: "/etc/new",
    "preload": lambda facts: "/etc/ld.so.preload",
    "program": lambda facts: "/usr/local/bin/new",
    "interpreter": lambda facts: facts["site"] + "/new.pth",
    "run": lambda facts: "/run/new",
    "device_folder": lambda facts: "/dev/new",
    "hook": lambda facts: ".git/hooks/post-commit",
    "profile": lambda facts: facts["home"] + "/agents/closed/agent.yaml",
    "config": lambda facts: facts["home"] + "/config.yaml",
    "store": lambda facts: facts["home"] + "/crew.db",
    "browser": lambda facts: facts["home"] + "/browser/x",
    "runtime": lambda facts: facts["runtime"] + "/x",
    "temporary_of_another": lambda facts: facts["home"] + "/sandbox-tmp/other/x",
    "persona": lambda facts: facts["home"] + "/agents/limited/PERSONA.md",
    "core_pattern": lambda facts: "/proc/sys/kernel/core_pattern",
    "modprobe": lambda facts: "/proc/sys/kernel/modprobe",
    "uevent": lambda facts: "/sys/kernel/uevent_helper",
    "first_memory": lambda facts: "/proc/1/mem",
    "sysrq": lambda facts: "/proc/sysrq-trigger",
}


def opens_for_writing(path: str) -> object:
    """Opened only, where a byte would do harm."""
    os.close(os.open(path, os.O_WRONLY))
    return f"opened {path}"


for _name, _where in PLACES.items():
    _attempt = opens_for_writing if _name in ("core_pattern", "modprobe", "uevent", "first_memory", "sysrq", "store") else writes
    way("both", f"write_{_name}")(lambda facts, w=_where, a=_attempt: a(w(facts)))


@way()
def write_through_new_link(facts: dict[str, Any]) -> object:
    os.symlink(facts["outside"], "out/new-link")
    try:
        return writes("out/new-link/new.txt")
    finally:
        os.unlink("out/new-link")


@way()
def write_through_descriptor(facts: dict[str, Any]) -> object:
    folder = os.open("out", os.O_RDONLY | os.O_DIRECTORY)
    return os.open("../new.txt", os.O_WRONLY | os.O_CREAT, dir_fd=folder)


@way()
def write_through_descriptor_path(facts: dict[str, Any]) -> object:
    folder = os.open("out", os.O_RDONLY | os.O_DIRECTORY)
    return writes(f"/proc/self/fd/{folder}/../new.txt")


@way()
def reopen_for_writing(facts: dict[str, Any]) -> object:
    reading = os.open(facts["outside"] + "/kept.txt", os.O_RDONLY)
    return writes(f"/proc/self/fd/{reading}")


@way()
def hard_link(facts: dict[str, Any]) -> object:
    os.link(facts["outside"] + "/kept.txt", "out/kept-too.txt")
    return writes("out/kept-too.txt")


@way()
def rename_out(facts: dict[str, Any]) -> object:
    Path("out/moved.txt").write_text("x")
    os.rename("out/moved.txt", "moved.txt")
    return "moved"


@way()
def exchange_folders(facts: dict[str, Any]) -> object:
    os.rename("out", "out2")
    return "renamed the write path itself"


@way()
def replace_outside(facts: dict[str, Any]) -> object:
    os.unlink(facts["outside"] + "/kept.txt")
    return "removed"


@way()
def change_mode(facts: dict[str, Any]) -> object:
    os.chmod(facts["outside"] + "/kept.txt", 0o777)
    return "changed"


@way()
def change_owner(facts: dict[str, Any]) -> object:
    os.chown(facts["outside"] + "/kept.txt", 1, 1)
    return "changed"


@way()
def change_times(facts: dict[str, Any]) -> object:
    os.utime(facts["outside"] + "/kept.txt", (1, 1))
    return "changed"


@way()
def change_attribute(facts: dict[str, Any]) -> object:
    os.setxattr(facts["outside"] + "/kept.txt", "user.x", b"x")
    return "changed"


@way()
def cut_file(facts: dict[str, Any]) -> object:
    os.truncate(facts["outside"] + "/kept.txt", 0)
    return "cut"


@way()
def map_shared(facts: dict[str, Any]) -> object:
    with open(facts["outside"] + "/kept.txt", "r+b") as file:
        mmap.mmap(file.fileno(), 0)[0] = 0
    return "changed"


@way()
def named_pipe(facts: dict[str, Any]) -> object:
    os.write(os.open(facts["pipe"], os.O_WRONLY | os.O_NONBLOCK), b"do it for me\n")
    return "told a process outside"


# Mounts, processes, the kernel ---------------------------------------------------------------------------------------------------


def mounts(source: bytes, target: str, kind: bytes | None, flags: int) -> object:
    if libc.mount(source, target.encode(), kind, flags, None):
        raise OSError(ctypes.get_errno(), "mount")
    return "mounted"


way("both", "remount_root")(lambda facts: mounts(b"none", "/", None, 32 | 4096))
way("both", "mount_over")(lambda facts: mounts(b"tmpfs", "/etc", b"tmpfs", 0))
way("both", "mount_proc")(lambda facts: mounts(b"proc", "/mnt", b"proc", 0))
way("both", "bind_writable")(lambda facts: mounts(facts["outside"].encode(), "out", None, 4096))


@way()
def uncover(facts: dict[str, Any]) -> object:
    for place in (facts["home"] + "/browser", facts["runtime"], "/run", "/tmp"):
        if not libc.umount2(place.encode(), 2):
            return f"uncovered {place}"
    return None


@way()
def mount_in_namespace(facts: dict[str, Any]) -> object:
    if libc.unshare(0x10000000 | 0x00020000):
        return None
    return mounts(b"none", "/", None, 32 | 4096) and writes(facts["outside"] + "/new.txt")


@way()
def user_namespace(facts: dict[str, Any]) -> object:
    return None if libc.unshare(0x10000000) else "a user namespace"


@way()
def user_namespace_by_program(facts: dict[str, Any]) -> object:
    done = subprocess.run(["unshare", "-Urm", "true"], capture_output=True)
    return "a user namespace" if done.returncode == 0 else None


@way()
def user_namespace_by_clone3(facts: dict[str, Any]) -> object:
    arguments = ctypes.create_string_buffer(struct.pack("=11Q", 0x10000000, *([0] * 10)), 88)
    return must_be_refused(lambda: syscall(435, arguments, 88), errno.ENOSYS)


@way()
def enter_namespace(facts: dict[str, Any]) -> object:
    return None if libc.setns(os.open("/proc/1/ns/mnt", os.O_RDONLY), 0) else "entered"


@way()
def leave_root(facts: dict[str, Any]) -> object:
    os.chroot("out")
    return "changed root"


@way()
def device(facts: dict[str, Any]) -> object:
    os.mknod("out/disk", stat.S_IFBLK | 0o600, os.makedev(254, 0))
    return os.open("out/disk", os.O_RDONLY)


@way()
def disk_device(facts: dict[str, Any]) -> object:
    return [path for path in glob.glob("/dev/*") if stat.S_ISBLK(os.stat(path).st_mode)]


@way()
def file_handle(facts: dict[str, Any]) -> object:
    handle = ctypes.create_string_buffer(struct.pack("=Ii128s", 8, 1, struct.pack("=II", 2, 0)), 136)
    return libc.open_by_handle_at(os.open("/", os.O_RDONLY), handle, os.O_RDONLY) >= 0


@way()
def trace_first(facts: dict[str, Any]) -> object:
    return None if libc.ptrace(16, 1, 0, 0) else "traces the first process"


@way()
def trace_server(facts: dict[str, Any]) -> object:
    return None if libc.ptrace(16, facts["server_pid"], 0, 0) else "traces the server"


@way()
def memory_of_server(facts: dict[str, Any]) -> object:
    buffer = ctypes.create_string_buffer(8)
    vector = struct.pack("=QQ", ctypes.addressof(buffer), 8)
    return libc.process_vm_readv(facts["server_pid"], vector, 1, vector, 1, 0) > 0


@way()
def signal_server(facts: dict[str, Any]) -> object:
    os.kill(facts["server_pid"], 0)
    return "the server can be signalled"


@way()
def signal_group(facts: dict[str, Any]) -> object:
    os.killpg(facts["server_pid"], 0)
    return "the server's group can be signalled"


@way()
def signal_everybody(facts: dict[str, Any]) -> object:
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    return seen if len(seen) > 60 else None


@way()
def descriptor_of_server(facts: dict[str, Any]) -> object:
    return os.pidfd_open(facts["server_pid"])


@way()
def descriptor_of_first(facts: dict[str, Any]) -> object:
    return syscall(438, os.pidfd_open(1), 0, 0)


@way()
def descriptors_of_first(facts: dict[str, Any]) -> object:
    return [link for path in glob.glob("/proc/1/fd/*") if (link := os.readlink(path)).startswith("/") and link != os.devnull]


@way()
def descriptors_inherited(facts: dict[str, Any]) -> object:
    return facts["inherited"]


@way()
def shared_memory(facts: dict[str, Any]) -> object:
    return [path for path in os.listdir("/dev/shm") if facts["mark"] in path]


@way()
def shared_memory_system_v(facts: dict[str, Any]) -> object:
    return libc.shmget(facts["shared_key"], 64, 0) >= 0


@way()
def message_queue(facts: dict[str, Any]) -> object:
    return libc.msgget(facts["shared_key"], 0) >= 0


@way()
def fill_memory_folder(facts: dict[str, Any]) -> object:
    try:
        with open("/dev/shm/fill", "wb") as file:
            file.truncate(0)
            os.posix_fallocate(file.fileno(), 0, 100 * 1024 * 1024)
    finally:
        Path("/dev/shm/fill").unlink(missing_ok=True)
    return "100 MB of memory"


@way()
def key_ring(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: syscall(250 if os.uname().machine == "x86_64" else 219, 0, -3, 0))


@way()
def type_into_terminal(facts: dict[str, Any]) -> object:
    return must_be_refused(lambda: fcntl.ioctl(0, 0x5412, b"x"))


@way()
def host_name(facts: dict[str, Any]) -> object:
    socket.sethostname("crewlab-drill")
    return "renamed the machine"


@way()
def capabilities(facts: dict[str, Any]) -> object:
    lines = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    held = int(lines["CapEff"], 16) == 0 and int(lines["CapPrm"], 16) == 0 and lines["NoNewPrivs"] == "1"
    return None if held else lines


@way()
def other_user(facts: dict[str, Any]) -> object:
    os.setuid(os.getuid() + 1)
    return "another user"


# Somebody else, and staying behind -------------------------------------------------------------------------------------------------

BLOCKED = ("at", "batch", "crontab", "systemctl", "systemd-run", "loginctl", "gdbus", "dbus-send", "busctl", "xdg-open", "docker", "podman")
for _name in BLOCKED:
    way("both", f"program_{_name}")(
        lambda facts, n=_name: must_be_refused(lambda: subprocess.run([n, "-h"], capture_output=True), errno.EACCES, errno.ENOENT)
    )


def daemon(mark: str) -> None:
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.execv("/bin/sh", ["sh", "-c", "trap '' TERM HUP INT; sleep 600; true", mark])


@way()
def leave_daemon(facts: dict[str, Any]) -> object:
    child = os.fork()
    if child == 0:
        daemon(facts["mark"])
    os.waitpid(child, 0)
    return None  # the test looks for it afterwards


@way()
def leave_background(facts: dict[str, Any]) -> object:
    subprocess.Popen(["sh", "-c", "nohup setsid sh -c 'sleep 600; true' " + facts["mark"] + " >/dev/null 2>&1 &"])
    return None


# Secrets -----------------------------------------------------------------------------------------------------------------------


def reads(path: str) -> object:
    return Path(path).read_bytes() or "read"


SECRETS: dict[str, Callable[[dict[str, Any]], str]] = {
    "keys": lambda facts: facts["home"] + "/secrets/secrets.env",
    "keys_link": lambda facts: "out/leads-to-secrets/secrets.env",
    "keys_proc": lambda facts: "/proc/self/root" + facts["home"] + "/secrets/secrets.env",
    "keys_first": lambda facts: "/proc/1/root" + facts["home"] + "/secrets/secrets.env",
    "browser": lambda facts: facts["home"] + "/browser/Cookies",
    "browser_spelled": lambda facts: facts["home"] + "/./agents/../browser//Cookies",
    "store": lambda facts: facts["home"] + "/crew.db",
    "store_log": lambda facts: facts["home"] + "/crew.db-wal",
    "other_agent": lambda facts: facts["home"] + "/agents/other/workspace/private.txt",
    "other_spill": lambda facts: facts["home"] + "/spill/cv_other/x.txt",
    "token": lambda facts: facts["server_file"],
    "kernel_key": lambda facts: facts["kernel_file"],
    "cookie_secret": lambda facts: facts["cookie_file"],
    "password": lambda facts: facts["config"] + "/jupyter_server_config.json",
    "server_environment": lambda facts: f"/proc/{facts['server_pid']}/environ",
    "server_arguments": lambda facts: f"/proc/{facts['server_pid']}/cmdline",
}
for _name, _where in SECRETS.items():
    way("both", f"read_{_name}")(lambda facts, w=_where: reads(w(facts)))


@way()
def list_runtime(facts: dict[str, Any]) -> object:
    return os.listdir(facts["runtime"])


@way()
def list_secrets(facts: dict[str, Any]) -> object:
    return os.listdir(facts["home"] + "/secrets") or "listed"


@way()
def canary_in_environment(facts: dict[str, Any]) -> object:
    texts = [json.dumps(dict(os.environ)).encode()]
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            texts.append(Path(path).read_bytes())
        except OSError:
            continue
    return [True for text in texts if any(secret.encode() in text for secret in facts["canaries"])]


@way()
def token_by_search(facts: dict[str, Any]) -> object:
    done = subprocess.run(["grep", "-rlsI", facts["canaries"][0], facts["ground"]], capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if not line.endswith("facts.json")]


# Running them ----------------------------------------------------------------------------------------------------------------------


def attempt(function: Way, facts: dict[str, Any]) -> str:
    """What the way got, empty when it was held; a process of its own, which may be killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            got = function(facts)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            got = None
            if os.environ.get("WAYS_VERBOSE"):
                print(error, file=sys.stderr)
        os.write(writing, repr(got)[:300].encode() if got else b"")
        os._exit(0)
    os.close(writing)
    got = os.read(reading, 400).decode()
    os.close(reading)
    os.waitpid(child, 0)
    return got


def main() -> None:
    facts = json.loads(Path(sys.argv[1]).read_text())
    facts["inherited"] = [name for name in os.listdir("/proc/self/fd") if int(name) > 2 and os.path.exists(f"/proc/self/fd/{name}")]
    results = {}
    for name, (form, function) in WAYS.items():
        if name in facts["only"] if facts["only"] else form in ("both", facts["form"]):
            results[name] = attempt(function, facts)
    Path(sys.argv[2]).write_text(json.dumps(results))
    print(len(results), "ways tried")


if __name__ == "__main__":
    main()
