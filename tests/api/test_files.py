"""The route of workspace files: what it serves, what it keeps, and with which headers."""

import os
import re
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from crewlab.server_ext.api import files
from tests.fixtures.server import Lab, jupyter

ROUTE = "agents/default/files"
RASTER = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
PLAIN = ["txt", "md", "csv", "tsv", "json", "log", "py", "yaml", "yml", "toml"]
OTHERS = ["svg", "html", "htm", "xml", "xhtml", "js", "mjs", "xlsx", "zip", "exe", "pdfx", "png~", ""]


@pytest.fixture
def workspace(lab: Lab) -> Path:
    folder = lab.home / "workspace"
    folder.mkdir(exist_ok=True)
    return folder


async def get(client: httpx.AsyncClient, path: str) -> httpx.Response:
    return await client.get(ROUTE, params={"path": path})


def untrusted(answer: httpx.Response) -> None:
    """What every answer of the route carries, errors included."""
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["Cache-Control"] == "no-store"
    if answer.headers["Content-Type"] != "application/pdf":
        policy = [part.strip() for part in answer.headers["Content-Security-Policy"].split(";")]
        assert "sandbox" in policy
        assert "default-src 'none'" in policy
        assert not any("allow-" in part or "script-src" in part for part in policy)


@pytest.mark.spec("CHN-66", "MED-12", "MED-14", "MED-15", "MED-16", "MED-17")
async def test_the_type_is_that_of_the_table_and_of_nothing_else(
    client: httpx.AsyncClient, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mimetypes

    monkeypatch.setattr(mimetypes, "guess_type", lambda *_: pytest.fail("the machine's table was asked"))
    wanted = {**RASTER, "pdf": "application/pdf", **dict.fromkeys(PLAIN, "text/plain; charset=utf-8")}
    for suffix in [*wanted, *OTHERS]:
        name = f"x.{suffix.upper()}" if suffix else "Makefile"
        (workspace / name).write_bytes(b"<script>alert(1)</script>")
        answer = await get(client, name)
        assert (answer.status_code, answer.content) == (200, b"<script>alert(1)</script>")
        assert answer.headers["Content-Type"] == wanted.get(suffix, "application/octet-stream")
        way = "inline" if suffix in wanted else "attachment"
        assert answer.headers["Content-Disposition"] == f"{way}; filename*=UTF-8''{quote(name)}"
        assert "Content-Encoding" not in answer.headers
        untrusted(answer)


@pytest.mark.spec("CHN-66", "MED-14")
@pytest.mark.parametrize("name", [".png", ".html", "notes/.env"])
async def test_a_name_that_is_only_a_suffix_has_none(client: httpx.AsyncClient, workspace: Path, name: str) -> None:
    (workspace / "notes").mkdir()
    (workspace / name).write_text("x")
    assert (await get(client, name)).headers["Content-Type"] == "application/octet-stream"


@pytest.mark.spec("CHN-66")
async def test_a_name_cannot_write_headers(client: httpx.AsyncClient, workspace: Path) -> None:
    name = 'báo cáo "; x=1.txt'
    (workspace / name).write_text("xin chào", encoding="utf-8")
    answer = await get(client, name)
    assert answer.text == "xin chào"
    assert re.fullmatch(r"inline; filename\*=UTF-8''[\w.%-]+", answer.headers["Content-Disposition"])


@pytest.mark.spec("CHN-67", "MED-12", "MED-13")
async def test_what_is_no_file_of_the_workspace_is_not_found(client: httpx.AsyncClient, lab: Lab, workspace: Path) -> None:
    (lab.home / "secrets.env").write_text("KEY=1")
    (workspace / "folder").mkdir()
    (workspace / "out.txt").symlink_to(lab.home / "secrets.env")
    (workspace / "up").symlink_to(lab.home)
    (workspace / "gone.txt").symlink_to(workspace / "nowhere")
    os.mkfifo(workspace / "pipe.txt")
    (workspace / "here.txt").write_text("here")
    (workspace / "there.txt").symlink_to(workspace / "here.txt")
    bad = ["missing.txt", "folder", "folder/", ".", "/", "..", "../secrets.env", "out.txt", "up/secrets.env", "gone.txt", "pipe.txt"]
    bad += ["here.txt/", "folder/../../secrets.env", str(lab.home / "secrets.env"), "a\x00b", "a\nb", "x" * 5000]
    for path in bad:
        answer = await get(client, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
        assert "KEY=1" not in answer.text
        untrusted(answer)
    assert (await get(client, "there.txt")).text == "here"
    assert (await get(client, str(workspace / "here.txt"))).text == "here"
    assert (await client.get("agents/nobody/files", params={"path": "here.txt"})).status_code == 404


@pytest.mark.spec("CHN-67", "MED-8")
async def test_reserved_places_stay_closed_when_the_workspace_holds_them(tmp_path: Path) -> None:
    profile = tmp_path / "home" / "agents" / "wide" / "agent.yaml"
    profile.parent.mkdir(parents=True)
    profile.write_text(f"name: Wide\nworkspace: {tmp_path}\n")
    async with jupyter(tmp_path) as lab, lab.client() as client:
        (tmp_path / "free.txt").write_text("free")
        (lab.home / "outputs").mkdir(exist_ok=True)
        (lab.home / "outputs" / "x.txt").write_text("not yours")
        assert (await client.get("agents/wide/files", params={"path": "free.txt"})).text == "free"
        for path in ("home/crew.db", "home/outputs/x.txt"):
            assert (tmp_path / path).exists()
            assert (await client.get("agents/wide/files", params={"path": path})).status_code == 404


@pytest.mark.spec("CHN-67", "MED-12")
async def test_without_a_path_the_request_is_refused(client: httpx.AsyncClient) -> None:
    for params in ({}, {"path": ""}, {"path": "  "}):
        answer = await client.get(ROUTE, params=params)
        assert (answer.status_code, answer.json()["field"]) == (422, "path")
        untrusted(answer)


@pytest.mark.spec("FIL-1")
async def test_a_large_file_comes_in_pieces_and_one_that_is_too_large_does_not(
    client: httpx.AsyncClient, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = os.urandom(3_000_001)
    (workspace / "large.bin").write_bytes(data)
    monkeypatch.setattr(files, "MAX_BYTES", len(data))
    answer = await get(client, "large.bin")
    assert answer.headers["Content-Length"] == str(len(data))
    assert answer.content == data
    (workspace / "large.bin").write_bytes(data + b"!")
    answer = await get(client, "large.bin")
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    (workspace / "empty.txt").write_bytes(b"")
    assert (await get(client, "empty.txt")).content == b""


@pytest.mark.spec("FIL-1")
async def test_no_file_stays_open(client: httpx.AsyncClient, lab: Lab, workspace: Path) -> None:
    (workspace / "large.bin").write_bytes(bytes(8_000_000))
    await get(client, "large.bin")
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        await get(client, "large.bin")
        async with client.stream("GET", ROUTE, params={"path": "large.bin"}) as answer:
            assert answer.status_code == 200  # and goes away without reading
    await get(client, "large.bin")
    assert len(os.listdir("/dev/fd")) <= before + 6  # sockets of the client may differ, files of this route may not


@pytest.mark.spec("CHN-66", "CHN-62")
async def test_a_page_of_the_workspace_gets_nothing(lab: Lab, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a")
    async with httpx.AsyncClient(base_url=lab.url) as plain:
        assert (await plain.get(ROUTE, params={"path": "a.txt"})).status_code == 403
        headers = {**lab.auth, "Origin": "null"}
        assert (await plain.get(ROUTE, params={"path": "a.txt"}, headers=headers)).status_code == 403
