"""From an exception to the answer of TURN-8: status and JSON body, never a stack trace or a secret."""

from __future__ import annotations

from tornado.web import HTTPError

from crewlab.engine.errors import STATUS_CODES, CrewError, StoreWriteFailed
from crewlab.engine.texts import Texts

INTERNAL = 500


class WrongMethod(CrewError):
    """The address exists, but not for this method (405)."""

    status = 405

    def __init__(self, message: str) -> None:
        super().__init__(message, code="bad_request")


def answer_of(error: BaseException | None, status: int, texts: Texts, reference: str) -> tuple[int, dict[str, object]]:
    """Status and body for ``error``. Errors of Tornado and Jupyter say what their status means, nothing of their own."""
    if isinstance(error, StoreWriteFailed):  # SQLite's own words say nothing to do; `store_write` is a code of events alone
        return error.status, {"message": texts("turn.store_write", error=error.message), "code": STATUS_CODES[error.status]}
    if isinstance(error, CrewError):
        return error.status, error.body()
    if isinstance(error, HTTPError):
        status = error.status_code
    if status >= INTERNAL and status not in STATUS_CODES:
        status = INTERNAL
    code = STATUS_CODES.get(status, "bad_request" if status < INTERNAL else "internal")
    known = {"forbidden", "not_found", "too_many", "unavailable"}
    if status == INTERNAL:
        return status, {"message": texts("http.internal", reference=reference), "code": code}
    message = texts(f"http.{code if code in known else 'bad_request'}")
    return status, {"message": message, "code": code}
