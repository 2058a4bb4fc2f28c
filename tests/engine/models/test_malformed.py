"""Two hundred malformed outputs of models, each with what it must mean (FT-5)."""

import json
from pathlib import Path

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models.anthropic import Anthropic
from crewlab.engine.models.base import ChatMessage, ChatRequest, ProviderError, TextDelta, ToolSpec
from crewlab.engine.models.openai_chat import OLLAMA, OpenAIChat
from crewlab.engine.models.unicode import mend
from crewlab.engine.texts import Texts
from tests.engine.models.test_openai_chat import Canned
from tests.fixtures import invariants
from tests.fixtures.crews import a_crew, say
from tests.fixtures.vendors import answer
from tests.fixtures.wire import Reply, WireServer, call, chunk, sse

TEXTS = Texts()
CORPUS = json.loads((Path(__file__).parent / "corpus" / "malformed.json").read_text(encoding="utf-8"))
NAMES = ("workspace_read", "workspace_list", "workspace_write")
REQUEST = ChatRequest("", (ChatMessage("user", "hi"),), tuple(ToolSpec(name, "", {}) for name in NAMES))
ANY = "<any>"


def lines(*events):
    """Server-sent events whose halves of characters are escapes, as servers write them."""
    return b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events)


def body_of(row):
    """The stream of one row in the form of its vendor."""
    kind, said = row["kind"], row["said"]
    if kind == "text":
        return sse(chunk({"content": said}), chunk({}, "stop"))
    if kind == "arguments":
        return lines(chunk(call(0, "k", NAMES[0], said)), chunk({}, "tool_calls"))
    if kind == "blocks":
        return lines(
            {"type": "message_start", "message": {}}, *map(_block, said), {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}
        )
    more = said if isinstance(said, dict) else {"calls": said}
    chunks = more["calls"] if isinstance(more["calls"], list) else [more["calls"]]
    before = [chunk({"content": more["content"]})] if "content" in more else []
    return lines(*before, *(chunk({"tool_calls": calls}) for calls in chunks), chunk({}, more.get("finish", "tool_calls")))


def _block(event):
    if event[0] == "piece":
        return {"type": "content_block_delta", "index": event[1], "delta": {"type": "input_json_delta", "partial_json": event[2]}}
    block = {"type": "tool_use", **{key: value for key, value in zip(("id", "name", "input"), event[2:], strict=True) if value is not None}}
    return {"type": "content_block_start", "index": event[1], "content_block": block}


async def read(row, cuts=()):
    pool = Canned(body_of(row), cuts)
    if row["kind"] == "blocks":
        made = Anthropic(pool, TEXTS, base_url=lambda: "http://x", key=lambda: "k")
    else:
        made = OpenAIChat(OLLAMA, pool, TEXTS, base_url=lambda: "http://x/v1")
    return [item async for item in made.stream(REQUEST, Route("ollama", "m"))]


def is_meant(found, meant):
    return len(found) == len(meant) and all(
        made.name == name and (arguments == ANY or made.arguments == arguments)
        for made, (name, arguments) in zip(found, meant, strict=True)
    )


@pytest.mark.spec("FT-5")
def test_the_corpus_has_two_hundred_outputs_all_different():
    assert len(CORPUS) >= 200
    assert len({json.dumps(row["said"]) + row["kind"] for row in CORPUS}) == len(CORPUS)


@pytest.mark.spec("FT-5", "FT-2", "PRV-18")
@pytest.mark.parametrize("row", CORPUS, ids=lambda row: f"{row['kind']}: {row['why']}")
async def test_each_output_means_what_the_corpus_says(row):
    if "error" in row:
        with pytest.raises(ProviderError, match="more tool calls"):
            await read(row)
        return
    for cuts in ((), range(1, len(body_of(row)), 7)):
        items = await read(row, cuts)
        done = items[-1]
        assert done.text == row["text"] == "".join(item.text for item in items if isinstance(item, TextDelta))
        assert is_meant(done.tool_calls, row["calls"]), [(made.name, made.arguments) for made in done.tool_calls]
        assert len({made.id for made in done.tool_calls} - {""}) == len(done.tool_calls)
        json.dumps([made.model_dump() for made in done.tool_calls], allow_nan=False).encode()


@pytest.mark.spec("FT-5", "PRV-18", "TURN-24")
@pytest.mark.parametrize("kind", ["arguments", "fragments", "text"])
async def test_whatever_a_model_wrote_the_turn_goes_on_and_every_call_has_its_result(tmp_path, kind):
    rows = [row for row in CORPUS if row["kind"] == kind and "error" not in row]
    for row in rows:
        row["body"] = body_of(row)
    replies = [Reply(body) for row in rows for body in ([row["body"], answer("on we go").body] if row["calls"] else [row["body"]])]
    async with WireServer(*replies) as server:
        environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.url}
        async with a_crew(tmp_path, routes="openai:some", environ=environ) as crew:
            (crew.roster.master.workspace / "a.txt").write_text("words of the file", encoding="utf-8")
            conversation = crew.conversations.create(title="named").id
            crew.conversations.patch(conversation, {"autonomous": True})
            before = 0
            for row in rows:
                _, seen = await say(crew, "hi", conversation)
                assert seen[-1].type == "done", (row["why"], seen[-1])
                messages = crew.conversations.detail(conversation).messages[before:]
                before += len(messages)
                results = [m for m in messages if m.role == "tool"]
                assert len(results) == len(row["calls"]), row["why"]
                for (_name, arguments), result in zip(row["calls"], results, strict=True):
                    if isinstance(arguments, str) and arguments != ANY:
                        assert (result.context or {}).get("outcome") == "error", row["why"]
                assert all(mend(m.content) == m.content for m in messages)
            assert len(server.asked) == len(replies)
    with invariants.Home(tmp_path / "crew.db") as home:
        invariants.check_settled(home)
