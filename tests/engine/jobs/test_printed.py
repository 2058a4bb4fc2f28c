"""The message that opens the turn after a script."""

import json
import re

import pytest

from crewlab.engine.jobs.printed import after_script, new_number
from crewlab.engine.texts import Texts
from tests.fixtures.printed import FILE, messages


@pytest.mark.spec("SCR-230", "JOB-9")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_the_message_has_its_one_shape(language):
    texts = Texts(language)
    message = after_script("Tell me\nwhat is new", "one\n\ntwo", "0123456789abcdef", texts)
    assert message.split("\n") == [
        "Tell me",
        "what is new",
        "",
        texts("script.given_as_data"),
        "<<<SCRIPT OUTPUT 0123456789abcdef>>>>",
        "one",
        "",
        "two",
        "<<<END SCRIPT OUTPUT 0123456789abcdef>>>>",
    ]
    assert "\n" not in texts("script.given_as_data")


@pytest.mark.spec("SCR-230")
def test_the_number_is_sixteen_random_hexadecimal_digits():
    assert re.fullmatch("[0-9a-f]{16}", new_number())
    assert new_number() != new_number()


@pytest.mark.spec("SCR-230", "SCR-232")
def test_the_messages_that_the_chat_is_tested_with_are_those_of_the_server():
    assert json.loads(FILE.read_text(encoding="utf-8")) == messages(), "run `python -m tests.fixtures.printed`"
