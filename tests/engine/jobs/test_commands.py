"""Command jobs for real: the clock comes round, the line runs, the run tells how it ended."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.records import Run
from tests.fixtures.crews import a_crew

START = datetime(2026, 5, 4, 6, 0, tzinfo=UTC)
SCHEDULE = "schedules:\n- id: prices\n  cron: 0 7 * * *\n  command: {command}\n"


async def ran(root: Path, command: str, profile: str = "") -> Run:
    """The run of the job after its hour has come."""
    root.mkdir(parents=True)
    (root / "agent.yaml").write_text(SCHEDULE.format(command=command) + profile)
    clock = FakeClock(START)
    async with a_crew(root, clock=clock, config="timezone: UTC\n") as crew:
        await crew.jobs.tick()
        clock.advance(3600.0)
        await crew.jobs.tick()
        (run,), _ = crew.runs.list()
        assert crew.conversations.list()[0] == []
        return run


@pytest.mark.spec("SHL-82", "SHL-83", "SHL-84", "GATE-66", "JOB-6")
async def test_a_line_runs_without_gate_list_or_sandbox_and_is_one_step(tmp_path: Path) -> None:
    shell = "shell_network: false\nshell_deny_patterns: [echo]\nshell_ask_patterns: [echo]\n"
    run = await ran(tmp_path / "home", "echo 12 > price; cat price", shell)
    assert (run.status, run.summary, [step.name for step in run.steps]) == ("done", "12\n", ["shell_run"])
    assert (tmp_path / "home" / "workspace" / "price").read_text() == "12\n"


@pytest.mark.spec("SHL-86")
async def test_a_line_that_fails_is_a_failed_run_with_its_code_and_output(tmp_path: Path) -> None:
    run = await ran(tmp_path / "home", "echo why; exit 7")
    assert (run.status, run.summary) == ("error", "exit code: 7\nwhy\n")


@pytest.mark.spec("SHL-85")
async def test_a_line_keeps_its_own_time_limit(tmp_path: Path) -> None:
    run = await ran(tmp_path / "home", "echo begun; sleep 600\n  timeout_s: 1")
    assert run.status == "error"
    assert run.summary is not None
    assert run.summary.startswith("The command was stopped after 1 s, its timeout. What it printed until then:")
