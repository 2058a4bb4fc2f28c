"""A server may be gone at any moment: every commit and every published event of scripted turns is a place to cut.

One recorded life of a crew gives the cuts: after each commit the file with its log is copied, and what was published
until the next commit is noted. The state on disk changes only by commits, so a cut between two of them is the copy
of the first, with what was published and what tools did to the workspace since.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.activity_events import RunFrame
from crewlab.engine.crew import Crew, open_crew
from crewlab.engine.event import Event
from crewlab.engine.home.layout import Home
from crewlab.engine.models.fake import FakeProvider
from crewlab.engine.store.children import parent_in
from crewlab.engine.store.db import Database
from crewlab.engine.tools import hooked
from crewlab.engine.turn.watch import ActivityHub, TurnWatch
from tests.fixtures import invariants
from tests.fixtures.invariants import UNSAFE

PATIENCE_SECONDS = 20.0
SEED = 20261130
STAYS = "it takes long "
SECOND_CUTS = 12
BYTE_CUTS = 200

Effects = list[tuple[str, str]]
SCRIPT = """
price: 0.01
turns:
  - match: 'work (\\w+)'
    rounds:
      - - think: 1
        - text: 'I look at {1} first. '
          pieces: 5
        - wait: 0.001
        - call: workspace_list
        - call: workspace_write
          arguments: {path: '{1}-{turn}-{round}-a.txt', content: a}
        - call: workspace_write
          arguments: {path: '{1}-{turn}-{round}-b.txt', content: b}
      - - call: workspace_read
          arguments: {path: '{1}-{turn}-1-a.txt'}
        - call: workspace_write
          arguments: {path: '{1}-{turn}-{round}-c.txt', content: c}
        - call: workspace_read
          raw: '{"path": '
        - price: null
      - [{text: 'Done with {1}.'}]
  - match: 'split (\\w+)'
    rounds:
      - - call: delegate
          arguments: {task: 'work {1}left', relay: false}
        - call: delegate
          arguments: {task: 'work {1}right', relay: false}
      - [{text: 'Both are back.'}]
  - match: 'hand (\\w+)'
    rounds: [[{call: delegate, arguments: {task: 'say {1}'}}]]
  - match: 'fall'
    rounds: [[{fail: 'not today', status: 400}]]
  - match: 'break'
    rounds: [[{text: 'half an answer '}, {fail: gone}]]
  - match: 'stay'
    rounds: [[{text: 'it takes long '}, {hang: true}]]
  - rounds: [[{text: 'Heard: {last}', pieces: 7}]]
