"""What the server tells, as objects: fields by name, rich displays, tables (UI-144, UI-147).

Records hold the JSON as it came (register D). They never call the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar, TypeVar

from crewlab.notebook import html
from crewlab.notebook.money import duration, price

Json = dict[str, Any]
R = TypeVar("R", bound="Record")


class Record(Mapping[str, Any]):
    """A JSON object whose fields are also attributes: ``run["status"]`` and ``run.status``."""

    SHOWN: ClassVar[tuple[str, ...]] = ()  # the fields that a display names, in order

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = dict(data)

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(sorted(self._data))}") from None

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *(key for key in self._data if key.isidentifier())})

    def __hash__(self) -> int:
        return hash((type(self), self._data.get("id")))

    def shown(self) -> Json:
        """The fields that displays and tables name, in order."""
        return {name: self._data.get(name) for name in self.SHOWN} if self.SHOWN else dict(self._data)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={html.cell(v)!r}' for k, v in self.shown().items())})"

    def _repr_html_(self) -> str:
        return html.facts(self.shown(), type(self).__name__)


class Rows(list[R]):
    """A list of records that shows itself as a table."""

    def df(self) -> Any:
        """A pandas DataFrame when pandas is there, else a list of dicts (UI-147)."""
        plain = [dict(row) for row in self]
        try:
            pandas = import_module("pandas")
        except ImportError:
            return plain
        return pandas.DataFrame(plain)

    def _shown(self) -> tuple[list[Json], list[str]]:
        rows = [row.shown() for row in self]
        return rows, list(rows[0]) if rows else []

    def __repr__(self) -> str:
        rows, columns = self._shown()
        return html.plain(rows, columns) if rows else "[]"

    def _repr_html_(self) -> str:
        rows, columns = self._shown()
        return html.table(rows, columns) if rows else html.text("[]")


class Event(Record):
    """One event of a conversation or one frame of the activity stream (register E)."""

    SHOWN = ("type",)


class Message(Record):
    """A stored message (TURN-16)."""

    SHOWN = ("id", "role", "content", "model", "created_at")


class Hit(Record):
    """A message that a search has found (FTS-9). In ``snippet`` the matched words stand between U+0002 and U+0003."""

    @property
    def text(self) -> str:
        """The snippet without its marks."""
        return str(self._data.get("snippet", "")).translate({2: None, 3: None})

    def shown(self) -> Json:
        """Where it was said, by whom, and the words."""
        return {
            **{name: self.get(name) for name in ("agent_name", "title", "role")},
            "text": self.text,
            "created_at": self.get("created_at"),
        }


class Agent(Record):
    """An agent with its effective values (AGT-33)."""

    SHOWN = ("id", "name", "mode", "live", "description")


class Step(Record):
    """One step of a run (TURN-83)."""

    def shown(self) -> Json:
        """Index, kind, status, what, time and price."""
        what = self.get("name") or self.get("route") or self.get("text") or self.get("tool")
        return {
            "index": self.get("index"),
            "kind": self.get("kind"),
            "status": self.get("status"),
            "what": what,
            "time": duration(self.get("ms")),
            "cost": price(self.get("cost_usd"), estimated=bool(self.get("cost_estimated")))
            if self.get("kind") == "model" or self.get("cost_usd")
            else "",
        }


class Run(Record):
    """The record of a turn (TURN-82). ``steps`` is a list of ``Step``."""

    @property
    def steps(self) -> Rows[Step]:
        """The steps in order."""
        return Rows(Step(step) for step in self._data.get("steps") or ())

    def steps_df(self) -> Any:
        """The steps as a pandas DataFrame when pandas is there, else a list of dicts."""
        return self.steps.df()

    @property
    def price_usd(self) -> float | None:
        """The cost of the run, None when any call of it has no known price (TURN-5)."""
        return None if self._data.get("unknown_cost_calls") else self._data.get("cost_usd")

    def shown(self) -> Json:
        """Id, agent, status, steps, cost, when, and what came of it."""
        return {
            "id": self.get("id"),
            "agent": self.get("agent_id"),
            "status": self.get("halt_reason") or self.get("status"),
            "steps": len(self._data.get("steps") or ()),
            "cost": price(self.price_usd, estimated=bool(self.get("estimated_cost_calls"))),
            "started": self.get("started_at"),
            "summary": self.get("summary"),
        }


class Usage(Record):
    """One line of the usage ledger: what calls have cost, and of how many the price is unknown (COST-20)."""

    def shown(self) -> Json:
        """What it is about, the known cost, calls, calls without a known price, tokens."""
        about = {name: self.get(name) for name in ("day", "provider", "model", "purpose", "agent_id") if name in self}
        cost = price(self.get("cost_usd"), estimated=bool(self.get("estimated")))
        tokens = {name: self.get(name) for name in ("prompt_tokens", "completion_tokens")}
        return {**about, "cost": cost, "calls": self.get("calls"), "unknown": self.get("unknown"), **tokens}


class Stats(Record):
    """The usage ledger (COST-20); each list is a table."""

    def shown(self) -> Json:
        """The totals."""
        return self.totals.shown()

    @property
    def days(self) -> Rows[Usage]:
        """The last seven days."""
        return self._rows("days")

    @property
    def models(self) -> Rows[Usage]:
        """By model, the dearest first."""
        return self._rows("models")

    @property
    def purposes(self) -> Rows[Usage]:
        """By purpose: ``turn``, and those of side calls (COST-9)."""
        return self._rows("purposes")

    @property
    def agents(self) -> Rows[Usage]:
        """By agent."""
        return self._rows("agents")

    @property
    def totals(self) -> Usage:
        """Everything."""
        return Usage(self._data["totals"])

    def _rows(self, name: str) -> Rows[Usage]:
        return Rows(Usage(row) for row in self._data[name])
