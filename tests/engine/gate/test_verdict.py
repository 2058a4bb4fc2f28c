"""The verdict over the whole cross product of what it depends on, against an oracle that reads GATE-7 line by line."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.gate.patterns import Patterns
from crewlab.engine.gate.verdict import Stance, Verdict, judge
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext

TEXTS = Texts("en")
CONTEXT = ToolContext("default", Path("/nowhere"), TEXTS)
NAME = "probe"
PATTERNS = Patterns(ask=("ASKME",), allow=("allowme",), deny=("denyme",))

HARD = ("none", "text", "empty", "raises")
REASON = ("none", "nothing", "text", "empty", "blank", "nonsense", "raises")
LISTS = tuple(itertools.product((False, True), repeat=3))  # the command matches deny, ask, allow
COMMAND = ("none", "text", "raises")
ROUTINE = ("none", "yes", "no", "raises")


def saying(kind: str, text: object) -> Callable[..., Any] | None:
    """A part of a tool that says nothing, ``text``, or raises; ``None`` for a tool without the part."""

    def part(*_: object) -> Any:
        if kind == "raises":
            raise RuntimeError("broken part")
        return text

    return None if kind == "none" else part


SAID: dict[str, object] = {"text": "because", "empty": "", "blank": " \n", "nothing": None, "nonsense": 7, "raises": None, "none": None}


def probe(hard: str, approval: bool, reason: str, command: str, text: str, allow_listed: bool, routine: str, question: bool) -> Tool:
    async def run(arguments: Arguments, context: ToolContext) -> str:
        raise AssertionError("the gate never runs a tool")

    return Tool(
        name=NAME,
        description="",
        parameters={"type": "object"},
        run=run,
        requires_approval=approval,
        is_question=question,
        refuse_reason=saying(hard, "" if hard == "empty" else "certain"),
        ask_reason=saying(reason, SAID[reason]),
        ask_text=saying(command, text),
        allow_listed=allow_listed,
        routine=saying(routine, routine == "yes"),
    )


def oracle(
    *,
    hard: str,
    approval: bool,
    reason: str,
    command: str,
    lists: tuple[bool, bool, bool],
    allow_listed: bool,
    routine: str,
    question: bool,
    stance: Stance,
) -> tuple[str, str | None]:
    """GATE-7, GATE-11, GATE-16 as a table of conditions; the first that holds decides."""
    seen = command == "text"
    deny, ask, allow = (seen and each for each in lists)
    broken_before = hard == "raises" or command == "raises"
    reason_text = {"none": NAME if question else None, "nothing": NAME if question else None, "text": "because"}.get(reason, NAME)
    gated = approval or reason != "none" or question or broken_before
    rules: list[tuple[bool, tuple[str, str | None]]] = [
        (hard == "text", ("refuse", "certain")),
        (hard == "empty", ("refuse", TEXTS("gate.refused"))),
        (deny, ("refuse", TEXTS("gate.deny_pattern", pattern="denyme"))),
        (not gated, ("run", None)),
        (reason_text is not None, ("ask", reason_text)),
        (ask, ("ask", "ASKME")),
        (broken_before, ("ask", NAME)),
        (allow and allow_listed, ("run", None)),
        (routine == "yes", ("run", None)),
        (routine == "raises", ("ask", NAME)),
        (stance.autonomous, ("run", None)),
        (NAME in stance.auto_approve, ("run", None)),
    ]
    return next((verdict for holds, verdict in rules if holds), ("ask", None))


@pytest.mark.spec("GATE-1", "GATE-5", "GATE-7", "GATE-9", "GATE-12", "GATE-13", "GATE-14", "GATE-16", "GATE-17", "GATE-20")
@pytest.mark.parametrize("hard", HARD)
@pytest.mark.parametrize("reason", REASON)
def test_the_verdict_is_the_first_rule_that_applies_over_the_whole_cross_product(
    hard: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("CRITICAL")
    count = 0
    for approval, command, lists, allow_listed, routine, question, autonomous, always in itertools.product(
        (False, True), COMMAND, LISTS, (False, True), ROUTINE, (False, True), (False, True), (False, True)
    ):
        text = "".join(f"{word} " for word, there in zip(("DenyMe", "askme", "AllowMe"), lists, strict=True) if there)
        stance = Stance(autonomous, frozenset({NAME} if always else {"another"}))
        tool = probe(hard, approval, reason, command, text, allow_listed, routine, question)
        verdict = judge(tool, {}, CONTEXT, stance, PATTERNS)
        case = {
            "hard": hard,
            "approval": approval,
            "reason": reason,
            "command": command,
            "lists": lists,
            "allow_listed": allow_listed,
            "routine": routine,
            "question": question,
            "stance": stance,
        }
        assert (verdict.kind, verdict.text) == oracle(**case), case  # type: ignore[arg-type]
        count += 1
    assert count == 2 * 3 * 8 * 2 * 4 * 2 * 2 * 2


def shell(**more: Any) -> Tool:
    async def run(arguments: Arguments, context: ToolContext) -> str:
        raise AssertionError("the gate never runs a tool")

    parameters = {"type": "object"}
    return Tool("shell_run", "", parameters, run, requires_approval=True, allow_listed=True, ask_text=lambda each: each["command"], **more)


LISTED = Patterns(ask=("rm -rf", "git reset --hard"), allow=("git", "ls"), deny=("mkfs",))


@pytest.mark.spec("GATE-12", "GATE-13", "GATE-20", "GATE-25")
@pytest.mark.parametrize(
    ("command", "stance", "verdict"),
    [
        ("git status", Stance(), Verdict("run")),
        ("git reset --hard", Stance(), Verdict("ask", "git reset --hard")),
        ("git reset --hard", Stance(autonomous=True), Verdict("ask", "git reset --hard")),
        ("git reset --hard", Stance(auto_approve=frozenset({"shell_run"})), Verdict("ask", "git reset --hard")),
        ("make", Stance(), Verdict("ask")),
        ("make", Stance(autonomous=True), Verdict("run")),
        ("make", Stance(auto_approve=frozenset({"shell_run"})), Verdict("run")),
        ("make", Stance(auto_approve=frozenset({"workspace_write"})), Verdict("ask")),
    ],
)
def test_a_command_in_both_lists_asks_and_nothing_lifts_the_ask_list(command: str, stance: Stance, verdict: Verdict) -> None:
    assert judge(shell(), {"command": command}, CONTEXT, stance, LISTED) == verdict


@pytest.mark.spec("GATE-22")
def test_an_empty_ask_list_switches_the_barrier_off() -> None:
    assert judge(shell(), {"command": "rm -rf /"}, CONTEXT, Stance(autonomous=True), Patterns(ask=())) == Verdict("run")


@pytest.mark.spec("GATE-8", "GATE-11")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_deny_pattern_refuses_in_every_stance_and_says_to_stop_and_to_leave_it_to_the_person(language: Any) -> None:
    texts = Texts(language)
    context = ToolContext("default", Path("/nowhere"), texts)
    verdict = judge(shell(), {"command": "MKFS /dev/sda"}, context, Stance(True, frozenset({"shell_run"})), LISTED)
    assert verdict == Verdict("refuse", texts("gate.deny_pattern", pattern="mkfs"))
    if language == "en":
        assert verdict.text is not None
        assert all(
            part in verdict.text for part in ("Stop", "what has to be done and why", "the person decides", "do not look for another way")
        )


@pytest.mark.spec("GATE-20")
def test_the_allow_list_is_for_the_shell_and_no_other_tool() -> None:
    tool = shell()
    other = Tool("eval", "", {"type": "object"}, tool.run, requires_approval=True, ask_text=lambda each: each["command"])
    assert judge(tool, {"command": "ls"}, CONTEXT, Stance(), LISTED) == Verdict("run")
    assert judge(other, {"command": "ls"}, CONTEXT, Stance(), LISTED) == Verdict("ask")
    assert judge(other, {"command": "rm -rf x"}, CONTEXT, Stance(True), LISTED) == Verdict("ask", "rm -rf")


@pytest.mark.spec("GATE-14")
def test_the_card_carries_the_reason_word_for_word() -> None:
    tool = shell(ask_reason=lambda arguments, context: f"  {arguments['command']} on {context.agent_id}\n")
    assert judge(tool, {"command": "ls"}, CONTEXT, Stance(True), LISTED) == Verdict("ask", "  ls on default\n")


@pytest.mark.spec("GATE-16")
def test_what_breaks_outside_a_tools_own_parts_asks_too(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("CRITICAL")
    broken: Any = object()
    assert judge(shell(), {"command": "make"}, CONTEXT, broken, LISTED) == Verdict("ask", "shell_run")


@pytest.mark.spec("GATE-16")
def test_a_fault_of_the_gate_is_seen_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    assert judge(probe("raises", False, "none", "none", "", False, "none", False), {}, CONTEXT, Stance(True)) == Verdict("ask", NAME)
    assert "refuse_reason of tool probe failed" in caplog.text


DECISIONS = {
    "gate.denied": ("Nothing ran", "nothing changed", "Do not do it again", "another tool"),  # GATE-43
    "gate.expired": ("did not run", "nothing has changed yet", "Do not do it again", "another tool", "waiting for approval"),  # GATE-52
    "gate.cut_restart": ("server restarted", "not known whether it ran", "Check"),  # GATE-62
    "gate.cut_stop": ("person stopped", "not known whether it ran", "Check"),
    "gate.tool_gone": ("did not run",),  # GATE-45
}


@pytest.mark.spec("GATE-43", "GATE-45", "GATE-52")
@pytest.mark.parametrize("key", DECISIONS)
def test_what_a_model_reads_after_a_decision_says_what_happened_and_what_not_to_do(key: str) -> None:
    text = TEXTS(key, name="shell_run")
    assert all(part in text for part in DECISIONS[key]), text


@pytest.mark.spec("RPL-5")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_the_note_on_a_cut_call_differs_in_its_cause_alone(language: Any) -> None:
    restart, stop = Texts(language)("gate.cut_restart"), Texts(language)("gate.cut_stop")
    assert restart != stop
    assert restart.partition(". ")[2] == stop.partition(". ")[2] != ""
