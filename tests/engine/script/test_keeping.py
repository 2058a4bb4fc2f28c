"""The pure rules of the script store: what may be kept, and where."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.script.keeping import compact, good_key, namespace_of, size

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**255), 2**255) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.spec("STO-23", "STO-24", "SCR-234")
@pytest.mark.parametrize(
    ("source", "conversation", "wanted"),
    [
        ("job:ada/due", None, "job:due"),
        ("job:ada/due", "c1", "job:due"),
        ("job:ada/a/b", "c1", "job:a/b"),
        ("chat", "c1", "conv:c1"),
        ("telegram", "c1", "conv:c1"),
        ("inbound:shop", "c1", "conv:c1"),
        ("notebook", "c1", "conv:c1"),
        ("delegate:c0", "c1", "conv:c1"),
        ("vibe:c0", "c1", "conv:c1"),
        ("job:eva/due", "c1", "conv:c1"),
        ("job:ada", "c1", "conv:c1"),
        ("chat", None, None),
    ],
)
def test_the_run_says_where_its_scripts_keep(source: str, conversation: str | None, wanted: str | None) -> None:
    assert namespace_of(source, "ada", conversation) == wanted


@pytest.mark.spec("STO-4", "STO-5", "STO-10")
@pytest.mark.parametrize(
    ("key", "good"),
    [("a", True), (" a/b ", True), ("\0", True), ("😀" * 200, True), ("", False), ("k" * 201, False), ("a\ud800", False)],
)
def test_a_key_has_one_to_two_hundred_characters(key: str, good: bool) -> None:
    assert good_key(key) is good


@pytest.mark.spec("STO-7")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('["a1","b2"]', '["a1","b2"]'),
        ('[ "a1" , "b2" ]', '["a1","b2"]'),
        ('"\\u1ec7\\n"', '"ệ\\n"'),
        ('{"z":1,"a":[true,null]}', '{"z":1,"a":[true,null]}'),
        ("1.0", "1.0"),
    ],
)
def test_a_value_is_kept_as_compact_json(text: str, kept: str) -> None:
    assert compact(text) == kept
    assert len('["a1","b2"]') == 11


@pytest.mark.spec("STO-3", "STO-5", "STO-9", "SCR-9")
@pytest.mark.parametrize(
    "text",
    ["", "{", "NaN", "[Infinity]", "1e999", '"\\ud800"', '"\ud800"', "[" * 101 + "]" * 101, "[" * 60_000, "9" * 5_000, "'a'", "[1,]"],
)
def test_what_json_cannot_read_back_unchanged_is_no_value(text: str) -> None:
    assert compact(text) is None


@pytest.mark.spec("STO-9")
def test_a_hundred_levels_are_kept() -> None:
    assert compact("[" * 100 + "]" * 100) is not None


@given(PLAIN)
def test_every_value_of_json_reads_back_unchanged(value: object) -> None:
    text = json.dumps(value)
    kept = compact(text)
    if kept is None:  # text with half a character, and nothing else
        assert any("\ud800" <= letter <= "\udfff" for letter in json.dumps(value, ensure_ascii=False))
    else:
        assert json.loads(kept) == value
        assert compact(kept) == kept


@pytest.mark.spec("STO-5", "STO-10")
def test_lengths_are_code_points_of_keys_and_values() -> None:
    assert size({"ệ😀": '"a\\n"', "b\0c": "1"}) == 2 + 5 + 3 + 1
