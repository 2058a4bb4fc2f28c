import sqlite3

import pytest

from crewlab.engine.records import Approval, Run, Step, ToolCall
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

NOW = "2026-01-01T00:00:00.000000+00:00"
LATER = "2026-01-01T00:10:00.000000+00:00"


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "crew.db", Texts())
    for name in ("c1", "c2"):
        opened.conversations.insert({"id": name, "agent_id": "default", "source": "chat", "created_at": NOW, "updated_at": NOW})
    yield opened
    opened.close()


def an_approval(name="ap1", conversation="c1", **more):
    values = {
        "id": name,
        "conversation_id": conversation,
        "agent_id": "default",
        "run_id": "run1",
        "call_id": "call1",
        "tool": "workspace_write",
        "arguments": {"path": "ä.txt", "content": "x"},
        "created_at": NOW,
        "expires_at": LATER,
    }
    return Approval(**{**values, **more})


@pytest.mark.spec("DB-8")
def test_messages_are_numbered_from_one_without_gaps_per_conversation(store):
    numbers = [store.messages.append(name, "user", "x", NOW).seq for name in ("c1", "c2", "c1", "c1", "c2")]
    assert numbers == [1, 1, 2, 3, 2]
    assert store.messages.last_seq("c1") == 3
    assert store.messages.last_seq("nobody") == 0


@pytest.mark.spec("TURN-16")
def test_a_message_comes_back_with_every_field(store):
    calls = (ToolCall(id="a", name="t", arguments={"ü": [1, None]}), ToolCall(id="b", name="t", arguments="{broken"))
    sent = store.messages.append(
        "c1", "assistant", "héllo đ", NOW, tool_calls=calls, provider="fake", model="echo", cost_usd=0.25, tokens=(1, 2, 3, 4)
    )
    read = store.messages.list("c1")[0]
    assert read.model_dump() == sent.model_dump()
    assert read.tool_calls[1].arguments == "{broken"
    assert (read.prompt_tokens, read.completion_tokens, read.cached_tokens, read.reasoning_tokens) == (1, 2, 3, 4)


@pytest.mark.spec("DB-9")
def test_money_of_a_conversation_counts_known_and_unknown_apart(store):
    store.conversations.spend("c1", 0.5, NOW)
    spent = store.conversations.spend("c1", None, NOW)
    assert spent == (0.5, 1)


@pytest.mark.spec("DB-8")
def test_deleting_a_conversation_takes_its_rows_and_leaves_no_orphan(store):
    message = store.messages.append("c1", "user", "x", NOW)
    store.messages.note_request("c1", "r1", message.id)
    store.queue.add("c1", "follow_up", "later", "chat", None, "r2", NOW)
    store.approvals.insert(an_approval())
    assert store.conversations.delete("c1")
    for table in ("messages", "message_requests", "queued_messages", "approvals"):
        assert store.db.row(f"SELECT count(*) FROM {table}")[0] == 0
    assert not store.conversations.delete("c1")
    with pytest.raises(sqlite3.IntegrityError):
        store.messages.append("c1", "user", "orphan", NOW)


@pytest.mark.spec("FRK-9")
def test_deleting_an_original_only_removes_the_link_of_its_fork(store):
    store.conversations.insert(
        {"id": "fork", "agent_id": "default", "source": "chat", "forked_from": "c1", "created_at": NOW, "updated_at": NOW}
    )
    assert store.conversations.get("fork").forked_from.id == "c1"
    store.conversations.delete("c1")
    assert store.conversations.get("fork").forked_from is None


@pytest.mark.spec("DB-8")
def test_a_conversation_has_at_most_one_pending_request(store):
    store.approvals.insert(an_approval())
    with pytest.raises(sqlite3.IntegrityError):
        store.approvals.insert(an_approval("ap2"))
    store.approvals.insert(an_approval("ap3", "c2"))
    assert store.approvals.count_pending() == 2


