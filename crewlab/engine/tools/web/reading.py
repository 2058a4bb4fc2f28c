"""One public page, read for an agent: the way that ``fetch_url`` and every other reader of pages goes (WEB-1 to WEB-13)."""

from __future__ import annotations

import codecs
import logging
import re
from dataclasses import dataclass
from typing import Literal

from crewlab.engine.net.failures import NetProblem
from crewlab.engine.net.guard import Guard, Judged
from crewlab.engine.net.request import Answer, Limits, request
from crewlab.engine.texts import Texts
from crewlab.engine.tools.shown import size
from crewlab.engine.tools.web.decode import decoded
from crewlab.engine.tools.web.extract import Html, Unreadable
from crewlab.engine.tools.web.firecrawl import Firecrawl
from crewlab.engine.tools.web.service import ServiceFailed

MARKDOWN_CHARS = 20_000  # WEB-8
TEXT_CHARS = 6_000  # WEB-9
ERROR_CHARS = 300  # WEB-12
TITLE_CHARS = 300
ADDRESS_CHARS = 2_000
ACCEPTED = 202  # WEB-11
HTML = ("text/html", "application/xhtml+xml")
TEXTUAL = re.compile(r"text/.*|.*\+(json|xml|yaml)|application/(x-)?(json|xml|yaml|ndjson|json-seq|javascript|toml|sql)")
MEDIA = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}")
LOOKS_HTML = re.compile(r"\s*(<!--.{0,500}?-->\s*)?<(!doctype html|html|head|body|title)\b", re.IGNORECASE | re.DOTALL)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Page:
    """A page with text. ``url`` is the address that was asked for; ``final`` where it was read when that is another.

    ``title`` and ``final`` are the page's words. ``limit`` is how much of ``text`` is given at most (WEB-8, WEB-9).
    """

    url: str
    status: int
    title: str
    text: str
    limit: int
    cut: str | None = None
    final: str | None = None


class NoPage(Exception):
    """There is no page to read. ``said`` is for the model, in the program's words; ``words`` what the server wrote, to be fenced."""

    def __init__(self, said: str, words: str = "") -> None:
        super().__init__(said)
        self.said = said
        self.words = words


class PageReader:
    """Reads pages; whatever goes wrong is ``NoPage``."""

    def __init__(self, guard: Guard, firecrawl: Firecrawl, html: Html, texts: Texts, limits: Limits | None = None) -> None:
        self._guard = guard
        self._firecrawl = firecrawl
        self._html = html
        self._texts = texts
        self._limits = limits or Limits()

    async def read(self, address: str) -> Page:
        """The page at ``address``; the address is judged before anything is asked anywhere (WEB-4)."""
        try:
            judged = await self._guard.check(address)
            return await self._scraped(judged) or await self._plain(judged)
        except NetProblem as problem:
            raise NoPage(problem.say(self._texts)) from problem

    async def _scraped(self, judged: Judged) -> Page | None:
        """The page as firecrawl gives it; ``None`` when there is no such service or it gives none (WEB-9)."""
        if self._firecrawl.base is None:
            return None
        url = judged.target.url
        try:
            page = await self._firecrawl.page(url)
            if not 200 <= page.status < 300 or page.status == ACCEPTED:
                raise ServiceFailed(f"page_{page.status}")
            final = None if page.url == url else (await self._guard.check(page.url)).target.url
        except (ServiceFailed, NetProblem) as error:
            logger.warning("firecrawl gave no page: %s", error)
            return None
        elsewhere = None if final == url else final
        return Page(url, page.status, page.title[:TITLE_CHARS], page.markdown.strip(), MARKDOWN_CHARS, final=elsewhere)

    async def _plain(self, judged: Judged) -> Page:
        answer = await request(self._guard, judged, limits=self._limits)
        if answer.status == ACCEPTED:
            raise NoPage(self._texts("web.accepted"))
        if answer.leads_to is not None:
            target = decoded(answer.leads_to.encode("latin-1", "replace"), "")[:ADDRESS_CHARS]
            raise NoPage(self._texts("web.redirects", status=answer.status), target)
        if not 200 <= answer.status < 300:
            raise NoPage(self._texts("web.status", status=answer.status), await self._beginning(answer))
        if not answer.body.strip():
            raise NoPage(self._texts("web.empty", status=answer.status))
        return await self._page(judged, answer)

    async def _page(self, judged: Judged, answer: Answer) -> Page:
        kind, title = self._kind(answer), ""
        if kind == "other":
            raise NoPage(self._texts("web.not_text", kind=self._media(answer), size=self._size(answer)))
        text = decoded(answer.body, answer.headers.get("content-type", ""))
        if kind == "html":
            try:
                found = await self._html.read(text)
            except Unreadable as error:
                raise NoPage(self._texts(f"web.html_{error.code}")) from error
            title, text = found.title[:TITLE_CHARS], found.text
        if not text.strip():
            raise NoPage(self._texts("web.no_text", status=answer.status))
        return Page(judged.target.url, answer.status, title, text, TEXT_CHARS, answer.cut)

    async def _beginning(self, answer: Answer) -> str:
        """The beginning of what stands in the place of a page (WEB-12); empty when it is no text."""
        kind = self._kind(answer)
        if kind == "other":
            return ""
        text = decoded(answer.body, answer.headers.get("content-type", ""))
        if kind == "html":
            try:
                found = await self._html.read(text)
            except Unreadable:
                return ""
            text = "\n".join(part for part in (found.title, found.text) if part)
        return text.strip()[:ERROR_CHARS]

    def _kind(self, answer: Answer) -> Literal["html", "text", "other"]:
        """What the body is, by its type and, where that is missing or can be true of nothing, by itself."""
        media = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media in HTML:
            return "html"
        wide = answer.body.startswith((b"\xff\xfe", b"\xfe\xff")) or "utf-16" in answer.headers.get("content-type", "").lower()
        if b"\0" in answer.body and not wide:
            return "other"
        if media and not TEXTUAL.fullmatch(media):
            return "other"
        if not media and LOOKS_HTML.match(answer.body[:1000].decode("latin-1")):
            return "html"
        return "text" if media or _is_utf8(answer.body) else "other"

    def _media(self, answer: Answer) -> str:
        media = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        return media if MEDIA.fullmatch(media) else self._texts("web.unknown_type")

    def _size(self, answer: Answer) -> str:
        stated = answer.headers.get("content-length", "")
        length = int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 16 else len(answer.body)
        text = size(max(length, len(answer.body)), self._texts)
        return self._texts("web.more_than", size=text) if answer.cut and length <= len(answer.body) else text


def _is_utf8(body: bytes) -> bool:
    """Whether it is UTF-8, which may end in the middle of a character."""
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(body)
    except UnicodeDecodeError:
        return False
    return True