"""
SECOND = "turns: [{rounds: [[{text: 'the second route answers'}, {price: 0.5}]]}]"


@dataclass
class Cut:
    """What stood on disk after a commit, and what the world saw until the next one."""

    file: bytes
    wal: bytes
    events: list[invariants.Told] = field(default_factory=list)
    """With the conversation each was told to; an empty text for the activity."""
    effects: int = 0
    """How many effects had happened before the next commit began."""


class Recorder:
    """Listens in the engine: commits, events, effects of tools, requests to providers."""

    def __init__(self) -> None:
        self.cuts: list[Cut] = []
        self.effects: Effects = []
        self.acknowledged: list[tuple[str, int]] = []
        self.refused: list[str] = []
        self.recording = True

    def commit(self, database: Database) -> None:
        wal = database.path.with_name(database.path.name + "-wal")
        self.cuts.append(Cut(database.path.read_bytes(), wal.read_bytes() if wal.exists() else b"", effects=len(self.effects)))

    def hear(self, conversation_id: str, event: Event) -> None:
        if self.recording and self.cuts:
            self.cuts[-1].events.append((conversation_id, event.model_dump(mode="json")))

    def effect(self, conversation_id: str, call_id: str) -> None:
        self.effects.append((conversation_id, call_id))
        if self.recording and self.cuts:
            self.cuts[-1].effects = len(self.effects)


class Careful(FakeProvider):
    """A provider that notes every history that a real one would not take."""

    def __init__(self, crew: Crew, refused: list[str]) -> None:
        super().__init__(crew.texts)
        self._refused = refused

    async def stream(self, request: Any, route: Any) -> AsyncIterator[Any]:
        try:
            invariants.check_request(request.messages)
        except AssertionError as error:
            self._refused.append(str(error))
        async for item in super().stream(request, route):
            yield item


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """The hooks; they hold for every crew of the test."""
    recorder = Recorder()
    commit, publish, run, run_tool = Database._commit, TurnWatch.publish, ActivityHub.run, hooked.run_tool

    def committed(self: Database) -> None:
        commit(self)
        if recorder.recording:
            recorder.commit(self)

    def published(self: TurnWatch, conversation_id: str, event: Event) -> None:
        recorder.hear(conversation_id, event)
        publish(self, conversation_id, event)

    def told(self: ActivityHub, one: Any) -> None:
        recorder.hear("", RunFrame(run=one))
        run(self, one)

    async def counted(tool: Any, arguments: Any, context: Any) -> Any:
        if tool.name in UNSAFE:
            recorder.effect(context.conversation_id, context.call_id)
        return await run_tool(tool, arguments, context)

    monkeypatch.setattr(Database, "_commit", committed)
    monkeypatch.setattr(TurnWatch, "publish", published)
    monkeypatch.setattr(ActivityHub, "run", told)
    monkeypatch.setattr(hooked, "run_tool", counted)
    return recorder


@asynccontextmanager
async def crew_of(root: Path, scripts: Path, recorder: Recorder) -> AsyncIterator[Crew]:
    """A crew on ``root`` with both routes of the scripts, not yet started."""
    routes = f"fake:script:{scripts}/first.yaml,fake:script:{scripts}/second.yaml"
    crew = await open_crew(Home(root), environ={"CREWLAB_ROUTES": routes})
    crew.models.plug(Careful(crew, recorder.refused))
    try:
        yield crew
    finally:
        await crew.stop()


async def until(crew: Crew, true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not true():
            await asyncio.sleep(0)


def quiet(crew: Crew) -> bool:
    """Nothing runs but turns that wait for a child which waits for a person."""
    waiting = {parent_in(run.source) for run in crew.hub.live.values() if run.status == "waiting"}
    return not set(crew.host.live) - waiting


class Person:
    """Sends messages with a mark of their own, and notes when they were acknowledged."""

    def __init__(self, crew: Crew, recorder: Recorder) -> None:
        self.crew = crew
        self.recorder = recorder

    async def say(self, conversation_id: str, text: str) -> None:
        mark = f"<{len(self.recorder.acknowledged)}>"
        await self.crew.inbound.send(conversation_id, f"{text} {mark}", request_id=f"r{len(self.recorder.acknowledged)}")
        self.recorder.acknowledged.append((mark, len(self.recorder.cuts) - 1))


async def a_life(crew: Crew, recorder: Recorder) -> None:
    """Everything a conversation can go through: rounds, steer, queue, approvals, fallback, broken and stopped text."""
    person = Person(crew, recorder)
    free = crew.conversations.create().id
    crew.conversations.patch(free, {"autonomous": True})
    await person.say(free, "work one")
    await until(crew, lambda: bool(crew.host.live[free].text))
    await person.say(free, "/steer and work two")
    await person.say(free, "later three")
    await person.say(free, "later work four")
    await until(crew, lambda: quiet(crew))
    asks = crew.conversations.create().id
    await person.say(asks, "work five")
    await until(crew, lambda: crew.store.approvals.pending_of(asks) is not None and quiet(crew))
    for decision in ("approve", "deny"):
        pending = crew.store.approvals.pending_of(asks)
        assert pending is not None
        await crew.approvals.decide(pending.id, decision)  # type: ignore[arg-type]
        if decision == "approve":
            await person.say(asks, "while five works")
        await until(crew, lambda: quiet(crew))
    for text in ("split six", "hand seven"):
        await person.say(free, text)
        await until(crew, lambda: quiet(crew))
    await person.say(crew.conversations.create().id, "split eight")
    await go_on(crew)
    other = crew.conversations.create().id
    for text in ("fall down", "break off"):
        await person.say(other, text)
        await until(crew, lambda: quiet(crew))
    await person.say(other, "stay here")
    await until(crew, lambda: bool(crew.host.live[other].text))
    crew.host.stop(other)
    await until(crew, lambda: quiet(crew))


async def recorded(tmp_path: Path, recorder: Recorder) -> Path:
    """Live once; returns the folder with the scripts."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "first.yaml").write_text(SCRIPT, encoding="utf-8")
    (scripts / "second.yaml").write_text(SECOND, encoding="utf-8")
    async with crew_of(tmp_path / "home", scripts, recorder) as crew:
        await crew.start()
        recorder.commit(crew.store.db)
        await a_life(crew, recorder)
        await until(crew, lambda: quiet(crew))
        recorder.recording = False
    return scripts


