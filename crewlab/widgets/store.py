"""``ScriptStore``: what the scripts of one agent keep (STO-55)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from crewlab.notebook import html
from crewlab.notebook.client import Crew
from crewlab.notebook.http import Http
from crewlab.notebook.words import say
from crewlab.widgets.live import Action, LiveWidget, front_end
from crewlab.widgets.wire import Json, trimmed

COLUMNS = ("namespace", "key", "chars", "updated_at")


class ScriptStore(LiveWidget):
    """Namespaces with how full they are, keys, values; deletes after a question. It has no way to write a value (STO-55)."""

    _esm = front_end("scriptstore.js")
    _css = front_end("scriptstore.css")
    LISTS: ClassVar[Mapping[str, str]] = {"namespaces": "namespace"}

    def __init__(self, agent_id: str, *, crew: Crew | None = None) -> None:
        self.agent_id = agent_id
        self._store: Json = {"limit_chars": 0, "namespaces": []}
        super().__init__(crew)

    @property
    def _path(self) -> str:
        return f"/agents/{self.agent_id}/script-store"

    async def read(self, http: Http) -> None:
        """Reads the list."""
        self._store = await http.json("GET", self._path)

    def take(self, frame: Mapping[str, Any]) -> bool:
        """Values are written when a script ends; a namespace is an orphan when what it was kept for is gone."""
        kind = frame.get("type")
        ended = kind == "run" and frame["run"].get("agent_id") == self.agent_id and frame["run"].get("status") != "running"
        return ended or kind in ("snapshot", "jobs") or (kind == "conversation" and bool(frame.get("deleted")))

    def contents(self) -> Json:
        """The list as the route answers it."""
        return {"agent": self.agent_id, "limit_chars": self._store["limit_chars"], "namespaces": self._store["namespaces"], "dropped": 0}

    def trim(self, contents: Json, limit: int) -> Json:
        """Without the first namespaces, when there are too many."""
        return trimmed(contents, "namespaces", limit)

    def actions(self) -> Mapping[str, Action]:
        """The two other routes."""
        return {"value": self._value, "delete": self._delete}

    async def _value(self, http: Http, content: Mapping[str, Any]) -> Json:
        """One whole value. When it is gone or was written again, the list is read again (STO-50)."""
        params = {"namespace": str(content["namespace"]), "key": str(content["key"])}
        try:
            value = await http.json("GET", f"{self._path}/value", params=params)
        except Exception:
            self.reread()
            raise
        if value["updated_at"] != self._written(**params):
            await self._read(http)
        return value

    def _written(self, namespace: str, key: str) -> str | None:
        for one in self._store["namespaces"]:
            if one["namespace"] == namespace:
                return next((entry["updated_at"] for entry in one["entries"] if entry["key"] == key), None)
        return None

    async def _delete(self, http: Http, content: Mapping[str, Any]) -> Json:
        """Forgets a key, or with ``all`` the whole namespace; a message that names neither deletes nothing (STO-37)."""
        params = {"namespace": str(content["namespace"])}
        if content.get("all") is not True:
            params["key"] = str(content["key"])
        answer = await http.json("DELETE", self._path, params=params)
        await self._read(http)  # STO-51: afterwards the list is read again
        return answer

    def plain(self) -> str:
        """The keys as a table."""
        rows = [{**key, "namespace": one["namespace"]} for one in self._store["namespaces"] for key in one["entries"]]
        return self._fault or (html.plain(rows, COLUMNS) if rows else say("keeps_nothing", self._language, agent=self.agent_id))
