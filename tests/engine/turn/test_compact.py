"""Windows of models: refused at the start with sizes, compacted once per turn, never for nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.models.base import Completion, ProviderError, TextDelta, Usage
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.models.fake_fixtures import WINDOWS
from crewlab.engine.records import Message, ToolCall
from crewlab.engine.texts import Texts
from crewlab.engine.turn.budget import CHARS_PER_TOKEN, DEFAULT_WINDOW, OLLAMA_WINDOW
from crewlab.engine.turn.compact import KEPT, NEAR, TOLD_CHARS, WORTH, cut_of
from crewlab.engine.turn.digest import canvas_tags, facts, transcript
from crewlab.engine.turn.history import arrange, open_calls
from crewlab.engine.turn.trim import size_of
from tests.fixtures.crews import a_crew, say, types
from tests.fixtures.opened import without_context

AT = "2026-01-01T00:00:00.000000+00:00"
TEXTS = Texts()
WINDOW = 4_000


@pytest.fixture(autouse=True)
def _few_tools(tmp_path):
    """The window is small: the agent holds few tools, whatever others the catalogue gains."""
    (tmp_path / "agent.yaml").write_text("tools: [workspace_list, workspace_read, workspace_write]\nscript_calls: none\n")


class Narrow:
    """A model of a small window; asks for summaries are answered with ``words`` or fail with it."""

    name, small = "fake", False

    def __init__(self, words="SUMMARY IN WORDS", calls=(), price=0.0):
        self.words, self.calls, self.price = words, list(calls), price
        self.requests, self.asked_for_summary = [], []

    def window(self, _route):
        return WINDOW

    async def stream(self, request, route):
        if "<user>" in request.messages[-1].content or "<tool>" in request.messages[-1].content:
            self.asked_for_summary.append(request)
            if isinstance(self.words, Exception):
                raise self.words
            yield Completion(self.words, usage=Usage(50, 5), cost_usd=self.price)
            return
        self.requests.append(request)
        chars = len(request.system) + sum(len(m.content) for m in request.messages)
        usage = Usage(chars // CHARS_PER_TOKEN, 10)
        if self.calls:
            call = self.calls.pop(0)
            yield Completion("", (ToolCall(id=f"k{len(self.calls)}", name=call.name, arguments={"path": call.arguments}),), usage, 0.0)
            return
        yield TextDelta("ok")
        yield Completion("ok", usage=usage, cost_usd=0.0)

    async def close(self):
        pass


def fill(crew, conversation, turns=6, chars=2_000, first="Plan the harbour tour."):
    """Earlier turns, the first with a canvas and a denied call."""
    add = crew.store.messages.append
    for turn in range(turns):
        add(conversation, "user", first if turn == 0 else f"question {turn}", AT, written_by="person")
        if turn == 0:
            call = ToolCall(id="c1", name="shell_run", arguments={"command": "rm -rf build"})
            add(conversation, "assistant", "", AT, tool_calls=(call,))
            add(conversation, "tool", "denied", AT, tool_call_id="c1", name="shell_run", context={"outcome": "denied"})
        tag = f"[artifact map v{turn + 1}]" if turn < 2 else ""
        add(conversation, "assistant", f"answer {turn} {tag} " + "x" * chars, AT)


async def a_long_talk(crew, **more):
    conversation = crew.conversations.create().id
    fill(crew, conversation, **more)
    return conversation


@pytest.mark.spec("CMP-4", "CMP-5", "CMP-6", "CMP-8")
async def test_a_conversation_near_the_window_is_compacted_into_a_summary_that_keeps_what_matters(tmp_path):
    async with a_crew(tmp_path) as crew:
        narrow = Narrow()
        crew.models.plug(narrow)
        conversation = await a_long_talk(crew)
        before = crew.store.messages.list(conversation)
        _, seen = await say(crew, "and now?", conversation)
        assert types(seen) == ["opened", "compacted", "text_delta", "done"]
        (request,) = narrow.requests
        summary = request.messages[0]
        assert summary.role == "user"
        for kept in ("Plan the harbour tour.", "SUMMARY IN WORDS", "[artifact map v2]", "shell_run", "denied", "question 2"):
            assert kept in summary.content
        assert without_context(request.messages[-1].content) == "and now?"
        chars = sum(len(m.content) for m in request.messages)
        assert chars < NEAR * WINDOW * CHARS_PER_TOKEN
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert [step.kind for step in run.steps] == ["compaction", "model"]
        assert (run.steps[0].status, "→" in run.steps[0].text or "became" in run.steps[0].text) == ("done", True)
        detail = crew.conversations.detail(conversation)
        assert detail.messages[: len(before)] == before  # the whole history stays
        (held,) = detail.compactions
        assert held.tokens_after < held.tokens_before
        assert next(e for e in seen if e.type == "compacted").compaction == held


@pytest.mark.spec("CMP-6", "CMP-7")
async def test_the_next_turns_read_the_same_summary_and_compact_again_only_when_there_is_something_to_free(tmp_path):
    async with a_crew(tmp_path) as crew:
        narrow = Narrow()
        crew.models.plug(narrow)
        conversation = await a_long_talk(crew)
        await say(crew, "one", conversation)
        first = narrow.requests[-1].messages[0].content
        _, seen = await say(crew, "two", conversation)
        assert "compacted" not in types(seen)
        assert narrow.requests[-1].messages[0].content == first
        assert narrow.requests[-1].messages[: len(narrow.requests[0].messages)] == narrow.requests[0].messages  # a prefix that only grows
        fill(crew, conversation, first="a later task")
        _, seen = await say(crew, "three", conversation)
        assert types(seen).count("compacted") == 1
        assert "Plan the harbour tour." in narrow.requests[-1].messages[0].content
        assert first in narrow.asked_for_summary[-1].messages[-1].content
    async with a_crew(tmp_path) as crew:  # after a restart the newest holds
        narrow = Narrow()
        crew.models.plug(narrow)
        await say(crew, "four", conversation)
        assert narrow.asked_for_summary == []
        assert narrow.requests[0].messages[0].content == crew.conversations.detail(conversation).compactions[-1].text


@pytest.mark.spec("CMP-2", "CMP-4")
async def test_a_turn_compacts_once_and_in_the_middle_of_its_work_without_parting_a_call_from_its_result(tmp_path):
    async with a_crew(tmp_path) as crew:
        workspace = crew.roster.master.workspace
        for number in range(8):
            (workspace / f"f{number}.txt").write_text(f"file {number} " + "y" * 2_500, encoding="utf-8")
        narrow = Narrow(calls=[FakeCall("workspace_read", f"f{number}.txt") for number in range(8)])
        crew.models.plug(narrow)
        conversation, seen = await say(crew, "read all eight")
        assert types(seen).count("compacted") == 1
        assert len(narrow.asked_for_summary) == 1
        for request in narrow.requests:
            calls = [call.id for m in request.messages for call in m.tool_calls]
            assert calls == [m.tool_call_id for m in request.messages if m.role == "tool"]
        after = next(r for r in narrow.requests if "[The earlier part" in r.messages[0].content)
        assert "read all eight" in after.messages[0].content
        kinds = [step.kind for step in crew.runs.list(conversation_id=conversation)[0][0].steps]
        assert kinds.count("compaction") == 1


@pytest.mark.spec("CMP-7")
async def test_a_compaction_that_would_free_nothing_is_never_tried(tmp_path):
    (tmp_path / "PERSONA.md").write_text("p" * 9_500, encoding="utf-8")
    async with a_crew(tmp_path) as crew:
        narrow = Narrow()
        crew.models.plug(narrow)
        conversation = crew.conversations.create().id
        for number in range(4):
            crew.store.messages.append(conversation, "user", f"short {number}", AT)
            _, seen = await say(crew, "z" * 900, conversation)
            assert types(seen) == ["opened", "text_delta", "done"]
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert run.steps[-1].prompt_tokens > NEAR * WINDOW  # near the window: what takes the room cannot be freed
        assert narrow.asked_for_summary == []
        assert crew.store.db.row("SELECT count(*) FROM compactions")[0] == 0


@pytest.mark.spec("CMP-5")
@pytest.mark.parametrize("failure", [ProviderError("down"), ProviderError("gone", started=True)])
async def test_when_no_model_writes_a_summary_the_facts_stand_alone_and_the_turn_goes_on(tmp_path, failure):
    async with a_crew(tmp_path) as crew:
        narrow = Narrow(words=failure)
        crew.models.plug(narrow)
        conversation = await a_long_talk(crew)
        _, seen = await say(crew, "and now?", conversation)
        assert types(seen) == ["opened", "compacted", "text_delta", "done"]
        text = narrow.requests[0].messages[0].content
        assert "Plan the harbour tour." in text
        assert TEXTS("compact.no_words") in text
        assert seen[-1].unknown_cost_calls == int(failure.started)  # COST-2


@pytest.mark.spec("CMP-5", "COST-4", "COST-8", "COST-9")
async def test_the_summary_is_a_side_call_that_the_run_and_the_conversation_pay(tmp_path):
    async with a_crew(tmp_path) as crew:
        crew.models.plug(Narrow(price=0.25))
        conversation = await a_long_talk(crew)
        _, seen = await say(crew, "and now?", conversation)
        assert (seen[-1].spent_usd, seen[-1].cost_usd) == (0.25, 0.25)
        assert [tuple(r) for r in crew.store.db.rows("SELECT purpose, cost_usd FROM side_calls")] == [("compaction", 0.25)]
        step = crew.runs.list(conversation_id=conversation)[0][0].steps[0]
        assert (step.kind, step.cost_usd) == ("compaction", 0.25)
        assert (await crew.stats.read()).totals.cost_usd == 0.25


@pytest.mark.spec("CMP-3")
async def test_a_prompt_larger_than_the_window_is_refused_at_the_start_with_its_sizes(tmp_path):
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "PERSONA.md").write_text("p" * 11_000, encoding="utf-8")
    async with a_crew(tmp_path) as crew:
        narrow = Narrow()
        crew.models.plug(narrow)
        conversation, seen = await say(crew, "q" * 8_000)
        assert types(seen) == ["opened", "error"]
        assert seen[-1].code == "prompt_too_large"
        for size in (str(WINDOW), "2000", "fake:echo"):
            assert size in seen[-1].message
        assert narrow.requests == narrow.asked_for_summary == []
        assert crew.conversations.detail(conversation).messages[0].content == "q" * 8_000
        _, seen = await say(crew, "short", conversation)
        assert seen[-1].code == "prompt_too_large" if seen[-1].type == "error" else seen[-1].type == "done"


@pytest.mark.spec("CMP-1")
async def test_the_narrow_fixture_declares_its_window_and_unknown_models_have_a_default(tmp_path):
    async with a_crew(tmp_path, routes="fake:narrow") as crew:
        chain = await crew.models.chain(None)
        assert (await chain.window(), chain.declares_window) == (WINDOWS["narrow"], True)
        conversation = await a_long_talk(crew)
        _, seen = await say(crew, "and now?", conversation)
        assert "compacted" in types(seen)
    async with a_crew(tmp_path / "other", routes="fake:echo") as crew:
        chain = await crew.models.chain(None)
        assert (await chain.window(), chain.declares_window) == (None, False)
    assert (DEFAULT_WINDOW, OLLAMA_WINDOW) == (128_000, 32_768)


MESSAGES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6_000), st.booleans()), min_size=1, max_size=25)


@pytest.mark.spec("CMP-4", "CMP-7")
@settings(max_examples=150, deadline=None)
@given(shape=MESSAGES, window=st.integers(1_000, 20_000))
def test_a_cut_never_parts_a_call_from_its_result_and_always_frees_its_worth(shape, window):
    messages: list[Message] = []

    def add(role, content, **more):
        messages.append(Message(id=len(messages) + 1, seq=len(messages) + 1, role=role, content=content, created_at=AT, **more))

    for calls, chars, answered in shape:
        add("user", "q" * (chars // 3))
        if calls:
            add("assistant", "", tool_calls=[ToolCall(id=f"{len(messages)}-{n}", name="t", arguments={}) for n in range(calls)])
            for call in messages[-1].tool_calls:
                add("tool", "r" * chars, tool_call_id=call.id, name="t")
        if answered:
            add("assistant", "a" * chars)
    cut = cut_of(messages, None, window)
    if not cut:
        return
    rest = messages[len(cut) :]
    assert cut == messages[: len(cut)]
    assert rest
    assert open_calls(cut) == []
    assert rest[0].role != "tool"
    replaced = {call.id for m in cut for call in m.tool_calls}
    assert not any(m.tool_call_id in replaced for m in rest)
    told = 2 * min(window * 0.1 * CHARS_PER_TOKEN, TOLD_CHARS)
    assert sum(size_of(m) for m in cut) - told >= WORTH * window * CHARS_PER_TOKEN - 4 * CHARS_PER_TOKEN
    smaller = messages[len(cut) + 1 :]
    assert sum(size_of(m) for m in smaller) <= KEPT * window * CHARS_PER_TOKEN or len(smaller) <= len(rest)
    assert arrange(rest)[0].role in ("user", "assistant")


@pytest.mark.spec("CMP-5")
def test_facts_and_transcript_are_bounded_and_keep_the_newest_tag_of_each_canvas():
    def message(seq, role, content, **more):
        return Message(id=seq, seq=seq, role=role, content=content, created_at=AT, **more)

    many = [message(1, "user", "T" * 9_000), *(message(n, "user", f"question {n} " + "q" * 500) for n in range(2, 60))]
    told = facts(many, None, TEXTS, 1_600)
    assert len(told) <= 1_600
    assert "TTT" in told
    assert "question 59" in told
    assert "question 2 " not in told
    assert len(transcript(many, "E" * 9_000, TEXTS, 4_000)) < 4_100
    said = [message(1, "assistant", "[artifact a v2] [artifact b v1]"), message(2, "tool", "[artifact a v10]")]
    assert canvas_tags(["[artifact a v3]"], said) == ["[artifact a v10]", "[artifact b v1]"]
