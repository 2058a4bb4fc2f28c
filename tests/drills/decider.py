"""One surface that decides every open request of a store it shares with others; run as ``python -m tests.drills.decider``.

Prints one line of JSON when it is done: the requests it decided with the word it gave, and for each one it lost what it found.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Literal

from crewlab.engine.clock import SystemClock, iso
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

WORDS: tuple[Literal["approved", "denied", "expired"], ...] = ("approved", "denied", "expired")


def main(file: str, seed: int, ids: Path) -> None:
    """Decide all requests named in ``ids`` in an order of its own."""
    dice = random.Random(seed)
    store = Store(Path(file), Texts("en"))
    order = ids.read_text().split()
    dice.shuffle(order)
    print("ready", flush=True)
    sys.stdin.readline()  # all begin at the same time
    won: dict[str, str] = {}
    lost: dict[str, str] = {}
    for approval_id in order:
        word = dice.choice(WORDS)
        if store.approvals.decide(approval_id, word, iso(SystemClock().now())) is not None:
            won[approval_id] = word
        else:
            found = store.approvals.get(approval_id)
            lost[approval_id] = found.status if found else "gone"
    store.close()
    print(json.dumps({"won": won, "lost": lost}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
