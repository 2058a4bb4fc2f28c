"""The routes of jobs over HTTP, on a real server with a real crew."""

import itertools
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
import pytest

from tests.fixtures.server import jupyter

PROFILE = """
schedules:
- id: daily
  name: The morning
  cron: 0 7 * * *
  prompt: good morning
- id: shut
  every: 2h
  command: ls
  enabled: false
"""


async def test_nothing_is_there_without_schedules(client: httpx.AsyncClient) -> None:
    assert (await client.get("jobs")).json()["jobs"] == []


@pytest.mark.spec("JOB-25", "JOB-26", "JOB-27", "JOB-29", "JOB-30")
async def test_jobs_are_listed_run_paused_and_kept(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    (home / "agent.yaml").write_text(PROFILE)
    async with jupyter(tmp_path, config="timezone: Asia/Ho_Chi_Minh\nroutes: [fake:echo]\n") as lab, lab.client() as client:
        answer = (await client.get("jobs")).json()
        assert answer["timezone"] == "Asia/Ho_Chi_Minh"
        assert [(job["id"], job["kind"], job["enabled"]) for job in answer["jobs"]] == [
            ("default/daily", "prompt", True),
            ("default/shut", "command", False),
        ]
        started = await client.post("jobs/default/daily/run")
        assert (started.status_code, started.json()) == (202, {"job": "default/daily"})
        while (runs := (await client.get("jobs/default/daily/runs")).json()["runs"]) == [] or runs[0]["status"] == "running":
            pass
        assert (runs[0]["source"], runs[0]["summary"]) == ("job:default/daily", "good morning")
        paused = await client.patch("jobs/default/daily/state", json={"paused": True})
        assert (paused.status_code, paused.json()["paused"], paused.json()["next_run_at"]) == (200, True, None)
        refused = [
            (await client.post("jobs/default/shut/run"), 409, "disabled"),
            (await client.patch("jobs/default/shut/state", json={"paused": True}), 409, "disabled"),
            (await client.delete("jobs/default/daily"), 409, "profile_job"),
            (await client.post("jobs/default/none/run"), 404, "not_found"),
            (await client.patch("jobs/none/state", json={"paused": True}), 404, "not_found"),
            (await client.get("jobs/a/b/c/runs"), 404, "not_found"),
            (await client.delete("jobs/x"), 404, "not_found"),
            (await client.patch("jobs/default/daily/state", json={"paused": "perhaps"}), 422, "invalid"),
            (await client.patch("jobs/default/daily/state", json={}), 422, "invalid"),
        ]
        assert [(one.status_code, one.json()["code"]) for one, _, _ in refused] == [(status, code) for _, status, code in refused]
        assert "enabled" in refused[0][0].json()["message"]


@pytest.mark.spec("GATE-102", "GATE-108", "GATE-110", "GATE-114", "JOB-31")
async def test_a_schedule_made_in_a_conversation_is_a_job_that_can_be_deleted(client: httpx.AsyncClient) -> None:
    propose = '/tool schedule_create {"name": "News", "prompt": "read the news", "cron": "0 7 * * mon-fri"}'
    asked = (await client.post("inbound", json={"text": propose})).json()
    approval = (await client.get("approvals", params={"conversation_id": asked["conversation_id"]})).json()["approvals"][0]
    assert "read the news" in approval["reason"]
    decided = (await client.post(f"approvals/{approval['id']}", json={"decision": "approve", "always": True})).json()
    assert decided["always"] is False
    while not (jobs := (await client.get("jobs")).json()["jobs"]):
        pass
    assert (jobs[0]["origin"], jobs[0]["name"], jobs[0]["words"]) == ("chat", "News", "Monday to Friday at 07:00")
    assert (await client.delete(f"jobs/{jobs[0]['id']}")).status_code == 204
    assert (await client.get("jobs")).json()["jobs"] == []


# --- the line that somebody is writing


@pytest.mark.spec("UI-91", "JOB-15", "JOB-16")
async def test_a_line_is_told_in_words_with_its_next_three_moments_and_nothing_is_saved(tmp_path: Path) -> None:
    async with jupyter(tmp_path, config="timezone: Asia/Tokyo\n") as lab, lab.client() as client:
        before = (await client.get("jobs")).json()
        shown = (await client.get("jobs/preview", params={"cron": "0 7 * * mon-fri"})).json()
        assert (shown["words"], shown["timezone"]) == ("Monday to Friday at 07:00", "Asia/Tokyo")
        moments = [datetime.fromisoformat(one).astimezone(ZoneInfo("Asia/Tokyo")) for one in shown["next"]]
        assert len(moments) == 3
        assert all((one.hour, one.minute) == (7, 0) and one.weekday() < 5 for one in moments)
        assert moments == sorted(set(moments))
        spaced = [datetime.fromisoformat(one) for one in (await client.get("jobs/preview", params={"every": "2h"})).json()["next"]]
        assert {later - sooner for sooner, later in itertools.pairwise(spaced)} == {timedelta(hours=2)}
        assert (await client.get("jobs/preview", params={"cron": "0 0 31 2 *"})).json()["next"] == []
        for query, field in (({"cron": "0 7 * *"}, "cron"), ({"cron": ""}, "cron"), ({"every": "7"}, "every"), ({}, "cron")):
            answer = await client.get("jobs/preview", params=query)
            assert (answer.status_code, answer.json()["field"]) == (422, field)
        assert (await client.get("jobs")).json() == before
