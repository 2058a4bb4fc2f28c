"""Requests that a server calls too long: one compaction and one more try, never twice the same (CMP-9 to CMP-11)."""

import pytest

from crewlab.engine.models.base import Completion, ProviderError, TextDelta
from crewlab.engine.records import ToolCall
from tests.engine.turn.test_compact import Narrow, a_long_talk, fill
from tests.engine.turn.test_escalate import a_home, big
from tests.fixtures.crews import a_crew, say, types
from tests.fixtures.vendors import answer, refusal
from tests.fixtures.wire import WireServer

TOO_LONG = "上下文长度超出限制：最大 {limit}，请求 40000"


class Full(Narrow):
    """A model that declares no window and refuses what is longer than ``room`` characters."""

    def __init__(self, room, error=None, **more):
        super().__init__(**more)
        self.room = room
        self.error = error or ProviderError("the request is too long", status=400, too_long=True)
        self.refused = 0

    def window(self, _route):
        return None

    async def stream(self, request, route):
        if sum(len(m.content) for m in request.messages) > self.room and "<user>" not in request.messages[-1].content:
            self.refused += 1
            raise self.error
        async for item in super().stream(request, route):
            yield item


@pytest.mark.spec("CMP-9", "FC-6")
@pytest.mark.parametrize("source", ["words", "code"])
async def test_a_refusal_in_any_language_starts_one_compaction_and_one_more_try(tmp_path, source):
    words = TOO_LONG.format(limit=3000) if source == "words" else "context_length_exceeded"
    async with WireServer(refusal(400, words), answer("What was said so far."), answer("Here it is.")) as server:
        environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.url}
        async with a_crew(tmp_path, routes="openai:some", environ=environ) as crew:
            conversation = await a_long_talk(crew)
            _, seen = await say(crew, "and now?", conversation)
            assert types(seen) == ["opened", "compacted", "text_delta", "done"]
            assert len(server.asked) == 3
            sizes = [len(str(asked.body["messages"])) for asked in server.asked]
            assert sizes[2] < sizes[0] * 0.9
            assert "What was said so far." in str(server.asked[2].body["messages"])
            run = crew.runs.list(conversation_id=conversation)[0][0]
            assert [step.kind for step in run.steps] == ["fallback", "compaction", "model"]
            assert run.steps[1].status == "done"
            assert not any(step.status == "running" for step in run.steps)
            held = crew.conversations.detail(conversation).compactions[-1]
            assert held.tokens_after < held.tokens_before


@pytest.mark.spec("CMP-9", "CMP-11", "FC-3")
async def test_when_the_second_try_is_refused_too_the_turn_ends_with_the_sizes_and_nothing_is_tried_again(tmp_path):
    async with a_crew(tmp_path) as crew:
        full = Full(0)
        crew.models.plug(full)
        conversation = await a_long_talk(crew)
        _, seen = await say(crew, "and now?", conversation)
        assert types(seen) == ["opened", "compacted", "error"]
        assert seen[-1].code == "prompt_too_large"
        for word in ("the request is too long", "instructions", "already shortened"):
            assert word in seen[-1].message
        assert (full.refused, len(full.asked_for_summary)) == (2, 1)


@pytest.mark.spec("FC-1", "FC-3", "CMP-7", "CMP-11")
async def test_a_compaction_that_frees_nothing_is_never_tried_however_often_the_server_refuses(tmp_path):
    async with a_crew(tmp_path) as crew:
        full = Full(0)
        crew.models.plug(full)
        conversation = crew.conversations.create().id
        for number in range(3):
            _, seen = await say(crew, f"question {number}", conversation)
            assert types(seen) == ["opened", "error"]
            assert "nothing in the conversation" in seen[-1].message
        assert (full.refused, full.asked_for_summary) == (3, [])  # one request a turn, no side call
        assert crew.store.db.row("SELECT count(*) FROM compactions")[0] == 0


