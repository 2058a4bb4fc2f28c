"""Unpacking what a server sends compressed, never beyond a bound: a few bytes may stand for gigabytes."""

from __future__ import annotations

import zlib

WINDOWS = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
ENCODINGS = "gzip, deflate"


class UnknownEncoding(Exception):
    """The server compressed in a way that was not asked for."""


class Damaged(Exception):
    """What came is not what the server says it is."""


class Unpacker:
    """Turns the bytes of a body into those of the page. ``encoding`` is the header as it came."""

    def __init__(self, encoding: str) -> None:
        name = encoding.strip().lower()
        if name in ("", "identity"):
            self._stream = None
        elif name in WINDOWS:
            self._window = WINDOWS[name]
            self._stream = zlib.decompressobj(self._window)
        else:
            raise UnknownEncoding
        self._fresh = True

    def feed(self, data: bytes, most: int) -> bytes:
        """What ``data`` adds, at most ``most`` bytes; the rest is dropped. Raises ``Damaged``."""
        if self._stream is None:
            return data[:most]
        out = bytearray()
        while data and len(out) < most:
            out += self._step(data, most - len(out))
            if not self._stream.eof:
                break
            data = self._stream.unused_data
            if data and not data.startswith(b"\x1f\x8b"):  # what follows the end and begins no further part is no page
                break
            self._stream = zlib.decompressobj(self._window)
        return bytes(out)

    def _step(self, data: bytes, most: int) -> bytes:
        if self._stream is None:
            return data[:most]
        fresh, self._fresh = self._fresh, False
        try:
            return self._stream.decompress(data, most)
        except zlib.error as error:
            if not (fresh and self._window == zlib.MAX_WBITS):
                raise Damaged from error
            self._window = -zlib.MAX_WBITS  # "deflate" is sent with and without its frame
            self._stream = zlib.decompressobj(self._window)
            return self._step(data, most)
