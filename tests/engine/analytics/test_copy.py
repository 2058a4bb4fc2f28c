"""What stands in the copy: rows by watermarks, deletions, masks, and sums that are those of the store."""

import json
import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from crewlab.analytics_schema import TABLES, VIEWS, names
from crewlab.engine.analytics.build import Build
from crewlab.engine.clock import FakeClock
from crewlab.engine.records import NestedCall, Step
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.turn.stats import Stats
from tests.fixtures.copied import CALLS, NOON, ZONE, answer, approval, ask, at, built, conversation, filled, run, script_steps

SECRET = "correct-horse-battery-staple"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "crew.db", Texts())
    yield opened
    opened.close()


@pytest.fixture
def build(store: Store, tmp_path: Path) -> Iterator[Build]:
    made = Build(tmp_path / "analytics", store.readers)
    yield made
    made.close()


@pytest.mark.spec("ANL-10", "ANL-9")
def test_a_run_is_one_row_with_its_counts_and_where_it_came_from(store: Store, build: Build) -> None:
    filled(store)
    path = built(build)
    columns = (
        "run_id, source_kind, job_id, parent_conversation_id, status, duration_ms, steps, model_calls, tool_calls, tool_errors, resumed"
    )
    assert ask(path, f"SELECT {columns} FROM runs ORDER BY run_id") == [
        ("r1", "chat", None, None, "done", 9000, 4, 1, 2, 1, False),
        ("r2", "chat", None, None, "running", None, 0, 0, 0, 0, False),
        ("r3", "job", "ana/morning", None, "done", 9000, 4, 1, 2, 1, False),
        ("r4", "delegate", None, "c1", "halted", 9000, 0, 0, 0, 0, True),
    ]
    assert ask(path, "SELECT halt_reason, after_seq FROM runs WHERE run_id = 'r4'") == [("budget", 1)]
    assert ask(path, "SELECT cost_usd, cost_known, unknown_cost_calls FROM runs WHERE run_id = 'r3'") == [(0.0, False, 1)]
    assert ask(path, "SELECT started_at, day FROM runs WHERE run_id = 'r1'") == [(NOON, date(2026, 3, 11))]


@pytest.mark.spec("ANL-10")
@pytest.mark.parametrize(
    ("source", "kind", "job", "parent"),
    [
        ("telegram", "telegram", None, None),
        ("inbound:mail", "inbound", None, None),
        ("notebook", "notebook", None, None),
        ("vibe:c9", "vibe", None, "c9"),
        ("job:a/b", "job", "a/b", None),
    ],
)
def test_the_source_of_a_run_is_read_into_its_parts(
    store: Store, build: Build, source: str, kind: str, job: str | None, parent: str | None
) -> None:
    run(store, "r1", source=source)
    found = ask(built(build), "SELECT source, source_kind, job_id, parent_conversation_id FROM runs")
    assert found == [(source, kind, job, parent)]


@pytest.mark.spec("ANL-11")
def test_steps_are_rows_with_the_words_of_the_run_record(store: Store, build: Build) -> None:
    run(store, "r1", [*script_steps(), Step(index=4, kind="fallback", status="error", started_at=at(8), route="p:m2", error="busy")])
    found = ask(built(build), "SELECT step_index, kind, status, name, route, ms, cost_usd, text FROM steps ORDER BY step_index")
    assert found == [
        (0, "model", "done", None, "p:m1", 900, 0.5, None),
        (1, "tool", "done", "tool_script", None, 5000, None, "42"),
        (2, "tool", "error", "shell_run", None, 10, None, "exit 1"),
        (3, "wait", "done", "shell_run", None, None, None, None),
        (4, "fallback", "error", None, "p:m2", None, None, "busy"),
    ]


@pytest.mark.spec("ANL-12", "ANL-9")
def test_an_answer_of_a_model_belongs_to_the_run_before_it_and_to_the_day_of_the_person(store: Store, build: Build) -> None:
    filled(store)
    columns = "conversation_id, agent_id, run_id, seq, model, cost_usd, cost_known, cost_estimated, prompt_tokens, day"
    assert ask(built(build), f"SELECT {columns} FROM model_calls ORDER BY message_id") == [
        ("c1", "default", "r1", 2, "m1", 0.5, True, False, 100, date(2026, 3, 11)),
        ("c1", "default", "r2", 4, "m1", None, False, False, 100, date(2026, 3, 11)),
        ("c2", "ana", "r3", 1, "m2", 0.25, True, True, 100, date(2026, 3, 12)),  # 18:00 UTC is the next day there
    ]


