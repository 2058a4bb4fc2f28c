"""Facts about the person: whole or not at all, one lock, an index that is always right (MEM-7 to MEM-10, MEM-15)."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from crewlab.engine.agents import facts as module
from crewlab.engine.agents.facts import FactProblem, UserFacts, checked, file_of, is_slug, read_fact
from crewlab.engine.home import textfiles
from crewlab.engine.home.textfiles import TextFiles
from crewlab.engine.texts import Texts
from tests.fixtures.remembered import put

EN = Texts("en")
DAY = "2026-03-02"


def facts_of(root: Path) -> UserFacts:
    return UserFacts(root, TextFiles(), EN)


def save(facts: UserFacts, slug: str, text: str = "likes tea", kind: str = "preference", description: str = "") -> None:
    facts.write(slug, file_of(checked(slug, kind, text, description, DAY, EN)))


def index(root: Path) -> list[str]:
    return [line for line in (root / "INDEX.md").read_text(encoding="utf-8").splitlines() if line.startswith("- ")]


@pytest.mark.spec("MEMF-6", "MEM-7", "MEM-9")
def test_a_fact_is_one_file_with_its_head_and_one_line_in_the_index(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    save(facts, "tea", "Thích trà đá.\nNot coffee.")
    assert (tmp_path / "facts" / "tea.md").read_text(encoding="utf-8") == (
        f"---\nname: tea\ntype: preference\ndescription: Thích trà đá.\nupdated: '{DAY}'\n---\nThích trà đá.\nNot coffee.\n"
    )
    save(facts, "tea", "Prefers coffee now.", "feedback", "drinks")
    save(facts, "atlas", "A map project", "project")
    assert index(tmp_path) == ["- atlas (project): A map project", "- tea (feedback): drinks"]
    assert [(fact.slug, fact.text) for fact in facts.known().facts] == [("atlas", "A map project"), ("tea", "Prefers coffee now.")]
    assert facts.write("tea", None)[0]
    assert index(tmp_path) == ["- atlas (project): A map project"]


@pytest.mark.spec("MEM-8", "MEMF-6")
@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("name", {"slug": "Tea"}),
        ("name", {"slug": "a b"}),
        ("name", {"slug": "x" * 61}),
        ("name", {"slug": ""}),
        ("name", {"slug": "../../config"}),
        ("name", {"slug": "tea\n"}),
        ("name", {"slug": "đá"}),
        ("type", {"kind": "rumour"}),
        ("text", {"text": " \n "}),
        ("text", {"text": "x" * 4001}),
        ("description", {"description": "x" * 161}),
    ],
)
def test_what_breaks_a_rule_is_refused_and_the_rule_is_named(field: str, change: dict[str, str]) -> None:
    given = {"slug": "tea", "kind": "preference", "text": "x" * 4000, "description": "x" * 160, **change}
    with pytest.raises(FactProblem) as caught:
        checked(given["slug"], given["kind"], given["text"], given["description"], DAY, EN)
    assert caught.value.field == field
    assert str(caught.value)


@pytest.mark.spec("MEM-8")
def test_what_stands_within_the_limits_is_taken() -> None:
    fact = checked("x" * 60, "profile", "x" * 4000, "", DAY, EN)
    assert (len(fact.text), len(fact.description)) == (4000, 160)
    assert is_slug("-")
    assert not is_slug("x" * 61)


@pytest.mark.spec("MEMF-6", "MEMF-16")
def test_files_a_person_wrote_are_read_as_far_as_they_can_be(tmp_path: Path) -> None:
    put(tmp_path / "facts" / "plain.md", "Just a line.\nAnd another.")
    put(tmp_path / "facts" / "odd.md", "---\ntype: rumour\ndescription: [a]\nupdated: 2026-01-01\n---\nText")
    put(tmp_path / "facts" / "bad.md", b"\xff\xfe\x00")
    put(tmp_path / "facts" / "Not A Slug.md", "ignored")
    (tmp_path / "facts" / "folder.md").mkdir()
    known = facts_of(tmp_path).known()
    assert [(fact.slug, fact.type, fact.description, fact.updated) for fact in known.facts] == [
        ("odd", "reference", "Text", "2026-01-01"),
        ("plain", "reference", "Just a line.", ""),
    ]
    assert known.unreadable == ("bad", "folder")
    assert read_fact("x", "---\nbroken: [\n---\nbody").text == "body"


@pytest.mark.spec("MEM-15")
def test_facts_saved_at_the_same_time_are_all_there_and_the_index_lists_them_all(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: save(facts, f"fact-{number}", f"text {number}"), range(40)))
    names = sorted(f"fact-{number}" for number in range(40))
    assert [fact.slug for fact in facts.known().facts] == names
    assert [line.split()[1] for line in index(tmp_path)] == names


@pytest.mark.spec("MEM-15")
@pytest.mark.parametrize("damage", ["missing", "cut", "no utf-8", "of another time"])
def test_a_damaged_index_is_made_again_from_the_files(tmp_path: Path, damage: str) -> None:
    facts = facts_of(tmp_path)
    save(facts, "a")
    save(facts, "b")
    whole = (tmp_path / "INDEX.md").read_bytes()
    broken = {"cut": whole[:30], "no utf-8": b"\xff\xff", "of another time": whole.replace(b"- b", b"- c")}
    (tmp_path / "INDEX.md").unlink() if damage == "missing" else (tmp_path / "INDEX.md").write_bytes(broken[damage])
    facts_of(tmp_path).mend()
    assert (tmp_path / "INDEX.md").read_bytes() == whole


def test_a_home_without_facts_gets_no_index(tmp_path: Path) -> None:
    facts_of(tmp_path).mend()
    assert os.listdir(tmp_path) == []


def test_an_index_that_cannot_be_written_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    save(facts_of(tmp_path), "a")
    (tmp_path / "INDEX.md").unlink()
    (tmp_path / "INDEX.md").mkdir()
    put(tmp_path / "INDEX.md" / "x", "")
    facts_of(tmp_path).mend()
    assert "INDEX.md cannot be written" in caplog.text


STEPS = ("open", "fchmod", "write", "fsync", "close", "replace", "unlink", "mkdir")


@contextmanager
def killed_at(step: int) -> Iterator[None]:
    """In this process: SIGKILL before the ``step``-th call that changes files; a write is cut in half first."""
    count = 0

    def hooked(name: str) -> object:
        real = getattr(os, name)

        def call(*given: object, **more: object) -> object:
            nonlocal count
            count += 1
            if count == step:
                if name == "write":
                    real(given[0], bytes(given[1])[: len(given[1]) // 2])  # type: ignore[arg-type, call-overload]
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **more)

        return call

    for name in STEPS:
        setattr(os, name, hooked(name))
    yield


def in_a_child(step: int, root: Path, change: str) -> bool:
    """Change facts in a child that is killed before its ``step``-th step; whether it got to the end."""
    child = os.fork()
    if child == 0:
        try:
            facts = facts_of(root)
            with killed_at(step):
                facts.write("b", None) if change == "forget" else save(facts, "b" if change == "update" else "c", "new " * 500)
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return not os.WIFSIGNALED(status)


@pytest.mark.spec("MEM-15", "MEMF-15")
@pytest.mark.parametrize("change", ["update", "new", "forget"])
def test_a_kill_between_any_two_steps_leaves_whole_facts_and_an_index_that_mends(tmp_path: Path, change: str) -> None:
    done, step = False, 0
    while not done:
        step += 1
        root = tmp_path / str(step)
        before = facts_of(root)
        save(before, "a", "old a")
        save(before, "b", "old b")
        done = in_a_child(step, root, change)
        after = facts_of(root)
        known = {fact.slug: fact.text for fact in after.known().facts}
        new = ("new " * 500).strip()
        allowed = {
            "update": [{"a": "old a", "b": "old b"}, {"a": "old a", "b": new}],
            "new": [{"a": "old a", "b": "old b"}, {"a": "old a", "b": "old b", "c": new}],
            "forget": [{"a": "old a", "b": "old b"}, {"a": "old a"}],
        }[change]
        assert known in allowed
        after.mend()
        assert [line.split()[1] for line in index(root)] == sorted(known)
        save(after, "d", "later")
        assert [line.split()[1] for line in index(root)] == sorted([*known, "d"])
    assert known == allowed[1]
    assert step > 5


@pytest.mark.spec("MEMF-1")
def test_facts_that_have_not_changed_are_neither_read_nor_parsed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textfiles, "SETTLED_NS", -1)  # each file is written once
    parsed: list[str] = []
    monkeypatch.setattr(module, "read_fact", lambda slug, text: parsed.append(slug) or read_fact(slug, text))
    for number in range(5):
        save(facts_of(tmp_path), f"f{number}")
    files = TextFiles()
    facts = UserFacts(tmp_path, files, EN)
    parsed.clear()
    first = facts.known()
    assert (files.reads, len(parsed)) == (5, 5)
    assert all(facts.known() is first for _ in range(20))
    assert (files.reads, len(parsed)) == (5, 5)
    put(tmp_path / "facts" / "f1.md", "another text")
    assert facts.known() is not first
    assert (files.reads, parsed[5:]) == (6, ["f1"])
