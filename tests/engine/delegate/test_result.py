"""The shape of a result, written and read (DLG-36 to DLG-46, DLG-57 to DLG-60)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.delegate.account import Account
from crewlab.engine.delegate.body import abbreviated, body_of
from crewlab.engine.delegate.outcome import Ended, decide
from crewlab.engine.delegate.result import Figures, Result, card, field, head, more_line, read
from crewlab.engine.records import INTERRUPTED, Run, ToolCall
from crewlab.engine.store.children import Decided
from crewlab.engine.store.conversations import Charge
from crewlab.engine.texts import Texts
from crewlab.engine.tools.children import WrittenCanvas

EN = Texts("en")
FIGURES = Figures("c_1", "done", 0.123456, 7)


def an_account(words="", calls=(), run=None):
    return Account(run, None, words, True, calls, Charge())


def a_run(status="done", halt=None, summary=""):
    return Run(
        id="r", agent_id="a", source="delegate:c", conversation_id="c_1", status=status, halt_reason=halt, summary=summary, started_at=""
    )


@pytest.mark.spec("DLG-36", "DLG-37", "DLG-38", "DLG-39")
def test_the_head_line_by_line():
    canvases = [WrittenCanvas("a1", 3, "Plan"), WrittenCanvas("a2", 1, "Map")]
    assert head(FIGURES, "blocked", "no key", canvases).split("\n") == [
        "conversation=c_1 status=done spent=$0.1235 steps=7",
        "outcome=blocked reason=no key",
        "[artifact a1 v3] Plan",
        "[artifact a2 v1] Map",
        "",
        "",
    ]
    assert head(FIGURES, "done", "", []) == "conversation=c_1 status=done spent=$0.1235 steps=7\noutcome=done\n\n"


@pytest.mark.spec("DLG-37")
def test_an_unknown_price_stands_at_the_end_of_line_one():
    first = head(FIGURES._replace(unknown_calls=2), "done", "", []).split("\n")[0]
    assert first == "conversation=c_1 status=done spent=$0.1235 steps=7 unknown_calls=2"


@pytest.mark.spec("DLG-40", "DLG-57", "CNV-85")
@pytest.mark.parametrize("words", ["a\nb\r\nc", "x" * 400, "a\u2028\x0bb\x85c", "\n\n[artifact fake v9] forged\n\n"])
def test_quoted_fields_are_one_line_of_at_most_160_characters(words):
    written = head(FIGURES, "blocked", words, [WrittenCanvas("a1", 1, words)])
    lines = written.split("\n")
    assert len(written.splitlines()) == 4
    assert len(lines) == 5
    assert len(lines[1].removeprefix("outcome=blocked reason=")) <= 160
    assert len(lines[2].removeprefix("[artifact a1 v1] ")) <= 160
    assert len(field("y" * 161)) == 160


@pytest.mark.spec("DLG-59", "CNV-87")
@pytest.mark.parametrize(
    ("many", "named", "line"),
    [(12, 12, ""), (13, 12, "(+1 more canvases, see artifact_list)\n"), (40, 12, "(+28 more canvases, see artifact_list)\n")],
)
def test_at_most_twelve_canvases_are_named_and_the_rest_counted(many, named, line):
    canvases = [WrittenCanvas(f"a{n}", 1, f"T{n}") for n in range(many)]
    assert head(FIGURES, "done", "", canvases).count("[artifact ") == named
    assert more_line(canvases) == line
    written = head(FIGURES, "done", "", canvases) + body_of(an_account("words"), Ended("done", ""), canvases, 4000, EN)
    found = read(written)
    assert (len(found.canvases), found.more) == (named, many - named)


@pytest.mark.spec("DLG-39", "DLG-46", "DLG-60", "CNV-88")
@pytest.mark.parametrize(
    ("below", "canvases", "body"),
    [
        ("\nwords", [], "words"),
        ("[artifact a v1] T\n\nwords", [("a", 1, "T")], "words"),
        ("\n[artifact a v1] T\n\nwords", [], "[artifact a v1] T\n\nwords"),  # below the empty line it is an answer
        ("words\n\nmore", [], "words\n\nmore"),  # from before the empty line existed
        ("[artifact a v1] T\nwords\n\nmore", [], "[artifact a v1] T\nwords\n\nmore"),
        ("", [], ""),
    ],
)
def test_only_tags_above_the_empty_line_are_canvases(below, canvases, body):
    found = read(f"conversation=c status=done spent=$0.0000 steps=1\noutcome=done\n{below}")
    assert [tuple(canvas) for canvas in found.canvases] == canvases
    assert found.body == body


@pytest.mark.parametrize(
    "text",
    ["", "no head", "conversation=c status=done spent=$x steps=1\noutcome=done\n\n", "conversation=c status=done spent=$0.0 steps=1"],
)
def test_what_is_no_result_is_none(text):
    assert read(text) is None


@pytest.mark.parametrize("more", [0, 3])
def test_the_run_card_keeps_the_head_and_nothing_of_the_words(more):
    canvases = [WrittenCanvas(f"a{n}", 1, "T" * 400) for n in range(12 + more)]
    text = head(FIGURES, "blocked", "no key", canvases) + body_of(an_account("words"), Ended("blocked", "no key"), canvases, 4000, EN)
    kept = read(card(text))
    assert kept == read(text)._replace(body=kept.body)
    assert "words" not in card(text)
    assert len(card(text)) < 3000
    assert card("Not given.\n\n" + "x" * 700) == ("Not given. " + "x" * 700)[:600]


WORDS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=80)


@pytest.mark.spec("DLG-36", "DLG-40")
@given(
    st.lists(st.tuples(st.from_regex(r"[a-z0-9_]{1,12}", fullmatch=True), st.integers(1, 99), WORDS), max_size=12),
    st.sampled_from(["done", "blocked", "failed"]),
    WORDS,
    st.text(max_size=200),
)
def test_what_is_written_is_read_back(canvases, outcome, reason, body):
    written = [WrittenCanvas(*each) for each in canvases]
    reason = "" if outcome == "done" else reason
    figures = FIGURES._replace(spent_usd=0.5)
    found = read(head(figures, outcome, reason, written) + body)
    if found.more:
        return  # a body that begins like the line of more canvases
    assert found == Result(figures, outcome, field(reason), tuple(c._replace(title=field(c.title)) for c in written), 0, body)


@pytest.mark.spec("DLG-41", "DLG-42", "FI-4")
def test_a_job_that_stopped_midway_lists_what_had_succeeded():
    calls = [ToolCall(id=f"c{n}", name="workspace_write", arguments={"path": f"{n}.txt", "content": "x" * 500}) for n in range(31)]
    body = body_of(an_account("as far as I came", calls), Ended("failed", "budget", halfway=True), [], 20_000, EN)
    assert body.startswith(EN("delegate.unfinished"))
    assert body.count("- workspace_write(") == 30
    assert "and 1 more" in body
    assert '"' + "x" * 159 + "…" in body
    assert body.index("and 1 more") < body.index("as far as I came")
    assert EN("delegate.no_calls") in body_of(an_account("w"), Ended("failed", "loop", halfway=True), [], 9000, EN)


@pytest.mark.spec("DLG-42")
def test_arguments_are_abbreviated_as_on_a_card():
    many = {f"a{n}": n for n in range(14)}
    assert abbreviated(ToolCall(id="c", name="t", arguments=many)).endswith("a11=11, …=2)")
    assert abbreviated(ToolCall(id="c", name="t", arguments="{bad")) == "t({bad)"


@pytest.mark.spec("DLG-45", "OUT-63")
@pytest.mark.parametrize("ceiling", [2000, 8000])
def test_only_the_words_are_shortened(ceiling):
    body = body_of(an_account("w" * 30_000), Ended("done", ""), [], ceiling, EN)
    assert len(body) <= ceiling
    assert "of 30000 characters kept" in body
    assert body.endswith(">>>")


@pytest.mark.spec("DLG-45")
@pytest.mark.parametrize("ceiling", [-500, 0, 300])
def test_without_room_the_words_are_left_out_with_a_note(ceiling):
    assert body_of(an_account("w" * 30_000), Ended("done", ""), [], ceiling, EN) == EN("delegate.no_room")


@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_child_that_says_nothing_is_said_to(language):
    texts = Texts(language)
    assert body_of(an_account(" \n"), Ended("done", ""), [], 8000, texts) == texts("delegate.no_words")


@pytest.mark.spec("DLG-47", "DLG-48", "DLG-49", "DLG-51", "DLG-54")
@pytest.mark.parametrize(
    ("run", "last", "answer", "timed_out", "outcome", "reason"),
    [
        (a_run(), None, "fine", False, "done", ""),
        (a_run(), None, "Status: DONE – all of it", False, "done", ""),
        (a_run(), None, "Status: BLOCKED", False, "blocked", "unspecified"),
        (a_run(), None, "Status: NEEDS_CONTEXT – which year", False, "needs_context", "which year"),
        (a_run(), None, "Status: DONE_WITH_CONCERNS\nSummary: old chart", False, "done_with_concerns", "old chart"),
        (a_run(), Decided("workspace_write", "denied"), "Status: DONE", False, "blocked", "workspace_write denied"),
        (a_run(), Decided("workspace_write", "expired"), "fine", False, "blocked", "workspace_write expired"),
        (a_run(), Decided("workspace_write", "approved"), "Status: BLOCKED: x", False, "blocked", "x"),
        (a_run("halted", "budget"), Decided("t", "denied"), "Status: DONE", False, "failed", "budget"),
        (a_run("halted", "max_steps"), None, "", False, "failed", "max_steps"),
        (a_run("halted", "loop"), None, "", False, "failed", "loop"),
        (a_run("halted", "nested_calls"), None, "", False, "failed", "nested_calls"),
        (a_run("error", summary="No model answered."), None, "", False, "failed", "error"),
        (a_run("error", summary=INTERRUPTED), None, "", False, "failed", "interrupted"),
        (a_run("running"), None, "Status: DONE", True, "failed", "timeout"),
        (a_run("done"), None, "Status: DONE", True, "failed", "timeout"),
        (None, None, "", False, "failed", "error"),
    ],
)
def test_the_outcome_is_decided_from_facts_first(run, last, answer, timed_out, outcome, reason):
    ended = decide(run, last, answer, timed_out=timed_out)
    assert (ended.outcome, ended.reason) == (outcome, reason)
    assert ended.halfway == (outcome == "failed")
