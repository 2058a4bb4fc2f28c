"""What was said in other conversations, for the model (MEM-22 to MEM-27, FTS-6, FTS-7, PTL-99)."""

import inspect
from itertools import count
from pathlib import Path

import pytest

from crewlab.engine.crew import Crew
from crewlab.engine.store import search as store_search
from tests.fixtures.crews import a_crew
from tests.fixtures.remembered import call, put

_COUNT = count()
AT = "2026-03-02T18:30:00.000000+00:00"


def said(crew: Crew, agent: str, title: str, *texts: str, role: str = "user", written_by: str | None = "person") -> str:
    """A conversation in which these things were said."""
    conversation = crew.conversations.create(agent, title).id
    for text in texts:
        at = AT.replace("000000", f"{next(_COUNT):06}")  # messages of one moment and text are a fork's and its original's
        crew.store.messages.append(conversation, role, text, at, written_by=written_by if role == "user" else None)  # type: ignore[arg-type]
    return conversation


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("2026-")]


@pytest.mark.spec("MEM-22", "MEM-25", "MEM-27", "FTS-7")
async def test_a_hit_shows_date_title_speaker_and_the_words_around_it(tmp_path: Path) -> None:
    async with a_crew(tmp_path, config="timezone: Asia/Ho_Chi_Minh\n") as crew:
        said(crew, "default", "Reading\nlist", "Hãy đọc Đường này")
        said(crew, "default", "Answers", "doc duong\nagain", role="assistant")
        answer = await call(crew, "conversation_search", {"query": "DOC đường"})
        assert sorted(lines(answer.text)) == [
            "2026-03-03 'Answers' agent: doc duong again",
            "2026-03-03 'Reading list' user: Hãy đọc Đường này",
        ]
        assert answer.text.splitlines()[0] == "2 matches, best first:"
        assert "<<<NOTES " in answer.text  # results are data
        assert "\u0002" not in answer.text


