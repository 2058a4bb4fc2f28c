"""Steps and memory: charged before the work is done (SCR-49, SCR-50, SCR-55)."""

from __future__ import annotations

import posix
import resource
import sys
import time

from . import limits
from .faults import Stop

PAGE = resource.getpagesize()


class Memory:
    """What the process holds. Linux tells the present figure; elsewhere the highest so far stands for it."""

    def __init__(self, limit: int = limits.MAX_MEMORY) -> None:
        self._limit = limit
        self._file = -1
        if sys.platform.startswith("linux"):
            try:
                self._file = posix.open("/proc/self/statm", posix.O_RDONLY | posix.O_CLOEXEC)
            except OSError:
                self._file = -1
        self._base = self._resident()

    def _resident(self) -> int:
        if self._file >= 0:
            return int(posix.pread(self._file, 200, 0).split()[1]) * PAGE
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024

    def close(self) -> None:
        """Give the open file back; a process that runs one script need not."""
        if self._file >= 0:
            posix.close(self._file)
            self._file = -1

    def begin(self) -> None:
        """Take the level just before the script as the base."""
        self._base = self._resident()

    def measure(self, estimate: int = 0) -> None:
        """Stop the script when it holds, or with ``estimate`` more would hold, more than it may."""
        if estimate > self._limit or self._resident() - self._base + estimate > self._limit:
            raise Stop("limit_memory")


class Meter:
    """The budget of one run. ``left[0]`` is what may be spent until memory is measured again; ``left[1]`` the rest."""

    def __init__(self, steps: int = limits.MAX_STEPS, memory: Memory | None = None, seconds: float = limits.MAX_SECONDS) -> None:
        self.memory = memory or Memory()
        self.total = steps
        first = min(limits.STEPS_BETWEEN_MEASURES, steps)
        self.left = [first, steps - first]
        self.odd = 0
        self.until = time.process_time() + seconds

    @property
    def used(self) -> int:
        """Steps charged so far."""
        return self.total - self.left[0] - self.left[1]

    def refill(self, cost: int) -> int:
        """What is left of a new measure after ``cost``; negative, with nothing charged, when the budget cannot pay it."""
        left = self.left
        self.memory.measure()
        if time.process_time() > self.until:
            raise Stop("limit_steps")
        more = min(left[1], max(limits.STEPS_BETWEEN_MEASURES, cost))
        left[0] += more
        left[1] -= more
        return left[0] - cost

    def charge(self, cost: int) -> None:
        """Pay ``cost`` steps or stop."""
        left = self.left
        rest = left[0] - cost
        if rest < 0:
            rest = self.refill(cost)
            if rest < 0:
                raise Stop("limit_steps")
        left[0] = rest

    def text(self, characters: int) -> None:
        """Pay for reading or writing text."""
        if characters >= limits.TEXT_PER_STEP:
            self.charge(characters // limits.TEXT_PER_STEP)

    def copied(self, elements: int) -> None:
        """Pay for copying or scanning elements."""
        if elements >= limits.COPIED_PER_STEP:
            self.charge(elements // limits.COPIED_PER_STEP)

    def hashed(self, elements: int) -> None:
        """Pay for putting elements into a dict or set."""
        if elements >= limits.HASHED_PER_STEP:
            self.charge(elements // limits.HASHED_PER_STEP + elements * min(elements, self.odd) // limits.COLLISIONS_PER_STEP)

    def odd_key(self) -> None:
        """Pay for a key whose place in a dict a script can choose: it may meet every such key made before (SCR-241)."""
        self.odd += 1
        self.charge(self.odd // limits.COLLISIONS_PER_STEP)

    def room_text(self, characters: int, width: int = 4) -> None:
        """Make sure a text of so many characters may be made; ``width``: bytes a character at most."""
        if characters > limits.MAX_VALUE:
            raise Stop("limit_value")
        if characters * width >= limits.BIG_RESULT:
            self.memory.measure(49 + characters * width)
        self.text(characters)

    def room_list(self, elements: int, each: int = 8) -> None:
        """Make sure a list or tuple of so many elements may be made; ``each``: bytes an element, new objects included."""
        if elements > limits.MAX_VALUE:
            raise Stop("limit_value")
        if elements * each >= limits.BIG_RESULT:
            self.memory.measure(56 + elements * each)
        self.copied(elements)

    def room_dict(self, elements: int) -> None:
        """Make sure a dict or set of so many entries may be made."""
        if elements > limits.MAX_VALUE:
            raise Stop("limit_value")
        if elements * 104 >= limits.BIG_RESULT:
            self.memory.measure(elements * 104)
        self.hashed(elements)


def width(*texts: str) -> int:
    """Bytes a character of a text made of these takes at most."""
    return 1 if all(text.isascii() for text in texts) else 4
