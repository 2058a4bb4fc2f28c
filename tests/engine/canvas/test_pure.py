import difflib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.canvas.check import faults_of
from crewlab.engine.canvas.diff import CHANGED_LINES, count_lines, draw
from crewlab.engine.canvas.kinds import AGENT_BYTES, CAPS, ENDINGS, LANGUAGES, STORE_BYTES, ending_of, file_name
from crewlab.engine.canvas.matching import find, nearest
from crewlab.engine.canvas.paging import add_range, is_whole, page
from crewlab.engine.canvas.pictures import picture_of
from crewlab.engine.canvas.tags import read_tag, tag
from crewlab.engine.canvas.titles import clean_title, fold, shown
from crewlab.engine.texts import Texts
from tests.fixtures.canvases import png

EN = Texts("en")
LINES = st.lists(st.text("ab\n", max_size=6), max_size=30).map("\n".join)


@pytest.mark.spec("CNV-6", "CNV-7", "CNV-9", "CNV-10")
def test_caps_are_powers_of_1024_and_stand_in_the_code() -> None:
    kilo, mega = 1024, 1024 * 1024
    assert {
        **dict.fromkeys(("markdown", "code", "mermaid"), 512 * kilo),
        **{"html": 4 * mega, "svg": 2 * mega, "image": 2 * mega},
    } == CAPS
    assert (1024 * mega, 1024 * mega * 9 // 10) == (STORE_BYTES, AGENT_BYTES)


@pytest.mark.spec("CNV-64")
def test_every_ending_of_the_table_means_its_kind() -> None:
    code = [
        *("py", "js", "ts", "tsx", "jsx", "json", "yaml", "yml", "toml", "ini", "sh", "sql", "css", "c", "h", "cpp"),
        *("rs", "go", "java", "rb", "php", "swift", "kt", "r", "lua", "ipynb", "csv", "xml"),
    ]
    wanted = {
        **dict.fromkeys(("md", "markdown", "txt"), "markdown"),
        **dict.fromkeys(("html", "htm"), "html"),
        **{"svg": "svg", "mmd": "mermaid", "mermaid": "mermaid"},
        **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp"), "image"),
        **dict.fromkeys(code, "code"),
    }
    assert wanted == ENDINGS
    assert set(LANGUAGES) == set(code)
    assert [ending_of(path) for path in ("a/B.PY", "x.tar.gz", ".env", "Makefile", "a.d/b")] == ["py", "gz", "", "", ""]


@pytest.mark.spec("CNV-8", "CNV-134")
@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ("  Plan  ", "Plan"),
        ("a\nb\r\nc\td\x00e\u2028f\x85g", "a b  c d e f g"),
        ("báo cáo quý 3", "báo cáo quý 3"),
        ("تقرير שלום", "تقرير שלום"),  # right-to-left scripts are titles like any other
        ("invoice\u202egpj.exe", "invoice gpj.exe"),  # a sign that turns the rest around is none
        ("\u2067x\u2069", "x"),
        ("a\u200bb\ufeffc\u2060d\u00ade", "abcde"),
        ("👨‍👩‍👧 family", "👨‍👩‍👧 family"),
        ("".join(chr(0xE0000 + ord(letter)) for letter in "obey") + "x", "x"),
        ("half \ud83d", "half"),
        ("x" * 200, "x" * 200),
        (" " + "x" * 200 + " ", "x" * 200),
        ("x" * 201, None),
        ("", None),
        (" \n\t ", None),
        ("\u200b\u200d\ufe0f\u202e", None),
    ],
)
def test_a_title_is_one_visible_line_of_at_most_200_characters(raw: str, title: str | None) -> None:
    assert clean_title(raw) == title


@given(st.text(max_size=300))
def test_whatever_is_typed_a_title_is_one_line_or_none(raw: str) -> None:
    title = clean_title(raw)
    assert title is None or (0 < len(title) <= 200 and len(title.splitlines()) == 1 and clean_title(title) == title)
    assert len(shown(raw)) <= 160
    assert "\n" not in shown(raw)


