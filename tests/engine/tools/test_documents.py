"""Pictures and PDFs through the real loop: real files, the real child process, a scripted vision model."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crewlab.engine.crew import Crew
from crewlab.engine.models.base import ChatMessage, ChatRequest, Picture, ProviderError
from crewlab.engine.models.fake import FakeCost, Scene
from crewlab.engine.models.openai_write import messages_of
from crewlab.engine.records import Step
from crewlab.engine.texts import Language, Texts
from crewlab.engine.tools.documents import pages as pages_module
from crewlab.engine.tools.documents.image import image_tool
from crewlab.engine.tools.documents.pages import Page, Pages
from tests.fixtures import papers
from tests.fixtures.crews import a_crew, say

EN = Texts()
EYE = "vision_routes: [fake:eye]\n"


class Eye:
    """A vision model that says what it was asked and how large the picture was."""

    def __init__(self, *answers: str, cost: float | None = 0.01) -> None:
        self.seen: list[tuple[str, Picture]] = []
        self._answers = list(answers)
        self._cost = cost

    async def __call__(self, scene: Scene) -> AsyncIterator[object]:
        message = scene.request.messages[-1]
        assert scene.request.tools == ()
        self.seen.append((message.content, message.pictures[0]))
        yield FakeCost(self._cost)
        yield self._answers.pop(0) if self._answers else "it says INVOICE 4711"


async def broken(_scene: Scene) -> AsyncIterator[object]:
    raise ProviderError("the route said no")
    yield ""


@asynccontextmanager
async def crew_with(tmp_path: Path, eye: object, config: str = EYE) -> AsyncIterator[Crew]:
    async with a_crew(tmp_path, scripts={"eye": eye, "blind": broken}, config=config) as crew:  # type: ignore[dict-item]
        crew.roster.master.workspace.mkdir(parents=True, exist_ok=True)
        yield crew


async def call(crew: Crew, name: str, conversation: str | None = None, **arguments: object) -> tuple[str, Step]:
    """The whole answer of one call and its step."""
    conversation, seen = await say(crew, f"/tool {name} {json.dumps(arguments)}", conversation)
    result = next(event for event in seen if event.type == "tool_result")
    run = crew.runs.list(conversation_id=conversation)[0][0]
    return result.output, next(step for step in run.steps if step.kind == "tool")


def put(crew: Crew, name: str, data: bytes) -> Path:
    path = crew.roster.master.workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.spec("VIS-1", "VIS-4", "VIS-8", "VIS-10", "VIS-11", "TOOL-10", "COST-9")
async def test_a_picture_is_read_by_the_vision_chain_and_paid_like_every_call(tmp_path: Path) -> None:
    eye = Eye()
    async with crew_with(tmp_path, eye) as crew:
        put(crew, "a.png", papers.picture())
        output, step = await call(crew, "image_read", path="a.png", question="which number?")
        assert output == f"{EN('media.picture_data')}\nit says INVOICE 4711"
        assert eye.seen[0][0] == "which number?"
        assert eye.seen[0][1].data == papers.picture()
        assert step.cost_usd == pytest.approx(0.01)
        assert [tuple(row) for row in crew.store.db.rows("SELECT purpose, cost_usd FROM side_calls")] == [("image", 0.01)]
        run = crew.runs.list()[0][0]
        assert run.cost_usd == pytest.approx(0.01)
        conversation = crew.store.conversations.get(run.conversation_id or "")
        assert conversation is not None
        assert conversation.spent_usd == pytest.approx(0.01)
        await call(crew, "image_read", path="a.png")
        assert eye.seen[1][0] == EN("media.describe")


@pytest.mark.spec("VIS-8", "TOOL-10", "TOOL-35")
async def test_a_price_that_nobody_knows_is_counted_as_unknown(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye(cost=None)) as crew:
        put(crew, "a.png", papers.picture())
        _, step = await call(crew, "image_read", path="a.png")
        run = crew.runs.list()[0][0]
        assert (step.cost_usd, run.unknown_cost_calls) == (None, 1)


@pytest.mark.spec("VIS-5")
@pytest.mark.parametrize(("name", "kind"), [("a.png", "PNG"), ("a.JPG", "JPEG"), ("a.jpeg", "JPEG"), ("a.webp", "WEBP"), ("a.gif", "GIF")])
async def test_the_four_kinds_are_told_by_their_first_bytes(tmp_path: Path, name: str, kind: str) -> None:
    eye = Eye()
    async with crew_with(tmp_path, eye) as crew:
        put(crew, name, papers.picture(kind=kind))
        output, step = await call(crew, "image_read", path=name)
        assert step.status == "done", output
        assert eye.seen[0][1].media_type == f"image/{kind.lower()}"


@pytest.mark.spec("VIS-5", "VIS-11")
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.png", b"plain text", "no_image"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no_image"),
        ("a.png", b"", "no_image"),
        ("a.jpg", papers.picture(), "image_misnamed"),
        ("a.txt", papers.picture(), "image_misnamed"),
    ],
)
async def test_what_is_no_picture_is_not_sent_anywhere(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    eye = Eye()
    async with crew_with(tmp_path, eye) as crew:
        put(crew, name, data)
        output, step = await call(crew, "image_read", path=name)
        assert (output, step.status, eye.seen) == (EN(f"media.{words}", path=name, kind="png"), "error", [])


@pytest.mark.spec("VIS-5")
async def test_a_picture_may_have_eight_megabytes_and_not_one_byte_more(tmp_path: Path) -> None:
    eye = Eye()
    limit = 8 * 1024 * 1024
    async with crew_with(tmp_path, eye) as crew:
        data = papers.picture()
        put(crew, "fits.png", data + b"\0" * (limit - len(data)))
        put(crew, "large.png", data + b"\0" * (limit - len(data) + 1))
        assert (await call(crew, "image_read", path="fits.png"))[1].status == "done"
        output, step = await call(crew, "image_read", path="large.png")
        assert step.status == "error"
        assert "8 MB" in output
        assert len(eye.seen) == 1


@pytest.mark.spec("VIS-3", "VIS-7", "TOOL-43")
@pytest.mark.parametrize(
    ("routes", "held"), [("[]", False), ("[openrouter:google/gemini-2.5-flash-lite]", False), ("[openrouter:x/y, fake:eye]", True)]
)
async def test_the_tool_exists_while_a_vision_route_can_be_asked(tmp_path: Path, routes: str, held: bool) -> None:
    async with crew_with(tmp_path, Eye(), f"vision_routes: {routes}\n") as crew:
        names = crew.toolbox.of(crew.roster.master).names
        assert ("image_read" in names, "pdf_read" in names) == (held, True)


@pytest.mark.spec("VIS-3", "CHN-47")
async def test_a_key_that_is_saved_brings_the_tool_in_the_next_turn(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye(), "") as crew:
        assert "image_read" not in crew.toolbox.of(crew.roster.master).names
        file = crew.home.secrets_file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("OPENROUTER_API_KEY=sk-test\n")
        file.chmod(0o600)
        assert "image_read" in crew.toolbox.of(crew.roster.master).names


@pytest.mark.spec("VIS-11")
async def test_routes_are_tried_in_order_and_the_first_cause_is_named_when_all_fail(tmp_path: Path) -> None:
    eye = Eye()
    async with crew_with(tmp_path / "one", eye, "vision_routes: [fake:blind, fake:eye]\n") as crew:
        put(crew, "a.png", papers.picture())
        assert (await call(crew, "image_read", path="a.png"))[1].status == "done"
    async with crew_with(tmp_path / "two", eye, "vision_routes: [fake:blind]\n") as crew:
        put(crew, "a.png", papers.picture())
        output, step = await call(crew, "image_read", path="a.png")
        assert step.status == "error"
        assert "fake:blind" in output
        assert "the route said no" in output
    async with crew_with(tmp_path / "three", Eye("  \n "), EYE) as crew:
        put(crew, "a.png", papers.picture())
        output, step = await call(crew, "image_read", path="a.png")
        assert (output, step.status) == (EN("media.unread_empty"), "error")


@pytest.mark.spec("VIS-6", "PDF-2", "WS-4")
async def test_the_workspace_comes_first_then_the_home_and_never_a_closed_place(tmp_path: Path) -> None:
    eye = Eye()
    async with crew_with(tmp_path, eye) as crew:
        inbox = put(crew, "inbox/a.png", papers.picture("inbox"))
        (crew.home.root / "b.png").write_bytes(papers.picture("home"))
        put(crew, "b.png", papers.picture("workspace"))
        other = crew.home.attachments("c_other") / "secret.png"
        other.parent.mkdir(parents=True)
        other.write_bytes(papers.picture("secret"))
        outside = tmp_path.parent / f"{tmp_path.name}-outside.png"
        outside.write_bytes(papers.picture("outside"))
        for path in ("workspace/inbox/a.png", str(inbox), str(crew.home.root / "b.png")):
            assert (await call(crew, "image_read", path=path))[1].status == "done", path
        await call(crew, "image_read", path="b.png")
        assert eye.seen[-1][1].data == papers.picture("workspace")
        asked = len(eye.seen)
        closed = (f"{other.relative_to(crew.home.root)}", str(other), str(outside), "../outside.png", "missing.png", "secrets/secrets.env")
        for path in closed:
            output, step = await call(crew, "image_read", path=path)
            assert step.status in ("refused", "error"), (path, output)
        assert len(eye.seen) == asked


@pytest.mark.spec("VIS-4", "VIS-11")
async def test_a_question_has_two_thousand_characters_at_most(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye()) as crew:
        put(crew, "a.png", papers.picture())
        assert (await call(crew, "image_read", path="a.png", question="x" * 2000))[1].status == "done"
        output, step = await call(crew, "image_read", path="a.png", question="x" * 2001)
        assert step.status == "error"
        assert "question" in output


@pytest.mark.spec("VIS-2")
async def test_the_chain_has_two_routes_by_default_and_a_variable_replaces_them(tmp_path: Path) -> None:
    from crewlab.engine.home.layout import Home
    from crewlab.engine.home.settings import load_settings

    def routes(**environ: str) -> list[str]:
        return [str(route) for route in load_settings(Home(tmp_path), environ, EN).vision_routes]

    assert routes() == ["openrouter:google/gemini-2.5-flash-lite", "openrouter:qwen/qwen3-vl-8b-instruct"]
    assert routes(CREWLAB_VISION_ROUTES="fake:eye") == ["fake:eye"]
    assert routes(CREWLAB_VISION_ROUTES="") == []


@pytest.mark.spec("VIS-9")
@pytest.mark.parametrize(("language", "words"), [("en", "absolute path into the task"), ("vi", "đường dẫn tuyệt đối vào việc")])
def test_the_model_is_told_to_read_once_and_hand_on_the_path(language: Language, words: str) -> None:
    assert words in image_tool(Texts(language), Path("/home")).description


def test_pictures_stand_in_the_request_as_the_vendor_wants_them() -> None:
    from crewlab.engine.models.anthropic_write import messages_of as anthropic_messages

    message = ChatMessage("user", "what is it?", pictures=(Picture("image/png", b"\x89PNG"),))
    assert messages_of(ChatRequest("", (message,))) == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "what is it?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
            ],
        }
    ]
    assert anthropic_messages((message,)) == [
        {
            "role": "user",
            "content": [
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}},
                {"type": "text", "text": "what is it?"},
            ],
        }
    ]


@pytest.mark.spec("PDF-1", "PDF-3", "PDF-4", "PDF-5", "PDF-10", "PDF-12")
async def test_typeset_pages_are_free_and_only_scanned_ones_are_looked_at(tmp_path: Path) -> None:
    eye = Eye("the scan says 12,50")
    async with crew_with(tmp_path, eye) as crew:
        pages = (
            papers.typeset("Invoice number 4711\nTotal 99.50 EUR"),
            papers.scanned("12,50", rotated=90),
            papers.blank,
            papers.chinese("发票 总计 一百元 编号 四七一一 谢谢您的惠顾欢迎再来"),
        )
        put(crew, "a.pdf", papers.pdf(*pages))
        output, step = await call(crew, "pdf_read", path="a.pdf")
        assert output.split("\n\n") == [
            EN("media.document_data"),
            "--- Page 1 ---\nInvoice number 4711\nTotal 99.50 EUR",
            "--- Page 2 ---\nthe scan says 12,50",
            f"--- Page 3 ---\n[{EN('media.page_empty')}]",
            "--- Page 4 ---\n发票 总计 一百元 编号 四七一一 谢谢您的惠顾欢迎再来",
        ]
        assert [question for question, _ in eye.seen] == [EN("media.transcribe")]
        assert eye.seen[0][1].data.startswith(b"\xff\xd8\xff")
        assert step.cost_usd == pytest.approx(0.01)
        assert [tuple(row) for row in crew.store.db.rows("SELECT purpose, cost_usd FROM side_calls")] == [("pdf", 0.01)]


@pytest.mark.spec("PDF-12")
async def test_a_drawn_page_has_at_most_two_thousand_pixels_on_its_longer_side(tmp_path: Path) -> None:
    import io

    from PIL import Image

    eye = Eye()
    async with crew_with(tmp_path, eye) as crew:
        put(crew, "a.pdf", papers.pdf(papers.scanned("x")))
        await call(crew, "pdf_read", path="a.pdf")
        assert max(Image.open(io.BytesIO(eye.seen[0][1].data)).size) in range(1500, 2001)


@pytest.mark.spec("PDF-6", "PDF-7")
async def test_without_a_vision_route_each_scan_says_what_it_needs(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye(), "vision_routes: []\n") as crew:
        put(crew, "a.pdf", papers.pdf(papers.scanned("x"), papers.typeset("readable without any model")))
        output, step = await call(crew, "pdf_read", path="a.pdf")
        assert step.status == "done"
        assert f"--- Page 1 ---\n[{EN('media.page_scan')}]" in output
        assert "--- Page 2 ---\nreadable without any model" in output


@pytest.mark.spec("PDF-6")
async def test_a_scan_that_no_route_can_read_costs_its_own_page_only(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye(), "vision_routes: [fake:blind]\n") as crew:
        put(crew, "a.pdf", papers.pdf(papers.scanned("x"), papers.typeset("readable without any model")))
        output, step = await call(crew, "pdf_read", path="a.pdf")
        assert step.status == "done"
        assert "the route said no" in output
        assert "readable without any model" in output


@pytest.mark.spec("PDF-13", "COST-5")
async def test_at_the_cap_the_remaining_scans_say_so(tmp_path: Path) -> None:
    eye = Eye("first", "second", cost=0.04)
    async with crew_with(tmp_path, eye, EYE + "cost_cap_usd: 0.05\n") as crew:
        put(crew, "a.pdf", papers.pdf(*(papers.scanned(str(n)) for n in range(4)), papers.typeset("typeset pages are free still")))
        output, _ = await call(crew, "pdf_read", path="a.pdf")
        assert output.count(f"[{EN('media.page_cap')}]") == 2
        assert "second" in output
        assert "typeset pages are free still" in output
        assert len(eye.seen) == 2


@pytest.mark.spec("PDF-8", "PDF-11")
async def test_fifty_pages_a_call_and_the_next_range_is_named(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye(), EYE + "tool_output_chars: 100000\n") as crew:
        put(crew, "a.pdf", papers.pdf(*(papers.typeset(f"this is sheet number {n} of the book") for n in range(1, 201))))
        put(crew, "b.pdf", papers.pdf(*(papers.typeset(f"this is sheet number {n} of the book") for n in range(1, 52))))
        whole, _ = await call(crew, "pdf_read", path="a.pdf")
        assert whole.count("--- Page ") == 50
        assert whole.endswith(EN("media.pdf_more", last=50, count=200, next="51-100"))
        some, _ = await call(crew, "pdf_read", path="a.pdf", pages=" 3 - 4 ")
        assert [n for n in range(1, 201) if f"sheet number {n} of" in some] == [3, 4]
        long, _ = await call(crew, "pdf_read", path="a.pdf", pages="101-180")
        assert long.count("--- Page ") == 50
        assert EN("media.pdf_cut", limit=50) in long
        last, _ = await call(crew, "pdf_read", path="a.pdf", pages="200")
        assert last.endswith("sheet number 200 of the book")
        assert (await call(crew, "pdf_read", path="b.pdf"))[0].endswith(EN("media.pdf_more", last=50, count=51, next="51"))


@pytest.mark.spec("PDF-11")
@pytest.mark.parametrize("pages", ["0", "5-2", "4", "2-4", "1-", "-1", "a", "", "1,2", "١"])
async def test_a_range_that_does_not_fit_is_answered_with_the_number_of_pages(tmp_path: Path, pages: str) -> None:
    async with crew_with(tmp_path, Eye()) as crew:
        put(crew, "a.pdf", papers.pdf(*(papers.typeset("one two three four five") for _ in range(3))))
        output, step = await call(crew, "pdf_read", path="a.pdf", pages=pages)
        assert step.status == "error"
        assert "3 page(s)" in output


@pytest.mark.spec("PDF-11")
async def test_an_encrypted_document_is_read_when_it_opens_without_a_password(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye()) as crew:
        put(crew, "open.pdf", papers.pdf(papers.typeset("words behind an empty password"), password=""))
        put(crew, "shut.pdf", papers.pdf(papers.typeset("words behind a password"), password="pw"))
        assert "words behind an empty password" in (await call(crew, "pdf_read", path="open.pdf"))[0]
        output, step = await call(crew, "pdf_read", path="shut.pdf")
        assert (output, step.status) == (EN("media.pdf_locked", path="shut.pdf"), "error")


@pytest.mark.spec("PDF-11")
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"hello", "no_pdf"),
        (b"", "no_pdf"),
        (papers.picture(), "no_pdf"),
        (b"%PDF-1.7\nrubbish", "pdf_broken"),
        (papers.pdf(papers.typeset("x"))[:200], "pdf_broken"),
    ],
)
async def test_what_is_no_document_is_an_error_with_a_reason(tmp_path: Path, data: bytes, words: str) -> None:
    async with crew_with(tmp_path, Eye()) as crew:
        put(crew, "a.pdf", data)
        output, step = await call(crew, "pdf_read", path="a.pdf")
        assert (output, step.status) == (EN(f"media.{words}", path="a.pdf"), "error")


@pytest.mark.spec("PDF-11")
async def test_a_document_may_have_fifty_megabytes(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye()) as crew:
        path = put(crew, "a.pdf", papers.pdf(papers.typeset("x")))
        os.truncate(path, 50 * 1024 * 1024 + 1)
        output, step = await call(crew, "pdf_read", path="a.pdf")
        assert step.status == "error"
        assert "50 MB" in output


@pytest.mark.spec("PDF-6")
async def test_a_wrong_table_of_places_is_mended_by_the_library(tmp_path: Path) -> None:
    whole = papers.pdf(papers.typeset("found although the table lies"))
    at = whole.index(b"startxref") + len(b"startxref\n")
    async with crew_with(tmp_path, Eye()) as crew:
        put(crew, "a.pdf", whole[:at] + b"12\n%%EOF")
        assert "found although the table lies" in (await call(crew, "pdf_read", path="a.pdf"))[0]


@pytest.mark.spec("PDF-9", "OUT-1")
async def test_the_ceiling_of_the_agent_holds_for_documents_too(tmp_path: Path) -> None:
    async with crew_with(tmp_path, Eye(), EYE + "tool_output_chars: 500\n") as crew:
        put(crew, "a.pdf", papers.pdf(papers.typeset("\n".join("a line of some length" for _ in range(40)))))
        assert len((await call(crew, "pdf_read", path="a.pdf"))[0]) <= 500


@pytest.mark.spec("PDF-12")
async def test_a_page_that_takes_too_long_is_lost_alone_and_its_child_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The child is a stand-in that hangs on page 2: how long a real page takes would hang on the machine."""
    child = tmp_path / "child.py"
    child.write_text(
        "import json, os, sys, time\n"
        "order = json.loads(sys.argv[1])\n"
        "print(json.dumps({'pages': 3}), flush=True)\n"
        "for n in range(order['first'], order['last'] + 1):\n"
        "    if n == 2:\n"
        f"        open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(600)\n"
        "    print(json.dumps({'page': n, 'text': 'page %d' % n}), flush=True)\n"
    )
    monkeypatch.setattr(pages_module, "CHILD", child)
    (tmp_path / "a.pdf").write_bytes(b"%PDF-")
    descriptor = os.open(tmp_path / "a.pdf", os.O_RDONLY)
    try:
        found = [page async for page in Pages(descriptor, render=False, page_seconds=3.0).read(1, 3)]
    finally:
        os.close(descriptor)
    assert found == [Page(1, text="page 1"), Page(2, why="slow"), Page(3, text="page 3")]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.spec("PDF-12", "TOOL-16")
async def test_a_bomb_neither_blocks_the_loop_nor_outlives_the_call(tmp_path: Path) -> None:
    bomb = papers.one_stream(b"BT /F1 1 Tf " + b"(boom) Tj " * 3_000_000 + b"ET")
    assert len(bomb) < 100_000
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    (tmp_path / "a.pdf").write_bytes(bomb)
    descriptor = os.open(tmp_path / "a.pdf", os.O_RDONLY)
    ticking = asyncio.create_task(tick())
    try:
        found = [page async for page in Pages(descriptor, render=False, page_seconds=2.0).read(1, 1)]
    finally:
        ticking.cancel()
        os.close(descriptor)
    assert [(page.number, page.text is None or "boom" in page.text) for page in found] == [(1, True)]
    assert ticks > 10
