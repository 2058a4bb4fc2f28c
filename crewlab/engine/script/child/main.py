"""Entry of the child process, run by path: loads the interpreter beside it and serves one script (SCR-6)."""

import gc
import posix
import sys

gc.disable()  # nothing that is imported is ever given back
TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
_here = __file__.rpartition("/")[0]


def _bundle() -> "list[tuple[str, types.CodeType]]":
    """The modules of the interpreter from one file of byte code, each after those it needs; see ``compiled`` on the server's side."""
    import marshal

    path = f"{_here}/__pycache__/bundle.{sys.implementation.cache_tag}"
    try:
        made = posix.stat(path).st_mtime
        with posix.scandir(_here) as entries:
            if any(entry.stat().st_mtime > made for entry in entries if entry.name.endswith(".py") and entry.name != "main.py"):
                return []
        descriptor = posix.open(path, posix.O_RDONLY)
        data = posix.read(descriptor, posix.fstat(descriptor).st_size)
        posix.close(descriptor)
        found: list[tuple[str, types.CodeType]] = marshal.loads(data)
    except (OSError, ValueError, EOFError, TypeError):
        return []
    return found


def _load(codes: "list[tuple[str, types.CodeType]]") -> None:
    """Run our own files, never a script, without the machinery that looks for modules: half of what the start would cost."""
    kind = type(sys)
    for name, code in codes:
        module = kind(name)
        module.__package__ = "child"
        if name == "child":
            module.__path__ = []
        sys.modules[name] = module
        exec(code, module.__dict__)
        if name != "child":
            setattr(sys.modules["child"], name[6:], module)


sys.path.reverse()  # what is imported from the standard library stands in its last directory
_found = _bundle()
if _found:
    _load(_found)
else:
    sys.path.append(_here.rpartition("/")[0])

serve = __import__("child.session", fromlist=["serve"]).serve

sys.path.clear()
sys.meta_path.clear()
gc.freeze()
gc.set_threshold(50_000, 20, 20)
gc.enable()
serve()
posix._exit(0)  # the last message is written; taking everything apart would only cost time
