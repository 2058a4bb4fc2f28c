"""``AgentsTable``: the crew with what each agent does, costs and holds (UI-155)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from crewlab.notebook.client import Crew
from crewlab.notebook.http import Http
from crewlab.notebook.records import Agent, Rows
from crewlab.widgets.live import Action, LiveWidget, front_end
from crewlab.widgets.state import head_of
from crewlab.widgets.usage import read_parts, sums_by
from crewlab.widgets.wire import Json

RUNS = 10  # runs of an agent that are shown at a time
SHOWN = ("id", "name", "description", "master", "mode", "live", "origin", "tools")


def rows_of(agents: list[Json], jobs: list[Json], week: Mapping[str, Json]) -> list[Json]:
    """One row for each agent: its own fields, its next job, what its calls have cost in the last seven days. Pure."""
    more = ({"next": next_job(agent["id"], jobs), "week": week.get(agent["id"])} for agent in agents)
    return [{name: agent.get(name) for name in SHOWN} | row for agent, row in zip(agents, more, strict=True)]


def next_job(agent_id: str, jobs: list[Json]) -> Json | None:
    """The job of an agent that runs next, when one will."""
    due = [job for job in jobs if job["agent_id"] == agent_id and job["enabled"] and not job["paused"] and job["next_run_at"]]
    first = min(due, key=lambda job: str(job["next_run_at"]), default=None)
    return None if first is None else {"id": first["id"], "name": first["name"], "at": first["next_run_at"]}


class AgentsTable(LiveWidget):
    """The agents, the master first. Python code may read, set and observe ``selected``: the ids of the chosen rows (UI-162)."""

    _esm = front_end("agents.js")
    _css = front_end("agents.css")
    LISTS: ClassVar[Mapping[str, str]] = {"agents": "id", "live": "id"}

    selected = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, *, crew: Crew | None = None) -> None:
        self._agents: list[Json] = []
        self._working: dict[str, Json] = {}  # runs that go on, by id
        super().__init__(crew)

    async def read(self, http: Http) -> None:
        """Reads agents, jobs and what was spent."""
        agents = (await http.json("GET", "/agents"))["agents"]
        jobs = (await http.json("GET", "/jobs"))["jobs"]
        spent = await read_parts(http, "week")
        self._agents = rows_of(agents, jobs, sums_by(spent["parts"], "agent_id"))

    def take(self, frame: Mapping[str, Any]) -> bool:
        """Who works now; agents, jobs and sums are read again when they may have changed."""
        kind = frame.get("type")
        if kind == "snapshot":
            self._working = {run["id"]: self._work(run) for run in frame["runs"]}
        if kind == "run":
            return self._take_run(frame["run"])
        return kind in ("snapshot", "jobs", "tools")

    def _take_run(self, run: Mapping[str, Any]) -> bool:
        going = run["status"] in ("running", "waiting")
        if going:
            self._working[run["id"]] = self._work(run)
        else:
            self._working.pop(run["id"], None)
        return not going

    @staticmethod
    def _work(run: Mapping[str, Any]) -> Json:
        return {name: run.get(name) for name in ("id", "agent_id", "status", "label", "started_at")}

    def contents(self) -> Json:
        """Rows, and the runs that go on."""
        return {"agents": self._agents, "live": list(self._working.values()), "dropped": 0}

    def told(self, contents: Json) -> None:
        """How many agents there are."""
        self.status = f"{len(self._agents)} agents"

    def actions(self) -> Mapping[str, Action]:
        """The runs of an agent; the chosen rows."""
        return {"runs": self._runs, "select": self._select}

    async def _runs(self, http: Http, content: Mapping[str, Any]) -> Json:
        params: dict[str, str | int | None] = {"agent_id": str(content["agent"]), "limit": RUNS}
        found = (await http.json("GET", "/activity/runs", params=params))["runs"]
        return {"runs": [head_of(run) for run in found]}

    async def _select(self, _: Http, content: Mapping[str, Any]) -> None:
        known = {agent["id"] for agent in self._agents}
        self.selected = [str(one) for one in content["agents"] if one in known]

    def plain(self) -> str:
        """The agents as a table."""
        return self._fault or repr(Rows(Agent(agent) for agent in self._agents))
