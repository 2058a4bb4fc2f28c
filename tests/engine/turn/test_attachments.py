"""Files that messages bring, on a real crew: while a turn runs, in forks, after a stop."""

import asyncio

import pytest

from crewlab.engine.turn.attachments import Given, kind_of
from tests.fixtures import papers
from tests.fixtures.crews import a_crew, say


class Gate:
    """A model that waits for the test, and says what it was asked."""

    def __init__(self):
        self.open = asyncio.Event()
        self.asked = []

    async def script(self, scene):
        self.asked.append(scene.request.messages[-1].content)
        if len(self.asked) == 1:
            await self.open.wait()
        yield "seen"


async def attach(crew, conversation, name="a.csv", data=b"1"):
    return await crew.attached.add(conversation, Given(name, data))


async def settle(crew, conversation):
    async with asyncio.timeout(10):
        while crew.host.busy(conversation):
            await crew.host.wait(conversation)


async def began(gate):
    async with asyncio.timeout(10):
        while not gate.asked:
            await asyncio.sleep(0)


@pytest.mark.spec("PTL-91", "QUE-5", "QUE-12")
async def test_files_of_waiting_messages_are_read_with_them(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "first")
        await began(gate)
        one, two, gone = [await attach(crew, conversation, f"{name}.csv") for name in ("one", "two", "gone")]
        await crew.inbound.send(conversation, "", attachments=[one.id])
        await crew.inbound.send(conversation, "and this", attachments=[two.id, gone.id, one.id])
        queued = crew.conversations.detail(conversation).queued
        assert [[file.name for file in item.attachments] for item in queued] == [["one.csv"], ["two.csv", "gone.csv", "one.csv"]]
        crew.attached.delete(conversation, gone.id)
        gate.open.set()
        await settle(crew, conversation)
        lines = "\n".join(f"[attachment {file.id}] {file.name} (text/csv, 1 byte) {file.path}" for file in (one, two))
        assert gate.asked[1].endswith(f"{lines}\n\nand this")
        assert gate.asked[1].count("[attachment ") == 2


@pytest.mark.spec("PTL-91", "QUE-8")
async def test_a_steer_brings_its_files_into_the_running_turn(tmp_path):
    gate = Gate()

    async def script(scene):
        if scene.tool_result is None:
            async for _piece in gate.script(scene):
                pass
            from crewlab.engine.models.fake import FakeCall

            yield FakeCall("workspace_list", "{}")
        else:
            yield next(message.content for message in scene.request.messages[::-1] if message.role == "user")

    async with a_crew(tmp_path, routes="fake:steered", scripts={"steered": script}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "first")
        await began(gate)
        file = await attach(crew, conversation)
        await crew.inbound.send(conversation, "/steer look here", attachments=[file.id])
        gate.open.set()
        await settle(crew, conversation)
        steer = [message for message in crew.conversations.detail(conversation).messages if message.role == "user"][1]
        assert steer.context["steer"] is True
        assert [each["id"] for each in steer.context["attachments"]] == [file.id]
        assert crew.conversations.detail(conversation).messages[-1].content.endswith("\n\nlook here")
        assert f"[attachment {file.id}]" in crew.conversations.detail(conversation).messages[-1].content


@pytest.mark.spec("QUE-19", "UI-52")
async def test_stop_gives_the_files_back_with_the_words(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "first")
        await began(gate)
        file = await attach(crew, conversation)
        await crew.inbound.send(conversation, "", attachments=[file.id])
        await crew.inbound.send(conversation, "words")
        stopped = crew.host.stop(conversation)
        assert (stopped.cleared, [each.id for each in stopped.attachments]) == (["words"], [file.id])
        await settle(crew, conversation)


@pytest.mark.spec("PTL-90", "FRK-4", "FRK-8")
async def test_a_fork_has_copies_of_its_own_and_its_first_turn_lists_them(tmp_path, monkeypatch):
    gate = Gate()
    gate.open.set()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation, _ = await say(crew, "first")
        before = await attach(crew, conversation, "before.csv", b"before")
        await say(crew, "second", conversation)
        await attach(crew, conversation, "after.csv")
        cut = [message.id for message in crew.conversations.detail(conversation).messages if message.role == "user"][1]
        fork = crew.forks.fork(conversation, cut).id
        (mine,) = crew.attached.list(fork)
        assert (mine.name, mine.path) == ("before.csv", before.path)
        assert mine.id != before.id
        crew.attached.delete(conversation, before.id)
        await crew.conversations.delete(conversation)
        assert (await crew.attached.read(fork, mine.id))[1] == b"before"
        await say(crew, "in the fork", fork)
        await say(crew, "again", fork)
        line = f"[attachment {mine.id}] before.csv (text/csv, 6 bytes) {before.path}"
        assert gate.asked[-2].endswith(f"{line}\n\nin the fork")
        assert gate.asked[-1].endswith("again")
        assert "[attachment " not in gate.asked[-1]
        monkeypatch.setattr(crew.forks._attached, "copy", lambda *_: 1 / 0)
        folders = set((crew.home.root / "attachments").iterdir())
        with pytest.raises(ZeroDivisionError):
            crew.forks.fork(fork, next(m.id for m in crew.conversations.detail(fork).messages if m.content == "again"))
        assert set((crew.home.root / "attachments").iterdir()) == folders
        assert len(crew.conversations.list()[0]) == 1


@pytest.mark.spec("PTL-89", "PTL-91")
async def test_an_agent_that_is_not_the_master_reads_the_stored_file_itself(tmp_path):
    (tmp_path / "agents" / "helper").mkdir(parents=True)
    (tmp_path / "agents" / "helper" / "agent.yaml").write_text("name: Helper\n")
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create("helper").id
        file = await attach(crew, conversation, "notes.pdf", papers.pdf(papers.typeset("the words inside")))
        assert file.path is None
        assert not (crew.home.workspace / "inbox").exists()
        stored = crew.home.attachments(conversation) / f"{file.id}-notes.pdf"
        sent = await crew.inbound.send(conversation, f'/tool pdf_read {{"path": "{stored}"}}', attachments=[file.id])
        await settle(crew, conversation)
        messages = crew.conversations.detail(conversation).messages
        assert str(stored) in messages[0].context["parts"][-1]
        assert "the words inside" in next(message.content for message in messages if message.role == "tool")
        assert sent.status == "started"


@pytest.mark.spec("PTL-89")
async def test_a_file_for_which_the_disk_has_no_room_leaves_nothing(tmp_path, monkeypatch):
    from crewlab.engine.errors import Unavailable
    from crewlab.engine.turn import attachments as module

    def full(*_):
        raise OSError(28, "No space left on device")

    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        monkeypatch.setattr(module, "save", full)
        with pytest.raises(Unavailable, match="No space left"):
            await attach(crew, conversation)
        assert list(crew.home.attachments(conversation).iterdir()) == []
        assert crew.attached.list(conversation) == []


@pytest.mark.parametrize(
    ("name", "said", "kind"),
    [
        ("a.CSV", None, "text/csv"),
        ("a.csv", "text/evil", "text/csv"),
        ("README", None, "application/octet-stream"),
        ("x.dat", "chemical/x-pdb", "chemical/x-pdb"),
        ("x.dat", "text/x; a=\n[attachment", "text/xaattachment"),
        ("x.dat", "nonsense", "application/octet-stream"),
    ],
)
@pytest.mark.spec("PTL-91")
def test_the_type_is_one_word(name, said, kind):
    assert kind_of(name, said) == kind
