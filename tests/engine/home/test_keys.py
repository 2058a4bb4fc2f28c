"""The key ring (CHN-48, CHN-49, TURN-104)."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.home.keys import KeyRing, parse_keys
from crewlab.engine.home.layout import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.ensure()
    return home


@pytest.mark.spec("CHN-49")
def test_a_saved_key_wins_over_the_environment_and_is_not_put_into_it(home: Home) -> None:
    environ = {"OPENAI_API_KEY": "from-outside", "BRAVE_API_KEY": "brave-outside"}
    home.secrets_file.write_text("OPENAI_API_KEY=saved-value\n")
    ring = KeyRing(home, environ)
    assert ring.get("OPENAI_API_KEY") == "saved-value"
    assert ring.get("BRAVE_API_KEY") == "brave-outside"
    assert ring.get("TAVILY_API_KEY") is None
    assert environ == {"OPENAI_API_KEY": "from-outside", "BRAVE_API_KEY": "brave-outside"}
    assert "OPENAI_API_KEY" not in os.environ or os.environ["OPENAI_API_KEY"] != "saved-value"


@pytest.mark.spec("CHN-49")
def test_a_home_without_saved_keys_has_those_of_the_environment(home: Home) -> None:
    ring = KeyRing(home, {"OPENAI_API_KEY": "x"})
    assert ring.present("OPENAI_API_KEY")
    assert not ring.present("ANTHROPIC_API_KEY")
    assert ring.saved_names() == []


@pytest.mark.spec("CHN-47")
def test_a_key_that_is_saved_or_removed_later_acts_at_once(home: Home) -> None:
    ring = KeyRing(home, {})
    assert ring.get("A_KEY") is None
    home.secrets_file.write_text("A_KEY=one\n")
    assert ring.get("A_KEY") == "one"
    home.secrets_file.write_text("A_KEY=three\n")
    assert ring.get("A_KEY") == "three"
    home.secrets_file.unlink()
    assert ring.get("A_KEY") is None


def test_a_file_of_keys_that_cannot_be_read_is_said_and_the_environment_still_counts(home: Home) -> None:
    home.secrets_file.mkdir()
    ring = KeyRing(home, {"A_KEY": "outside"})
    assert ring.get("A_KEY") == "outside"
    assert ring.problem == os.strerror(errno.EISDIR)
    home.secrets_file.rmdir()
    assert ring.get("A_KEY") == "outside"
    assert ring.problem == ""


@pytest.mark.spec("TURN-104")
def test_the_values_to_mask_are_those_of_secret_names_from_both_places(home: Home) -> None:
    home.secrets_file.write_text("MY_TOKEN=abcdefgh\nOLLAMA_BASE_URL=http://somewhere\n")
    environ = {"OPENAI_API_KEY": "abcdefghij", "DB_PASSWORD": "12345678", "SHORT_KEY": "1234567", "PATH": "/usr/bin:/bin"}
    assert KeyRing(home, environ).secret_values() == ["abcdefghij", "12345678", "abcdefgh"]


@pytest.mark.spec("CHN-48")
def test_lines_that_are_no_pair_are_left_out_and_counted() -> None:
    text = "# a comment\n\nGOOD_KEY=a=b\nexport SECOND_KEY='quoted value'\nlower=x\nno equals\n=x\nLONG=" + "x" * 4097 + "\nEMPTY=\n"
    pairs, broken = parse_keys(text)
    assert pairs == {"GOOD_KEY": "a=b", "SECOND_KEY": "quoted value", "EMPTY": ""}
    assert broken == (5, 6, 7, 8)


@settings(deadline=None)
@given(st.text())
@pytest.mark.spec("CHN-48")
def test_no_text_breaks_the_reader(text: str) -> None:
    pairs, broken = parse_keys(text)
    assert len(pairs) + len(broken) <= text.count("\n") + 1
