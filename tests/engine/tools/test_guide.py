"""What the user guide has to say about tools."""

import pytest

from tests.fixtures.source import ROOT

GUIDE = " ".join((ROOT / "docs" / "user-guide.md").read_text(encoding="utf-8").split())


@pytest.mark.spec("OUT-35")
@pytest.mark.parametrize(
    "words",
    [
        "Raise the ceiling when an agent must copy exactly",
        "set `tool_output_chars` of that agent above the size of the document",
        "a failed query",
    ],
)
def test_the_guide_says_when_to_raise_the_ceiling(words: str) -> None:
    assert words in GUIDE
