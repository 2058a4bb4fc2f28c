"""What a command printed, in bounded memory: the beginning, the end, and a count of what lay between (SHL-14)."""

from __future__ import annotations

KEPT_BYTES = 5_000_000  # SHL-14: half from the beginning, half from the end
HALF = KEPT_BYTES // 2


class Output:
    """Takes bytes as they come and keeps at most ``KEPT_BYTES`` (for a moment as much again at the end)."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._total += len(data)
        room = HALF - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data
            if len(self._tail) > 2 * HALF:
                del self._tail[:-HALF]

    @property
    def total(self) -> int:
        """How many bytes came."""
        return self._total

    @property
    def left_out(self) -> int:
        """How many bytes between beginning and end are not kept."""
        return max(0, self._total - len(self._head) - HALF)

    @property
    def full(self) -> bool:
        """Whether more has come than is kept."""
        return self._total > KEPT_BYTES

    def parts(self) -> tuple[str, str]:
        """Beginning and end as text; bytes that are no UTF-8 are replaced. The end is empty while nothing is left out."""
        if not self.left_out:
            return (bytes(self._head) + bytes(self._tail)).decode("utf-8", "replace"), ""
        return self._head.decode("utf-8", "replace"), self._tail[-HALF:].decode("utf-8", "replace")
