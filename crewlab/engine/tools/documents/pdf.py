"""``pdf_read``: typeset pages as text, scanned ones through the vision chain, one page at a time (PDF-1 to PDF-13)."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

from crewlab.engine.store.conversations import Charge
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.documents.finding import opened, refusal
from crewlab.engine.tools.documents.pages import MAX_PAGES, Page, Pages, Unreadable, libraries_there
from crewlab.engine.tools.shown import size

MAX_PDF_BYTES = 50 * 1024 * 1024  # PDF-11
RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?")
MAGIC = b"%PDF-"
MAGIC_WITHIN = 1024


def pdf_tool(texts: Texts, home: Path) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        if not libraries_there():
            raise ToolError(texts("media.pdf_missing"))
        with opened(arguments["path"], context, home) as found:
            _check(found.descriptor, found.asked, texts)
            try:
                return await _read(Pages(found.descriptor, render=context.sight is not None), arguments.get("pages"), context)
            except Unreadable as error:
                raise ToolError(texts(f"media.pdf_{error.code}", path=found.asked)) from error

    return Tool(
        name="pdf_read",
        description=texts("media.pdf_read.description", limit=MAX_PAGES),
        parameters={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": texts("media.pdf_read.path")},
                "pages": {"type": "string", "description": texts("media.pdf_read.pages")},
            },
            "required": ["path"],
            "additionalProperties": False,
        },
        run=run,
        tier="read",
        script="any",
        replay_safe=True,
        refuse_reason=lambda arguments, context: refusal(arguments["path"], context, home),
        marking="line",
    )


def _check(descriptor: int, asked: str, texts: Texts) -> None:
    length = os.fstat(descriptor).st_size
    if length > MAX_PDF_BYTES:
        raise ToolError(texts("media.pdf_large", path=asked, size=size(length, texts), limit=size(MAX_PDF_BYTES, texts)))
    if MAGIC not in os.pread(descriptor, MAGIC_WITHIN, 0):
        raise ToolError(texts("media.no_pdf", path=asked))


def window(pages: str | None, count: int, texts: Texts) -> tuple[int, int]:
    """The first and the last page that are asked for, both from 1. Raises ``ToolError`` with the number of pages (PDF-11)."""
    if pages is None:
        return 1, count
    match = RANGE.fullmatch(pages)
    first = int(match[1]) if match else 0
    last = int(match[2] or match[1]) if match else 0
    if not 1 <= first <= last <= count:
        raise ToolError(texts("media.pdf_range", pages=repr(pages[:40]), count=count))
    return first, last


async def _read(pages: Pages, asked: str | None, context: ToolContext) -> str:
    texts = context.texts
    count = await pages.count_pages()
    if count == 0:
        raise ToolError(texts("media.pdf_no_pages"))
    first, wanted = window(asked, count, texts)
    last = min(wanted, first + MAX_PAGES - 1)
    parts = [texts("media.document_data")]
    async with aclosing(pages.read(first, last)) as found:
        async for number, words in _words(found, context):
            parts.append(f"--- Page {number} ---\n{words}")
    if asked is not None and last < wanted:
        parts.append(texts("media.pdf_cut", limit=MAX_PAGES))
    if last < count:
        following = f"{last + 1}-{min(count, last + MAX_PAGES)}" if last + 1 < count else str(count)
        parts.append(texts("media.pdf_more", last=last, count=count, next=following))
    return "\n\n".join(parts)


async def _words(found: AsyncIterator[Page], context: ToolContext) -> AsyncIterator[tuple[int, str]]:
    async for page in found:
        yield page.number, page.text.strip() if page.text is not None else await _scan(page, context)


async def _scan(page: Page, context: ToolContext) -> str:
    """A page without a text of its own: what the vision chain reads, or one line in brackets (PDF-6, PDF-7, PDF-13)."""
    texts = context.texts
    if page.picture is None or context.sight is None:
        known = page.why in ("scan", "empty", "slow")
        return f"[{texts(f'media.page_{page.why}') if known else texts('media.page_failed', kind=page.why or '')}]"
    if context.sight.is_spent(sum(context.charges, Charge())):
        return f"[{texts('media.page_cap')}]"
    try:
        words, charge = await context.sight.read(
            "pdf", texts("media.look_system"), texts("media.transcribe"), page.picture, "image/jpeg"
        )
    except ToolError as error:
        return f"[{texts('media.page_unread', why=error.message)}]"
    context.charges.append(charge)
    return words
