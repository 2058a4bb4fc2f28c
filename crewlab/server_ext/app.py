"""The Jupyter server extension: traits, routes, and the crew's start and stop (AGT-10, RES-16).

This module and what it imports are loaded when JupyterLab starts: the engine is not among them. It is
built in the background, its modules loaded in a worker thread.
"""

from __future__ import annotations

import asyncio
import importlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jupyter_server.extension.application import ExtensionApp
from traitlets import Bool, Unicode

from crewlab.server_ext.adapter import ApiHandler
from crewlab.server_ext.guard import allowed_hosts
from crewlab.server_ext.hidden import own_ports, own_secrets
from crewlab.server_ext.holder import CrewHolder
from crewlab.server_ext.socket import WindowSocket

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew

ENGINE_MODULES = ("crewlab.engine.crew", "crewlab.server_ext.calling", "crewlab.server_ext.window")


class CrewlabApp(ExtensionApp):
    """One crew behind ``/crewlab/api``."""

    name = "crewlab"
    description = "A crew of AI agents in JupyterLab"
    load_other_extensions = True

    schedule = Bool(True, help="Whether jobs and waiting messages start by themselves.").tag(config=True)
    enabled = Bool(True, help="Whether the crew is built at all.").tag(config=True)
    analytics = Bool(True, help="Whether the DuckDB copy for questions is kept.").tag(config=True)
    home = Unicode("", help="The crew's home; empty for CREWLAB_HOME or ~/.crewlab.").tag(config=True)

    holder: CrewHolder

    def initialize_handlers(self) -> None:
        """One handler for all plain routes, one for the WebSocket; everything else under ``/crewlab`` is a JSON 404."""
        self.holder = CrewHolder(self._build if self.enabled else None, self.log)
        common = {"holder": self.holder, "names": allowed_hosts(os.environ)}
        self.handlers.extend(
            [
                (r"/crewlab/api/ws", WindowSocket, common),
                (r"/crewlab/api/(?P<path>.*)", ApiHandler, common),
                (r"/crewlab(?P<path>(?:/.*)?)", ApiHandler, common),
            ]
        )

    async def _start_jupyter_server_extension(self, serverapp: Any) -> None:
        """Begin to build the crew; JupyterLab does not wait for it."""
        self.holder.start()

    async def stop_extension(self) -> None:
        """End the crew with the server."""
        await self.holder.stop()

    async def _build(self) -> Crew:
        for module in ENGINE_MODULES:
            await asyncio.to_thread(importlib.import_module, module)
        from crewlab.engine.crew import open_crew
        from crewlab.engine.home.layout import HOME_VARIABLE, Home
        from crewlab.engine.sandbox.system import close_to_others

        named = {**os.environ, HOME_VARIABLE: self.home} if self.home else os.environ
        hidden = tuple(own_secrets(self.serverapp)) if self.serverapp is not None else ()
        crew = await open_crew(replace(Home.locate(named), hidden=hidden), environ=os.environ, person=lambda: True)
        close_to_others()
        if self.serverapp is not None:
            crew.sandbox.announce(ports=own_ports(self.serverapp), secrets=hidden)
            crew.exports.hide(self.serverapp.identity_provider.token)  # TURN-104
        crew.analytics.enabled = self.analytics
        await crew.start(schedule=self.schedule)
        return crew