@pytest.mark.spec("ANL-13", "SCR-209", "EVAL-28")
def test_calls_of_a_script_are_rows_of_their_own(store: Store, build: Build) -> None:
    run(store, "r1", script_steps(), conversation_id="c1")
    cell = Step(index=0, kind="tool", status="done", started_at=at(), name="eval", tool_call_id="e1", calls=CALLS[:1])
    run(store, "r2", [cell])
    path = built(build)
    columns = "step_index, call_index, tool, mcp_server, ok, outcome, ms, cost_usd, metered, gated, child_spent_usd, received_chars"
    assert ask(path, f"SELECT {columns} FROM tool_calls WHERE run_id = 'r1' ORDER BY step_index, call_index NULLS FIRST") == [
        (1, None, "tool_script", None, True, "ok", 5000, None, False, None, None, 900),
        (1, 0, "mcp__notion__search", "notion", True, "ok", 30, None, False, False, None, None),
        (1, 1, "workspace_write", None, True, "ok", 5, None, False, True, None, None),
        (1, 2, "web_read", None, False, "error", 70, None, False, False, None, None),
        (1, 3, "llm.summarise", None, True, "ok", 900, 0.002, True, False, None, None),
        (1, 4, "delegate", None, True, "ok", 4000, None, False, False, 0.25, None),
        (2, None, "shell_run", None, False, "error", 10, None, False, None, None, None),
    ]
    assert ask(path, "SELECT call_index, tool FROM tool_calls WHERE run_id = 'r2' ORDER BY call_index") == [
        (0, "mcp__notion__search"),
        (None, "eval"),
    ]
    assert ask(path, "SELECT arguments ->> 'q', output_head, tool_call_id FROM tool_calls WHERE call_index = 0 AND run_id = 'r1'") == [
        ("heat", "two pages", "t1")
    ]


@pytest.mark.spec("ANL-14")
def test_requests_and_side_calls_are_there_and_a_decision_changes_its_row(store: Store, build: Build) -> None:
    filled(store)
    query = "SELECT approval_id, kind, tool, status, always, waited_ms FROM approvals ORDER BY approval_id"
    assert ask(built(build), query) == [
        ("a1", "tool", "shell_run", "approved", True, 90_000),
        ("a2", "question", "ask_user", "pending", False, None),
    ]
    store.approvals.decide("a2", "answered", at(60), answer="yes")
    path = built(build)
    assert ask(path, query)[1] == ("a2", "question", "ask_user", "answered", False, 60_000)
    assert ask(path, "SELECT id, agent_id, purpose, cost_usd, cost_known FROM side_calls ORDER BY id") == [
        (1, "ana", "title", 0.01, True),
        (2, "default", "script", None, False),
    ]
    assert ask(path, "SELECT schema_version, through_side_call_id, timezone FROM meta") == [(1, 2, ZONE)]


@pytest.mark.spec("ANL-5")
def test_an_update_reads_only_what_came_since_and_writes_a_changed_run_again(store: Store, build: Build) -> None:
    filled(store)
    built(build)
    open_run = store.runs.get("r2")
    assert open_run is not None
    open_run.status, open_run.ended_at, open_run.steps = "done", at(30), script_steps()
    store.runs.save(open_run)
    answer(store, "c1", 0.125, seconds=29)
    seen: list[str] = []
    rows = type(store.db).each
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(store.db), "each", lambda db, sql, params=(): (seen.append(str(row[1])) or row for row in rows(db, sql, params)))
        path = built(build)
    assert [json.loads(one)["run_id"] for one in seen] == ["r2"]
    assert ask(path, "SELECT run_id, count(*), count(DISTINCT step_index) FROM steps GROUP BY run_id ORDER BY run_id") == [
        ("r1", 4, 4),
        ("r2", 4, 4),
        ("r3", 4, 4),
    ]
    assert ask(path, "SELECT status, steps FROM runs WHERE run_id = 'r2'") == [("done", 4)]
    assert ask(path, "SELECT count(*), count(DISTINCT message_id) FROM model_calls") == [(4, 4)]


@pytest.mark.spec("ANL-5")
def test_a_change_is_seen_whatever_the_clock_says(store: Store, build: Build) -> None:
    run(store, "r1", started_at=at())
    built(build)
    run(store, "r2", started_at=at(-86_400))
    assert len(ask(built(build), "FROM runs")) == 2


