"""The settings that a person changes in the manager, and the ledger that the costs are drawn from, on a real server."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import yaml

from tests.fixtures.server import Lab, jupyter

CONFIG = """\
# who I am
person: {name: An}   # for now
max_steps: 9  # few
"""
EMPTY = {"name": None, "department": None, "organisation": None}


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Lab]:
    async with jupyter(tmp_path, config=CONFIG) as found:
        await found.crew()
        yield found


def config(lab: Lab) -> str:
    return (lab.home / "config.yaml").read_text(encoding="utf-8")


@pytest.mark.spec("PTL-152")
async def test_the_lines_about_the_person_are_read_saved_and_cleared(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.get("settings/person")).json() == {**EMPTY, "name": "An"}
    lines = {"name": "Nguyễn Thị An", "department": "Khí hậu", "organisation": "Viện\u200b Địa\tlý "}
    answer = await client.put("settings/person", json=lines)
    kept = {**lines, "organisation": "Viện Địalý"}  # signs that cannot be seen are removed
    assert (answer.status_code, answer.json()) == (200, kept)
    assert (await client.get("settings/person")).json() == kept
    assert yaml.safe_load(config(lab)) == {"person": kept, "max_steps": 9}
    assert "# who I am" in config(lab)
    assert "max_steps: 9  # few" in config(lab)  # every other line as it was
    assert (await lab.crew()).settings.person.department == "Khí hậu"  # in force without a restart
    cleared = await client.put("settings/person", json={"name": "", "department": None})
    assert cleared.json()["name"] in (None, "")
    assert yaml.safe_load(config(lab)) == {"max_steps": 9}


@pytest.mark.spec("PTL-152", "UI-101")
@pytest.mark.parametrize(
    ("field", "value"), [("name", "two\nlines"), ("department", "a\u2028b"), ("organisation", "x" * 121), ("name", 7), ("chat_id", "1")]
)
async def test_a_line_that_cannot_stand_is_refused_by_its_name_and_nothing_is_written(
    lab: Lab, client: httpx.AsyncClient, field: str, value: object
) -> None:
    answer = await client.put("settings/person", json={"name": "B", **{field: value}})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert answer.json()["field"] == field
    assert config(lab) == CONFIG


@pytest.mark.spec("PTL-152")
async def test_a_file_changed_by_hand_is_not_written_over(lab: Lab, client: httpx.AsyncClient) -> None:
    (lab.home / "config.yaml").write_text(CONFIG + "autonomous: true\n", encoding="utf-8")
    answer = await client.put("settings/person", json={"name": "B"})
    assert (answer.status_code, answer.json()["code"]) == (409, "file_changed")
    assert config(lab).endswith("autonomous: true\n")


@pytest.mark.spec("USE-1", "UI-83")
async def test_the_parts_of_every_period_sum_to_the_ledger(lab: Lab, client: httpx.AsyncClient) -> None:
    for text in ("one", "two"):
        await client.post("inbound", json={"text": text})
    whole = (await client.get("stats")).json()["totals"]
    for period, spans in (("week", 7), ("month", 30), ("all", 12)):
        found = (await client.get("stats/parts", params={"period": period})).json()
        assert (found["period"], len(found["spans"])) == (period, spans)
        (part,) = found["parts"]
        assert (part["span"], part["agent_id"], part["purpose"]) == (found["spans"][-1], "default", "turn")
        assert {name: part[name] for name in whole} == whole
        assert math.isclose(part["cost_usd"], whole["cost_usd"])
    assert (await client.get("stats/parts")).json()["period"] == "week"
    assert (await client.get("stats/parts", params={"period": "year"})).status_code == 422
