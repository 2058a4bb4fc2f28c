"""Compiling links in the background: at most once in ten minutes, by a model or without one (MEM-28)."""

import asyncio
import json
from pathlib import Path

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.crew import Crew
from crewlab.engine.models.base import ProviderError
from crewlab.engine.tools.wiki.page import read_page
from tests.fixtures.crews import a_crew
from tests.fixtures.remembered import Listener, call, put

DOCKS = "The harbour has two docks for large ships"
SHIPS = "Large ships need docks in a deep harbour"
SOUP = "A recipe for soup"


async def write(crew: Crew, title: str, content: str) -> None:
    assert (await call(crew, "wiki_apply", {"title": title, "content": content, "sources": ["x"]})).ok
    await crew.remembering.links.settle()


def links(home: Path) -> dict[str, list[str]]:
    return {path.stem: read_page(path.stem, path.read_text()).links for path in sorted((home / "wiki").iterdir())}


@pytest.mark.spec("MEM-28", "COST-9", "COST-11")
async def test_a_model_joins_pages_on_both_sides_and_is_paid_in_the_ledger(tmp_path: Path) -> None:
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        listener = Listener(aside=json.dumps({"Docks": ["Ships", "Soup", "Made up"]}))
        crew.models.plug(listener)
        put(tmp_path / "wiki" / "ships.md", f"---\ntitle: Ships\n---\n{SHIPS} of soup and recipe")
        put(tmp_path / "wiki" / "soup.md", f"---\ntitle: Soup\n---\n{SOUP} with harbour and docks\n")
        before = (tmp_path / "wiki" / "ships.md").read_text()
        await write(crew, "Docks", DOCKS)
        assert links(tmp_path) == {"docks": ["Ships", "Soup"], "ships": ["Docks"], "soup": ["Docks"]}
        assert (tmp_path / "wiki" / "ships.md").read_text().startswith(before)  # nothing outside the block
        rows = [tuple(row) for row in crew.store.db.rows("SELECT purpose, cost_usd, conversation_id FROM side_calls")]
        assert rows == [("wiki", 0.25, None)]
        asked = listener.asked_aside[0].messages[0].content
        assert asked.count("<<<NOTES ") == 2
        assert f"- Docks: {DOCKS}" in asked
        assert "- Ships: " in asked


@pytest.mark.spec("MEM-28")
async def test_compiling_happens_at_most_once_in_ten_minutes_and_misses_nothing(tmp_path: Path) -> None:
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        listener = Listener(aside="{}")
        crew.models.plug(listener)
        await write(crew, "Docks", DOCKS)
        await write(crew, "Ships", SHIPS)
        await write(crew, "Soup", SOUP)
        assert listener.asked_aside == []  # the first page had nothing near it
        clock.advance(599)
        crew.remembering.links.sweep()
        await crew.remembering.links.settle()
        assert listener.asked_aside == []
        clock.advance(1)
        for sweep in crew.books.also:
            sweep()
        await crew.remembering.links.settle()
        assert len(listener.asked_aside) == 1
        changed = listener.asked_aside[0].messages[0].content.partition("NOTES ")[2]
        assert "- Ships" in changed
        assert "- Soup" in changed
        clock.advance(600)
        crew.remembering.links.sweep()
        await crew.remembering.links.settle()
        assert len(listener.asked_aside) == 1  # nothing has changed since


@pytest.mark.spec("MEM-28")
@pytest.mark.parametrize("aside", [None, "no idea", ProviderError("down")])
async def test_without_a_fit_model_or_an_answer_the_nearest_pages_are_taken(tmp_path: Path, aside: object) -> None:
    async with a_crew(tmp_path) as crew:
        crew.models.plug(Listener(aside=aside))
        put(tmp_path / "wiki" / "ships.md", f"---\ntitle: Ships\n---\n{SHIPS}")
        put(tmp_path / "wiki" / "soup.md", f"---\ntitle: Soup\n---\n{SOUP}")
        await write(crew, "Docks", DOCKS)
        assert links(tmp_path) == {"docks": ["Ships"], "ships": ["Docks"], "soup": []}


@pytest.mark.spec("MEM-28")
async def test_a_page_that_was_changed_while_the_model_thought_keeps_its_new_text(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:

        def edits(_request: object) -> str:
            put(tmp_path / "wiki" / "docks.md", "---\ntitle: Docks\n---\nEdited meanwhile.\n")
            (tmp_path / "wiki" / "soup.md").unlink()
            return json.dumps({"Docks": ["Ships", "Soup"]})

        crew.models.plug(Listener(aside=edits))
        put(tmp_path / "wiki" / "ships.md", f"---\ntitle: Ships\n---\n{SHIPS}")
        put(tmp_path / "wiki" / "soup.md", f"---\ntitle: Soup\n---\n{DOCKS}")
        await write(crew, "Docks", DOCKS)
        assert links(tmp_path) == {"docks": ["Ships"], "ships": ["Docks"]}
        assert "Edited meanwhile." in (tmp_path / "wiki" / "docks.md").read_text()


@pytest.mark.spec("MEM-28")
async def test_a_write_is_answered_before_its_links_are_made_and_a_stop_ends_the_call(tmp_path: Path) -> None:
    never = asyncio.Event()

    class Waits(Listener):
        async def stream(self, request, route):  # type: ignore[no-untyped-def]
            self.asked_aside.append(request)
            await never.wait()
            yield None

    waits = Waits()
    async with a_crew(tmp_path) as crew:
        crew.models.plug(waits)
        put(tmp_path / "wiki" / "ships.md", f"---\ntitle: Ships\n---\n{SHIPS}")
        assert (await call(crew, "wiki_apply", {"title": "Docks", "content": DOCKS, "sources": ["x"]})).ok
        while not waits.asked_aside:
            await asyncio.sleep(0)
    assert links(tmp_path) == {"docks": [], "ships": []}


async def test_a_page_of_an_agent_that_is_gone_is_compiled_with_the_masters_models(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        listener = Listener(aside="{}")
        crew.models.plug(listener)
        put(tmp_path / "wiki" / "ships.md", f"---\ntitle: Ships\n---\n{SHIPS}")
        put(tmp_path / "wiki" / "docks.md", f"---\ntitle: Docks\n---\n{DOCKS}")
        crew.remembering.links.changed("nobody", "docks")
        crew.remembering.links.changed("nobody", "no-such-page")
        await crew.remembering.links.settle()
        assert len(listener.asked_aside) == 1
