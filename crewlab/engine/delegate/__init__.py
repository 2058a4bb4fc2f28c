"""Delegation: a whole job given to another agent by a tool call, its final answer back as one result (DLG).

``status``, ``outcome`` and ``result`` are pure; ``service`` gives jobs out and reads what became of them; ``tool`` and
``prompts`` tell the contract of ``agents/delegation.py``. Stands on ``tools`` and ``store``; the turns are behind ``ChildTurns``.
Other ways in than the tool (scripts, kernel cells: DLG-80 to DLG-94) call ``Delegation.run`` with a call id of their own.
"""

from crewlab.engine.delegate.prompts import section
from crewlab.engine.delegate.tool import family

__all__ = ["family", "section"]
