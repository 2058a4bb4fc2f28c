"""The ceiling against what it promises, on tables and on any text and any JSON."""

import json
import re
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from crewlab.engine.texts import Texts
from crewlab.engine.tools.ceiling import Shortened, shorten

EN = Texts("en")
LANGUAGES = st.sampled_from([EN, Texts("vi")])
POINTER = "[12,345 characters; call tool_output_read with id call_1 to read on]"
MARK = re.compile(r"\[… ([\d,]+) more characters left out\]")
ITEMS = re.compile(r"\[… ([\d,]+) more elements left out\]")
MIDDLE = re.compile(r"\[… ([\d,]+) characters left out …\]")


def number(found: str) -> int:
    return int(found.replace(",", ""))


@pytest.mark.spec("OUT-5")
@settings(deadline=None)
@given(st.text(max_size=300), st.integers(0, 50), LANGUAGES)
@example('{"a": [1, 2]}', 0, EN)
def test_a_text_of_at_most_the_ceiling_is_unchanged(text: str, more: int, texts: Texts) -> None:
    assert shorten(text, len(text) + more, texts, POINTER) == Shortened(text, None, len(text))


TEXTS = st.text(st.characters(codec=None), min_size=1, max_size=600)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=120),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=6), inner, max_size=6),
    max_leaves=60,
).filter(lambda value: isinstance(value, (dict, list)))


@pytest.mark.spec("OUT-7", "OUT-8", "OUT-9", "OUT-10", "OUT-33")
@settings(deadline=None)
@given(TEXTS, st.integers(1, 500), st.sampled_from(["", POINTER]), LANGUAGES)
def test_what_comes_out_is_never_longer_than_the_ceiling_and_marked(text: str, limit: int, pointer: str, texts: Texts) -> None:
    assume(len(text) > limit)
    short = shorten(text, limit, texts, pointer)
    assert len(short.text) <= limit
    assert short.original_chars == len(text)
    assert short.way in ("structure", "cut")
    if short.way == "cut" and texts is EN and (found := MARK.search(short.text)):
        left = number(found[1])
        assert short.text.startswith(text[: len(text) - left])
        lines = short.text[len(text) - left :].lstrip("\n").split("\n")
        assert lines == [found[0], *([pointer] if pointer else [])]


@pytest.mark.spec("OUT-33", "OUT-34")
@pytest.mark.parametrize("opening", ["line\n" * 100, "no break at all " * 100])
def test_a_cut_keeps_the_opening_and_the_mark_stands_on_a_line_of_its_own(opening: str) -> None:
    short = shorten(opening, 200, EN)
    kept, _, mark = short.text.rpartition("\n")
    found = MARK.fullmatch(mark)
    assert found is not None
    assert opening.startswith(kept)
    assert len(opening) - number(found[1]) in (len(kept), len(kept) + 1)  # a line break at the end of the opening serves
    assert len(kept) >= 200 - len(mark) - 4


@pytest.mark.spec("OUT-34")
@settings(deadline=None)
@given(st.lists(st.sampled_from(["\ud83d\ude42", "a", "\ud83d", "\ude42"]), min_size=30, max_size=80), st.integers(1, 60))
def test_a_cut_never_parts_a_surrogate_pair(pieces: list[str], limit: int) -> None:
    text = "".join(pieces)
    assume(len(text) > limit)
    kept = shorten(text, limit, EN).text.partition("\n")[0]
    assert not ("\ud800" <= kept[-1:] <= "\udbff" and "\udc00" <= text[len(kept)] <= "\udfff")


@pytest.mark.spec("OUT-10")
@pytest.mark.parametrize("limit", [1, 5, 20, 30])
@pytest.mark.parametrize("pointer", ["", POINTER])
def test_without_room_for_the_marks_the_text_is_cut_at_the_ceiling(limit: int, pointer: str) -> None:
    text = "abcdefghij" * 10
    assert shorten(text, limit, EN, pointer) == Shortened(text[:limit], "cut", 100)


@pytest.mark.spec("OUT-10", "OUT-17")
def test_room_for_the_pointer_is_set_aside_first_and_the_body_parses_without_it() -> None:
    text = json.dumps({"rows": list(range(1000))})
    short = shorten(text, 300, EN, POINTER)
    body, _, pointer = short.text.rpartition("\n")
    assert (short.way, pointer) == ("structure", POINTER)
    assert len(short.text) <= 300
    assert json.loads(body)["rows"][:3] == [0, 1, 2]


def check_kept(short: Any, whole: Any) -> None:
    """``short`` is ``whole`` with array tails and string middles replaced by marks, and nothing else."""
    if isinstance(whole, dict):
        assert list(short) == list(whole)  # OUT-13
        for key, value in whole.items():
            check_kept(short[key], value)
    elif isinstance(whole, list):
        kept = len(whole)
        if short and isinstance(short[-1], str) and (found := ITEMS.fullmatch(short[-1])) and len(short) <= len(whole):
            kept = len(whole) - number(found[1])
            assert len(short) == kept + 1  # OUT-18
            short = short[:-1]
        assert len(short) == kept
        for one, other in zip(short, whole, strict=False):  # OUT-15
            check_kept(one, other)
    elif isinstance(whole, str) and short != whole:
        head, found_count, tail = MIDDLE.split(short, maxsplit=1)
        assert len(short) < len(whole)
        assert whole.startswith(head)
        assert whole.endswith(tail)  # OUT-16
        assert len(head) + len(tail) + number(found_count) == len(whole)
    else:
        assert type(short) is type(whole)
        assert short == whole


