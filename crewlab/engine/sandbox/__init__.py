"""Processes that run what an agent asks for: their environment, their limits, and the operating system's fence around them.

A ground service: families that start processes (the shell, scripts, code tools, kernels) build on it and not on one another.
``Sandbox`` is the way in: it says which forms this machine can hold, builds the command line for a ``Policy`` and runs it.
``process`` runs any command with a bounded output and an end for its whole tree; ``launcher`` and ``guardian`` are child
programs of the standard library alone. Stands on ``home``, ``texts`` and ``errors``.
"""

from crewlab.engine.sandbox.environment import command_environment
from crewlab.engine.sandbox.policy import Form, Policy, SandboxRefused, form_of
from crewlab.engine.sandbox.process import Finished
from crewlab.engine.sandbox.service import Prepared, Sandbox, SandboxState

__all__ = ["Finished", "Form", "Policy", "Prepared", "Sandbox", "SandboxRefused", "SandboxState", "command_environment", "form_of"]
