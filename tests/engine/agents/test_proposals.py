"""What a person does with a proposal: approve, reject, step back, and what has changed in between (MEMF-10 to MEMF-12, MEM-14)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.agents.proposals import Decision
from crewlab.engine.crew import Crew
from crewlab.engine.errors import Conflict, CrewError, NotFound, Unavailable
from crewlab.engine.memory_records import MemoryProposal
from tests.fixtures.crews import a_crew
from tests.fixtures.remembered import call, put

TEA = {"name": "tea", "type": "preference", "text": "Likes tea."}


def fact(home: Path) -> Path:
    return home / "users" / "owner" / "facts" / "tea.md"


def index(home: Path) -> str:
    return (home / "users" / "owner" / "INDEX.md").read_text()


async def proposed(crew: Crew, operation: str) -> MemoryProposal:
    """A proposal that nobody was there for; of a fact that exists, unless it is a new one."""
    if operation != "new":
        await call(crew, "user_memory_save", TEA)
    if operation == "forget":
        await call(crew, "user_memory_forget", {"name": "tea"}, source="inbound")
    elif operation == "rewrite":
        put(crew.home.root / "MEMORY.md", "old")
        return crew.proposals.propose("default", "rewrite", "MEMORY.md", ("old", "new\n"), "why")
    else:
        await call(crew, "user_memory_save", {**TEA, "text": "Hates tea."}, source="inbound")
    return crew.proposals.list("pending")[0]


async def refused(crew: Crew, proposal: MemoryProposal, decision: Decision, **more: Any) -> CrewError:
    with pytest.raises(CrewError) as caught:
        await crew.proposals.decide(proposal.id, decision, **more)
    return caught.value


@pytest.mark.spec("MEMF-11", "MEMF-7", "MEMF-12")
@pytest.mark.parametrize("operation", ["save", "new", "forget", "rewrite"])
async def test_approving_writes_it_and_stepping_back_brings_back_what_was(tmp_path: Path, operation: str) -> None:
    async with a_crew(tmp_path) as crew:
        proposal = await proposed(crew, operation)
        target = tmp_path / "MEMORY.md" if operation == "rewrite" else fact(tmp_path)
        before = target.read_bytes() if target.exists() else None
        approved = await crew.proposals.decide(proposal.id, "approve")
        assert (approved.status, approved.decided_at is not None) == ("approved", True)
        assert (target.read_text() if target.exists() else None) == proposal.after_text
        if operation in ("new", "save"):
            assert "- tea (preference): Hates tea." in index(tmp_path)
        reverted = await crew.proposals.decide(proposal.id, "revert")
        assert reverted.status == "reverted"
        assert (target.read_bytes() if target.exists() else None) == before
        assert [each.status for each in crew.proposals.list()] == ["reverted"]


@pytest.mark.spec("MEMF-11")
async def test_rejecting_writes_nothing(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        proposal = await proposed(crew, "save")
        before = fact(tmp_path).read_bytes()
        assert (await crew.proposals.decide(proposal.id, "reject")).status == "rejected"
        assert fact(tmp_path).read_bytes() == before


@pytest.mark.spec("MEMF-17", "MEMF-10")
async def test_a_proposal_is_decided_once_and_only_an_approved_one_is_taken_back(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        proposal = await proposed(crew, "save")
        assert (await refused(crew, proposal, "revert")).code == "decided"
        await crew.proposals.decide(proposal.id, "approve")
        for again in ("approve", "reject"):
            error = await refused(crew, proposal, again, force=True)
            assert (error.code, error.status) == ("decided", 409)
        await crew.proposals.decide(proposal.id, "revert")
        for late in ("approve", "reject", "revert"):
            assert (await refused(crew, proposal, late)).code == "decided"
        with pytest.raises(NotFound):
            await crew.proposals.decide("mp_none", "approve")


@pytest.mark.spec("MEMF-17")
async def test_of_many_windows_that_decide_at_once_one_does(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        proposal = await proposed(crew, "save")
        decisions: list[Decision] = ["approve", "reject"] * 20
        done = await asyncio.gather(*(crew.proposals.decide(proposal.id, each) for each in decisions), return_exceptions=True)
        assert sum(not isinstance(each, Exception) for each in done) == 1
        assert {each.code for each in done if isinstance(each, Conflict)} == {"decided"}


@pytest.mark.spec("MEMF-12")
@pytest.mark.parametrize("operation", ["save", "new", "forget", "rewrite"])
async def test_what_has_changed_since_is_stale_and_can_be_forced(tmp_path: Path, operation: str) -> None:
    async with a_crew(tmp_path) as crew:
        proposal = await proposed(crew, operation)
        target = tmp_path / "MEMORY.md" if operation == "rewrite" else fact(tmp_path)
        put(target, "changed by hand")
        error = await refused(crew, proposal, "approve")
        assert (error.status, error.code, error.fields["current"]) == (409, "stale", "changed by hand")
        assert target.read_text() == "changed by hand"
        assert crew.proposals.list()[0].status == "pending"
        await crew.proposals.decide(proposal.id, "approve", force=True)
        assert (target.read_text() if target.exists() else None) == proposal.after_text


@pytest.mark.spec("MEMF-12", "MEMF-11")
async def test_stepping_back_over_a_later_change_is_stale_too(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        proposal = await proposed(crew, "save")
        await crew.proposals.decide(proposal.id, "approve")
        put(fact(tmp_path), "changed by hand")
        assert (await refused(crew, proposal, "revert")).code == "stale"
        await crew.proposals.decide(proposal.id, "revert", force=True)
        assert fact(tmp_path).read_text() == proposal.before_text


@pytest.mark.spec("MEMF-12", "MEM-15")
async def test_a_cut_between_the_file_and_the_row_is_no_change(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        proposal = await proposed(crew, "save")
        crew.remembering.memory.facts.write("tea", proposal.after_text)  # written, and then the process was killed
        assert (await crew.proposals.decide(proposal.id, "approve")).status == "approved"


@pytest.mark.spec("MEMF-11", "MEMF-15")
async def test_a_file_that_cannot_be_written_leaves_the_proposal_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_crew(tmp_path) as crew:
        proposal = await proposed(crew, "save")

        def full(*_given: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as broken:
            broken.setattr("crewlab.engine.agents.facts.write_whole", full)
            error = await refused(crew, proposal, "approve")
        assert isinstance(error, Unavailable)
        assert "No space left" in error.message
        assert crew.proposals.list()[0].status == "pending"
        assert "Likes tea." in fact(tmp_path).read_text()


@pytest.mark.spec("MEMF-10")
async def test_proposals_outlive_a_restart_and_are_listed_newest_first(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        for name in ("one", "two", "three"):
            await call(crew, "user_memory_save", {**TEA, "name": name}, source="inbound")
    async with a_crew(tmp_path) as crew:
        assert [each.target for each in crew.proposals.list()] == ["three", "two", "one"]
        await crew.proposals.decide(crew.proposals.list()[1].id, "reject")
        assert [each.target for each in crew.proposals.list("pending")] == ["three", "one"]
        assert [each.target for each in crew.proposals.list("rejected")] == ["two"]
