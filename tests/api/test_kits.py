"""Commands of kits over HTTP, on a real server (KIT-12), and warnings about kits on the agent."""

import httpx
import pytest

from tests.fixtures.kits import FIX_ISSUE
from tests.fixtures.remembered import put
from tests.fixtures.server import Lab


@pytest.mark.spec("KIT-12", "KIT-9")
async def test_the_commands_of_an_agent_are_listed_with_what_the_composer_shows(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.get("agents/default/commands")).json() == {"commands": []}
    home = (await lab.crew()).home.root
    put(home / ".claude" / "commands" / "fix-issue.md", FIX_ISSUE)
    put(home / ".opencode" / "command" / "docs" / "write.md", "Write docs.")
    put(home / ".claude" / "commands" / "stop.md", "taken over")
    assert (await client.get("agents/default/commands")).json() == {
        "commands": [
            {"name": "docs:write", "description": "", "hint": ""},
            {"name": "fix-issue", "description": "Fix a GitHub issue", "hint": "[issue-number] [priority]"},
        ]
    }
    assert (await client.get("agents/nobody/commands")).status_code == 404
    warnings = (await client.get("agents/default")).json()["warnings"]
    assert any("/stop is a command of crewlab" in warning for warning in warnings)
