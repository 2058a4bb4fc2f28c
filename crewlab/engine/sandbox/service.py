"""``Sandbox``: one per crew. Knows what the machine can hold and what must stay out of sight; prepares and runs (SHL-42 to SHL-81)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.home.layout import Home
from crewlab.engine.sandbox import bubblewrap, places, seatbelt, temporary
from crewlab.engine.sandbox.environment import command_environment
from crewlab.engine.sandbox.filter import filter_program
from crewlab.engine.sandbox.kernels import listening
from crewlab.engine.sandbox.orphans import end_orphans
from crewlab.engine.sandbox.policy import FORMS, Form, Policy, SandboxRefused
from crewlab.engine.sandbox.process import Finished, run_tree
from crewlab.engine.sandbox.system import Found, System, look, this_system
from crewlab.engine.sandbox.watch import Limits, watcher
from crewlab.engine.texts import Texts

log = logging.getLogger(__name__)

PROBE_SECONDS = 30.0  # SHL-66
_worked: set[tuple[str, Form]] = set()
"""What this process has seen working: a program and a form are tried once."""


@dataclass(frozen=True, slots=True)
class SandboxState:
    """The block ``shell_sandbox`` (SHL-88). ``why``: a sentence for each form that does not work, empty when all do."""

    system: System
    closed: bool
    write_limited: bool
    why: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """A command in its sandbox, ready to be started while its ``with`` block is open."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    cwd: Path
    pass_fds: tuple[int, ...]
    guarded: bool
    ready: int | None
    """Readable, with one byte, once the command was about to run; ``None`` where that is not told."""


