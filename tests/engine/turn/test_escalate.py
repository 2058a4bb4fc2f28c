"""A stuck turn moves to its agent's escalation route: once, visibly, and never for running out of rounds or money."""

import asyncio

import pytest

from crewlab.engine.models.base import ProviderError, TextDelta
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.turn.guard import LoopGuard
from tests.fixtures.crews import a_crew, say, types

ESCALATES = "escalation_route: fake:big\n"
LIST = '{"path": "."}'


def a_home(root, profile=ESCALATES):
    root.mkdir(parents=True, exist_ok=True)
    (root / "agent.yaml").write_text(profile, encoding="utf-8")
    return root


def down(asked=None):
    async def script(_scene):
        if asked is not None:
            asked.append(1)
        for piece in list[str]():
            yield piece
        raise ProviderError("down")

    return script


async def big(scene):
    yield f"big saw {len(scene.request.messages)}"


async def looping(_scene):
    yield FakeCall("workspace_list", LIST)


def kinds(crew, conversation):
    return [step.kind for step in crew.runs.list(conversation_id=conversation)[0][0].steps]


@pytest.mark.spec("ESC-1", "ESC-3", "ESC-6", "PRV-17")
async def test_when_every_main_route_fails_the_turn_goes_on_with_the_escalation_route_and_the_next_one_returns(tmp_path):
    asked = []
    scripts = {"a": down(asked), "b": down(asked), "big": big}
    async with a_crew(a_home(tmp_path), routes="fake:a,fake:b", scripts=scripts) as crew:
        conversation, seen = await say(crew, "go")
        assert types(seen) == ["opened", "route_fallback", "escalated", "text_delta", "done"]
        escalated = next(e for e in seen if e.type == "escalated")
        assert (escalated.route, escalated.reason) == ("fake:big", "routes_failed")
        assert kinds(crew, conversation) == ["fallback", "fallback", "escalation", "model"]
        step = crew.runs.list(conversation_id=conversation)[0][0].steps[2]
        assert (step.route, step.reason, step.status) == ("fake:big", "routes_failed", "done")
        await say(crew, "again", conversation)
        assert len(asked) == 4  # the next turn asked the main routes again


@pytest.mark.spec("ESC-1", "ESC-7")
async def test_a_loop_escalates_instead_of_halting_and_the_count_starts_at_zero_once(tmp_path):
    async with a_crew(a_home(tmp_path), routes="fake:looping", scripts={"looping": looping, "big": looping}) as crew:
        conversation, seen = await say(crew, "go")
        assert (seen[-1].type, seen[-1].reason) == ("halted", "loop")
        names = [e.type for e in seen]
        assert names.count("escalated") == 1
        assert names[: names.index("escalated")].count("tool_result") == 4
        assert names[names.index("escalated") :].count("tool_result") == 4
        routes = [s.route for s in crew.runs.list(conversation_id=conversation)[0][0].steps if s.kind == "model"]
        assert routes == ["fake:looping"] * 4 + ["fake:big"] * 4


@pytest.mark.spec("ESC-7")
async def test_the_second_repetition_tells_the_model_and_the_person_sees_what_it_reads(tmp_path):
    async with a_crew(tmp_path, routes="fake:loop") as crew:
        conversation, seen = await say(crew, "go")
        results = [e.output for e in seen if e.type == "tool_result"]
        note = crew.texts("turn.repeats")
        assert [result.endswith(note) for result in results] == [False, False, True, True]
        assert [m.content for m in crew.conversations.detail(conversation).messages if m.role == "tool"] == results


@pytest.mark.spec("ESC-2")
async def test_escalation_is_off_by_default_and_not_inherited(tmp_path):
    (tmp_path / "agents" / "ana").mkdir(parents=True)
    (tmp_path / "agents" / "ana" / "agent.yaml").write_text("mode: chat\n", encoding="utf-8")
    async with a_crew(a_home(tmp_path), routes="fake:a", scripts={"a": down(), "big": big}) as crew:
        conversation = crew.conversations.create("ana").id
        _, seen = await say(crew, "go", conversation)
        assert (seen[-1].type, seen[-1].code) == ("error", "routes_failed")
    async with a_crew(tmp_path / "other", routes="fake:a", scripts={"a": down()}) as crew:
        _, seen = await say(crew, "go")
        assert (seen[-1].type, seen[-1].code) == ("error", "routes_failed")


@pytest.mark.spec("ESC-3")
async def test_a_turn_escalates_at_most_once(tmp_path):
    async with a_crew(a_home(tmp_path), routes="fake:a", scripts={"a": down(), "big": down()}) as crew:
        _, seen = await say(crew, "go")
        assert [e.type for e in seen].count("escalated") == 1
        assert (seen[-1].type, seen[-1].code) == ("error", "routes_failed")
        assert "fake:big" in seen[-1].message