@pytest.mark.spec("CNV-36")
@pytest.mark.parametrize(("one", "other"), [("Đường ĐI", "duong di"), ("CAFÉ", "cafe"), ("Straße", "STRASSE"), ("ﬁx", "fix")])
def test_case_and_accents_do_not_count_and_dj_counts_as_d(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.spec("CNV-81")
@pytest.mark.parametrize(
    ("title", "kind", "language", "name"),
    [
        ("Plan", "markdown", None, "Plan.md"),
        ("a/b\\c:d*?", "html", None, "a_b_c_d__.html"),
        ("../../etc/passwd", "markdown", None, "_.._etc_passwd.md"),
        ("run.py", "code", "python", "run.py"),
        ("run", "code", "Python", "run.py"),
        ("notes.TXT", "markdown", None, "notes.txt"),
        ("p.gif", "image", None, "p.png"),
        ("v1.2", "markdown", None, "v1.2.md"),
        ("run", "code", "brainfuck", "run.txt"),
        ("...", "svg", None, "svg.svg"),
        ("x" * 200, "mermaid", None, "x" * 100 + ".mmd"),
        ("photo", "image", None, "photo.png"),
    ],
)
def test_a_file_is_named_from_the_title_and_the_kind(title: str, kind: str, language: str | None, name: str) -> None:
    assert file_name(title, kind, language) == name  # type: ignore[arg-type]


@pytest.mark.spec("CNV-23")
@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("[artifact ab12cd34 v3]", ("ab12cd34", 3, False)),
        ("[artifact ab12cd34 v3] unchanged\nThe content", ("ab12cd34", 3, True)),
        ("[artifact ab12cd34 v3]\nCreated", ("ab12cd34", 3, False)),
        ("[artifact ab12cd34 v3] unchangedly", ("ab12cd34", 3, False)),
        (" [artifact ab12cd34 v3]", None),
        ("see [artifact ab12cd34 v3]", None),
        ("[artifact ab12cd34 v3]x", None),
        ("[artifact AB v3]", None),
    ],
)
def test_only_a_tag_at_the_very_beginning_counts(answer: str, found: tuple[str, int, bool] | None) -> None:
    read = read_tag(answer)
    assert (read and (read.id, read.version, read.unchanged)) == found
    assert tag("ab12cd34", 3) == "[artifact ab12cd34 v3]"
    assert tag("ab12cd34", 3, unchanged=True) == "[artifact ab12cd34 v3] unchanged"


@pytest.mark.spec("CNV-44")
@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2), ("a\u2028b", 1)])
def test_lines_are_counted_by_line_feeds(text: str, count: int) -> None:
    assert count_lines(text) == count


@pytest.mark.spec("CNV-58")
@given(LINES, LINES)
def test_a_diff_is_what_the_library_says_of_the_whole_texts(old: str, new: str) -> None:
    library = list(difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=3))[2:]
    drawn = draw(old, new)
    assert drawn is not None
    assert (drawn == "") == (old == new)
    patched, left, place = [], old.split("\n"), 0
    for row in drawn.split("\n") if drawn else []:  # applying it gives the new text
        if row.startswith("@@"):
            first, count = (int(part) for part in row.split(" ")[1][1:].split(","))
            until = first - 1 if count else first
            patched += left[place:until]
            place = until
        elif row[0] in " -":
            assert left[place] == row[1:]
            patched += [row[1:]] if row[0] == " " else []
            place += 1
        else:
            patched.append(row[1:])
    assert "\n".join([*patched, *left[place:]]) == new
    assert library or drawn == ""


@pytest.mark.spec("CNV-58")
def test_a_diff_has_three_lines_around_a_change_and_the_lines_of_the_whole_text() -> None:
    old = [f"line {number}" for number in range(1, 21)]
    new = [*old[:9], "changed", *old[10:]]
    assert draw("\n".join(old), "\n".join(new)) == (
        "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+changed\n line 11\n line 12\n line 13"
    )


@pytest.mark.spec("CNV-58", "CNV-59")
@pytest.mark.parametrize("shared", [0, 5_000])
def test_600_changed_lines_are_drawn_and_one_more_is_not(shared: int) -> None:
    same = [f"same {number}" for number in range(shared)]

    def text(word: str, lines: int) -> str:
        return "\n".join([*same, *(f"{word} {number}" for number in range(lines)), *same])

    drawn = draw(text("a", CHANGED_LINES), text("b", CHANGED_LINES))
    assert drawn is not None
    assert drawn.count("\n+") == CHANGED_LINES
    assert draw(text("a", CHANGED_LINES + 1), text("b", 1)) is None
    assert draw(text("a", 1), text("b", CHANGED_LINES + 1)) is None


@pytest.mark.spec("CNV-49")
@pytest.mark.parametrize("sign", "‘’‚‛")
def test_curly_quotes_and_special_spaces_count_as_plain_ones_and_the_rest_stays(sign: str) -> None:
    text = f"she said {sign}yes{sign}\u00a0and “no”\u202fthen"
    match = find(text, "'yes' and")
    assert match is not None
    assert match.replaced("’x’") == "she said ’x’ “no”\u202fthen"
    assert find("plain 'q'", f"{sign}q{sign}").replaced("z") == "plain z"  # type: ignore[union-attr]
    assert find("plain", "Plain") is None


@pytest.mark.spec("CNV-49")
def test_what_stands_there_exactly_is_taken_before_what_is_alike() -> None:
    match = find('“a” and "a"', '"a"')
    assert match is not None
    assert (match.count, match.replaced("b")) == (1, "“a” and b")


@pytest.mark.spec("CNV-50")
@pytest.mark.parametrize(("text", "old", "count"), [("a a a", "a", 3), ("aaa", "aa", 2), ("ab", "ab", 1), ("aXaX", "aX", 2)])
def test_matches_are_counted_also_where_they_overlap(text: str, old: str, count: int) -> None:
    match = find(text, old)
    assert match is not None
    assert match.count == count
    assert len(match.replaced("yyy")) == match.chars_after("yyy")


