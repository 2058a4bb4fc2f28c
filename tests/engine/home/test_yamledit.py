"""Changing single keys of a person's file: what is named changes, everything else stays letter by letter."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.home.wrong import Wrong
from crewlab.engine.home.yamledit import changed_yaml, dumped
from crewlab.engine.texts import Texts

EN = Texts("en")
FILE = Path("agent.yaml")
WRITTEN = """\
# my crew
name: 'Ada'   # as on the door

# how long she may work
max_steps:  20 # enough
schedules:   # by the clock
  - id: morning
    cron: "0 8 * * mon-fri"
    prompt: |
      First line
      # no comment
      last line

tools: [workspace_read,   web_search]  # few
unknown_order_stays: "yes"
"""


def change(text: str | None, **changes: object) -> str:
    return changed_yaml(FILE, text, changes, EN)


@pytest.mark.spec("AGT-35")
@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"max_steps": 30}, "max_steps:  20 # enough\n", "max_steps: 30 # enough\n"),
        ({"name": "Grace"}, "name: 'Ada'   # as on the door\n", "name: Grace   # as on the door\n"),
        ({"tools": ["a", "b"]}, "tools: [workspace_read,   web_search]  # few\n", "tools:\n  - a\n  - b\n"),
        ({"max_steps": None}, "max_steps:  20 # enough\n", ""),
        ({"max_steps": 20}, "", ""),
        ({"code": "off"}, 'unknown_order_stays: "yes"\n', "unknown_order_stays: \"yes\"\ncode: 'off'\n"),
    ],
)
def test_only_the_lines_of_the_named_key_change(changes: dict[str, object], old: str, new: str) -> None:
    assert change(WRITTEN, **changes) == (WRITTEN.replace(old, new) if old else WRITTEN)


@pytest.mark.spec("AGT-35")
def test_a_block_of_several_lines_goes_whole_and_its_neighbours_stay() -> None:
    text = change(WRITTEN, schedules=None)
    start, end = WRITTEN.index("schedules:"), WRITTEN.index("\ntools:")
    assert text == WRITTEN[:start] + WRITTEN[end:]


@pytest.mark.spec("DSK-3", "AGT-35")
@pytest.mark.parametrize(
    "value",
    ["on", "off", "yes", "007", "1e3", "null", "~", "", "2026-01-01", "a: b", "# x", "* * * * *", "é\tß", "a\nb\n", "\x85", "a\u2028\nb"],
)
def test_a_text_is_read_back_as_the_text_it_was(value: str) -> None:
    assert yaml.safe_load(change(WRITTEN, name=value))["name"] == value


@pytest.mark.spec("AGT-35")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "max_steps: 3\n"),
        ("", "max_steps: 3\n"),
        ("# only words", "# only words\nmax_steps: 3\n"),
        ("{}\n", "max_steps: 3\n"),
        ("---\nname: A\n...\n", "---\nname: A\nmax_steps: 3\n...\n"),
        ("name: A", "name: A\nmax_steps: 3\n"),
        ("name: A\r\n# end\r\n", "name: A\r\nmax_steps: 3\r\n# end\r\n"),
        ("name: |\n  A\n  # B\n\n# end\n", "name: |\n  A\n  # B\nmax_steps: 3\n\n# end\n"),
    ],
)
def test_a_new_key_follows_the_last_one(before: str | None, after: str) -> None:
    assert change(before, max_steps=3) == after


@pytest.mark.parametrize("text", ["{name: A, max_steps: 2}\n", "name: &n A\ndescription: *n\n"])
def test_a_file_in_which_one_key_cannot_be_changed_alone_is_left_to_its_owner(text: str) -> None:
    with pytest.raises(Wrong) as caught:
        change(text, name="B")
    assert "in the file itself" in str(caught.value)


KEYS = st.sampled_from(["name", "description", "max_steps", "tools", "routes", "vibe"])
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)
VALUES = st.one_of(TEXT, st.integers(), st.booleans(), st.lists(TEXT, max_size=3), st.dictionaries(TEXT.filter(bool), TEXT, max_size=2))


@pytest.mark.spec("AGT-35")
@settings(max_examples=150, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=5), st.dictionaries(KEYS, st.none() | VALUES, max_size=4))
def test_whatever_is_saved_is_read_back_and_the_rest_is_untouched(old: dict[str, object], new: dict[str, object]) -> None:
    before = "# head\n" + dumped(old) if old else "# head\n"
    after = change(before, **new)
    expected = {**old, **new}
    assert (yaml.safe_load(after) or {}) == {key: value for key, value in expected.items() if value is not None}
    for key, value in old.items():
        if key not in new:
            assert dumped({key: value}) in after
