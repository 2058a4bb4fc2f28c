"""How ``crewlab doctor`` looks outside the home: the network of this machine, the installed packages, Jupyter."""

from __future__ import annotations

from crewlab.commands.doctor_facts import EXTENSION, OLLAMA_SECONDS
from crewlab.engine.texts import Texts

FRONT_END = "@crewlab/labextension"


def ollama_answers(base_url: str) -> bool:
    """Whether a server at the address lists at least one model."""
    import httpx

    try:
        answer = httpx.get(f"{base_url.rstrip('/')}/models", timeout=OLLAMA_SECONDS, trust_env=False)
        listed = answer.json() if answer.is_success else None
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return False
    return isinstance(listed, dict) and bool(listed.get("data"))


def extension_enabled() -> bool:
    """Whether Jupyter will load the server extension."""
    from jupyter_core.paths import jupyter_config_path
    from jupyter_server.extension.config import ExtensionConfigManager

    manager = ExtensionConfigManager(read_config_path=jupyter_config_path())
    enabled: dict[str, bool] = manager.get_jpserver_extensions()  # type: ignore[no-untyped-call]
    return bool(enabled.get(EXTENSION))


def front_end_installed() -> bool:
    """Whether the built front end lies where JupyterLab looks for it."""
    from pathlib import Path

    from jupyter_core.paths import jupyter_path

    return any((Path(directory) / FRONT_END / "package.json").is_file() for directory in jupyter_path("labextensions"))


def sandbox_missing(texts: Texts) -> str:
    """Why a form of the sandbox cannot be had here, found by trying both in a home that is thrown away; empty when both work."""
    import asyncio
    import os
    import tempfile
    from pathlib import Path

    from crewlab.engine.home.layout import Home
    from crewlab.engine.sandbox import Sandbox

    with tempfile.TemporaryDirectory(prefix="crewlab-") as folder:
        home = Home(Path(folder))
        home.ensure(texts)
        sandbox = Sandbox(home, os.environ, texts)
        asyncio.run(sandbox.ready())
    return sandbox.state.why


def fence_missing() -> str:
    """Why scripts have no sandbox of the operating system; empty when they have (SCR-13)."""
    from crewlab.engine.script.fence import fence

    return fence().why
