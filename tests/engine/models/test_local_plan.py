"""The small model's prompt, tools and replies: pure decisions."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.models.base import ChatMessage, ChatRequest, ToolSpec
from crewlab.engine.models.local_files import TINY_BYTES
from crewlab.engine.models.local_plan import TINY_OUTPUT_TOKENS, Plan, plan_for
from crewlab.engine.models.local_prompt import BUDGET_TOKENS, CONTEXT_TOKENS, OUTPUT_TOKENS, fit, history, tokens
from crewlab.engine.models.local_read import ReplyReader, runs_away
from crewlab.engine.models.local_tools import Cues, file_names, quoted
from crewlab.engine.records import ToolCall
from crewlab.engine.texts import Texts

TEXTS = Texts()
CUES = Cues.load()
TEXT = {"type": "string"}
LIST = {"type": "array"}
NUMBER = {"type": "integer", "minimum": 1, "description": "dropped"}
TOOLS = (
    ToolSpec("workspace_list", "Lists a folder.", {"type": "object", "properties": {"path": TEXT}}),
    ToolSpec("workspace_read", "Reads a file.", {"type": "object", "properties": {"path": TEXT, "limit": NUMBER}, "required": ["path"]}),
    ToolSpec("workspace_write", "Writes a file.", {"type": "object", "properties": {"path": TEXT, "content": TEXT, "files": LIST}}),
    ToolSpec("web_search", "Searches.", {"type": "object", "properties": {"query": TEXT}, "required": ["query"]}),
)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF")
    return path


@pytest.fixture
def larger(tmp_path: Path) -> Path:
    path = tmp_path / "larger.gguf"
    with path.open("wb") as file:
        file.truncate(TINY_BYTES)
    return path


def plan(model: Path, *messages: ChatMessage | str, system: str = "Be kind.") -> Plan:
    made = tuple(message if isinstance(message, ChatMessage) else ChatMessage("user", message) for message in messages)
    return plan_for(ChatRequest("the long prompt", made, TOOLS, short_system=system), model, TEXTS, CUES)


def offered(made: Plan) -> list[str]:
    forms = made.schema.get("oneOf", [made.schema]) if made.schema else []
    return [form["properties"]["tool"]["const"] if "tool" in form["properties"] else "answer" for form in forms]


ALL = ["answer", "workspace_list", "workspace_read", "workspace_write"]
CHOICES: list[tuple[str, list[str]]] = [
    ("Hello!", []),
    ("What is the capital of France?", []),
    ("What is 3.5 + 2, e.g. in the U.S.?", []),
    ("How do I read a CSV file in Python?", []),
    ("Explain what a folder is", []),
    ("What is a file?", []),
    ("Write a poem about folders", []),
    ("Write me a short story", []),
    ("Thank you, list three fruits", []),
    ("list the files in the workspace", ["workspace_list"]),
    ("What files are there?", ["workspace_list"]),
    ("show me the folder", ["workspace_list"]),
    ("what is in the folder", ["workspace_list"]),
    ("read notes.txt", ["workspace_read"]),
    ("show me data/a.csv", ["workspace_read"]),
    ("open results/data.csv and tell me what is in it", ["workspace_read"]),
    ("write 'hello' to notes.txt", ["workspace_write"]),
    ('Save "Meeting at 9" as plan.txt please', ["workspace_write"]),
    ("create a file with three tasks", ["workspace_write"]),
    ("the workspace is nice", ALL),
    ("please call web_search for cats", ["web_search"]),
    ("explain what workspace_list gives", ["workspace_list"]),
    ("Liệt kê các tệp trong thư mục", ["workspace_list"]),
    ("Đọc tệp notes.txt", ["workspace_read"]),
    ("Ghi 'xin chào' vào notes.txt", ["workspace_write"]),
    ("Tệp là gì?", []),
    ("Giải thích thư mục như thế nào", []),
    ("see https://example.com/a.html", []),
]


@pytest.mark.spec("LOC-12", "LOC-15")
@pytest.mark.parametrize(("message", "tools"), CHOICES)
def test_a_tiny_model_sees_the_tool_the_words_point_at(tiny: Path, message: str, tools: list[str]) -> None:
    assert offered(plan(tiny, message)) == tools


@pytest.mark.spec("LOC-12", "LOC-13")
def test_a_larger_model_chooses_among_all_and_may_answer(larger: Path) -> None:
    every = ["answer", *(tool.name for tool in TOOLS)]
    assert offered(plan(larger, "Hello!")) == []
    assert offered(plan(larger, "write 'hello' to notes.txt")) == every
    assert offered(plan(larger, "hi", ChatMessage("tool", "out", tool_call_id="c", name="web_search"))) == every


@pytest.mark.spec("LOC-13")
def test_at_most_eight_tools_are_offered(larger: Path) -> None:
    tools = tuple(ToolSpec(f"t{n}", "", {"type": "object"}) for n in range(20))
    made = plan_for(ChatRequest("", (ChatMessage("user", "list the files"),), tools), larger, TEXTS, CUES)
    assert len(offered(made)) == 9


@pytest.mark.spec("LOC-13")
def test_schemas_are_reduced_to_what_the_grammar_takes(larger: Path) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"n": NUMBER, "all": LIST | {"items": {"type": "object", "properties": {"p": TEXT}, "required": ["p", "q"]}}},
        "required": ["n", "gone"],
        "anyOf": [1],
        "$defs": {},
    }
    made = plan_for(ChatRequest("", (ChatMessage("user", "use odd"),), (ToolSpec("odd", "", schema),)), larger, TEXTS, CUES)
    assert made.schema is not None
    arguments = made.schema["oneOf"][1]["properties"]["args"]
    assert arguments["required"] == ["n"]
    assert arguments["properties"]["n"] == {"type": "integer", "minimum": 1}
    assert arguments["properties"]["all"]["items"]["required"] == ["p"]
    assert not {"anyOf", "$defs"} & set(arguments)


@pytest.mark.spec("LOC-15")
@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("write 'hello' to notes.txt", {"path": ["notes.txt"], "content": ["hello"]}),
        ('save "it\'s 9" in “a b” b/c.md or d.txt', {"path": ["b/c.md", "d.txt"], "content": ["it's 9", "a b"]}),
        ("save 'x.txt'", {"path": ["x.txt"], "content": None}),
        ("read report.md", {"path": ["report.md"]}),
        ("list the files", {}),
        ("list the files of data/", {"path": ["data/"]}),
        ("create a file", {"path": None, "content": None}),
    ],
)
def test_its_arguments_are_held_to_the_message(tiny: Path, message: str, arguments: dict[str, list[str] | None]) -> None:
    made = plan(tiny, message)
    assert made.schema is not None
    schema = made.schema["properties"]["args"]
    assert {name: value.get("enum") for name, value in schema["properties"].items()} == arguments
    assert schema["required"] == list(arguments)
    assert made.forced is all(value is not None for value in arguments.values())


def test_names_and_quotes() -> None:
    text = "a.txt, b/c.tar.gz. e.g. 3.5 U.S. i.e. http://x.org/a.html d/ and/or main.c báo.md A/B.CSV no.Next"
    assert file_names(text) == ["a.txt", "b/c.tar.gz", "d/", "main.c", "báo.md", "A/B.CSV"]
    assert quoted("don't 'do it' `x` «y» \"\"") == ["do it", "x", "y"]


@pytest.mark.spec("LOC-15")
def test_a_tiny_model_shows_results_as_they_are(tiny: Path, larger: Path) -> None:
    results = (ChatMessage("tool", "a.txt\n```\n", tool_call_id="1", name="f"), ChatMessage("tool", "b" * 5000, tool_call_id="2", name="g"))
    reply = plan(tiny, "list", *results).reply
    assert reply is not None
    assert "a.txt\n```\n````" in reply
    assert "`f`" in reply
    assert "`g`" in reply
    assert len(reply) < 4200
    assert plan(larger, "list", *results).reply is None


@pytest.mark.spec("LOC-10")
def test_the_prompt_is_the_short_one_with_examples_for_a_tiny_model(tiny: Path, larger: Path) -> None:
    messages = plan(tiny, "Hello!").body()["messages"]
    assert messages[0] == {"role": "system", "content": "Be kind."}
    assert len(messages) > 4
    assert messages[-1] == {"role": "user", "content": "Hello!"}
    assert plan(larger, "Hello!").body()["messages"] == [messages[0], messages[-1]]
    assert plan_for(ChatRequest("long", (ChatMessage("user", "hi"),)), larger, TEXTS, CUES).system == "long"


@pytest.mark.spec("LOC-10", "LOC-15")
def test_a_tiny_model_is_not_shown_earlier_calls_and_results(tiny: Path, larger: Path) -> None:
    earlier = (
        ChatMessage("user", "Hello!"),
        ChatMessage("assistant", "Hi."),
        ChatMessage("user", "list the files"),
        ChatMessage("assistant", "", tool_calls=(ToolCall(id="1", name="workspace_list", arguments={}),)),
        ChatMessage("tool", "notes.txt", tool_call_id="1", name="workspace_list"),
        ChatMessage("assistant", "`workspace_list` returned notes.txt"),
        ChatMessage("user", "Thanks"),
    )
    assert [turn["content"] for turn in plan(tiny, *earlier).turns] == ["Hello!", "Hi.", "Thanks"]
    assert len(plan(larger, *earlier).turns) == 7


@pytest.mark.spec("LOC-16")
def test_answers_are_short(tiny: Path, larger: Path) -> None:
    assert plan(tiny, "Hello!").body()["max_tokens"] == TINY_OUTPUT_TOKENS == 320
    assert plan(larger, "Hello!").body()["max_tokens"] == OUTPUT_TOKENS == 768


@pytest.mark.spec("LOC-10")
def test_history_becomes_turns_of_two_roles() -> None:
    turns = history(
        (
            ChatMessage("user", "a"),
            ChatMessage("user", "b"),
            ChatMessage("assistant", "I look.", tool_calls=(ToolCall(id="1", name="f", arguments={"é": 1}),)),
            ChatMessage("tool", "out", tool_call_id="1", name="f"),
            ChatMessage("assistant", ""),
            ChatMessage("user", "c"),
        ),
        TEXTS,
    )
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert turns[1]["content"] == 'I look.\n{"tool": "f", "args": {"é": 1}}'
    assert "out" in turns[2]["content"]
    assert turns[2]["content"].endswith("c")


@pytest.mark.spec("LOC-11")
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9000), st.sampled_from("aé字")), min_size=1, max_size=40))
def test_any_history_fits_the_context_and_begins_with_the_person(parts: list[tuple[bool, int, str]]) -> None:
    turns = [{"role": "user" if is_user else "assistant", "content": char * size} for is_user, size, char in parts]
    turns.append({"role": "user", "content": "last"})
    messages = fit("system", [], turns)
    assert sum(tokens(message["content"]) for message in messages) <= BUDGET_TOKENS
    assert BUDGET_TOKENS + OUTPUT_TOKENS < CONTEXT_TOKENS
    assert messages[0]["content"] == "system"
    assert messages[1]["role"] == "user"
    assert messages[-1]["content"] == "last"


@pytest.mark.spec("LOC-11")
def test_a_last_message_that_is_too_long_is_cut_in_its_middle() -> None:
    messages = fit("system", [], [{"role": "user", "content": "begin " + "x" * 200_000 + " end"}])
    assert tokens(messages[1]["content"]) <= BUDGET_TOKENS
    assert messages[1]["content"].startswith("begin x")
    assert messages[1]["content"].endswith("x end")


@pytest.mark.spec("LOC-11")
def test_the_beginning_of_a_long_prompt_stays_the_same_over_turns() -> None:
    turns: list[dict[str, str]] = []
    firsts: list[str] = []
    for n in range(60):
        turns += [{"role": "user", "content": f"q{n} " + "x" * 900}, {"role": "assistant", "content": "y" * 900}]
        firsts.append(fit("s", [], [*turns, {"role": "user", "content": "now"}])[1]["content"])
    assert len(set(firsts)) > 1
    assert sum(before != after for before, after in itertools.pairwise(firsts)) < 20


@pytest.mark.spec("LOC-11")
def test_a_tiny_model_is_given_less_to_read(tiny: Path) -> None:
    messages = plan(tiny, "word " * 10_000).body()["messages"]
    assert 1_000 < sum(tokens(message["content"]) for message in messages) <= 2_048


@pytest.mark.spec("LOC-11")
def test_shorter_asks_for_half_the_room(larger: Path) -> None:
    made = plan(larger, "x" * 100_000)
    sizes = [tokens(p.body()["messages"][-1]["content"]) for p in (made, made.shorter())]
    assert sizes[1] < sizes[0] * 0.6


@pytest.mark.spec("LOC-14")
@given(st.text(max_size=60), st.booleans(), st.lists(st.integers(0, 400), max_size=20))
def test_an_answer_is_read_whatever_the_borders(text: str, ascii_only: bool, cuts: list[int]) -> None:
    raw = json.dumps({"answer": text}, ensure_ascii=ascii_only, indent=1)
    edges = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    reader = ReplyReader()
    assert "".join(reader.feed(raw[a:b]) for a, b in itertools.pairwise(edges)) == text
    assert reader.call("c") is None


@pytest.mark.spec("LOC-14")
def test_an_answer_grows_with_each_piece() -> None:
    reader = ReplyReader()
    assert [reader.feed(piece) for piece in ('{"answer', '" : "Hel', "lo\\", "n\\u00e", '9"', "}")] == ["", "Hel", "lo", "\n", "é", ""]


@pytest.mark.spec("LOC-14", "PRV-18")
@pytest.mark.parametrize(
    ("raw", "name", "arguments"),
    [
        ('{"tool": "f", "args": {"a": [1]}}', "f", {"a": [1]}),
        ('{"tool": "f", "args": 3}', "f", "3"),
        ('{"tool": "f"}', "f", {}),
        ('{"tool": "f", "args": {"path": "a', "f", '{"path": "a'),
        ('{"tool": "f", "ar', "f", "{"),
    ],
)
def test_a_call_is_read_and_a_broken_one_kept_as_written(raw: str, name: str, arguments: object) -> None:
    reader = ReplyReader()
    assert "".join(reader.feed(char) for char in raw) == ""
    call = reader.call("c1")
    assert call is not None
    assert (call.id, call.name, call.arguments) == ("c1", name, arguments)


def test_a_reply_without_a_call_is_none() -> None:
    reader = ReplyReader()
    reader.feed('{"too')
    assert reader.call("c") is None


@pytest.mark.spec("LOC-16")
@pytest.mark.parametrize(
    ("text", "away"),
    [
        ("", False),
        ("ha" * 60, True),
        ("ha" * 20, False),
        ("A folder is a place where files are kept. It has a name.", False),
        ("\n".join(f"{n}. Aniyal" for n in range(1, 30)), True),
        ("\n".join(f"{n}. {word}" for n, word in enumerate(("apple", "pear", "plum", "fig", "kiwi", "lime", "date"), 1)), False),
        ("She says that she is very happy now. " + "Then she went on her way. ".join(["She says that she is very happy now. "] * 5), True),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", False),
    ],
)
def test_an_answer_that_only_repeats_itself_is_noticed(text: str, away: bool) -> None:
    assert runs_away(text) is away
