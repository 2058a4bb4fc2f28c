"""The book of a script on a real store: what it sees, when its writes take effect, and who may keep (STO)."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.generations import Generations
from crewlab.engine.agents.profiles import read_profiles
from crewlab.engine.agents.roster import build_roster
from crewlab.engine.clock import SystemClock
from crewlab.engine.home.layout import Home
from crewlab.engine.home.settings import load_settings
from crewlab.engine.script.book import Book, BookError, NotKept, book_of
from crewlab.engine.script.outcome import script_answer
from crewlab.engine.script.process import Ended
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

EN, VI = Texts("en"), Texts("vi")
NOW = "2026-01-05T00:00:00.000000+00:00"


class Desk:
    """A store, an agent and the numbers of its id."""

    def __init__(self, root: Path) -> None:
        home = Home(root)
        home.ensure(EN)
        self.agent: Agent = build_roster(read_profiles(home, EN), home, load_settings(home, {}), EN).master
        self.store = Store(home.db_file, EN)
        self.generations = Generations()
        self.store.conversations.insert({"id": "c1", "agent_id": "default", "source": "chat", "created_at": NOW, "updated_at": NOW})

    def book(self, namespace: str | None = "conv:c1", agent: Agent | None = None) -> Book:
        return book_of(self.store, agent or self.agent, namespace, self.generations, EN, SystemClock())

    def kept(self, namespace: str = "conv:c1", agent: str = "default") -> dict[str, str]:
        return self.store.script_store.namespace(agent, namespace)

    def remove_agent(self) -> None:
        with self.generations.lock:
            self.generations.removed("default")
            self.store.script_store.forget_agent("default")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = Desk(tmp_path)
    yield found
    found.store.close()


def written(desk: Desk, values: dict[str, str], namespace: str = "conv:c1") -> None:
    book = desk.book(namespace)
    for key, text in values.items():
        book.store(key, text)
    book.commit()


@pytest.mark.spec("STO-1", "STO-2", "STO-8", "STO-14")
def test_a_later_run_reads_what_an_earlier_one_kept(desk: Desk) -> None:
    book = desk.book()
    assert book.load("seen") is None
    book.store("seen", '["a1", "b2"]')
    assert book.load("seen") == '["a1","b2"]'
    assert desk.kept() == {}
    book.commit()
    assert desk.kept() == {"seen": '["a1","b2"]'}
    assert desk.book().load("seen") == '["a1","b2"]'


@pytest.mark.spec("STO-16")
def test_a_script_that_does_not_run_to_its_end_keeps_nothing(desk: Desk) -> None:
    written(desk, {"a": "1"})
    book = desk.book()
    book.store("a", "2")
    book.forget("a")
    book.store("b", "3")
    del book
    assert desk.kept() == {"a": "1"}


@pytest.mark.spec("STO-14")
def test_all_writes_are_applied_in_one_transaction_once(desk: Desk) -> None:
    written(desk, {"old": "1"})
    book = desk.book()
    book.store("a", "1")
    book.store("b", "2")
    book.forget("old")
    before = desk.store.db.writes
    book.commit()
    assert desk.store.db.writes == before + 1
    assert desk.kept() == {"a": "1", "b": "2"}
    desk.store.script_store.forget("default", "conv:c1")
    book.commit()
    assert desk.kept() == {}


@pytest.mark.spec("STO-6")
def test_forgetting_takes_no_room_and_is_never_an_error(desk: Desk) -> None:
    full = {f"k{n}": json.dumps("x" * 65_000) for n in range(4)}
    written(desk, full)
    book = desk.book()
    with pytest.raises(BookError):
        book.store("one more", json.dumps("x" * 5_000))
    book.forget("nothing there")
    book.forget("k0")
    assert book.load("k0") is None
    book.store("one more", json.dumps("x" * 5_000))
    book.commit()
    assert set(desk.kept()) == {"k1", "k2", "k3", "one more"}


@pytest.mark.spec("STO-6", "STO-3")
def test_a_none_alone_is_no_value_but_one_in_a_list_is_kept(desk: Desk) -> None:
    book = desk.book()
    with pytest.raises(BookError):
        book.store("a", "null")
    book.store("due", "[1,null]")
    book.commit()
    assert desk.kept() == {"due": "[1,null]"}


@pytest.mark.spec("STO-4", "STO-5", "SCR-9")
@pytest.mark.parametrize("key", ["", "k" * 201, "a\ud800"])
def test_a_key_out_of_bounds_is_an_error_of_every_call(desk: Desk, key: str) -> None:
    book = desk.book()
    for call in (lambda: book.load(key), lambda: book.store(key, "1"), lambda: book.forget(key)):
        with pytest.raises(BookError, match="200"):
            call()


@pytest.mark.spec("STO-10", "SCR-9")
def test_a_value_over_the_limit_is_an_error_with_both_figures_and_the_earlier_value_stays(desk: Desk) -> None:
    book = desk.book()
    book.store("a", json.dumps("x" * 65_534))
    with pytest.raises(BookError, match=r"65537 .*65536"):
        book.store("a", json.dumps("y" * 65_535))
    assert book.load("a") == json.dumps("x" * 65_534)
    for text in ("NaN", "{", "[" * 101 + "]" * 101):
        with pytest.raises(BookError, match="JSON"):
            book.store("a", text)
    assert book.load("a") == json.dumps("x" * 65_534)


@pytest.mark.spec("STO-10", "STO-11")
def test_a_full_namespace_counts_keys_and_values_and_its_own_writes(desk: Desk) -> None:
    value = json.dumps("x" * 65_533)  # 65,535 with its quotes, 65,536 with its key of one letter
    written(desk, {"a": value, "b": value})
    book = desk.book()
    book.store("c", value)
    written(desk, {"late": json.dumps("x" * 60_000)})  # STO-11: it was not there at the first touch
    book.store("d", value)
    with pytest.raises(BookError, match=r"262146 characters \(keys and values\), more than 262144"):
        book.store("e", "1")
    assert book.load("e") is None
    book.store("d", "1")
    book.store("e", "1")


@pytest.mark.spec("STO-20", "SCR-71")
def test_of_two_runs_that_together_do_not_fit_the_later_keeps_nothing(desk: Desk) -> None:
    half = {f"k{n}": json.dumps("x" * 60_000) for n in range(3)}
    one, two = desk.book(), desk.book()
    for key, text in half.items():
        one.store("one" + key, text)
        two.store("two" + key, text)
    one.commit()
    with pytest.raises(NotKept) as failed:
        two.commit()
    assert failed.value.code == "store_overflow"
    assert set(desk.kept()) == {"onek0", "onek1", "onek2"}
    for texts, words in ((EN, "kept NOTHING with store"), (VI, "store KHÔNG giữ lại gì")):
        answer = script_answer(Ended(failed.value.code, params=failed.value.params, printed="hello"), texts)
        assert answer.startswith("Script did not finish.\nhello\n")
        assert words in answer
        assert "262144" in answer
    assert "Run the script again." in script_answer(Ended(failed.value.code, params=failed.value.params), EN)


@pytest.mark.spec("STO-20")
def test_of_two_runs_that_write_one_key_the_later_wins(desk: Desk) -> None:
    one, two = desk.book(), desk.book()
    two.store("a", '"two"')
    one.store("a", '"one"')
    two.commit()
    one.commit()
    assert desk.kept() == {"a": '"one"'}


@pytest.mark.spec("STO-6", "STO-20")
def test_a_run_that_only_makes_room_is_taken_also_where_somebody_wrote_too_much_by_hand(desk: Desk) -> None:
    desk.store.script_store.apply("default", "conv:c1", {"a": json.dumps("x" * 300_000), "b": "1"}, NOW)
    book = desk.book()
    with pytest.raises(BookError):
        book.store("c", "1")
    book.forget("b")
    book.commit()
    assert set(desk.kept()) == {"a"}


@pytest.mark.spec("STO-19")
def test_a_script_goes_on_with_its_copy_and_writes_only_its_own_keys(desk: Desk) -> None:
    written(desk, {"read": "1", "mine": "2", "gone": "3"})
    book, untouched = desk.book(), desk.book()
    assert book.load("read") == "1"
    desk.store.script_store.forget("default", "conv:c1")
    assert book.load("read") == "1"
    assert book.load("gone") == "3"
    assert untouched.load("read") is None
    book.store("mine", "4")
    book.forget("gone")
    book.commit()
    assert desk.kept() == {"mine": "4"}


@pytest.mark.spec("STO-21", "STO-26")
def test_nothing_is_written_for_a_conversation_that_was_deleted_meanwhile(desk: Desk) -> None:
    written(desk, {"a": "1"})
    written(desk, {"b": "1"}, "job:due")
    book = desk.book()
    book.store("a", "2")
    with desk.store.transaction():
        desk.store.conversations.delete("c1")
    assert desk.kept() == {}
    assert desk.kept("job:due") == {"b": "1"}
    with pytest.raises(NotKept) as failed:
        book.commit()
    assert failed.value.code == "conversation_gone"
    assert desk.kept() == {}
    assert "deleted" in script_answer(Ended("conversation_gone"), EN)


@pytest.mark.spec("STO-26")
def test_the_rows_of_a_conversation_come_back_when_its_deletion_is_taken_back(desk: Desk) -> None:
    written(desk, {"a": "1"})
    with pytest.raises(ZeroDivisionError), desk.store.transaction():
        desk.store.conversations.delete("c1")
        raise ZeroDivisionError
    assert desk.kept() == {"a": "1"}


@pytest.mark.spec("STO-23")
def test_without_a_conversation_and_a_job_there_is_nowhere_to_keep(desk: Desk) -> None:
    book = desk.book(None)
    for call in (lambda: book.load("a"), lambda: book.store("a", "1"), lambda: book.forget("a")):
        with pytest.raises(BookError, match="nowhere to keep"):
            call()
    book.commit()


@pytest.mark.spec("STO-25")
def test_two_agents_never_see_each_other(desk: Desk) -> None:
    written(desk, {"a": "1"}, "job:due")
    desk.store.script_store.apply("ada", "job:due", {"a": "2"}, NOW)
    assert desk.book("job:due").load("a") == "1"
    assert desk.store.script_store.forget("ada", "job:due") == 1
    assert desk.kept("job:due") == {"a": "1"}


@pytest.mark.spec("STO-40", "STO-44")
def test_a_script_of_an_agent_removed_meanwhile_keeps_nothing(desk: Desk) -> None:
    book = desk.book("job:due")
    book.store("a", "1")
    desk.remove_agent()
    written_by_the_new_one = desk.book("job:due", _at(desk.agent, 1))
    written_by_the_new_one.store("b", "2")
    written_by_the_new_one.commit()
    with pytest.raises(NotKept) as failed:
        book.commit()
    assert failed.value.code == "agent_removed"
    assert desk.kept("job:due") == {"b": "2"}
    assert "removed from the crew" in script_answer(Ended("agent_removed"), EN)


@pytest.mark.spec("STO-41", "STO-44")
def test_a_script_of_a_removed_agent_reads_nothing_of_the_new_one_and_ends_with_the_notice(desk: Desk) -> None:
    desk.remove_agent()
    written_by_the_new_one = desk.book("job:due", _at(desk.agent, 1))
    written_by_the_new_one.store("a", "2")
    written_by_the_new_one.commit()
    reads = desk.book("job:due")
    assert reads.load("a") is None
    with pytest.raises(NotKept, match="agent_removed"):
        reads.commit()
    writes = desk.book("job:due")
    writes.store("a", "3")
    assert writes.load("a") == "3"
    with pytest.raises(NotKept, match="agent_removed"):
        writes.commit()
    assert desk.kept("job:due") == {"a": "2"}


@pytest.mark.spec("STO-41", "STO-42")
def test_what_was_read_before_the_removal_stays_in_use_and_a_script_without_the_store_ends_as_any(desk: Desk) -> None:
    written(desk, {"a": "1"}, "job:due")
    reads, neither = desk.book("job:due"), desk.book("job:due")
    assert reads.load("a") == "1"
    desk.remove_agent()
    assert reads.load("a") == "1"
    reads.commit()
    neither.commit()


def test_a_kept_value_that_is_no_json_is_an_error_that_names_the_key(desk: Desk) -> None:
    desk.store.script_store.apply("default", "conv:c1", {"broken": "{not json"}, NOW)
    book = desk.book()
    with pytest.raises(BookError, match="'broken'"):
        book.load("broken")
    book.store("broken", "1")
    assert book.load("broken") == "1"


def test_a_database_that_cannot_be_written_or_read_keeps_nothing_and_says_so(desk: Desk) -> None:
    written(desk, {"a": "1"})
    book, late = desk.book(), desk.book()
    book.store("a", "2")
    held = sqlite3.connect(desk.store.db.path, isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    desk.store.db.connection.execute("PRAGMA busy_timeout=0")
    with pytest.raises(NotKept, match="store_failed"):
        book.commit()
    held.execute("ROLLBACK")
    held.close()
    assert desk.kept() == {"a": "1"}
    assert "kept NOTHING" in script_answer(Ended("store_failed"), EN)
    book.commit()
    assert desk.kept() == {"a": "2"}
    desk.store.db.write("ALTER TABLE script_store RENAME TO elsewhere")
    with pytest.raises(BookError, match="could not be read"):
        late.load("a")
    desk.store.db.write("ALTER TABLE elsewhere RENAME TO script_store")


@pytest.mark.spec("STO-22")
def test_a_row_says_when_it_was_written(desk: Desk) -> None:
    written(desk, {"a": "1"})
    row = desk.store.script_store.value("default", "conv:c1", "a")
    assert row is not None
    assert row.updated_at.endswith("+00:00")
    assert desk.store.script_store.value("default", "conv:c1", "b") is None


def _at(agent: Agent, generation: int) -> Agent:
    return replace(agent, generation=generation)
