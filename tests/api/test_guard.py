"""The guard, as a table and through a real server (CHN-60 to CHN-63, WIRE-11)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from jupyter_server.auth import Authorizer
from tornado.httpclient import HTTPClientError

from crewlab.engine.texts import Texts
from crewlab.server_ext.guard import Presented, allowed_hosts, refusal
from tests.fixtures.server import BASE_URL, Lab, jupyter

TEXTS = Texts("en")
TOKEN, XSRF, NOTHING = Presented(authorization=True), Presented(xsrf=True), Presented()
UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "A" * 22 + "=="}
NAMES = frozenset({"lab.example.org"})


@pytest.mark.spec("CHN-60")
@pytest.mark.parametrize(
    ("host", "open_to"),
    [
        ("127.0.0.1:8888", True),
        ("127.0.0.1", True),
        ("[::1]:8888", True),
        ("192.168.4.20:8888", True),
        ("localhost:8888", True),
        ("LOCALHOST", True),
        ("lab.example.org", True),
        ("Lab.Example.org:8443", True),
        ("evil.example", False),
        ("lab.example.org.evil.example", False),
        ("127.0.0.1.evil.example:8888", False),
        ("localhost.", False),
        ("localhost:", False),
        ("", False),
        (":8888", False),
        ("[::1", False),
        ("localhost:8888x", False),
        ("user@localhost", False),
        ("localhost/..", False),
        ("localhost, evil.example", False),
    ],
)
def test_the_host_is_an_ip_address_localhost_or_an_allowed_name(host: str, open_to: bool) -> None:
    why = refusal(host, None, NAMES, "GET", NOTHING, TEXTS)
    assert (why is None) is open_to
    assert why is None or repr(host) in why


@pytest.mark.spec("CHN-60", "CHN-62")
@pytest.mark.parametrize(
    ("origin", "host", "open_to"),
    [
        (None, "localhost:8888", True),
        ("http://localhost:8888", "localhost:8888", True),
        ("https://lab.example.org", "lab.example.org", True),
        ("http://LOCALHOST:8888", "localhost:8888", True),
        ("http://localhost", "localhost:8888", False),
        ("http://localhost:8889", "localhost:8888", False),
        ("http://127.0.0.1:8888", "localhost:8888", False),
        ("http://evil.example", "localhost:8888", False),
        ("http://localhost:8888@evil.example", "localhost:8888", False),
        ("http://localhost:8888/", "localhost:8888", False),
        ("file://localhost:8888", "localhost:8888", False),
        ("localhost:8888", "localhost:8888", False),
        ("", "localhost:8888", False),
        ("null", "localhost:8888", False),
        ("null", "null", False),
    ],
)
def test_an_origin_equals_host_and_port_exactly(origin: str | None, host: str, open_to: bool) -> None:
    assert (refusal(host, origin, NAMES | {"null"}, "GET", TOKEN, TEXTS) is None) is open_to


@pytest.mark.spec("CHN-63")
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    ("presented", "open_to"),
    [
        (TOKEN, True),
        (XSRF, True),
        (NOTHING, False),
        (Presented(url_token=True), False),
        (Presented(authorization=True, url_token=True), False),
        (Presented(xsrf=True, url_token=True), False),
    ],
)
def test_a_change_needs_more_than_a_cookie_and_no_token_in_the_address(method: str, presented: Presented, open_to: bool) -> None:
    assert (refusal("localhost", None, (), method, presented, TEXTS) is None) is open_to


@pytest.mark.spec("CHN-63")
def test_reading_takes_a_cookie_or_a_token_in_the_address() -> None:
    assert refusal("localhost", None, (), "GET", NOTHING, TEXTS) is None
    assert refusal("localhost", None, (), "GET", Presented(url_token=True), TEXTS) is None


@pytest.mark.spec("CHN-60")
def test_allowed_hosts_are_separated_by_commas_or_spaces() -> None:
    assert allowed_hosts({"CREWLAB_ALLOWED_HOSTS": " Lab.example.org, other.example\tthird "}) == {
        "lab.example.org",
        "other.example",
        "third",
    }
    assert allowed_hosts({}) == set()


@pytest.mark.spec("CHN-60", "CHN-61", "CHN-62", "TURN-8")
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80", "Origin": "http://evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
@pytest.mark.parametrize("path", ["version", "no/such/route", "activity/stream", "ws"])
async def test_the_server_refuses_foreign_hosts_and_origins_before_anything_else(lab: Lab, path: str, headers: dict[str, str]) -> None:
    async with httpx.AsyncClient(base_url=lab.url, headers=lab.auth) as client:
        answer = await client.get(path, headers={**headers, **(UPGRADE if path == "ws" else {})})
    assert answer.status_code == 403
    assert answer.json()["code"] == "forbidden"
    assert headers.get("Host", lab.host) in answer.json()["message"]


@pytest.mark.spec("CHN-61")
async def test_jupyters_own_settings_do_not_widen_the_guard(lab: Lab) -> None:
    settings = lab.app.web_app.settings
    settings.update(allow_origin="*", allow_remote_access=True)
    async with lab.client() as client:
        assert (await client.get("version", headers={"Origin": "http://evil.example"})).status_code == 403
        assert (await client.get("version", headers={"Host": "evil.example"})).status_code == 403
        settings["local_hostnames"] = ["localhost", "Workstation"]
        assert (await client.get("nothing", headers={"Host": "workstation:1"})).status_code == 404


@pytest.mark.spec("CHN-60")
async def test_a_name_in_the_variable_is_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREWLAB_ALLOWED_HOSTS", "lab.example.org")
    async with jupyter(tmp_path) as lab, lab.client() as client:
        lab.app.web_app.settings["allow_remote_access"] = True
        good = {"Host": "lab.example.org", "Origin": "https://lab.example.org"}
        assert (await client.get("nothing", headers=good)).status_code == 404
        assert (await client.get("nothing", headers={"Host": "other.example.org"})).status_code == 403


@asynccontextmanager
async def signed_in(lab: Lab) -> AsyncIterator[httpx.AsyncClient]:
    """A browser: it has the login cookie and the XSRF cookie, and no token."""
    root = f"http://{lab.host}{BASE_URL}"
    async with httpx.AsyncClient(base_url=lab.url, timeout=10) as browser:
        assert (await browser.get(f"{root}api/me", params={"token": lab.token})).status_code == 200
        await browser.get(f"{root}login", follow_redirects=True)
        assert "_xsrf" in browser.cookies
        yield browser


@pytest.mark.spec("CHN-61", "CHN-63", "TURN-14")
async def test_a_browser_reads_with_its_cookie_and_changes_only_with_the_xsrf_header(lab: Lab) -> None:
    async with signed_in(lab) as browser:
        assert (await browser.get("nothing")).status_code == 404
        alone = await browser.post("nothing", json={})
        assert (alone.status_code, alone.json()["code"]) == (403, "forbidden")
        wrong = await browser.post("nothing", json={}, headers={"X-XSRFToken": "wrong"})
        assert (wrong.status_code, wrong.json()["code"]) == (403, "forbidden")
        right = await browser.post("nothing", json={}, headers={"X-XSRFToken": browser.cookies["_xsrf"]})
        assert right.status_code == 404


@pytest.mark.spec("CHN-63", "TURN-10")
async def test_a_token_in_the_address_reads_but_does_not_change_and_is_never_logged(lab: Lab) -> None:
    async with httpx.AsyncClient(base_url=lab.url) as client:
        assert (await client.get("nothing", params={"token": lab.token})).status_code == 404
        assert (await client.post("nothing", params={"token": lab.token}, json={})).status_code == 403
        client.cookies.clear()
        assert (await client.get("nothing", params={"token": "wrong-token-4711"})).status_code == 403
    assert lab.token not in "\n".join(lab.log)
    assert "wrong-token-4711" not in "\n".join(lab.log)
    assert any("nothing" in line for line in lab.log)


@pytest.mark.spec("TURN-8", "CHN-61", "WIRE-11")
@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
async def test_without_any_sign_in_the_answer_is_403_and_no_login_page(lab: Lab, method: str) -> None:
    async with lab.client(headers={"X-XSRFToken": "x"}) as client:
        answer = await client.request(method, "conversations")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.spec("CHN-61", "WIRE-11")
async def test_a_browsers_cookie_opens_a_websocket_and_an_event_stream_of_its_own_page(lab: Lab) -> None:
    origin = {"Origin": f"http://{lab.host}"}
    async with signed_in(lab) as browser:
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        window = await lab.socket(Cookie=cookies, **origin)
        await window.subscribe("activity")
        async with browser.stream("GET", "activity/stream", headers=origin) as answer:
            assert answer.status_code == 200
        with pytest.raises(HTTPClientError):
            await lab.socket(Cookie=cookies, Origin="http://evil.example")


@pytest.mark.spec("CHN-61")
async def test_jupyters_authorizer_is_asked_under_the_name_crewlab(lab: Lab) -> None:
    asked: list[tuple[str, str]] = []

    class Deny(Authorizer):
        async def is_authorized(self, handler: object, user: object, action: str, resource: str) -> bool:
            asked.append((action, resource))
            return False

    lab.app.web_app.settings["authorizer"] = Deny(identity_provider=lab.app.identity_provider)
    async with lab.client() as client:
        assert (await client.get("agents")).json()["code"] == "forbidden"
        assert (await client.post("conversations", json={})).status_code == 403
    with pytest.raises(HTTPClientError):
        await lab.socket()
    assert asked == [("read", "crewlab"), ("write", "crewlab"), ("read", "crewlab")]


@pytest.mark.spec("WIRE-11")
@pytest.mark.parametrize("headers", [{"X-Nothing": "1"}, {"Authorization": "token wrong"}])
async def test_no_websocket_opens_without_jupyters_authentication(lab: Lab, headers: dict[str, str]) -> None:
    with pytest.raises(HTTPClientError) as refused:
        await lab.socket(**headers)
    assert refused.value.code == 403
