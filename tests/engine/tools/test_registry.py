from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from crewlab.engine.agents.tool_names import GROUPS, OTHER_GROUPS, extra_names, group_of
from crewlab.engine.texts import Texts
from crewlab.engine.tools.catalogue import ORDER, arrange
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.registry import Registry, not_available
from crewlab.engine.tools.workspace import tools as workspace_tools
from tests.fixtures.holding import every_tool
from tests.fixtures.register import register

EN = Texts("en")


async def run(arguments: Arguments, context: ToolContext) -> str:
    return "ran"


def tool(name: str = "probe", **more: Any) -> Tool:
    return Tool(name=name, description="", parameters=more.pop("parameters", {"type": "object"}), run=run, **more)


@pytest.mark.spec("TOOL-1")
@pytest.mark.parametrize("name", ["", "a b", "a-b", "a.b", "é", "a\n", "../x"])
def test_a_name_has_letters_digits_and_underscores_only(name: str) -> None:
    with pytest.raises(TypeError, match="TOOL-1"):
        Registry([tool(name)])


@pytest.mark.spec("TOOL-1")
def test_a_name_is_taken_once() -> None:
    with pytest.raises(TypeError, match="taken"):
        Registry([tool("a"), tool("b"), tool("a")])


@pytest.mark.spec("TOOL-1")
def test_parameters_are_a_schema_of_type_object() -> None:
    with pytest.raises(TypeError, match="object"):
        Registry([tool(parameters={"type": "string"})])


@pytest.mark.spec("TOOL-1", "TOOL-4")
def test_what_a_tool_does_not_declare_counts_against_it() -> None:
    plain = tool()
    assert (plain.requires_approval, plain.parallel, plain.replay_safe, plain.tier) == (False, False, False, "exec")
    assert (plain.ask_reason, plain.refuse_reason, plain.routine, plain.ask_text) == (None, None, None, None)
    assert not plain.allow_listed


@pytest.mark.spec("TOOL-7")
@pytest.mark.parametrize("name", ["names", "search", "describe", "batch"])
def test_the_names_of_the_script_object_are_not_to_be_had(name: str) -> None:
    with pytest.raises(TypeError, match="TOOL-7"):
        Registry([tool(name)])


@pytest.mark.spec("GATE-18")
@pytest.mark.parametrize("more", [{"ask_reason": lambda *_: None}, {"is_question": True}])
def test_an_ask_reason_without_requires_approval_does_not_start(more: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="GATE-18"):
        Registry([tool(**more)])
    Registry([tool(**more, requires_approval=True)])


def test_a_registry_keeps_the_order_and_finds_by_the_exact_name() -> None:
    registry = Registry([tool("b"), tool("a")])
    assert registry.names == ("b", "a") == tuple(each.name for each in registry.all)
    assert registry.get("a") is registry.all[1]


@pytest.mark.spec("PTL-138")
def test_prompt_notes_come_in_the_order_of_the_tools_and_the_same_note_once() -> None:
    shared = tool("a", notes=("shared", "of a"))
    held = Registry([shared, tool("b"), tool("c", notes=("shared",)), tool("d", notes=("of d", "shared"))])
    assert held.notes == ("shared", "of a", "of d")
    assert Registry([tool("b")]).notes == ()


@pytest.mark.spec("TOOL-13", "PTL-9")
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("shell_run", "shell_run"),
        ("workspace_reed", "workspace_reed"),  # no near name is suggested
        ("WORKSPACE_READ", "WORKSPACE_READ"),
        ("", ""),
        ("a\x00b\nc\x1b[31m\x7f\u0085", "abc[31m"),
        ("x" * 65, "x" * 64),
        ("\n" * 100 + "x" * 100, "x" * 64),
        ("half \ud83d", "half "),
    ],
)
def test_a_tool_that_is_not_held_gets_one_fixed_sentence_with_the_name_that_was_written(name: str, shown: str) -> None:
    registry = arrange(workspace_tools(EN), SimpleNamespace(tools=("workspace_read",)))
    assert registry.get(name) is None
    assert not_available(name, EN) == f'Tool "{shown}" is not available in this turn.'


@pytest.mark.spec("TOOL-21", "TOOL-24", "TOOL-25")
@pytest.mark.parametrize(
    ("allowed", "held"),
    [
        (None, ("workspace_list", "workspace_read", "workspace_write")),
        ((), ()),
        (("workspace_write", "workspace_list"), ("workspace_list", "workspace_write")),  # the order is the catalogue's
        (("shell_run", "no_such_tool", "workspace_read"), ("workspace_read",)),  # a list brings nothing
    ],
)
def test_the_allow_list_limits_and_brings_nothing_and_the_order_stays(allowed: tuple[str, ...] | None, held: tuple[str, ...]) -> None:
    assert arrange(workspace_tools(EN), SimpleNamespace(tools=allowed)).names == held