@pytest.mark.spec("ANL-7")
def test_what_was_deleted_is_gone_with_the_next_update(store: Store, build: Build) -> None:
    filled(store)
    built(build)
    store.conversations.delete("c1")
    store.db.write("DELETE FROM runs WHERE id = 'r3'")
    path = built(build)
    assert ask(path, "SELECT DISTINCT conversation_id FROM model_calls") == [("c2",)]
    assert ask(path, "SELECT approval_id FROM approvals") == [("a2",)]
    assert ask(path, "SELECT run_id FROM runs ORDER BY run_id") == [("r1",), ("r2",), ("r4",)]
    assert ask(path, "SELECT DISTINCT run_id FROM steps UNION SELECT DISTINCT run_id FROM tool_calls") == [("r1",)]
    assert len(ask(path, "FROM side_calls")) == 2


@pytest.mark.spec("ANL-8", "TURN-104", "TURN-105")
def test_secrets_are_masked_wherever_the_run_record_has_text(store: Store, build: Build) -> None:
    cut = SECRET[:12]
    calls = [NestedCall(name="web_read", arguments={"h": f"Bearer {'x' * 20}"}, ok=True, output=f"a\n{SECRET}", ms=1)]
    steps = [
        Step(
            index=0, kind="tool", status="done", started_at=at(), name="shell_run", arguments={"c": SECRET}, output=cut + "…", calls=calls
        ),
        Step(index=1, kind="note", status="done", started_at=at(), text="line\nsk-abcdefghij"),
        Step(index=2, kind="fallback", status="error", started_at=at(), error=f"key {SECRET}", route="p:m"),
        Step(index=3, kind="note", status="done", started_at=at(), text="a task-description is no key"),
    ]
    conversation(store, "c1")
    run(store, "r1", steps, summary=f"it is {SECRET}", conversation_id="c1")
    approval(store, "a1", "c1", reason=f"matches {SECRET}")
    path = built(build, SECRET)
    everything = repr([ask(path, f"FROM {table}") for table in TABLES])
    assert cut not in everything
    assert "sk-abcdef" not in everything
    assert "x" * 20 not in everything
    assert ask(path, "SELECT summary FROM runs") == [("it is [masked]",)]
    assert ask(path, "SELECT text FROM steps WHERE step_index IN (1, 3) ORDER BY step_index") == [
        ("line\n[masked]",),
        ("a task-description is no key",),
    ]
    assert ask(path, "SELECT output_head FROM tool_calls ORDER BY call_index NULLS FIRST") == [("[masked]…",), ("a\n[masked]",)]
    assert ask(path, "SELECT reason FROM approvals") == [("matches [masked]",)]


@pytest.mark.spec("ANL-8")
@pytest.mark.parametrize("secret", ['quo"ted\\secret', "zwölf-Schlüssel-ключ", "tab\tand\nline-secret", "a.*+?[(secret)|^$"])
def test_a_secret_is_found_however_it_is_written_in_json(store: Store, build: Build, secret: str) -> None:
    step = Step(index=0, kind="tool", status="done", started_at=at(), name="x", arguments={"a": {"deep": secret}}, output=secret)
    run(store, "r1", [step], summary=secret)
    path = built(build, secret)
    assert ask(path, "SELECT summary FROM runs") == [("[masked]",)]
    assert ask(path, "SELECT text FROM steps") == [("[masked]",)]
    assert json.loads(ask(path, "SELECT arguments FROM tool_calls")[0][0]) == {"a": {"deep": "[masked]"}}


@pytest.mark.spec("ANL-8", "ANL-10")
def test_no_message_and_no_payer_is_copied(store: Store, build: Build) -> None:
    filled(store)
    store.db.write('UPDATE runs SET payer = \'{"who": "a-cost-centre"}\'')
    path = built(build)
    everything = repr([ask(path, f"FROM {table}") for table in TABLES])
    assert "first question" not in everything
    assert "a whole answer" not in everything
    assert "a-cost-centre" not in everything


