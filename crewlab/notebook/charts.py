"""Small charts of answers in SQL, drawn by JupyterLab's own Vega; elsewhere the same as text. Needs no package."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Protocol

from crewlab.notebook import html

MIME = "application/vnd.vegalite.v5+json"
MOST_ROWS = 2_000
WIDTH = 560


class Answer(Protocol):
    """A DuckDB relation, as far as a chart reads it."""

    @property
    def columns(self) -> list[str]: ...

    def limit(self, n: int, /) -> Any: ...


class Chart:
    """A picture of rows. ``spec`` is its Vega-Lite description."""

    def __init__(self, rows: list[dict[str, Any]], columns: Sequence[str], mark: dict[str, Any], encoding: dict[str, Any]) -> None:
        self._rows = rows
        self._columns = columns
        self.spec: dict[str, Any] = {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "width": WIDTH,
            "data": {"values": [{name: _plain(value) for name, value in row.items()} for row in rows]},
            "mark": {"tooltip": True, **mark},
            "encoding": encoding,
        }

    def __repr__(self) -> str:
        return html.plain(self._rows, self._columns)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return {"text/plain": repr(self), **({MIME: self.spec} if self._rows else {})}


def bars(answer: Answer, x: str, y: str, color: str | None = None) -> Chart:
    """Bars of the column ``y`` over ``x``, parted by ``color``."""
    columns, rows = _read(answer)
    by_day = any(isinstance(row[x], date) for row in rows)
    encoding: dict[str, Any] = {
        "x": {"field": x, "type": "ordinal" if by_day else "nominal", "sort": None, "title": x},
        "y": {"field": y, "type": "quantitative", "title": y},
    }
    if color is not None:
        encoding["color"] = {"field": color, "type": "nominal"}
    return Chart(rows, columns, {"type": "bar"}, encoding)


def timeline(answer: Answer, label: str, begin: str, end: str, color: str | None = None) -> Chart:
    """Bars from the time ``begin`` to the time ``end``, one line per ``label``."""
    columns, rows = _read(answer)
    encoding: dict[str, Any] = {
        "y": {"field": label, "type": "nominal", "sort": None, "title": None},
        "x": {"field": begin, "type": "temporal", "title": None, "axis": {"format": "%H:%M:%S"}},
        "x2": {"field": end},
    }
    if color is not None:
        encoding["color"] = {"field": color, "type": "nominal"}
    return Chart(rows, columns, {"type": "bar", "cornerRadius": 2}, encoding)


def _read(answer: Answer) -> tuple[list[str], list[dict[str, Any]]]:
    columns = list(answer.columns)
    return columns, [dict(zip(columns, row, strict=True)) for row in answer.limit(MOST_ROWS).fetchall()]


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, date | datetime):
        return value.isoformat()
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
