"""``fake:script:<file>``: turns and rounds follow from the request, faults are as written."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from crewlab.engine.home.routes import Route, parse_route
from crewlab.engine.models.base import (
    ChatMessage,
    ChatRequest,
    Completion,
    ProviderError,
    ProviderItem,
    ReasoningDelta,
    RouteRetry,
    TextDelta,
    Usage,
)
from crewlab.engine.models.chain import Link, ProviderChain
from crewlab.engine.models.fake import FakeProvider
from crewlab.engine.records import ToolCall
from crewlab.engine.texts import Texts
from tests.fixtures.crews import a_crew, say
from tests.fixtures.source import ROOT

TEXTS = Texts()
SCRIPT = """
price: 0.25
turns:
  - match: 'save (\\w+)'
    rounds:
      - - text: 'saving {1}. '
          pieces: 4
        - call: workspace_write
          arguments: {path: '{1}-{round}.txt', content: 'of turn {turn}: {last}'}
      - - text: 'told: {result}'
        - price: null
        - tokens: {prompt: 7, cached: 5}
  - rounds: [[{text: first}]]
  - rounds: [[{think: 2}, {wait: 1.5}, {text: 'a{0}{b}', times: 2}]]
"""


def provider(path: Path, text: str | None = None, waits: list[float] | None = None) -> tuple[FakeProvider, Route]:
    async def sleep(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)

    if text is not None:
        path.write_text(text, encoding="utf-8")
    return FakeProvider(TEXTS, sleep=sleep), parse_route(f"fake:script:{path}")


async def ask(path: Path, text: str, *messages: ChatMessage, waits: list[float] | None = None) -> list[ProviderItem]:
    model, route = provider(path, text, waits)
    return [item async for item in model.stream(ChatRequest("system", messages), route)]


def user(text: str) -> ChatMessage:
    return ChatMessage("user", text)


def called(result: str) -> tuple[ChatMessage, ChatMessage]:
    call = ToolCall(id="c1", name="workspace_write", arguments={})
    return ChatMessage("assistant", "", tool_calls=(call,)), ChatMessage("tool", result, tool_call_id="c1")


def end(items: list[ProviderItem]) -> Completion:
    assert isinstance(items[-1], Completion)
    return items[-1]


@pytest.mark.spec("FAKE-1", "FAKE-3", "FAKE-4", "FAKE-6", "PRV-1")
async def test_a_matching_message_is_answered_round_by_round(tmp_path: Path) -> None:
    first = await ask(tmp_path / "s.yaml", SCRIPT, user("please save me"))
    assert [item.text for item in first if isinstance(item, TextDelta)] == ["savi", "ng m", "e. "]
    (call,) = end(first).tool_calls
    assert (call.name, call.arguments) == ("workspace_write", {"path": "me-1.txt", "content": "of turn 1: please save me"})
    assert end(first).cost_usd == 0.25
    second = end(await ask(tmp_path / "s.yaml", SCRIPT, user("please save me"), *called("Wrote it")))
    assert (second.text, second.cost_usd, second.usage) == ("told: Wrote it", None, Usage(prompt_tokens=7, cached_tokens=5))


@pytest.mark.spec("FAKE-2", "FAKE-3", "FAKE-4", "FAKE-5")
async def test_other_messages_go_by_their_number_and_the_last_turn_stands_for_the_rest(tmp_path: Path) -> None:
    waits: list[float] = []
    assert end(await ask(tmp_path / "s.yaml", SCRIPT, user("x"))).text == "first"
    history = [user("x"), ChatMessage("assistant", "first"), user("y")]
    for _ in range(2):
        items = await ask(tmp_path / "s.yaml", SCRIPT, *history, waits=waits)
        assert end(items).text == "a{0}{b}a{0}{b}"
        assert sum(isinstance(item, ReasoningDelta) for item in items) == 2
        history += [ChatMessage("assistant", "a"), user("z")]
    assert waits == [1.5, 1.5]


@pytest.mark.spec("FAKE-3", "PRV-18")
async def test_a_json_file_may_hold_a_call_that_cannot_be_read(tmp_path: Path) -> None:
    script = json.dumps({"turns": [{"rounds": [[{"call": "workspace_read", "raw": '{"path": '}]]}]})
    (call,) = end(await ask(tmp_path / "s.json", script, user("x"))).tool_calls
    assert call.arguments == '{"path": '


@pytest.mark.spec("FAKE-1")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("turns: [", "cannot be played"),
        ("turns: []", "turns"),
        ("turns: [{rounds: []}]", "turns.0.rounds"),
        ("turns: [{rounds: [[{text: a, call: b}]]}]", "exactly one of"),
        ("turns: [{rounds: [[{say: a}]]}]", "turns.0.rounds.0.0.say"),
        ("turns: [{match: '(', rounds: [[{text: a}]]}]", "no pattern"),
        ("turns: [{match: 'zzz', rounds: [[{text: a}]]}]", "No turn"),
    ],
)
async def test_a_file_that_does_not_fit_is_an_error_that_names_the_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ProviderError, match=re.escape(says)) as failure:
        await ask(tmp_path / "s.yaml", text, user("x"))
    assert not failure.value.transient


@pytest.mark.spec("FAKE-1")
async def test_a_missing_file_is_named_and_a_changed_one_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    model, route = provider(path)
    with pytest.raises(ProviderError, match=re.escape(str(path))):
        [item async for item in model.stream(ChatRequest("s", (user("x"),)), route)]
    for text in ("one", "another one"):
        path.write_text(f"turns: [{{rounds: [[{{text: '{text}'}}]]}}]", encoding="utf-8")
        items = [item async for item in model.stream(ChatRequest("s", (user("x"),)), route)]
        assert end(items).text == text


@pytest.mark.spec("FAKE-3", "PRV-7")
async def test_a_failure_before_text_is_tried_again_as_its_status_says(tmp_path: Path) -> None:
    waits: list[float] = []
    model, route = provider(tmp_path / "s.yaml", "turns: [{rounds: [[{fail: 'busy {turn}', status: 503}]]}]", waits)

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    chain = ProviderChain([Link(route, model)], TEXTS, sleep=sleep)
    seen = []
    with pytest.raises(Exception, match="busy 1"):
        async for item in chain.stream(ChatRequest("s", (user("x"),))):
            seen.append(item)
    assert [item.error for item in seen if isinstance(item, RouteRetry)] == ["busy 1"]


@pytest.mark.spec("FAKE-3")
async def test_a_hanging_round_gives_nothing_until_it_is_closed(tmp_path: Path) -> None:
    model, route = provider(tmp_path / "s.yaml", "turns: [{rounds: [[{text: a}, {hang: true}, {text: b}]]}]")
    stream = model.stream(ChatRequest("s", (user("x"),)), route)
    assert await anext(stream) == TextDelta("a")
    waiting = asyncio.ensure_future(anext(stream))
    done, _ = await asyncio.wait({waiting}, timeout=0.05)
    assert not done
    waiting.cancel()
    await asyncio.wait({waiting})


@pytest.mark.spec("FAKE-3")
async def test_a_huge_answer_has_the_length_it_names(tmp_path: Path) -> None:
    assert len(end(await ask(tmp_path / "s.yaml", "turns: [{rounds: [[{huge: 12345}]]}]", user("x"))).text) == 12345


@pytest.mark.spec("FAKE-3")
def test_dying_needs_the_variable(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("turns: [{rounds: [[{die: true}, {text: alive}]]}]", encoding="utf-8")
    program = (
        "import asyncio\nfrom crewlab.engine.home.routes import parse_route\nfrom crewlab.engine.models.base import ChatRequest\n"
        "from crewlab.engine.models.fake import FakeProvider\nfrom crewlab.engine.texts import Texts\n"
        "async def main():\n"
        f"    route = parse_route('fake:script:{tmp_path}/s.yaml')\n"
        "    async for item in FakeProvider(Texts()).stream(ChatRequest('s', ()), route): print(item)\n"
        "asyncio.run(main())"
    )
    for dies, code in (("", 0), ("1", 70)):
        environ = {"CREWLAB_FAKE_DIES": dies, "PYTHONPATH": str(ROOT)}
        assert subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, timeout=60, check=False).returncode == code


@pytest.mark.spec("FAKE-1", "FAKE-6", "COST-1")
async def test_a_whole_turn_plays_through_the_real_loop_with_its_money(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(SCRIPT, encoding="utf-8")
    async with a_crew(tmp_path / "home", routes=f"fake:script:{tmp_path}/s.yaml") as crew:
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"autonomous": True})
        _, seen = await say(crew, "save it", conversation)
        assert (seen[-1].type, seen[-1].cost_usd, seen[-1].unknown_cost_calls) == ("done", 0.25, 1)
        assert (tmp_path / "home" / "workspace" / "it-1.txt").read_text() == "of turn 1: save it"


def test_the_example_of_the_documentation_is_a_script_that_plays(tmp_path: Path) -> None:
    page = (ROOT / "docs/reference/scripted-model.md").read_text(encoding="utf-8")
    example = page.split("```yaml\n")[1].split("```")[0]
    items = asyncio.run(ask(tmp_path / "s.yaml", example, user("save notes")))
    assert end(items).tool_calls[0].arguments["path"] == "notes.txt"