@pytest.mark.spec("FC-1")
async def test_a_base_prompt_larger_than_the_window_ends_each_turn_at_once_and_asks_nobody(tmp_path):
    (tmp_path / "PERSONA.md").write_text("p" * 11_900, encoding="utf-8")
    async with a_crew(tmp_path) as crew:
        narrow = Narrow()
        narrow.window = lambda _route: 2_500
        crew.models.plug(narrow)
        conversation = crew.conversations.create().id
        for number in range(3):
            _, seen = await say(crew, f"question {number}", conversation)
            assert types(seen) == ["opened", "error"]
            assert seen[-1].code == "prompt_too_large"
            assert "2500" in seen[-1].message
        assert narrow.requests == narrow.asked_for_summary == []


@pytest.mark.spec("CMP-10", "FC-7")
@pytest.mark.parametrize(("status", "chars", "compacted"), [(400, 2_000, True), (500, 2_000, True), (400, 300, False), (404, 2_000, False)])
async def test_a_refusal_without_a_word_is_judged_by_the_size_of_the_request(tmp_path, monkeypatch, status, chars, compacted):
    monkeypatch.setattr("crewlab.engine.turn.budget.DEFAULT_WINDOW", 9_000)
    async with a_crew(tmp_path) as crew:
        crew.models.plug(Full(6_000 if compacted else 0, ProviderError("no.", status=status)))
        conversation = crew.conversations.create().id
        fill(crew, conversation, chars=0)
        for turn in range(6):  # three bytes a character: the estimate by characters stays far below the window
            crew.store.messages.append(conversation, "user", "问" * (chars // 2), f"2026-01-01T00:00:0{turn}.000000+00:00")
            crew.store.messages.append(conversation, "assistant", "答" * (chars // 2), f"2026-01-01T00:00:0{turn}.000000+00:00")
        _, seen = await say(crew, "现在呢", conversation)
        assert ("compacted" in types(seen)) is compacted
        assert seen[-1].type == ("done" if compacted else "error")


@pytest.mark.spec("CMP-9", "ESC-1", "CMP-11")
async def test_the_escalation_route_is_asked_when_nothing_could_be_freed(tmp_path):
    asked = []

    async def full(_scene):
        asked.append(1)
        for piece in list[str]():
            yield piece
        raise ProviderError("too long", status=400, too_long=True)

    async with a_crew(a_home(tmp_path), routes="fake:a", scripts={"a": full, "big": big}) as crew:
        _, seen = await say(crew, "question")
        assert types(seen) == ["opened", "escalated", "text_delta", "done"]
        assert len(asked) == 1


@pytest.mark.spec("FC-4", "COST-2")
async def test_an_output_is_cut_before_it_enters_history_and_a_failed_call_that_had_begun_is_counted(tmp_path):
    (tmp_path / "agent.yaml").write_text("tools: [workspace_read]\n")  # the model of this test reads little
    async with a_crew(tmp_path) as crew:
        (crew.roster.master.workspace / "big.txt").write_text("line of a very long file\n" * 16_000, encoding="utf-8")
        seen_chars = []

        class Breaks(Narrow):
            async def stream(self, request, route):
                seen_chars.append(max(len(m.content) for m in request.messages))
                if len(seen_chars) == 1:
                    call = ToolCall(id="k1", name="workspace_read", arguments={"path": "big.txt"})
                    yield Completion("", (call,), cost_usd=0.01)
                    return
                yield TextDelta("It sa")
                raise ProviderError("gone", started=True)

        crew.models.plug(Breaks())
        conversation, seen = await say(crew, "read it")
        assert seen[-1].type == "error"
        assert seen_chars[1] <= crew.roster.master.tool_output_chars + 400
        detail = crew.conversations.detail(conversation)
        assert (detail.unknown_cost_calls, detail.spent_usd) == (1, 0.01)
        assert len(crew.store.db.rows("SELECT * FROM side_calls")) == 1
