"""The server's side of a script without its child: the orders of SCR-105 and SCR-119, and that no claim of a child is trusted (SCR-9)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.script.book import BookError
from crewlab.engine.script.host import MAX_CALLS, MAX_LOOKUPS, MAX_QUESTIONS, ScriptHost
from crewlab.engine.script.messages import Answer, Message
from crewlab.engine.store.conversations import Charge
from crewlab.engine.texts import Texts
from crewlab.engine.tools.call import Ran
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.nested import Done, Inside, Judged
from crewlab.engine.tools.registry import Registry

EN = Texts()


class NoBook:
    """There is nowhere to keep anything."""

    def load(self, _key: str) -> str | None:
        raise BookError("nowhere")


class Nest:
    """Notes everything the host does, in order."""

    inside = Inside()
    gated = True
    delegates = ("default", "ada")
    asks = True
    limit = 120

    def __init__(self) -> None:
        self.inside = Inside()
        self.noted: list[str] = []
        self.room = 120
        self.verdicts: Iterator[str] = iter(())
        self.long: set[str] = set()
        self.spent = False
        names = {"read": "any", "write": "gated", "delegate": "gated", "hidden": "no"}
        schema = {"type": "object", "properties": {}, "additionalProperties": True}
        self.registry = Registry([Tool(name, "", schema, _never, script=use, marking="own") for name, use in names.items()])  # type: ignore[arg-type]

    def context(self, call_id: str | None = None) -> ToolContext:
        context = ToolContext("default", Path("/"), EN)
        return replace(context, call_id=call_id or "call", charges=[])

    def judge(self, tool: Tool, _arguments: Arguments, _context: ToolContext) -> Judged:
        self.noted.append(f"judge {tool.name}")
        return Judged(next(self.verdicts, "run"))  # type: ignore[arg-type]

    def take(self, count: int) -> bool:
        self.noted.append(f"take {count}")
        if count > self.room:
            return False
        self.room -= count
        return True

    def give_back(self, count: int) -> None:
        self.noted.append(f"back {count}")
        self.room += count

    async def run(self, tool: Tool, _arguments: Arguments, context: ToolContext) -> Ran:
        self.noted.append(f"run {tool.name} {context.call_id}")
        return Ran("y" * 250_000 if tool.name in self.long else "said", True)

    async def keep(self, call_id: str, _text: str) -> bool:
        self.noted.append(f"keep {call_id}")
        return True

    def ended(self, done: Done) -> None:
        self.noted.append(f"ended {done.name} {done.ok}")

    def is_spent(self) -> bool:
        return self.spent

    async def ask(self, _system: str, _text: str) -> tuple[str, Charge]:
        self.noted.append("ask")
        return "a", Charge(0.5)


async def _never(_arguments: Arguments, _context: ToolContext) -> str:
    raise AssertionError("the nest runs it")


class Host:
    """A host and its nest, asked as a child asks."""

    def __init__(self) -> None:
        self.nest = Nest()
        self.host = ScriptHost(self.nest, NoBook(), EN, lambda: 0.0)  # type: ignore[arg-type]

    async def call(self, tool: str, **args: Any) -> Answer:
        return await self.host.answer(Message("call", 1, {"line": 7, "tool": tool, "args": args}))

    async def batch(self, *calls: Any) -> Answer:
        given = [{"tool": one} if isinstance(one, str) else one for one in calls]
        return await self.host.answer(Message("batch", 1, {"line": 7, "calls": given}))

    async def ask(self, **more: Any) -> Answer:
        return await self.host.answer(Message("llm", 1, {"line": 7, "kind": "classify", "text": "x", "labels": ["a", "b"], **more}))

    async def look(self, text: str = "", kind: str = "names") -> Answer:
        return await self.host.answer(Message("lookup", 1, {"kind": kind, "text": text, "limit": 5}))

    @property
    def noted(self) -> list[str]:
        taken, self.nest.noted = self.nest.noted, []
        return taken


@pytest.fixture
def host() -> Host:
    return Host()


BIG = {"text": "x" * 100_000}


@pytest.mark.spec("SCR-105")
async def test_the_order_of_one_call(host: Host) -> None:
    host.nest.long = {"write"}
    assert (await host.call("write")).error is None
    assert host.noted == ["judge write", "take 1", "run write call", "keep call.1", "ended write True"]
    assert (await host.call("delegate", agent="ada")).error is None
    assert host.noted == ["take 1", "run delegate call:2", "ended delegate True"]
    assert (await host.call("read")).error is None
    assert host.noted == ["take 1", "run read call", "ended read True"]


@pytest.mark.spec("SCR-105", "SCR-130", "SCR-9")
async def test_each_step_of_a_call_stands_before_the_next(host: Host) -> None:
    assert (await host.call("nothing", **BIG)).code == "limit_args"  # form before the name
    host.nest.room = 0
    assert (await host.call("hidden")).code == "tool_refused"  # callable before the cap
    assert (await host.call("delegate", agent="bob")).code == "delegate_agent"
    host.nest.verdicts = iter(["ask", "refuse"])
    assert (await host.call("write")).code == "gate_ask"  # the gate before the cap
    assert (await host.call("write")).code == "gate_deny"
    assert host.noted == ["judge write", "judge write"]
    stopped = await host.call("write")
    assert (stopped.code, stopped.line, stopped.params) == ("nested_calls", 7, {"limit": 120})
    for _ in range(MAX_CALLS):
        await host.call("nothing_like_it")
    assert host.noted == ["judge write", "take 1"]
    assert (await host.call("hidden")).code == "limit_calls"  # the 25 before the name and what may be called


@pytest.mark.spec("SCR-103", "SCR-9", "SCR-116", "SCR-115")
async def test_the_server_counts_the_25_itself(host: Host) -> None:
    for _ in range(MAX_CALLS - 1):
        assert (await host.call("read")).value == "said"
    assert "only make 1 more" in (await host.batch("read", "read")).error.replace("can make only 1 more", "only make 1 more")  # type: ignore[union-attr]
    assert (await host.batch("read")).value == [{"ok": True, "output": "said"}]
    for answer in (await host.call("read"), await host.batch("read"), await host.ask()):
        assert (answer.stop, answer.code) == (True, "limit_calls")
    assert len([one for one in host.noted if one.startswith("run")]) == MAX_CALLS


@pytest.mark.spec("SCR-119", "SCR-131", "SCR-118")
async def test_each_step_of_a_batch_stands_before_the_next(host: Host) -> None:
    host.nest.room = 0
    host.nest.verdicts = iter(["ask"])
    assert (await host.batch("write", "hidden")).code == "tool_refused"
    assert (await host.batch("write", {"tool": "delegate", "args": {"agent": "bob"}})).code == "delegate_agent"
    assert host.noted == []
    assert (await host.batch("write", "write")).code == "gate_ask"
    assert host.noted == ["judge write"]
    assert (await host.batch("nothing", "write", "read")).code == "nested_calls"
    assert host.noted == ["judge write", "take 2"]  # an unknown name takes no place
    wrong = await host.batch("hidden", {"tool": "read", "args": BIG})
    assert (wrong.stop, "1" in (wrong.error or "")) == (False, True)  # the form before what may be called
    for _ in range(MAX_CALLS):
        await host.call("nothing")
    assert (await host.batch("hidden")).code == "limit_calls"
    assert (await host.batch("hidden", "x" * 3, {"args": {}})).error is not None


@pytest.mark.spec("SCR-132", "SCR-133", "SCR-212", "SCR-104")
async def test_a_batch_of_writes_is_judged_again_call_by_call_and_gives_back_what_never_started(host: Host) -> None:
    host.nest.verdicts = iter(["run"] * 4 + ["run", "ask"])
    stopped = await host.batch("write", "write", "read", "write", "write")
    assert (stopped.code, stopped.line) == ("gate_ask", 7)
    judged, ran = ["judge write"], ["run write call", "ended write True"]
    assert host.noted == [*judged * 4, "take 5", *ran, *judged, *ran, "run read call", "ended read True", *judged, "back 2"]
    host.nest.verdicts = iter(())
    host.nest.long = {"read"}
    await host.batch("read")
    assert "keep call.6" in host.noted  # what did not start had its number


@pytest.mark.spec("SCR-172", "SCR-219", "SCR-9", "SCR-173")
async def test_the_server_counts_questions_itself(host: Host) -> None:
    assert (await host.ask(labels=["a", "A"])).error is not None  # counts in no number
    host.nest.spent = True
    assert (await host.ask()).code == "cost_cap"
    host.nest.spent = False
    for _ in range(MAX_QUESTIONS):
        assert (await host.ask()).value == "a"
    assert host.noted == ["take 1", "ask", "ended llm.classify True"] * MAX_QUESTIONS
    assert (await host.ask()).code == "limit_llm"
    for _ in range(MAX_CALLS - MAX_QUESTIONS):
        assert (await host.call("read")).value == "said"
    assert (await host.call("read")).code == "limit_calls"


@pytest.mark.spec("SCR-181", "SCR-219")
async def test_where_no_model_is_asked_a_question_counts_for_the_script_alone(host: Host) -> None:
    host.nest.asks = False
    host.nest.spent = True  # no money is asked for either
    for _ in range(MAX_QUESTIONS):
        assert (await host.ask()).error == EN("script_calls.llm_off")
    assert (await host.ask()).code == "limit_llm"
    assert host.noted == []
    for _ in range(MAX_CALLS - MAX_QUESTIONS):
        await host.call("read")
    assert (await host.call("read")).code == "limit_calls"


@pytest.mark.spec("SCR-107", "SCR-108", "SCR-106", "SCR-9")
async def test_the_server_counts_lookups_itself(host: Host) -> None:
    assert (await host.look("x" * 1001, "describe")).error == EN("script_words.lookup_text", limit=1000)
    for _ in range(MAX_LOOKUPS - 1):
        assert (await host.look()).value == ["read", "write", "delegate"]
    assert (await host.look()).error == EN("script_words.lookups", limit=MAX_LOOKUPS)
    assert host.noted == []
    assert (await host.call("read")).value == "said"


@pytest.mark.spec("SCR-200")
async def test_what_was_handed_to_the_script_is_counted(host: Host) -> None:
    await host.call("read")
    await host.call("nothing_like_it")
    await host.look()
    assert host.nest.inside.received_chars == len("said")
    await host.ask()
    assert host.nest.inside.received_chars == len("said") + len("a")
    host.nest.long = {"read"}
    answer = await host.call("read")
    assert host.nest.inside.received_chars == len("said") + len("a") + len(answer.value)


@pytest.mark.spec("SCR-187")
async def test_an_answer_that_just_fits_is_handed_over_whole(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fits(*_: Any) -> Ran:
        return Ran("y" * 200_000, True)

    monkeypatch.setattr(host.nest, "run", fits)
    assert (await host.call("read")).value == "y" * 200_000
    assert not any(one.startswith("keep") for one in host.noted)


@pytest.mark.spec("SCR-150", "SCR-152")
async def test_only_a_named_agent_will_do_and_a_long_answer_of_a_job_is_kept_under_the_script(host: Host) -> None:
    for agent in ("", None, 0):
        assert (await host.call("delegate", agent=agent)).code == "delegate_agent"
    assert host.noted == []
    host.nest.long = {"delegate"}
    await host.call("delegate")
    assert host.noted == ["take 1", "run delegate call:4", "keep call.4", "ended delegate True"]


@pytest.mark.spec("SCR-19", "SCR-200")
async def test_what_a_cut_call_says_on_the_card_was_not_handed_to_the_script(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    async def cut(*_: Any) -> Ran:
        raise asyncio.CancelledError

    monkeypatch.setattr(host.nest, "run", cut)
    with pytest.raises(asyncio.CancelledError):
        await host.call("read")
    assert (host.noted, host.nest.inside.received_chars) == (["take 1", "ended read False"], 0)
