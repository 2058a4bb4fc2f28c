"""Entry of the child process, run by path: loads the interpreter beside it and serves one script (SCR-6)."""

from __future__ import annotations

import gc
import posix
import sys

gc.disable()  # nothing that is imported is ever given back
TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from importlib import machinery
_here = __file__.rpartition("/")[0]


class _Bundle:
    """Finds the modules of the interpreter in one file of byte code; see ``compiled`` on the server's side."""

    def __init__(self, codes: dict[str, types.CodeType]) -> None:
        self.codes = codes

    def find_spec(self, name: str, path: object = None, target: object = None) -> machinery.ModuleSpec | None:
        """The module, when it is one of the interpreter's."""
        package, _, stem = name.partition(".")
        if package != "child" or (stem or "__init__") not in self.codes:
            return None
        return type(sys.__spec__)(name, self, is_package=not stem)  # type: ignore[arg-type]

    def create_module(self, spec: object) -> None:
        """A plain module will do."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the module's code: our own files, never a script."""
        exec(self.codes[module.__name__.partition(".")[2] or "__init__"], module.__dict__)


def _bundle() -> _Bundle | None:
    import marshal

    path = f"{_here}/__pycache__/bundle.{sys.implementation.cache_tag}"
    try:
        made = posix.stat(path).st_mtime
        with posix.scandir(_here) as entries:
            if any(entry.stat().st_mtime > made for entry in entries if entry.name.endswith(".py") and entry.name != "main.py"):
                return None
        descriptor = posix.open(path, posix.O_RDONLY)
        data = posix.read(descriptor, posix.fstat(descriptor).st_size)
        posix.close(descriptor)
        return _Bundle(marshal.loads(data))
    except (OSError, ValueError, EOFError, TypeError):
        return None


_found = _bundle()
if _found is None:
    sys.path.append(_here.rpartition("/")[0])
else:
    sys.meta_path.insert(0, _found)

serve = __import__("child.session", fromlist=["serve"]).serve

sys.path.clear()
sys.meta_path.clear()
gc.freeze()
gc.set_threshold(50_000, 20, 20)
gc.enable()
serve()
posix._exit(0)  # the last message is written; taking everything apart would only cost time
