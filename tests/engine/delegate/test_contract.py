"""Who holds the tool, what it declares, and one contract in four places (DLG-1 to DLG-19)."""

import pytest

from crewlab.engine.agents.delegation import GIVING, SKILL, TAKING, skill
from crewlab.engine.texts import Texts
from tests.fixtures.crews import say
from tests.fixtures.teams import a_team, children, job, results, says

EN, VI = Texts("en"), Texts("vi")
FIXED = ("`Status:`", "`Summary:`", "`DONE`", "`DONE_WITH_CONCERNS`", "`BLOCKED`", "`NEEDS_CONTEXT`", "`Status: BLOCKED`")


def seen_by(requests):
    """A member that keeps what it was sent."""

    async def script(scene):
        requests.append(scene.request)
        yield "Seen."

    return script


@pytest.mark.spec("DLG-1", "DLG-2", "DLG-3", "AGT-20")
async def test_who_holds_it(tmp_path, caplog):
    profiles = {
        "worker": "mode: work",
        "leader": "delegates: [chatty]",
        "chatty": "",
        "special": "mode: work\ntools: [workspace_read]",
        "named": "mode: work\ntools: [workspace_read, delegate]",
        "vain": "tools: [workspace_read, delegate]",
    }
    async with a_team(tmp_path, {}, profiles) as crew:
        holds = {agent.id for agent in crew.roster.all() if crew.toolbox.of(agent).get("delegate")}
        assert holds == {"default", "worker", "leader", "named"}
        assert [text for text in crew.roster.warnings if "delegate" in text and "vain" in text]
        assert not [text for text in crew.roster.warnings if "named" in text]


@pytest.mark.spec("DLG-5", "DLG-6", "DLG-95")
@pytest.mark.parametrize(
    ("profiles", "to", "permitted"),
    [
        ({"ada": "", "bob": ""}, "ada", True),
        ({"ada": "", "bob": ""}, "default", True),
        ({"ada": "", "bob": "", "default": "delegates: [bob]"}, "ada", False),
        ({"ada": "", "default": "delegates: [ghost]"}, "ghost", False),
        ({"ada": ""}, "nobody", False),
        ({"ada": ""}, "Ada", False),
    ],
)
async def test_whom_it_may_delegate_to(tmp_path, profiles, to, permitted):
    async with a_team(tmp_path, {"ada": says("Ready.")}, profiles) as crew:
        conversation, _ = await say(crew, job(to, "look"))
        assert bool(children(crew, conversation)) == permitted
        if not permitted:
            (refusal,) = results(crew, conversation)
            assert refusal.context == {"outcome": "error"}
            assert to not in refusal.content.replace("default", "")
            reached = ["default", *crew.roster.master.delegates]
            assert refusal.content == EN("delegate.not_permitted", ids=", ".join(reached))


@pytest.mark.spec("DLG-6")
async def test_an_agent_in_work_mode_without_delegates_may_delegate_to_itself_alone(tmp_path):
    async with a_team(tmp_path, {}, {"worker": "mode: work\nroutes: [fake:echo]", "ada": ""}) as crew:
        conversation = crew.conversations.create("worker").id
        await say(crew, job("ada"), conversation)
        assert children(crew, conversation) == []
        await say(crew, '/tool delegate {"task": "mine"}', conversation)
        (child,) = children(crew, conversation)
        assert child.agent_id == "worker"


@pytest.mark.spec("DLG-6")
async def test_the_permitted_names_are_read_when_the_call_runs(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}, {"ada": "", "default": "delegates: []"}) as crew:
        import dataclasses

        conversation, _ = await say(crew, job())
        assert children(crew, conversation) == []
        crew.roster._agents["default"] = dataclasses.replace(crew.roster.master, delegates=("ada",))  # installed meanwhile
        await say(crew, job(), conversation)
        assert len(children(crew, conversation)) == 1


@pytest.mark.spec("DLG-4", "DLG-82", "DLG-95", "PTL-9")
async def test_depth_stops_at_one_by_two_barriers(tmp_path):
    requests = []
    members = {"ada": seen_by(requests)}
    async with a_team(tmp_path, members, {"ada": "mode: work\ndelegates: [default]"}) as crew:
        conversation, _ = await say(crew, job())
        (request,) = requests
        assert "delegate" not in [spec.name for spec in request.tools]
        (child,) = children(crew, conversation)
        run = crew.store.runs.of(child.id)[0]
        stored = crew.store.db.row("SELECT tools FROM runs WHERE id = ?", (run.id,))["tools"]
        assert '"delegate"' not in stored
        tool = crew.toolbox.of(crew.roster.get("ada")).get("delegate")  # the second barrier, where a turn got hold of it all the same
        from crewlab.engine.tools.contract import ToolContext, ToolError

        context = ToolContext("ada", tmp_path, EN, child.id, "call_x", f"delegate:{conversation}")
        with pytest.raises(ToolError) as refused:
            await tool.run({"task": "deeper", "agent": "default"}, context)
        assert refused.value.message == EN("delegate.too_deep")
        assert children(crew, child.id) == []


