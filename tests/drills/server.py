"""The process that the kill drill kills: a whole crew on a home, with people who write to it without a pause.

Run as a program it imports the engine once and then forks one server per line of its standard input, so that a start
takes milliseconds: ``<mode> <home>`` with mode ``live`` (until it is killed) or ``settle`` (let everything end, then exit
with 0). It answers with lines of a word and a number: ``pid`` and ``exit``, and ``ready`` from the server between them.
What a killed process cannot tell is in logs beside the home, each line written before or after the fact as its name says.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from crewlab.engine.activity_events import RunFrame
from crewlab.engine.crew import Crew, open_crew
from crewlab.engine.errors import CrewError
from crewlab.engine.event import Event
from crewlab.engine.events import STREAM_ONLY
from crewlab.engine.home.layout import Home
from crewlab.engine.models.fake import FakeProvider
from crewlab.engine.tools import hooked
from crewlab.engine.turn.watch import ActivityHub, TurnWatch
from tests.fixtures import invariants

CONVERSATIONS = 4
PATIENCE_SECONDS = 60.0
SCRIPT = """
price: 0.01
turns:
  - match: 'work (\\w+)'
    rounds:
      - - think: 1
        - text: 'I look at {1} first. '
          pieces: 5
        - wait: 0.002
        - call: workspace_list
        - call: workspace_write
          arguments: {path: '{1}/{turn}-{round}-a.txt', content: '{last}'}
        - call: workspace_write
          arguments: {path: '{1}/{turn}-{round}-b.txt', content: b}
      - - text: half
        - wait: 0.002
        - call: workspace_write
          arguments: {path: '{1}/{turn}-{round}-c.txt', content: c}
        - call: workspace_read
          raw: '{"path": '
        - price: null
      - [{text: 'Done with {1}.'}, {wait: 0.001}]
  - match: 'split (\\w+)'
    rounds:
      - - call: delegate
          arguments: {task: 'work {1}left', relay: false}
        - call: delegate
          arguments: {task: 'work {1}right'}
      - [{text: 'Both are back.'}, {wait: 0.001}]
  - match: 'hand (\\w+)'
    rounds: [[{call: delegate, arguments: {task: 'say {1}'}}]]
  - match: 'fall'
    rounds: [[{fail: 'not today', status: 400}]]
  - match: 'break'
    rounds: [[{text: 'half an answer '}, {wait: 0.001}, {fail: gone}]]
  - rounds: [[{text: 'Heard.', pieces: 2}, {wait: 0.001}]]
