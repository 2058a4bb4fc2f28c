"""The shell: ``shell_run``, and the command lines that an owner writes into a schedule (SHL).

``command`` runs one line and words its answer; ``tool`` is the tool of one agent. The fence of the operating system is
``engine.sandbox``; the pattern lists are compared by the gate. Stands on ``tools`` and ``sandbox``.
"""

from crewlab.engine.shell.command import Shell, policy_of
from crewlab.engine.shell.tool import ask_reason, family

__all__ = ["Shell", "ask_reason", "family", "policy_of"]