@pytest.mark.spec("DLG-4", "PTL-9")
async def test_a_call_of_it_in_a_delegated_turn_gets_the_fixed_sentence(tmp_path):
    from tests.fixtures.teams import FakeCall, calls_then

    members = {"ada": calls_then([FakeCall("delegate", '{"task": "deeper"}')], ["Alone then."])}
    async with a_team(tmp_path, members, {"ada": "mode: work"}) as crew:
        conversation, _ = await say(crew, job())
        (child,) = children(crew, conversation)
        assert results(crew, child.id)[0].content == 'Tool "delegate" is not available in this turn.'


@pytest.mark.spec("DLG-7", "DLG-16", "TURN-71")
async def test_the_prompt_lists_the_crew_it_can_reach_without_workspaces(tmp_path):
    profiles = {
        "ada": "description: Reads papers.\nworkspace: /tmp/adas-secret-place",
        "bob": "name: Bob Nine",
        "default": "delegates: [ada]",
    }
    requests = []
    async with a_team(tmp_path, {"echo2": seen_by(requests)}, profiles) as crew:
        prompt = crew.prompts.of("default").prompt
        assert "- ada: Ada. Reads papers." in prompt
        assert "Bob Nine" not in prompt
        assert "adas-secret-place" not in prompt
        assert prompt.index(EN("delegate.crew")) < prompt.index("Today is ")
        assert EN("delegate.crew") not in crew.prompts.of("ada").prompt


def places(texts, crew):
    """What is said on the delegating side, on the receiving side, and in the skill."""
    tool = crew.toolbox.of(crew.roster.master).get("delegate")
    return tool.description, crew.prompts.of("default").prompt, skill(texts)


@pytest.mark.spec("DLG-15", "DLG-16", "DLG-17", "DLG-18", "DLG-19", "DLG-63")
@pytest.mark.parametrize(("language", "texts"), [("en", EN), ("vi", VI)])
async def test_the_four_places_state_one_contract(tmp_path, language, texts):
    requests = []
    async with a_team(tmp_path, {"ada": seen_by(requests)}, config=f"language: {language}\n") as crew:
        await say(crew, job())
        assigned = requests[0].system
        description, crew_list, skilled = places(texts, crew)
        for name in GIVING:
            sentence = texts(f"delegate.give_{name}")
            assert sentence in description
            assert sentence in crew_list
            assert sentence in skilled
            assert sentence not in assigned
        for name in TAKING:
            sentence = texts(f"delegate.take_{name}")
            assert sentence in assigned
            assert sentence in skilled
            assert sentence not in crew_list
        assert texts("delegate.assigned") in assigned
        for token in FIXED:
            assert token in assigned
        assert texts("delegate.skill_programming") in skilled
        assert texts("delegate.skill_programming") not in description + crew_list + assigned
        assert skilled.startswith(texts("delegate.skill_title"))
        assert SKILL in texts("delegate.skill_title")


@pytest.mark.spec("DLG-8", "DLG-9", "DLG-16")
async def test_what_the_tool_declares(tmp_path):
    async with a_team(tmp_path, {}) as crew:
        tool = crew.toolbox.of(crew.roster.master).get("delegate")
        properties = tool.parameters["properties"]
        assert {name: kind["type"] for name, kind in properties.items()} == {
            "task": "string",
            "agent": "string",
            "relay": "boolean",
            "read_only": "boolean",
        }
        assert tool.parameters["required"] == ["task"]
        assert (properties["task"]["minLength"], properties["task"]["maxLength"]) == (1, 20_000)
        assert (tool.requires_approval, tool.replay_safe, tool.parallel) == (False, True, True)
        assert [other.name for other in crew.toolbox.of(crew.roster.master).all if other.parallel] == ["delegate"]


@pytest.mark.spec("DLG-8", "DLG-95")
@pytest.mark.parametrize(
    "arguments", ['{"task": ""}', '{"task": "  \\n "}', '{"task": "%s"}' % ("x" * 20_001), "{}", '{"task": "a", "model": "b"}']
)
async def test_a_task_that_is_empty_or_too_long_is_refused_with_the_rule(tmp_path, arguments):
    async with a_team(tmp_path, {}) as crew:
        conversation, _ = await say(crew, f"/tool delegate {arguments}")
        assert children(crew, conversation) == []
        (refusal,) = results(crew, conversation)
        assert refusal.context == {"outcome": "error"}
        assert "task" in refusal.content
