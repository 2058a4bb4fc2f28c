"""What of the Jupyter server itself no sandboxed command may reach: its ports and the places that hold its secrets (SHL-58, SHL-59)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CONFIGS = ("jupyter_server_config", "jupyter_notebook_config", "jupyter_lab_config")  # a password's hash, a token, a certificate


def own_ports(app: Any) -> list[int]:
    """The TCP ports this server listens on."""
    return [app.port] if app.port else []


def own_secrets(app: Any) -> list[Path]:
    """The runtime folders (token, keys of kernels), the cookie secret, the password's and certificates' files."""
    from jupyter_core.paths import jupyter_data_dir, jupyter_runtime_dir

    data = Path(jupyter_data_dir())
    configs = [Path(folder) / f"{name}{ending}" for folder in app.config_file_paths for name in CONFIGS for ending in (".json", ".py")]
    named = [app.cookie_secret_file, app.certfile, app.keyfile, app.client_ca, app.sock]
    return [
        *(Path(app.runtime_dir), Path(jupyter_runtime_dir()), data / "runtime", data / "notebook_secret", data / "jupyter_cookie_secret"),
        *(Path(path) for path in named if path),
        *configs,
    ]
