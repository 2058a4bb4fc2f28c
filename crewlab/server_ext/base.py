"""What every handler of crewlab shares: the guard first, then Jupyter's checks, and errors as TURN-8."""

from __future__ import annotations

import json
from types import TracebackType
from typing import TYPE_CHECKING, Any

from crewlab.engine.clock import new_id
from crewlab.engine.errors import CrewError, Forbidden
from crewlab.server_ext.guard import Presented, refusal
from crewlab.server_ext.holder import CrewHolder
from crewlab.server_ext.problems import answer_of

if TYPE_CHECKING:
    from jupyter_server.base.handlers import JupyterHandler as Handler
else:
    Handler = object  # a mixin: it stands before Jupyter's own classes, for plain requests and WebSockets alike

AUTH_RESOURCE = "crewlab"
JSON_TYPE = "application/json"


class Guarded(Handler):
    """Refuses what the guard refuses, before anything else looks at the request (CHN-61)."""

    auth_resource = AUTH_RESOURCE

    def initialize(self, holder: CrewHolder, names: frozenset[str]) -> None:
        """``names`` are the host names that are allowed beside ``localhost`` and Jupyter's local ones."""
        self.holder = holder
        self._names = names
        self._reference = ""

    async def prepare(self, **options: Any) -> None:
        """The guard, then Jupyter: host, token or cookie, XSRF."""
        request = self.request
        origin = request.headers.get("Origin") or request.headers.get("Sec-Websocket-Origin")
        presented = Presented(
            authorization="Authorization" in request.headers,
            xsrf=bool({"X-Xsrftoken", "X-Csrftoken"} & set(request.headers)),
            url_token="token" in request.query_arguments,
        )
        names = self._names | {name.lower() for name in self.settings.get("local_hostnames", [])}
        why = refusal(request.headers.get("Host", ""), origin, names, request.method or "", presented, self.holder.texts)
        if why is not None:
            raise Forbidden(why)
        await super().prepare(**options)

    def set_default_headers(self) -> None:
        """Jupyter's, and no page of another site may embed an answer (MED-15)."""
        super().set_default_headers()
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")

    def get_login_url(self) -> str:
        """Nobody is sent to a login page from here: the answer is 403."""
        raise Forbidden(self.holder.texts("http.forbidden"))

    def compute_etag(self) -> None:
        """Answers are never kept (``no-store``), so they need no tag."""

    def log_exception(self, typ: Any, value: BaseException | None, tb: TracebackType | None) -> None:
        """One line without the query (CHN-63); only what nobody expected is logged whole, under a reference."""
        if isinstance(value, CrewError) or not hasattr(value, "status_code"):
            if isinstance(value, CrewError):
                return
            self._reference = new_id("e")
            self.log.error("crewlab: %s %s failed (reference %s)", self.request.method, self.request.path, self._reference, exc_info=value)
            return
        self.log.warning("crewlab: %s %s was refused: %s", self.request.method, self.request.path, value)

    def write_error(self, status_code: int, **options: Any) -> None:
        """The JSON of TURN-8 for whatever went wrong."""
        error = options["exc_info"][1] if "exc_info" in options else None
        status, body = answer_of(error, status_code, self.holder.texts, self._reference)
        self.set_status(status)
        self.set_header("Content-Type", JSON_TYPE)
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(body, ensure_ascii=False))
