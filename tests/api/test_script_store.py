"""The three routes of the script store, on a real server with a real crew."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from crewlab.engine.script.book import NotKept, book_of
from crewlab.engine.script.keeping import namespace_of
from tests.api.test_guard import signed_in
from tests.fixtures.books import AT, TOLD, kept
from tests.fixtures.server import Lab, jupyter

PROFILE = """
name: Ada
schedules:
- id: due-reminders
  name: Due reminders
  cron: 0 7 * * *
  prompt: what is due
- id: paused
  name: "  "
  every: 2h
  command: ls
  enabled: false
"""
ODD = " a/b?&=#\t\u200b\u0001\0😀 "  # spaces at the ends, a slash, controls, a NUL, something invisible


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Lab]:
    for name, text in (("ada", PROFILE), ("eva", PROFILE.replace("due-reminders", "hers"))):
        (tmp_path / "home" / "agents" / name).mkdir(parents=True)
        (tmp_path / "home" / "agents" / name / "agent.yaml").write_text(text)
    async with jupyter(tmp_path) as found:
        yield found


def store_of(agent: str) -> str:
    return f"agents/{agent}/script-store"


@pytest.mark.spec("STO-29", "STO-30", "STO-31", "STO-33")
async def test_the_list_has_the_agreed_shape(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.get(store_of("ada"))).json() == {"limit_chars": 262144, "namespaces": []}
    kept(await lab.crew(), "ada", "job:due-reminders", {"told": TOLD})
    assert (await client.get(store_of("ada"))).json() == {
        "limit_chars": 262144,
        "namespaces": [
            {
                "namespace": "job:due-reminders",
                "kind": "job",
                "ref": "due-reminders",
                "title": "Due reminders",
                "orphan": False,
                "chars": 15,
                "entries": [{"key": "told", "preview": TOLD, "chars": 11, "updated_at": AT}],
            }
        ],
    }


@pytest.mark.spec("STO-27", "STO-28", "STO-31", "STO-32", "STO-33", "STO-34")
async def test_kinds_titles_and_what_is_gone(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    said = (await client.post("inbound", json={"text": "hello there", "agent": "ada"})).json()["conversation_id"]
    untitled = (await client.post("conversations", json={"agent": "ada"})).json()["id"]
    propose = '/tool schedule_create {"name": "From chat", "prompt": "read", "cron": "0 7 * * *"}'
    asked = (await client.post("inbound", json={"text": propose, "agent": "ada"})).json()["conversation_id"]
    approval = (await client.get("approvals", params={"conversation_id": asked})).json()["approvals"][0]["id"]
    await client.post(f"approvals/{approval}", json={"decision": "approve"})
    while not (made := [job["schedule_id"] for job in (await client.get("jobs")).json()["jobs"] if job["origin"] == "chat"]):
        pass
    await client.patch("jobs/ada/due-reminders/state", json={"paused": True})
    names = ["job:due-reminders", "job:paused", "job:hers", "job:job-1", f"job:{made[0]}", f"conv:{said}", f"conv:{untitled}", "conv:gone"]
    for name in (*names, "job:", "notes", "z/other"):
        kept(crew, "ada", name, {"b": "1", "a": "2", "B": "3"})
    found = (await client.get(store_of("ada"))).json()["namespaces"]
    assert [one["namespace"] for one in found] == sorted(one["namespace"] for one in found)
    assert all([entry["key"] for entry in one["entries"]] == ["B", "a", "b"] for one in found)
    seen = {one["namespace"]: (one["kind"], one["ref"], one["title"], one["orphan"]) for one in found}
    assert seen == {
        "job:due-reminders": ("job", "due-reminders", "Due reminders", False),
        "job:paused": ("job", "paused", None, False),
        "job:hers": ("job", "hers", None, True),
        "job:job-1": ("job", "job-1", None, True),
        f"job:{made[0]}": ("job", made[0], "From chat", False),
        f"conv:{said}": ("conv", said, "hello there", False),
        f"conv:{untitled}": ("conv", untitled, None, False),
        "conv:gone": ("conv", "gone", None, True),
        "job:": ("job", "", None, True),
        "notes": ("other", "notes", None, False),
        "z/other": ("other", "z/other", None, False),
    }


@pytest.mark.spec("STO-31", "STO-35", "STO-5")
async def test_long_values_are_previewed_and_read_whole(lab: Lab, client: httpx.AsyncClient) -> None:
    long = '"' + "ệ😀" * 300 + '"'
    kept(await lab.crew(), "ada", "notes", {"long": long, "fits": '"' + "x" * 198 + '"', "by hand": "{not json", ODD: "1"})
    namespace = (await client.get(store_of("ada"))).json()["namespaces"][0]
    entries = {entry["key"]: entry for entry in namespace["entries"]}
    assert (entries["long"]["preview"], entries["long"]["chars"]) == (long[:200] + "…", 602)
    assert (entries["fits"]["preview"], entries["fits"]["chars"]) == ('"' + "x" * 198 + '"', 200)
    assert namespace["chars"] == 602 + 4 + 200 + 4 + 9 + 7 + 1 + len(ODD)
    for key, text in (("long", long), ("by hand", "{not json"), (ODD, "1")):
        value = (await client.get(f"{store_of('ada')}/value", params={"namespace": "notes", "key": key})).json()
        assert value == {"namespace": "notes", "key": key, "text": text, "chars": len(text), "updated_at": AT}


@pytest.mark.spec("STO-29", "STO-36", "STO-37", "STO-25")
async def test_a_key_or_a_namespace_is_forgotten_and_nothing_else(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    for agent in ("ada", "eva"):
        kept(crew, agent, "notes", {"a": "1", ODD: "2", ODD.strip(" "): "3", "": "4"})
        kept(crew, agent, "more", {"a": "1"})

    async def forget(agent: str, **params: str) -> object:
        answer = await client.delete(store_of(agent), params=params)
        return answer.json()["deleted"] if answer.status_code == 200 else (answer.status_code, answer.json()["code"])

    for wrong in ({}, {"namespace": ""}, {"namespace": "notes", "key": ""}, {"key": "a"}):
        assert await forget("ada", **wrong) == (422, "invalid")
    assert len(crew.store.script_store.namespace("ada", "notes")) == 4
    assert await forget("ada", namespace="notes", key="nothing") == 0
    assert await forget("ada", namespace="nowhere") == 0
    assert await forget("ada", namespace="notes", key=ODD) == 1
    assert set(crew.store.script_store.namespace("ada", "notes")) == {"a", ODD.strip(" "), ""}
    assert await forget("ada", namespace="notes") == 3
    assert await forget("nobody", namespace="notes") == (404, "agent_not_found")
    assert crew.store.script_store.namespace("ada", "more") == {"a": "1"}
    assert len(crew.store.script_store.namespace("eva", "notes")) == 4


@pytest.mark.spec("STO-29", "STO-35", "STO-37", "STO-36")
async def test_wrong_questions_are_answered_by_their_codes_and_nothing_writes(lab: Lab, client: httpx.AsyncClient) -> None:
    kept(await lab.crew(), "ada", "notes", {"a": "1"})
    value = f"{store_of('ada')}/value"
    for path, params, wanted in (
        (store_of("nobody"), {}, (404, "agent_not_found")),
        (f"{store_of('nobody')}/value", {"namespace": "notes", "key": "a"}, (404, "agent_not_found")),
        (value, {"namespace": "notes", "key": "b"}, (404, "value_not_found")),
        (value, {"namespace": "other", "key": "a"}, (404, "value_not_found")),
        (f"{store_of('eva')}/value", {"namespace": "notes", "key": "a"}, (404, "value_not_found")),
        (value, {"namespace": "notes"}, (422, "invalid")),
        (value, {"key": "a"}, (422, "invalid")),
        (value, {"namespace": "", "key": "a"}, (422, "invalid")),
        (value, {"namespace": "notes", "key": ""}, (422, "invalid")),
    ):
        answer = await client.get(path, params=params)
        assert (answer.status_code, answer.json()["code"]) == wanted, (path, params)
    for method in ("PUT", "POST", "PATCH"):
        for path in (store_of("ada"), value):
            assert (await client.request(method, path, json={"namespace": "notes", "key": "a", "text": "2"})).status_code == 405


@pytest.mark.spec("STO-29")
async def test_a_browser_deletes_only_with_the_xsrf_header(lab: Lab) -> None:
    kept(await lab.crew(), "ada", "notes", {"a": "1"})
    async with signed_in(lab) as browser:
        assert (await browser.get(store_of("ada"))).status_code == 200
        where = {"params": {"namespace": "notes"}}
        assert (await browser.delete(store_of("ada"), **where)).status_code == 403
        right = await browser.delete(store_of("ada"), headers={"X-XSRFToken": browser.cookies["_xsrf"]}, **where)
        assert right.json() == {"deleted": 1}


@pytest.mark.spec("STO-26")
async def test_a_deleted_conversation_takes_what_its_scripts_kept_with_it(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    one, two = [(await client.post("conversations", json={"agent": "ada"})).json()["id"] for _ in "12"]
    for conversation in (one, two):
        kept(crew, "ada", f"conv:{conversation}", {"a": "1"})
    assert (await client.delete(f"conversations/{one}")).status_code == 204
    found = (await client.get(store_of("ada"))).json()["namespaces"]
    assert [each["ref"] for each in found] == [two]


@pytest.mark.spec("STO-39", "STO-40", "STO-43", "STO-44")
async def test_removing_an_agent_empties_its_store_for_good_and_editing_does_not(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()

    def book(agent):  # type: ignore[no-untyped-def]
        return book_of(crew.store, agent, "job:due-reminders", crew.roster.generations, crew.texts, crew._parts.clock)

    kept(crew, "eva", "notes", {"a": "1"})
    before = crew.roster.get("ada")
    edited, removed, later = book(before), book(before), book(before)
    edited.store("a", "1")
    assert (await client.patch("agents/ada", json={"description": "other"})).status_code == 200
    edited.commit()
    assert crew.store.script_store.namespace("ada", "job:due-reminders") == {"a": "1"}
    removed.store("b", "2")
    assert (await client.delete("agents/ada")).status_code == 200
    assert (await client.get(store_of("ada"))).status_code == 404
    assert crew.store.script_store.namespace("ada", "job:due-reminders") == {}
    assert (await client.post("agents", json={"id": "ada"})).status_code == 201
    assert (await client.get(store_of("ada"))).json()["namespaces"] == []
    assert crew.roster.get("ada").generation == before.generation + 1
    new = book(crew.roster.get("ada"))
    new.store("c", "3")
    new.commit()
    assert later.load("c") is None
    for stale in (removed, later):
        with pytest.raises(NotKept, match="agent_removed"):
            stale.commit()
    assert crew.store.script_store.namespace("ada", "job:due-reminders") == {"c": "3"}
    assert crew.store.script_store.namespace("eva", "notes") == {"a": "1"}


@pytest.mark.spec("STO-39")
async def test_a_removal_that_is_refused_leaves_the_store_whole(
    lab: Lab, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew = await lab.crew()
    kept(crew, "ada", "notes", {"a": "1"})

    def busy(_path: Path, _target: Path) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(Path, "rename", busy)
    assert (await client.delete("agents/ada")).status_code == 409
    assert (await client.get(store_of("ada"))).json()["namespaces"][0]["entries"][0]["key"] == "a"
    assert crew.roster.get("ada").generation == 0


@pytest.mark.spec("STO-23", "STO-24")
async def test_a_turn_that_a_job_opened_keeps_in_the_place_of_the_job_and_one_of_a_person_in_that_of_the_conversation(
    lab: Lab, client: httpx.AsyncClient
) -> None:
    await client.post("jobs/ada/due-reminders/run")
    async with asyncio.timeout(10):
        while not (runs := (await client.get("jobs/ada/due-reminders/runs")).json()["runs"]) or runs[0]["status"] == "running":
            await asyncio.sleep(0)
    conversation = runs[0]["conversation_id"]
    assert namespace_of(runs[0]["source"], "ada", conversation) == "job:due-reminders"
    answered = (await client.post("inbound", json={"text": "and now?", "conversation_id": conversation})).json()
    run = (await client.get(f"activity/runs/{answered['run_id']}")).json()
    assert namespace_of(run["source"], "ada", conversation) == f"conv:{conversation}"
