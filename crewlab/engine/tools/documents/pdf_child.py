"""The child process that reads one PDF: standard library, pypdf and pypdfium2 only (PDF-3, PDF-12).

Run by file path in an isolated interpreter. The document is its standard input; the order is one JSON argument
``{"first", "last", "most", "pixels", "scanned_chars", "parent", "memory", "render"}``. It writes JSON lines: first
``{"pages": N}`` or ``{"error": code}``, then one line per page: ``{"page", "text"}``, ``{"page", "picture": base64 JPEG}``,
``{"page", "scan": true}`` (a scan that nobody can look at), ``{"page", "empty": true}`` or ``{"page", "failed": kind}``.
"""

from __future__ import annotations

import base64
import ctypes
import io
import json
import os
import resource
import signal
import sys
from typing import Any

PR_SET_PDEATHSIG = 1
JPEG_QUALITY = 85


def bounded(order: dict[str, Any]) -> None:
    """End with the parent, and no more memory than allowed."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (order["memory"], order["memory"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if os.getppid() != order["parent"]:
        os._exit(0)


class Document:
    """One document, open in pypdf and, when a page has to be drawn, in pypdfium2."""

    def __init__(self, data: bytes, order: dict[str, Any]) -> None:
        from pypdf import PasswordType, PdfReader

        self._data = data
        self._order = order
        self._drawn: Any = None
        self.reader = PdfReader(io.BytesIO(data))
        self.locked = self.reader.is_encrypted and self.reader.decrypt("") == PasswordType.NOT_DECRYPTED

    def page(self, number: int) -> dict[str, Any]:
        """What page ``number`` (from 1) holds."""
        page = self.reader.pages[number - 1]
        text = page.extract_text() or ""
        solid = "".join(text.split())
        if len(solid) >= self._order["scanned_chars"]:
            return {"page": number, "text": text}
        if _has_picture(page):
            return {"page": number, "picture": self._draw(number)} if self._order["render"] else {"page": number, "scan": True}
        return {"page": number, "text": text} if solid else {"page": number, "empty": True}

    def _draw(self, number: int) -> str:
        import pypdfium2

        if self._drawn is None:
            self._drawn = pypdfium2.PdfDocument(self._data)
        page = self._drawn[number - 1]
        scale = self._order["pixels"] / max(1.0, *page.get_size())
        out = io.BytesIO()
        page.render(scale=min(scale, 4.0)).to_pil().convert("RGB").save(out, "JPEG", quality=JPEG_QUALITY)
        return base64.b64encode(out.getvalue()).decode()


def _has_picture(page: Any) -> bool:
    """Whether the page, or a form in it, carries a picture; a page whose parts cannot be listed counts as one that does."""
    try:
        return len(page.images) > 0
    except Exception:  # noqa: BLE001  # whatever a broken page raises: then it is drawn, and drawing tells
        return True


def answer(order: dict[str, Any]) -> None:
    """Read the document and write what it holds."""
    out = sys.stdout

    def tell(**line: Any) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    try:
        document = Document(sys.stdin.buffer.read(), order)
        count = len(document.reader.pages) if not document.locked else 0
    except Exception as error:  # noqa: BLE001  # pypdf raises many kinds on broken files; the parent says it in words
        return tell(error="broken", kind=type(error).__name__)
    if document.locked:
        return tell(error="locked")
    tell(pages=count)
    for number in range(order["first"], min(order["last"] or count, count, order["first"] + order["most"] - 1) + 1):
        try:
            tell(**document.page(number))
        except Exception as error:  # noqa: BLE001  # one bad page never costs the others (PDF-6)
            tell(page=number, failed=type(error).__name__)


def main() -> None:
    """Take the order and answer it; what the libraries print goes nowhere."""
    order = json.loads(sys.argv[1])
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    import logging

    logging.disable(logging.CRITICAL)
    bounded(order)
    answer(order)


if __name__ == "__main__":
    main()
