"""What the store remembers is what the tables hold, whatever happens to them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.records import Message
from crewlab.engine.store.memory import MESSAGE_COST, Histories, Rows
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

NOW = "2026-01-01T00:00:00.000000+00:00"
LATER = "2026-01-02T00:00:00.000000+00:00"


def conversation(store: Store, name: str, **more: object) -> None:
    store.conversations.insert({"id": name, "agent_id": "default", "source": "chat", "created_at": NOW, "updated_at": NOW, **more})


@pytest.fixture
def store(tmp_path: Path):
    opened = Store(tmp_path / "crew.db", Texts())
    yield opened
    opened.close()


def again(store: Store) -> Store:
    return Store(store.db.path, Texts())


def test_every_way_to_change_a_conversation_is_seen_at_the_next_read(store: Store) -> None:
    conversation(store, "c")
    for change in (
        lambda: store.conversations.touch("c", LATER),
        lambda: store.conversations.spend("c", 0.5, NOW),
        lambda: store.conversations.spend("c", None, LATER),
        lambda: store.conversations.name_first("c", "first words"),
        lambda: store.conversations.patch("c", {"title": "mine", "autonomous": True, "auto_approve": ["a"]}, NOW),
    ):
        assert store.conversations.get("c") is not None
        change()
        other = again(store)
        assert store.conversations.get("c") == other.conversations.get("c")
        other.close()


def test_a_fork_reads_the_title_of_its_origin_as_it_is_now(store: Store) -> None:
    conversation(store, "c", title="old")
    conversation(store, "f", forked_from="c")
    assert store.conversations.get("f").forked_from.title == "old"
    store.conversations.patch("c", {"title": "new"}, LATER)
    assert store.conversations.get("f").forked_from.title == "new"
    store.conversations.delete("c")
    assert store.conversations.get("f").forked_from is None


def test_what_a_transaction_took_back_is_not_remembered(store: Store) -> None:
    conversation(store, "c")
    store.messages.append("c", "user", "one", NOW)
    assert len(store.messages.list("c")) == 1
    with pytest.raises(RuntimeError), store.transaction():
        store.messages.append("c", "assistant", "two", NOW)
        store.conversations.spend("c", 1.0, LATER)
        raise RuntimeError
    assert [message.content for message in store.messages.list("c")] == ["one"]
    assert (store.conversations.get("c").spent_usd, store.conversations.get("c").updated_at) == (0.0, NOW)


def test_a_deleted_conversation_is_forgotten_with_its_messages_and_queue(store: Store) -> None:
    conversation(store, "c")
    store.messages.append("c", "user", "one", NOW)
    store.queue.add("c", "follow_up", "later", "chat", None, None, NOW)
    store.conversations.delete("c")
    assert store.conversations.get("c") is None
    assert store.messages.list("c") == []
    assert store.queue.waiting("c") == []


def test_a_list_that_was_handed_out_does_not_change(store: Store) -> None:
    conversation(store, "c")
    store.messages.append("c", "user", "one", NOW)
    before = store.messages.list("c")
    store.messages.append("c", "user", "two", NOW)
    assert len(before) == 1
    before.clear()
    assert len(store.messages.list("c")) == 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3000), st.booleans()), max_size=40))
def test_remembered_histories_stay_below_their_limit_and_are_whole(tmp_path_factory, steps: list[tuple[str, int, bool]]) -> None:
    limit = 3 * MESSAGE_COST
    opened = Store(tmp_path_factory.mktemp("s") / "crew.db", Texts())
    histories = Histories(opened.db, limit)
    truth: dict[str, list[Message]] = {}
    for name, chars, dropped in steps:
        if dropped:
            truth.pop(name, None)
            histories.drop(name)
        else:
            stored = truth.setdefault(name, [])
            stored.append(Message(id=len(stored) + 1, seq=len(stored) + 1, role="user", content="x" * chars, created_at=NOW))
            histories.append(name, stored[-1])
        assert histories.size <= limit
        for each, stored in truth.items():
            assert histories.get(each) in (None, stored)
    opened.close()


def test_rows_keep_the_ones_used_last(store: Store) -> None:
    rows: Rows[int] = Rows(store.db, limit=2)
    rows.put("a", 1)
    rows.put("b", 2)
    assert rows.get("a") == 1
    rows.put("c", 3)
    assert (rows.get("a"), rows.get("b"), rows.get("c")) == (1, None, 3)
