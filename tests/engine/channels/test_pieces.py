"""Markdown as messages: every piece fits, nothing is lost, entities stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.channels.telegram.lines import Named, read
from crewlab.engine.channels.telegram.pieces import CAPTION_UNITS, TEXT_UNITS, Piece, Span, rendered, split, units
from crewlab.engine.home.inbox import clean

WORDS = st.sampled_from(["đường", "a", "😀", "👩‍👩‍👧", "xin chào", "word", "\n", "\n\n", " ", "e\u0301", "𝒳"])


@st.composite
def pieces(draw: st.DrawFn) -> Piece:
    text = "".join(draw(st.lists(WORDS, max_size=60))).strip()
    spans = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, max(0, len(text) - 1)))
        end = draw(st.integers(start, len(text)))
        if end > start:
            spans.append(Span("bold", start, end))
    return Piece(text, tuple(spans))


@pytest.mark.spec("CHN-22", "FG-10", "FG-13")
@settings(max_examples=400, deadline=None)
@given(pieces(), st.integers(20, 80))
def test_every_piece_fits_and_all_words_are_there_in_order(piece: Piece, limit: int) -> None:
    parts = list(split(piece, limit))
    assert all(0 < units(part.text) <= limit for part in parts)
    assert "".join("".join(part.text for part in parts).split()) == "".join(piece.text.split())
    for part in parts:
        for span in part.spans:
            assert 0 <= span.start < span.end <= len(part.text)
        for entity in part.entities():
            assert entity.offset + entity.length <= units(part.text)


@pytest.mark.spec("CHN-22", "FG-10")
@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(["plain words here", "**bold words**", "`code`", "[link](https://a.example)"]), min_size=1, max_size=80))
def test_an_entity_that_fits_into_a_message_is_never_cut(parts: list[str]) -> None:
    whole = rendered(" ".join(parts))
    pieces = list(split(whole, 100))
    assert sum(len(piece.spans) for piece in pieces) == len(whole.spans)
    kept = [piece.text[span.start : span.end] for piece in pieces for span in piece.spans]
    assert kept == [whole.text[span.start : span.end] for span in whole.spans]


@pytest.mark.spec("CHN-22", "FG-13")
@pytest.mark.parametrize("letter", ["a", "ễ", "😀"])
def test_the_limits_count_utf_16_units(letter: str) -> None:
    size = units(letter)
    assert [units(part.text) for part in split(Piece(letter * (TEXT_UNITS // size)))] == [TEXT_UNITS]
    assert len(list(split(Piece(letter * (TEXT_UNITS // size + 1))))) == 2
    assert len(list(split(Piece(letter * (CAPTION_UNITS // size + 1)), CAPTION_UNITS))) == 2


@pytest.mark.spec("CHN-22")
def test_a_cut_prefers_paragraphs_then_lines_then_words() -> None:
    assert [part.text for part in split(Piece("one two\n\nthree four five"), 16)] == ["one two", "three four five"]
    assert [part.text for part in split(Piece("one two six\nthree four"), 16)] == ["one two six", "three four"]
    assert [part.text for part in split(Piece("one two three four"), 10)] == ["one two", "three four"]


@pytest.mark.spec("FG-10", "FG-11")
def test_a_long_code_block_is_code_in_every_piece_and_nothing_is_escaped() -> None:
    source = "\n".join(f"print('a_b*c[{n}]')" for n in range(400))
    parts = list(split(rendered(f"```python\n{source}\n```")))
    assert len(parts) > 1
    assert all([span.kind for span in part.spans] == ["pre"] for part in parts)
    assert "".join("".join(part.text for part in parts).split()) == "".join(source.split())


@pytest.mark.spec("MED-1", "MED-3", "MED-4", "MED-8", "CHN-17", "CHN-20")
def test_lines_that_name_files() -> None:
    blocks = "```\nMEDIA: e.png\n```\n~~~~\nFILE: f.csv\n~~~\nFILE: g.csv\n~~~~\nend"
    text = f"Here:\nMEDIA: a.PNG\nFILE: b.svg\n  FILE: c.csv\nFILE: d.jpeg\nFILE: artifact:art_1\n{blocks}"
    assert read(text) == (
        f"Here:\n  FILE: c.csv\n{blocks}",
        [Named("a.PNG", "photo"), Named("b.svg", None), Named("d.jpeg", "photo"), Named("art_1", "artifact")],
    )


@pytest.mark.spec("CHN-25")
@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("báo cáo.pdf", "báo cáo.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\a.txt", "a.txt"),
        ("a\x00b\nc.txt", "a b c.txt"),
        ("...", "file"),
        ("", "file"),
        ("\u202egnp.exe", "gnp.exe"),
        ("x" * 300 + ".csv", "x" * 96 + ".csv"),
        ("$(rm -rf).sh", "_(rm -rf).sh"),
    ],
)
def test_names_of_files_that_come_in(name: str, kept: str) -> None:
    assert clean(name) == kept
