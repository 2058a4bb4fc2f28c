"""A job as an object (UI-144, JOB-25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crewlab.notebook.http import Http
from crewlab.notebook.portal import Portal
from crewlab.notebook.records import Record, Rows, Run

SHOWN = ("id", "name", "words", "enabled", "paused", "running", "next_run_at")


class AsyncJob(Record):
    """One job of the crew. Fields are as last read."""

    SHOWN = SHOWN

    def __init__(self, http: Http, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self._http = http

    @property
    def path(self) -> str:
        """The route of this job."""
        return f"/jobs/{self['id']}"

    async def run(self) -> Record:
        """Runs it now."""
        return Record(await self._http.json("POST", f"{self.path}/run"))

    async def pause(self) -> AsyncJob:
        """It runs no more by itself until it is resumed."""
        return await self._state(paused=True)

    async def resume(self) -> AsyncJob:
        """It runs by itself again."""
        return await self._state(paused=False)

    async def _state(self, *, paused: bool) -> AsyncJob:
        self._data.update(await self._http.json("PATCH", f"{self.path}/state", body={"paused": paused}))
        return self

    async def runs(self) -> Rows[Run]:
        """Its runs, newest first."""
        return Rows(Run(one) for one in (await self._http.json("GET", f"{self.path}/runs"))["runs"])


class Job(Record):
    """One job of the crew. Fields are as last read."""

    SHOWN = SHOWN

    def __init__(self, portal: Portal, job: AsyncJob) -> None:
        super().__init__(job)
        self._portal, self._job = portal, job

    def run(self) -> Record:
        """Runs it now."""
        return self._portal.run(self._job.run())

    def pause(self) -> Job:
        """It runs no more by itself until it is resumed."""
        return self._taken(self._portal.run(self._job.pause()))

    def resume(self) -> Job:
        """It runs by itself again."""
        return self._taken(self._portal.run(self._job.resume()))

    def runs(self) -> Rows[Run]:
        """Its runs, newest first."""
        return self._portal.run(self._job.runs())

    def _taken(self, job: AsyncJob) -> Job:
        self._data.update(job)
        return self
