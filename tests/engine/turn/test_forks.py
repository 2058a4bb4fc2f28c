"""Forks on a real crew (FRK-1 to FRK-11)."""

import pytest

from crewlab.engine.errors import Conflict, Invalid, NotFound
from crewlab.engine.records import ToolCall
from crewlab.engine.texts import Texts
from crewlab.engine.turn.forks import fork_title
from tests.fixtures.crews import a_crew, say

WRITE = '/tool workspace_write {"path": "note.txt", "content": "x"}'


async def two_turns(crew):
    id, _ = await say(crew, "first words")
    await say(crew, "second words", id)
    return id


def ids_of_person(crew, id):
    return [message.id for message in crew.conversations.detail(id).messages if message.role == "user"]


@pytest.mark.spec("FRK-1", "FRK-4", "FRK-5", "FRK-9")
async def test_a_fork_copies_what_came_before_and_leaves_the_money_with_the_original(tmp_path):
    async with a_crew(tmp_path) as crew:
        id = await two_turns(crew)
        with crew.store.transaction():
            crew.store.messages.append(
                id, "user", "with parts", crew._parts.now(), written_by="person", context={"parts": ["note"]}, name="n", cost_usd=0.5
            )
        await say(crew, "third", id)
        before = crew.conversations.detail(id)
        fork = crew.forks.fork(id, ids_of_person(crew, id)[-1])
        kept = [message for message in before.messages if message.id < ids_of_person(crew, id)[-1]]
        same = ("role", "content", "tool_calls", "tool_call_id", "name", "model", "written_by", "created_at")
        assert [[getattr(m, name) for name in same] for m in fork.messages] == [[getattr(m, name) for name in same] for m in kept]
        assert [message.seq for message in fork.messages] == list(range(1, len(kept) + 1))
        assert {message.model for message in fork.messages} > {None}
        for message in fork.messages:
            left = (message.provider, message.cost_usd, message.prompt_tokens, message.completion_tokens, message.context)
            assert (left, message.cached_tokens, message.reasoning_tokens) == ((None,) * 5, None, None)
        assert fork.agent_id == before.agent_id
        assert fork.forked_from is not None
        assert fork.forked_from.id == id
        assert crew.conversations.detail(id) == before


@pytest.mark.spec("FRK-6", "FRK-11")
async def test_permission_does_not_travel_with_history_but_a_restriction_does(tmp_path):
    async with a_crew(tmp_path, config="autonomous: false\ncost_cap_usd: 3\n") as crew:
        id = await two_turns(crew)
        crew.store.conversations.patch(id, {"auto_approve": ["workspace_write"]}, crew._parts.now())
        crew.conversations.patch(id, {"autonomous": True, "cost_cap_usd": 9, "plan": True, "vibe": True, "skills": ["s"]})
        crew.store.db.write("UPDATE conversations SET spent_usd = 2, approval_ttl_seconds = 7, tier_cap = 'read' WHERE id = ?", (id,))
        fork = crew.forks.fork(id, ids_of_person(crew, id)[1])
        assert (fork.autonomous, fork.auto_approve, fork.spent_usd, fork.cost_cap_usd) == (False, [], 0, 3)
        assert (fork.skills, fork.vibe, fork.approval_ttl_seconds, fork.plan, fork.tier_cap) == ([], False, None, True, "read")


@pytest.mark.spec("FRK-2")
async def test_only_a_stored_message_of_the_person_in_this_conversation_is_a_cut(tmp_path):
    async with a_crew(tmp_path) as crew:
        id, other = await two_turns(crew), await two_turns(crew)
        answer = next(m.id for m in crew.conversations.detail(id).messages if m.role == "assistant")
        crew.store.queue.add(id, "follow_up", "later", "chat", None, None, crew._parts.now())
        crew.store.db.write("UPDATE queued_messages SET item_id = 900")
        for wrong in (answer, ids_of_person(crew, other)[0], 900, 0, -1, 10**9):
            with pytest.raises(Invalid) as refused:
                crew.forks.fork(id, wrong)
            assert refused.value.code == "bad_cut"
        assert len(crew.conversations.list()[0]) == 2
        with pytest.raises(NotFound):
            crew.forks.fork("c_none", 1)
        crew.store.queue.clear(id)


@pytest.mark.spec("FRK-3")
@pytest.mark.parametrize("child", [{"parent_call_id": "call"}, {"source": "delegate:c"}, {"source": "vibe:c"}])
async def test_a_child_of_delegation_and_a_worker_cannot_be_forked(tmp_path, child):
    async with a_crew(tmp_path) as crew:
        id = await two_turns(crew)
        for name, value in child.items():
            crew.store.db.write(f"UPDATE conversations SET {name} = ? WHERE id = ?", (value, id))
        with pytest.raises(Conflict) as refused:
            crew.forks.fork(id, ids_of_person(crew, id)[1])
        assert refused.value.code == "child_conversation"