def lay_out(root: Path, cut: Cut, workspace: Path | None = None) -> Path:
    """The home as it stood at the cut."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    (root / "crew.db").write_bytes(cut.file)
    if cut.wal:
        (root / "crew.db-wal").write_bytes(cut.wal)
    if workspace is not None:
        shutil.copytree(workspace, root / "workspace")
    return root


def quiet_or_stuck(crew: Crew) -> bool:
    """Nothing runs; an answer that never ends is stopped, as a person would."""
    for turn in list(crew.host.live.values()):
        if "".join(turn.text) == STAYS:
            crew.host.stop(turn.conversation_id)
    return quiet(crew)


async def go_on(crew: Crew) -> None:
    """Let everything end; whatever asks is approved."""
    await until(crew, lambda: quiet_or_stuck(crew))
    while pending := crew.approvals.list(status="pending"):
        for approval in pending:
            await crew.approvals.decide(approval.id, "approve")
        await until(crew, lambda: quiet_or_stuck(crew))


def may_go_on(home: invariants.Home, running: dict[str, Any]) -> set[str]:
    """The runs that were never continued; of delegated ones those whose delegating turn goes on and waits for them (DLG-70)."""
    fresh = {run_id: row for run_id, row in running.items() if not row["resumed"]}
    parents = {row["conversation_id"] for row in fresh.values()}
    return {run_id for run_id, row in fresh.items() if (parent_in(row["source"]) or row["conversation_id"]) in parents}


async def check_cut(root: Path, scripts: Path, recorder: Recorder, cut: Cut, sent: list[tuple[str, bool]], before: Effects) -> None:
    """Everything that must hold when the server died at this cut and was started again. ``before`` has run already."""
    with invariants.Home(lay_out(root, cut, root.parent / "home" / "workspace") / "crew.db") as home:
        invariants.check_file(home)
        invariants.check_sent(home, sent)
        invariants.check_told(home, cut.events)
        start = len(recorder.effects)
        running = {row["id"]: row for row in home.rows("SELECT id, conversation_id, source, resumed FROM runs WHERE status = 'running'")}
        async with crew_of(root, scripts, recorder) as crew:
            await crew.start()
            live = {turn.run.id for turn in crew.host.live.values()}
            assert live & set(running) == may_go_on(home, running), "continued once, and only once"
            await go_on(crew)
            invariants.check_settled(home, answered=not any(row["resumed"] for row in running.values()))
            invariants.check_sent(home, sent)
            for row in home.rows("SELECT id FROM conversations"):
                await crew.inbound.send(row["id"], "and now?")
                await go_on(crew)
                (newest,) = home.rows("SELECT status FROM runs WHERE conversation_id = ? ORDER BY rowid DESC LIMIT 1", row["id"])
                assert newest["status"] == "done"
        invariants.check_settled(home)
        after = recorder.effects[start:]
        del recorder.effects[start:]
        invariants.check_effects(home, [*before, *after])
        for row in home.rows("SELECT conversation_id, tool_call_id FROM messages WHERE role = 'tool' AND context LIKE '%unknown%'"):
            assert (row["conversation_id"], row["tool_call_id"]) not in after, "closed as unknown, then run"
        assert recorder.refused == []


def taken(recorder: Recorder, number: int) -> list[tuple[str, bool]]:
    """Every message that was ever sent, and whether it had been acknowledged at this cut of the first life."""
    return [(mark, at <= number) for mark, at in recorder.acknowledged]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.spec(
    *("RES-1", "RES-3", "RES-4", "RPL-3", "RPL-4", "QUE-12", "QUE-13", "DB-9", "TURN-24", "TURN-37", "TURN-44"),
    *("FH-1", "FD-2", "FL-2", "FM-5", "DUR-1", "DUR-2", "DUR-3", "DLG-67", "DLG-69", "RES-10", "RES-11", "RPL-6"),
)
async def test_every_commit_and_every_event_is_a_place_to_cut(tmp_path: Path, recorder: Recorder) -> None:
    scripts = await recorded(tmp_path, recorder)
    assert len(recorder.cuts) > 60
    seen = {event["type"] for cut in recorder.cuts for _, event in cut.events}
    assert {"steer", "queued", "approval_decided", "route_fallback", "error", "stopped", "done", "tool_result", "run"} <= seen
    for number, cut in enumerate(recorder.cuts):
        await check_cut(tmp_path / "cut", scripts, recorder, cut, taken(recorder, number), recorder.effects[: cut.effects])


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.spec("RES-1", "RES-4", "RPL-3", "FD-2")
async def test_a_second_cut_while_the_turn_goes_on_ends_it_and_nothing_runs_twice(tmp_path: Path, recorder: Recorder) -> None:
    scripts = await recorded(tmp_path, recorder)
    first, chance = recorder.cuts, random.Random(SEED)
    for number in chance.sample(range(len(first)), SECOND_CUTS):
        before = recorder.effects[: first[number].effects]
        start, recorder.cuts, recorder.recording = len(recorder.effects), [], True
        root = lay_out(tmp_path / "second", first[number], tmp_path / "home" / "workspace")
        async with crew_of(root, scripts, recorder) as crew:
            recorder.commit(crew.store.db)
            await crew.start()
            await go_on(crew)
            recorder.recording = False
        ran = recorder.effects[start:]
        for cut in chance.sample(recorder.cuts, min(SECOND_CUTS, len(recorder.cuts))):
            await check_cut(tmp_path / "third", scripts, recorder, cut, taken(recorder, number), [*before, *ran[: cut.effects - start]])
        del recorder.effects[start:]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.spec("DB-1")
async def test_a_log_cut_at_any_byte_opens_at_the_last_whole_commit(tmp_path: Path, recorder: Recorder) -> None:
    """Power loss: what had not reached the disk is missing, the rest is sound (DB-1)."""
    scripts = await recorded(tmp_path, recorder)
    chance, last = random.Random(SEED), recorder.cuts[-1]
    assert len(last.wal) > 100_000
    unsent = [(mark, False) for mark, _ in recorder.acknowledged]
    for trial in range(BYTE_CUTS):
        cut = Cut(last.file, last.wal[: chance.randrange(len(last.wal))])
        with invariants.Home(lay_out(tmp_path / "cut", cut) / "crew.db") as home:
            if not home.rows("SELECT name FROM sqlite_master WHERE name = 'messages'"):
                continue  # before the schema
            invariants.check_file(home)
            invariants.check_sent(home, unsent)
            if trial % 10 == 0:
                results = home.rows("SELECT conversation_id, tool_call_id, name FROM messages WHERE role = 'tool' AND context IS NULL")
                ran = [(row["conversation_id"], row["tool_call_id"]) for row in results if row["name"] in UNSAFE]
                await check_cut(tmp_path / "third", scripts, recorder, cut, unsent, ran)
