"""The key ring: what Connections saved, and what the environment brings (CHN-49, AGT-7)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from crewlab.engine.home.layout import Home

NAME = re.compile(r"[A-Z][A-Z0-9_]{0,63}")  # CHN-48
VALUE_CHARS = 4096  # CHN-48
MASKED_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")  # TURN-104
MASKED_CHARS = 8  # TURN-104: shorter values are not masked

_Stamp = tuple[int, int, int]


class KeyRing:
    """Keys by the name of their variable. A saved key wins over the environment; nothing is put into it.

    The file is read again when it changed, so a saved key acts at once (CHN-47). ``broken_lines``
    are the numbers of lines that are no pair; ``problem`` says why the file cannot be read at all, in the
    system's words, and is empty when it can.
    """

    def __init__(self, home: Home, environ: Mapping[str, str]) -> None:
        self._file = home.secrets_file
        self._environ = environ
        self._saved: dict[str, str] = {}
        self._stamp: _Stamp | None = None
        self.broken_lines: tuple[int, ...] = ()
        self.problem = ""

    def get(self, name: str) -> str | None:
        """The value, or ``None`` when it is absent or empty."""
        self._refresh()
        return self._saved.get(name) or self._environ.get(name) or None

    def present(self, name: str) -> bool:
        """Whether there is a value; safe to show (CHN-41)."""
        return self.get(name) is not None

    def saved(self, name: str) -> bool:
        """Whether Connections has it, rather than the environment."""
        self._refresh()
        return name in self._saved

    def with_text(self, text: str) -> Candidate:
        """The keys as they would be if ``secrets.env`` said ``text`` (CHN-47)."""
        return Candidate(parse_keys(text)[0], self._environ)

    def saved_names(self) -> list[str]:
        """The names of the saved keys, sorted."""
        self._refresh()
        return sorted(self._saved)

    def secret_values(self) -> list[str]:
        """Every value that masking must hide (TURN-104), longest first so that none is masked in part."""
        self._refresh()
        everything = [*self._environ.items(), *self._saved.items()]
        values = {value for name, value in everything if len(value) >= MASKED_CHARS and any(part in name.upper() for part in MASKED_NAMES)}
        return sorted(values, key=lambda value: (-len(value), value))

    def _refresh(self) -> None:
        try:
            status = self._file.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if stamp == self._stamp:
                return
            self._saved, self.broken_lines = parse_keys(self._file.read_text(encoding="utf-8", errors="replace"))
            self._stamp, self.problem = stamp, ""
        except (FileNotFoundError, NotADirectoryError):
            self._forget("")
        except OSError as error:
            self._forget(error.strerror or str(error))

    def _forget(self, problem: str) -> None:
        self._saved, self._stamp, self.broken_lines, self.problem = {}, None, (), problem


class Candidate:
    """Keys that are not saved yet; asked like the key ring."""

    def __init__(self, saved: Mapping[str, str], environ: Mapping[str, str]) -> None:
        self._saved = saved
        self._environ = environ

    def get(self, name: str) -> str | None:
        """The value, or ``None`` when it is absent or empty."""
        return self._saved.get(name) or self._environ.get(name) or None


def parse_keys(text: str) -> tuple[dict[str, str], tuple[int, ...]]:
    """The pairs of ``NAME=value`` lines and the numbers of the lines that are none.

    Empty lines and lines that begin with ``#`` are skipped; ``export`` before a name and one pair of
    quotes around a value are taken off.
    """
    pairs: dict[str, str] = {}
    broken: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.strip().removeprefix("export ").lstrip()
        if not written or written.startswith("#"):
            continue
        name, equals, value = written.partition("=")
        name, value = name.strip(), _unquote(value.strip())
        if not equals or not NAME.fullmatch(name) or len(value) > VALUE_CHARS or "\0" in value:
            broken.append(number)
            continue
        pairs[name] = value
    return pairs, tuple(broken)


def _unquote(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
