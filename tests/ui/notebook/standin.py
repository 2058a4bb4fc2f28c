"""A loopback server that speaks the wire form of the routes and can be made to fail at will.

Only for what a real server cannot be brought to do on demand: to lose an answer, to break a stream, to send what no
server of ours sends. Everything else is tested against the real one.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

API = "/crewlab/api"


@dataclass
class Seen:
    """One request as it came."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


@dataclass
class Answer:
    """What to answer: JSON, an event stream (``events``), or nothing at all (``lost``)."""

    status: int = 200
    body: Any = None
    events: list[dict[str, Any]] | None = None
    broken: bool = False
    lost: bool = False
    first_id: int = 1
    hold: threading.Event | None = None
    html: bool = False


@dataclass
class StandIn:
    """Answers each route from its list; the last answer of a list stays."""

    answers: dict[str, deque[Answer]] = field(default_factory=lambda: defaultdict(deque))
    seen: list[Seen] = field(default_factory=list)
    left: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    came: threading.Condition = field(default_factory=threading.Condition)
    url: str = ""

    def on(self, route: str, *answers: Answer) -> None:
        """``route`` is ``GET /agents``, without the API's prefix."""
        self.answers[route].extend(answers)

    def take(self, route: str) -> Answer | None:
        waiting = self.answers.get(route)
        if not waiting:
            return None
        return waiting.popleft() if len(waiting) > 1 else waiting[0]

    def note(self, seen: Seen) -> None:
        with self.came:
            self.seen.append(seen)
            self.came.notify_all()

    def wait_for(self, route: str, seconds: float = 5.0) -> Seen:
        """The first request to ``route``, waited for."""
        with self.came:
            assert self.came.wait_for(lambda: self.requests(route), seconds), route
        return self.requests(route)[0]

    def requests(self, route: str) -> list[Seen]:
        return [one for one in self.seen if f"{one.method} {one.path}" == route]


def stream(events: Iterable[dict[str, Any]], **more: Any) -> Answer:
    """An event stream."""
    return Answer(events=list(events), **more)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, *_: Any) -> None:
        return

    def handle_any(self) -> None:
        standin: StandIn = self.server.standin
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        path = parts.path.partition(API)[2]
        standin.note(Seen(self.command, path, dict(parse_qsl(parts.query)), {k.lower(): v for k, v in self.headers.items()}, body))
        answer = standin.take(f"{self.command} {path}")
        if answer is None:
            self._json(404, {"message": f"no {path}", "code": "not_found"})
        elif answer.lost:
            self.close_connection = True
            self.connection.close()
        elif answer.events is not None:
            self._stream(answer, standin)
        elif answer.html:
            self._raw(answer.status, b"<html>a page</html>", "text/html")
        elif answer.status == 204:
            self.send_response(204)
            self.end_headers()
        else:
            self._json(answer.status, answer.body)

    do_GET = do_POST = do_PATCH = do_DELETE = handle_any

    def _json(self, status: int, body: Any) -> None:
        self._raw(status, json.dumps(body).encode(), "application/json")

    def _raw(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, answer: Answer, standin: StandIn) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")  # it is closed below: no client may send its next request into that
        self.end_headers()
        for number, event in enumerate(answer.events or (), answer.first_id):
            self._chunk(f"id: e-{number}\nevent: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode())
        if answer.hold is not None:
            self._until_gone(answer.hold)
            standin.left.release()
        self.close_connection = True
        if answer.hold is None and not answer.broken:
            self.wfile.write(b"0\r\n\r\n")

    def _until_gone(self, hold: threading.Event) -> None:
        """Pings until the client leaves or ``hold`` is set."""
        try:
            while not hold.wait(0.02):
                self._chunk(b": ping\n\n")
        except OSError:
            return

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def serve() -> tuple[StandIn, ThreadingHTTPServer]:
    """A stand-in that answers on a free port of the loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    standin = StandIn(url=f"http://127.0.0.1:{server.server_address[1]}")
    server.standin = standin  # type: ignore[attr-defined]
    standin.on("GET /version", Answer(body={"version": "0.1.0", "entry": "", "language": "en"}))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return standin, server
