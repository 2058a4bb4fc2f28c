"""Where everything of a crew lies on disk (AGT-1, AGT-2, AGT-3)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.errors import StartupStop
from crewlab.engine.texts import Texts

HOME_VARIABLE = "CREWLAB_HOME"  # AGT-1
DEFAULT_HOME = ".crewlab"  # AGT-1, below the person's own directory
PRIVATE_DIRECTORY = 0o700  # AGT-3
PRIVATE_FILE = 0o600  # AGT-3
COVERED = ("browser", "desktop", "secrets")  # SHL-75: there at every start, so that there is something to cover
PER_CONVERSATION = ("spill", "outputs", "attachments")  # WS-4: closed to other conversations
STORE_FILES = ("crew.db", "crew.db-wal", "crew.db-shm", "crew.db-journal")  # AGT-2


def _one_segment(name: str) -> str:
    """``name`` when it is one plain path segment; ids come from outside, paths must not."""
    if name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
        raise ValueError(f"{name!r} is no single path segment")
    return name


@dataclass(frozen=True, slots=True)
class Home:
    """The one directory of a crew. Properties are paths only: nothing is read or made."""

    root: Path
    hidden: tuple[Path, ...] = ()
    """Places elsewhere that file tools keep out of: the secrets of the server that runs the crew (CHN-65)."""

    @classmethod
    def locate(cls, environ: Mapping[str, str]) -> Home:
        """The home named by ``CREWLAB_HOME``, else ``~/.crewlab`` (AGT-1). Absolute; links are kept."""
        person = environ.get("HOME") or str(Path.home())
        named = environ.get(HOME_VARIABLE, "").strip()
        if not named:
            return cls(Path(person) / DEFAULT_HOME)
        if named == "~" or named.startswith("~/"):
            return cls(Path(person) / named[2:])
        return cls(Path(named).expanduser().absolute())

    @property
    def config_file(self) -> Path:
        return self.root / "config.yaml"

    @property
    def db_file(self) -> Path:
        return self.root / "crew.db"

    @property
    def master_profile(self) -> Path:
        return self.root / "agent.yaml"

    @property
    def agents_dir(self) -> Path:
        return self.root / "agents"

    @property
    def workspace(self) -> Path:
        """The workspace of the master (WS-1)."""
        return self.root / "workspace"

    @property
    def secrets_file(self) -> Path:
        return self.root / "secrets" / "secrets.env"

    @property
    def trash(self) -> Path:
        return self.root / "trash"

    @property
    def analytics(self) -> Path:
        """The copy for questions in SQL (ANL-1)."""
        return self.root / "analytics"

    @property
    def local_models(self) -> Path:
        """Model files the person added for the route ``local:``."""
        return self.root / "models"

    @property
    def desktop_socket(self) -> Path:
        """Where the desktop helper listens unless ``desktop_socket`` says otherwise (DSK-7)."""
        return self.root / "desktop" / "sock"

    def agent_dir(self, agent_id: str) -> Path:
        """The directory of one agent; the master's is the home itself (AGT-19)."""
        return self.root if agent_id == "default" else self.agents_dir / _one_segment(agent_id)

    def spill(self, conversation_id: str) -> Path:
        """Full text of shortened tool results (OUT-43)."""
        return self.root.joinpath("spill", _one_segment(conversation_id))

    def outputs(self, conversation_id: str) -> Path:
        """Pictures of cells and inspected pages (EVAL-17)."""
        return self.root.joinpath("outputs", _one_segment(conversation_id))

    def attachments(self, conversation_id: str) -> Path:
        """Files attached to a conversation (PTL-89)."""
        return self.root.joinpath("attachments", _one_segment(conversation_id))

    def reserved(self, conversation_id: str | None = None, *, desktop_socket: Path | None = None) -> tuple[Path, ...]:
        """What every file tool keeps out of (WS-4): these paths and all below them.

        Of ``spill/``, ``outputs/`` and ``attachments/`` only the conversation's own directory stays
        open. Read when the call runs: other conversations may have come since.
        """
        closed = [*(self.root / name for name in (*COVERED, *STORE_FILES)), *self.hidden]
        closed.append(self.analytics)  # what it holds is of every agent, like the store it is copied from
        closed += sorted(self.root.glob("crew.db.bak-*"))
        if desktop_socket is not None:
            closed.append(desktop_socket)
        for name in PER_CONVERSATION:
            closed += self._others(self.root / name, conversation_id)
        return tuple(closed)

    @staticmethod
    def _others(directory: Path, conversation_id: str | None) -> Iterator[Path]:
        if conversation_id is None:
            yield directory
            return
        try:
            names = sorted(os.listdir(directory))
        except FileNotFoundError:
            return
        yield from (directory / name for name in names if name != conversation_id)

    def ensure(self, texts: Texts | None = None) -> None:
        """Make the home and what must be there at every start, closed to other users (AGT-3, SHL-75).

        A home that exists keeps its mode; ``browser/``, ``desktop/`` and ``secrets/`` are closed again
        when somebody opened them. Raises ``StartupStop`` when it cannot be done.
        """
        try:
            self._make()
        except OSError as error:
            message = (texts or Texts("en"))("home.home_unusable", home=self.root, error=error.strerror)
            raise StartupStop(message, home=str(self.root)) from error

    def _make(self) -> None:
        self.root.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
        for name in COVERED:
            directory = self.root / name
            directory.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True)
            _close(directory, PRIVATE_DIRECTORY)
        self.workspace.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True)
        if self.secrets_file.is_file():
            _close(self.secrets_file, PRIVATE_FILE)


def _close(path: Path, mode: int) -> None:
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(mode)
