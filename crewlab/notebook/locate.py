"""Finding the server this notebook belongs to (UI-143). The token is kept out of every text and ``repr``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qs, urlsplit, urlunsplit

from crewlab.notebook.errors import CrewError, ServerGone
from crewlab.notebook.words import say

URL_VARIABLE = "CREWLAB_SERVER_URL"  # UI-143
TOKEN_VARIABLE = "CREWLAB_SERVER_TOKEN"
MAX_ANCESTORS = 64  # a chain of processes longer than this is not a kernel's
PAGES = ("lab", "tree", "notebooks", "doc", "consoles")  # pages of Jupyter that people copy from the address bar


@dataclass(frozen=True, slots=True)
class Server:
    """Where a Jupyter server with crewlab answers. ``url`` ends without a slash; the token never shows."""

    url: str
    token: str | None = field(default=None, repr=False)
    pid: int | None = field(default=None, repr=False, compare=False)


def parse_address(url: str, token: str | None = None) -> Server:
    """A server from what a person pasted: a base URL, or the address of a page, with or without ``?token=``."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise CrewError("bad_url", 0, say("bad_url", url=_without_secret(url)))
    found = parse_qs(parts.query).get("token", [None])[0]
    path = [piece for piece in parts.path.split("/") if piece]
    for index, piece in enumerate(path):
        if piece in PAGES:
            path = path[:index]
            break
    host = parts.netloc.rpartition("@")[2]
    base = urlunsplit((parts.scheme, host, "/" + "/".join(path) if path else "", "", ""))
    return Server(base, token or found or None)


def _without_secret(url: str) -> str:
    return url.split("?", 1)[0].rpartition("@")[2]


def running_servers(runtime_dir: Path) -> list[Server]:
    """The servers of this user that have left a file in Jupyter's runtime folder; unreadable files are passed over."""
    servers = []
    for path in sorted(runtime_dir.glob("jpserver-*.json")):
        try:
            if hasattr(os, "getuid") and path.stat().st_uid != os.getuid():
                continue
            info = json.loads(path.read_text(encoding="utf-8"))
            server = parse_address(str(info["url"]), str(info.get("token") or "") or None)
            servers.append(Server(server.url, server.token, int(info["pid"])))
        except (OSError, ValueError, KeyError, TypeError, CrewError):
            continue  # written just now, stale or on a Unix socket: another one, or an error that names what was found
    return servers


def ancestors(environ: Mapping[str, str]) -> list[int]:
    """Process ids from this process's parent upwards, and the parent Jupyter names (``JPY_PARENT_PID``), nearest first."""
    named = environ.get("JPY_PARENT_PID", "")
    chain = [int(named)] if named.isdigit() else []
    pid = os.getppid()
    while pid > 1 and pid not in chain[1:] and len(chain) < MAX_ANCESTORS:
        chain.append(pid)
        pid = _parent(pid)
    return chain


def _parent(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(stat.rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        pass  # no /proc here (macOS, Windows): ask psutil, which comes with ipykernel
    try:
        psutil = import_module("psutil")
    except ImportError:
        return 0
    try:
        return int(psutil.Process(pid).ppid())
    except psutil.Error:
        return 0


def jupyter_runtime() -> Path | None:
    """Jupyter's runtime folder, or None where Jupyter is not installed."""
    try:
        from jupyter_core.paths import jupyter_runtime_dir
    except ImportError:
        return None
    return Path(jupyter_runtime_dir())


def locate(
    url: str | None = None,
    token: str | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    servers: Callable[[], Sequence[Server]] | None = None,
    parents: Iterable[int] | None = None,
    answers: Callable[[Server], bool] | None = None,
) -> Server:
    """The server to talk to, first that works: arguments, environment, a server above this kernel, the only one that answers.

    Raises ``CrewError`` (``several_servers``) when more than one answers, ``ServerGone`` (``no_server``) when none does.
    The last four arguments stand in for the machine in tests.
    """
    env = os.environ if environ is None else environ
    address = url or env.get(URL_VARIABLE)
    if address:
        return parse_address(address, token or env.get(TOKEN_VARIABLE) or None)
    found = list(servers() if servers else _found())
    by_pid = {server.pid: server for server in found}
    for pid in ancestors(env) if parents is None else parents:
        if pid in by_pid:
            return _with_token(by_pid[pid], token)
    alive = [server for server in found if (answers or answers_version)(server)]
    if len(alive) == 1:
        return _with_token(alive[0], token)
    if alive:
        urls = [server.url for server in alive]
        raise CrewError("several_servers", 0, say("several_servers", urls=", ".join(urls)), urls=urls)
    raise ServerGone(say("no_server"), code="no_server")


def _with_token(server: Server, token: str | None) -> Server:
    return Server(server.url, token or server.token, server.pid)


def _found() -> list[Server]:
    folder = jupyter_runtime()
    return running_servers(folder) if folder else []


def answers_version(server: Server) -> bool:
    """Whether crewlab answers there: ``GET /crewlab/api/version`` within two seconds."""
    from crewlab.notebook.http import probe

    return probe(server)
