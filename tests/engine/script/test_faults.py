"""What goes wrong around scripts: a server that fails, two conversations at once, agents and conversations that go away meanwhile."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.crew import Crew
from crewlab.engine.errors import StoreWriteFailed
from crewlab.engine.models.fake import FakeCost
from crewlab.engine.script.callables import Callables
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools import spill
from crewlab.engine.tools.contract import Arguments, ToolContext
from crewlab.engine.tools.registry import Registry
from tests.engine.script.test_calls import holding, make
from tests.engine.script.test_gated import autonomous, gated, out
from tests.engine.script.test_llm import asking
from tests.engine.script.test_turn import _commands, job_run
from tests.fixtures.crews import a_crew, say
from tests.fixtures.scripts import line, profile, put, run

GONE = "the agent that runs it has been removed from the crew"


@pytest.fixture
async def crew(tmp_path: Path) -> AsyncIterator[Crew]:
    async with a_crew(tmp_path / "home") as one:
        yield one


def rows(crew: Crew) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in crew.store.db.rows("SELECT agent_id, namespace, key, value_json FROM script_store")]


class Gate:
    """A tool that says when it has begun, and ends when it is let go."""

    def __init__(self) -> None:
        self.begun, self.let_go = asyncio.Event(), asyncio.Event()

    async def __call__(self, _arguments: Arguments, _context: ToolContext) -> str:
        self.begun.set()
        await self.let_go.wait()
        return "let go"


# the store


@pytest.mark.spec("STO-16", "SCR-193", "SCR-64")
async def test_a_disk_that_is_full_at_the_end_keeps_nothing_and_the_calls_are_recorded(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    put(crew, "a.txt", "x")

    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(type(crew.store.script_store), "apply", full)
    ended = await run(crew, "store('k', 1)\nprint(tools.workspace_read(path='a.txt'))")
    assert ended.text == f"Script did not finish.\nx\n{_first_up(crew.texts('script.store_failed'))}"
    assert (ended.result.ok, ended.names, ended.result.printed_chars) == (False, ["workspace_read"], 1)
    assert rows(crew) == []
    assert ended.run.status == "done"


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


@pytest.mark.spec("SCR-127", "SCR-128", "SCR-130")
async def test_a_person_must_be_asked_when_the_conversation_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crewlab.engine.turn import nested

    def locked(*_: Any) -> Any:
        raise sqlite3.OperationalError("database is locked")

    async with gated(tmp_path) as crew:
        conversation_id = autonomous(crew)
        monkeypatch.setattr(nested, "stance_of", locked)
        ended = await run(crew, 'tools.workspace_write(path="out.txt", content="x")', conversation_id)
        assert "Stopped at line 1: this call of workspace_write has to be approved first" in ended.text
        assert (ended.names, out(crew).exists()) == ([], False)


@pytest.mark.spec("SCR-71", "SCR-99")
async def test_a_fault_of_the_server_between_the_calls_is_a_failed_script_with_the_calls_before(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crewlab.engine.script import lookup

    def broken(*_: Any) -> Any:
        raise RuntimeError("a fault of the server")

    monkeypatch.setattr(lookup, "search", broken)
    ended = await run(crew, "tools.workspace_list()\nstore('k', 1)\ntry:\n    tools.search('x')\nexcept Exception:\n    print('caught')")
    assert ended.text == f"Script did not finish.\n{_first_up(crew.texts('script.child_died'))}"
    assert (ended.names, ended.result.printed_chars) == (["workspace_list"], None)
    assert rows(crew) == []
    assert not any(b"script/child/main.py" in each.read_bytes() for each in _commands())


@pytest.mark.spec("SCR-71", "SCR-20")
async def test_a_process_that_cannot_be_started_is_a_failed_script(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    async def none_left(*_: Any, **__: Any) -> Any:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", none_left)
    ended = await run(crew, "print(1)")
    assert ended.text.startswith("Script did not finish.\n")
    assert "no more processes" not in ended.text


@pytest.mark.spec("SCR-176", "SCR-177", "SCR-99")
async def test_a_ledger_that_cannot_be_written_fails_the_question_and_its_price_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asking(tmp_path, lambda _request: ["a", FakeCost(0.25)]) as (crew, _):

        def full(*_: Any, **__: Any) -> None:
            raise StoreWriteFailed("database or disk is full")

        monkeypatch.setattr(crew.store.side_calls, "insert", full)
        source = "try:\n    llm.classify('x', ['a', 'b'])\nexcept RuntimeError as error:\n    print(error)"
        ended = await run(crew, source)
        assert ended.text == crew.texts("script_calls.classify_failed")
        (call,) = ended.result.calls
        assert (call.name, call.ok, call.cost_usd, call.metered) == ("llm.classify", False, 0.25, True)
        assert ended.run.cost_usd == 0.25


# long answers


@pytest.mark.spec("SCR-188", "OUT-48")
@pytest.mark.parametrize("way", ["delete", "stop"])
async def test_what_is_being_kept_goes_with_a_conversation_that_is_deleted(crew: Crew, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    begun, let_go, written = asyncio.Event(), threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    whole = spill.keep

    def slow(*given: Any) -> Any:
        loop.call_soon_threadsafe(begun.set)
        assert let_go.wait(20)
        try:
            return whole(*given)
        finally:
            loop.call_soon_threadsafe(written.set)

    async def long(_arguments: Arguments, _context: ToolContext) -> str:
        return "y" * 300_000

    monkeypatch.setattr(spill, "keep", slow)
    async with holding(crew, make("long", long)):
        conversation_id = crew.conversations.create().id
        await crew.inbound.send(conversation_id, line("tools.long()"))
        async with asyncio.timeout(20):
            await begun.wait()
            if way == "delete":
                await crew.conversations.delete(conversation_id)
            else:
                crew.host.stop(conversation_id)
            await crew.host.wait(conversation_id)
            let_go.set()
            await written.wait()
            while way == "delete" and crew.home.spill(conversation_id).exists():
                await asyncio.sleep(0.01)
    assert crew.home.spill(conversation_id).exists() is (way == "stop")


@pytest.mark.spec("SCR-184", "OUT-44")
async def test_five_megabytes_are_kept_for_the_owner_alone_and_go_with_the_conversation(crew: Crew) -> None:
    async def long(_arguments: Arguments, _context: ToolContext) -> str:
        return "é" * 3_000_000  # two bytes each: the 5,242,880 hold 2,621,440

    async with holding(crew, make("long", long)):
        first = await run(crew, "tools.long()\nprint(1)")
        kept = f"{first.result.tool_call_id}.1"
        piece = f"print(tools.tool_output_read(id={kept!r}, offset=2621400))"
        ended = await run(crew, piece, first.conversation_id)
        beyond = await run(crew, piece.replace("2621400", "2621440"), first.conversation_id)
    _, text, last = ended.text.split("\n")
    assert text == "é" * 40
    assert last == crew.texts("output.piece_end_cut")
    assert not beyond.result.ok
    directory = crew.home.spill(first.conversation_id)
    files = sorted((each.stat().st_size, each.stat().st_mode & 0o777) for each in directory.iterdir())
    assert files == [(0, 0o600), (5_242_880, 0o600)]  # the text, and a mark beside it
    assert {each.stat().st_mode & 0o777 for each in (directory, directory.parent)} == {0o700}
    await crew.conversations.delete(first.conversation_id)
    assert not directory.exists()


@pytest.mark.spec("SCR-188", "SCR-186")
async def test_an_agent_without_the_reader_is_told_of_nothing_to_read_on(tmp_path: Path) -> None:
    async def long(_arguments: Arguments, _context: ToolContext) -> str:
        return "y" * 250_000

    profile(tmp_path, "name: Ada\ntools: [workspace_read]\n", "ada")
    async with a_crew(tmp_path) as crew, holding(crew, make("long", long)):
        conversation_id = crew.conversations.create("ada").id
        assert (await run(crew, "print(len(tools.long()))", conversation_id)).text == "200000"
        assert not crew.home.spill(conversation_id).exists()


# money


@pytest.mark.spec("SCR-173")
async def test_what_the_conversation_has_spent_before_counts_towards_its_cap(tmp_path: Path) -> None:
    async with asking(tmp_path, lambda _request: ["a", FakeCost(0.25)]) as (crew, _):
        conversation_id = crew.conversations.create().id
        crew.conversations.patch(conversation_id, {"cost_cap_usd": 0.5})
        ask = "llm.classify('x', ['a', 'b'])\n"
        assert (await run(crew, ask + "print(1)", conversation_id)).text == "1"
        ended = await run(crew, ask + ask, conversation_id)
        assert "Stopped at line 2: " in ended.text
        assert [call.cost_usd for call in ended.result.calls] == [0.25]
        assert crew.store.conversations.get(conversation_id).spent_usd == 0.5  # type: ignore[union-attr]


@pytest.mark.spec("SCR-180", "SCR-192", "SCR-19")
async def test_what_a_cut_job_has_paid_stands_on_its_run(tmp_path: Path) -> None:
    gate = Gate()

    async def paid(_arguments: Arguments, context: ToolContext) -> str:
        context.charges.append(Charge(0.5))
        return "x"

    profile(tmp_path, f"schedules: [{{id: a, every: 1h, script: {json.dumps('tools.paid()' + chr(10) + 'tools.gate()')}}}]\n")
    async with a_crew(tmp_path) as crew, holding(crew, make("gate", gate), make("paid", paid)):
        crew.jobs.run_now("default/a")
        async with asyncio.timeout(20):
            await gate.begun.wait()
        (run_id,) = crew._parts.hub.live
    async with a_crew(tmp_path) as crew:
        stored = crew.store.runs.get(run_id)
        assert stored is not None
        assert (stored.status, stored.cost_usd) == ("error", 0.5)
        assert [call.name for call in stored.steps[0].calls or []] == ["paid", "gate"]


@pytest.mark.spec("SCR-13", "SCR-64")
async def test_where_a_sandbox_is_required_and_there_is_none_no_script_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crewlab.engine.script import process
    from crewlab.engine.script.fence import Fence

    monkeypatch.setattr(process, "fence", lambda: Fence((), b"", "there is no bwrap"))
    for word, ok in (("required", False), ("auto", True)):
        async with a_crew(tmp_path / word, config=f"script_sandbox: {word}\n") as crew:
            ended = await run(crew, "print(1)")
            assert (ended.result.ok, "there is no bwrap" in ended.text) == (ok, not ok)


@pytest.mark.spec("SCR-150", "SCR-146")
async def test_an_agent_that_is_not_in_the_crew_is_given_nothing(tmp_path: Path) -> None:
    async with gated(tmp_path, "delegates: [nobody]\n") as crew:
        ended = await run(crew, "tools.delegate(task='x', agent='nobody')")
        assert "Stopped at line 1: " in ended.text
        assert "must be one of default" in ended.text


# what goes away meanwhile


@pytest.mark.spec("STO-21", "SCR-218", "SCR-20")
async def test_a_conversation_deleted_under_its_script_leaves_nothing_and_another_goes_on(crew: Crew) -> None:
    gate = Gate()
    source = "store('k', 1)\nprint(tools.gate())"
    async with holding(crew, make("gate", gate)):
        doomed, other = crew.conversations.create().id, crew.conversations.create().id
        await crew.inbound.send(doomed, line(source))
        await crew.inbound.send(other, line(source))
        async with asyncio.timeout(20):
            await gate.begun.wait()
            while len(_children()) < 2:
                await asyncio.sleep(0.01)
            await crew.conversations.delete(doomed)
            await crew.host.wait(doomed)
            while len(_children()) > 1:
                await asyncio.sleep(0.01)
            gate.let_go.set()
            await crew.host.wait(other)
        assert rows(crew) == [("default", f"conv:{other}", "k", "1")]
        assert [one.content for one in crew.store.messages.list(other) if one.role == "tool"] == ["let go"]
        assert crew.store.messages.list(doomed) == []


def _children() -> list[Path]:
    """The interpreters that run now, without the fences around them."""
    found = []
    for path in _commands():
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"-I" in words[:2] and any(word.endswith(b"script/child/main.py") for word in words):
            found.append(path)
    return found


@pytest.mark.spec("STO-40", "STO-42")
@pytest.mark.parametrize(("source", "ok"), [("store('k', 1)\nprint(tools.gate())", False), ("print(tools.gate())", True)])
async def test_an_agent_removed_under_its_script_keeps_nothing_and_its_turn_goes_on(tmp_path: Path, source: str, ok: bool) -> None:
    profile(tmp_path, "name: Ada\n", "ada")
    gate = Gate()
    async with a_crew(tmp_path) as crew, holding(crew, make("gate", gate)):
        conversation_id = crew.conversations.create("ada").id
        await crew.inbound.send(conversation_id, line(source))
        async with asyncio.timeout(20):
            await gate.begun.wait()
            await crew.agents.remove("ada")
            gate.let_go.set()
            await crew.host.wait(conversation_id)
        (result,) = [one for one in crew.store.messages.list(conversation_id) if one.role == "tool"]
        stored = crew.store.runs.get(crew.store.runs.newest_of(conversation_id) or "")
        assert stored is not None
        assert [call.name for call in stored.steps[-2].calls or []] == ["gate"]
        assert (result.content == "let go") is ok
        assert ok or (result.content.startswith("Script did not finish.\nlet go\n") and GONE in result.content)
        assert rows(crew) == []


@pytest.mark.spec("STO-41")
async def test_a_script_of_a_removed_agent_reads_nothing_of_the_new_one(tmp_path: Path) -> None:
    profile(tmp_path, "name: Ada\n", "ada")
    gate = Gate()
    async with a_crew(tmp_path) as crew, holding(crew, make("gate", gate)):
        old = crew.conversations.create("ada").id
        await crew.inbound.send(old, line("tools.gate()\nprint(load('k'))"))
        async with asyncio.timeout(20):
            await gate.begun.wait()
            await crew.agents.remove("ada")
            await crew.agents.create("ada", {"name": "Ada the second"})
            crew.store.script_store.apply("ada", f"conv:{old}", {"k": '"of the new one"'}, "2026-01-01T00:00:00+00:00")
            gate.let_go.set()
            await crew.host.wait(old)
        (result,) = [one for one in crew.store.messages.list(old) if one.role == "tool"]
        assert result.content.startswith("Script did not finish.\nNone\n")
        assert GONE in result.content


# conversations at once


@pytest.mark.spec("SCR-210", "SCR-104", "STO-23", "SCR-219")
async def test_scripts_of_two_conversations_at_once_count_and_keep_apart(tmp_path: Path) -> None:
    profile(tmp_path, "max_steps: 1\n")
    together = asyncio.Barrier(2)

    async def meet(arguments: Arguments, context: ToolContext) -> str:
        context.charges.append(Charge(float(arguments["price"])))
        async with asyncio.timeout(20):
            await together.wait()
        return str(context.conversation_id)

    async with a_crew(tmp_path) as crew, holding(crew, make("meet", meet)):
        asked = {crew.conversations.create().id: price for price in (1, 2)}
        source = "store('who', PRICE)\nfor n in range(10):\n    print(tools.meet(price=PRICE))"
        for conversation_id, price in asked.items():
            await crew.inbound.send(conversation_id, line(source.replace("PRICE", str(price))))
        async with asyncio.timeout(30):
            for conversation_id in asked:
                await crew.host.wait(conversation_id)
        for conversation_id, price in asked.items():
            (result,) = [one for one in crew.store.messages.list(conversation_id) if one.role == "tool"]
            assert result.content.split("\n") == [conversation_id] * 10
            assert crew.store.conversations.get(conversation_id).spent_usd == 10.0 * price  # type: ignore[union-attr]
        assert {row[1:] for row in rows(crew)} == {(f"conv:{id}", "who", str(price)) for id, price in asked.items()}


# small print


@pytest.mark.spec("SCR-100", "SCR-9")
async def test_a_name_of_any_length_is_no_work_for_the_server(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    import difflib

    seen: list[int] = []
    whole = difflib.get_close_matches
    monkeypatch.setattr(difflib, "get_close_matches", lambda name, *given, **more: seen.append(len(name)) or whole(name, *given, **more))
    names = Callables(Registry([make("workspace_read", None)]), gated=False)
    assert names.near("workspace_raed") == "workspace_read"
    ended = await run(
        crew, "answer = tools.batch([{'tool': 'workspace_read' * 200000}])[0]\nprint(answer['ok'], len(answer['error']) < 500)"
    )
    assert ended.text == "False True"
    assert max(seen) <= 200


@pytest.mark.spec("SCR-135", "SCR-219")
async def test_a_write_whose_arguments_do_not_fit_was_never_judged(tmp_path: Path) -> None:
    async with gated(tmp_path) as crew:
        ended = await run(crew, "try:\n    tools.workspace_write(colour=3)\nexcept RuntimeError as error:\n    print(error)")
        (call,) = ended.result.calls
        assert (call.name, call.ok, call.gated) == ("workspace_write", False, None)
        assert "Usage: workspace_write(" in ended.text


@pytest.mark.spec("SCR-114")
async def test_a_batch_with_a_write_that_does_not_fit_runs_one_after_another_too(tmp_path: Path) -> None:
    running = most = 0

    async def note(_arguments: Arguments, _context: ToolContext) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return "read"

    async with gated(tmp_path) as crew, holding(crew, make("note", note)):
        await run(crew, "tools.batch([{'tool': 'note'}, {'tool': 'note'}, {'tool': 'workspace_write'}])")
    assert most == 1


@pytest.mark.spec("SCR-94", "SCR-9", "SCR-105")
async def test_arguments_are_measured_before_anything_is_counted(crew: Crew) -> None:
    ended = await run(crew, "tools.nothing_like_it(text='x' * 100001)")
    assert "Stopped at line 1: " in ended.text
    assert "100,000" in ended.text or "100000" in ended.text
    ended = await run(crew, "print(tools.batch([{'tool': 'zzzzzz', 'args': {'text': 'x' * 99989}}])[0]['ok'])")
    assert ended.text == "False"


# the store of scripts, small print


@pytest.mark.spec("STO-12")
async def test_keeping_counts_nowhere_and_nobody_is_asked(tmp_path: Path) -> None:
    profile(tmp_path, "max_steps: 1\nscript_calls: gated\n")
    async with a_crew(tmp_path) as crew:
        source = (
            "for n in range(60):\n    store(f'k{n}', n)\n    load(f'k{n}')\nfor n in range(10):\n    tools.workspace_list()\n"
            "for n in range(40):\n    tools.names()\nprint('done')"
        )
        ended = await run(crew, source)
        assert ended.text == "done"  # neither the 25, nor the 40, nor the ten of this turn
        assert ended.names == ["workspace_list"] * 10
        assert len(rows(crew)) == 60
        assert crew.approvals.list() == []


@pytest.mark.spec("STO-13")
async def test_scripts_of_an_agent_that_only_reads_keep_their_book(crew: Crew) -> None:
    assert crew.roster.get("default").switches.script_calls == "read_only"
    first = await run(crew, "store('seen', ['a'])")
    assert (await run(crew, "print(load('seen'))", first.conversation_id)).text == "['a']"


@pytest.mark.spec("STO-38", "STO-36")
async def test_what_a_list_wrongly_holds_is_reported_again_once_a_person_deletes_it(tmp_path: Path) -> None:
    source = "told = load('told') or []\nnew = [one for one in ['a1'] if one not in told]\nprint(new)\nstore('told', told + new)"
    profile(tmp_path, f"schedules: [{{id: due, every: 1h, script: {json.dumps(source)}}}]\n")
    async with a_crew(tmp_path) as crew:
        said = [(await job_run(crew, "default/due")).summary]
        assert said == ["['a1']"]
        await _next(crew, said)
        assert said[-1] == "[]"
        assert crew.script_store.forget("default", "job:due", "told") == 1
        await _next(crew, said)
        assert said[-1] == "['a1']"


async def _next(crew: Crew, said: list[str]) -> None:
    """Run the job once more, and add what its newest run says."""
    before = {one.id for one in crew.runs.list()[0]}
    crew.jobs.run_now("default/due")
    async with asyncio.timeout(30):
        while True:
            new = [one for one in crew.runs.list()[0] if one.id not in before and one.status not in ("running", "waiting")]
            if new and not crew.jobs.is_running(crew.jobs.get("default/due")):
                said.append(new[0].summary)
                return
            await asyncio.sleep(0.01)


@pytest.mark.spec("SCR-190")
async def test_a_direct_reading_follows_the_ceiling_of_the_agent_and_one_of_a_script_does_not(tmp_path: Path) -> None:
    profile(tmp_path, "tool_output_chars: 1000\n")

    async def long(_arguments: Arguments, _context: ToolContext) -> str:
        return "y" * 300_000

    async with a_crew(tmp_path) as crew, holding(crew, make("long", long)):
        first = await run(crew, "tools.long()\nprint(1)")
        kept = f"{first.result.tool_call_id}.1"
        inside = await run(crew, f"print(len(tools.tool_output_read(id={kept!r})))", first.conversation_id)
        assert 190_000 < int(inside.text) <= 200_000
        await say(crew, f'/tool tool_output_read {{"id": "{kept}"}}', first.conversation_id)
        direct = [one for one in crew.store.messages.list(first.conversation_id) if one.role == "tool"][-1]
        assert 500 < len(direct.content) <= 1000
