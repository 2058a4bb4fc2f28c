"""Ways out of the shell's sandbox, tried through a real Jupyter server: none succeeds, nothing stays behind (SHL-62).

The server is a child of this test, with agents of both forms; each agent's model calls ``shell_run`` once and that command tries
every way of ``ways_out.py``. An agent without a sandbox tries some of them as well, so that a way that could not succeed anywhere
is noticed.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from tornado.testing import bind_unused_port

from tests.drills import ways_out
from tests.fixtures.source import ROOT

pytestmark = pytest.mark.timeout(900)

TOKEN = "drill-token-5b1f9c"
CANARY = "drill-canary-77aa01"
MARK = "crewlab-drill-mark"
FORMS = ("closed", "limited")
START_SECONDS = 90.0
TURN_SECONDS = 650.0
GONE_SECONDS = 60.0
POLL_SECONDS = 0.05
SHARED_KEY = 0x63726577
IPC_CREAT, IPC_RMID = 0o1000, 0
SCRIPT = """
turns:
  - match: 'run ([\\s\\S]+)'
    rounds:
      - - call: shell_run
          arguments: {command: '{1}', timeout_s: 600}
      - - text: '{result}'
"""
SHELLS = {"closed": "shell_network: false\nshell_write_paths: [out]\n", "limited": "shell_write_paths: [out]\n", "open": "", "other": ""}
CONTROL = tuple(  # without a sandbox these succeed, so the sandbox is what holds them
    """
    tcp_v4 tcp_v4_mapped udp unix_path unix_abstract listen_v4 listen_unix own_port_v4 own_port_other_loopback
    own_port_by_name own_port_bash own_port_script_written_first own_port_built_in_shell own_port_non_blocking
    write_workspace write_above write_dots write_absolute write_link write_link_to_file write_proc_cwd write_proc_root
    write_persona write_through_new_link write_through_descriptor write_through_descriptor_path reopen_for_writing
    rename_out change_mode change_times map_shared named_pipe signal_server shared_memory shared_memory_system_v read_keys
    read_keys_link read_keys_proc read_browser read_store read_other_agent read_other_spill read_token read_kernel_key
    read_cookie_secret read_password read_server_arguments list_runtime list_secrets token_by_search
    """.split()  # noqa: SIM905
)


@dataclass
class Drill:
    """The ground on which everything lies (outside ``/tmp``, which a sandbox hides), and what was found."""

    ground: Path
    client: httpx.Client
    server: subprocess.Popen[bytes]
    facts: dict[str, Any]
    log: Path
    pipe: int
    heard: list[str] = field(default_factory=list)
    results: dict[str, dict[str, str]] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    def workspace(self, agent: str) -> Path:
        return self.ground / "home" / "agents" / agent / "workspace"

    def run(self, agent: str, command: str) -> str:
        """What the agent's ``shell_run`` answered."""
        answer = self.client.post("inbound", json={"text": f"run {command}", "agent": agent}, timeout=TURN_SECONDS)
        assert answer.status_code == 200, (answer.text, self.log.read_text()[-2000:])
        conversation = self.client.get(f"conversations/{answer.json()['conversation_id']}").json()
        return next(str(message["content"]) for message in conversation["messages"] if message["role"] == "tool")

    def attempt(self, agent: str, only: tuple[str, ...] = ()) -> None:
        """Let the agent try every way."""
        here = self.workspace(agent)
        (here / "facts.json").write_text(json.dumps({**self.facts, "form": agent, "only": only}))
        program = os.path.realpath(sys.executable)
        self.answers[agent] = self.run(agent, f"{program} ways_out.py facts.json out/results.json")
        assert (here / "out/results.json").is_file(), self.answers[agent]
        self.results[agent] = json.loads((here / "out/results.json").read_text())


def marked() -> list[str]:
    """The processes on this machine that carry the mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if MARK.encode() in line and int(path.parent.name) != os.getpid():
            found.append(line.replace(b"\0", b" ").decode())
    return found


def until(what: Callable[[], object], seconds: float = GONE_SECONDS) -> None:
    """Wait at the machine's own pace."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(POLL_SECONDS)


