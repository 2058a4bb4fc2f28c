import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.registry import Registry
from crewlab.engine.tools.validate import check_arguments, correct_form
from crewlab.engine.tools.workspace import tools as workspace_tools

EN = Texts("en")


async def run(arguments: Arguments, context: ToolContext) -> str:
    raise AssertionError("nothing runs")


SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "minLength": 1, "maxLength": 5},
        "b": {"type": "integer", "minimum": 1, "maximum": 10},
        "flag": {"type": "boolean"},
        "rate": {"type": "number"},
        "kind": {"type": "string", "enum": ["x", "y"]},
        "names": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        "free": {"type": "object"},
        "either": {"type": ["string", "null"]},
        "inner": {"type": "object", "properties": {"p": {"type": "string"}, "q": {"type": "integer"}}, "required": ["p"]},
    },
    "required": ["a"],
}
PROBE = Tool("probe", "", SCHEMA, run)
FORM = (
    'probe(a: string, b?: integer, flag?: boolean, rate?: number, kind?: "x"|"y", names?: string[], free?: object, '
    "either?: string|null, inner?: {p: string, q?: integer})"
)


@pytest.mark.spec("TOOL-12")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "The parameter a is missing."),
        ({"a": None}, "The parameter a is missing."),
        ({"a": "x", "c": 1}, "There is no parameter c."),
        ({"a": "x", "A": "x"}, "There is no parameter A."),
        ({"a": "x", "c\nd" + "e" * 100: 1}, "There is no parameter cd" + "e" * 62 + "."),
        ({"a": 1}, "a must be string, not integer."),
        ({"a": ["x"]}, "a must be string, not array."),
        ({"a": "x", "b": "1"}, "b must be integer, not string."),
        ({"a": "x", "b": True}, "b must be integer, not boolean."),
        ({"a": "x", "b": 1.5}, "b must be integer, not number."),
        ({"a": "x", "b": 0}, "b must be at least 1."),
        ({"a": "x", "b": 11}, "b must be at most 10."),
        ({"a": "x", "b": 10**400}, "b must be at most 10."),
        ({"a": "x", "flag": 1}, "flag must be boolean, not integer."),
        ({"a": "x", "rate": "fast"}, "rate must be number, not string."),
        ({"a": "x", "rate": float("nan")}, "rate must be number, not number."),
        ({"a": ""}, "a must have at least 1 characters."),
        ({"a": "123456"}, "a must have at most 5 characters."),
        ({"a": "x", "kind": "z"}, 'kind must be one of "x"|"y".'),
        ({"a": "x", "names": []}, "names must have at least 1 elements."),
        ({"a": "x", "names": ["1", "2", "3"]}, "names must have at most 2 elements."),
        ({"a": "x", "names": ["1", 2]}, "names[1] must be string, not integer."),
        ({"a": "x", "names": "1"}, "names must be string[], not string."),
        ({"a": "x", "inner": {}}, "The parameter inner.p is missing."),
        ({"a": "x", "inner": {"p": "x", "r": 1}}, "There is no parameter inner.r."),
        ({"a": "x", "inner": {"p": "x", "q": "x"}}, "inner.q must be integer, not string."),
        ("{", "The arguments are not a JSON object."),
        ("", "The arguments are not a JSON object."),
        ([], "The arguments are not a JSON object."),
        (None, "The arguments are not a JSON object."),
        (7, "The arguments are not a JSON object."),
    ],
)
def test_wrong_arguments_name_the_parameter_and_end_with_the_correct_form(arguments: object, named: str) -> None:
    with pytest.raises(ToolError) as caught:
        check_arguments(PROBE, arguments, EN)
    assert caught.value.message == f"{named} Nothing ran. Correct form: {FORM}"


