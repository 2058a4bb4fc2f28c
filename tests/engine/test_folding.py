import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.folding import fold, keywords, words


@pytest.mark.spec("MEM-6", "MEM-17")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Đọc", "doc"),
        ("ĐƯỜNG PHỐ", "duong pho"),
        ("Nguyễn", unicodedata.normalize("NFD", "nguyễn")),
        ("ấ", "a"),
        ("É", "e"),
        ("Straße", "STRASSE"),
        ("İ", "i"),
    ],
)
def test_words_that_differ_in_case_accents_or_form_alone_are_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text())
def test_folding_twice_is_folding_once_and_the_form_does_not_matter(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


def test_keywords_are_the_words_of_a_query_once_each() -> None:
    assert keywords("  Đọc doc -- FILE.txt ") == ["doc", "file.txt"]
    assert keywords("-- ? ") == []
    assert words("A tàu, 2 thuyền") == ["a", "tau", "2", "thuyen"]
