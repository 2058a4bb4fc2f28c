"""No character is broken on its way from a provider into the store, a tool or a file (FU-2)."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.models.test_openai_chat import read
from tests.fixtures.crews import a_crew, say
from tests.fixtures.opened import without_context
from tests.fixtures.vendors import answer
from tests.fixtures.wire import Reply, WireServer, call, chunk, sse

WORDS = "Xin chào — ghi chú của tôi: 😀👩‍👩‍👧 tiếng Việt ộ ẫ ữ, 漢字, \u0301combining, 𝒳"
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffd"), min_size=1, max_size=40)


@pytest.mark.spec("FU-2")
@given(text=TEXTS, cuts=st.lists(st.integers(0, 2_000), max_size=30), escaped=st.booleans())
async def test_text_and_arguments_are_whole_wherever_the_bytes_are_cut(text, cuts, escaped):
    deltas = [chunk({"content": text[:1]}), chunk({"content": text[1:]}), chunk(call(0, "k", "write", json.dumps({"content": text})))]
    raw = [f"data: {json.dumps(one, ensure_ascii=escaped)}\n\n".encode() for one in [*deltas, chunk({}, "tool_calls")]]
    body = b"".join(raw)
    done = (await read(body, [cut for cut in cuts if cut < len(body)]))[-1]
    assert done.text == text
    assert [made.arguments for made in done.tool_calls] == [{"content": text}]


@pytest.mark.spec("FU-2")
@settings(max_examples=5, deadline=None)
@given(step=st.integers(1, 4))
async def test_a_whole_turn_stores_and_writes_every_character_as_it_came(step):
    made = sse(
        chunk(call(0, "k", "workspace_write", json.dumps({"path": "ghi chú.txt", "content": WORDS}, ensure_ascii=False))),
        chunk({}, "tool_calls"),
    )
    told = answer(WORDS).body
    with tempfile.TemporaryDirectory() as folder:
        async with WireServer(*(Reply(body, cuts=tuple(range(1, len(body), step))) for body in (made, told))) as server:
            environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.url}
            async with a_crew(Path(folder) / "home", routes="openai:some", environ=environ) as crew:
                conversation = crew.conversations.create(title="t").id
                crew.conversations.patch(conversation, {"autonomous": True})
                _, seen = await say(crew, WORDS, conversation)
                assert seen[-1].type == "done"
                assert (crew.roster.master.workspace / "ghi chú.txt").read_text(encoding="utf-8") == WORDS
                messages = crew.conversations.detail(conversation).messages
                assert [m.content for m in messages if m.role != "tool"] == [WORDS, "", WORDS]
                assert "".join(event.text for event in seen if event.type == "text_delta") == WORDS
                stored = json.dumps([m.model_dump() for m in messages], ensure_ascii=False)
                assert "\ufffd" not in stored
                assert without_context(server.asked[1].body["messages"][-3]["content"]) == WORDS
