"""The prompt a provider is sent: its order, its caps, and how little of it changes."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from crewlab.engine.texts import Texts
from crewlab.engine.turn import prompt
from tests.fixtures.crews import a_crew, say
from tests.fixtures.opened import plain


class Listener:
    """A provider that keeps every request."""

    name, small = "fake", False

    def __init__(self):
        self.requests = []

    async def stream(self, request, route):
        from crewlab.engine.models.base import Completion, TextDelta

        self.requests.append(request)
        yield TextDelta("ok")
        yield Completion("ok", cost_usd=0.0)

    async def close(self):
        pass


@pytest.mark.spec("TURN-79")
async def test_the_prompt_that_is_shown_is_the_one_a_turn_sends(tmp_path):
    tmp_path.joinpath("PERSONA.md").write_text("I speak like a sailor.", encoding="utf-8")
    async with a_crew(tmp_path) as crew:
        listener = Listener()
        crew.models.plug(listener)
        await say(crew, "hi")
        shown = crew.prompts.of(crew.roster.master.id)
        assert shown.prompt == listener.requests[0].system
        assert shown.opening == ""


@pytest.mark.spec("TURN-71", "TURN-72")
async def test_the_sections_stand_in_their_order_and_the_date_is_last(tmp_path):
    tmp_path.joinpath("PERSONA.md").write_text("I speak like a sailor.", encoding="utf-8")
    async with a_crew(tmp_path, config="timezone: Asia/Ho_Chi_Minh\n") as crew:
        listener = Listener()
        crew.models.plug(listener)
        await say(crew, "hi")
        system = listener.requests[0].system
        places = [system.index(part) for part in ("You are Crew", "I speak like a sailor.", "chat mode", "workspace_list", "Today is")]
        assert places == sorted(places)
        last = system.splitlines()[-1]
        assert last.startswith("Today is ")
        assert ":" not in last  # no clock time
        today = datetime.now(ZoneInfo("Asia/Ho_Chi_Minh")).date().isoformat()
        assert today in last


@pytest.mark.spec("TURN-70", "PRV-16")
async def test_the_prompt_and_the_tools_are_the_same_bytes_in_every_call_and_the_history_only_grows(tmp_path):
    async with a_crew(tmp_path) as crew:
        listener = Listener()
        crew.models.plug(listener)
        conversation, _ = await say(crew, "one")
        for text in ("two", "three"):
            await say(crew, text, conversation)
        first, *rest = listener.requests
        assert all(request.system == first.system and request.tools == first.tools for request in rest)
        for before, after in zip(listener.requests, rest, strict=False):
            assert after.messages[: len(before.messages)] == before.messages
        assert [plain(m.content) for m in rest[-1].messages] == ["one", "ok", "two", "ok", "three"]


@pytest.mark.spec("TURN-72")
def test_the_date_line_changes_with_the_persons_day_and_not_with_utc():
    zone = ZoneInfo("Asia/Ho_Chi_Minh")
    late, early = datetime(2026, 3, 2, 16, 59, tzinfo=UTC), datetime(2026, 3, 2, 17, 1, tzinfo=UTC)
    assert prompt.date_line(late, zone, Texts()) == "Today is Monday, 2026-03-02."
    assert prompt.date_line(early, zone, Texts()) == "Today is Tuesday, 2026-03-03."
    assert prompt.date_line(early, zone, Texts("vi")) == "Hôm nay là thứ Ba, 2026-03-03."


@pytest.mark.spec("TURN-74")
def test_a_section_over_its_cap_keeps_its_beginning_and_says_how_much_is_left_out():
    text = "x" * (prompt.PERSONA_CHARS + 7)
    kept = prompt.capped(text, prompt.PERSONA_CHARS, Texts())
    assert prompt.PERSONA_CHARS == 12_000
    assert kept == "x" * 12_000 + "\n[7 characters left out]"
    assert prompt.capped(text[:12_000], prompt.PERSONA_CHARS, Texts()) == text[:12_000]


@pytest.mark.spec("AGT-25")
async def test_a_running_turn_keeps_the_agent_it_started_with(tmp_path):
    import asyncio

    go_on = asyncio.Event()

    async def waits(scene):
        yield "a"
        await go_on.wait()
        yield "b"

    async with a_crew(tmp_path, routes="fake:waits", scripts={"waits": waits}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "go")
        turn = crew.host.live[conversation]
        before = (turn.agent, turn.registry, turn.system)
        crew.toolbox._built.clear()
        go_on.set()
        await crew.host.wait(conversation)
        assert (turn.agent, turn.registry, turn.system) == before
