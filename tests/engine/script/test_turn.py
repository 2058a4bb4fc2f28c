"""The cap of a turn, restarts, stops: what a script is to the turn it runs in."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.crew import Crew
from crewlab.engine.events import Halted, ToolResult
from crewlab.engine.records import Run
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from tests.engine.script.test_calls import holding, make
from tests.engine.script.test_gated import autonomous, writing
from tests.fixtures.crews import a_crew, say
from tests.fixtures.scripts import ended, line, profile, put, run

TEN = "max_steps: 1\n"  # ten nested calls a turn
NINE = "for n in range(9):\n    tools.workspace_list()\nprint('nine')"


def results(events: list[Any]) -> list[ToolResult]:
    return [event for event in events if isinstance(event, ToolResult)]


@pytest.mark.spec("SCR-210", "SCR-211", "SCR-213")
async def test_all_scripts_of_a_turn_share_its_calls_and_the_turn_ends_when_they_are_used_up(tmp_path: Path) -> None:
    profile(tmp_path, TEN)
    async with a_crew(tmp_path) as crew:
        second = "try:\n    tools.workspace_list()\n    tools.workspace_list()\nexcept:\n    print('caught')"
        message = line(NINE, second) + '\n/tool workspace_list {}\n/tool workspace_read {"path": "x"}'
        conversation_id, events = await say(crew, message)
        one, two, three, four = results(events)
        assert one.ok
        assert two.output == "Script did not finish.\nStopped at line 3: the turn has used up its 10 nested calls."
        assert [len(one.calls), len(two.calls)] == [9, 1]
        words = "Not run: the turn has used up the 10 nested calls of its scripts and stopped before this call."
        assert [(each.output, each.ok) for each in (three, four)] == [(words, False)] * 2
        halted = events[-1]
        assert isinstance(halted, Halted)
        assert halted.reason == "nested_calls"
        stored = crew.store.runs.get(crew.store.runs.newest_of(conversation_id) or "")
        assert stored is not None
        assert (stored.status, stored.halt_reason) == ("halted", "nested_calls")
        assert [step.kind for step in stored.steps] == ["model", "tool", "tool", "tool", "tool"]  # the model is not asked again
        _, again = await say(crew, line(NINE), conversation_id)
        assert results(again)[0].ok  # the next turn starts from zero (SCR-214)


@pytest.mark.spec("SCR-210")
async def test_the_cap_is_ten_for_each_round_of_the_agent(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        full = "for n in range(25):\n    tools.workspace_list()"
        _, events = await say(crew, line(*[full] * 5))
        assert [len(result.calls) for result in results(events)] == [25, 25, 25, 25, 20]
        assert "its 120 nested calls" in results(events)[-1].output


@pytest.mark.spec("SCR-211", "SCR-212", "SCR-214")
async def test_a_batch_that_does_not_fit_whole_runs_nothing_and_unknown_names_do_not_count(tmp_path: Path) -> None:
    profile(tmp_path, TEN)
    async with a_crew(tmp_path) as crew:
        unknown = "for n in range(9):\n    try:\n        tools.nothing_like_it()\n    except RuntimeError:\n        pass"
        fits = 'tools.batch([{"tool": "workspace_list"}] * 10)'
        over = 'tools.batch([{"tool": "workspace_list"}] * 2)'
        _, events = await say(crew, line(unknown, fits, over))
        assert [(result.ok, len(result.calls)) for result in results(events)] == [(True, 0), (True, 10), (False, 0)]


@pytest.mark.spec("SCR-214")
async def test_outside_a_turn_nothing_is_counted(tmp_path: Path) -> None:
    profile(
        tmp_path,
        TEN + f"schedules: [{{id: a, every: 1h, script: {json.dumps('for n in range(12):' + chr(10) + '    tools.workspace_list()')}}}]\n",
    )
    async with a_crew(tmp_path) as crew:
        run_ = await job_run(crew, "default/a")
        assert run_.status == "done"
        assert len(run_.steps[0].calls or []) == 12


async def job_run(crew: Crew, job_id: str) -> Run:
    """Run a job now and wait for the end of its own run."""
    crew.jobs.run_now(job_id)
    async with asyncio.timeout(30):
        while True:
            found = [one for one in crew.runs.list()[0] if one.source == f"job:{job_id}" and one.conversation_id is None]
            if found and found[0].status not in ("running", "waiting") and not crew.jobs.is_running(crew.jobs.get(job_id)):
                return crew.runs.get(found[0].id)
            await asyncio.sleep(0.01)


@pytest.mark.spec("SCR-215")
async def test_the_same_script_again_and_again_is_caught_as_every_repeated_call(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        _, events = await say(crew, line(*["print('same')"] * 4))
        assert isinstance(events[-1], Halted)
        assert events[-1].reason == "loop"


@pytest.mark.spec("SCR-216")
async def test_a_turn_that_goes_on_after_an_approval_keeps_its_count(tmp_path: Path) -> None:
    profile(tmp_path, TEN)
    async with a_crew(tmp_path) as crew:
        message = (
            line(NINE) + '\n/tool workspace_write {"path": "y", "content": ""}\n' + line("tools.workspace_list()\ntools.workspace_list()")
        )
        conversation_id, events = await say(crew, message)
        assert events[-1].type == "approval_required"
        watcher = crew.watch.join(conversation_id)
        await crew.approvals.decide(crew.approvals.list()[0].id, "approve")
        await crew.host.wait(conversation_id)
        watcher.close()
        stored = crew.store.runs.get(crew.store.runs.newest_of(conversation_id) or "")
        assert stored is not None
        assert (stored.halt_reason, [len(step.calls or []) for step in stored.steps if step.name == "tool_script"]) == (
            "nested_calls",
            [9, 1],
        )


# stop


@pytest.mark.spec("SCR-19", "SCR-218", "SCR-20", "SCR-17")
async def test_a_stopped_turn_kills_the_script_and_keeps_a_trace_of_what_had_started(tmp_path: Path) -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def hang(_arguments: Arguments, context: ToolContext) -> str:
        context.charges.append(Charge(0.5))
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return "never"

    async with a_crew(tmp_path) as crew, holding(crew, make("hang", hang)):
        put(crew, "a.txt", "x")
        conversation_id = crew.conversations.create().id
        source = "store('k', 1)\ntools.workspace_read(path='a.txt')\ntools.batch([{'tool': 'hang'}] * 5)"
        await crew.inbound.send(conversation_id, line(source))
        async with asyncio.timeout(20):
            await begun.wait()
        crew.host.stop(conversation_id)
        async with asyncio.timeout(20):
            await cancelled.wait()
            await crew.host.wait(conversation_id)
        stored = crew.store.runs.get(crew.store.runs.newest_of(conversation_id) or "")
        assert stored is not None
        step = stored.steps[-1]
        assert (stored.status, stored.summary, step.status) == ("error", "interrupted", "error")
        calls = step.calls or []
        assert [(call.name, call.ok) for call in calls] == [("workspace_read", True)] + [("hang", False)] * 4
        assert calls[-1].output == crew.texts("script_calls.cut")
        assert (step.received_chars, step.printed_chars) == (None, None)
        assert stored.cost_usd == 2.0  # what was paid is counted, though no result came
        assert crew.store.conversations.get(conversation_id).spent_usd == 2.0  # type: ignore[union-attr]
        assert crew.store.db.rows("SELECT 1 FROM script_store") == []
        assert not any(b"script/child/main.py" in each.read_bytes() for each in _commands())


def _commands() -> list[Path]:
    import os

    from tests.engine.script.test_calls import _descendants

    return [Path(f"/proc/{pid}/cmdline") for pid in _descendants(os.getpid())]


@pytest.mark.spec("SCR-19", "SCR-155", "SCR-121")
async def test_when_the_script_is_out_of_time_what_had_started_is_cancelled_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crewlab.engine.script import process

    monkeypatch.setattr(process, "TOTAL_SECONDS", 1.0)
    monkeypatch.setattr(
        process.Times, "__init__", lambda self: (object.__setattr__(self, "alone", 60.0), object.__setattr__(self, "total", 1.0))[0]
    )

    async def hang(_arguments: Arguments, _context: ToolContext) -> str:
        await asyncio.Event().wait()
        return "never"

    async with a_crew(tmp_path) as crew, holding(crew, make("hang", hang)):
        one = await run(crew, "print('lost')\ntools.batch([{'tool': 'hang'}] * 6)")
        assert one.text.startswith("Script did not finish.\nThe script took more than 300 seconds")
        assert [(call.name, call.ok) for call in one.result.calls] == [("hang", False)] * 4
        assert one.result.calls[0].output == crew.texts("script_calls.cut")
        assert (one.run.status, one.result.printed_chars) == ("done", None)


# restarts


@pytest.mark.spec("SCR-217", "SCR-178", "STO-18")
async def test_a_read_only_script_cut_by_a_restart_runs_again_from_the_start(tmp_path: Path) -> None:
    begun = asyncio.Event()
    times: list[str] = []

    async def hang(_arguments: Arguments, context: ToolContext) -> str:
        times.append(context.call_id)
        if len(times) == 1:
            begun.set()
            await asyncio.Event().wait()
        return "came"

    tool = make("hang", hang)
    async with a_crew(tmp_path) as crew, holding(crew, tool):
        conversation_id = crew.conversations.create().id
        await crew.inbound.send(conversation_id, line("store('n', (load('n') or 0) + 1)\nprint(tools.hang())"))
        async with asyncio.timeout(20):
            await begun.wait()
    async with _again(tmp_path, tool) as crew:
        await crew.host.wait(conversation_id)
        result = next(message for message in crew.store.messages.list(conversation_id) if message.role == "tool")
        assert (result.content, len(times), len(set(times))) == ("came", 2, 1)
        assert [tuple(row) for row in crew.store.db.rows("SELECT key, value_json FROM script_store")] == [("n", "1")]


@pytest.mark.spec("SCR-136", "STO-16", "STO-17")
async def test_a_gated_script_cut_by_a_restart_is_closed_and_the_model_is_told_to_check(tmp_path: Path) -> None:
    profile(tmp_path, "script_calls: gated\n")
    begun = asyncio.Event()
    ran: list[str] = []

    async def hang(_arguments: Arguments, _context: ToolContext) -> str:
        ran.append("hang")
        begun.set()
        await asyncio.Event().wait()
        return "never"

    tool = writing("hang", hang)
    async with a_crew(tmp_path) as crew, holding(crew, tool):
        conversation_id = autonomous(crew)
        await crew.inbound.send(conversation_id, line("store('n', 1)\ntools.workspace_write(path='y', content='z')\ntools.hang()"))
        async with asyncio.timeout(20):
            await begun.wait()
    async with _again(tmp_path, tool) as crew:
        await crew.host.wait(conversation_id)
        result = next(message for message in crew.store.messages.list(conversation_id) if message.role == "tool")
        assert result.content == crew.texts("gate.cut_restart", name="tool_script")
        assert ran == ["hang"]
        assert crew.store.db.rows("SELECT 1 FROM script_store") == []
        assert (crew.roster.get("default").workspace / "y").exists()  # it had written, and its book says nothing of it


def _again(root: Path, tool: Tool) -> Any:
    """The crew of the same home; the agents hold the tool before cut turns go on."""
    from contextlib import asynccontextmanager

    from crewlab.engine.tools import catalogue
    from crewlab.engine.tools.registry import Registry

    @asynccontextmanager
    async def opened() -> Any:
        whole = catalogue.AgentTools.of
        catalogue.AgentTools.of = lambda self, agent: Registry([*whole(self, agent).all, tool])  # type: ignore[method-assign]
        try:
            async with a_crew(root) as crew:
                yield crew
        finally:
            catalogue.AgentTools.of = whole  # type: ignore[method-assign]

    return opened()


# who holds it


@pytest.mark.spec("SCR-74", "SCR-75", "SCR-76", "SCR-77")
@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("", True),
        ("tools: [workspace_read]\n", True),
        ("tools: [workspace_write]\n", False),
        ("tools: [workspace_write]\nscript_calls: gated\n", True),
        ("tools: [progress_note, ask_user]\nscript_calls: gated\n", False),
        ("script_calls: none\n", False),
        ("tools: [tool_script, workspace_write]\n", False),
    ],
)
async def test_who_is_given_scripts(tmp_path: Path, text: str, holds: bool) -> None:
    profile(tmp_path, f"name: Ada\n{text}", "ada")
    async with a_crew(tmp_path) as crew:
        names = crew.toolbox.of(crew.roster.get("ada")).names
        assert ("tool_script" in names) is holds
        if holds:
            assert names[-1] == "tool_script"


@pytest.mark.spec("SCR-14")
async def test_on_another_system_nobody_is_given_scripts_and_a_job_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    profile(tmp_path, 'schedules: [{id: a, every: 1h, script: "print(1)"}]\n')
    async with a_crew(tmp_path) as crew:
        monkeypatch.setattr(sys, "platform", "win32")
        crew.toolbox.follow(crew.settings)
        assert crew.toolbox.of(crew.roster.get("default")).get("tool_script") is None
        run_ = await job_run(crew, "default/a")
        monkeypatch.undo()
        assert (run_.status, crew.texts("script.no_system").lower() in run_.summary.lower()) == ("error", True)


@pytest.mark.spec("SCR-236", "TOOL-48")
async def test_no_list_can_name_it(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        agent = crew.roster.get("default")
        assert "tool_script" in crew.toolbox.of(agent).names
        assert "tool_script" not in crew.toolbox.listable(agent)


@pytest.mark.spec("SCR-1", "SCR-5")
async def test_the_keys_are_read_from_the_file_of_the_agent_alone(tmp_path: Path) -> None:
    from crewlab.engine.errors import StartupStop

    profile(tmp_path, "script_calls: gated\nscript_llm: false\n")
    profile(tmp_path, "name: Ada\n", "ada")
    async with a_crew(tmp_path) as crew:
        switches = crew.roster.get("ada").switches
        assert (switches.script_calls, switches.script_llm) == ("read_only", True)
    with pytest.raises(StartupStop):
        async with a_crew(tmp_path / "other", config="script_calls: gated\n"):
            pass


@pytest.mark.spec("SCR-215")
async def test_a_script_that_answers_something_else_each_time_is_no_loop(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        _, events = await say(crew, line(*["print(load('n'))\nstore('n', (load('n') or 0) + 1)"] * 4))
        assert [result.output for result in results(events)] == ["None", "1", "2", "3"]
        assert ended(crew, events[0].conversation.id, events).run.status == "done"  # type: ignore[attr-defined]
