"""Errors of the engine, named by what should happen next.

``CrewError`` carries everything the HTTP API needs (TURN-8): a fixed ``code``, an HTTP
``status``, a message for people and extra ``fields``. It never carries a secret.
"""

from __future__ import annotations

STATUS_CODES: dict[int, str] = {  # TURN-8: the token of a status where no rule names another
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    413: "too_large",
    422: "invalid",
    429: "too_many",
    500: "internal",
    503: "unavailable",
}


class CrewError(Exception):
    """Something a caller must be told. ``message`` is for people, ``code`` for programs."""

    status = 500

    def __init__(self, message: str, *, code: str | None = None, **fields: object) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or STATUS_CODES[self.status]
        self.fields = fields

    def body(self) -> dict[str, object]:
        """The JSON object of TURN-8."""
        return {"message": self.message, "code": self.code, **self.fields}


class BadRequest(CrewError):
    """The request cannot be read at all (400)."""

    status = 400


class Forbidden(CrewError):
    """The guard refuses the request (403)."""

    status = 403


class NotFound(CrewError):
    """Name another thing: this one does not exist (404)."""

    status = 404


class Conflict(CrewError):
    """Look again: the state has moved on (409)."""

    status = 409


class TooLarge(CrewError):
    """Send less (413)."""

    status = 413


class Invalid(CrewError):
    """Correct the named field (422)."""

    status = 422


class TooMany(CrewError):
    """Wait, then send again (429)."""

    status = 429


class Unavailable(CrewError):
    """The engine is not there; the message says why and what to do (503)."""

    status = 503


class StartupStop(Unavailable):
    """Startup stops (AGT-4): nothing of the engine is built until the named file is mended.

    ``code`` is ``config_invalid`` or, for a held home, ``home_locked`` (DB-12).
    """

    def __init__(self, message: str, *, code: str = "config_invalid", **fields: object) -> None:
        super().__init__(message, code=code, **fields)


class StoreWriteFailed(CrewError):
    """The store could not be written; what was not stored is not shown (TURN-28, ``store_write``)."""

    status = 500

    def __init__(self, message: str) -> None:
        super().__init__(message, code="store_write")
