"""What broke elsewhere: cancelled calls, dead sessions, late messages (field-failures)."""

import asyncio
import dataclasses

import pytest

from crewlab.engine.models.fake import FakeCall
from tests.fixtures import invariants
from tests.fixtures.crews import a_crew, say


class Careful:
    """Scripts that check each history they are given."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = 0

    async def script(self, scene):
        invariants.check_request(scene.request.messages)
        self.asked += 1
        if self.answers:
            for piece in self.answers.pop(0):
                if isinstance(piece, asyncio.Event):
                    await piece.wait()
                else:
                    yield piece
        else:
            yield "answer"


async def settle(crew, conversation):
    async with asyncio.timeout(10):
        while crew.host.busy(conversation):
            await crew.host.wait(conversation)


def write(name):
    return FakeCall("workspace_write", f'{{"path": "{name}.txt", "content": "x"}}')


@pytest.mark.spec("FH-3", "QUE-21", "TURN-24", "RPL-5")
async def test_a_turn_cancelled_among_several_calls_leaves_a_history_every_provider_takes(tmp_path, monkeypatch):
    model = Careful([write("a"), write("b"), write("c")])
    began = asyncio.Event()
    async with a_crew(tmp_path, routes="fake:careful", scripts={"careful": model.script}) as crew:
        registry = crew.toolbox.of(crew.roster.master)
        real, get = registry.get("workspace_write"), type(registry).get

        async def second_hangs(arguments, context):
            if arguments["path"] == "b.txt":
                began.set()
                await asyncio.Event().wait()
            return await real.run(arguments, context)

        hangs = dataclasses.replace(real, run=second_hangs)
        monkeypatch.setattr(type(registry), "get", lambda self, name: hangs if name == "workspace_write" else get(self, name))
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"autonomous": True})
        await crew.inbound.send(conversation, "go")
        await began.wait()
        for text in ("waits one", "/steer waits two"):
            await crew.inbound.send(conversation, text)
        crew.host.stop(conversation)
        await settle(crew, conversation)
        _, seen = await say(crew, "and now?", conversation)
        assert seen[-1].type == "done"
        results = [
            (m.name, (m.context or {}).get("outcome", "ok")) for m in crew.conversations.detail(conversation).messages if m.role == "tool"
        ]
        assert results == [("workspace_write", "ok"), ("workspace_write", "unknown"), ("workspace_write", "unknown")]
        assert sorted(file.name for file in (tmp_path / "workspace").glob("*.txt")) == ["a.txt"]
        assert model.asked == 2


@pytest.mark.spec("FH-4", "QUE-19")
async def test_no_call_of_an_answer_that_was_cancelled_in_mid_stream_ever_starts(tmp_path):
    never = asyncio.Event()
    model = Careful(["I will write. ", write("a"), never, write("b")])
    async with a_crew(tmp_path, routes="fake:careful", scripts={"careful": model.script}) as crew:
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"autonomous": True})
        await crew.inbound.send(conversation, "go")
        async with asyncio.timeout(10):
            while not crew.host.live[conversation].text:
                await asyncio.sleep(0)
        crew.host.stop(conversation)
        await settle(crew, conversation)
        never.set()
        await say(crew, "and now?", conversation)
        messages = crew.conversations.detail(conversation).messages
        assert [(m.role, m.content, m.tool_calls) for m in messages[:2]] == [("user", "go", []), ("assistant", "I will write. ", [])]
        assert not list((tmp_path / "workspace").glob("*.txt"))


@pytest.mark.spec("FL-3", "TURN-28")
async def test_a_conversation_whose_turn_died_takes_the_next_message(tmp_path, monkeypatch):
    model = Careful()
    async with a_crew(tmp_path, routes="fake:careful", scripts={"careful": model.script}) as crew:
        conversation, _ = await say(crew, "one")
        with monkeypatch.context() as patched:
            patched.setattr("crewlab.engine.turn.overflow.ask", None)  # a fault of our own, inside the turn
            _, seen = await say(crew, "two", conversation)
            assert (seen[-1].type, seen[-1].code) == ("error", "internal")
        _, seen = await say(crew, "three", conversation)
        assert seen[-1].type == "done"
        assert [m.content for m in crew.conversations.detail(conversation).messages] == ["one", "answer", "two", "three", "answer"]


@pytest.mark.spec("FL-9", "QUE-10", "QUE-5")
async def test_a_message_that_comes_while_the_turn_ends_is_answered_by_a_turn_of_its_own(tmp_path):
    model = Careful()
    async with a_crew(tmp_path, routes="fake:careful", scripts={"careful": model.script}) as crew:
        conversation = crew.conversations.create().id
        watcher = crew.watch.join(conversation)
        await crew.inbound.send(conversation, "first")
        async with asyncio.timeout(10):
            async for frame in watcher:
                if frame.event.type == "done":
                    break
        assert crew.host.busy(conversation)  # the end was told, the turn has not gone yet
        assert (await crew.inbound.send(conversation, "/steer late")).status == "queued"
        await settle(crew, conversation)
        assert [m.content for m in crew.conversations.detail(conversation).messages if m.role == "user"] == ["first", "late"]
        watcher.close()