def furnish(ground: Path) -> None:
    """The home with its agents, things that must stay as they are, and links that lead out."""
    home = ground / "home"
    for name, shell in SHELLS.items():
        workspace = home / "agents" / name / "workspace"
        (workspace / "out").mkdir(parents=True)
        (workspace / ".git" / "hooks").mkdir(parents=True)
        (home / "agents" / name / "agent.yaml").write_text(f"autonomous: true\ntool_output_chars: 20000\nshell_ask_patterns: []\n{shell}")
        shutil.copy(ways_out.__file__, workspace / "ways_out.py")
        os.symlink(ground / "outside", workspace / "out" / "leads-up")
        os.symlink(ground / "outside" / "kept.txt", workspace / "out" / "leads-to-kept")
        os.symlink(home / "secrets", workspace / "out" / "leads-to-secrets")
    for folder in ("outside", "person/.ssh", "person/.config/autostart", "person/.config/systemd/user", "config", "data", "runtime"):
        (ground / folder).mkdir(parents=True)
    for folder in ("browser", "secrets", "desktop", "spill/cv_other", "sandbox-tmp/other"):
        (home / folder).mkdir(parents=True)
    (ground / "outside" / "kept.txt").write_text("kept")
    (home / "secrets" / "secrets.env").write_text(f"SOME_KEY={CANARY}\n")
    (home / "browser" / "Cookies").write_text(CANARY)
    (home / "spill" / "cv_other" / "x.txt").write_text(CANARY)
    (home / "agents" / "other" / "workspace" / "private.txt").write_text(CANARY)
    (ground / "config" / "jupyter_server_config.json").write_text(json.dumps({"X": {"password": CANARY}}))
    (ground / "script.yaml").write_text(SCRIPT)


@pytest.fixture(scope="module")
def drill() -> Iterator[Drill]:
    ground = Path(tempfile.mkdtemp(prefix="crewlab-drill-", dir=Path.home()))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, ground, ignore_errors=True)
        furnish(ground)
        facts = surroundings(stack, ground)
        log = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "log.txt"
        spare, port = bind_unused_port()
        spare.close()
        server = start(stack, ground, port, log)
        base = f"http://127.0.0.1:{port}/crewlab/api/"
        client = stack.enter_context(httpx.Client(base_url=base, headers={"Authorization": f"token {TOKEN}"}))
        until(lambda: up(server, client, log), START_SECONDS)
        kernel = client.post(f"http://127.0.0.1:{port}/api/kernels", json={"name": "python3"}, timeout=START_SECONDS).json()["id"]
        facts |= {
            "server_port": port,
            "server_pid": server.pid,
            "server_file": str(ground / "runtime" / f"jpserver-{server.pid}.json"),
            "kernel_file": str(ground / "runtime" / f"kernel-{kernel}.json"),
            "cookie_file": str(ground / "runtime" / "jupyter_cookie_secret"),
        }
        for name in ("server_file", "kernel_file", "cookie_file"):
            assert Path(facts[name]).is_file(), name
        drill = Drill(ground, client, server, facts, log, facts.pop("pipe_descriptor"))
        before = kept(ground)
        for form in FORMS:
            drill.attempt(form)
        drill.results["changed"] = {path: "changed" for path in before.items() ^ kept(ground).items() for path in path[:1]}
        yield drill


