"""The committed contracts are those of the code (TURN-6), and the route table is whole."""

import importlib.util
import inspect
import json
import re
from types import ModuleType
from typing import Any, get_args

import pytest

from crewlab.engine import events
from crewlab.server_ext.api.table import ROUTES
from crewlab.server_ext.routing import Route, matches
from tests.fixtures.shapes import document
from tests.fixtures.source import ROOT


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("crewlab_contract_script", ROOT / "scripts" / "contract.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CONTRACT = script()
DOCUMENTS: dict[str, Any] = {str(path.relative_to(ROOT)): text for path, text in CONTRACT.documents().items()}


@pytest.mark.spec("TURN-6")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_committed_contract_is_what_the_code_says(name: str) -> None:
    committed = (ROOT / name).read_text(encoding="utf-8")
    assert committed == CONTRACT.text_of(DOCUMENTS[name]), "run: python scripts/contract.py"


@pytest.mark.spec("TURN-6")
def test_a_drift_is_reported_and_mended(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(CONTRACT, "ROOT", tmp_path)
    assert CONTRACT.main(["--check"]) == 1
    assert "differs: docs/reference/openapi.json" in capsys.readouterr().out
    assert CONTRACT.main([]) == 0
    assert CONTRACT.main(["--check"]) == 0


@pytest.mark.spec("TURN-6", "TURN-40", "TURN-93")
@pytest.mark.parametrize("union", ["ConversationEvent", "ActivityFrame"])
def test_the_event_file_has_every_event_with_every_field(union: str) -> None:
    schema = document("events.schema.json")
    named = {item["$ref"].rpartition("/")[2] for item in schema["$defs"][union]["oneOf"]}
    classes = get_args(get_args(getattr(events, union))[0])
    assert named == {item.__name__ for item in classes}
    for item in classes:
        assert set(schema["$defs"][item.__name__]["properties"]) == set(item.model_fields)
        assert "type" in schema["$defs"][item.__name__]["required"]
        assert schema["$defs"][item.__name__]["additionalProperties"] is False


OPEN = {"ErrorBody", "AgentChanges", "NewAgent"}  # the keys of a profile are judged by the profile itself


def test_every_definition_is_named_and_closed() -> None:
    schema = json.loads((ROOT / "labextension/schema/contract.json").read_text(encoding="utf-8"))
    for name, definition in schema["$defs"].items():
        assert definition["title"] == name
        if "properties" in definition and name not in OPEN:
            assert definition["additionalProperties"] is False, name


@pytest.mark.spec("TURN-14")
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_route_names_functions_and_models_that_fit(route: Route) -> None:
    wanted = {"crew", *route.parameters}
    wanted |= {name for name, model in (("query", route.query), ("headers", route.headers), ("body", route.body)) if model}
    wanted |= {"file"} if route.upload else set()
    wanted |= {"address"} if route.address else set()
    assert set(inspect.signature(route.function).parameters) == wanted
    assert inspect.iscoroutinefunction(route.function)
    assert route.function.__doc__
    assert route.ids


def test_no_two_routes_answer_the_same_request() -> None:
    for route in ROUTES:
        path = re.sub(r"\(\?P<\w+>\[\^/\]\+\)", "x_1", route.pattern.pattern)
        same = [found.route for found in matches(ROUTES, path) if found.route.method == route.method]
        assert same[0] == route  # a word in the path comes before a name in it
        assert len(same) == 1 or route.path == "agents/templates"


def test_the_document_describes_every_route() -> None:
    paths = document("openapi.json")["paths"]
    described = {(method.upper(), path.removeprefix("/crewlab/api/")) for path, item in paths.items() for method in item}
    assert described == {(route.method, route.template) for route in ROUTES} | {("GET", "ws")}
