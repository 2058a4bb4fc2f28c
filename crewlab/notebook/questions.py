"""``crewlab.analytics.connect()``: an in-memory DuckDB with the published copy attached, read-only (ANL-16 to ANL-19).

Knows nothing of the engine: it reads a file the server has published. DuckDB is imported on first use.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from crewlab.analytics_schema import statements
from crewlab.notebook.client import connect as connect_crew
from crewlab.notebook.errors import CrewError
from crewlab.notebook.places import FOLDER, Folder, OneFile, Place, Served
from crewlab.notebook.words import say

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

NAME = "crew"  # ANL-16: what the copy is called in SQL


class Questions:
    """A DuckDB connection to one moment of the crew (ANL-17). ``sql``, ``execute`` and all else are DuckDB's own.

    Results are relations: ``.df()``, ``.arrow()``, ``.fetchall()`` (ANL-19). ``refresh`` takes the newest snapshot; temporary
    tables of the connection before it are gone then, results that were made stay readable.
    """

    def __init__(self, place: Place, *, external: bool = False) -> None:
        self._place = place
        self._external = external
        self._con: DuckDBPyConnection
        self.snapshot: Path | None = None
        """The file that is attached; ``None`` while nothing was published."""
        self.refresh()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._con, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Questions({str(self.snapshot)!r})"

    def refresh(self) -> Self:
        """Attach the newest snapshot (ANL-16)."""
        self.snapshot = self._place.newest()
        self._con = opened(self.snapshot, external=self._external)
        return self

    def stale(self) -> bool:
        """Whether a newer snapshot was published."""
        return self._place.changed(self.snapshot)

    def close(self) -> None:
        """Close the connection; results that were not fetched are gone."""
        self._con.close()


def opened(snapshot: Path | None, *, external: bool) -> DuckDBPyConnection:
    """An in-memory DuckDB that uses the snapshot, or an empty store (ANL-16, ANL-18)."""
    try:
        import duckdb
    except ImportError:
        raise CrewError("no_duckdb", 0, say("no_duckdb")) from None
    con = duckdb.connect(config={} if external else {"autoinstall_known_extensions": False, "autoload_known_extensions": False})
    try:
        if snapshot is None:
            _empty(con)
        else:
            con.execute(f"ATTACH '{str(snapshot).replace(chr(39), chr(39) * 2)}' AS {NAME} (READ_ONLY)")
        con.execute(f"USE {NAME}")
        zone = con.execute("SELECT timezone FROM meta").fetchone()
        if zone is not None and zone[0]:
            con.execute(f"SET TimeZone = '{zone[0]}'")
    except duckdb.Error as error:
        con.close()
        raise CrewError("no_snapshot", 0, say("no_snapshot", path=snapshot, fault=error)) from error
    if not external:  # ANL-18
        con.execute("SET enable_external_access = false")
        con.execute("SET lock_configuration = true")
    return con


def _empty(con: DuckDBPyConnection) -> None:
    """All tables and views, with nothing in them."""
    con.execute(f"ATTACH ':memory:' AS {NAME}")
    con.execute(f"USE {NAME}")
    for statement in statements():
        con.execute(statement)


def connect(
    *,
    fresh: bool = False,
    home: str | Path | None = None,
    path: str | Path | None = None,
    external: bool = False,
    url: str | None = None,
    token: str | None = None,
) -> Questions:
    """A connection for questions in SQL over all runs of the crew.

    Without ``home`` and ``path`` the server this kernel belongs to is asked where its copy is; ``fresh`` has it brought up to date
    first. ``home`` (the folder of a crew) and ``path`` (one snapshot) work without a server. ``external`` allows SQL to use other
    files and the network. Raises ``CrewError``.
    """
    if (home is not None) + (path is not None) + (fresh or url is not None) > 1:
        raise CrewError("one_place", 0, say("one_place"))
    if path is not None:
        return Questions(OneFile(Path(path).expanduser()), external=external)
    if home is not None:
        return Questions(Folder(Path(home).expanduser() / FOLDER), external=external)
    return Questions(Served(connect_crew(url, token), fresh=fresh), external=external)
