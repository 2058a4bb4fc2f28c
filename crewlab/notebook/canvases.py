"""A canvas as an object (CNV-132, UI-144): thin faces of the routes, which hold every rule."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crewlab.notebook.errors import CrewError
from crewlab.notebook.http import Http
from crewlab.notebook.portal import Portal
from crewlab.notebook.records import Record, Rows
from crewlab.notebook.words import say

SHOWN = ("id", "title", "kind", "version", "bytes", "author", "updated_at")


def _write(path: str | Path, data: bytes) -> Path:
    target = Path(path).expanduser()
    target.write_bytes(data)
    return target


class Version(Record):
    """One version of a canvas."""

    SHOWN = ("version", "author", "how", "bytes", "created_at")


class AsyncArtifact(Record):
    """The record of a canvas (CNV-124). Fields are as last read; every method that changes it reads it again."""

    SHOWN = SHOWN

    def __init__(self, http: Http, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self._http = http

    @property
    def path(self) -> str:
        """The route of this canvas."""
        return f"/artifacts/{self['id']}"

    async def refresh(self) -> AsyncArtifact:
        """Reads the record again."""
        return self._taken(await self._http.json("GET", self.path))

    async def text(self, version: int | None = None) -> str:
        """The text of a version, the newest when none is named. Raises ``CrewError`` (``no_text``) for a picture."""
        found = await self._http.json("GET", self.path if version is None else f"{self.path}/versions/{version}")
        if found["content"] is None:
            raise CrewError("no_text", 0, say("no_text", self._http.language, id=self["id"]))
        return str(found["content"])

    async def versions(self) -> Rows[Version]:
        """Its versions, as the route lists them."""
        return Rows(Version(one) for one in (await self._http.json("GET", f"{self.path}/versions"))["versions"])

    async def save(self, text: str, base: int | None = None) -> AsyncArtifact:
        """Saves ``text`` as a new version on top of ``base`` (default: the version this object knows).

        Raises ``CrewError`` when somebody has saved since; nothing is written then (CNV-126).
        """
        body = {"content": text, "base_version": self["version"] if base is None else base}
        return self._taken(await self._http.json("PUT", self.path, body=body))

    async def restore(self, version: int) -> AsyncArtifact:
        """Makes an older version the newest; the versions in between stay (CNV-127)."""
        return self._taken(await self._http.json("POST", f"{self.path}/restore", body={"version": version}))

    async def to_file(self, path: str | Path, version: int | None = None) -> Path:
        """Writes a version to a file of this machine, in place of what was there; a picture as its bytes."""
        number = self["version"] if version is None else version
        data = await self._http.data(f"{self.path}/versions/{number}/raw")
        return await asyncio.to_thread(_write, path, data)

    def _taken(self, answer: Mapping[str, Any]) -> AsyncArtifact:
        self._data.update({name: answer[name] for name in self._data if name in answer})
        return self


class Artifact(Record):
    """A canvas (CNV-132). Fields are as last read; every method that changes it reads it again."""

    SHOWN = SHOWN

    def __init__(self, portal: Portal, artifact: AsyncArtifact) -> None:
        super().__init__(artifact)
        self._portal, self._artifact = portal, artifact

    def refresh(self) -> Artifact:
        """Reads the record again."""
        return self._taken(self._portal.run(self._artifact.refresh()))

    def text(self, version: int | None = None) -> str:
        """The text of a version, the newest when none is named. Raises ``CrewError`` (``no_text``) for a picture."""
        return self._portal.run(self._artifact.text(version))

    def versions(self) -> Rows[Version]:
        """Its versions."""
        return self._portal.run(self._artifact.versions())

    def save(self, text: str, base: int | None = None) -> Artifact:
        """Saves ``text`` as a new version on top of ``base`` (default: the version this object knows); see ``AsyncArtifact``."""
        return self._taken(self._portal.run(self._artifact.save(text, base)))

    def restore(self, version: int) -> Artifact:
        """Makes an older version the newest; the versions in between stay (CNV-127)."""
        return self._taken(self._portal.run(self._artifact.restore(version)))

    def to_file(self, path: str | Path, version: int | None = None) -> Path:
        """Writes a version to a file of this machine, in place of what was there."""
        return self._portal.run(self._artifact.to_file(path, version))

    def _taken(self, artifact: AsyncArtifact) -> Artifact:
        self._data.update(artifact)
        return self