class Sandbox:
    """Builds and runs sandboxes. ``announce`` is told by the host what the server's own ports and secrets are."""

    def __init__(
        self, home: Home, environ: Mapping[str, str], texts: Texts, *, system: System | None = None, limits: Limits | None = None
    ) -> None:
        self._home = home
        self._environ = environ
        self._texts = texts
        self._limits = limits or Limits()
        self._found: Found = look(system or this_system(), environ)
        self._ports: tuple[int, ...] = ()
        self._secrets: tuple[Path, ...] = ()
        self._probe: asyncio.Task[None] | None = None

    def announce(self, *, ports: Iterable[int] = (), secrets: Iterable[Path] = ()) -> None:
        """Add the server's own ports (SHL-59) and places that hold its secrets (SHL-57, SHL-58)."""
        self._ports = tuple(dict.fromkeys((*self._ports, *ports)))
        self._secrets = tuple(dict.fromkeys((*self._secrets, *secrets)))

    def start(self) -> None:
        """Clear away what a server before left and try each form once, beside whatever else happens (SBX-10, SHL-66, SHL-72)."""
        self._probe = asyncio.create_task(self._start(), name="crewlab sandbox probe")

    async def close(self) -> None:
        """End the probe, if it still runs."""
        if self._probe is not None:
            self._probe.cancel()
            await asyncio.gather(self._probe, return_exceptions=True)

    async def ready(self) -> None:
        """Wait until each form was tried."""
        if self._probe is None:
            self.start()
        if self._probe is not None:
            await asyncio.shield(self._probe)

    @property
    def state(self) -> SandboxState:
        """What works here, as far as it is known now."""
        why = dict.fromkeys(text for form in FORMS if (text := self.unavailable(form)))
        return SandboxState(self._found.system, not self.unavailable("closed"), not self.unavailable("write_limited"), " ".join(why))

    def unavailable(self, form: Form) -> str | None:
        """Why commands of this form are refused, with what to install; ``None`` when nothing speaks against it (SHL-60)."""
        missing = self._found.missing.get(form)
        return None if missing is None else self._texts(f"sandbox.missing_{missing}", said=self._found.said.get(form, ""))

    def check(self, policy: Policy) -> str | None:
        """Why this policy is certain to be refused, before anybody is asked (GATE-8)."""
        reason = self.unavailable(policy.form)
        return None if reason is None else self._texts("sandbox.refused", reason=reason)

    @contextlib.contextmanager
    def prepared(self, policy: Policy, command: Sequence[str], *, conversation_id: str | None = None) -> Iterator[Prepared]:
        """``command`` in its sandbox; write paths are resolved and held open meanwhile. Raises ``SandboxRefused``."""
        refusal = self.check(policy)
        if refusal is not None:
            raise SandboxRefused(refusal)
        with contextlib.ExitStack() as stack:
            try:
                guarded = [*places.guarded_files(self._home), *self._secrets, *policy.hidden]
                writable = stack.enter_context(places.opened(policy.workspace, policy.write_paths, guarded))
            except places.BadPlace as problem:
                raise SandboxRefused(self._texts(f"sandbox.{problem}", entries=", ".join(policy.write_paths))) from problem
            secrets = places.crew_secrets(self._home, policy.owner, policy.workspace, conversation_id)
            hidden = tuple(places.outermost([*secrets, *self._secrets, *policy.hidden]))
            if self._found.system == "macos":
                yield self._seatbelt(policy, command, writable, hidden)
                return
            read_end, write_end = os.pipe()
            stack.callback(os.close, read_end)
            stack.callback(os.close, write_end)
            program = stack.enter_context(_in_memory(filter_program(os.uname().machine, bubblewrap.sockets_of(policy))))
            around = bubblewrap.Around(
                program=self._found.program,
                temporary=temporary.folder_of(self._home, policy.owner),
                hidden=hidden,
                ports=self._closed_ports(),
                ready=write_end,
                filter=program,
                path=self._environ.get("PATH", ""),
            )
            yield Prepared(
                command=tuple(bubblewrap.command_line(policy, writable, around, command)),
                environment=command_environment(self._environ, private_tmp=True),
                cwd=Path("/"),
                pass_fds=(write_end, program, *(place.descriptor for place in writable)),
                guarded=False,
                ready=read_end,
            )

    async def run(self, policy: Policy, command: Sequence[str], seconds: float, *, conversation_id: str | None = None) -> Finished:
        """Run ``command`` to its end. Raises ``SandboxRefused`` when it was not started (SHL-60, SHL-71)."""
        await self.ready()
        return await self._run(policy, command, seconds, conversation_id)

    async def _run(self, policy: Policy, command: Sequence[str], seconds: float, conversation_id: str | None = None) -> Finished:
        with self.prepared(policy, command, conversation_id=conversation_id) as prepared:
            watch = watcher(self._limits, (self._home.root, policy.workspace)) if prepared.ready is not None else None
            finished = await run_tree(
                prepared.command,
                cwd=prepared.cwd,
                environment=prepared.environment,
                seconds=seconds,
                guarded=prepared.guarded,
                pass_fds=prepared.pass_fds,
                watch=watch,
            )
            if finished.stopped == "disk":
                await asyncio.to_thread(temporary.empty, self._home, policy.owner)
            started = prepared.ready is None or _said(prepared.ready)
        if not started and not finished.timed_out and finished.stopped is None:
            said = finished.output.parts()[0].strip()[-500:]
            raise SandboxRefused(self._texts("sandbox.not_started", said=said or finished.exit_code))
        return finished

    def forget(self, owner: str) -> None:
        """The agent was removed: its temporary folder goes (SHL-72)."""
        temporary.forget(self._home, owner)

    def _closed_ports(self) -> tuple[int, ...]:
        """The server's own ports and those of the kernels that run now (SHL-59, SBX-11)."""
        return tuple(dict.fromkeys((*self._ports, *listening(self._secrets))))

    def _seatbelt(self, policy: Policy, command: Sequence[str], writable: Sequence[places.Place], hidden: Sequence[Path]) -> Prepared:
        own = [Path(os.path.realpath(self._environ["TMPDIR"]))] if self._environ.get("TMPDIR") else []
        try:
            text = seatbelt.profile(policy.form, [*(place.path for place in writable), *own], hidden, self._closed_ports())
        except ValueError as error:
            raise SandboxRefused(self._texts("sandbox.not_started", said=error)) from error
        environment = command_environment(self._environ)
        return Prepared((seatbelt.PROGRAM, "-p", text, *command), environment, policy.workspace, (), True, None)

    async def _start(self) -> None:
        await asyncio.to_thread(end_orphans, self._found.program, places.sandbox_tmp(self._home))
        await asyncio.to_thread(temporary.remove_old, self._home)
        for form in FORMS:
            if form not in self._found.missing and (self._found.program, form) not in _worked:
                await self._try(form)
        state = self.state
        log.info("sandbox of commands: closed %s, write-limited %s. %s", state.closed, state.write_limited, state.why)

    async def _try(self, form: Form) -> None:
        policy = Policy(form, self._home.workspace, "default")
        try:
            finished = await self._run(policy, ("/bin/sh", "-c", "true"), PROBE_SECONDS)
            said = "" if finished.exit_code == 0 else finished.output.parts()[0]
            worked = finished.exit_code == 0 and not finished.timed_out
        except (SandboxRefused, OSError) as error:
            worked, said = False, str(error)
        if worked:
            _worked.add((self._found.program, form))
        else:
            self._found.missing[form] = "sandbox_exec" if self._found.system == "macos" else "namespaces"
            self._found.said[form] = said.strip().partition("\n")[0][:200]


@contextlib.contextmanager
def _in_memory(data: bytes) -> Iterator[int]:
    """A descriptor from which ``data`` can be read once."""
    reading, writing = os.pipe()  # a filter is far smaller than a pipe holds
    try:
        os.write(writing, data)
    finally:
        os.close(writing)
    try:
        yield reading
    finally:
        os.close(reading)


def _said(ready: int) -> bool:
    os.set_blocking(ready, False)
    try:
        return os.read(ready, 1) == b"1"
    except BlockingIOError:
        return False