@pytest.mark.spec("OUT-7", "OUT-11", "OUT-13", "OUT-14", "OUT-15", "OUT-16", "OUT-17", "OUT-18")
@settings(deadline=None)
@given(JSON, st.integers(1, 600), st.sampled_from([None, 2]))
def test_shortened_json_parses_keeps_every_key_and_changes_nothing_but_tails_and_middles(
    value: Any, limit: int, indent: int | None
) -> None:
    text = json.dumps(value, indent=indent)
    assume(len(text) > limit)
    short = shorten(text, limit, EN)
    if short.way == "structure":
        check_kept(json.loads(short.text), value)


@pytest.mark.spec("OUT-14")
@pytest.mark.parametrize("figure", ["1.10", "1e400", "-0", "-0.0", "1E+2", "0.1000000000000000055511151231257827", "9" * 40, "1" * 5000])
def test_a_number_stays_as_the_characters_that_were_written(figure: str) -> None:
    text = f'{{"figure": {figure}, "rows": [{", ".join("12345678" for _ in range(2000))}]}}'
    short = shorten(text, 6000, EN)
    assert short.way == "structure"
    assert f'"figure":{figure},' in short.text


@pytest.mark.spec("OUT-11", "OUT-12")
@pytest.mark.parametrize(
    "text",
    [
        '"' + "a lone string " * 50 + '"',
        "1" * 500,
        '{"a": 1, "a": 2, "b": "' + "x" * 500 + '"}',
        '{"x": {"a": 1, "a": 2}, "b": "' + "x" * 500 + '"}',
        "[NaN, " + ", ".join("1" * 200) + "]",
        "[Infinity, " + ", ".join("1" * 200) + "]",
        "[" + "1, " * 200 + "1] and more",
        "[" + "1, " * 200 + "1",
        "[" + "1, " * 200 + "1,]",
        "{" + "}" * 300,
        "[" * 200_000 + "]" * 200_000,  # deeper than can be walked
        '{"a":' * 100_000 + "1" + "}" * 100_000,
    ],
)
def test_what_is_no_json_object_or_array_is_cut(text: str) -> None:
    assert shorten(text, 200, EN).way == "cut"


@pytest.mark.spec("OUT-11")
def test_white_space_around_json_does_not_matter() -> None:
    text = "\n  " + json.dumps(list(range(500))) + " \n"
    assert shorten(text, 300, EN).way == "structure"


@pytest.mark.spec("OUT-19")
def test_nesting_as_deep_as_the_parser_goes_is_walked_without_an_error() -> None:
    text = "[" * 400 + '"' + "x" * 5000 + '"' + "]" * 400
    short = shorten(text, 1200, EN)
    assert short.way == "structure"
    json.loads(short.text)


@pytest.mark.spec("OUT-18", "OUT-19")
def test_the_first_step_of_the_ladder_that_fits_is_taken() -> None:
    rows = [{"id": number, "name": f"row {number}"} for number in range(5000)]
    sizes = [len(json.loads(shorten(json.dumps(rows), limit, EN).text)) - 1 for limit in (500, 2000, 8000, 32000)]
    assert sizes == sorted(sizes)
    assert sizes[0] >= 5
    assert sizes[-1] >= 500


@pytest.mark.spec("OUT-16", "OUT-18")
def test_one_enormous_string_loses_its_middle_and_every_key_stays() -> None:
    text = json.dumps({"before": 1, "text": "start " + "x" * 100_000 + " end", "after": [True, None]})
    short = json.loads(shorten(text, 8000, EN).text)
    assert (short["before"], short["after"]) == (1, [True, None])
    assert short["text"].startswith("start ")
    assert short["text"].endswith(" end")


@pytest.mark.spec("OUT-20")
@pytest.mark.parametrize(
    "value",
    [{f"key {index}": index for index in range(2000)}, {f"k{index}": [index, "x" * 40] for index in range(2000)}],
)
def test_json_that_does_not_fit_at_the_last_step_is_cut(value: object) -> None:
    short = shorten(json.dumps(value), 1000, EN)
    assert short.way == "cut"
    assert MARK.search(short.text)


@pytest.mark.spec("OUT-20")
def test_the_last_step_keeps_one_element_and_forty_characters() -> None:
    value = {f"key{index}": ["y" * 200, *range(1000, 1100)] for index in range(20)}
    text = json.dumps(value)
    smallest = next(short for limit in range(2000, 4000) if (short := shorten(text, limit, EN)).way == "structure")
    first = json.loads(smallest.text)["key0"]
    assert len(first) == 2
    assert MIDDLE.sub("", first[0]) == "y" * 40


@pytest.mark.spec("OUT-18", "OUT-19")
def test_no_mark_is_longer_than_what_it_stands_for() -> None:
    value = {f"k{index}": ["y" * 45, "z" * (40 + index), index, index + 1] for index in range(40)} | {"rows": list(range(500))}
    text = json.dumps(value)
    ways = set()
    for limit in range(1000, len(text), 37):
        short = shorten(text, limit, EN)
        ways.add(short.way)
        if short.way == "structure":
            check_kept(json.loads(short.text), value)
    assert ways == {"structure", "cut"}


def test_halves_of_characters_in_json_come_out_escaped() -> None:
    short = shorten('{"a": "\\ud83d", "rows": [' + "1, " * 500 + "1]}", 200, EN)
    assert short.way == "structure"
    short.text.encode()
    assert json.loads(short.text)["a"] == "\ud83d"