def start(stack: ExitStack, ground: Path, port: int, log: Path) -> subprocess.Popen[bytes]:
    names = {f"JUPYTER_{name.upper()}_DIR": str(ground / name) for name in ("config", "data", "runtime")}
    environ = {**os.environ, **names, "HOME": str(ground / "person"), "CREWLAB_HOME": str(ground / "home"), "PYTHONPATH": str(ROOT)}
    environ |= {"CREWLAB_ROUTES": f"fake:script:{ground}/script.yaml", "SOME_API_KEY": CANARY}
    command = [
        *(sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root", f"--ServerApp.port={port}"),
        *(f"--IdentityProvider.token={TOKEN}", "--ServerApp.jpserver_extensions={'crewlab': True}", f"--ServerApp.root_dir={ground}"),
    ]
    output = stack.enter_context(log.open("ab"))
    server = subprocess.Popen(command, env=environ, cwd=ground, stdout=output, stderr=subprocess.STDOUT)
    stack.callback(server.wait)
    stack.callback(server.kill)
    return server


def up(server: subprocess.Popen[bytes], client: httpx.Client, log: Path) -> bool:
    assert server.poll() is None, log.read_text()
    try:
        return client.get("version", timeout=START_SECONDS).status_code == 200
    except httpx.TransportError:
        return False


def surroundings(stack: ExitStack, ground: Path) -> dict[str, Any]:
    """Listeners, a named pipe, shared memory: what a way out could reach."""
    tcp = stack.enter_context(socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True))
    udp = stack.enter_context(socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))
    udp.bind(("::", 0))
    unix = stack.enter_context(socket.socket(socket.AF_UNIX))
    unix.bind(str(ground / "outside" / "s"))
    unix.listen()
    abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
    abstract.bind(f"\0{MARK}-{os.getpid()}")
    abstract.listen()
    desktop = stack.enter_context(socket.socket(socket.AF_UNIX))
    desktop.bind(str(ground / "home" / "desktop" / "sock"))
    desktop.listen()
    os.mkfifo(ground / "outside" / "pipe")
    pipe = os.open(ground / "outside" / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    stack.callback(os.close, pipe)
    memory = Path(f"/dev/shm/{MARK}-{os.getpid()}")
    memory.write_text(CANARY)
    stack.callback(memory.unlink, missing_ok=True)
    libc = ctypes.CDLL(None)
    segment, queue = libc.shmget(SHARED_KEY, 64, IPC_CREAT | 0o600), libc.msgget(SHARED_KEY, IPC_CREAT | 0o600)
    stack.callback(libc.shmctl, segment, IPC_RMID, None)
    stack.callback(libc.msgctl, queue, IPC_RMID, None)
    return {
        "ground": str(ground),
        "outside": str(ground / "outside"),
        "home": str(ground / "home"),
        "person": str(ground / "person"),
        "config": str(ground / "config"),
        "runtime": str(ground / "runtime"),
        "site": sysconfig.get_path("purelib"),
        "tcp_port": tcp.getsockname()[1],
        "udp_port": udp.getsockname()[1],
        "unix_path": str(ground / "outside" / "s"),
        "abstract": f"{MARK}-{os.getpid()}",
        "own_address": own_address(),
        "pipe": str(ground / "outside" / "pipe"),
        "pipe_descriptor": pipe,
        "mark": MARK,
        "shared_key": SHARED_KEY,
        "canaries": [TOKEN, CANARY],
    }


def own_address() -> str:
    """An address of this machine; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.3"
        return str(sock.getsockname()[0])


def kept(ground: Path) -> dict[str, bytes]:
    """What no command may change, with its content and mode: everything but the write path, the store and Jupyter's own files."""
    found = {}
    for path in sorted(ground.rglob("*")):
        inside = str(path.relative_to(ground))
        moving = inside.startswith(("home/crew.db", "runtime/", "data/", "person/.local", "person/.cache", "person/.ipython"))
        if moving or "/workspace/out" in inside or "home/sandbox-tmp" in inside or path.name == "facts.json" or not path.is_file():
            continue
        found[inside] = b"%o " % path.stat().st_mode + path.read_bytes()
    return found


HELD = [(form, name) for form in FORMS for name, (where, _) in ways_out.WAYS.items() if where in ("both", form)]


@pytest.mark.spec("SHL-47", "SHL-48", "SHL-49", "SHL-50", "SHL-51", "SHL-52", "SHL-53", "SHL-56", "SHL-57", "SHL-58", "SHL-59", "SHL-62")
@pytest.mark.spec(
    "SHL-67", "SHL-69", "SHL-70", "SHL-74", "SHL-75", "SHL-76", "SHL-77", "SHL-79", "SHL-80", "SBX-1", "SBX-2", "SBX-3", "SBX-4"
)
@pytest.mark.parametrize(("form", "name"), HELD)
def test_no_way_leads_out(drill: Drill, form: str, name: str) -> None:
    assert drill.results[form][name] == "", name


def test_there_are_at_least_sixty_ways_in_each_form() -> None:
    assert min(sum(form == each for form, _ in HELD) for each in FORMS) >= 60


def test_nothing_outside_the_write_path_has_changed(drill: Drill) -> None:
    assert drill.results["changed"] == {}
    assert os.read(drill.pipe, 100) == b""
    assert drill.server.poll() is None
    assert drill.client.get("version").status_code == 200


@pytest.mark.spec("SHL-78")
def test_no_process_stays_behind(drill: Drill) -> None:
    assert drill.answers["closed"].endswith("ways tried\n")
    until(lambda: not marked())


@pytest.mark.spec("SHL-45", "SHL-46", "SHL-73")
def test_in_the_write_limited_form_the_rest_of_the_network_stays(drill: Drill) -> None:
    program = "import socket; socket.create_connection(('127.0.0.1', {tcp_port})); socket.getaddrinfo('localhost', 80); print('there')"
    line = f'{os.path.realpath(sys.executable)} -c "{program.format(**drill.facts)}"'
    assert drill.run("limited", line) == "there\n"


@pytest.mark.spec("SHL-59")
def test_the_ways_are_real_without_a_sandbox_they_succeed(drill: Drill) -> None:
    drill.attempt("open", CONTROL)
    assert [name for name in CONTROL if not drill.results["open"][name]] == []


@pytest.mark.spec("SHL-11", "SBX-7")
def test_commands_end_with_a_server_that_is_killed(drill: Drill) -> None:
    line = f"sh -c 'sleep 600; true' {MARK} & sh -c 'sleep 600; true' {MARK}"
    requests = [
        subprocess.Popen([sys.executable, "-c", POST, str(drill.client.base_url), TOKEN, agent, f"run {line}"], stderr=subprocess.DEVNULL)
        for agent in ("closed", "limited", "open")
    ]
    until(lambda: len([one for one in marked() if one.startswith("sh ")]) >= 6)
    drill.server.send_signal(signal.SIGKILL)
    drill.server.wait()
    for request in requests:
        request.wait()
    until(lambda: not marked())


POST = """
import httpx, sys
url, token, agent, text = sys.argv[1:]
httpx.post(url + "inbound", headers={"Authorization": "token " + token}, json={"agent": agent, "text": text}, timeout=None)
"""
