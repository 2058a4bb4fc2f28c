"""The wiki: pages on disk, what is found, what may be written, and the block of links that compiling owns (MEM-17 to MEM-21, MEM-28)."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.clock import FakeClock
from crewlab.engine.home.textfiles import TextFiles
from crewlab.engine.tools.wiki.links import MAX_LINKS, joined, nearest, read_answer
from crewlab.engine.tools.wiki.page import CLOSING, OPENING, Page, read_page, slug_of, with_links
from crewlab.engine.tools.wiki.vault import Vault
from tests.fixtures.crews import a_crew
from tests.fixtures.remembered import call, put

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
BLOCK = f"{OPENING}\r\n- [[Docks]]  \r\n\r\nby hand\r\n{CLOSING}"
PAGE = {"title": "Cảng Đà Nẵng", "content": "The harbour.\n\n## Docks\nTwo.", "sources": ["https://a.example", "the person"]}


@pytest.mark.spec("MEM-19", "MEM-28")
async def test_a_page_is_one_file_with_its_head(tmp_path: Path) -> None:
    async with a_crew(tmp_path, clock=FakeClock(NOON), config="timezone: UTC\n") as crew:
        new = await call(crew, "wiki_apply", PAGE)
        assert new.text == "Wrote the page Cảng Đà Nẵng as cang-da-nang.md."
        assert (tmp_path / "wiki" / "cang-da-nang.md").read_text() == (
            "---\ntitle: Cảng Đà Nẵng\nsources:\n- https://a.example\n- the person\nupdated: '2026-03-02'\n---\n"
            "\nThe harbour.\n\n## Docks\nTwo.\n"
        )
        again = await call(crew, "wiki_apply", {**PAGE, "title": "CANG DA NANG", "content": "New."})
        assert again.text == "Updated the page CANG DA NANG (cang-da-nang.md)."
        assert [path.name for path in (tmp_path / "wiki").iterdir()] == ["cang-da-nang.md"]


@pytest.mark.spec("MEM-19", "MEM-20")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sources": []}, "needs sources"),
        ({"sources": None}, "sources"),
        ({"sources": ["a", " "]}, "none of them empty"),
        ({"sources": "a"}, "sources"),
        ({"title": " \n"}, "title is empty"),
        ({"title": "a]] [[b"}, "[["),
        ({"title": "x" * 201}, "200"),
        ({"content": " \n "}, "content is empty"),
        ({"content": "x" * 100_001}, "100,000"),
        ({"content": f"a\n{OPENING}\nb"}, "marker line"),
        ({"content": f"a\n{CLOSING}"}, "marker line"),
        ({"content": "a\n<!--  /CREWLAB:links-->"}, "marker line"),
        ({"sources": [OPENING]}, "marker line"),
    ],
)
async def test_what_may_not_be_written_is_refused_and_the_page_stays(tmp_path: Path, change: dict[str, object], said: str) -> None:
    async with a_crew(tmp_path) as crew:
        await call(crew, "wiki_apply", PAGE)
        await crew.remembering.links.settle()
        before = {path.name: path.read_bytes() for path in (tmp_path / "wiki").iterdir()}
        answer = await call(crew, "wiki_apply", {**PAGE, **change})
        assert not answer.ok
        assert said in answer.text
        assert {path.name: path.read_bytes() for path in (tmp_path / "wiki").iterdir()} == before


@pytest.mark.spec("MEM-20", "MEM-28")
async def test_an_update_keeps_the_block_byte_for_byte_and_replaces_everything_else(tmp_path: Path) -> None:
    path = put(tmp_path / "wiki" / "a.md", f"---\ntitle: A\nsources: [x]\n---\nold\n\n{BLOCK}\nafter the block\n")
    async with a_crew(tmp_path) as crew:
        assert (await call(crew, "wiki_apply", {"title": "a", "content": "new", "sources": ["y"]})).ok
        raw = path.read_bytes()
        assert raw.count(BLOCK.encode()) == 1
        assert b"old" not in raw
        assert b"after the block" not in raw
        assert raw.endswith(f"\nnew\n\n{BLOCK}\n".encode())


@pytest.mark.spec("MEM-17")
@pytest.mark.parametrize("title", ["Cảng Đà Nẵng", "CANG DA NANG", "cảng  đà nẵng", "cang-da-nang"])
async def test_a_page_is_found_by_title_or_slug_whatever_case_and_accents(tmp_path: Path, title: str) -> None:
    async with a_crew(tmp_path) as crew:
        await call(crew, "wiki_apply", PAGE)
        answer = await call(crew, "wiki_get", {"title": title})
        assert answer.ok
        assert "<<<NOTES " in answer.text  # it is data
        assert "The harbour.\n\n## Docks\nTwo." in answer.text
        assert "- the person" in answer.text


@pytest.mark.spec("MEM-17")
async def test_a_page_that_is_not_there_is_an_error_with_the_nearest_titles(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        assert "wiki_search" in (await call(crew, "wiki_get", {"title": "Docks"})).text
        for title in ("Harbour docks", "Harbour", "Sailing"):
            await call(crew, "wiki_apply", {**PAGE, "title": title})
        for wrong in ("Harbour dock", "../harbour-docks", "harbour-docks/../harbour"):
            answer = await call(crew, "wiki_get", {"title": wrong})
            assert not answer.ok
            assert "Harbour docks" in answer.text
            assert "Sailing" not in answer.text


@pytest.mark.spec("MEM-28")
async def test_a_page_edited_by_hand_is_read_as_it_is_from_the_next_call_on(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        await call(crew, "wiki_apply", PAGE)
        put(tmp_path / "wiki" / "by-hand.md", "No head, only words about whales.")
        put(tmp_path / "wiki" / "broken.md", "---\ntitle: [\n---\nBroken head, whales too")
        put(tmp_path / "wiki" / "binary.md", b"\xff whales")
        put(tmp_path / "wiki" / "cang-da-nang.md", "---\ntitle: Harbour\n---\nEdited: whales.")
        assert "Edited: whales." in (await call(crew, "wiki_get", {"title": "harbour"})).text
        found = (await call(crew, "wiki_search", {"query": "whales"})).text
        slugs = sorted(line[1:].partition("]")[0] for line in found.splitlines() if line.startswith("["))
        assert slugs == ["broken", "by-hand", "cang-da-nang"]
        assert "only words" in (await call(crew, "wiki_get", {"title": "by-hand"})).text


@pytest.mark.spec("MEM-18", "MEM-21")
async def test_search_gives_at_most_eight_best_first_as_slug_and_text(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        for number in range(12):
            await call(crew, "wiki_apply", {**PAGE, "title": f"Page {number}", "content": f"Something about a harbour, {number}."})
        await call(crew, "wiki_apply", {**PAGE, "title": "Harbour", "content": "First.\nThe docks of the HÀRBOUR are two."})
        answer = await call(crew, "wiki_search", {"query": "harbour dócks"})
        lines = [line for line in answer.text.splitlines() if line.startswith("[")]
        assert len(lines) == 8
        assert lines[0] == "[harbour] Harbour: The docks of the HÀRBOUR are two."
        assert "<<<NOTES " in answer.text
        assert (await call(crew, "wiki_search", {"query": "whales"})).text == "No page holds any of these words."
        assert not (await call(crew, "wiki_search", {"query": "?"})).ok
        reading = [tool for name in ("wiki_get", "wiki_search") if (tool := crew.toolbox.of(crew.roster.master).get(name))]
        assert [(tool.replay_safe, tool.script, tool.requires_approval) for tool in reading] == [(True, "any", False)] * 2


def test_titles_with_the_same_letters_are_two_pages(tmp_path: Path) -> None:
    vault = Vault(tmp_path, TextFiles())
    for title in ("C", "C++", "C#", "日本", "!!!", "???"):
        vault.apply(title, f"about {title}", ["x"], "2026-03-02")
    assert {title: page.content for title in ("C", "C++", "C#", "日本", "!!!", "???") if (page := vault.find(title))} == {
        title: f"about {title}" for title in ("C", "C++", "C#", "日本", "!!!", "???")
    }
    assert len(list(tmp_path.iterdir())) == 6


@given(st.text(max_size=100))
def test_a_slug_is_one_plain_name(title: str) -> None:
    slug = slug_of(title)
    assert not set(slug) & set("/\\.\0 \n")
    assert len(slug) <= 80


@pytest.mark.spec("MEM-28")
@given(st.text(max_size=300), st.lists(st.sampled_from(["A", "B b"]), max_size=3), st.sampled_from(["", f"\n{BLOCK}", f"\n{OPENING}\n"]))
def test_writing_links_changes_nothing_outside_the_block(text: str, titles: list[str], tail: str) -> None:
    raw = text + tail
    once = with_links(raw, titles)
    page = read_page("x", once)
    if tail.endswith(CLOSING):
        assert once.startswith(text)
    else:
        assert once.startswith(raw)
    if titles or tail.endswith(CLOSING):
        assert page.links == titles
    else:
        assert once == raw
    assert with_links(once, titles) == once


def pages(**texts: str) -> dict[str, Page]:
    """Pages by slug; the title is the slug in capitals, ``text > A, B`` says what it is linked to."""
    made = {}
    for slug, text in texts.items():
        content, _, links = text.partition(" > ")
        raw = f"---\ntitle: {slug.upper()}\n---\n{content}\n"
        made[slug] = read_page(slug, with_links(raw, links.split(", ") if links else []))
    return made


@pytest.mark.spec("MEM-28")
def test_links_are_written_on_both_sides_and_taken_from_both() -> None:
    now = pages(a="x > B, C", b="x > A", c="x > A", d="x", e="x > D")
    assert joined(now, {"a": ["b", "d"]}) == {"a": ["B", "D"], "c": [], "d": ["A"]}
    assert joined(now, {"gone": ["a"], "b": ["b", "gone", "a", "a"]}) == {"b": ["A"]}


@pytest.mark.spec("MEM-28")
def test_no_page_has_more_than_eight_links_and_no_link_stands_on_one_side_only() -> None:
    others = {f"p{number}": "x" for number in range(12)}
    full = pages(hub="x > " + ", ".join(f"P{number}" for number in range(8)), new="x", **others)
    for number in range(8):
        full[f"p{number}"] = read_page(f"p{number}", with_links(full[f"p{number}"].raw, ["HUB"]))
    result = joined(full, {"new": ["hub", *others]})
    assert result["new"] == [f"P{number}" for number in range(7)]  # eight were wanted; the hub has no room
    assert "hub" not in result
    assert all(len(titles) <= MAX_LINKS for titles in result.values())
    assert all("NEW" in result[f"p{number}"] for number in range(7))


@pytest.mark.spec("MEM-28")
def test_the_nearest_pages_share_words_that_few_pages_have() -> None:
    now = pages(
        a="The harbour of Da Nang has two docks for large ships",
        b="Large ships need deep docks in a harbour",
        c="The weather of the coast in spring",
        d="A recipe for soup",
    )
    assert nearest(now, "a")[0] == "b"
    assert "d" not in nearest(now, "a")


@pytest.mark.spec("MEM-28")
@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ('{"A": ["B", "c", "A", "B", "Unknown", 7], "Z": ["A"], "B": "A"}', {"a": ["b", "c"], "b": []}),
        ('Here you are:\n```json\n{"a": ["C"]}\n```', {"a": ["c"], "b": []}),
        ("{}", {"a": [], "b": []}),
        ("I cannot", None),
        ("[1]", None),
        ('{"A": ["B"', None),
        ("{" * 5000 + "}" * 5000, None),
    ],
)
def test_of_a_models_answer_only_pages_it_was_shown_count(answer: str, named: dict[str, list[str]] | None) -> None:
    assert read_answer(answer, pages(a="x", b="x", c="x"), ["a", "b"]) == named
