"""``schedule_create`` through the real loop: what the card says, and what is stored after a yes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.crew import Crew
from crewlab.engine.records import Approval
from crewlab.engine.texts import Texts
from tests.engine.jobs.test_scheduler import created
from tests.fixtures.crews import a_crew, say

START = datetime(2026, 5, 4, 6, 0, tzinfo=UTC)
EN = Texts()
GOOD = {"name": "News", "prompt": "Read the news.\nThen write three lines.", "cron": "0 7 * * *"}


async def propose(crew: Crew, **arguments: object) -> Approval:
    """The request that the call makes; every call makes one."""
    _, seen = await say(crew, f"/tool schedule_create {json.dumps(arguments)}")
    return seen[-1].approval  # type: ignore[attr-defined, no-any-return]


async def approve(crew: Crew, approval: Approval) -> str:
    """The result after a yes."""
    await crew.approvals.decide(approval.id, "approve")
    await crew.host.wait(approval.conversation_id)
    return next(m.content for m in reversed(crew.store.messages.list(approval.conversation_id)) if m.role == "tool")


def crew_at(tmp_path: Path, config: str = "timezone: Asia/Ho_Chi_Minh\nautonomous: true\n"):
    return a_crew(tmp_path, clock=FakeClock(START), config=config)


@pytest.mark.spec("GATE-100", "GATE-101", "GATE-103", "GATE-108", "GATE-114", "JOB-35", "JOB-36")
async def test_the_card_says_what_will_run_and_when_and_a_yes_stores_it(tmp_path: Path) -> None:
    async with crew_at(tmp_path) as crew:
        card = await propose(crew, **GOOD)
        assert card.reason == EN(
            "jobs.card",
            words="Every day at 07:00",
            prompt=GOOD["prompt"],
            about="",
            runs="2026-05-05 07:00 +0700; 2026-05-06 07:00 +0700; 2026-05-07 07:00 +0700",
            skills="",
        )
        assert "without asking for each step" in (card.reason or "")
        assert crew.jobs.describe() == []
        answer = await approve(crew, card)
        (job,) = crew.jobs.describe()
        assert job.schedule_id.startswith("chat-")
        assert answer == EN("jobs.created", id=job.schedule_id, words="Every day at 07:00", next="2026-05-05 07:00 +0700")
        (row,) = crew.store.jobs.created()
        assert (row.prompt, row.conversation_id) == (GOOD["prompt"], card.conversation_id)


@pytest.mark.spec("GATE-103")
async def test_with_an_interval_the_next_runs_are_approximate(tmp_path: Path) -> None:
    async with crew_at(tmp_path) as crew:
        card = await propose(crew, name="n", prompt="p", every="2h")
        assert "(about, counted from your approval): 2026-05-04 15:00 +0700; 2026-05-04 17:00 +0700" in (card.reason or "")
        crew._parts.clock.advance(500)  # type: ignore[attr-defined]  # the person takes time; a yes holds all the same
        await approve(crew, card)
        assert [job.every for job in crew.jobs.describe()] == ["2h"]


@pytest.mark.spec("GATE-15", "GATE-34", "GATE-102", "GATE-104", "JOB-35")
async def test_nothing_lifts_the_question(tmp_path: Path) -> None:
    async with crew_at(tmp_path) as crew:
        card = await propose(crew, **GOOD)
        assert (await crew.approvals.decide(card.id, "approve", always=True)).always is False
        await crew.host.wait(card.conversation_id)
        crew.store.conversations.patch(card.conversation_id, {"auto_approve": ["schedule_create"]}, crew._parts.now())
        _, seen = await say(crew, f"/tool schedule_create {json.dumps(GOOD)}", card.conversation_id)
        assert seen[-1].type == "approval_required"
        assert len(crew.jobs.describe()) == 1


@pytest.mark.spec("GATE-101", "GATE-106", "GATE-107", "GATE-113")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": " "}, "create_name"),
        ({"name": "x" * 61}, "create_name"),
        ({"prompt": "\n"}, "create_prompt"),
        ({"prompt": "x" * 2001}, "create_prompt"),
        ({"cron": "0 7 * *"}, "create_cron"),
        ({"cron": "0 7 * * * *"}, "create_cron"),
        ({"cron": "@daily"}, "create_cron"),
        ({"cron": "0 7 " + "*" * 100 + " * *"}, "create_cron"),
        ({"cron": "0 0 31 2 *"}, "create_never"),
        ({"cron": "0 0 29 2 *"}, "create_never"),  # the next one is in 2028
        ({"cron": "*/10 * * * *"}, "create_often"),
        ({"cron": "55 23,0 * * *"}, None),
        ({"cron": "0,10 12 1 1 *"}, "create_often"),
        ({"cron": "50 23 * * *"}, None),
        ({"cron": "*/15 * * * *"}, None),
        ({"cron": None, "every": "14m"}, "create_every"),
        ({"cron": None, "every": "15m"}, None),
        ({"cron": None, "every": "366d"}, None),
        ({"cron": None, "every": "367d"}, "create_every"),
        ({"cron": None, "every": "15 minutes"}, "create_every"),
        ({"skills": ["nothing"]}, "create_skill"),
        ({"skills": "nothing"}, "create_skill"),
    ],
)
async def test_a_wrong_proposal_gets_an_honest_card_and_stores_nothing(
    tmp_path: Path, change: dict[str, object], words: str | None
) -> None:
    async with crew_at(tmp_path) as crew:
        arguments = {key: value for key, value in {**GOOD, **change}.items() if value is not None}
        card = await propose(crew, **arguments)
        answer = await approve(crew, card)
        if words is None:
            assert len(crew.jobs.describe()) == 1
            return
        assert crew.jobs.describe() == []
        assert answer == card.reason
        assert answer.startswith(EN(f"jobs.{words}", **dict.fromkeys(FIELDS, "\0")).split("\0")[0])


FIELDS = ("limit", "chars", "days", "minutes", "first", "second", "name", "known")


@pytest.mark.spec("GATE-101", "TOOL-12")
@pytest.mark.parametrize("arguments", [{**GOOD, "every": "1d"}, {"name": "n", "prompt": "p"}, {**GOOD, "agent": "other"}])
async def test_exactly_one_of_cron_and_every_and_no_agent(tmp_path: Path, arguments: dict[str, str]) -> None:
    async with crew_at(tmp_path) as crew:
        _, seen = await say(crew, f"/tool schedule_create {json.dumps(arguments)}")
        result = next(event for event in seen if event.type == "tool_result")
        assert result.outcome == "error"  # type: ignore[attr-defined]
        assert "schedule_create(name: string" in result.output  # type: ignore[attr-defined]


@pytest.mark.spec("GATE-106", "GATE-107")
async def test_twenty_schedules_are_counted_before_the_card_and_again_when_it_runs(tmp_path: Path) -> None:
    async with crew_at(tmp_path) as crew:
        for number in range(19):
            crew.store.jobs.create(created(number=number))
        crew.store.jobs.create(created("other", 99))  # another agent's does not count
        last = await propose(crew, **GOOD)
        crew.store.jobs.create(created(number=50))
        full = EN("jobs.create_full", limit=20)
        assert await approve(crew, last) == full
        assert len(crew.store.jobs.created()) == 21
        assert (await propose(crew, **GOOD)).reason == full


@pytest.mark.spec("GATE-16", "GATE-105")
async def test_a_reason_that_cannot_be_built_still_stops_with_the_tools_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> str:
        raise RuntimeError("no words")

    async with crew_at(tmp_path) as crew:
        monkeypatch.setattr("crewlab.engine.tools.schedules.creating.read", broken)
        card = await propose(crew, **GOOD)
        assert card.reason == "schedule_create"
        assert crew.runs.list()[0][0].status == "waiting"


@pytest.mark.spec("GATE-111", "TOOL-21")
async def test_an_agent_with_a_list_holds_it_only_when_the_list_names_it(tmp_path: Path) -> None:
    for name, tools in (("with", "[schedule_create]"), ("without", "[workspace_read]")):
        path = tmp_path / "agents" / name
        path.mkdir(parents=True)
        (path / "agent.yaml").write_text(f"tools: {tools}\n")
    async with crew_at(tmp_path) as crew:
        holds = {agent.id: "schedule_create" in crew.toolbox.of(agent).names for agent in crew.roster.all()}
        assert holds == {"default": True, "with": True, "without": False}


@pytest.mark.spec("GATE-112", "GATE-18")
async def test_the_tool_always_asks_is_never_called_again_and_never_from_a_script(tmp_path: Path) -> None:
    async with crew_at(tmp_path) as crew:
        tool = crew.toolbox.of(crew.roster.master).get("schedule_create")
        assert tool is not None
        assert (tool.requires_approval, tool.replay_safe, tool.parallel, tool.script) == (True, False, False, "no")
        assert tool.ask_reason is not None
        assert "create_name" not in (tool.ask_reason({**GOOD, "name": ""}, None) or "create_name")  # type: ignore[arg-type]
