"""Finding the server a notebook belongs to."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from crewlab.notebook.errors import CrewError, ServerGone
from crewlab.notebook.locate import Server, ancestors, answers_version, locate, parse_address, running_servers
from tests.ui.notebook.standin import Answer, StandIn

HERE = Server("http://127.0.0.1:8888", "tok-here", pid=100)
THERE = Server("http://127.0.0.1:9999", "tok-there", pid=200)


def never(_: Server) -> bool:
    raise AssertionError("nobody may be asked")


@pytest.mark.spec("UI-143")
def test_the_arguments_come_first() -> None:
    env = {"CREWLAB_SERVER_URL": "http://other:1/", "CREWLAB_SERVER_TOKEN": "other"}
    found = locate("http://host:8/base/", "mine", environ=env, servers=lambda: [HERE], parents=[100], answers=never)
    assert found == Server("http://host:8/base", "mine")


@pytest.mark.spec("UI-143")
def test_the_environment_comes_before_what_runs() -> None:
    env = {"CREWLAB_SERVER_URL": "http://host:8", "CREWLAB_SERVER_TOKEN": "env"}
    assert locate(environ=env, servers=lambda: [HERE], parents=[100], answers=never) == Server("http://host:8", "env")


@pytest.mark.spec("UI-143")
def test_the_server_above_the_kernel_is_taken_without_asking_anyone() -> None:
    assert locate(environ={}, servers=lambda: [HERE, THERE], parents=[7, 200, 100], answers=never) == THERE


@pytest.mark.spec("UI-143")
def test_the_only_one_that_answers_is_taken() -> None:
    assert locate(environ={}, servers=lambda: [HERE, THERE], parents=[], answers=lambda server: server is THERE) == THERE


@pytest.mark.spec("UI-143")
def test_several_without_an_ancestor_are_listed_and_none_is_taken() -> None:
    with pytest.raises(CrewError) as caught:
        locate(environ={}, servers=lambda: [HERE, THERE], parents=[], answers=lambda _: True)
    assert caught.value.code == "several_servers"
    assert HERE.url in caught.value.message
    assert THERE.url in caught.value.message
    assert "tok-" not in caught.value.message + repr(caught.value) + repr(caught.value.fields)


@pytest.mark.spec("UI-143")
def test_without_any_the_error_says_what_to_do() -> None:
    with pytest.raises(ServerGone, match=r"crewlab\.connect\(url, token\)"):
        locate(environ={}, servers=lambda: [HERE], parents=[], answers=lambda _: False)


@pytest.mark.spec("UI-143")
def test_the_files_of_running_servers_are_read_and_broken_ones_passed_over(tmp_path: Path) -> None:
    good = {"url": "http://localhost:8888/user/a/", "token": "tok", "pid": 42}
    (tmp_path / "jpserver-42.json").write_text(json.dumps(good))
    (tmp_path / "jpserver-43.json").write_text("{half")
    (tmp_path / "jpserver-44.json").write_text(json.dumps({"url": "http+unix://%2Ftmp%2Fs", "token": "", "pid": 44}))
    (tmp_path / "nbserver-45.json").write_text(json.dumps({**good, "pid": 45}))
    assert running_servers(tmp_path) == [Server("http://localhost:8888/user/a", "tok")]
    assert running_servers(tmp_path)[0].pid == 42


@pytest.mark.spec("UI-143")
def test_ancestors_begin_with_the_parent_jupyter_names_and_go_up() -> None:
    chain = ancestors({"JPY_PARENT_PID": "4242"})
    assert chain[:2] == [4242, os.getppid()]
    assert ancestors({})[0] == os.getppid()


@pytest.mark.spec("UI-143")
def test_the_token_shows_nowhere() -> None:
    assert "tok-here" not in f"{HERE!r} {HERE}"


@pytest.mark.parametrize(
    ("pasted", "url", "token"),
    [
        ("http://127.0.0.1:8888/lab?token=abc", "http://127.0.0.1:8888", "abc"),
        ("http://127.0.0.1:8888/user/x/lab/tree/a.ipynb", "http://127.0.0.1:8888/user/x", None),
        ("https://hub.example/user/x/", "https://hub.example/user/x", None),
    ],
)
def test_the_address_of_a_page_is_understood(pasted: str, url: str, token: str | None) -> None:
    assert parse_address(pasted) == Server(url, token)


def test_what_is_no_address_is_said_without_its_token() -> None:
    with pytest.raises(CrewError) as caught:
        parse_address("localhost:8888/lab?token=abc")
    assert "abc" not in caught.value.message


@pytest.mark.spec("UI-143")
@pytest.mark.parametrize(
    ("answer", "there"),
    [(None, True), (Answer(status=404, body={"message": "no"}), False), (Answer(html=True), False), (Answer(lost=True), False)],
)
def test_a_server_counts_when_its_version_route_answers(standin: StandIn, answer: Answer | None, there: bool) -> None:
    if answer is not None:
        standin.answers["GET /version"].clear()
        standin.on("GET /version", answer)
    assert answers_version(Server(standin.url, "t")) is there
    assert standin.seen[0].headers["authorization"] == "token t"
