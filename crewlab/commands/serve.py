"""``crewlab serve``: JupyterLab with the crew in it (AGT-4, DB-12)."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Mapping, Sequence

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.layout import HOME_VARIABLE, Home
from crewlab.engine.texts import Language, Texts

Launch = Callable[[list[str]], None]


def serve(
    home: Home,
    environ: Mapping[str, str],
    texts: Texts,
    *,
    port: int | None = None,
    schedule: bool = True,
    browser: bool = True,
    jupyter_arguments: Sequence[str] = (),
    launch: Launch | None = None,
) -> int:
    """Check the home, then start JupyterLab in this process; returns when it ends.

    A held home, a configuration that cannot stand and a taken port are said before Jupyter starts:
    exit code 1 with the message (raised as ``StartupStop``).
    """
    language, warnings = check(home, environ, texts)
    texts = Texts(language)
    for warning in warnings:
        print(warning, file=sys.stderr)
    if port and not port_is_free(port):
        raise StartupStop(texts("cli.port_taken", port=port), port=port)
    os.environ[HOME_VARIABLE] = str(home.root)
    (launch or _launch)(jupyter_options(port=port, schedule=schedule, browser=browser, further=jupyter_arguments))
    return 0


def check(home: Home, environ: Mapping[str, str], texts: Texts) -> tuple[Language, list[str]]:
    """Read everything of the home as the server will, while holding it; returns its language and the warnings.

    The lock comes first: of a held home nothing is read (DB-12). It is let go again, because the
    extension takes it when the server starts.
    """
    from crewlab.engine.agents.roster import load_roster
    from crewlab.engine.home.lock import HomeLock
    from crewlab.engine.home.settings import load_settings

    lock = HomeLock(home, texts)
    lock.acquire()
    try:
        settings = load_settings(home, environ, texts)
        return settings.language, load_roster(home, settings, Texts(settings.language)).warnings
    finally:
        lock.release()


def jupyter_options(*, port: int | None, schedule: bool, browser: bool, further: Sequence[str]) -> list[str]:
    """The command line of JupyterLab. What the person added comes last and wins."""
    options: list[str] = []
    if port is not None:
        options += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if not schedule:
        options.append("--CrewlabApp.schedule=False")  # AGT-10
    if not browser:
        options.append("--no-browser")
    return [*options, *(argument for argument in further if argument != "--")]


def port_is_free(port: int) -> bool:
    """Whether a server of this machine can listen there."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _launch(options: list[str]) -> None:
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(options)
