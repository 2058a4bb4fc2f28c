"""``%%crew_sql``: a cell of SQL over all runs (UI-150, ANL-16, ANL-19)."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any, NoReturn

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class

from crewlab.notebook import html
from crewlab.notebook.errors import CrewError
from crewlab.notebook.questions import Questions, connect
from crewlab.notebook.words import say

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

SHOWN = 200  # ANL-19


class Table:
    """The first rows of an answer, and how many there are."""

    def __init__(self, columns: list[str], rows: list[tuple[Any, ...]], total: int) -> None:
        same = [columns[:place].count(name) for place, name in enumerate(columns)]
        self._columns = [f"{name}_{before}" if before else name for name, before in zip(columns, same, strict=True)]
        self._rows = [dict(zip(self._columns, row, strict=True)) for row in rows]
        self.total = total

    @property
    def below(self) -> str:
        """How many rows there are, and how many of them are shown."""
        shown = len(self._rows)
        return say("sql_rows", total=f"{self.total:,}") if shown == self.total else say("sql_shown", shown=shown, total=f"{self.total:,}")

    def __repr__(self) -> str:
        return f"{html.plain(self._rows, self._columns)}\n{self.below}"

    def _repr_html_(self) -> str:
        return f"<div>{html.table(self._rows, self._columns)}<div>{html.text(self.below)}</div></div>"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage()}")


def _options(line: str) -> argparse.Namespace:
    parser = _Parser(prog="%%crew_sql", add_help=False)
    parser.add_argument("--into", metavar="NAME")
    try:
        given = parser.parse_args(shlex.split(line))
    except ValueError as fault:
        raise UsageError(str(fault)) from None
    if given.into and not given.into.isidentifier():
        raise UsageError(say("bad_name", name=given.into))
    return given


@magics_class
class SqlMagics(Magics):
    """One connection per kernel, renewed when something newer was published."""

    questions: Questions | None = None

    @cell_magic
    def crew_sql(self, line: str, cell: str) -> Table:
        """``%%crew_sql [--into NAME]`` asks in SQL; NAME is the whole answer, a DuckDB relation."""
        given = _options(line)
        answer = self._asked(cell) if cell.strip() else None
        if answer is None:  # nothing but white space and comments
            raise UsageError(say("sql_empty"))
        if given.into and self.shell is not None:
            self.shell.user_ns[given.into] = answer
        return _shown(answer)

    def _asked(self, query: str) -> DuckDBPyRelation | None:
        import duckdb

        try:
            answer: DuckDBPyRelation | None = self._current().sql(query)
        except duckdb.PermissionException as refused:
            raise UsageError(f"{refused}\n{say('sql_refused')}") from None
        except duckdb.Error as fault:
            raise UsageError(str(fault)) from None
        return answer

    def _current(self) -> Questions:
        try:
            if self.questions is None:
                self.questions = connect()
            elif self.questions.stale():
                self.questions.refresh()
        except CrewError as fault:
            raise UsageError(fault.message) from None
        return self.questions


def _shown(answer: DuckDBPyRelation) -> Table:
    import duckdb

    try:
        rows = answer.limit(SHOWN + 1).fetchall()
        total = len(rows)
        if total > SHOWN:
            total = int(answer.aggregate("count(*)").fetchall()[0][0])
    except duckdb.Error as fault:  # some mistakes are seen only when the rows are made
        raise UsageError(str(fault)) from None
    return Table(answer.columns, rows[:SHOWN], total)
