"""What can go wrong when talking to a server (UI-146), named by what should happen next.

No message carries a token: it never enters a URL or an exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crewlab.notebook.words import say

NO_ANSWER = 0  # `status` of an error that no server has sent


class CrewError(Exception):
    """Something the server (or the way to it) refuses. ``code`` is for programs, ``message`` for people.

    ``status`` is the HTTP status, 0 when no server has answered; ``fields`` holds what the server added.
    """

    def __init__(self, code: str, status: int, message: str, **fields: object) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.message = message
        self.fields = fields

    def __repr__(self) -> str:
        return f"{type(self).__name__}(code={self.code!r}, status={self.status!r}, message={self.message!r})"


class NotFound(CrewError):
    """Name another thing: this one does not exist."""


class ApprovalPending(CrewError):
    """Decide first: the conversation waits for an approval or an answer."""


class QueueFull(CrewError):
    """Wait: too many messages of this conversation are waiting."""


class HomeLocked(CrewError):
    """Close the other server: it holds this crew's home."""


class ConfigInvalid(CrewError):
    """Mend the named configuration file, then restart the server."""


class ServerGone(CrewError):
    """No server answers: start one, or name it."""

    def __init__(self, message: str, code: str = "server_gone", **fields: object) -> None:
        super().__init__(code, NO_ANSWER, message, **fields)


BY_CODE: dict[str, type[CrewError]] = {
    "approval_pending": ApprovalPending,
    "queue_full": QueueFull,
    "home_locked": HomeLocked,
    "config_invalid": ConfigInvalid,
}


def error_of(status: int, body: object, *, where: str, language: str | None = None) -> CrewError:
    """The exception for an answer with an error status (TURN-8). ``where`` is the server's address without a token.

    Jupyter's own refusals carry no ``code``: 401 and 403 then say what to do about the token, 404 that crewlab is not there.
    """
    fields: dict[str, Any] = {k: v for k, v in body.items() if isinstance(k, str)} if isinstance(body, Mapping) else {}
    code = fields.pop("code", None)
    message = fields.pop("message", None)
    if not isinstance(code, str):
        if status in (401, 403):
            return CrewError("forbidden", status, say("refused", language, url=where))
        if status == 404:
            return NotFound("not_found", status, say("no_crewlab", language, url=where))
        return CrewError("internal", status, say("strange_answer", language, url=where, status=status))
    text = message if isinstance(message, str) else code
    kind = BY_CODE.get(code, NotFound if status == 404 else CrewError)
    return kind(code, status, text, **{k: v for k, v in fields.items() if k not in ("self", "code", "status", "message")})
