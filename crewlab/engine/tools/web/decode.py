"""From the bytes of a page to its text: what the server says, what the page says, and what the bytes themselves show. Pure."""

from __future__ import annotations

import codecs
import re

META_BYTES = 4096  # where a page may name its own character set
DEFAULT = "utf-8"
LAST = "windows-1252"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"<meta[^>]{0,300}charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{2,40})[\"']", re.IGNORECASE)
_HEADER = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)
_KNOWN = {  # the character sets of the web, by the codec that reads them; every other name counts as none
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16-le"), "utf-16-le"),
    **dict.fromkeys(("utf-16be", "utf-16-be"), "utf-16-be"),
    **dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii", "windows-1252", "cp1252"), LAST),
    **{f"iso-8859-{number}": f"iso-8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{name.format(number): f"cp{number}" for number in range(1250, 1259) if number != 1252 for name in ("windows-{}", "cp{}")},
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620", "windows-874"), "cp874"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "x-x-big5"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "korean"), "cp949"),
    **{name: name for name in ("euc-jp", "iso-2022-jp", "koi8-r", "koi8-u")},
    **dict.fromkeys(("macintosh", "x-mac-roman"), "mac-roman"),
}
_UNPRINTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def decoded(body: bytes, content_type: str) -> str:
    """The text of ``body``, which may end in the middle of a character. A wrong declaration never loses a text that is plain UTF-8."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _clean(_read(body[len(mark) :], codec, strict=False) or "")
    declared = _declared(body, content_type)
    wide = declared is not None and declared.startswith("utf-16")
    candidates: list[str | None] = [declared] if wide else [DEFAULT, declared, LAST]
    for candidate in candidates:
        text = _read(body, candidate, strict=True) if candidate else None
        if text is not None:
            return _clean(text)
    return _clean(_read(body, declared or DEFAULT, strict=False) or "")


def _declared(body: bytes, content_type: str) -> str | None:
    """The codec that the header names, else the page itself."""
    start = body[:META_BYTES]
    header = _HEADER.search(content_type)
    own = _XML.search(start) or _META.search(start)
    names = [header[1] if header else "", own[1].decode("ascii") if own else ""]
    return next((_KNOWN[name.lower()] for name in names if name.lower() in _KNOWN), None)


def _read(body: bytes, codec: str, *, strict: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(codec)("strict" if strict else "replace").decode(body)
    except UnicodeDecodeError:
        return None


def _clean(text: str) -> str:
    return _UNPRINTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
