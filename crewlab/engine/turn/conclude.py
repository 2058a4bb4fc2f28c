"""A delegated turn that has asked its model often is told to conclude, before the ceiling of steps cuts it (DLG-24). Pure."""

from __future__ import annotations

from crewlab.engine.records import Run
from crewlab.engine.store.children import is_child
from crewlab.engine.turn import steps

CONCLUDE_FROM = 25  # DLG-24: the model call that is offered no tools


def asks_to_conclude(run: Run) -> bool:
    """Whether the next model call is one that is told to conclude."""
    return is_child(run.source) and steps.model_calls(run) + 1 >= CONCLUDE_FROM


def was_asked_to_conclude(run: Run) -> bool:
    """Whether the model call that was made last was told to conclude: calls of it are not run."""
    return is_child(run.source) and steps.model_calls(run) >= CONCLUDE_FROM