@pytest.mark.spec("ANL-15", "COST-20")
async def test_sums_over_the_ledger_are_those_of_the_statistics(store: Store, build: Build) -> None:
    filled(store)
    for number in range(200):
        answer(
            store,
            "c1",
            None if number % 7 == 0 else number / 1000,
            estimated=number % 7 == 1,
            seconds=-number * 3600,
            model=f"m{number % 3}",
        )
    stats = await Stats(store.ledger, FakeClock(NOON + timedelta(hours=7)), ZoneInfo(ZONE)).read()
    path = built(build)
    sums = "coalesce(sum(cost_usd), 0), count(*) FILTER (NOT cost_known), count(*) FILTER (cost_estimated), count(*), sum(prompt_tokens)"

    def same(found: tuple[float, ...], usage: object) -> None:
        cost, unknown, estimated, calls, tokens = found
        assert (unknown, estimated, calls, tokens or 0) == (usage.unknown, usage.estimated, usage.calls, usage.prompt_tokens)  # type: ignore[attr-defined]
        assert math.isclose(cost, usage.cost_usd)  # type: ignore[attr-defined]

    same(ask(path, f"SELECT {sums} FROM ledger")[0], stats.totals)
    for (provider, model), usage in stats.models:
        same(ask(path, f"SELECT {sums} FROM ledger WHERE provider = '{provider}' AND model = '{model}'")[0], usage)
    for purpose, usage in stats.purposes:
        same(ask(path, f"SELECT {sums} FROM ledger WHERE purpose = '{purpose}'")[0], usage)
    for agent, usage in stats.agents:
        same(ask(path, f"SELECT {sums} FROM ledger WHERE agent_id = '{agent}'")[0], usage)
    days = [(day, usage) for day, usage in stats.days if usage.calls]
    assert len(days) >= 6
    for day, usage in days:
        same(ask(path, f"SELECT {sums} FROM ledger WHERE day = '{day}'")[0], usage)


@pytest.mark.spec("ANL-15")
def test_the_views_answer_and_name_what_is_not_known(store: Store, build: Build) -> None:
    filled(store)
    path = built(build)
    assert ask(path, "SELECT day, cost_usd, calls, unknown_calls, complete FROM cost_by_day") == [
        (date(2026, 3, 11), 0.51, 4, 2, False),
        (date(2026, 3, 12), 0.25, 1, 0, True),
    ]
    assert ask(path, "SELECT model, calls FROM cost_by_model") == [("m1", 3), ("m2", 2)]
    assert ask(path, "SELECT agent_id, cost_usd, estimated_calls FROM cost_by_agent") == [("default", 0.5, 0), ("ana", 0.26, 1)]
    assert ask(path, "SELECT tool, requests, pending, granted, median_ms FROM approval_waits ORDER BY tool") == [
        ("ask_user", 1, 1, 0, None),
        ("shell_run", 1, 0, 1, 90_000),
    ]


@pytest.mark.spec("ANL-15")
def test_the_quantiles_are_those_of_all_calls(store: Store, build: Build) -> None:
    durations = [number * number % 97 for number in range(200)]
    calls = [NestedCall(name="web_read", arguments={}, ok=number % 10 > 0, output="", ms=ms) for number, ms in enumerate(durations)]
    run(store, "r1", [Step(index=0, kind="tool", status="running", started_at=at(), name="tool_script", calls=calls)])
    path = built(build)
    exact = ask(path, "SELECT quantile_disc(ms, 0.5), quantile_disc(ms, 0.95), max(ms) FROM tool_calls WHERE tool = 'web_read'")[0]
    found = ask(path, "SELECT median_ms, p95_ms, longest_ms, calls, errors FROM tool_reliability WHERE tool = 'web_read'")
    assert found == [(*exact, 200, 20)]


@pytest.mark.spec("PTL-145")
def test_the_fixed_part_of_the_prompt_is_set_beside_all_input(store: Store, build: Build) -> None:
    conversation(store, "c1")
    run(store, "r1", conversation_id="c1", after_seq=0)
    store.db.write("UPDATE runs SET prompt_chars = 100, definition_chars = 60 WHERE id = 'r1'")
    answer(store, "c1")
    answer(store, "c1")
    conversation(store, "c2")
    run(store, "r2", conversation_id="c2", after_seq=0)
    answer(store, "c2")
    found = ask(built(build), "SELECT run_id, model_calls, fixed_tokens, input_tokens, fixed_share FROM prompt_cost ORDER BY run_id")
    assert found == [("r1", 2, 80, 200, 0.4), ("r2", 1, None, 100, None)]


@pytest.mark.spec("ANL-10", "ANL-11", "ANL-12", "ANL-13", "ANL-14", "ANL-15")
def test_every_table_has_its_columns_and_every_view_answers_when_all_is_empty(build: Build) -> None:
    path = built(build)
    for table in TABLES:
        found = ask(path, f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}' ORDER BY ordinal_position")
        assert [name for (name,) in found] == names(table)
    for view in VIEWS:
        assert ask(path, f"FROM {view}") == []
    assert ask(path, "SELECT published_at FROM meta") == [(NOON.astimezone(UTC),)]


def test_another_zone_gives_every_row_another_day(store: Store, build: Build) -> None:
    filled(store)
    built(build)
    path = built(build, zone="America/New_York", now=datetime(2026, 3, 12, tzinfo=UTC))
    assert ask(path, "SELECT DISTINCT day FROM model_calls") == [(date(2026, 3, 11),)]