@pytest.mark.spec("TOOL-12")
@pytest.mark.parametrize(
    ("arguments", "given_to_the_tool"),
    [
        ({"a": "x"}, {"a": "x"}),
        ({"a": "x", "b": None, "kind": None, "names": None}, {"a": "x"}),  # an optional null counts as not given
        ({"a": "x", "either": None}, {"a": "x", "either": None}),  # unless null is a value of its own
        ({"a": "x", "b": 3.0}, {"a": "x", "b": 3}),
        ({"a": "x", "rate": 3}, {"a": "x", "rate": 3}),
        ({"a": "x", "free": {"any": [1, None]}}, {"a": "x", "free": {"any": [1, None]}}),
        ({"a": "x", "inner": {"p": "y", "q": None}}, {"a": "x", "inner": {"p": "y"}}),
    ],
)
def test_right_arguments_are_given_to_the_tool(arguments: Arguments, given_to_the_tool: Arguments) -> None:
    before = json.dumps(arguments)
    checked = check_arguments(PROBE, arguments, EN)
    assert checked == given_to_the_tool
    assert [type(value) for value in checked.values()] == [type(value) for value in given_to_the_tool.values()]
    assert json.dumps(arguments) == before


@pytest.mark.spec("TOOL-12")
def test_many_faults_are_told_at_once_and_in_a_few_lines() -> None:
    with pytest.raises(ToolError) as caught:
        check_arguments(PROBE, {f"x{number}": 1 for number in range(1000)}, EN)
    assert caught.value.message.count("There is no parameter") == 5
    assert caught.value.message.endswith(FORM)


WRITE = Registry(workspace_tools(EN)).get("workspace_write")
ONE = "workspace_write(path: string, content: string)"
MANY = "workspace_write(files: {path: string, content: string}[])"
A_FILE = {"path": "a", "content": ""}


@pytest.mark.spec("TOOL-12", "WS-19", "PTL-31")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "Give exactly one of these: path + content or files."),
        ({"path": "a"}, "The parameter content is missing."),
        ({"content": "a"}, "The parameter path is missing."),
        ({"path": "a", "files": [A_FILE]}, "Give exactly one of these: path + content or files."),
        ({"path": "a", "content": "", "files": [A_FILE]}, "Give exactly one of these: path + content or files."),
        ({"files": []}, "files must have at least 1 elements."),
        ({"files": [A_FILE] * 4}, "files must have at most 3 elements."),
        ({"files": [{"path": "a"}]}, "The parameter files[0].content is missing."),
        ({"files": [A_FILE, "b"]}, "files[1] must be {path: string, content: string}, not string."),
        ({"files": [{**A_FILE, "mode": 7}]}, "There is no parameter files[0].mode."),
    ],
)
def test_one_file_or_a_list_of_files_and_never_both(arguments: Arguments, named: str) -> None:
    assert WRITE is not None
    with pytest.raises(ToolError) as caught:
        check_arguments(WRITE, arguments, EN)
    assert caught.value.message == f"{named} Nothing ran. Correct form: {ONE} | {MANY}"


def test_a_null_leaves_the_other_group_free() -> None:
    assert WRITE is not None
    assert check_arguments(WRITE, {**A_FILE, "files": None}, EN) == A_FILE
    assert check_arguments(WRITE, {"path": None, "content": None, "files": [A_FILE]}, EN) == {"files": [A_FILE]}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "path", "content", "files", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.spec("TOOL-12")
@settings(deadline=None)
@given(ANYTHING, st.sampled_from([PROBE, *workspace_tools(EN)]))
def test_whatever_a_model_writes_is_checked_or_answered_with_the_form(arguments: Any, tool: Tool) -> None:
    try:
        checked = check_arguments(tool, arguments, EN)
    except ToolError as error:
        answer = error.message
    else:
        answer = correct_form(tool)
        assert set(checked) <= set(tool.parameters["properties"])
        assert check_arguments(tool, checked, EN) == checked
    assert answer.endswith(correct_form(tool))


@pytest.mark.spec("TOOL-12")
def test_the_form_of_the_shipped_tools() -> None:
    assert [correct_form(each) for each in workspace_tools(EN)] == [
        "workspace_list(path?: string)",
        "workspace_read(path: string, offset?: integer, limit?: integer)",
        f"{ONE} | {MANY}",
    ]
