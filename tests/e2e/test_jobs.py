"""Jobs given to other agents, as a person sees them: cards, requests, the way into a child's conversation and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400)]
SCRIPTS = {
    "boss": """
turns:
  - match: harbour
    rounds: [[{call: delegate, arguments: {agent: ada, task: 'When does the harbour open? Today is Monday.'}}], [{text: never}]]
  - match: both
    rounds:
      - - {call: delegate, arguments: {agent: ada, task: 'Look at the harbour', relay: false}}
        - {call: delegate, arguments: {agent: bob, task: 'Write the plan of the tour'}}
      - [{text: 'Both are back.'}]
  - match: chart
    rounds: [[{call: delegate, arguments: {agent: dora, task: 'Draw the chart of the harbour'}}], [{text: never}]]
  - match: wait
    rounds: [[{call: delegate, arguments: {agent: carol, task: 'Count every grain of sand'}}], [{text: 'Carol was stopped.'}]]
  - rounds: [[{text: 'Heard.'}]]
""",
    "ada": "turns: [{rounds: [[{text: 'It opens at **nine**.'}, {price: 0.0149}]]}]",
    "bob": """
turns:
  - rounds:
      - [{call: workspace_write, arguments: {path: plan.md, content: 'first the mole'}}]
      - [{text: "I may not write.\\n\\nStatus: DONE"}, {price: 0.02}]
""",
    "dora": """
turns:
  - rounds:
      - [{call: artifact_create, arguments: {title: 'Chart of the harbour', kind: markdown, content: '# Depths'}}]
      - [{text: 'The chart is drawn.'}]
""",
    "carol": "turns: [{rounds: [[{call: workspace_list}], [{text: 'one, two, '}, {hang: true}]]}]",
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("jobs")
    lab = Lab(folder, routes=f"fake:script:{folder}/boss.yaml")
    for name, script in SCRIPTS.items():
        (folder / f"{name}.yaml").write_text(script, encoding="utf-8")
        if name != "boss":
            agent(lab.home, name, folder)
    lab.start()
    yield lab
    lab.stop()


def agent(home: Path, name: str, folder: Path) -> None:
    directory = home / "agents" / name
    directory.mkdir(parents=True)
    (directory / "agent.yaml").write_text(f"name: {name.title()}\nroutes: ['fake:script:{folder}/{name}.yaml']\n", encoding="utf-8")


@pytest.fixture
def desk(page: Page, lab: Lab) -> Desk:
    desk = Desk(page, lab)
    desk.open()
    desk.chat()
    desk.execute("crewlab:new-conversation")
    return desk


@pytest.mark.spec("DLG-55", "DLG-74", "DLG-78", "UI-11", "UI-33", "DLG-14")
def test_a_job_is_a_card_its_answer_is_handed_on_and_its_conversation_opens_with_a_way_back(desk: Desk, lab: Lab) -> None:
    desk.send("When does the harbour open?")
    card = desk.thread.get_by_role("group", name="Job of Ada")
    expect(card).to_contain_text("Done", timeout=PATIENCE_MS)
    expect(card).to_contain_text("1 step, $0.0149")
    desk.see("Handed on from Ada, word for word")
    expect(desk.thread.locator(".jp-RenderedHTMLCommon strong")).to_have_text("nine")
    desk.page.reload()
    desk.ready()
    desk.chat()
    desk.execute("crewlab:open-conversation", id=lab.get("conversations").json()["conversations"][0]["id"])
    desk.see("Handed on from Ada, word for word")
    desk.thread.get_by_role("button", name="Open conversation").click()
    desk.see("When does the harbour open? Today is Monday.")
    desk.page.locator(".crew-chat header").get_by_role("button", name="Back").click()
    desk.see("Handed on from Ada, word for word")
    assert [one["title"] for one in lab.get("conversations", agent="ada").json()["conversations"]] == []
    assert desk.errors == []


@pytest.mark.spec("GATE-38", "DLG-23", "DLG-30", "DLG-55", "OUT-41")
def test_two_jobs_run_side_by_side_and_a_request_of_one_is_decided_from_the_parents_chat(desk: Desk) -> None:
    desk.send("Do both")
    bob = desk.thread.get_by_role("group", name="Job of Bob")
    expect(bob).to_contain_text("Waits for you", timeout=PATIENCE_MS)
    bar = desk.page.locator(".crew-ask")
    expect(bar).to_contain_text("Bob asks in a job that was given out here.")
    expect(bar).to_contain_text("first the mole")
    bar.get_by_role("button", name="Deny").click()
    desk.see("Both are back.")
    expect(bob).to_contain_text("You did not allow: workspace write.")
    expect(bar).to_have_count(0)
    assert desk.errors == []


@pytest.mark.spec("DLG-28", "UI-33", "UI-45")
def test_stop_in_the_parent_stops_the_child_whose_line_was_shown(desk: Desk, lab: Lab) -> None:
    desk.send("Now wait")
    card = desk.thread.get_by_role("group", name="Job of Carol")
    expect(card).to_contain_text("Thinking", timeout=PATIENCE_MS)
    desk.page.get_by_role("button", name="Stop").click()
    desk.until(lambda: all(run["status"] == "error" for run in lab.get("activity/runs", agent_id="carol").json()["runs"]))
    desk.composer.wait_for()
    desk.send("And now?")
    expect(card).to_contain_text("It was stopped before its end.", timeout=PATIENCE_MS)
    assert desk.errors == []


@pytest.mark.spec("DLG-65", "UI-34", "CNV-93")
def test_a_canvas_of_a_child_is_a_chip_on_its_card_that_follows_the_canvas_and_opens_it(desk: Desk, lab: Lab) -> None:
    desk.send("Draw a chart")
    chip = desk.thread.get_by_role("group", name="Job of Dora").locator(".crew-canvas-chip")
    expect(chip).to_have_count(1)
    expect(chip).to_contain_text("Chart of the harbour")
    expect(chip.locator(".crew-dot")).to_have_count(1)  # nobody has looked at it
    chip.click()
    expect(desk.page.locator(".crewlab-Canvas h1", has_text="Depths")).to_be_visible()
    expect(chip.locator(".crew-dot")).to_have_count(0)
