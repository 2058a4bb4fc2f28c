"""A run in memory is never ahead of the store: what a commit did not take is taken back (DUR-3, DUR-6)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from crewlab.engine.records import Run
from crewlab.engine.store.store import Store

FIELDS = tuple(Run.model_fields)


@contextmanager
def kept(run: Run | None) -> Iterator[None]:
    """Change ``run`` inside, together with a transaction that is entered after this; a failure, also of the commit, undoes it.

    It copies the run, so it is for what happens rarely: decisions, steers. A turn that cannot store its end uses ``as_stored``.
    """
    before = run.model_copy(deep=True) if run is not None else None
    try:
        yield
    except BaseException:
        if run is not None and before is not None:
            _become(run, before)
        raise


def as_stored(store: Store, run: Run) -> None:
    """Take the run back to what the store has of it: money and steps that were not written are of no message."""
    stored = store.runs.get(run.id)
    if stored is not None:
        _become(run, stored)


def _become(run: Run, other: Run) -> None:
    for name in FIELDS:
        setattr(run, name, getattr(other, name))
