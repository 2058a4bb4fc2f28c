"""The sandbox that an agent's own settings ask for (SHL-43, SHL-54): of its commands, and of the hooks of kits."""

from __future__ import annotations

from crewlab.engine.agents.agent import Agent
from crewlab.engine.sandbox import Policy, form_of


def policy_of(agent: Agent) -> Policy | None:
    """The sandbox of the agent's commands; ``None`` without one (SHL-43, SHL-54)."""
    switches = agent.switches
    form = form_of(switches.shell_network, switches.shell_write_paths)
    return None if form is None else Policy(form, agent.workspace, agent.id, switches.shell_write_paths or ())
