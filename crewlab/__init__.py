"""A crew of AI agents in JupyterLab: ``crewlab.connect()``, ``%load_ext crewlab``, and the entry points of Jupyter.

Importing it is cheap: everything below is loaded on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from crewlab._version import __version__

if TYPE_CHECKING:
    from crewlab.notebook.client import connect

__all__ = ["__version__", "connect", "load_ipython_extension"]


def __getattr__(name: str) -> Any:
    if name == "connect":
        return importlib.import_module("crewlab.notebook.client").connect
    if name in ("analytics", "client", "widgets"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext crewlab``: register the magics."""
    importlib.import_module("crewlab.notebook.magics").load_ipython_extension(shell)


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Where the built front end is, for JupyterLab."""
    return [{"src": "labextension", "dest": "@crewlab/labextension"}]


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    """The server extension, for Jupyter."""
    return [{"module": "crewlab.server_ext.app", "app": importlib.import_module("crewlab.server_ext.app").CrewlabApp}]
