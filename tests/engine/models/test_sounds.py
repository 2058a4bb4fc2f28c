"""Spoken words in requests: as OpenAI's form carries them; elsewhere refused with what to do (CHN-27)."""

import pytest

from crewlab.engine.models.base import ChatMessage, ChatRequest, Picture, Sound
from crewlab.engine.models.openai_write import messages_of


@pytest.mark.spec("CHN-27")
def test_a_sound_stands_beside_the_text() -> None:
    message = ChatMessage("user", "What is said?", pictures=(Picture("image/png", b"p"),), sounds=(Sound("ogg", b"OggS"),))
    (written,) = messages_of(ChatRequest("", (message,)))
    assert [part["type"] for part in written["content"]] == ["text", "image_url", "input_audio"]
    assert written["content"][2]["input_audio"] == {"data": "T2dnUw==", "format": "ogg"}
