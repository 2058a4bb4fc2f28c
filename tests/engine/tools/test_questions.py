"""Questions as pure data: what may be asked, what counts as an answer, what the model reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.records import Approval
from crewlab.engine.store.store import Store
from crewlab.engine.texts import LANGUAGES, Texts
from crewlab.engine.tools.asking import ask_tool, family
from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.questions import Given, WrongAnswer, question_of, read_answer, result_of, same_words
from crewlab.engine.tools.validate import check_arguments

EN = Texts("en")
PORTS = ["Hamburg", {"label": "Bremen", "description": "The small one", "suggested": True}, "3"]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    opened = Store(tmp_path / "crew.db", EN)
    yield opened
    opened.close()


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext("default", tmp_path, EN, conversation_id="c1", run_id="r1", call_id="t1")


def asked(**more: Any) -> Approval:
    question = question_of({"question": "Which port?", "options": PORTS, **more.pop("arguments", {})})
    stored: dict[str, Any] = {
        "id": "ap1",
        "conversation_id": "c1",
        "agent_id": "default",
        "run_id": "r1",
        "call_id": "t1",
        "kind": "question",
        "tool": "ask_user",
        "arguments": {},
        "question": question.text,
        "options": list(question.options),
        "default": question.default,
        "allow_free_text": question.allow_free_text,
        "multi_select": question.multi_select,
        "created_at": "2026-01-01T00:00:00+00:00",
        "expires_at": "2026-01-01T00:10:00+00:00",
    }
    return Approval(**{**stored, **more})


@pytest.mark.spec("GATE-83", "ASKU-2")
def test_the_parameters_are_those_of_the_table(store: Store) -> None:
    properties = ask_tool(EN, store, lambda: True).parameters["properties"]
    limits = {name: (one["type"], one.get("minLength"), one.get("maxLength"), one.get("maxItems")) for name, one in properties.items()}
    assert limits == {
        "question": ("string", 1, 1000, None),
        "options": ("array", None, None, 20),
        "default": ("string", None, None, None),
        "context": ("string", None, 2000, None),
        "allow_free_text": ("boolean", None, None, None),
        "multi_select": ("boolean", None, None, None),
    }
    assert (question_of({"question": "a"}).allow_free_text, question_of({"question": "a"}).multi_select) == (True, False)


@pytest.mark.spec("GATE-86", "ASKU-1", "GATE-8")
@pytest.mark.parametrize(("language", "words"), [("en", ("default", "ends the turn")), ("vi", ("default", "lượt sẽ kết thúc"))])
def test_the_description_says_to_pass_a_default_and_never_to_ask_in_a_message(store: Store, language: Any, words: tuple[str, ...]) -> None:
    assert all(word in ask_tool(Texts(language), store, lambda: True).description for word in words)


@pytest.mark.spec("GATE-91", "ASKU-3", "PTL-59")
@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        ({"question": " \n"}, "empty"),
        ({"question": "a", "allow_free_text": False}, "nothing_to_take"),
        ({"question": "a", "allow_free_text": False, "options": []}, "nothing_to_take"),
        ({"question": "a", "multi_select": True}, "several_of_none"),
        ({"question": "a", "options": ["x", " X "]}, "label_twice"),
        ({"question": "a", "options": ["STRASSE", {"label": "straße"}]}, "label_twice"),
        ({"question": "a", "options": ["x", " \t"]}, "empty_label"),
        ({"question": "a", "options": [{"label": "x", "suggested": True}, {"label": "y", "suggested": True}]}, "suggested_twice"),
        ({"question": "a", "options": ["x", "y"], "default": "z", "allow_free_text": False}, "default_no_option"),
        ({"question": "a", "options": ["x", "y"], "default": " X ", "allow_free_text": False}, None),
        ({"question": "a", "options": ["x", "y"], "default": "z"}, None),
        ({"question": "a", "options": [{"label": "x", "suggested": True}, "y"], "multi_select": True}, None),
        ({"question": "a"}, None),
    ],
)
def test_what_cannot_be_answered_is_refused_before_anything_is_shown(
    store: Store, context: ToolContext, arguments: dict[str, Any], key: str | None
) -> None:
    tool = ask_tool(EN, store, lambda: True)
    assert tool.refuse_reason is not None
    assert tool.refuse_reason(check_arguments(tool, arguments, EN), context) == (EN(f"asking.{key}") if key else None)


@pytest.mark.spec("GATE-91", "ASKU-3")
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"question": ""},
        {"question": "x" * 1001},
        {"question": "a", "options": ["x"] * 21},
        {"question": "a", "options": ["x" * 1001]},
        {"question": "a", "options": [{"label": "x" * 1001}]},
        {"question": "a", "options": [{"label": "x", "description": "d" * 1001}]},
        {"question": "a", "options": [{"description": "no label"}]},
        {"question": "a", "options": [{"label": "x", "colour": "red"}]},
        {"question": "a", "options": [7]},
        {"question": "a", "options": "x"},
        {"question": "a", "context": "c" * 2001},
        {"question": "a", "multi_select": "yes"},
        {"question": ["a", "b"]},
    ],
)
def test_arguments_beyond_the_limits_are_answered_with_the_correct_form(store: Store, arguments: dict[str, Any]) -> None:
    with pytest.raises(ToolError, match="ask_user"):
        check_arguments(ask_tool(EN, store, lambda: True), arguments, EN)


@pytest.mark.spec("ASKU-4", "ASKU-5", "GATE-91")
async def test_where_nobody_can_be_asked_the_call_fails_at_once(store: Store, context: ToolContext, tmp_path: Path) -> None:
    from dataclasses import replace
    from types import SimpleNamespace

    attached = True
    tool = ask_tool(EN, store, lambda: attached)
    assert tool.refuse_reason is not None
    question = {"question": "Which?"}
    assert tool.refuse_reason(question, context) is None
    for nobody in (replace(context, conversation_id=None), replace(context, run_id=None), replace(context, in_script=True)):
        refused = tool.refuse_reason(question, nobody)
        assert refused is not None
        assert refused.splitlines()[0] == "answer=unavailable"
    attached = False
    assert str(tool.refuse_reason(question, context)).startswith("answer=unavailable\n")
    with pytest.raises(ToolError, match="answer=unavailable"):
        await tool.run(question, context)
    parts: Any = SimpleNamespace(person=None, texts=EN, store=store)
    assert family(parts, parts) == []  # no face at all: the tool is not there


@pytest.mark.spec("ASKU-9")
@pytest.mark.parametrize(
    ("more", "labels", "text", "given"),
    [
        ({}, None, "Hamburg", Given(("Hamburg",))),
        ({}, None, " 2 \n", Given(("Bremen",))),
        ({}, None, "3", Given(("3",))),  # a label is meant before a number
        ({}, None, "4", Given(text="4")),
        ({}, None, "0", Given(text="0")),
        ({}, None, "02", Given(("Bremen",))),
        ({}, None, "²", Given(text="²")),
        ({}, None, "hamburg", Given(text="hamburg")),
        ({}, None, "by rail", Given(text="by rail")),
        ({}, ["Bremen"], "", Given(("Bremen",))),
        ({}, ["Bremen"], "by rail", Given(("Bremen",), "by rail")),
        ({}, [], "by rail", Given(text="by rail")),
        ({"multi_select": True}, ["3", "Hamburg", "3"], "", Given(("Hamburg", "3"))),
        ({"options": []}, None, "1", Given(text="1")),
        ({"options": [], "allow_free_text": True}, None, "x" * 100_000, Given(text="x" * 100_000)),
    ],
)
def test_an_answer_that_the_question_takes(more: dict[str, Any], labels: list[str] | None, text: str, given: Given) -> None:
    assert read_answer(asked(arguments=more), labels, text) == given


@pytest.mark.spec("ASKU-9", "GATE-47")
@pytest.mark.parametrize(
    ("more", "labels", "text", "key"),
    [
        ({}, None, "", "answer_empty"),
        ({}, None, " \n\t", "answer_empty"),
        ({}, [], "", "answer_empty"),
        ({}, ["Kiel"], "", "answer_unknown"),
        ({}, ["hamburg"], "", "answer_unknown"),
        ({}, ["2"], "", "answer_unknown"),
        ({}, ["Hamburg", "Bremen"], "", "answer_one"),
        ({"allow_free_text": False}, None, "by rail", "answer_no_text"),
        ({"allow_free_text": False}, ["Hamburg"], "by rail", "answer_no_text"),
        ({}, None, "x" * 100_001, "answer_long"),
    ],
)
def test_an_answer_that_the_question_does_not_take(more: dict[str, Any], labels: list[str] | None, text: str, key: str) -> None:
    with pytest.raises(WrongAnswer) as wrong:
        read_answer(asked(arguments=more), labels, text)
    assert wrong.value.key == key
    assert all(Texts(language)(f"asking.{key}") for language in ("en", "vi"))


@pytest.mark.spec("ASKU-10", "ASKU-11", "GATE-84", "GATE-87", "GATE-88")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_line_is_a_fixed_word_and_the_rest_says_what_to_do(language: Any) -> None:
    texts = Texts(language)
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"status": "answered", "labels": ["Hamburg"], "answer": "Hamburg"}, "ok", "answer=chosen\nHamburg"),
        ({"status": "answered", "labels": ["Hamburg", "3"], "answer": "Hamburg\n3"}, "ok", "answer=chosen\nHamburg\n3"),
        ({"status": "answered", "answer": "by\nrail"}, "ok", "answer=text\nby\nrail"),
        ({"status": "answered", "labels": ["3"], "answer": "3\nsoon"}, "ok", "answer=both\n3\nsoon"),
        ({"status": "answered", "answer": "", "skipped": True}, "ok", f"answer=skipped\n{texts('asking.skipped')}"),
        ({"status": "expired", "default": "Kiel"}, "ok", f"answer=default\nKiel\n\n{texts('asking.default')}"),
        ({"status": "expired"}, "expired", f"answer=timeout\n{texts('asking.timeout')}"),
        ({"status": "denied"}, "denied", texts("gate.agent_gone")),
    ]
    for stored, outcome, text in cases:
        assert result_of(asked(**stored), texts) == (outcome, text)
    assert Given(("Hamburg",), "soon").whole == "Hamburg\nsoon"
    assert (Given(("Hamburg",)).whole, Given(text="x").whole, Given().whole) == ("Hamburg", "x", "")


@pytest.mark.spec("ASKU-11", "GATE-84")
def test_a_skip_and_a_time_out_say_to_state_an_assumption_and_not_to_ask_again() -> None:
    for key in ("skipped", "timeout", "asked_before"):
        assert "assumption that you state" in EN(f"asking.{key}")
        assert "ask again" in EN(f"asking.{key}")
    assert "you decided this yourself" in EN("asking.default")


@pytest.mark.spec("ASKU-12")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Which port?", "which PORT", True),
        ("Which port?", "  Which — port!  ", True),
        ("Chọn cảng nào?", "chon cang nao", True),
        ("Đường nào?", "duong nao", True),
        ("Which port?", "Which ports?", False),
        ("???", "!!!", False),
        ("Two words", "Twowords", False),
    ],
)
def test_two_askings_are_compared_without_case_accents_and_punctuation(one: str, other: str, same: bool) -> None:
    assert (same_words(one) == same_words(other)) is same


@pytest.mark.spec("ASKU-10")
def test_a_label_is_one_line_so_that_answers_are_one_per_line() -> None:
    question = question_of({"question": "a", "options": ["two\nlines ", {"label": " x\ty "}]})
    assert [option.label for option in question.options] == ["two lines", "x y"]