"""
SECOND = "turns: [{rounds: [[{text: 'the second route answers'}, {price: 0.5}]]}]"
SAYINGS = ("work {name}", "work {name}", "split {name}", "hand {name}", "/steer look again", "later", "fall", "break")


class Log:
    """A file of lines beside the home that survives the process."""

    def __init__(self, home: Path, name: str) -> None:
        self._descriptor = os.open(home.with_name(f"{home.name}.{name}"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(self._descriptor, b"\n\n")  # where a kill tore the last line, it ends here, and an empty one follows

    def write(self, *values: Any) -> None:
        """One line of JSON in one call to the system."""
        os.write(self._descriptor, (json.dumps(values) + "\n").encode())


def read_log(home: Path, name: str, since: int = 0) -> tuple[list[Any], int]:
    """The whole lines of a log after the byte ``since``, and where they end. A line that a kill tore is followed by an empty one."""
    path = home.with_name(f"{home.name}.{name}")
    data = path.read_bytes()[since:] if path.exists() else b""
    lines = data.split(b"\n")[:-1]
    found: list[Any] = []
    for line, following in pairwise([*lines, b"-"]):
        try:
            found += [json.loads(line)] if line else []
        except ValueError:
            assert not following, line
    return found, since + sum(len(line) + 1 for line in lines)


class Careful(FakeProvider):
    """Notes every history that a real provider would not take."""

    def __init__(self, crew: Crew, refused: Log) -> None:
        super().__init__(crew.texts)
        self._refused = refused

    async def stream(self, request: Any, route: Any) -> AsyncIterator[Any]:
        try:
            invariants.check_request(request.messages)
        except AssertionError as error:
            self._refused.write(str(error))
        async for item in super().stream(request, route):
            yield item


def listen(home: Path) -> None:
    """Note effects of tools before they happen, and what is published when it is."""
    effects, told = Log(home, "effects"), Log(home, "told")
    run_tool, publish, run = hooked.run_tool, TurnWatch.publish, ActivityHub.run

    async def counted(tool: Any, arguments: Any, context: Any) -> Any:
        if tool.name in invariants.UNSAFE:
            effects.write(context.conversation_id, context.call_id, arguments["path"])
        return await run_tool(tool, arguments, context)

    def published(self: TurnWatch, conversation_id: str, event: Event) -> None:
        if event.type not in STREAM_ONLY:
            told.write(conversation_id, event.model_dump(mode="json"))
        publish(self, conversation_id, event)

    def ran(self: ActivityHub, one: Any) -> None:
        told.write("", RunFrame(run=one).model_dump(mode="json"))
        run(self, one)

    hooked.run_tool = counted  # type: ignore[assignment]
    TurnWatch.publish = published  # type: ignore[method-assign]
    ActivityHub.run = ran  # type: ignore[method-assign]


async def started(home: Path) -> Crew:
    """The crew on ``home``, with the runs that it continues noted before they take a step."""
    scripts = home.parent
    routes = f"fake:script:{scripts}/first.yaml,fake:script:{scripts}/second.yaml"
    crew = await open_crew(Home(home), environ={"CREWLAB_ROUTES": routes})
    crew.models.plug(Careful(crew, Log(home, "refused")))
    continued = Log(home, "continued")
    await crew.start()
    for turn in crew.host.live.values():
        if turn.run.resumed:
            continued.write(turn.run.id)
    return crew


async def person(crew: Crew, conversation_id: str, number: int, chance: random.Random, home: Path) -> None:
    """Writes without a pause and decides what is asked; notes each message before and after it was taken."""
    trying, taken = Log(home, "trying"), Log(home, "taken")
    while True:
        mark = f"<{os.getpid()}.{number}.{chance.getrandbits(40):x}>"
        text = chance.choice(SAYINGS).format(name=f"w{chance.getrandbits(40):x}")
        trying.write(mark)
        try:
            await crew.inbound.send(conversation_id, f"{text} {mark}", request_id=mark.strip("<>").replace(".", "-"))
            taken.write(mark)
        except CrewError:
            await decide(crew, conversation_id, chance)
        await decide_children(crew, conversation_id, chance)
        await asyncio.sleep(chance.random() * 0.02)


async def decide(crew: Crew, conversation_id: str, chance: random.Random | None = None) -> None:
    """Decide what the conversation asks for, if anything."""
    pending = crew.store.approvals.pending_of(conversation_id)
    if pending is not None and not crew.host.busy(conversation_id):
        await crew.approvals.decide(pending.id, "approve" if chance is None or chance.random() < 0.7 else "deny")


async def decide_children(crew: Crew, conversation_id: str, chance: random.Random | None = None) -> None:
    """Decide what the children of the conversation ask for."""
    for approval in crew.approvals.list(status="pending"):
        child = crew.store.conversations.get(approval.conversation_id)
        if child is not None and child.parent_id == conversation_id:
            await decide(crew, child.id, chance)


def say(what: str, number: int) -> None:
    """One line for the test, in one call."""
    os.write(1, f"{what} {number}\n".encode())


async def live(home: Path) -> None:
    """Serve until killed."""
    crew = await started(home)
    say("ready", os.getpid())
    chance = random.Random(int.from_bytes(os.urandom(8)))
    known = [summary.id for summary in crew.conversations.list()[0]]
    while len(known) < CONVERSATIONS:
        known.append(crew.conversations.create().id)
        crew.conversations.patch(known[-1], {"autonomous": len(known) % 2 == 0})
    async with asyncio.TaskGroup() as group:
        for number, conversation_id in enumerate(known):
            group.create_task(person(crew, conversation_id, number, chance, home))


async def settle(home: Path) -> None:
    """Let everything end, say one more thing in every conversation, and go down in order."""
    crew = await started(home)
    async with asyncio.timeout(PATIENCE_SECONDS):
        for summary in crew.conversations.list()[0]:
            await quiet(crew, summary.id)
        for conversation_id in [row["id"] for row in crew.store.db.rows("SELECT id FROM conversations")]:  # those of children too
            await quiet(crew, conversation_id)
            await crew.inbound.send(conversation_id, "and now?")
            await quiet(crew, conversation_id)
    await crew.stop()


async def quiet(crew: Crew, conversation_id: str) -> None:
    """Wait until nothing runs, waits or asks in the conversation."""
    store = crew.store
    while crew.host.busy(conversation_id) or store.approvals.pending_of(conversation_id) or store.queue.count(conversation_id):
        await decide(crew, conversation_id)
        await decide_children(crew, conversation_id)
        await asyncio.sleep(0)


def serve(mode: str, home: Path) -> None:
    """The forked process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    listen(home)
    asyncio.run(live(home) if mode == "live" else settle(home))


def main() -> None:
    """Fork a server for each line."""
    for line in iter(sys.stdin.readline, ""):
        mode, home = line.split()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                serve(mode, Path(home))
                code = 0
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        say("pid", pid)
        _, status = os.waitpid(pid, 0)
        say("exit", os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
