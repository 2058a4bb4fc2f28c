"""The child process that turns one HTML page into text: standard library and trafilatura only (WEB-9).

Run by file path in an isolated interpreter. The page is its standard input (UTF-8); the order is one JSON argument
``{"parent", "memory", "seconds"}``. It writes one JSON object, ``{"title", "text"}``; both may be empty.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import resource
import signal
import sys
from typing import Any

PR_SET_PDEATHSIG = 1
FEW_CHARS = 200  # so little was found that the whole page is read instead
MUCH_MORE = 2
LOST = ("head", "script", "style", "noscript", "template", "svg", "iframe")


def bounded(order: dict[str, Any]) -> None:
    """End with the parent, after so many seconds of work, and with no more memory than allowed."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (order["memory"], order["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (order["seconds"], order["seconds"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if os.getppid() != order["parent"]:
        os._exit(0)


def read(page: str) -> dict[str, str]:
    """Title and text of the page: its main content, or everything that can be read where hardly any content was found."""
    import trafilatura
    from lxml import etree, html
    from trafilatura.settings import use_config

    if not page.strip():
        return {"title": "", "text": ""}
    tree = trafilatura.load_html(page)
    if tree is None:  # too little of a page for the library
        try:
            tree = html.document_fromstring(page)
        except etree.ParserError:  # nothing but a comment
            return {"title": "", "text": ""}
    title = " ".join((tree.findtext(".//title") or "").split())
    for lost in tree.xpath("|".join(f"//{name}" for name in LOST)):
        lost.drop_tree()
    settings = use_config()
    for name in ("MIN_EXTRACTED_SIZE", "MIN_OUTPUT_SIZE"):  # a short page is a page
        settings.set("DEFAULT", name, "1")
    main = trafilatura.extract(tree, output_format="txt", include_comments=False, favor_recall=True, config=settings) or ""
    if len(main) < FEW_CHARS:
        everything = trafilatura.html2txt(tree, clean=False) or ""
        main = everything if len(everything) > MUCH_MORE * len(main) else main
    return {"title": title, "text": main.strip()}


def main() -> None:
    """Take the order and answer it; what the libraries print goes nowhere."""
    order = json.loads(sys.argv[1])
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    logging.disable(logging.CRITICAL)
    bounded(order)
    sys.stdout.write(json.dumps(read(sys.stdin.buffer.read().decode("utf-8", "replace"))))


if __name__ == "__main__":
    main()
