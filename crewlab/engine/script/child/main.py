"""Entry of the child process, run by path: finds the interpreter beside it and serves one script (SCR-6)."""

import sys

_here = __file__.rpartition("/")[0]
sys.path.append(_here.rpartition("/")[0])

from child.session import serve  # type: ignore[import-not-found]  # noqa: E402

sys.path.clear()
serve()
