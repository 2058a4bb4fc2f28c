"""What `make bench` calls: the turn, then start-up. Arguments are passed on to `turn.py` (for example ``--quick``, ``--write``)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = {"--quick", "--write"}  # what startup.py knows as well


def main() -> int:
    given = sys.argv[1:]
    worst = 0
    for script, arguments in (("turn.py", given), ("startup.py", [each for each in given if each in SHARED])):
        worst = max(worst, subprocess.run([sys.executable, str(HERE / script), *arguments], check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
