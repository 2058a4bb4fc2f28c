"""Jobs on a real crew with a clock that moves when told: real store, real turns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crewlab.engine.agents.roster import Agent
from crewlab.engine.clock import FakeClock
from crewlab.engine.crew import Crew
from crewlab.engine.errors import Conflict, NotFound, StartupStop
from crewlab.engine.jobs.running import Outcome
from crewlab.engine.jobs.scheduler import Told
from crewlab.engine.jobs.table import Job
from crewlab.engine.models.base import ProviderError
from crewlab.engine.models.fake import Scene
from crewlab.engine.store.jobs import CreatedSchedule
from tests.fixtures.crews import a_crew, say

START = datetime(2026, 5, 4, 6, 0, tzinfo=UTC)  # a Monday
ZONE = "timezone: UTC\n"


@asynccontextmanager
async def crew_with(root: Path, schedules: str, clock: FakeClock | None = None, config: str = ZONE, **more: object) -> AsyncIterator[Crew]:
    root.mkdir(parents=True, exist_ok=True)
    if schedules:
        (root / "agent.yaml").write_text(schedules)
    async with a_crew(root, clock=clock or FakeClock(START), config=config, **more) as crew:  # type: ignore[arg-type]
        yield crew


def daily(name: str = "daily", prompt: str = "good morning") -> str:
    return f"schedules:\n- id: {name}\n  cron: 0 7 * * *\n  prompt: {prompt}\n"


def clock_of(crew: Crew) -> FakeClock:
    assert isinstance(crew._parts.clock, FakeClock)
    return crew._parts.clock


async def pass_time(crew: Crew, **by: float) -> None:
    clock_of(crew).advance(timedelta(**by).total_seconds())
    await crew.jobs.tick()


async def failing(_scene: Scene) -> AsyncIterator[object]:
    raise ProviderError("no")
    yield ""


@pytest.mark.spec("JOB-1", "JOB-5", "JOB-13", "GATE-65", "TURN-12", "TURN-13")
async def test_a_prompt_job_opens_an_autonomous_conversation_and_runs_one_turn(tmp_path: Path) -> None:
    line = "schedules:\n- id: daily\n  name: The morning\n  cron: 0 7 * * *\n  prompt: good morning\n  approval_ttl_seconds: 77\n"
    async with crew_with(tmp_path, line) as crew:
        await pass_time(crew, minutes=59)
        assert crew.runs.list()[0] == []
        await pass_time(crew, minutes=1)
        (run,) = crew.runs.list()[0]
        assert (run.source, run.status, run.summary) == ("job:default/daily", "done", "good morning")
        conversation = crew.conversations.detail(run.conversation_id or "")
        assert (conversation.autonomous, conversation.approval_ttl_seconds, conversation.title) == (True, 77, "The morning")
        assert conversation.messages[0].written_by == "job"
        await pass_time(crew, minutes=1)
        assert len(crew.runs.list()[0]) == 1
        await say(crew, "and now?", conversation.id)
        assert crew.runs.list()[0][0].source == "chat"


@pytest.mark.spec("JOB-15", "FZ-4")
async def test_the_clock_is_the_persons_and_stored_times_stay_utc(tmp_path: Path) -> None:
    async with crew_with(tmp_path, daily(), config="timezone: Asia/Ho_Chi_Minh\n") as crew:
        (job,) = crew.jobs.describe()
        assert job.next_run_at == "2026-05-05T00:00:00.000000+00:00"  # 07:00 in Ho Chi Minh City
        assert job.words == "Every day at 07:00"
        assert crew.zone_name == "Asia/Ho_Chi_Minh"


@pytest.mark.spec("JOB-6", "TURN-90", "SHL-82")
async def test_a_command_job_is_a_run_with_one_step_and_no_conversation(tmp_path: Path) -> None:
    seen: list[tuple[str, str | None, int | None]] = []

    async def command(job: Job, agent: Agent, *_: object) -> Outcome:
        seen.append((agent.id, job.text, job.timeout_s))
        return Outcome("exit 3\nno such file", ok=False)

    async with crew_with(tmp_path, "schedules:\n- id: c\n  every: 1h\n  command: ls /nowhere\n  timeout_s: 9\n") as crew:
        crew.jobs.workers.command = command
        await pass_time(crew, hours=1)
        (run,) = crew.runs.list()[0]
        assert (run.conversation_id, run.status, run.summary) == (None, "error", "exit 3\nno such file")
        assert [(step.kind, step.name, step.status) for step in run.steps] == [("tool", "shell_run", "error")]
        assert seen == [("default", "ls /nowhere", 9)]
        assert crew.conversations.list()[0] == []
        assert crew.jobs.describe()[0].failing == 1


@pytest.mark.spec("JOB-2", "JOB-11", "JOB-12")
async def test_jobs_of_one_tick_run_one_after_another_in_order_of_id(tmp_path: Path) -> None:
    order: list[str] = []
    inside = 0

    async def command(job: Job, _agent: Agent, *_: object) -> Outcome:
        nonlocal inside
        inside += 1
        assert inside == 1
        await asyncio.sleep(0)
        order.append(job.schedule_id)
        inside -= 1
        return Outcome("ok", ok=True)

    lines = "schedules:\n" + "".join(f"- id: {name}\n  every: 30m\n  command: x\n" for name in ("c", "a", "b"))
    async with crew_with(tmp_path, lines) as crew:
        crew.jobs.workers.command = command
        await pass_time(crew, minutes=30)
        assert order == ["a", "b", "c"]


@pytest.mark.spec("JOB-11")
async def test_a_job_whose_run_goes_on_is_not_started_again_and_its_hour_is_skipped(tmp_path: Path) -> None:
    gate, started = asyncio.Event(), []

    async def command(job: Job, _agent: Agent, *_: object) -> Outcome:
        started.append(job.id)
        await gate.wait()
        return Outcome("ok", ok=True)

    async with crew_with(tmp_path, "schedules:\n- id: slow\n  every: 1h\n  command: x\n") as crew:
        crew.jobs.workers.command = command
        crew.jobs.run_now("default/slow")
        await asyncio.sleep(0)
        await pass_time(crew, hours=1)
        assert started == ["default/slow"]
        with pytest.raises(Conflict) as refused:
            crew.jobs.run_now("default/slow")
        assert refused.value.code == "running"
        assert crew.jobs.describe()[0].running is True
        gate.set()
        while crew.jobs.describe()[0].running:
            await asyncio.sleep(0)
        await pass_time(crew, minutes=59)
        assert len(started) == 1
        await pass_time(crew, minutes=1)
        assert len(started) == 2


@pytest.mark.spec("JOB-11", "GATE-65")
async def test_a_run_that_waits_for_a_person_counts_as_going_on(tmp_path: Path) -> None:
    ask = """/tool schedule_create {"name": "n", "prompt": "p", "every": "1d"}"""
    async with crew_with(tmp_path, f"schedules:\n- id: asks\n  every: 10m\n  prompt: '{ask}'\n  approval_ttl_seconds: 1500\n") as crew:
        await pass_time(crew, minutes=10)
        (run,) = crew.runs.list()[0]
        assert run.status == "waiting"  # it always asks, also in an autonomous conversation
        await pass_time(crew, minutes=10)
        assert len(crew.runs.list()[0]) == 1
        clock_of(crew).advance(900)
        crew.approvals.sweep()
        await crew.host.wait(run.conversation_id or "")
        await crew.jobs.tick()
        assert len(crew.runs.list()[0]) == 2


@pytest.mark.spec("JOB-17", "JOB-20", "JOB-21", "JOB-24")
async def test_a_line_that_changes_when_it_fires_gets_a_new_mark_and_one_that_changes_what_it_does_keeps_it(tmp_path: Path) -> None:
    async with crew_with(tmp_path, "schedules:\n- id: a\n  every: 1h\n  prompt: one\n- id: b\n  every: 1h\n  prompt: two\n") as crew:
        watcher = crew.hub.join()
        await anext(watcher)
        clock_of(crew).advance(1800)
        edited = ("a\n  every: 1h\n  prompt: ONE", "b\n  every: 60m\n  prompt: two", "c\n  every: 1h\n  prompt: three")
        reload(crew, "schedules:\n" + "".join(f"- id: {line}\n" for line in edited))
        assert (await anext(watcher)).event.type == "jobs"
        following = {job.schedule_id: job.next_run_at for job in crew.jobs.describe()}
        assert following == {
            "a": "2026-05-04T07:00:00.000000+00:00",
            "b": "2026-05-04T07:30:00.000000+00:00",
            "c": "2026-05-04T07:30:00.000000+00:00",
        }
        await pass_time(crew, minutes=30)
        assert [run.summary for run in crew.runs.list()[0]] == ["ONE"]
        watcher.close()


def reload(crew: Crew, profile: str) -> None:
    """What saving an agent does: the file, the agent, the scheduler."""
    from crewlab.engine.agents.roster import load_roster

    (crew.home.root / "agent.yaml").write_text(profile)
    crew.roster._agents = load_roster(crew.home, crew.settings, crew.texts)._agents
    crew.jobs.reload_profiles()


@pytest.mark.spec("JOB-17")
async def test_a_line_that_was_just_enabled_makes_up_for_no_past_hour(tmp_path: Path) -> None:
    off = "schedules:\n- id: a\n  every: 1h\n  prompt: one\n  enabled: false\n"
    async with crew_with(tmp_path, off) as crew:
        assert crew.jobs.describe()[0].next_run_at is None
        await pass_time(crew, hours=5)
        reload(crew, off.replace("false", "true"))
        assert crew.jobs.describe()[0].next_run_at == "2026-05-04T12:00:00.000000+00:00"
        await crew.jobs.tick()
        assert crew.runs.list()[0] == []


@pytest.mark.spec("JOB-22")
async def test_a_line_that_comes_back_under_the_same_id_inherits_nothing(tmp_path: Path) -> None:
    async with crew_with(tmp_path, daily(), scripts={"bad": failing}, routes="fake:bad") as crew:
        await pass_time(crew, hours=1)
        crew.jobs.set_paused("default/daily", True)
        (job,) = crew.jobs.describe()
        assert (job.paused, job.failing) == (True, 1)
        reload(crew, "schedules: []\n")
        assert crew.jobs.describe() == []
        reload(crew, daily())
        (job,) = crew.jobs.describe()
        assert (job.paused, job.failing, job.muted) == (False, 0, False)


@pytest.mark.spec("JOB-23")
@pytest.mark.parametrize(
    "edited", ["schedules: []\n", "schedules:\n- id: b\n  every: 1h\n  command: NEW\n- id: a\n  every: 1h\n  command: x\n"]
)
async def test_a_job_that_was_edited_while_an_earlier_one_of_the_tick_ran_is_judged_again(tmp_path: Path, edited: str) -> None:
    ran: list[str] = []

    async def command(job: Job, _agent: Agent, *_: object) -> Outcome:
        ran.append(job.text)
        if job.schedule_id == "a":
            reload(crew, edited)
        return Outcome("ok", ok=True)

    async with crew_with(tmp_path, "schedules:\n- id: a\n  every: 1h\n  command: x\n- id: b\n  every: 1h\n  command: OLD\n") as crew:
        crew.jobs.workers.command = command
        await pass_time(crew, hours=1)
        assert ran == ["x"]
        await pass_time(crew, seconds=20)
        assert ran == (["x", "NEW"] if "NEW" in edited else ["x"])


@pytest.mark.spec("JOB-18", "JOB-19", "FZ-7", "SCH-1")
async def test_a_long_sleep_is_caught_up_once_and_a_time_without_a_server_never(tmp_path: Path) -> None:
    line = "schedules:\n- id: hourly\n  cron: 0 * * * *\n  prompt: tick\n"
    clock = FakeClock(START)
    async with crew_with(tmp_path, line, clock) as crew:
        await pass_time(crew, hours=8)
        assert len(crew.runs.list()[0]) == 1
        (job,) = crew.jobs.describe()
        assert (job.missed, job.next_run_at) == (7, "2026-05-04T15:00:00.000000+00:00")
        await pass_time(crew, hours=1)
        assert (len(crew.runs.list()[0]), crew.jobs.describe()[0].missed) == (2, 0)
    clock.advance(8 * 3600)
    async with crew_with(tmp_path, line, clock) as crew:
        await crew.jobs.tick()
        assert len(crew.runs.list()[0]) == 2


@pytest.mark.spec("JOB-19")
async def test_a_clock_that_is_set_back_makes_nothing_run_twice(tmp_path: Path) -> None:
    async with crew_with(tmp_path, "schedules:\n- id: a\n  cron: 0 * * * *\n  prompt: tick\n") as crew:
        await pass_time(crew, hours=1)
        await pass_time(crew, hours=-1)
        for _ in range(6):
            await pass_time(crew, minutes=10)
        assert len(crew.runs.list()[0]) == 1
        await pass_time(crew, hours=1)
        assert len(crew.runs.list()[0]) == 2


@pytest.mark.spec("JOB-27", "JOB-28", "JOB-29")
async def test_pausing_survives_a_restart_and_resuming_counts_from_now(tmp_path: Path) -> None:
    clock = FakeClock(START)
    async with crew_with(tmp_path, "schedules:\n- id: a\n  every: 1h\n  prompt: tick\n", clock) as crew:
        assert crew.jobs.set_paused("default/a", True).paused is True
    async with crew_with(tmp_path, "", clock) as crew:
        assert (crew.jobs.describe()[0].paused, crew.jobs.describe()[0].next_run_at) == (True, None)
        await pass_time(crew, hours=3)
        assert crew.runs.list()[0] == []
        crew.jobs.run_now("default/a")  # also while paused
        while not crew.runs.list()[0] or crew.runs.list()[0][0].status == "running":
            await asyncio.sleep(0)
        assert crew.jobs.set_paused("default/a", False).next_run_at == "2026-05-04T10:00:00.000000+00:00"
        await crew.jobs.tick()
        assert len(crew.runs.list()[0]) == 1


@pytest.mark.spec("JOB-29", "RES-14")
async def test_without_the_scheduler_a_person_can_still_run_a_job(tmp_path: Path) -> None:
    async with crew_with(tmp_path, daily(), schedule=False) as crew:
        crew.jobs.run_now("default/daily")
        while not crew.runs.list()[0] or crew.runs.list()[0][0].status == "running":
            await asyncio.sleep(0)
        assert crew.jobs.describe()[0].next_run_at == "2026-05-04T07:00:00.000000+00:00"


@pytest.mark.spec("JOB-27", "JOB-25", "JOB-30")
async def test_what_the_profile_says_cannot_be_undone_from_the_interface(tmp_path: Path) -> None:
    async with crew_with(tmp_path, daily().rstrip() + "\n  enabled: false\n") as crew:
        for act in (lambda: crew.jobs.set_paused("default/daily", False), lambda: crew.jobs.run_now("default/daily")):
            with pytest.raises(Conflict) as refused:
                act()
            assert refused.value.code == "disabled"
        with pytest.raises(Conflict) as refused:
            crew.jobs.delete("default/daily")
        assert refused.value.code == "profile_job"
        (job,) = crew.jobs.describe()
        assert (job.enabled, job.paused) == (False, False)
        for act in (lambda: crew.jobs.set_paused("default/x", True), lambda: crew.jobs.run_now("x"), lambda: crew.jobs.delete("default/")):
            with pytest.raises(NotFound):
                act()


def created(agent: str = "default", number: int = 1) -> CreatedSchedule:
    return CreatedSchedule(f"chat-{number}", agent, "From a chat", "do it", None, "1h", ("s",), None, f"2026-05-04T05:00:{number:02}")


@pytest.mark.spec("JOB-26", "JOB-31", "JOB-32", "JOB-33", "JOB-34", "GATE-108", "GATE-109", "GATE-110")
async def test_a_schedule_from_a_conversation_runs_survives_a_restart_and_is_deleted_with_its_state(tmp_path: Path) -> None:
    clock = FakeClock(START)
    async with crew_with(tmp_path, daily(), clock) as crew:
        crew.store.jobs.create(created())
        await crew.jobs.tick()  # the scheduler sees it for the first time
        await pass_time(crew, minutes=60)
    async with crew_with(tmp_path, "", clock) as crew:
        job = next(job for job in crew.jobs.describe() if job.origin == "chat")
        assert (job.id, job.kind, job.every, job.skills, job.orphan) == ("default/chat-1", "prompt", "1h", ["s"], False)
        assert job.last_run is not None
        assert job.last_run.status == "done"
        crew.jobs.set_paused(job.id, True)
        crew.jobs.delete(job.id)
        assert [one.id for one in crew.jobs.describe()] == ["default/daily"]
        assert "default/chat-1" not in crew.store.jobs.states()
        assert [run.source for run in crew.runs.list()[0]].count("job:default/chat-1") == 1  # the history stays


@pytest.mark.spec("JOB-26", "JOB-31", "GATE-110")
async def test_a_schedule_whose_agent_is_gone_never_runs_and_can_be_deleted(tmp_path: Path) -> None:
    async with crew_with(tmp_path, "") as crew:
        crew.store.jobs.create(created("ghost"))
        await pass_time(crew, hours=5)
        (job,) = crew.jobs.describe()
        assert (job.orphan, job.next_run_at, crew.runs.list()[0]) == (True, None, [])
        with pytest.raises(NotFound):
            crew.jobs.run_now(job.id)
        crew.jobs.delete(job.id)
        assert crew.jobs.describe() == []


@pytest.mark.spec("JOB-42", "JOB-43", "JOB-44")
async def test_a_failing_streak_is_told_twice_then_once_more_then_not_until_it_works(tmp_path: Path) -> None:
    ok = False

    async def command(_job: Job, _agent: Agent, *_: object) -> Outcome:
        return Outcome("all fine" if ok else "exit 1", ok=ok)

    told: list[str] = []
    clock = FakeClock(START)
    line = "schedules:\n- id: a\n  every: 1h\n  command: x\n"
    async with crew_with(tmp_path, line, clock) as crew:
        crew.jobs.workers.command = command
        crew.jobs.on_told = lambda one: told.append(one.word)
        for _ in range(3):
            await pass_time(crew, hours=1)
    async with crew_with(tmp_path, line, clock) as crew:  # the streak is in the database
        crew.jobs.workers.command = command
        crew.jobs.on_told = lambda one: told.append(one.word)
        for _ in range(3):
            await pass_time(crew, hours=1)
        assert told == ["failed", "failed", "last_warning"]
        assert (crew.jobs.describe()[0].failing, crew.jobs.describe()[0].muted) == (6, True)
        ok = True
        await pass_time(crew, hours=1)
        await pass_time(crew, hours=1)
        assert told[3:] == ["works_again", "answer"]
        assert (crew.jobs.describe()[0].failing, crew.jobs.describe()[0].muted) == (0, False)


@pytest.mark.spec("JOB-40", "JOB-42")
async def test_the_end_of_a_jobs_turn_is_told_once_with_its_run(tmp_path: Path) -> None:
    told: list[Told] = []
    async with crew_with(tmp_path, daily()) as crew:
        crew.jobs.on_told = told.append
        await pass_time(crew, hours=1)
        assert [(one.word, one.job.id, one.run.summary) for one in told] == [("answer", "default/daily", "good morning")]
        conversation = told[0].run.conversation_id or ""
        crew.jobs.turn_ended(conversation)
        await say(crew, "thanks", conversation)  # a turn of the person's own
        assert len(told) == 1


@pytest.mark.spec("JOB-42")
async def test_a_stopped_run_counts_as_neither(tmp_path: Path) -> None:
    reached = asyncio.Event()

    async def endless(_scene: Scene) -> AsyncIterator[object]:
        yield "thinking"
        reached.set()
        await asyncio.Event().wait()

    async with crew_with(tmp_path, daily(), scripts={"endless": endless}, routes="fake:endless") as crew:
        ticking = asyncio.create_task(pass_time(crew, hours=1))
        await reached.wait()
        crew.host.stop(crew.runs.list()[0][0].conversation_id or "")
        await ticking
        (job,) = crew.jobs.describe()
        assert (job.failing, job.last_run and job.last_run.summary) == (0, "interrupted")


@pytest.mark.spec("JOB-14", "JOB-45")
async def test_consolidation_is_a_job_without_a_conversation_and_without_a_word(tmp_path: Path) -> None:
    seen: list[str] = []

    async def consolidate(agent: Agent) -> None:
        seen.append(agent.id)

    async with crew_with(tmp_path, "memory_consolidate: 0 7 * * *\n") as crew:
        crew.jobs.workers.consolidate = consolidate
        told: list[Told] = []
        crew.jobs.on_told = told.append
        assert [(job.id, job.kind) for job in crew.jobs.describe()] == [("default/consolidate", "consolidate")]
        await pass_time(crew, hours=1)
        assert (seen, told, crew.conversations.list()[0]) == (["default"], [], [])


@pytest.mark.spec("JOB-3", "JOB-4")
@pytest.mark.parametrize(
    "line",
    [
        "id: a\n  cron: 0 7 * * *\n  every: 1h\n  prompt: x",
        "id: a\n  prompt: x",
        "id: a\n  every: 1h\n  prompt: x\n  command: y",
        "id: a\n  every: 1h",
        "id: a\n  cron: 0 7 * *\n  prompt: x",
        "id: a\n  cron: 0 7 * * * *\n  prompt: x",
        "id: a\n  every: 30s\n  prompt: x",
        "id: a\n  every: 0m\n  prompt: x",
        "id: chat-a\n  every: 1h\n  prompt: x",
        "id: a\n  every: 1h\n  prompt: x\n  then_prompt: y",
        "id: a\n  every: 1h\n  prompt: x\n- id: a\n  every: 1h\n  prompt: x",
    ],
)
async def test_a_wrong_entry_stops_startup(tmp_path: Path, line: str) -> None:
    with pytest.raises(StartupStop):
        async with crew_with(tmp_path, f"schedules:\n- {line}\n"):
            pass


@pytest.mark.spec("JOB-3")
async def test_a_line_without_an_id_is_known_by_its_place(tmp_path: Path) -> None:
    async with crew_with(tmp_path, "schedules:\n- every: 1h\n  prompt: x\n- every: 2h\n  prompt: y\n") as crew:
        assert [(job.id, job.name) for job in crew.jobs.describe()] == [("default/job-1", "job-1"), ("default/job-2", "job-2")]


@pytest.mark.spec("JOB-42", "RES-3")
async def test_a_fault_inside_a_command_is_a_failed_run_and_the_clock_goes_on(tmp_path: Path) -> None:
    async def command(_job: Job, _agent: Agent, *_: object) -> Outcome:
        raise RuntimeError("secret details")

    async with crew_with(tmp_path, "schedules:\n- id: a\n  every: 1h\n  command: x\n") as crew:
        crew.jobs.workers.command = command
        await pass_time(crew, hours=1)
        (run,) = crew.runs.list()[0]
        assert run.status == "error"
        assert "RuntimeError" in run.summary
        assert "secret" not in run.summary
        await pass_time(crew, hours=1)
        assert len(crew.runs.list()[0]) == 2
