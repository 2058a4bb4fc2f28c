"""The index of messages: equal to ``messages`` at every moment, also after an upgrade (FTS-1 to FTS-4, DB-4, DB-7)."""

import sqlite3
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crewlab.engine.store.db import open_connection
from crewlab.engine.store.schema import MIGRATIONS, apply_schema
from crewlab.engine.store.search import CANDIDATES, Scope, find
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.turn.search import MARK, UNMARK, Found, Hit, build_query, snippet

NOW = "2026-01-01T00:00:00.000000+00:00"
DOC = "Hãy đọc Đường này"
OLD_CONVERSATION = "INSERT INTO conversations (id, agent_id, source, created_at, updated_at) VALUES ('c1', 'default', 'chat', ?, ?)"
OLD_MESSAGE = "INSERT INTO messages (conversation_id, seq, role, content, created_at) VALUES ('c1', ?, ?, ?, ?)"


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "crew.db", Texts())
    yield opened
    opened.close()


def a_conversation(store, name="c1", **more):
    store.conversations.insert(
        {"id": name, "agent_id": "default", "source": "chat", "title": name, "created_at": NOW, "updated_at": NOW, **more}
    )
    return name


def say(store, text, role="user", conversation="c1", at=NOW, **more):
    return store.messages.append(conversation, role, text, at, **more)


def found(store, text, scope=None, limit=20):
    query = build_query(text)
    return [hit.message_id for hit in find(store.db, query, scope or Scope(), limit)] if query else []


def check(store):
    """The index holds exactly what ``messages`` says; SQLite compares every entry."""
    store.db.connection.execute("INSERT INTO messages_fts (messages_fts, rank) VALUES ('integrity-check', 1)")


@pytest.mark.spec("FTS-1", "FTS-4")
def test_the_index_follows_every_insert_and_delete_and_holds_no_tool_results(store):
    a_conversation(store)
    a_conversation(store, "c2")
    asked, answered = say(store, "where is the harbour").id, say(store, "The harbour is north", "assistant").id
    say(store, "harbour.txt", "tool", tool_call_id="k")
    other = say(store, "harbour again", conversation="c2").id
    assert sorted(found(store, "harbour")) == [asked, answered, other]
    check(store)
    store.conversations.delete("c1")
    assert found(store, "harbour") == [other]
    check(store)


@pytest.mark.spec("FTS-1")
def test_a_rolled_back_message_is_not_in_the_index(store):
    a_conversation(store)
    with pytest.raises(ZeroDivisionError), store.transaction():
        say(store, "harbour")
        raise ZeroDivisionError
    assert found(store, "harbour") == []
    check(store)


@pytest.mark.spec("FTS-1", "FTS-2", "DB-4", "DB-7")
def test_a_file_of_version_one_is_indexed_when_it_is_upgraded(tmp_path):
    path = tmp_path / "crew.db"
    old = open_connection(path)
    apply_schema(old, path, Texts(), MIGRATIONS[:1])
    old.execute(OLD_CONVERSATION, (NOW, NOW))
    rows = [("user", DOC), ("assistant", "Đã đọc rồi"), ("tool", "doc")]
    for seq, (role, text) in enumerate(rows, start=1):
        old.execute(OLD_MESSAGE, (seq, role, text, NOW))
    old.close()
    store = Store(path, Texts())
    assert sorted(found(store, "doc")) == [1, 2]
    check(store)
    say(store, "and doc again")
    assert len(found(store, "doc")) == 3
    store.conversations.delete("c1")
    check(store)
    store.close()
    copy = sqlite3.connect(path.with_name("crew.db.bak-1"))
    assert copy.execute("PRAGMA user_version").fetchone()[0] == 1
    copy.close()