@pytest.mark.spec("TURN-52", "GATE-30")
def test_closing_a_request_has_exactly_one_winner(store):
    approval = an_approval()
    store.approvals.insert(approval)
    assert store.approvals.get("ap1") == approval
    assert store.approvals.decide("ap1", "approved", LATER, always=True).status == "approved"
    assert store.approvals.decide("ap1", "denied", LATER) is None
    kept = store.approvals.get("ap1")
    assert (kept.status, kept.always, kept.decided_at) == ("approved", True, LATER)


@pytest.mark.spec("GATE-72")
def test_requests_are_listed_pending_first_then_newest_first(store):
    store.approvals.insert(an_approval("old", created_at="2026-01-01T00:00:01.000000+00:00", status="denied"))
    store.approvals.insert(an_approval("new", created_at="2026-01-01T00:00:02.000000+00:00", status="expired"))
    store.approvals.insert(an_approval("open", created_at="2026-01-01T00:00:00.000000+00:00"))
    assert [a.id for a in store.approvals.list()] == ["open", "new", "old"]
    assert [a.id for a in store.approvals.list(status="denied")] == ["old"]
    assert [a.id for a in store.approvals.list(conversation_id="c2")] == []
    assert [a.id for a in store.approvals.list(limit=1)] == ["open"]


@pytest.mark.spec("GATE-51")
def test_overdue_requests_are_those_whose_deadline_has_passed(store):
    store.approvals.insert(an_approval())
    assert store.approvals.overdue(NOW) == []
    assert [a.id for a in store.approvals.overdue(LATER)] == ["ap1"]


@pytest.mark.spec("TURN-82")
def test_a_run_comes_back_with_its_steps(store):
    run = Run(id="run1", agent_id="default", source="chat", conversation_id="c1", status="running", after_seq=0, started_at=NOW)
    store.runs.insert(run, ["workspace_list"])
    run.steps.append(Step(index=0, kind="model", status="done", started_at=NOW, ms=5, route="fake:echo", cost_usd=0.1))
    run.status, run.summary, run.cost_usd, run.ended_at = "done", "hello", 0.1, LATER
    store.runs.save(run)
    assert store.runs.get("run1") == run
    assert [r.id for r in store.runs.list(None, ["c1"], None, 5)] == ["run1"]
    assert store.runs.list(None, ["c1"], NOW, 5) == []
    assert store.runs.open() == []


@pytest.mark.spec("QUE-12")
def test_moving_a_message_from_the_queue_to_the_log_is_one_commit(store):
    item = store.queue.add("c1", "follow_up", "later", "chat", None, "r1", NOW)
    with pytest.raises(RuntimeError), store.transaction():
        message = store.messages.append("c1", "user", "later", NOW)
        store.messages.note_request("c1", "r1", message.id)
        store.queue.remove([item])
        raise RuntimeError
    assert store.messages.list("c1") == []
    assert store.queue.by_request("c1", "r1").item_id == item
    assert store.messages.by_request("c1", "r1") is None


@pytest.mark.spec("QUE-19")
def test_clearing_the_queue_gives_what_waited_in_the_order_they_were_sent(store):
    for text in ("one", "two"):
        store.queue.add("c1", "follow_up", text, "chat", None, None, NOW)
    store.queue.add("c2", "follow_up", "other", "chat", None, None, NOW)
    assert [item.text for item in store.queue.clear("c1")] == ["one", "two"]
    assert store.queue.clear("c1") == []
    assert store.queue.count("c2") == 1


@pytest.mark.spec("TURN-14")
def test_lists_leave_out_what_delegation_opened_and_page_by_change(store):
    store.conversations.insert(
        {
            "id": "child",
            "agent_id": "default",
            "source": "delegate:c1",
            "parent_id": "c1",
            "parent_call_id": "call",
            "created_at": NOW,
            "updated_at": LATER,
        }
    )
    store.conversations.touch("c2", LATER)
    assert [c.id for c in store.conversations.list("default", 10, None)] == ["c2", "c1"]
    assert [c.id for c in store.conversations.list("default", 10, LATER)] == ["c1"]
    assert store.conversations.list("nobody", 10, None) == []
