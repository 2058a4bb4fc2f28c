"""The block a turn's own message opens with: whom the model talks to and what time it is there."""

from datetime import datetime

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.home.settings_models import Person
from crewlab.engine.home.zones import is_zone
from crewlab.engine.texts import Texts
from crewlab.engine.turn.who_and_when import written
from tests.fixtures.crews import a_crew, say

EVENING = datetime.fromisoformat("2026-10-14T10:42:00+00:00")


@pytest.mark.spec("PTL-146", "PTL-151")
@pytest.mark.parametrize(
    ("person", "line"),
    [
        ({"name": "An", "department": "Climate", "organisation": "Institute"}, "With: An, Climate, Institute\n"),
        ({"name": "An", "organisation": "Institute"}, "With: An, Institute\n"),
        ({}, ""),
    ],
)
def test_what_is_missing_is_left_out(person, line):
    block = written(Person(**person), EVENING, "UTC", Texts("en"))
    assert block == f"[context]\n{line}Now: Wednesday 14 October 2026, 10:42 (UTC)\n[/context]"


@pytest.mark.spec("PTL-151")
def test_the_words_follow_the_language_and_the_tokens_do_not():
    block = written(Person(name="An"), EVENING, "UTC", Texts("vi"))
    assert block == "[context]\nNói chuyện với: An\nBây giờ: thứ Tư, ngày 14 tháng 10 năm 2026, 10:42 (UTC)\n[/context]"


def told(crew, conversation):
    """The first part of every message that opened a turn."""
    return [message.context["parts"][0] for message in crew.store.messages.list(conversation) if message.role == "user"]


@pytest.mark.spec("PTL-149", "PTL-150", "PTL-153", "PTL-154")
async def test_the_block_is_in_the_stored_message_in_the_zone_of_the_face_and_never_in_the_text(tmp_path):
    assert is_zone("Asia/Ho_Chi_Minh")
    clock = FakeClock(EVENING)
    async with a_crew(tmp_path, clock=clock) as crew:
        conversation, _ = await say(crew, "one")
        for zone in ("Asia/Ho_Chi_Minh", "Nowhere/At_All"):
            clock.advance(60)
            await crew.inbound.send(conversation, "more", timezone=zone)
            while crew.host.busy(conversation):
                await crew.host.wait(conversation)
        first, second, third = told(crew, conversation)
        assert "10:42 (UTC)" in first
        assert "17:43 (Asia/Ho_Chi_Minh)" in second
        assert "10:44 (UTC)" in third
        assert [m.content for m in crew.conversations.detail(conversation).messages if m.role == "user"] == ["one", "more", "more"]


@pytest.mark.spec("PTL-152")
async def test_saved_lines_are_told_from_the_next_turn_on(tmp_path):
    async with a_crew(tmp_path, clock=FakeClock(EVENING)) as crew:
        conversation, _ = await say(crew, "one")
        await crew.person.save({"name": "An", "department": "Climate"})
        await say(crew, "two", conversation)
        await crew.person.save({"name": None})
        await say(crew, "three", conversation)
        assert ["With: An, Climate" in block for block in told(crew, conversation)] == [False, True, False]