@pytest.mark.spec("FTS-1", "DB-4")
def test_an_upgrade_that_fails_in_the_middle_leaves_the_old_file_and_the_next_one_indexes_everything(tmp_path):
    path = tmp_path / "crew.db"
    connection = open_connection(path)
    apply_schema(connection, path, Texts(), MIGRATIONS[:1])
    connection.execute(OLD_CONVERSATION, (NOW, NOW))
    connection.execute(OLD_MESSAGE, (1, "user", "harbour", NOW))
    with pytest.raises(sqlite3.OperationalError):
        apply_schema(connection, path, Texts(), (MIGRATIONS[0], (*MIGRATIONS[1], "CREATE NONSENSE")))
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name LIKE 'messages_fts%'").fetchone()[0] == 0
    connection.close()
    store = Store(path, Texts())
    assert found(store, "harbour") == [1]
    store.close()


@pytest.mark.spec("FTS-2", "FTS-3")
@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["doc", "đọc", "ĐỌC", "Dọc", "đoc", "duong", "Đường", "nay"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_vietnamese_is_found_with_and_without_marks_in_both_unicode_forms(store, stored, asked, form):
    a_conversation(store)
    id = say(store, unicodedata.normalize(stored, DOC)).id
    assert found(store, unicodedata.normalize(form, asked)) == [id]


@pytest.mark.spec("FTS-2")
@pytest.mark.parametrize("word", ["한국어", "が", "Ångström", "naïve", "Ёлка", "straße"])
@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_both_unicode_forms_of_other_scripts_are_one_word(store, word, stored, asked):
    a_conversation(store)
    id = say(store, unicodedata.normalize(stored, f"a {word} b")).id
    assert found(store, unicodedata.normalize(asked, word)) == [id]


@pytest.mark.spec("FTS-5")
def test_every_word_must_match_and_the_last_is_also_a_beginning(store):
    a_conversation(store)
    both, one = say(store, "the red harbour").id, say(store, "a red boat").id
    assert found(store, "red harbour") == [both]
    assert found(store, "harbour RED") == [both]
    assert found(store, "red har") == [both]
    assert found(store, "har red") == []  # only the last word is a beginning
    assert sorted(found(store, "re")) == [both, one]
    assert found(store, "red OR harbour") == []  # an operator is a word


@pytest.mark.spec("FTS-5")
@example('"')
@example("a AND (b OR")
@example('NEAR("a" "b", 3) -c content:x ^d e*')
@example("\0 a\0b")
@example("\ud800 x\udfff")
@example("* *")
@example("한" * 100)
@given(st.text(max_size=200))
def test_no_input_is_a_syntax_error(text):
    query = build_query(text)
    if query is not None:
        assert find(EMPTY.db, query, Scope(), 5) == []


@pytest.mark.spec("FTS-5")
@example("\u1f71")  # no normal form keeps it as it is written
@example("\uf900")
@given(st.text(max_size=60).filter(lambda text: "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)))
def test_what_was_said_is_found_by_its_own_words(text):
    query = build_query(text)
    with EMPTY.transaction():
        message = say(EMPTY, text)
        hits = find(EMPTY.db, query, Scope(), 5) if query else []
        EMPTY.db.write("DELETE FROM messages")
    assert (query is None) or [hit.message_id for hit in hits] == [message.id]


EMPTY = Store.__new__(Store)


@pytest.fixture(scope="module", autouse=True)
def _empty(tmp_path_factory):
    """One store for the property tests."""
    EMPTY.__init__(tmp_path_factory.mktemp("empty") / "crew.db", Texts())
    a_conversation(EMPTY)
    yield
    EMPTY.close()


@pytest.mark.spec("FTS-7")
def test_a_scope_keeps_to_an_agent_leaves_one_conversation_out_and_takes_three_of_each(store):
    a_conversation(store)
    a_conversation(store, "c2")
    a_conversation(store, "c3", agent_id="other")
    mine = [say(store, f"harbour {number}", at=f"{NOW[:-10]}{number}").id for number in range(5)]
    here = say(store, "harbour here", conversation="c2").id
    theirs = say(store, "harbour there", conversation="c3").id
    by_person = say(store, "harbour, I said", conversation="c2", written_by="person").id
    own = Scope(agent_id="default", without="c2", per_conversation=3)
    assert sorted(found(store, "harbour", own)) == sorted(mine)[-3:]
    assert set(found(store, "harbour")) == {*mine, here, theirs, by_person}
    assert found(store, "harbour", Scope(person=True)) == [by_person]
    assert found(store, "harbour", Scope(agent_id="other")) == [theirs]


@pytest.mark.spec("FTS-8")
def test_text_shared_by_a_fork_and_its_original_is_one_hit_with_the_larger_id(store):
    a_conversation(store)
    a_conversation(store, "fork")
    say(store, "harbour")
    later = say(store, "harbour", at=NOW[:-6] + "+00:01").id
    answered = say(store, "harbour", "assistant").id
    copy = say(store, "harbour", conversation="fork").id
    assert sorted(found(store, "harbour")) == [later, answered, copy]


@pytest.mark.spec("FTS-9", "FTS-10")
def test_the_better_match_stands_first_and_the_newer_on_equal_rank(store):
    a_conversation(store)
    long = say(store, "harbour " + "and other words " * 60, at="1").id
    short, equal = say(store, "the old harbour", at="2").id, say(store, "the new harbour", at="3").id
    often = say(store, "harbour to harbour", at="4").id
    assert found(store, "harbour") == [often, equal, short, long]
    assert found(store, "harbour", limit=2) == [often, equal]


@pytest.mark.spec("FTS-10")
def test_of_more_matches_than_are_ranked_the_newest_count(store):
    a_conversation(store)
    with store.transaction():
        best = say(store, "harbour harbour harbour", at="0").id
        rest = [say(store, "harbour among other words", at=str(number)).id for number in range(1, CANDIDATES + 1)]
    assert best not in found(store, "harbour", limit=1000)
    assert found(store, "harbour", limit=1000) == rest[::-1]


def hit(store, text):
    (only,) = find(store.db, build_query(text) or "", Scope(), 1)
    return only


@pytest.mark.spec("FTS-9", "FTS-2")
def test_a_snippet_shows_the_message_as_written_with_the_words_marked(store):
    a_conversation(store)
    say(store, "Hãy đọc <b>Đường</b>\nnày")
    assert snippet(hit(store, "duong doc")) == f"Hãy {MARK}đọc{UNMARK} <b>{MARK}Đường{UNMARK}</b> này"


@pytest.mark.spec("FTS-9")
def test_a_snippet_of_a_long_message_begins_at_a_word_and_says_what_is_left_out(store):
    a_conversation(store)
    say(store, "before " * 100 + "harbour" + " after" * 100)
    text = snippet(hit(store, "harbour"))
    assert text.startswith("…before ")
    assert f" {MARK}harbour{UNMARK} after" in text
    assert text.endswith("…")
    assert len(text) <= 164


@pytest.mark.spec("FTS-9")
def test_marks_in_a_message_are_no_marks_of_a_match(store):
    a_conversation(store)
    say(store, f"{MARK}one{UNMARK} harbour {UNMARK}{MARK}")
    assert snippet(hit(store, "harbour")) == f" one  {MARK}harbour{UNMARK}   "


@pytest.mark.spec("FTS-9")
@given(st.text(alphabet="ađĐ ọ\u0002\u0003b\n\u0301…", min_size=1, max_size=400), st.integers(0, 399))
def test_a_snippet_is_a_piece_of_the_message_with_balanced_marks(text, at):
    content = text[:at] + " zebra " + text[at:]
    with EMPTY.transaction():
        say(EMPTY, content)
        (one,) = find(EMPTY.db, '"zebra"', Scope(), 1)
        EMPTY.db.write("DELETE FROM messages")
    shown = snippet(one)
    assert shown.count(MARK) == shown.count(UNMARK) == 1
    assert f"{MARK}zebra" in shown
    plain = shown.replace(MARK, "").replace(UNMARK, "").removeprefix("…" if one.start > 1 else "").removesuffix("…")
    cleaned = "".join(" " if letter.isspace() or letter < " " else letter for letter in content)
    assert plain in cleaned


def test_a_found_message_has_no_more_fields_than_the_answer_names():
    assert set(Found.__slots__) == {"message_id", "conversation_id", "agent_id", "agent_name", "title", "role", "snippet", "created_at"}
    assert Hit.__slots__[0] == "message_id"
