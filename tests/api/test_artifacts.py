"""The routes of canvases: what they give, what they refuse, and what they let run."""

import asyncio
import json

import pytest

from crewlab.engine.canvas.kinds import CAPS, STORE_BYTES
from crewlab.server_ext.api.artifact_pages import CDNS, holder_policy
from tests.fixtures.canvases import call, create, png

PAGE_POLICY = [
    "sandbox allow-scripts",
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval' {cdns}",
    "style-src 'unsafe-inline' {cdns}",
    "font-src data: {cdns}",
    "img-src data: blob:",
    "media-src data: blob:",
    *("connect-src 'none'", "worker-src 'none'", "frame-src 'none'", "object-src 'none'", "form-action 'none'", "base-uri 'none'"),
    "frame-ancestors 'self'",
]


@pytest.fixture
async def crew(lab):
    return await lab.crew()


async def refused(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.json()["message"]
    return answer.json()


@pytest.mark.spec("CNV-124", "CNV-125")
async def test_canvases_are_listed_last_changed_first_and_found_by_their_titles(client, crew):
    first = await create(crew, title="Đề án một")
    others = [await create(crew, first.conversation, title=f"T{number}") for number in range(3)]
    await crew.canvases.save(first.id, "x", 1)
    everything = (await client.get("artifacts")).json()
    assert [each["id"] for each in everything["artifacts"]] == [first.id, *(each.id for each in reversed(others))]
    assert everything["more"] is False
    assert everything["artifacts"][0] == crew.canvases.get(first.id).model_dump()
    page = (await client.get("artifacts", params={"limit": 2})).json()
    assert ([each["id"] for each in page["artifacts"]], page["more"]) == ([first.id, others[2].id], True)
    rest = (await client.get("artifacts", params={"limit": 2, "before": others[2].id})).json()
    assert ([each["id"] for each in rest["artifacts"]], rest["more"]) == ([others[1].id, others[0].id], False)
    found = (await client.get("artifacts", params={"query": "DE AN"})).json()
    assert [each["id"] for each in found["artifacts"]] == [first.id]
    other = crew.conversations.create().id
    assert (await client.get("artifacts", params={"conversation_id": other})).json() == {"artifacts": [], "more": False}
    await refused(await client.get("artifacts", params={"conversation_id": "c_none"}), 404, "not_found")
    for wrong in ({"limit": 0}, {"limit": 101}, {"limit": "x"}, {"before": "zzzzzzzz"}, {"query": "x" * 201}):
        await refused(await client.get("artifacts", params=wrong), 422, "invalid")


@pytest.mark.spec("CNV-125")
async def test_a_conversation_lists_what_was_delegated_from_it(client, crew):
    from tests.engine.canvas.test_tools import set_child

    root, child, grandchild = (crew.conversations.create().id for _ in range(3))
    set_child(crew, child, root, "chat")
    set_child(crew, grandchild, root, "chat")
    crew.store.db.write("UPDATE conversations SET parent_id = ? WHERE id = ?", (child, grandchild))
    made = [(await create(crew, each)).id for each in (root, child, grandchild)]
    for each, listed in ((root, made), (child, made[1:]), (grandchild, made[2:])):
        found = (await client.get("artifacts", params={"conversation_id": each})).json()["artifacts"]
        assert [artifact["id"] for artifact in found] == listed[::-1]


@pytest.mark.spec("CNV-9", "CNV-125")
async def test_a_canvas_and_its_versions_are_read(client, crew):
    made = await create(crew, kind="code", language="python", content="x = 1\r\n")
    await crew.canvases.save(made.id, "x = 2\n", 1)
    read = (await client.get(f"artifacts/{made.id}")).json()
    assert (read["content"], read["content_url"], read["version"], read["language"]) == ("x = 2\n", None, 2, "python")
    assert read["usage"] == {"bytes": 13, "limit": STORE_BYTES}
    versions = (await client.get(f"artifacts/{made.id}/versions")).json()["versions"]
    assert [(each["version"], each["author"], each["how"], each["bytes"]) for each in versions] == [
        (2, "user", "save", 6),
        (1, "agent:default", "create", 7),
    ]
    old = (await client.get(f"artifacts/{made.id}/versions/1")).json()
    assert (old["content"], old["kind"], old["how"], old["id"]) == ("x = 1\r\n", "code", "create", made.id)
    for wrong in ("0", "3", "-1", "x", "1.0", "9" * 400, "%31%20"):
        await refused(await client.get(f"artifacts/{made.id}/versions/{wrong}"), 404, "not_found")
    for path in ("", "/versions", "/versions/1", "/versions/1/raw", "/versions/1/page", "/versions/1/holder"):
        await refused(await client.get(f"artifacts/zzzzzzzz{path}"), 404, "not_found")


@pytest.mark.spec("CNV-125", "CNV-126", "CNV-131", "CNV-137")
async def test_a_save_on_an_old_version_is_refused_with_everything_to_decide(client, crew, lab):
    made = await create(crew, content="one\ntwo\n")
    socket = await lab.socket()
    await socket.subscribe("activity")
    saved = await client.put(f"artifacts/{made.id}", json={"content": "one\n2\n", "base_version": 1})
    assert (saved.json()["version"], saved.json()["author"]) == (2, "user")
    frame = (await socket.until(event="artifact"))["data"]
    assert frame["artifact"] == saved.json()
    assert "content" not in json.dumps(frame)
    late = await refused(await client.put(f"artifacts/{made.id}", json={"content": "mine", "base_version": 1}), 409, "version_conflict")
    assert (late["version"], late["base_version"], late["artifact"]) == (2, 1, saved.json())
    assert late["diff"] == "@@ -1,3 +1,3 @@\n one\n-two\n+2\n "
    assert crew.canvases.text(made.id, 2) == "one\n2\n"
    same = await client.put(f"artifacts/{made.id}", json={"content": "one\n2\n", "base_version": 2})
    assert same.json()["version"] == 2
    for wrong in ({"content": "x"}, {"base_version": 2}, {"content": 1, "base_version": 2}, {"content": "a\x00", "base_version": 2}):
        await refused(await client.put(f"artifacts/{made.id}", json=wrong), 422, "invalid")
    await refused(await client.put("artifacts/zzzzzzzz", json={"content": "x", "base_version": 1}), 404, "not_found")


@pytest.mark.spec("CNV-126")
async def test_two_browsers_that_save_at_once_make_one_version(client, crew):
    made = await create(crew)
    answers = await asyncio.gather(
        *(client.put(f"artifacts/{made.id}", json={"content": f"tab {number}", "base_version": 1}) for number in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    kept = next(answer for answer in answers if answer.status_code == 200)
    assert crew.canvases.text(made.id, 2) == json.loads(kept.request.content)["content"]
    assert crew.canvases.get(made.id).version == 2


@pytest.mark.spec("CNV-6", "CNV-27", "CNV-125", "CNV-136")
async def test_four_megabytes_of_html_are_kept_and_one_byte_more_is_refused(client, crew):
    made = await create(crew, kind="html", content="<p>")
    text = '<p>"\n\t\\' * (CAPS["html"] // 7)
    text += "x" * (CAPS["html"] - len(text))
    saved = await client.put(f"artifacts/{made.id}", json={"content": text, "base_version": 1})
    assert saved.json()["bytes"] == CAPS["html"]
    assert (await client.get(f"artifacts/{made.id}")).json()["content"] == text
    over = await refused(await client.put(f"artifacts/{made.id}", json={"content": text + "x", "base_version": 2}), 413, "too_large")
    assert (over["bytes"], over["limit"]) == (CAPS["html"] + 1, CAPS["html"])
    assert (await client.get(f"artifacts/{made.id}/versions/2/page")).text == text
    elsewhere = await client.patch(f"artifacts/{made.id}", json={"title": text})
    assert elsewhere.status_code == 413  # no other route takes so much


@pytest.mark.spec("CNV-9", "CNV-125")
async def test_a_full_store_refuses_a_save_and_keeps_everything(client, crew, monkeypatch):
    from crewlab.engine.canvas import people

    made = await create(crew, content="12345")
    monkeypatch.setattr(people, "STORE_BYTES", 8)
    full = await refused(await client.put(f"artifacts/{made.id}", json={"content": "6789", "base_version": 1}), 409, "store_full")
    assert "Delete canvases" in full["message"]
    await refused(await client.post(f"artifacts/{made.id}/restore", json={"version": 9}), 422, "invalid")
    assert crew.canvases.text(made.id, 1) == "12345"


@pytest.mark.spec("CNV-8", "CNV-11", "CNV-125")
async def test_title_and_language_are_changed_and_nothing_else(client, crew):
    made = await create(crew, kind="code", language="python", content="x")
    path = f"artifacts/{made.id}"
    assert (await client.patch(path, json={"title": " a\nb\u202e\u200b "})).json()["title"] == "a b"
    changed = (await client.patch(path, json={"language": "rust"})).json()
    assert (changed["title"], changed["language"], changed["version"]) == ("a b", "rust", 1)
    assert (await client.patch(path, json={"language": None})).json()["language"] is None
    for wrong in ({"title": ""}, {"title": "\u200b"}, {"title": "x" * 201}, {"title": None}, {"kind": "html"}, {"language": "x" * 41}):
        await refused(await client.patch(path, json=wrong), 422, "invalid")
    other = await create(crew)
    await refused(await client.patch(f"artifacts/{other.id}", json={"language": "python"}), 422, "invalid")
    await refused(await client.patch("artifacts/zzzzzzzz", json={}), 404, "not_found")


@pytest.mark.spec("CNV-125", "CNV-127")
async def test_a_version_is_restored_and_the_newest_one_adds_none(client, crew):
    made = await create(crew, content="one")
    await crew.canvases.save(made.id, "two", 1)
    restored = (await client.post(f"artifacts/{made.id}/restore", json={"version": 1})).json()
    assert (restored["version"], restored["author"]) == (3, "user")
    assert (await client.post(f"artifacts/{made.id}/restore", json={"version": 3})).json()["version"] == 3
    assert len((await client.get(f"artifacts/{made.id}/versions")).json()["versions"]) == 3
    for wrong in ({"version": 0}, {"version": 9}, {}, {"version": "1"}):
        await refused(await client.post(f"artifacts/{made.id}/restore", json=wrong), 422, "invalid")


@pytest.mark.spec("CNV-59", "CNV-125")
async def test_two_versions_are_compared_up_to_600_lines(client, crew):
    made = await create(crew, content="one")
    await crew.canvases.save(made.id, "two", 1)
    await crew.canvases.save(made.id, "x\n" * 700, 2)
    path = f"artifacts/{made.id}/diff"
    assert (await client.get(path, params={"from": 1, "to": 2})).json() == {"from": 1, "to": 2, "diff": "@@ -1,1 +1,1 @@\n-one\n+two"}
    assert (await client.get(path, params={"from": 2, "to": 2})).json()["diff"] == ""
    assert (await client.get(path, params={"from": 1, "to": 3})).json()["diff"] is None
    await refused(await client.get(path, params={"from": 1, "to": 9}), 404, "not_found")
    for wrong in ({}, {"from": 1}, {"from": 0, "to": 1}, {"from": "x", "to": 1}):
        await refused(await client.get(path, params=wrong), 422, "invalid")


@pytest.mark.spec("CNV-125", "CNV-129", "CNV-131")
async def test_a_deleted_canvas_is_gone_for_good_and_everybody_is_told(client, crew, lab):
    made = await create(crew)
    socket = await lab.socket()
    await socket.subscribe("activity")
    assert (await client.delete(f"artifacts/{made.id}")).json() == {"deleted": made.id}
    frame = (await socket.until(event="artifact"))["data"]
    assert (frame["id"], frame["deleted"], frame["artifact"]) == (made.id, True, None)
    gone = await refused(await client.get(f"artifacts/{made.id}"), 404, "not_found")
    assert "deleted" in gone["message"]
    await refused(await client.put(f"artifacts/{made.id}", json={"content": "x", "base_version": 1}), 404, "not_found")
    await refused(await client.delete(f"artifacts/{made.id}"), 404, "not_found")
    assert crew.canvases.usage()[0] == 0


@pytest.mark.spec("CNV-125", "CNV-130")
async def test_the_remembered_file_is_imported_again(client, crew):
    workspace = crew.roster.master.workspace
    (workspace / "a.md").write_text("one")
    made = await call(crew, "artifact_import", path="a.md")
    path = f"artifacts/{made.id}/reimport"
    assert (await client.post(path)).json()["unchanged"] is True
    (workspace / "a.md").write_text("two")
    again = (await client.post(path)).json()
    assert (again["unchanged"], again["version"], again["source_path"]) == (False, 2, "a.md")
    (workspace / "a.md").write_bytes(b"x" * (CAPS["markdown"] + 1))
    await refused(await client.post(path), 413, "too_large")
    (workspace / "a.md").unlink()
    assert "a.md" in (await refused(await client.post(path), 409, "source_unusable"))["reason"]
    plain = await create(crew)
    await refused(await client.post(f"artifacts/{plain.id}/reimport"), 409, "no_source")


@pytest.mark.spec("CNV-56", "CNV-125")
async def test_a_picture_is_shown_in_place_and_has_no_text(client, crew):
    (crew.roster.master.workspace / "p.png").write_bytes(png())
    made = await call(crew, "artifact_import", path="p.png")
    read = (await client.get(f"artifacts/{made.id}")).json()
    assert (read["content"], read["content_url"]) == (None, f"artifacts/{made.id}/versions/1/raw")
    raw = await client.get(read["content_url"])
    assert (raw.content, raw.headers["Content-Type"]) == (png(), "image/png")
    assert raw.headers["Content-Disposition"].startswith('inline; filename="p.png"')
    assert (await client.get(f"artifacts/{made.id}/versions/1")).json()["content_url"] == read["content_url"]
    await refused(await client.put(f"artifacts/{made.id}", json={"content": "x", "base_version": 1}), 409, "conflict")
    await refused(await client.get(f"artifacts/{made.id}/diff", params={"from": 1, "to": 1}), 409, "conflict")
    for kind in ("page", "holder"):
        await refused(await client.get(f"artifacts/{made.id}/versions/1/{kind}"), 409, "conflict")


@pytest.mark.spec("CNV-125")
@pytest.mark.parametrize(
    ("kind", "content", "content_type", "name"),
    [
        ("markdown", "[x](javascript:alert(1)) <script>alert(1)</script>", "text/plain; charset=utf-8", "md"),
        ("html", "<script>alert(document.cookie)</script>", "text/plain; charset=utf-8", "html"),
        ("svg", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><a href="javascript:alert(1)"/></svg>', "image/svg+xml", "svg"),
        ("mermaid", "graph TD; A-->B", "text/plain; charset=utf-8", "mmd"),
    ],
)
async def test_raw_content_is_saved_and_never_runs(client, crew, kind, content, content_type, name):
    made = await create(crew, kind=kind, content=content, title='Quý "3"; x=1')
    raw = await client.get(f"artifacts/{made.id}/versions/1/raw")
    assert (raw.text, raw.headers["Content-Type"]) == (content, content_type)
    assert raw.headers["X-Content-Type-Options"] == "nosniff"
    policy = [part.strip() for part in raw.headers["Content-Security-Policy"].split(";")]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy
    assert not any("allow-" in part or "script-src" in part for part in policy)
    shown = raw.headers["Content-Disposition"]
    assert shown.startswith("attachment; ")
    assert shown.endswith(f"filename*=UTF-8''Qu%C3%BD%20_3_%3B%20x%3D1.{name}")


@pytest.mark.spec("CNV-114", "CNV-115", "CNV-116", "CNV-123")
async def test_a_page_is_served_to_an_opaque_origin_with_no_way_out(client, crew):
    made = await create(crew, kind="html", content="<script>fetch('/')</script>")
    await crew.canvases.save(made.id, "<p>two", 1)
    page = await client.get(f"artifacts/{made.id}/versions/1/page")
    assert (page.text, page.headers["Content-Type"]) == ("<script>fetch('/')</script>", "text/html; charset=utf-8")
    assert page.headers["Content-Security-Policy"] == "; ".join(PAGE_POLICY).format(cdns=" ".join(CDNS))
    wanted = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "X-DNS-Prefetch-Control": "off",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
    assert {name: page.headers[name] for name in wanted} == wanted
    off = page.headers["Permissions-Policy"]
    assert all(
        f"{name}=()" in off for name in ("camera", "microphone", "geolocation", "usb", "serial", "clipboard-read", "display-capture")
    )
    assert len(CDNS) == 6
    assert "Content-Disposition" not in page.headers
    for kind in ("markdown", "svg", "code"):
        other = await create(crew, kind=kind, content="<svg/>")
        await refused(await client.get(f"artifacts/{other.id}/versions/1/page"), 409, "conflict")


@pytest.mark.spec("CNV-117", "CNV-118", "CNV-133")
async def test_the_holder_has_no_script_and_its_frame_shows_that_page_alone(client, crew, lab):
    made = await create(crew, kind="html", content="<p>")
    holder = await client.get(f"artifacts/{made.id}/versions/1/holder")
    path = f"/user/a%40b/crewlab/api/artifacts/{made.id}/versions/1/page"
    assert holder.headers["Content-Security-Policy"] == (
        f"default-src 'none'; style-src 'unsafe-inline'; frame-src {lab.host}{path}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    )
    assert f'<iframe sandbox="allow-scripts" referrerpolicy="no-referrer" src="{path}"></iframe>' in holder.text
    assert "<script" not in holder.text
    assert (await client.get(f"http://{lab.host}{path}")).text == "<p>"
    assert holder_policy("h", "/a;b, c/page").split("frame-src ")[1].split(";")[0] == "h/a%3Bb%2C%20c/page"


@pytest.mark.spec("CNV-114", "CNV-120")
async def test_a_diagram_is_drawn_by_a_page_that_carries_its_source_as_data(client, crew):
    source = "graph TD\n A[</script><script>alert(1)</script>] --> B\u2028"
    made = await create(crew, kind="mermaid", content=source)
    page = (await client.get(f"artifacts/{made.id}/versions/1/page")).text
    assert "alert(1)</script>" not in page
    written = page.split("<script>const source = ")[1].split(";</script>")[0]
    assert json.loads(written) == source
    assert "securityLevel: 'strict'" in page
    assert "This diagram cannot be drawn." in page
    assert "https://" not in page.split("<script>const source")[1]


async def test_errors_are_in_the_language_of_the_crew(tmp_path):
    from tests.fixtures.server import jupyter

    async with jupyter(tmp_path, config="language: vi\nroutes: [fake:echo]\n") as lab, lab.client() as client:
        answer = await client.get("artifacts/zzzzzzzz")
        assert "Không có canvas" in answer.json()["message"]
