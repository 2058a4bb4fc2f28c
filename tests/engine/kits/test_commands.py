"""Commands of kits: names, what is stored, while a turn runs, in Telegram (KIT-9 to KIT-13)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.agents.kits.commands import OWN_COMMANDS, expand, typed
from crewlab.engine.crew import Crew
from crewlab.engine.errors import Invalid
from crewlab.engine.models.fake import FakeCall
from tests.fixtures.crews import a_crew, say
from tests.fixtures.kits import FIX_ISSUE
from tests.fixtures.remembered import put


def command(directory: Path, name: str, body: str) -> Path:
    return put(directory / f"{name}.md", body)


def first(crew: Crew, conversation: str) -> Any:
    return next(message for message in crew.conversations.detail(conversation).messages if message.role == "user")


@pytest.mark.spec("KIT-10", "KIT-11", "KIT-12", "KIT-9")
async def test_a_command_becomes_the_text_of_its_file_and_what_was_typed_is_kept(tmp_path: Path) -> None:
    command(tmp_path / ".claude" / "commands", "fix-issue", FIX_ISSUE)
    async with a_crew(tmp_path) as crew:
        known = crew.kits.commands(crew.roster.master)["fix-issue"]
        assert (known.description, known.hint) == ("Fix a GitHub issue", "[issue-number] [priority]")
        conversation, _ = await say(crew, '/fix-issue 123 "very high" now')
        message = first(crew, conversation)
        assert message.content == (
            'Fix issue #123 with priority very high.\n\nContext: !`git status` and @src/main.py\n\nAll of it: 123 "very high" now'
        )
        assert (message.context or {})["command"] == {"name": "fix-issue", "typed": '/fix-issue 123 "very high" now'}
        assert message.written_by == "kit"
        assert crew.conversations.detail(conversation).title == '/fix-issue 123 "very high" now'


@pytest.mark.spec("KIT-9", "KIT-4", "KIT-3")
async def test_whose_commands_and_which_of_one_name(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ada = tmp_path / "agents" / "ada"
    put(ada / "agent.yaml", "name: Ada\n")
    command(ada / ".opencode" / "command", "mine", "ada")
    command(ada / ".opencode" / "commands", "both", "ada opencode")
    command(tmp_path / ".agents" / "commands", "both", "home agents")
    command(tmp_path / ".claude" / "commands", "both", "home claude")
    command(tmp_path / ".claude" / "commands" / "git" / "flow", "start", "nested")
    async with a_crew(tmp_path) as crew:
        own = {name: each.body for name, each in crew.kits.commands(crew.roster.get("ada")).items()}
        assert own == {"mine": "ada", "both": "ada opencode", "git:flow:start": "nested"}
        shared = {name: each.body for name, each in crew.kits.commands(crew.roster.master).items()}
        assert shared == {"both": "home agents", "git:flow:start": "nested"}
        assert sum("is shadowed by" in line for line in caplog.messages) == 3  # one line for each pair
        conversation = crew.conversations.create("ada").id
        await say(crew, "/git:flow:start", conversation)
        assert first(crew, conversation).content == "nested"


@pytest.mark.spec("KIT-13", "QUE-7")
@pytest.mark.parametrize("text", ["/nobody knows", "/tmp/x", "say /go", "/GO", "/", "//go", "/go/x"])
async def test_a_command_that_nobody_defines_is_an_ordinary_message(tmp_path: Path, text: str) -> None:
    command(tmp_path / ".claude" / "commands", "go", "body")
    async with a_crew(tmp_path) as crew:
        conversation, _ = await say(crew, text)
        message = first(crew, conversation)
        assert (message.content, message.written_by, "command" in (message.context or {})) == (text, "person", False)


@pytest.mark.spec("KIT-13", "CHN-10")
async def test_the_commands_of_crewlab_cannot_be_redefined(tmp_path: Path) -> None:
    names = sorted(OWN_COMMANDS)
    for name in [*names, "Stop", "ok"]:
        command(tmp_path / ".claude" / "commands", name, "taken over")
    async with a_crew(tmp_path) as crew:
        assert list(crew.kits.commands(crew.roster.master)) == ["ok"]
        assert len(crew.kits.warnings(crew.roster.master)) == len(names) + 1
        table = {"start", "help", "status", "new", "stop", "approve", "deny", "answer", "skip", "plan", "vibe", "team", "jobs", "cost"}
        assert set(names) == table | {"steer"}  # the table of CHN-10


@pytest.mark.spec("KIT-5", "KIT-9")
async def test_files_that_are_no_command_are_warnings_on_the_agent(tmp_path: Path) -> None:
    commands = tmp_path / "home" / ".claude" / "commands"
    command(commands, "bad name", "x")
    command(commands, "empty", "---\ndescription: x\n---\n")
    command(commands, "broken", "---\n- x\n---\nx")
    command(commands, "large", "x" * (256 * 1024 + 1))
    put(tmp_path / "outside.md", "secret")
    (commands / "link.md").symlink_to(tmp_path / "outside.md")
    put(tmp_path / "out" / "x.md", "secret")
    (commands / "dir").symlink_to(tmp_path / "out")
    command(commands, "colon", "---\ndescription: Use when: always\n---\nx")
    async with a_crew(tmp_path / "home") as crew:
        assert {name: each.description for name, each in crew.kits.commands(crew.roster.master).items()} == {"colon": "Use when: always"}
        told = crew.kits.warnings(crew.roster.master)
        assert sorted(warning.split("commands/")[1].split(".md")[0] for warning in told) == [
            "bad name", "broken", "empty", "large", "link",
        ]  # fmt: skip


@pytest.mark.spec("KIT-13", "QUE-6", "KIT-10")
async def test_while_a_turn_runs_a_command_is_a_steer(tmp_path: Path) -> None:
    command(tmp_path / ".claude" / "commands", "look", "Look at $1.")
    started, go_on = asyncio.Event(), asyncio.Event()

    async def works(scene: Any) -> AsyncIterator[Any]:
        if not any(message.role == "tool" for message in scene.request.messages):
            started.set()
            await go_on.wait()
            yield FakeCall("workspace_list", "{}")
        else:
            yield f"last words were: {scene.last_user}"

    async with a_crew(tmp_path, routes="fake:works", scripts={"works": works}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "go")
        await started.wait()
        sent = await crew.inbound.send(conversation, "/look b")
        assert sent.queued is not None
        assert sent.queued.kind == "steer"
        assert [item.text for item in crew.conversations.detail(conversation).queued] == ["/look b"]  # the chip, and what Stop gives back
        go_on.set()
        await crew.host.wait(conversation)
        messages = crew.conversations.detail(conversation).messages
        assert messages[-1].content == "last words were: Look at b."
        assert messages[3].context == {"steer": True, "command": {"name": "look", "typed": "/look b"}}
        assert messages[3].written_by == "kit"


@pytest.mark.spec("KIT-10", "QUE-5")
async def test_a_command_that_waited_for_the_end_is_replaced_when_its_turn_opens(tmp_path: Path) -> None:
    command(tmp_path / ".claude" / "commands", "look", "Look at $1.")
    started, go_on = asyncio.Event(), asyncio.Event()

    async def slow(scene: Any) -> AsyncIterator[Any]:
        started.set()
        await go_on.wait()
        yield f"heard {scene.last_user}"

    async with a_crew(tmp_path, routes="fake:slow", scripts={"slow": slow}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "go")
        await started.wait()
        await crew.inbound.send(conversation, "and then")
        await crew.inbound.send(conversation, "/look b")
        go_on.set()
        async with asyncio.timeout(20):
            while len(crew.conversations.detail(conversation).messages) < 4 or crew.host.busy(conversation):
                await crew.host.wait(conversation)
                await asyncio.sleep(0)
        message = crew.conversations.detail(conversation).messages[2]
        assert message.content == "and then\n\nLook at b."
        assert (message.context or {})["command"] == {"name": "look", "typed": "and then\n\n/look b"}
        assert message.written_by == "person"  # a part of it is the person's own


@pytest.mark.spec("TURN-18", "KIT-10")
async def test_a_command_whose_text_would_be_too_long_is_refused(tmp_path: Path) -> None:
    command(tmp_path / ".claude" / "commands", "many", "$ARGUMENTS " * 20_000)
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        with pytest.raises(Invalid) as refused:
            await crew.inbound.send(conversation, "/many " + "x" * 90_000)
        assert refused.value.code == "text_too_long"
        assert "/many" in refused.value.message
        assert crew.conversations.detail(conversation).messages == []


@pytest.mark.spec("KIT-10")
@pytest.mark.parametrize(
    ("body", "rest", "text"),
    [
        ("a $1 b $2", "x y z", "a x b y"),
        ("a $1 b $2", "", "a  b "),
        ("$1|$2", "'one two' \"three four\"", "one two|three four"),
        ("$1", '""', ""),
        ("$1|$2", '"open quote', '"open|quote'),
        ("$ARGUMENTS!", "a  b", "a  b!"),
        ("$ARGUMENTS $1", "$1 $ARGUMENTS", "$1 $ARGUMENTS $1"),
        ("costs $10, $ARGUMENTSX, $0 $a", "x", "costs $10, $ARGUMENTSX, $0 $a\n\nx"),
        ("no place", "my words", "no place\n\nmy words"),
        ("no place", "", "no place"),
        (r"\1 \g<0> $1", r"\2", r"\1 \g<0> \2"),
    ],
)
def test_how_places_are_filled(body: str, rest: str, text: str) -> None:
    assert expand(body, rest, 1000) == text


@pytest.mark.spec("KIT-10", "KIT-11")
@given(st.text(max_size=200), st.text(max_size=200))
def test_filling_never_fails_and_never_passes_the_limit(body: str, rest: str) -> None:
    text = expand(body, rest, 300)
    assert text is None or len(text) <= 300


@pytest.mark.spec("KIT-10")
def test_what_a_message_calls() -> None:
    said = typed("  /go  one two\nthree ")
    assert said is not None
    assert (said.name, said.rest) == ("go", "one two\nthree")
    assert typed("go /x") is None
    assert typed("/") is None
