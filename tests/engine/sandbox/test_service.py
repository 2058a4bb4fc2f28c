"""The sandbox as a service: what it can hold, what it refuses, what it leaves."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.home.layout import Home
from crewlab.engine.sandbox import Policy, Sandbox, SandboxRefused, bubblewrap, form_of, launcher, service
from crewlab.engine.sandbox import system as system_module
from crewlab.engine.sandbox.kernels import PORT_KEYS, listening
from crewlab.engine.sandbox.watch import Limits, free_bytes
from crewlab.engine.texts import LANGUAGES, Texts

FORMS = ("closed", "write_limited")
SECONDS = 60.0
EN = Texts("en")


@pytest.fixture
def ground() -> Iterator[Path]:
    """A folder that a sandbox does not hide by its own ``/tmp``."""
    folder = Path(tempfile.mkdtemp(prefix="crewlab-test-", dir=Path.home()))
    yield folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
async def sandbox(ground: Path) -> AsyncIterator[Sandbox]:
    box = new(ground)
    yield box
    await box.close()


def new(ground: Path, environ: dict[str, str] | None = None, **more: Any) -> Sandbox:
    home = Home(ground / "home")
    home.ensure()
    return Sandbox(home, {"PATH": os.environ["PATH"], "HOME": str(Path.home())} if environ is None else environ, EN, **more)


def policy(ground: Path, form: Any = "closed", *paths: str, **more: Any) -> Policy:
    return Policy(form, more.pop("workspace", ground / "home" / "workspace"), more.pop("owner", "default"), paths, **more)


async def run(box: Sandbox, policy: Policy, line: str, seconds: float = SECONDS) -> tuple[int, str]:
    done = await box.run(policy, ("/bin/bash", "-c", line), seconds)
    return done.exit_code, done.output.parts()[0]


@pytest.mark.spec("SHL-43", "SHL-45", "SHL-54")
@pytest.mark.parametrize(
    ("network", "paths", "form"),
    [(True, None, None), (True, (), "write_limited"), (True, ("a",), "write_limited"), (False, None, "closed"), (False, (), "closed")],
)
def test_which_keys_ask_for_which_form(network: bool, paths: tuple[str, ...] | None, form: str | None) -> None:
    assert form_of(network, paths) == form


@pytest.mark.spec("SHL-66", "SHL-88")
async def test_both_forms_are_tried_once_and_work_here(sandbox: Sandbox) -> None:
    await sandbox.ready()
    state = sandbox.state
    assert (state.system, state.closed, state.write_limited, state.why) == ("linux", True, True, "")


@pytest.mark.spec("SHL-60", "SHL-66", "SHL-88")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_without_bubblewrap_every_command_is_refused_and_told_what_to_install(language: Any, ground: Path) -> None:
    box = Sandbox(Home(ground / "home"), {"PATH": str(ground)}, Texts(language))
    await box.ready()
    assert (box.state.closed, box.state.write_limited) == (False, False)
    assert "bubblewrap" in box.state.why
    for form in FORMS:
        with pytest.raises(SandboxRefused, match="bubblewrap"):
            await run(box, policy(ground, form), "touch x")
    await box.close()


@pytest.mark.spec("SHL-60", "SHL-66")
async def test_a_kernel_that_refuses_namespaces_is_named_and_nothing_runs(ground: Path) -> None:
    (ground / "bin").mkdir()
    (ground / "bin" / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (ground / "bin" / "bwrap").chmod(0o755)
    box = new(ground, {"PATH": f"{ground}/bin:{os.environ['PATH']}"})
    await box.ready()
    assert box.state.why.startswith("The kernel refuses new namespaces")
    assert "No permissions to create new namespace" in box.state.why
    for form in FORMS:
        with pytest.raises(SandboxRefused, match="refuses new namespaces"):
            await run(box, policy(ground, form, "out"), "echo ran > out/x")
    assert not (ground / "home" / "workspace" / "out" / "x").exists()


@pytest.mark.spec("SHL-66")
async def test_an_old_kernel_holds_the_closed_form_only(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_module, "landlock_abi", lambda: 3)
    box = new(ground)
    await box.ready()
    assert (box.state.closed, box.state.write_limited) == (True, False)
    assert box.state.why == "The kernel has no Landlock network rules (Linux 6.7 or newer has them); shell_network: false works here."
    assert await run(box, policy(ground), "echo ran") == (0, "ran\n")


@pytest.mark.spec("SHL-60", "SHL-66")
@pytest.mark.parametrize(("system", "word"), [("other", "no sandbox"), ("macos", "sandbox-exec")])
async def test_other_systems_are_refused(system: Any, word: str, ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_module, "PROGRAM", str(ground / "gone"))
    box = new(ground, system=system)
    await box.ready()
    with pytest.raises(SandboxRefused, match=word):
        await run(box, policy(ground), "echo ran")
    assert box.state.system == system


@pytest.mark.spec("SHL-66")
async def test_another_processor_is_refused(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_module, "MACHINES", {})
    with pytest.raises(SandboxRefused, match="x86_64 and aarch64"):
        await run(new(ground), policy(ground), "echo ran")


@pytest.mark.spec("SHL-63")
async def test_on_macos_a_command_runs_under_sandbox_exec_with_its_profile(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_module, "PROGRAM", "/bin/true")
    box = new(ground, {"PATH": "/bin", "TMPDIR": str(ground)}, system="macos")
    box.announce(ports=[8888])
    with box.prepared(policy(ground, "write_limited", "out"), ("/bin/bash", "-c", "true")) as prepared:
        program, flag, text, *command = prepared.command
        assert (program, flag, command, prepared.guarded) == ("/usr/bin/sandbox-exec", "-p", ["/bin/bash", "-c", "true"], True)
        assert prepared.environment == {"PATH": "/bin", "TMPDIR": str(ground)}
        for place in (ground / "home" / "workspace" / "out", ground):
            assert f'(subpath "{place}")' in text.splitlines()[-2]
        assert f'(subpath "{ground}/home/secrets")' in text.splitlines()[-1]
        assert "*:8888" in text


@pytest.mark.spec("SHL-71")
@pytest.mark.parametrize("form", FORMS)
async def test_a_launcher_that_fails_halfway_starts_nothing(
    form: Any, ground: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sandbox.ready()
    broken = ground / "launcher.py"
    broken.write_text(Path(launcher.__file__).read_text().replace("    bind(config)", '    raise OSError(0, "it broke here")'))
    monkeypatch.setattr(bubblewrap, "LAUNCHER", broken)
    with pytest.raises(SandboxRefused, match="not started: sandbox: it broke here"):
        await run(sandbox, policy(ground, form, "out"), "echo ran > out/x")
    assert not (ground / "home" / "workspace" / "out" / "x").exists()


@pytest.mark.spec("SHL-53", "SHL-54")
@pytest.mark.parametrize("form", FORMS)
async def test_an_empty_list_makes_the_workspace_read_only(form: Any, ground: Path, sandbox: Sandbox) -> None:
    code, text = await run(sandbox, policy(ground, form), "touch x; touch /tmp/x && echo fine")
    assert "Read-only file system" in text
    assert text.endswith("fine\n")
    assert code == 0
    assert list((ground / "home" / "workspace").iterdir()) == []


@pytest.mark.spec("SHL-53", "SHL-55")
@pytest.mark.parametrize("form", FORMS)
async def test_a_write_path_is_made_and_can_be_worked_in(form: Any, ground: Path, sandbox: Sandbox) -> None:
    line = "cd out && mkdir -p a b && echo x > a/f && mv a/f b/g && ln b/g b/h && cat b/h && git init -q . 2>/dev/null; echo done"
    assert await run(sandbox, policy(ground, form, "out", "more/deep"), line) == (0, "x\ndone\n")
    assert (ground / "home" / "workspace" / "out" / "b" / "g").read_text() == "x\n"
    assert (ground / "home" / "workspace" / "more" / "deep").is_dir()


@pytest.mark.spec("SHL-55")
async def test_a_write_path_that_leads_out_is_refused_with_its_reason(ground: Path, sandbox: Sandbox) -> None:
    os.symlink(ground, ground / "home" / "workspace" / "out")
    with pytest.raises(SandboxRefused, match="leads out of the workspace"):
        await run(sandbox, policy(ground, "closed", "out"), "echo ran > out/x")
    assert not (ground / "x").exists()


@pytest.mark.spec("SHL-68")
@pytest.mark.parametrize("form", FORMS)
async def test_a_workspace_and_a_home_in_the_machines_tmp_are_seen_and_covered(form: Any, tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    (home.root / "secrets" / "secrets.env").write_text("A=b")
    (tmp_path / "beside.txt").write_text("beside")
    (tmp_path / "home" / "plain.txt").write_text("plain")
    box = Sandbox(home, {"PATH": os.environ["PATH"]}, EN)
    inside = policy(tmp_path, form, "home/workspace/out", workspace=tmp_path)
    code, text = await run(box, inside, "cat home/plain.txt; echo x > home/workspace/out/f; cat home/secrets/secrets.env; echo y > z; ls")
    assert "plain" in text
    assert (home.workspace / "out" / "f").read_text() == "x\n"
    assert "secrets.env: Permission denied" in text
    assert not (tmp_path / "z").exists()
    only = policy(tmp_path, form, workspace=home.workspace)
    code, text = await run(box, only, f"ls {tmp_path}/beside.txt; ls {home.root}/secrets; pwd")
    assert "beside.txt'" in text or "No such file" in text
    assert text.endswith(f"{home.workspace.resolve()}\n")
    assert code == 0


@pytest.mark.spec("SHL-21", "SHL-72")
@pytest.mark.parametrize("form", FORMS)
async def test_each_agent_has_a_temporary_folder_of_its_own_that_stays(form: Any, ground: Path, sandbox: Sandbox) -> None:
    assert await run(sandbox, policy(ground, form), "echo $TMPDIR; echo kept > /tmp/cache; cat /var/tmp/cache") == (0, "/tmp\nkept\n")
    assert await run(sandbox, policy(ground, form), "cat /tmp/cache") == (0, "kept\n")
    assert (await run(sandbox, policy(ground, form, owner="other"), "cat /tmp/cache"))[0] == 1
    folder = ground / "home" / "sandbox-tmp" / "default"
    assert (folder / "cache").read_text() == "kept\n"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    sandbox.forget("default")
    assert not folder.exists()


@pytest.mark.spec("SHL-72")
async def test_temporary_files_that_nobody_touched_for_a_week_go_at_the_start(ground: Path) -> None:
    folder = ground / "home" / "sandbox-tmp" / "a"
    (folder / "old" / "deep").mkdir(parents=True)
    (folder / "used" / "deep").mkdir(parents=True)
    (folder / "new.txt").write_text("x")
    os.symlink(ground, folder / "link")
    week = time.time() - 7 * 24 * 3600 - 60
    for path in (folder / "old" / "deep", folder / "old", folder / "used"):
        os.utime(path, (week, week))
    os.utime(folder / "link", (week, week), follow_symlinks=False)
    await new(ground).ready()
    assert sorted(path.name for path in folder.iterdir()) == ["new.txt", "used"]
    assert ground.is_dir()


@pytest.mark.spec("SHL-78")
@pytest.mark.parametrize("form", FORMS)
async def test_what_was_left_running_ends_with_the_command(form: Any, ground: Path, sandbox: Sandbox) -> None:
    mark = f"crewlab-left-{os.getpid()}-{form}"
    code, text = await run(sandbox, policy(ground, form), f"setsid sh -c 'trap \"\" TERM HUP; sleep 600; true' {mark} & echo started")
    assert (code, text) == (0, "started\n")
    await gone(mark)


@pytest.mark.spec("SHL-10", "SHL-11")
@pytest.mark.parametrize("form", FORMS)
async def test_at_the_timeout_the_shell_inside_is_asked_first(form: Any, ground: Path, sandbox: Sandbox) -> None:
    mark = f"crewlab-late-{os.getpid()}-{form}"
    line = f"trap 'echo asked; exit 0' TERM; echo begun; sh -c 'trap \"\" TERM; sleep 600; true' {mark} & wait"
    for seconds in (1.0, 4.0, 16.0, 64.0):  # longer, until the line came so far
        done = await sandbox.run(policy(ground, form), ("/bin/bash", "-c", line), seconds)
        assert done.timed_out
        if done.output.total:
            break
    assert done.output.parts()[0] == "begun\nasked\n"
    await gone(mark)


@pytest.mark.spec("SHL-11")
async def test_cancelling_ends_what_is_inside(ground: Path, sandbox: Sandbox) -> None:
    mark = f"crewlab-stopped-{os.getpid()}"
    task = asyncio.create_task(run(sandbox, policy(ground), f"sh -c 'sleep 600; true' {mark}"))
    await until(lambda: any(line.startswith(b"sh\0") for line in marked(mark)))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await gone(mark)


@pytest.mark.spec("SBX-6")
async def test_too_many_processes_end_the_command(ground: Path) -> None:
    box = new(ground, limits=Limits(processes=40))
    mark = f"crewlab-many-{os.getpid()}"
    done = await box.run(
        policy(ground), ("/bin/bash", "-c", f"for i in $(seq 80); do sh -c 'sleep 600; true' {mark} & done; wait"), SECONDS
    )
    assert done.stopped == "processes"
    await gone(mark)
    few = await box.run(policy(ground), ("/bin/bash", "-c", "for i in $(seq 20); do sleep 1 & done; wait; echo fine"), SECONDS)
    assert (few.stopped, few.output.parts()[0]) == (None, "fine\n")


@pytest.mark.spec("SBX-6")
async def test_a_command_that_fills_the_disk_is_ended_and_its_temporary_files_go(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crewlab.engine.sandbox.watch.free_bytes", lambda folder: free(folder))
    full = ground / "home" / "sandbox-tmp" / "default" / "full"

    def free(folder: Path) -> int | None:  # the disk of the test is not really filled: what the file takes counts a thousand times
        taken = full.stat().st_size if full.exists() else 0
        return (free_bytes(folder) or 0) - taken * 1000

    box = new(ground, limits=Limits(free_bytes=(free_bytes(ground) or 0) // 4))
    line = "while true; do head -c 1000000 /dev/zero >> /tmp/full; done"
    done = await box.run(policy(ground), ("/bin/bash", "-c", line), SECONDS * 4)
    assert done.stopped == "disk"
    assert not full.exists()


@pytest.mark.spec("SHL-77")
@pytest.mark.parametrize("form", FORMS)
async def test_programs_that_ask_others_to_act_are_blocked_by_name(form: Any, ground: Path) -> None:
    (ground / "bin").mkdir()
    for name in (*bubblewrap.BLOCKED_PROGRAMS, "harmless"):
        (ground / "bin" / name).write_text("#!/bin/sh\necho ran\n")
        (ground / "bin" / name).chmod(0o755)
    box = new(ground, {"PATH": f"{ground}/bin:{os.environ['PATH']}"})
    lines = "; ".join(f"echo {name} $({name} 2>&1 | tail -1)" for name in bubblewrap.BLOCKED_PROGRAMS)
    code, text = await run(box, policy(ground, form), f"{lines}; harmless")
    *blocked, last = text.splitlines()
    assert (code, last, len(blocked)) == (0, "ran", 18)
    assert all(line.endswith("Permission denied") for line in blocked), blocked


@pytest.mark.spec("SHL-57", "SHL-58")
@pytest.mark.parametrize("form", FORMS)
async def test_what_the_host_announces_is_covered_files_and_folders_and_through_links(form: Any, ground: Path, sandbox: Sandbox) -> None:
    (ground / "runtime").mkdir()
    (ground / "runtime" / "token.json").write_text("secret")
    (ground / "password.json").write_text("secret")
    os.symlink(ground / "runtime", ground / "home" / "workspace" / "link")
    sandbox.announce(secrets=[ground / "runtime", ground / "password.json", ground / "gone"])
    reads = f"cat {ground}/runtime/token.json; cat link/token.json; cat {ground}/password.json; ls link"
    line = f"{reads}; echo x > {ground}/password.json; chmod 700 link"
    code, text = await run(sandbox, policy(ground, form), line)
    assert code == 1
    assert "secret" not in text
    assert text.count("Permission denied") + text.count("Read-only file system") >= 6
    assert (ground / "password.json").read_text() == "secret"


@pytest.mark.spec("SBX-11")
async def test_no_command_hears_what_a_kernel_prints(ground: Path, sandbox: Sandbox) -> None:
    runtime = ground / "runtime"
    runtime.mkdir()
    sandbox.announce(secrets=[runtime])
    with socket.create_server(("127.0.0.1", 0)) as kernel, socket.create_server(("127.0.0.1", 0)) as other:
        ports = {"kernel": kernel.getsockname()[1], "other": other.getsockname()[1]}
        tries = "; ".join(f"(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo {name}" for name, port in ports.items())
        assert (await run(sandbox, policy(ground, "write_limited"), f"{tries}; true"))[1].split() == ["kernel", "other"]
        (runtime / "kernel-7.json").write_text(json.dumps({"iopub_port": ports["kernel"], "key": "k", "hb_port": 0}))
        (runtime / "kernel-8.json").write_text("half a file {")  # being written
        os.mkfifo(runtime / "kernel-9.json")
        assert (await run(sandbox, policy(ground, "write_limited"), f"{tries}; true"))[1].split() == ["other"]


@pytest.mark.spec("SBX-11")
def test_which_ports_connection_files_name(tmp_path: Path) -> None:
    (tmp_path / "kernel-1.json").write_text(json.dumps({key: 5000 + at for at, key in enumerate(PORT_KEYS)} | {"ip": "127.0.0.1"}))
    (tmp_path / "jpserver-1.json").write_text(json.dumps({"port": 8889, "shell_port": True, "hb_port": "5999"}))
    (tmp_path / "kernel-2.json").write_text(json.dumps({"shell_port": 443, "iopub_port": 70000, "stdin_port": -1}))
    (tmp_path / "kernel-3.json").write_text("[1]")
    (tmp_path / "jpserver-1-open.html").write_text(json.dumps({"port": 6000}))
    assert listening([tmp_path, tmp_path / "gone"]) == (*range(5000, 5006), 8889)


@pytest.mark.spec("SHL-58", "SBX-5")
async def test_a_write_path_that_holds_a_secret_is_refused(ground: Path, sandbox: Sandbox) -> None:
    secret = ground / "home" / "workspace" / "out" / "deep" / "runtime"
    sandbox.announce(secrets=[secret])
    assert (await run(sandbox, policy(ground, "closed", "out"), "true"))[0] == 0
    secret.mkdir(parents=True)  # it could be moved away with its parent, and found there by the next command
    with pytest.raises(SandboxRefused, match="own files"):
        await run(sandbox, policy(ground, "closed", "out"), "true")


@pytest.mark.spec("SHL-68", "SHL-72", "SBX-5")
async def test_links_that_a_command_leaves_in_its_tmp_lead_the_next_one_nowhere(ground: Path, request: pytest.FixtureRequest) -> None:
    home = Home(ground / "home")
    home.ensure()
    top = Path(tempfile.mkdtemp(dir="/tmp"))
    request.addfinalizer(lambda: shutil.rmtree(top))
    workspace = top / "deep" / "workspace"
    workspace.mkdir(parents=True)
    box = Sandbox(home, {"PATH": os.environ["PATH"]}, EN)
    mine = policy(ground, workspace=workspace)
    assert await run(box, mine, "pwd") == (0, f"{workspace.resolve()}\n")
    folder = home.root / "sandbox-tmp" / "default" / top.name
    assert list(folder.iterdir()) == []
    for link in (f"../../oldroot{ground}", "../.." + str(ground), str(ground)):
        folder.rmdir() if not folder.is_symlink() else folder.unlink()
        folder.symlink_to(link)
        with pytest.raises(SandboxRefused):
            await run(box, mine, "pwd")
        assert [path.name for path in ground.iterdir()] == ["home"]
    folder.unlink()
    assert (await run(box, mine, "pwd"))[0] == 0


@pytest.mark.spec("SHL-73", "SHL-74")
async def test_run_is_empty_but_for_the_resolver_where_the_network_stays(
    ground: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = Path(f"/run/crewlab-test-{os.getpid()}.conf")
    resolver.write_text("nameserver 192.0.2.1\n")
    try:
        monkeypatch.setattr(bubblewrap, "RESOLVER", resolver)
        assert await run(sandbox, policy(ground, "closed"), "ls -A /run; touch /run/x 2>/dev/null || echo kept") == (0, "kept\n")
        code, text = await run(sandbox, policy(ground, "write_limited"), f"ls -A /run; cat {resolver}")
        assert (code, text) == (0, f"{resolver.name}\nnameserver 192.0.2.1\n")
    finally:
        resolver.unlink()


@pytest.mark.spec("TIER-22")
async def test_a_kernel_may_make_sockets_in_an_empty_network(ground: Path, sandbox: Sandbox) -> None:
    program = (
        "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname()); "
        "u = socket.socket(socket.AF_UNIX); u.bind('/tmp/s'); print('fine', flush=True); socket.create_connection(('127.0.0.1', {port}), 3)"
    )
    listener = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    line = f'{os.path.realpath(sys.executable)} -c "{program.format(port=port)}"'
    code, text = await run(sandbox, policy(ground, own_sockets=True), line)
    listener.close()
    assert code == 1
    assert text.startswith("fine\n")
    assert "refused" in text.splitlines()[-1]


@pytest.mark.spec("SHL-67", "SBX-2")
async def test_a_server_run_by_root_gives_its_commands_no_power(ground: Path, sandbox: Sandbox) -> None:
    look = "grep -E '^(CapEff|CapPrm|CapInh|CapAmb|NoNewPrivs)' /proc/self/status"
    line = f"{look}; mount -o remount,rw / ; echo core > /proc/sys/kernel/core_pattern"
    code, text = await run(sandbox, policy(ground, "write_limited"), line)
    assert code == 1
    assert text.splitlines()[:5] == [f"{name}:\t{'0' * 16}" for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")] + ["NoNewPrivs:\t1"]
    assert "core_pattern: Read-only file system" in text


@pytest.mark.spec("SHL-81")
def test_the_server_closes_itself_to_other_processes_of_its_user() -> None:
    # root reads everything, so the two play an ordinary user
    user = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    python = os.path.realpath("/usr/bin/python3") if os.path.exists("/usr/bin/python3") else sys.executable
    source = Path(system_module.__file__).read_text()
    start = source.index("def close_to_others")
    program = f"import ctypes, logging, os, sys\nlog = logging.getLogger()\nPR_SET_DUMPABLE = 4\n{source[start:]}\n"
    server = subprocess.Popen(
        [python, "-I", "-c", program + "print(close_to_others(), flush=True)\nsys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"SECRET": "x"},
        **user,  # type: ignore[call-overload]
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"True\n"
    reader = [python, "-I", "-c", f"open('/proc/{server.pid}/environ').read()"]
    done = subprocess.run(reader, capture_output=True, text=True, **user)  # type: ignore[call-overload]
    server.communicate()
    assert "Permission denied" in done.stderr


def marked(mark: str) -> list[bytes]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if mark.encode() in line:
            found.append(line)
    return found


async def until(what: Any) -> None:
    async with asyncio.timeout(SECONDS):
        while not what():
            await asyncio.sleep(0.02)


async def gone(mark: str) -> None:
    await until(lambda: not marked(mark))


def test_a_start_is_remembered_by_this_process() -> None:
    assert all(form in FORMS for _, form in service._worked)


async def test_many_commands_leave_no_descriptor_open(ground: Path, sandbox: Sandbox) -> None:
    async def some() -> None:
        assert (await run(sandbox, policy(ground, "closed", "out"), "true"))[0] == 0
        with pytest.raises(SandboxRefused):
            await run(sandbox, policy(ground, "closed", "/etc"), "true")

    await some()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(4):
        await some()
    assert len(os.listdir("/proc/self/fd")) <= before


LEFT = """
import subprocess, sys
made = subprocess.Popen([sys.argv[1], "-c", "sleep 600; :", sys.argv[2]], executable="/bin/sh", start_new_session=True,
                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(made.pid)
"""


@pytest.mark.spec("SBX-10", "SHL-11")
async def test_what_a_killed_server_left_is_ended_and_nothing_else(ground: Path) -> None:
    box = new(ground)
    program = shutil.which("bwrap") or ""

    def left(home: str) -> int:
        """As bubblewrap leaves it: its name, its arguments, and no parent of ours."""
        place = f"{ground}/{home}/sandbox-tmp/default"
        return int(subprocess.run([sys.executable, "-c", LEFT, program, place], capture_output=True, check=True, timeout=30).stdout)

    ours, other = left("home"), left("home2")
    words = [program, "-c", "sleep 600; :", f"{ground}/home/sandbox-tmp/default"]
    own = subprocess.Popen(words, executable="/bin/sh", start_new_session=True)
    try:
        box.start()
        await box.ready()
        assert not Path(f"/proc/{ours}").exists() or Path(f"/proc/{ours}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        assert Path(f"/proc/{other}/cmdline").read_bytes()
        assert own.poll() is None
    finally:
        for pid in (ours, other, own.pid):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
        own.wait()
        await box.close()
