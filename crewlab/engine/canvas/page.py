"""The page that draws a diagram: library, source and error in one document that needs no network (CNV-120)."""

from __future__ import annotations

import json
from functools import lru_cache
from html import escape
from importlib import resources

from crewlab.engine.texts import Texts

LIBRARY = "mermaid.min.js"  # put there by the build of the front end
DRAWS = "diagram.js"
STYLE = "".join(
    (
        "body{margin:1rem;font-family:system-ui,sans-serif}svg{max-width:100%}",
        "pre{white-space:pre-wrap;overflow-wrap:anywhere}[hidden]{display:none}",
    )
)


@lru_cache(maxsize=2)
def script(name: str) -> str:
    """A script of ours that may stand in a page; "" where the front end was not built."""
    file = resources.files("crewlab.engine.canvas").joinpath("static", name)
    return file.read_text(encoding="utf-8").replace("</script", "<\\/script") if file.is_file() else ""


def diagram_page(source: str, texts: Texts) -> str:
    """The document that draws ``source``, or says why it cannot and shows it."""
    written = json.dumps(source, ensure_ascii=True).replace("<", "\\u003c")
    words = escape(texts("canvas.page_failed"))
    head = f'<!doctype html><html lang="{texts.language}"><head><meta charset="utf-8"><style>{STYLE}</style></head>'
    failed = f'<div id="failed" hidden><p>{words} <span id="why"></span></p><pre id="source"></pre></div>'
    scripts = "".join(f"<script>{each}</script>" for each in (script(LIBRARY), f"const source = {written};", script(DRAWS)))
    return f'{head}<body><div id="drawing"></div>{failed}{scripts}</body></html>'