@pytest.mark.spec("ESC-4")
@pytest.mark.parametrize("limit", ["max_steps: 3\n", "cost_cap_usd: 1.0\n"])
async def test_running_out_of_rounds_or_budget_never_escalates(tmp_path, limit):
    count = 0

    async def ever_new(_scene):
        nonlocal count
        count += 1
        yield FakeCall("workspace_read", f'{{"path": "missing{count}.txt"}}')

    async with a_crew(a_home(tmp_path, ESCALATES + limit), routes="fake:new", scripts={"new": ever_new, "big": big}) as crew:
        conversation = crew.conversations.create().id
        if "cost" in limit:
            crew.store.conversations.spend(conversation, 1.0, crew._parts.now())
        _, seen = await say(crew, "go", conversation)
        assert (seen[-1].type, seen[-1].reason) == ("halted", "budget" if "cost" in limit else "max_steps")
        assert "escalated" not in types(seen)


@pytest.mark.spec("ESC-5")
@pytest.mark.parametrize("route", ["fake:a", "fake:a?reasoning=high", "openai:o9", "nobody:x"])
async def test_a_route_that_is_a_main_route_or_cannot_be_asked_is_no_way_out(tmp_path, route):
    async with a_crew(a_home(tmp_path, f"escalation_route: {route}\n"), routes="fake:a", scripts={"a": down()}) as crew:
        conversation, seen = await say(crew, "go")
        assert types(seen) == ["opened", "error"]
        assert kinds(crew, conversation) == ["fallback"]


@pytest.mark.spec("ESC-1", "PRV-6")
async def test_a_failure_after_text_does_not_escalate(tmp_path):
    async with a_crew(a_home(tmp_path), routes="fake:broken", scripts={"big": big}) as crew:
        _, seen = await say(crew, "go")
        assert types(seen) == ["opened", "text_delta", "error"]


@pytest.mark.spec("ESC-3")
async def test_a_turn_cut_after_its_escalation_stays_on_that_route_and_does_not_escalate_again(tmp_path):
    class Hangs:
        name, small = "fake", False
        asked: list[str] = []
        reached = asyncio.Event()

        async def stream(self, request, route):
            self.asked.append(route.model)
            if route.model == "a":
                raise ProviderError("down")
            self.reached.set()
            await asyncio.Event().wait()
            yield TextDelta("")

        async def close(self):
            pass

    async with a_crew(a_home(tmp_path), routes="fake:a") as crew:
        crew.models.plug(Hangs())
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "go")
        await Hangs.reached.wait()
    scripts = {"a": down(Hangs.asked), "big": looping}
    async with a_crew(tmp_path, routes="fake:a", scripts=scripts) as crew:
        async with asyncio.timeout(10):
            while crew.host.busy(conversation):
                await crew.host.wait(conversation)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert run.resumed
        assert Hangs.asked == ["a", "big"]  # the main route was not asked again
        assert [s.kind for s in run.steps].count("escalation") == 1
        assert {s.route for s in run.steps if s.kind == "model" and s.route} == {"fake:big"}
        assert (run.status, run.halt_reason) == ("halted", "loop")


@pytest.mark.spec("ESC-7")
async def test_a_pause_for_a_person_does_not_make_the_guard_forget(tmp_path):
    write = '{"path": "a.txt", "content": "x"}'

    async def writes(_scene):
        yield FakeCall("workspace_write", write)

    async with a_crew(tmp_path, routes="fake:writes", scripts={"writes": writes}) as crew:
        conversation, seen = await say(crew, "go")
        for _ in range(4):
            await crew.approvals.decide(seen[-1].approval.id, "deny")
            await crew.host.wait(conversation)
            pending = crew.approvals.list("pending")
            if not pending:
                break
            seen = [type("E", (), {"approval": pending[0]})]
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.halt_reason) == ("halted", "loop")


@pytest.mark.spec("ESC-8", "ESC-9")
def test_the_guard_counts_scripts_and_not_notes_or_questions():
    guard = LoopGuard()
    script = {"code": "print(1)"}
    assert [guard.note("tool_script", script, "1") for _ in range(4)] == ["", "", "note", "stuck"]
    assert [guard.note("progress_note", {"text": "x"}, "") for _ in range(5)] == [""] * 5
    assert [guard.note("ask_user", {"question": "x"}, "y") for _ in range(5)] == [""] * 5
    assert [guard.note("a", {"x": 1, "y": 2}, "o") for _ in range(2)] == ["", ""]
    assert guard.note("a", {"y": 2, "x": 1}, "o") == "note"  # sorted keys
    assert guard.note("a", {"y": 2, "x": 1}, "another") == ""
