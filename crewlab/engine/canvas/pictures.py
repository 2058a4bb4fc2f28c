"""What picture a file really is, by its first bytes, and how large it is shown (CNV-45, CNV-63)."""

from __future__ import annotations

import struct
from dataclasses import dataclass

PNG = b"\x89PNG\r\n\x1a\n"
GIF = (b"GIF87a", b"GIF89a")
JPEG = b"\xff\xd8\xff"
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG segments that hold the size
ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # JPEG markers without a length


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's format (``png``, ``jpeg``, ``gif``, ``webp``) and its size in pixels."""

    format: str
    width: int
    height: int

    @property
    def content_type(self) -> str:
        """Its media type."""
        return f"image/{self.format}"


def picture_of(data: bytes) -> Picture | None:
    """The picture ``data`` is; ``None`` when it is none of the four formats or has no size."""
    for format, measure in (("png", _png), ("gif", _gif), ("jpeg", _jpeg), ("webp", _webp)):
        try:
            size = measure(data)
        except (struct.error, IndexError):
            return None
        if size is not None:
            return Picture(format, *size) if all(size) else None
    return None


def _png(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(PNG) or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(GIF):
        return None
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _jpeg(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(JPEG):
        return None
    place = 2
    while True:
        while data[place] == 0xFF and data[place + 1] == 0xFF:
            place += 1
        if data[place] != 0xFF:
            return 0, 0
        marker = data[place + 1]
        if marker in FRAMES:
            height, width = struct.unpack_from(">HH", data, place + 5)
            return width, height
        place += 2 if marker in ALONE else 2 + struct.unpack_from(">H", data, place + 2)[0]


def _webp(data: bytes) -> tuple[int, int] | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    form = data[12:16]
    if form == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if form == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + ((bits >> 14) & 0x3FFF)
    if form == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0