@pytest.mark.spec("TOOL-2", "TOOL-3", "TOOL-4", "TOOL-5", "TOOL-18", "TOOL-25")
async def test_every_tool_declares_what_the_register_says_and_they_stand_in_its_order(tmp_path: Path) -> None:
    found = await every_tool(tmp_path)
    rows = register()
    for each in found:
        row = rows[each.name]
        declared = (each.requires_approval, each.tier, each.parallel, each.replay_safe, frozenset(each.parameters["properties"]))
        assert declared == (row.asks, row.tier, row.parallel, row.replay_safe, row.parameters), each.name
        assert row.script == "own" or each.script == row.script, each.name
    assert tuple(rows) == ORDER
    assert [each.name for each in found] == sorted((each.name for each in found), key=ORDER.index)


TESTS = Path(__file__).parents[2]
UNASKED = frozenset(  # keep versions or notes that a person sees and takes back; the register says that they do not ask
    """
    artifact_create artifact_edit artifact_import artifact_rewrite memory_save user_memory_save user_memory_forget wiki_apply
    """.split()  # noqa: SIM905
)


@pytest.mark.spec("TOOL-17")
async def test_every_tool_is_in_its_package_asks_when_it_changes_something_and_is_called_by_a_test(tmp_path: Path) -> None:
    tests = "\n".join(
        file.read_text(encoding="utf-8") for file in TESTS.rglob("*.py") if file.name not in ("test_registry.py", "test_marking.py")
    )
    found = await every_tool(tmp_path)
    assert {each.name for each in found if each.tier != "read" and not each.requires_approval} == UNASKED
    for each in found:
        assert each.run.__module__.startswith("crewlab.engine."), each.name
        assert f'"{each.name}"' in tests, each.name


@pytest.mark.spec("TOOL-8")
async def test_every_text_a_model_reads_about_a_tool_comes_from_the_catalogue_of_the_language(tmp_path: Path) -> None:
    def said(schema: object) -> list[str]:
        if isinstance(schema, dict):
            own = [schema["description"]] if isinstance(schema.get("description"), str) else []
            return own + [text for value in schema.values() for text in said(value)]
        return [text for value in schema for text in said(value)] if isinstance(schema, list) else []

    for english, vietnamese in zip(await every_tool(tmp_path / "en"), await every_tool(tmp_path / "vi", "vi"), strict=True):
        both = list(
            zip([english.description, *said(english.parameters)], [vietnamese.description, *said(vietnamese.parameters)], strict=True)
        )
        assert len(both) > len(english.parameters["properties"])  # every parameter has one
        assert all(one != other for one, other in both)


@pytest.mark.spec("WS-14", "WS-15", "WS-19")
def test_the_parameters_are_those_of_the_specification() -> None:
    shapes = {
        each.name: ({name: schema["type"] for name, schema in each.parameters["properties"].items()}, each.parameters.get("required", []))
        for each in workspace_tools(EN)
    }
    assert shapes == {
        "workspace_list": ({"path": "string"}, []),
        "workspace_read": ({"path": "string", "offset": "integer", "limit": "integer"}, ["path"]),
        "workspace_write": ({"path": "string", "content": "string", "files": "array"}, []),
    }


def test_a_context_is_given_for_one_call_only() -> None:
    one, other = (ToolContext("a", Path("/ws"), EN) for _ in range(2))
    assert one.cancel is not other.cancel


NAMES = ("workspace_list", "workspace_delete", "calculator", "tool_output_read", "progress_note", "memory_save", "budget_check", "lsp")


@pytest.mark.spec("PTL-12", "PTL-13", "PTL-14", "PTL-15", "PTL-16", "PTL-19", "TOOL-22", "OUT-45")
@pytest.mark.parametrize(
    ("allowed", "extra", "toolset", "held"),
    [
        (None, (), "crew", set(NAMES)),
        ((), (), "crew", {"calculator", "budget_check", "lsp"}),  # every turn, and what follows a key
        (("progress_note",), (), "crew", {"calculator", "budget_check", "lsp", "progress_note"}),
        (
            ("progress_note",),
            ("workspace",),
            "crew",
            {"calculator", "budget_check", "lsp", "progress_note", "workspace_list", "workspace_delete"},
        ),
        ((), ("tool_output_read",), "crew", {"calculator", "budget_check", "lsp", "tool_output_read"}),
        (None, (), "portal", set(NAMES) - {"progress_note"}),
        (("progress_note",), (), "portal", set(NAMES)),
    ],
)
def test_who_decides_about_a_tool(allowed: tuple[str, ...] | None, extra: tuple[str, ...], toolset: str, held: set[str]) -> None:
    agent = SimpleNamespace(tools=allowed, toolset=toolset)
    assert set(arrange([tool(name) for name in NAMES], agent, extra_names(extra)).names) == held


@pytest.mark.spec("PTL-14", "PTL-24")
@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("workspace_delete", "workspace"),
        ("workspace_glob", "files"),
        ("image_read", "media"),
        ("browser_act", "browser"),
        ("computer_act", "desktop"),
        ("lsp", "code_tools"),
        ("run_code", "code"),
        ("vibe_spawn", "vibe"),
        ("mcp__github__search", "mcp:github"),
        ("of_a_package", "of_a_package"),
    ],
)
def test_the_group_of_a_tool(name: str, group: str) -> None:
    assert group_of(name) == group


@pytest.mark.spec("PTL-14")
def test_every_tool_of_the_catalogue_stands_in_one_known_group() -> None:
    assert {group_of(name) for name in ORDER} <= GROUPS | OTHER_GROUPS
