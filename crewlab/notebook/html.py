"""How things show themselves in a notebook: every text is escaped here, and nowhere else (UI-147)."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MAX_CELL = 200  # characters of one table cell; the object itself keeps all
STYLE = "text-align:left;padding:2px 12px 2px 0;vertical-align:top"


def text(value: object) -> str:
    """``value`` as HTML text: safe between tags and inside a quoted attribute."""
    return html.escape(str(value), quote=True)


def cell(value: object) -> str:
    """A value as it stands in a table: None is empty, long text is cut."""
    shown = "" if value is None else str(value)
    return shown if len(shown) <= MAX_CELL else shown[: MAX_CELL - 1] + "…"


def table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """An HTML table of ``columns``."""
    head = "".join(f'<th style="{STYLE}">{text(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f'<td style="{STYLE}">{text(cell(row.get(name)))}</td>' for name in columns) + "</tr>" for row in rows)
    return f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def facts(values: Mapping[str, Any], title: str) -> str:
    """A small two-column table with a title."""
    rows = "".join(
        f'<tr><th style="{STYLE}">{text(name)}</th><td style="{STYLE}">{text(cell(value))}</td></tr>' for name, value in values.items()
    )
    return f'<div><b>{text(title)}</b><table style="border-collapse:collapse">{rows}</table></div>'


def plain(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """The same table as text, columns padded."""
    lines = [list(columns), *([cell(row.get(name)).replace("\n", " ") for name in columns] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    return "\n".join("  ".join(part.ljust(width) for part, width in zip(line, widths, strict=True)).rstrip() for line in lines)
