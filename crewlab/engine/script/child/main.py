"""Entry of the child process, run by path: finds the interpreter beside it and serves one script (SCR-6)."""

import gc
import posix
import sys

gc.disable()  # nothing that is imported is ever given back
_here = __file__.rpartition("/")[0]
sys.path[:] = [*sys.path, _here.rpartition("/")[0]]

from child.session import serve  # type: ignore[import-not-found]  # noqa: E402

sys.path.clear()
gc.freeze()
gc.set_threshold(50_000, 20, 20)
gc.enable()
serve()
posix._exit(0)  # the last message is written; taking everything apart would only cost time
