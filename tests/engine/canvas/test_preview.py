"""Fragments when the stream behind them fails: under which id, and what becomes of the turn (CNV-108, CNV-111, PRV-6)."""

import json

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import CallDelta, Completion, ProviderError, Usage
from crewlab.engine.models.chain import Link, ProviderChain
from crewlab.engine.records import ToolCall
from tests.fixtures.canvases import results
from tests.fixtures.crews import a_crew, say

ARGUMENTS = json.dumps({"title": "T", "kind": "code", "content": "x"})


class Cuts:
    """A provider that gives half a call, then fails."""

    name, small = "cuts", False

    def __init__(self, tool):
        self.tool = tool

    async def stream(self, _request, _route):
        yield CallDelta(0, "call_0", self.tool, ARGUMENTS[:9])
        raise ProviderError("cut", transient=False)

    async def close(self):
        pass


class Writes(Cuts):
    """A provider that gives the whole call once."""

    async def stream(self, request, _route):
        if request.messages[-1].role == "tool":
            yield Completion("ok", (), Usage(1, 1, 0, 0), cost_usd=0.0)
            return
        for start in range(0, len(ARGUMENTS), 9):
            yield CallDelta(0, "call_0", self.tool, ARGUMENTS[start : start + 9])
        yield Completion("", (ToolCall(id="call_0", name=self.tool, arguments=json.loads(ARGUMENTS)),), Usage(1, 1, 0, 0), cost_usd=0.0)


def chain_of(crew, *providers):
    links = [Link(Route(provider.name, f"m{place}"), provider) for place, provider in enumerate(providers)]
    return ProviderChain(links, crew.texts)


@pytest.mark.spec("CNV-108", "CNV-111", "PRV-6")
async def test_a_fragment_that_was_shown_counts_as_shown_and_no_other_route_is_asked(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        monkeypatch.setattr(
            crew.models, "chain", lambda _routes: _given(chain_of(crew, Cuts("artifact_create"), Writes("artifact_create")))
        )
        _, seen = await say(crew, "go")
        assert [event.type for event in seen] == ["opened", "tool_call_delta", "error"]
        assert crew.canvases.list()[0] == []


@pytest.mark.spec("CNV-108", "PRV-6")
async def test_unseen_fragments_of_other_tools_let_the_next_route_answer_under_ids_of_its_own(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        monkeypatch.setattr(crew.models, "chain", lambda _routes: _given(chain_of(crew, Cuts("workspace_list"), Writes("artifact_create"))))
        _, seen = await say(crew, "go")
        shown = [event for event in seen if event.type == "tool_call_delta"]
        assert "".join(event.arguments for event in shown) == ARGUMENTS
        assert {event.tool_call_id for event in shown} == {results(seen)[0].tool_call_id}
        assert "route_fallback" in [event.type for event in seen]
        assert results(seen)[0].ok


async def _given(chain):
    return chain