@pytest.mark.spec("FRK-7")
async def test_a_call_that_was_never_answered_is_refused_in_the_fork_and_no_tool_runs(tmp_path):
    async with a_crew(tmp_path, config="autonomous: true\n") as crew:
        id = crew.conversations.create().id
        calls = tuple(ToolCall(id=name, name="workspace_write", arguments={"path": f"{name}.txt", "content": "x"}) for name in "AB")
        now = crew._parts.now()
        with crew.store.transaction():
            crew.store.messages.append(id, "user", "do both", now)
            crew.store.messages.append(id, "assistant", "", now, tool_calls=calls)
            crew.store.messages.append(id, "tool", "done", now, tool_call_id="A", name="workspace_write")
            cut = crew.store.messages.append(id, "user", "go on", now).id
        fork = crew.forks.fork(id, cut)
        last = fork.messages[-1]
        assert (last.role, last.tool_call_id, last.context, last.seq) == ("tool", "B", {"outcome": "refused"}, 4)
        assert "refused" in last.content
        workspace = crew.roster.master.workspace
        await say(crew, "hello", fork.id)
        assert list(workspace.glob("*.txt")) == []
        assert len(crew.conversations.detail(id).messages) == 4


@pytest.mark.spec("FRK-8")
async def test_an_error_in_the_middle_leaves_no_half_of_a_fork(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        id = await two_turns(crew)
        monkeypatch.setattr(crew.forks, "_refuse_unanswered", lambda fork_id: 1 / 0)
        rows = crew.store.db.row("SELECT count(*) FROM messages")[0]
        with pytest.raises(ZeroDivisionError):
            crew.forks.fork(id, ids_of_person(crew, id)[1])
        assert [one.id for one in crew.conversations.list()[0]] == [id]
        assert crew.store.db.row("SELECT count(*) FROM messages")[0] == rows


@pytest.mark.spec("FRK-9", "TURN-20")
async def test_a_fork_outlives_its_original(tmp_path):
    async with a_crew(tmp_path) as crew:
        id = await two_turns(crew)
        fork = crew.forks.fork(id, ids_of_person(crew, id)[1])
        await crew.conversations.delete(id)
        kept = crew.conversations.detail(fork.id)
        assert (kept.forked_from, len(kept.messages)) == (None, len(fork.messages))


@pytest.mark.spec("FRK-10")
async def test_the_title_says_branch_once_however_often_it_is_forked(tmp_path):
    async with a_crew(tmp_path) as crew:
        id = await two_turns(crew)
        fork = crew.forks.fork(id, ids_of_person(crew, id)[1])
        await say(crew, "more", fork.id)
        again = crew.forks.fork(fork.id, ids_of_person(crew, fork.id)[1])
        assert (fork.title, again.title) == ("first words (branch)", "first words (branch)")


@pytest.mark.spec("FRK-10")
def test_the_suffix_of_either_language_counts_and_a_long_title_keeps_room_for_it():
    assert fork_title("a (nhánh)", Texts("en")) == "a (nhánh)"
    assert fork_title("a", Texts("vi")) == "a (nhánh)"
    assert fork_title("x" * 200, Texts("en")) == "x" * 191 + " (branch)"
    assert fork_title("", Texts("en")) == ""


@pytest.mark.spec("FRK-11")
async def test_a_cut_at_the_first_message_makes_an_empty_conversation_that_can_be_used(tmp_path):
    async with a_crew(tmp_path) as crew:
        id = await two_turns(crew)
        fork = crew.forks.fork(id, ids_of_person(crew, id)[0])
        assert fork.messages == []
        _, events = await say(crew, "again", fork.id)
        assert events[-1].type == "done"
        assert [m.content for m in crew.conversations.detail(fork.id).messages] == ["again", "again"]


@pytest.mark.spec("FRK-4")
async def test_the_calls_of_the_original_stand_in_the_history_of_the_fork(tmp_path):
    async with a_crew(tmp_path) as crew:
        id = crew.conversations.create().id
        now = crew._parts.now()
        crew.store.messages.append(id, "user", "give it away", now)
        crew.store.messages.append(id, "assistant", "", now, tool_calls=(ToolCall(id="D", name="delegate", arguments={"agent": "x"}),))
        crew.store.messages.append(id, "tool", "done", now, tool_call_id="D", name="delegate")
        cut = crew.store.messages.append(id, "user", "go on", now).id
        fork = crew.forks.fork(id, cut)
        assert [call.id for message in fork.messages for call in message.tool_calls] == ["D"]


async def test_the_list_of_another_window_hears_of_the_fork(tmp_path):
    async with a_crew(tmp_path) as crew:
        id = await two_turns(crew)
        watcher = crew.hub.join()
        await anext(watcher)
        fork = crew.forks.fork(id, ids_of_person(crew, id)[1])
        frame = await anext(watcher)
        assert frame.event.conversation.id == fork.id
        watcher.close()
