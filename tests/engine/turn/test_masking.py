"""Masking in exports: pure, and held over generated secrets and cuts (TURN-104, TURN-105)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.turn import steps
from crewlab.engine.turn.masking import MASKED, SHORTEST, Mask

SECRET = "s3cr3t-0815-value"
LETTERS = st.characters(codec="utf-8")
SECRETS = st.text(LETTERS, min_size=SHORTEST, max_size=40)
AROUND = st.text(max_size=60)


@pytest.mark.spec("TURN-104")
@given(AROUND, st.lists(SECRETS, min_size=1, max_size=4), AROUND)
def test_no_secret_survives_whole(before, secrets, after):
    text = before + "".join(secrets) + after
    shown = Mask(secrets).text(text)
    for secret in secrets:
        if secret not in MASKED:
            assert not any(secret in piece for piece in shown.split(MASKED))


@pytest.mark.spec("TURN-105")
@given(AROUND, SECRETS, st.integers(SHORTEST, 40), st.sampled_from(["", "…", "…more"]))
def test_the_beginning_of_a_secret_before_a_cut_does_not_survive(before, secret, kept, cut):
    left = secret[:kept]
    shown = Mask([secret]).text(f"{before}{left}{cut}")
    assert shown.endswith(f"{MASKED}{cut}") or shown.endswith(MASKED)
    assert f"{left}{cut}" not in shown or left in MASKED


@pytest.mark.spec("TURN-105")
@given(st.sampled_from(["", "…", "more…"]), SECRETS, st.integers(SHORTEST, 40), AROUND)
def test_the_end_of_a_secret_after_a_cut_does_not_survive(cut, secret, kept, after):
    left = secret[-kept:]
    shown = Mask([secret]).text(f"{cut}{left}{after}")
    assert shown.startswith(f"{cut}{MASKED}") or shown.startswith(MASKED)


@pytest.mark.spec("TURN-105", "TURN-84")
@given(st.text(max_size=300), st.text(max_size=700), st.booleans(), SECRETS.filter(lambda secret: len(secret.split()) == 1))
def test_what_the_run_card_keeps_of_an_output_holds_no_secret_of_which_eight_characters_are_left(before, after, ok, secret):
    kept = steps.card_output(f"{before}{secret}{after}", ok=ok)
    shown = Mask([secret]).text(kept)
    assert secret not in shown or secret in MASKED
    for piece in shown.replace("…", MASKED).split(MASKED):
        for length in range(SHORTEST, len(secret)):
            if piece:
                assert not (shown.endswith(secret[:length]) and secret[:length] not in MASKED)
                assert f"{secret[:length]}…" not in shown or "…" in secret


@pytest.mark.spec("TURN-104")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("key sk-or-v1-0123456789abcdef end", f"key {MASKED} end"),
        ("Authorization: Bearer abcdef0123456789, next", f"Authorization: {MASKED}, next"),
        ("a eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN b", f"a {MASKED} b"),
        ("a bearer of news", "a bearer of news"),
        ("task-0123456789 is no key", "task-0123456789 is no key"),
        ("short sk-1", "short sk-1"),
    ],
)
def test_known_key_shapes_are_masked_without_being_known(text, shown):
    assert Mask([]).text(text) == shown


@pytest.mark.spec("TURN-104")
def test_a_value_shorter_than_eight_characters_is_no_secret():
    assert Mask(["1234567", "12345678"]).text("1234567 and 12345678") == f"1234567 and {MASKED}"


@pytest.mark.spec("TURN-104")
def test_a_secret_is_found_as_it_stands_in_json_in_an_address_and_on_one_line():
    secret = 'line one\nwith "quotes" & more'
    mask = Mask([secret])
    for form in (json.dumps(secret), "?key=line%20one%0Awith%20%22quotes%22%20%26%20more", " ".join(secret.split())):
        assert "quotes" not in mask.text(form)


@pytest.mark.spec("TURN-105")
@pytest.mark.parametrize(
    "text",
    [f"{SECRET[:9]}", f"x {SECRET[:9]}… y", f"x …{SECRET[-9:]} y", SECRET[-8:] + " y", f"{SECRET[:9]}…{SECRET[-9:]}"],
)
def test_eight_characters_beside_a_cut_are_enough(text):
    assert "s3cr3t" not in (shown := Mask([SECRET]).text(text))
    assert "value" not in shown


@pytest.mark.spec("TURN-105")
def test_less_than_eight_characters_or_a_piece_away_from_a_cut_stay():
    for text in (f"x {SECRET[:7]}…", f"x {SECRET[:9]} y", f"x {SECRET[-9:]} y"):
        assert Mask([SECRET]).text(text) == text


def test_overlapping_secrets_leave_no_remainder():
    assert Mask(["abcdefghij", "ghijklmnop"]).text("x abcdefghijklmnop y") == f"x {MASKED} y"


def test_every_string_of_a_json_value_is_masked():
    value = {"a": [SECRET, 1, None, {SECRET: True}], "b": f"x{SECRET}"}
    assert Mask([SECRET]).value(value) == {"a": [MASKED, 1, None, {MASKED: True}], "b": f"x{MASKED}"}


def test_a_text_with_very_many_cuts_is_masked_in_a_moment():
    mask = Mask([f"{number:04}" * 1000 for number in range(20)])
    assert len(mask.text("00000000…" * 10_000)) < 200_000
