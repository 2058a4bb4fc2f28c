"""``fake:echo`` and the fixture models."""

from __future__ import annotations

import subprocess
import sys

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import CallDelta, ChatMessage, ChatRequest, Completion, ProviderError, ProviderItem, TextDelta
from crewlab.engine.models.fake import FakeProvider, Scene
from crewlab.engine.texts import Texts

TEXTS = Texts()


async def ask(model: str, *messages: ChatMessage, waits: list[float] | None = None) -> list[ProviderItem]:
    async def sleep(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)

    provider = FakeProvider(TEXTS, sleep=sleep)
    return [item async for item in provider.stream(ChatRequest("s" * 8, messages), Route("fake", model))]


def user(text: str) -> ChatMessage:
    return ChatMessage("user", text)


def end(items: list[ProviderItem]) -> Completion:
    assert isinstance(items[-1], Completion)
    return items[-1]


@pytest.mark.spec("PRV-20", "TOOL-37", "TOOL-38")
async def test_any_other_message_is_echoed_in_pieces() -> None:
    text = "Xin chào, đây là một câu dài hơn một mảnh."
    items = await ask("echo", user("before"), user(text))
    pieces = [item.text for item in items if isinstance(item, TextDelta)]
    assert "".join(pieces) == end(items).text == text
    assert len(pieces) > 1


@pytest.mark.spec("PRV-21", "TOOL-38", "COST-1")
async def test_the_price_is_known_and_zero_and_tokens_follow_the_length() -> None:
    done = end(await ask("echo", user("12345678")))
    assert done.cost_usd == 0.0
    assert (done.usage.prompt_tokens, done.usage.completion_tokens) == (4, 2)


@pytest.mark.spec("PRV-20", "TOOL-38")
@pytest.mark.parametrize(
    ("line", "name", "arguments"),
    [
        ('/tool workspace_read {"path": "a b.txt"}', "workspace_read", {"path": "a b.txt"}),
        ("/tool workspace_list", "workspace_list", {}),
        ("/tool workspace_list   ", "workspace_list", {}),
        ("/tool workspace_read {broken", "workspace_read", "{broken"),
        ("/tool workspace_read [1]", "workspace_read", "[1]"),
        ("/tool no_such_tool {}", "no_such_tool", {}),
        ("/tool", "", {}),
    ],
)
async def test_a_tool_line_becomes_a_call_as_written(line: str, name: str, arguments: object) -> None:
    done = end(await ask("echo", user(line)))
    assert [(call.name, call.arguments) for call in done.tool_calls] == [(name, arguments)]
    assert done.text == ""


@pytest.mark.spec("TOOL-38")
async def test_several_tool_lines_are_several_calls_of_one_message() -> None:
    items = await ask("echo", user('context\n/tool a {"x": 1}\n/tool b\n/tool a'))
    calls = end(items).tool_calls
    assert [call.name for call in calls] == ["a", "b", "a"]
    assert len({call.id for call in calls}) == 3
    assert [item.index for item in items if isinstance(item, CallDelta)] == [0, 1, 2]


@pytest.mark.spec("PRV-21", "TOOL-38")
async def test_after_a_tool_result_its_first_200_characters_are_the_answer() -> None:
    done = end(await ask("echo", user("/tool a"), ChatMessage("assistant", ""), ChatMessage("tool", "r" * 300, tool_call_id="c")))
    assert done.text == "r" * 200
    assert done.tool_calls == ()


async def test_an_unknown_fake_model_says_so() -> None:
    with pytest.raises(ProviderError, match="nosuch"):
        await ask("nosuch", user("hi"))


async def test_a_script_can_be_registered() -> None:
    async def script(scene: Scene):  # type: ignore[no-untyped-def]
        yield scene.last_user.upper()

    provider = FakeProvider(TEXTS)
    provider.register("loud", script)
    items = [item async for item in provider.stream(ChatRequest("", (user("hi"),)), Route("fake", "loud"))]
    assert end(items).text == "HI"


async def test_slow_streams_as_many_words_as_asked_with_the_delay_asked() -> None:
    waits: list[float] = []
    items = await ask("slow", user("/slow 40 0.05"), waits=waits)
    assert end(items).text.split() == [f"w{n}" for n in range(1, 41)]
    assert waits == [0.05] * 40


async def test_broken_fails_after_text_and_down_before() -> None:
    provider = FakeProvider(TEXTS)
    seen: list[ProviderItem] = []
    with pytest.raises(ProviderError) as broken:
        async for item in provider.stream(ChatRequest("", (user("hi"),)), Route("fake", "broken")):
            seen.append(item)
    assert len(seen) == 1
    assert not broken.value.transient
    with pytest.raises(ProviderError) as down:
        await ask("down", user("hi"))
    assert down.value.transient


async def test_loop_makes_the_same_call_for_ever() -> None:
    again = [user('/loop workspace_read {"path": "a"}'), ChatMessage("tool", "same", tool_call_id="c")]
    for messages in ([again[0]], again):
        calls = end(await ask("loop", *messages)).tool_calls
        assert [(call.name, call.arguments) for call in calls] == [("workspace_read", {"path": "a"})]
    assert end(await ask("loop", user("hi"))).tool_calls[0].name == "workspace_list"


async def test_huge_has_the_length_asked() -> None:
    assert len(end(await ask("huge", user("/huge 12345"))).text) == 12345
    assert len(end(await ask("huge", user("hi"))).text) == 200_000


@pytest.mark.parametrize(("model", "tool"), [("badjson", "workspace_read"), ("approval", "workspace_write")])
async def test_models_that_call_first_and_then_tell(model: str, tool: str) -> None:
    call = end(await ask(model, user("go"))).tool_calls[0]
    assert call.name == tool
    assert isinstance(call.arguments, str) is (model == "badjson")
    told = end(await ask(model, user("go"), ChatMessage("tool", "the outcome", tool_call_id=call.id)))
    assert "the outcome" in told.text


DIES = """
import asyncio
from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import ChatMessage, ChatRequest
from crewlab.engine.models.fake import FakeProvider
from crewlab.engine.texts import Texts
async def main():
    async for item in FakeProvider(Texts()).stream(ChatRequest("", (ChatMessage("user", "x"),)), Route("fake", "dies")):
        print(item, flush=True)
asyncio.run(main())
"""


@pytest.mark.parametrize(("flag", "status"), [("1", 70), ("0", 0)])
def test_dies_takes_the_process_along_only_when_told(flag: str, status: int) -> None:
    done = subprocess.run([sys.executable, "-c", DIES], env={"CREWLAB_FAKE_DIES": flag, "PYTHONPATH": "."}, capture_output=True, text=True)
    assert done.returncode == status
    assert "w5" in done.stdout
    assert ("Completion" in done.stdout) is (status == 0)