@pytest.mark.spec("CNV-49")
def test_the_most_similar_place_is_found_when_there_is_exactly_one() -> None:
    text = "intro\nThe quick brown fox\njumps over the dog\noutro"
    assert nearest(text, "The quick browm fox\njumps over the dig") == "The quick brown fox\njumps over the dog"
    assert nearest(text, "completely other words 12345") is None
    assert nearest("The cat sat\nx\nThe cat sat", "The cat sit") is None  # two are as similar
    assert len(nearest("y" * 900, "y" * 890 + "z" * 10) or "") == 600
    assert nearest("one line", "many\nmore\nlines") is None
    assert nearest("x" * 400_000 + "\n" * 100, "y\n" * 60) is None  # too much work: nothing is looked for


@pytest.mark.spec("CNV-18", "CNV-41", "CNV-42", "CNV-43")
@given(st.text("ab\n", max_size=80), st.integers(1, 12))
def test_reading_on_gives_every_character_once_and_ends(text: str, room: int) -> None:
    out, offset, char, ranges = [], 1, 0, []
    for _ in range(len(text) + 2):
        found = page(text, offset, char, room)
        assert found is not None
        assert found.end - found.start <= room
        assert not is_whole(ranges, len(text)) or not text
        out.append(text[found.start : found.end])
        ranges = add_range(ranges, found.start, found.end)
        if found.next is None:
            break
        offset, char = found.next
        assert char == 0 or "\n" not in out[-1]  # inside a line only when that line alone does not fit
    assert "".join(out) == text
    assert is_whole(ranges, len(text))
    assert found.last_line == max(1, count_lines(text))


@pytest.mark.spec("CNV-18")
def test_the_order_of_the_pages_does_not_matter_and_a_gap_does() -> None:
    assert add_range(add_range([], 5, 9), 0, 5) == [[0, 9]]
    assert add_range([[0, 3], [6, 9]], 2, 7) == [[0, 9]]
    assert not is_whole(add_range([[0, 3]], 4, 9), 9)
    assert not is_whole([[1, 9]], 9)


@pytest.mark.parametrize(("offset", "char"), [(3, 0), (1, 2), (9, 0)])
def test_there_is_no_page_beyond_the_end(offset: int, char: int) -> None:
    assert page("a\nb\n", offset, char, 10) is None


JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc0\x00\x11\x08" + struct.pack(">HH", 20, 10) + bytes(20)
VP8X = b"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00" + (9).to_bytes(3, "little") + (19).to_bytes(3, "little")
VP8L = b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f" + struct.pack("<I", 9 | 19 << 14)
VP8 = b"RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", 10, 20)


@pytest.mark.spec("CNV-45", "CNV-63")
@pytest.mark.parametrize(
    ("data", "found"),
    [
        (png(10, 20), ("png", 10, 20)),
        (b"GIF89a" + struct.pack("<HH", 10, 20) + b";", ("gif", 10, 20)),
        (JPEG, ("jpeg", 10, 20)),
        (VP8X, ("webp", 10, 20)),
        (VP8L, ("webp", 10, 20)),
        (VP8, ("webp", 10, 20)),
        (b"", None),
        (b"<svg/>", None),
        (png()[:20], None),
        (png(0, 1), None),
        (b"GIF89a", None),
        (JPEG[:12], None),
        (b"\xff\xd8\xff" + b"\xff" * 50, None),
        (b"\xff\xd8\xff\xe0\x00\x04abzzzz", None),
        (b"RIFF1234WEBPXXXX" + bytes(20), None),
    ],
)
def test_a_picture_is_what_its_first_bytes_say(data: bytes, found: tuple[str, int, int] | None) -> None:
    picture = picture_of(data)
    assert (picture and (picture.format, picture.width, picture.height)) == found


@given(st.binary(max_size=60))
@pytest.mark.parametrize("head", [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff", b"RIFF1234WEBP"])
def test_no_bytes_are_too_odd_to_be_looked_at(head: bytes, rest: bytes) -> None:
    picture_of(head + rest)


@pytest.mark.spec("PTL-109")
@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("svg", b'<svg xmlns="http://www.w3.org/2000/svg"><a href="javascript:x"/></svg>', ""),
        ("svg", b"<svg/>", ""),
        ("svg", b"<svg>\n<g></svg>", "line 2"),
        ("svg", b"<html/>", "'html'"),
        ("svg", b"", "line 1"),
        ("svg", b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg>&b;</svg>', "entities"),
        ("html", b"<p", ""),
        ("mermaid", b"nonsense", ""),
        ("image", png(), ""),
        ("image", b"no picture", "decoded"),
    ],
)
def test_the_check_without_a_browser_finds_what_does_not_parse(kind: str, data: bytes, said: str) -> None:
    faults = faults_of(kind, data, EN)  # type: ignore[arg-type]
    assert faults == [] if not said else said in faults[0]