@pytest.mark.spec("MEM-22", "FTS-7")
async def test_at_most_twenty_results_and_three_of_one_conversation(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        for number in range(9):
            said(crew, "default", f"c{number}", *(f"harbour {number} {each}" for each in range(5)))
        found = lines((await call(crew, "conversation_search", {"query": "harbour"})).text)
        assert len(found) == 20
        titles = [line.split()[1] for line in found]
        assert max(titles.count(title) for title in titles) == 3


@pytest.mark.spec("MEM-24")
async def test_the_running_conversation_does_not_count(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        running = said(crew, "default", "This one", "harbour")
        answer = await call(crew, "conversation_search", {"query": "harbour"}, conversation=running)
        assert answer.text == "No other conversation holds all of these words."
        assert len(lines((await call(crew, "conversation_search", {"query": "harbour"})).text)) == 1


@pytest.mark.spec("MEM-23", "FTS-7")
@pytest.mark.parametrize(
    ("agent", "named", "found"),
    [
        ("default", None, {"mine"}),
        ("default", "default", {"mine"}),
        ("default", "ada", {"hers"}),
        ("default", "*", {"mine", "hers", "bea's"}),
        ("ada", None, {"hers"}),
        ("ada", "ada", {"hers"}),
    ],
)
async def test_an_agent_searches_its_own_and_the_master_any(tmp_path: Path, agent: str, named: str | None, found: set[str]) -> None:
    for name in ("ada", "bea"):
        put(tmp_path / "agents" / name / "agent.yaml", "")
    async with a_crew(tmp_path) as crew:
        for owner, title in (("default", "mine"), ("ada", "hers"), ("bea", "bea's")):
            said(crew, owner, title, "harbour")
        answer = await call(crew, "conversation_search", {"query": "harbour", "agent": named}, agent=agent)
        assert {title for title in ("mine", "hers", "bea's") if title in answer.text} == found
        others = [line for line in lines(answer.text) if "(" in line]
        assert len(others) == len(found - ({"mine"} if agent == "default" else {"hers"}))  # the agent is named when it is another


@pytest.mark.spec("MEM-23")
async def test_an_ordinary_agent_that_names_another_is_refused_and_an_unknown_agent_is_an_error(tmp_path: Path) -> None:
    put(tmp_path / "agents" / "ada" / "agent.yaml", "")
    async with a_crew(tmp_path) as crew:
        said(crew, "default", "secret", "harbour")
        for named in ("default", "*", "nobody", "../default"):
            answer = await call(crew, "conversation_search", {"query": "harbour", "agent": named}, agent="ada")
            assert not answer.ok
            assert "only your own" in answer.text
            assert "secret" not in answer.text
        unknown = await call(crew, "conversation_search", {"query": "harbour", "agent": "nobody"})
        assert not unknown.ok
        assert "ada" in unknown.text


@pytest.mark.spec("MEM-22", "PTL-99", "FTS-7")
async def test_only_what_the_person_wrote_when_asked_or_when_the_switch_says_so(tmp_path: Path) -> None:
    put(tmp_path / "agents" / "ada" / "agent.yaml", "history_tool: user\n")
    put(tmp_path / "agents" / "bea" / "agent.yaml", "history_tool: 'off'\n")
    async with a_crew(tmp_path) as crew:
        for owner in ("default", "ada"):
            said(crew, owner, "person", "harbour")
            said(crew, owner, "answer", "harbour", role="assistant")
            said(crew, owner, "job", "harbour", written_by="job")

        async def titles(agent: str, **more: str) -> set[str]:
            answer = await call(crew, "conversation_search", {"query": "harbour", **more}, agent=agent)
            return {line.split("'")[1] for line in lines(answer.text)}

        assert await titles("default") == await titles("default", written_by="all") == {"person", "answer", "job"}
        assert await titles("default", written_by="user") == {"person"}
        assert await titles("ada", written_by="all") == {"person"}
        assert not (await call(crew, "conversation_search", {"query": "harbour", "written_by": "agent"})).ok
        assert "conversation_search" not in crew.toolbox.of(crew.roster.get("bea")).names


@pytest.mark.spec("MEM-27", "FTS-5")
@pytest.mark.parametrize("query", ['"harbour"', "harbour*", "harbour:", "-harbour", "NEAR(harbour", "harbour AND", 'x" OR "harbour'])
async def test_the_query_is_words_and_never_syntax(tmp_path: Path, query: str) -> None:
    async with a_crew(tmp_path) as crew:
        said(crew, "default", "one", "x harbour and or near docks")
        assert (await call(crew, "conversation_search", {"query": query})).ok
        assert len(lines((await call(crew, "conversation_search", {"query": "harbour -docks"})).text)) == 1
        for nothing in ("", " ", '" * :', "\0"):
            assert not (await call(crew, "conversation_search", {"query": nothing})).ok


@pytest.mark.spec("MEM-27", "FTS-8")
async def test_a_text_that_a_fork_shares_is_one_hit_that_of_the_fork(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        original = said(crew, "default", "Original", "harbour", "later")
        crew.forks.fork(original, crew.conversations.detail(original).messages[1].id)
        found = lines((await call(crew, "conversation_search", {"query": "harbour"})).text)
        assert len(found) == 1
        assert "Original (" in found[0]  # the title of the fork


@pytest.mark.spec("MEM-26", "FTS-6")
async def test_people_and_models_are_answered_by_the_same_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_crew(tmp_path) as crew:
        said(crew, "default", "one", "harbour")
        scopes: list[store_search.Scope] = []
        real = store_search.find
        monkeypatch.setattr(store_search, "find", lambda view, query, scope, limit: scopes.append(scope) or real(view, query, scope, limit))
        await call(crew, "conversation_search", {"query": "harbour"}, conversation="c_x")
        await crew.search.messages("harbour", 20)
        assert scopes == [store_search.Scope("default", "c_x", False, 3), store_search.Scope()]
        assert inspect.iscoroutinefunction(crew.remembering.tools.said.messages)
