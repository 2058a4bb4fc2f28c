"""What every live component shares: the state that travels, actions of the page, the text that stands in for it (UI-155 to UI-163)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from crewlab.notebook.client import Crew
from crewlab.notebook.errors import CrewError
from crewlab.notebook.http import Http
from crewlab.notebook.locate import locate
from crewlab.notebook.words import machine_language, say
from crewlab.widgets.hub import Hub, hub_of
from crewlab.widgets.wire import KEPT_BYTES, MAX_STATE_BYTES, Json, changes, pages, size

STATIC = Path(__file__).parent / "static"
REREAD_SECONDS = 1.0  # as the lists of the Crew manager: read again at most once a second
FIRST_SECONDS = 2.0  # how long the text of a display waits for the first answer of the server

Action = Callable[[Http, Mapping[str, Any]], Awaitable[object]]


def front_end(name: str) -> Path:
    """A built file of the front end; raises ``CrewError`` when it has not been built."""
    path = STATIC / name
    if not path.exists():
        raise CrewError("no_front_end", 0, say("no_front_end"))
    return path


class LiveWidget(anywidget.AnyWidget):
    """A component whose state lives here and is drawn in the page, which gets text and numbers and never the token (UI-159).

    A subclass reads (``read``), listens (``take``), says what is drawn (``contents``), leaves out what is too much (``trim``),
    and names what the page may ask for (``actions``). All of these are called in the hub's thread.
    """

    LISTS: ClassVar[Mapping[str, str]] = {}  # lists of the state, and the key of their entries

    state = traitlets.Dict().tag(sync=True)
    status = traitlets.Unicode("")

    def __init__(self, crew: Crew | None = None) -> None:
        self._language = machine_language()
        self._offline: str | None = None  # why the server cannot be heard
        self._fault: str | None = None  # why it could not be read
        self._loaded = threading.Event()
        self._sent: Json = {}
        self._number = self._of = 0
        self._ready = self._whole = False
        self._reading: asyncio.Task[None] | None = None
        self._again = False
        self._one_at_a_time = asyncio.Lock()
        super().__init__()
        self._hub: Hub = hub_of(crew.server if crew is not None else locate())
        self.on_msg(self._message)
        self._hub.join(self)

    def close(self) -> None:
        """Ends the widget; the last one of a kernel ends the subscription (UI-163)."""
        hub = getattr(self, "_hub", None)
        if hub is not None:
            hub.leave(self)
        super().close()

    # What a component is made of

    async def read(self, http: Http) -> None:
        """Reads what is shown. Raises ``CrewError``."""
        raise NotImplementedError

    def take(self, frame: Mapping[str, Any]) -> bool:
        """Takes a frame of the activity stream; True when everything is to be read again."""
        return False

    def contents(self) -> Json:
        """What is drawn, as plain data."""
        raise NotImplementedError

    def trim(self, contents: Json, limit: int) -> Json:
        """``contents`` within ``limit`` bytes: the oldest go first, and it says how many."""
        return contents

    def told(self, contents: Json) -> None:
        """Sets the traits that Python code reads (UI-162)."""

    def actions(self) -> Mapping[str, Action]:
        """What the page may ask for, by name; what an action returns goes back to it."""
        return {}

    def plain(self) -> str:
        """The state as text, for places that draw no widgets."""
        return repr(self)

    # As the hub sees it

    async def load(self, http: Http) -> None:
        """Reads what the widget shows when it joins."""
        self._language = await http.read_language() or self._language
        await self._read(http)
        self._loaded.set()

    async def _read(self, http: Http) -> None:
        async with self._one_at_a_time:  # what was asked for later is newer
            try:
                await self.read(http)
                self._fault = None
            except CrewError as fault:
                self._fault = fault.message

    def frame(self, frame: Mapping[str, Any]) -> None:
        """Takes a frame of the activity stream."""
        self._offline = None
        if self.take(frame):
            self.reread()

    def offline(self, message: str | None) -> None:
        """The server is gone: the state stays, with the reason."""
        self._offline = message

    def reread(self) -> None:
        """Reads again, at most once a second and never twice at a time (UI-96)."""
        self._again = True
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._reread())

    async def _reread(self) -> None:
        while self._again:
            self._again = False
            await self._hub.with_http(self._read)
            self._hub.touch()
            await asyncio.sleep(REREAD_SECONDS)

    def flush(self) -> Iterator[int]:
        """Sends what has changed since the last time, page by page; gives the bytes of each (FQ-4)."""
        if not self._loaded.is_set():
            return
        whole, self._whole = self._whole, False
        fields = self.trim(self.contents(), MAX_STATE_BYTES)
        state = {
            "v": self._number + 1,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "language": self._language,
            "offline": self._offline or self._fault,
            **fields,
        }
        change = changes({} if whole else self._sent, state, self.LISTS)
        if change is None:
            return
        self._number += 1
        self._sent = state
        self.told(fields)
        if not self._ready:
            yield self._keep(state)
            return
        if change["type"] == "state" and size(state) > KEPT_BYTES:
            yield from self._pages({"type": "state", "state": self._short(state)})  # the newest at once, the rest follows
        yield from self._pages(change)

    def _pages(self, message: Json) -> Iterator[int]:
        self._of += 1
        for page in pages(message, self._of):
            self.send(page)
            yield size(page)

    def _short(self, state: Json) -> Json:
        """As much of the newest as travels in one message (FQ-4)."""
        return {**self.trim(state, KEPT_BYTES), "v": 0}

    def _keep(self, state: Json) -> int:
        """Puts the newest into the model; a page is given the rest when it is there."""
        self.state = self._short(state)
        return size(self.state)

    def _message(self, _widget: object, content: Any, _buffers: object) -> None:
        """A message of the page: ``ready``, or an action (UI-159)."""
        if not isinstance(content, dict):
            return
        if content.get("type") == "ready":
            self._ready = self._whole = True
            self._hub.touch()
            return
        action = self.actions().get(str(content.get("action")))
        if action is not None:
            self.send({"type": "heard", "id": content.get("id")})
            self._hub.call(lambda http: self._act(http, action, content))

    async def _act(self, http: Http, action: Action, content: Mapping[str, Any]) -> None:
        """Does what the page asked for; the page that asked hears how it went, by the number it gave."""
        answer: Json = {"type": "answer", "id": content.get("id"), "action": content["action"], "error": None, "value": None}
        try:
            answer["value"] = await action(http, content)
        except CrewError as fault:
            answer["error"] = {"code": fault.code, "status": fault.status, "message": fault.message, "fields": fault.fields}
        except (KeyError, TypeError, ValueError):
            answer["error"] = {"code": "invalid", "status": 0, "message": say("bad_action", self._language), "fields": {}}
        for _ in self._pages(answer):
            pass  # what somebody waits for is not held back
        self._hub.touch()

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget, and its state as text for places that draw none."""
        self._loaded.wait(FIRST_SECONDS)
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/plain"] = self.plain()
        return bundle
