"""The eleven things a verdict is asked about, over their whole cross product, against a table that is written out here."""

import itertools
from pathlib import Path

import pytest

from crewlab.engine.gate.patterns import Patterns
from crewlab.engine.gate.verdict import Stance, Verdict, judge
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext

TEXTS = Texts("en")
PATTERNS = Patterns(ask=("ASKME",), allow=("allowme",), deny=("denyme",))
NAME = "probe"
CHANNELS = ("chat", "notebook", "inbound", "telegram", "job", "slack")
SWITCHES = ("hard", "reason", "deny", "ask", "allow", "routine", "autonomous", "auto_approve", "delegated", "script")

# The first row whose marks all hold decides; "." is any, "y" yes, "n" no. Columns as in SWITCHES without the last two, which no row reads.
ORACLE = (
    ("y.......", "refuse", "certain"),
    ("n.y.....", "refuse", TEXTS("gate.deny_pattern", pattern="denyme")),
    ("nyn.....", "ask", "because"),
    ("nnny....", "ask", "ASKME"),
    ("nnnny...", "run", None),
    ("nnnnny..", "run", None),
    ("nnnnnny.", "run", None),
    ("nnnnnnny", "run", None),
    ("nnnnnnnn", "ask", None),
)


def expected(case: dict[str, bool]) -> tuple[str, str | None]:
    marks = "".join("y" if case[name] else "n" for name in SWITCHES[:8])
    rows = [(kind, text) for row, kind, text in ORACLE if all(want in (".", have) for want, have in zip(row, marks, strict=True))]
    assert len(rows) == 1, marks  # the table is complete and says everything once
    return rows[0]


async def run(arguments: Arguments, context: ToolContext) -> str:
    raise AssertionError("the gate never runs a tool")


def tool_of(case: dict[str, bool]) -> Tool:
    words = [word for name, word in (("deny", "DenyMe"), ("ask", "askme"), ("allow", "AllowMe")) if case[name]]
    return Tool(
        NAME,
        "",
        {"type": "object"},
        run,
        requires_approval=True,
        allow_listed=True,
        refuse_reason=lambda *_: "certain" if case["hard"] else None,
        ask_reason=lambda *_: "because" if case["reason"] else None,
        ask_text=lambda _: " ".join(words),
        routine=lambda *_: case["routine"],
    )


@pytest.mark.spec("GATE-5", "GATE-7")
@pytest.mark.parametrize("channel", CHANNELS)
def test_the_verdict_over_the_whole_cross_product_is_that_of_the_table(channel: str) -> None:
    count = 0
    for values in itertools.product((False, True), repeat=len(SWITCHES)):
        case = dict(zip(SWITCHES, values, strict=True))
        context = ToolContext(
            "worker" if case["delegated"] else "default",
            Path("/nowhere"),
            TEXTS,
            conversation_id="c1",
            source=f"delegate:{channel}" if case["delegated"] else channel,
            in_script=case["script"],
        )
        stance = Stance(case["autonomous"], frozenset({NAME} if case["auto_approve"] else {"another"}))
        assert judge(tool_of(case), {}, context, stance, PATTERNS) == Verdict(*expected(case)), case  # type: ignore[arg-type]
        count += 1
    assert count == 2 ** len(SWITCHES)
