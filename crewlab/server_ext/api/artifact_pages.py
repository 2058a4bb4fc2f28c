"""The headers under which content of canvases is served (CNV-114 to CNV-118): far from the application, and with no way out."""

from __future__ import annotations

from html import escape

CDNS = (  # CNV-116: fixed; no key extends it
    "https://cdn.jsdelivr.net",
    "https://cdnjs.cloudflare.com",
    "https://unpkg.com",
    "https://esm.sh",
    "https://fonts.googleapis.com",
    "https://fonts.gstatic.com",
)
_CDNS = " ".join(CDNS)
PAGE_POLICY = "; ".join(  # CNV-115
    (
        "sandbox allow-scripts",
        "default-src 'none'",
        f"script-src 'unsafe-inline' 'unsafe-eval' {_CDNS}",
        f"style-src 'unsafe-inline' {_CDNS}",
        f"font-src data: {_CDNS}",
        "img-src data: blob:",
        "media-src data: blob:",
        *(f"{name} 'none'" for name in ("connect-src", "worker-src", "frame-src", "object-src", "form-action", "base-uri")),
        "frame-ancestors 'self'",
    )
)
OFF = ("camera", "microphone", "geolocation", "usb", "serial", "clipboard-read", "clipboard-write", "display-capture")
COMMON = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-DNS-Prefetch-Control": "off",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in OFF),
}
PAGE_HEADERS = {**COMMON, "Content-Security-Policy": PAGE_POLICY}
HOLDER_HEADERS = COMMON
RAW_HEADERS = {  # CNV-125
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
}
NOT_IN_SOURCES = {";": "%3B", ",": "%2C", " ": "%20"}


def holder_policy(host: str, path: str) -> str:
    """The policy of the holder: its frame shows exactly the page at ``path`` of this server, however it tries to leave (CNV-118)."""
    source = f"{host}{path}"
    for sign, written in NOT_IN_SOURCES.items():
        source = source.replace(sign, written)
    return f"default-src 'none'; style-src 'unsafe-inline'; frame-src {source}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"


def holder_html(path: str) -> str:
    """The holder: one frame over the whole page, no script."""
    frame = f'<iframe sandbox="allow-scripts" referrerpolicy="no-referrer" src="{escape(path)}"></iframe>'
    style = "html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}"
    return f'<!doctype html><meta charset="utf-8"><style>{style}</style>{frame}'
