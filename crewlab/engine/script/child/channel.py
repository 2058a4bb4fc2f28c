"""Messages to and from the server: one JSON value per line, UTF-8, over stdin and stdout (SCR-7, SCR-8)."""

from __future__ import annotations

import posix

from .json_read import trusted
from .json_write import quoted
from .kinds import Any
from .printed import clean

PIPE = 65_536  # what a pipe holds


class Raw(str):
    """JSON text that is already written."""

    __slots__ = ()


def encode(value: Any) -> str:
    """The JSON text of a message."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, str):
        return quoted(clean(value))
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(key)}:{encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(encode(item) for item in value) + "]"
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return str(value)


class Channel:
    """The two pipes of the process."""

    def __init__(self) -> None:
        self._number = 0

    def read(self) -> dict[str, Any]:
        """The next message; the process ends when the server is gone."""
        parts: list[bytes] = []
        while not parts or not parts[-1].endswith(b"\n"):  # the server waits for us before it writes another line
            part = posix.read(0, PIPE)
            if not part:
                raise SystemExit(0)
            parts.append(part)
        message = trusted(b"".join(parts).decode("utf-8", "replace"))
        if not isinstance(message, dict):
            raise SystemExit(1)
        return message

    def send(self, op: str, **fields: Any) -> int:
        """Write one message; gives its number."""
        self._number += 1
        line = (encode({"op": op, "id": self._number, **fields}) + "\n").encode("utf-8", "replace")
        while line:
            line = line[posix.write(1, line) :]
        return self._number

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        """Write one message and wait for its answer."""
        number = self.send(op, **fields)
        answer = self.read()
        if answer.get("id") != number:
            raise SystemExit(1)
        return answer
