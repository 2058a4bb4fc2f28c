"""What this server serves (UI-127)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab._version import __version__
from crewlab.server_ext.api.models import VersionInfo
from crewlab.server_ext.entry import served_entry

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


async def version(crew: Crew) -> VersionInfo:
    """The package's version, the front end's entry, and the language when the home names one (UI-6)."""
    language = crew.settings.language if "language" in crew.settings.declared else None
    return VersionInfo(version=__version__, entry=served_entry(), language=language)
