"""Cron lines, intervals, time zones, pattern lists, shapes of secrets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crewlab.engine.home.cron import every_minutes, is_cron
from crewlab.engine.home.patterns import DEFAULT_ASK_PATTERNS, DEFAULT_STOP_WORDS, split_allow_patterns, split_stop_words
from crewlab.engine.home.secret_shapes import looks_secret
from crewlab.engine.home.zones import is_zone, machine_zone

SPEC = Path(__file__).parents[3] / "docs" / "spec"


@pytest.mark.spec("JOB-16", "JOB-4")
@pytest.mark.parametrize(
    "line", ["* * * * *", "0 8 * * mon-fri", "*/15 9-17 1,15 jan-mar 7", "0 0 L * *", "0 0 * * mon#2", "5-55/10 * * * SUN"]
)
def test_five_field_lines_are_read(line: str) -> None:
    assert is_cron(line)


@pytest.mark.spec("JOB-16", "JOB-4")
@pytest.mark.parametrize(
    "line",
    [
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "*/0 * * * *",
        "a * * * *",
        "@daily",
        "* * * foo *",
        "1- * * * *",
        "-1 * * * *",
        "*-5 * * * *",
        "1,,2 * * * *",
        "٣ * * * *",
        "* " * 60,
    ],
)
def test_what_is_no_cron_line_is_refused(line: str) -> None:
    assert not is_cron(line)


@pytest.mark.spec("JOB-3", "JOB-4")
@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("1m", 1),
        ("30m", 30),
        ("2h", 120),
        ("1d", 1440),
        ("366d", 527040),
        ("0m", None),
        ("367d", None),
        ("30", None),
        ("1.5h", None),
        ("30 m", None),
        ("-1m", None),
        ("1w", None),
        ("", None),
    ],
)
def test_intervals_have_a_number_and_a_unit(text: str, minutes: int | None) -> None:
    assert every_minutes(text) == minutes


@pytest.mark.spec("AGT-8")
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Asia/Ho_Chi_Minh", True),
        ("UTC", True),
        ("Mars/Base", False),
        ("", False),
        ("../etc/passwd", False),
        ("America", False),
        ("a\0b", False),
    ],
)
def test_time_zones_are_the_ones_the_machine_knows(name: str, known: bool) -> None:
    assert is_zone(name) is known


@pytest.mark.spec("JOB-15")
def test_the_machines_zone_is_its_variable_or_its_link_or_utc(tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Asia/Ho_Chi_Minh")
    assert machine_zone({"TZ": ":Europe/Berlin"}, link) == "Europe/Berlin"
    assert machine_zone({"TZ": "nonsense"}, tmp_path / "absent") == "UTC"
    assert machine_zone({}, tmp_path / "absent") == "UTC"


@pytest.mark.spec("GATE-23", "SHL-34")
def test_allow_patterns_that_are_short_or_seem_wildcards_are_dropped_and_the_rest_stays() -> None:
    bad = ["*", ".*", ".", "-", "--", "/", "&&", "||", ";", "|", "", " ", "x", "  y "]
    kept, dropped = split_allow_patterns(["git status", *bad, "pytest "])
    assert kept == ("git status", "pytest ")
    assert dropped == tuple(bad)


@pytest.mark.spec("GATE-19", "SHL-23")
def test_the_default_ask_patterns_stand_character_for_character() -> None:
    expected = "rm -rf;rm -r ;sudo ;| sh;| bash;mkfs;git push --force;git reset --hard;> /dev/;chmod -R;launchctl"
    assert ";".join(DEFAULT_ASK_PATTERNS) == expected


@pytest.mark.spec("BRW-77", "BRW-83")
def test_stop_words_are_trimmed_and_those_without_letter_or_digit_dropped() -> None:
    assert split_stop_words([" mua ", "...", "", "5"]) == (("mua", "5"), ("...", ""))
    rule = re.search(r"^\*\*BRW-77\*\*(.*?)\n\n", (SPEC / "browser.md").read_text(encoding="utf-8"), re.S | re.M)
    assert rule is not None
    words = re.findall(r"`([^`]+)`", rule[1].replace("`browser_ask_patterns`", ""))
    assert tuple(words) == DEFAULT_STOP_WORDS


@pytest.mark.spec("AGT-7")
@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("sk-proj-abcdefghijklmnop1234", True),
        ("Authorization: Bearer abc123def456ghi789", True),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc", True),
        ("123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0", True),
        ("ghp_" + "a" * 36, True),
        ("Bearer ${WIKI_TOKEN}", False),
        ("use Bearer authentication for the wiki", False),
        ("ask-the-crew-about-everything-today", False),
        ("openrouter:google/gemini-2.5-flash-lite", False),
        ("ollama:qwen3:8b", False),
        ("0 8 * * mon-fri", False),
    ],
)
def test_known_shapes_of_keys_are_seen_and_plain_text_is_not(text: str, secret: bool) -> None:
    assert looks_secret(text) is secret
