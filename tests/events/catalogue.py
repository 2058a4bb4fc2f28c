"""Every recorded scene by the name of its file."""

from __future__ import annotations

from typing import Any

from scenes import (
    DONE,
    HELLO,
    START,
    Scene,
    answer,
    approval,
    at,
    call,
    chip,
    conversation,
    crew,
    ended,
    nested,
    result,
    run,
    started,
    summary,
    talk,
    text,
    user,
)

from crewlab.engine import events as e
from crewlab.engine import records as r
from crewlab.engine.artifacts import Artifact

READ = answer(2, "Let me look.", [call("c1", path="tides.md")])
ASKED = answer(2, "", [call("c1", "write_file", path="tides.csv", content="h,m\n1,2\n")])
PAUSED = talk(
    START, e.Thinking(), started("c1", "write_file", path="tides.csv", content="h,m\n1,2\n"), e.ApprovalRequired(approval=approval())
)
NOT_ALLOWED = ended("c1", "Not allowed: outside the workspace.", ok=False, outcome="refused", ms=0)
SAID_NO = ended("c1", "The person said no.", "write_file", ok=False, outcome="denied")
COMPACTED = r.Compaction(id=1, through_seq=1, at_seq=2, text="Asked for tides.", tokens_before=900, tokens_after=80, created_at=at(3))
QUESTION: dict[str, Any] = {
    "kind": "question",
    "tool": "ask_user",
    "arguments": {"question": "Which port?"},
    "question": "Which port?",
    "options": [r.QuestionOption(label="Hamburg", suggested=True), r.QuestionOption(label="Bremen")],
}

ASKING = talk(START, started("c1", "ask_user", question="Which port?"), e.ApprovalRequired(approval=approval(**QUESTION)))


def decided(status: r.ApprovalStatus, *then: e.Event, always: bool = False) -> Scene:
    """The paused turn, a decision, and how the same turn goes on (TURN-48)."""
    listed = ["write_file"] if always else []
    again = e.Opened(run_id="run-1", conversation=summary(running=True, auto_approve=listed))
    decision = e.ApprovalDecided(approval_id="ap-1", status=status, always=always)
    return [*PAUSED, *talk(decision, again, started("c1", "write_file", path="tides.csv", content="h,m\n1,2\n"), *then)]


def halted(reason: r.HaltReason) -> Scene:
    """A turn that a limit stops."""
    end = e.Halted(run_id="run-1", reason=reason, spent_usd=2.0, unknown_cost_calls=1, cost_usd=0.4)
    return talk(START, text("One "), started("c1", path="a"), ended("c1", "a"), end)


def opened(message: r.Message, *item_ids: int) -> e.Opened:
    """A turn begins with this message (WIRE-14)."""
    return e.Opened(run_id="run-1", conversation=summary(running=True, title="Tides"), message=message, item_ids=list(item_ids))


CONVERSATION: dict[str, Scene] = {
    "opened": [
        *talk(e.Watching(conversation=conversation(), running=False), opened(HELLO), opened(HELLO), text("At nine."), DONE),
        *talk(e.Queued(item_id=7, kind="follow_up", position=1), e.Queued(item_id=8, kind="follow_up", position=2)),
        *talk(opened(user(3, "And low tide?"), 7), text("At three.")),
    ],
    "plain": talk(START, text("At "), text("half past "), text("three."), DONE),
    "suggestions": talk(
        START,
        text("Done."),
        e.Done(
            run_id="run-1",
            spent_usd=0.5,
            unknown_cost_calls=2,
            cost_usd=0.1,
            suggestions=[r.Suggestion(label="Plot it", message="Plot the tides")],
        ),
    ),
    "thinking": talk(START, e.Thinking(), text("Hm. "), e.Thinking()),
    "tool": talk(
        START,
        text("Let me look."),
        started("c1", path="tides.md"),
        ended("c1", "15:30 high", cost_usd=0.002, shortened="cut", original_chars=90000),
        text("At half past three."),
        DONE,
    ),
    "tool-failed": talk(START, started("c1", path="no.md"), ended("c1", "There is no file no.md.", ok=False), text("It is gone."), DONE),
    "tool-raw-arguments": talk(
        START,
        e.ToolCallStarted(tool_call_id="c1", name="read_file", arguments='{"path": ', run_id="run-1"),
        ended("c1", "The arguments are no JSON object.", ok=False),
    ),
    "tool-refused": talk(START, NOT_ALLOWED, text("I may not."), DONE),
    "tool-same-id": talk(
        e.Watching(
            conversation=conversation(HELLO, READ, result(3, "c1", "read_file", "old"), answer(4, "Old."), user(5, "Again"), running=True),
            running=True,
        ),
        started("c1", path="b"),
        ended("c1", "new"),
    ),
    "approval-required": PAUSED,
    "approval-approved": decided("approved", ended("c1", "Wrote 8 characters.", "write_file"), text("Written."), DONE, always=True),
    "approval-denied": decided("denied", SAID_NO, text("Then not."), DONE),
    "approval-expired": [*PAUSED, *talk(e.ApprovalDecided(approval_id="ap-1", status="expired"))],
    "approval-elsewhere": [*PAUSED, *talk(e.ApprovalDecided(approval_id="ap-other", status="approved"))],
    "approval-nested": talk(
        START,
        started("c1", "eval", code="write()"),
        e.ApprovalRequired(approval=approval("c1:0", nested_in="c1")),
        e.ToolStream(tool_call_id="c1", stream="stdout", text="waiting\n", cell_id=None),
        e.ApprovalDecided(approval_id="ap-1", status="denied"),
        nested(0, "denied", ok=False),
    ),
    "question": ASKING,
    "question-answered": [
        *ASKING,
        *talk(
            e.ApprovalDecided(approval_id="ap-1", status="answered"),
            started("c1", "ask_user", question="Which port?"),
            ended("c1", "answer=chosen\nHamburg", "ask_user"),
        ),
    ],
    "question-expired": [
        *ASKING,
        *talk(
            e.ApprovalDecided(approval_id="ap-1", status="expired"),
            started("c1", "ask_user", question="Which port?"),
            ended("c1", "answer=default\nHamburg", "ask_user"),
        ),
    ],
    "approval-again": [
        *PAUSED,
        *talk(
            e.ApprovalDecided(approval_id="ap-1", status="approved"),
            started("c1", "write_file", path="tides.csv", content="h,m\n1,2\n"),
            e.ApprovalRequired(approval=approval(id="ap-2", again=True, read_before=r.ReadBefore(tool="workspace_read", argument="a.md"))),
        ),
    ],
    "queue": talk(
        START,
        text("Working"),
        e.Queued(item_id=7, kind="follow_up", position=1),
        e.Queued(item_id=8, kind="steer", position=2),
        e.Queued(item_id=9, kind="steer", position=3),
        e.Queued(item_id=8, kind="steer", position=2),
    ),
    "steer": talk(
        e.Watching(
            conversation=conversation(HELLO, running=True, queued=[chip(7, "follow_up", "Then plot", 1), chip(8, "steer", "Use UTC", 2)]),
            running=True,
        ),
        text("Reading"),
        started("c1", path="a"),
        ended("c1", "a"),
        e.Steer(item_ids=[8], message_id=4, text="Use UTC"),
        text("In UTC: "),
    ),
    "fallback": talk(START, e.RouteFallback(from_route="openai:a", to_route="openai:b", error="429 rate limit"), text("Here."), DONE),
    "compaction": talk(START, e.Compacted(compaction=COMPACTED), text("Now."), DONE),
    "reload-compaction": talk(
        e.Watching(
            conversation=conversation(HELLO, answer(2, "At nine."), user(3, "And low tide?"), compactions=[COMPACTED]), running=False
        )
    ),
    "estimated": talk(
        START,
        text("At nine."),
        e.Done(run_id="run-1", spent_usd=0.5, unknown_cost_calls=0, estimated_cost_calls=2, cost_usd=0.1),
    ),
    "escalation": talk(START, text("Hm"), e.Escalated(route="anthropic:big", reason="loop"), text("Now."), DONE),
    "notes-and-tasks": talk(
        START,
        e.Tasks(tasks=[r.Task(text="Read", status="in_progress"), r.Task(text="Plot", status="pending")]),
        e.Note(text="Half of the files are read"),
        e.Tasks(tasks=[r.Task(text="Read", status="done"), r.Task(text="Plot", status="in_progress")]),
        e.Note(text="Plotting"),
    ),
    "halted-budget": halted("budget"),
    "halted-max-steps": halted("max_steps"),
    "halted-loop": halted("loop"),
    "halted-nested-calls": halted("nested_calls"),
    "stopped": talk(
        START,
        started("c1", path="a"),
        ended("c1", "a"),
        started("c2", "shell", command="sleep 99"),
        e.Queued(item_id=7, kind="follow_up", position=1),
        e.Stopped(run_id="run-1"),
    ),
    "stopped-in-text": talk(START, text("At half "), e.Stopped(run_id="run-1")),
    "error-with-text": talk(
        START, text("At half "), e.TurnError(run_id="run-1", code="routes_failed", message="No route answered: openai:a (500).")
    ),
    "error-no-route": talk(START, e.TurnError(run_id="run-1", code="no_route", message="No model is set up.")),
    "reload-in-mid-turn": talk(
        e.Watching(
            conversation=conversation(
                HELLO,
                READ,
                result(3, "c1", "read_file", "15:30 high"),
                answer(4, "", [call("c2", "shell", command="date"), call("c3", "shell", command="cal")]),
                running=True,
                queued=[chip(7, "follow_up", "Then plot", 1)],
                tasks=[r.Task(text="Read", status="done")],
                spent_usd=0.25,
                unknown_cost_calls=1,
            ),
            running=True,
        ),
        text("All the text so far, "),
        text("and more."),
    ),
    "reload-waiting": talk(e.Watching(conversation=conversation(HELLO, ASKED, pending=approval()), running=False)),
    "reload-delegates": talk(
        e.Watching(
            conversation=conversation(
                HELLO, answer(2, "", [call("d1", "delegate", task="a"), call("d2", "delegate", task="b"), call("c3")]), running=True
            ),
            running=True,
        )
    ),
    "reload-outcomes": talk(
        e.Watching(
            conversation=conversation(
                HELLO,
                answer(2, "", [call(f"c{number}") for number in range(1, 8)]),
                result(3, "c1", "read_file", "fine"),
                result(4, "c2", "read_file", "failed", "error"),
                result(5, "c3", "read_file", "not allowed", "refused"),
                result(6, "c4", "read_file", "said no", "denied"),
                result(7, "c5", "read_file", "too late", "expired"),
                result(8, "c6", "read_file", "not known whether it ran", "unknown"),
                answer(9, "Half an ans", context={"partial": "stopped"}),
                result(10, "c99", "read_file", "nobody asked"),
            ),
            running=False,
        )
    ),
    "reload-notes": talk(
        e.Watching(
            conversation=conversation(
                HELLO,
                answer(2, "", [call("n1", "progress_note", text=" Read\nthe tables " + "w" * 300), call("n2", "progress_note", text="\n")]),
                result(3, "n1", "progress_note", "Noted."),
                result(4, "n2", "progress_note", "Noted."),
                answer(5, "", [call("n3", "progress_note", words="no text"), call("n4", "progress_note", text="still open")]),
                result(6, "n3", "progress_note", "There is no parameter words.", "error"),
            ),
            running=False,
        )
    ),
    "fell-behind": talk(
        START,
        text("Let me "),
        e.Watching(conversation=conversation(HELLO, READ, result(3, "c1", "read_file", "15:30 high"), running=True), running=True),
        text("At half past three, "),
        text("as I said."),
        DONE,
    ),
    "nested-calls": talk(
        START,
        started("c1", "tool_script", code="…"),
        nested(0, "a"),
        nested(1, "b", ok=False),
        nested(1, "b", ok=False),
        nested(2, "c"),
        nested(0, "a"),
        ended(
            "c1",
            "3 files",
            "tool_script",
            calls=[nested(number, name).call for number, name in enumerate("abc")],
            received_chars=1842310,
            printed_chars=1412,
        ),
    ),
    "nested-calls-stored": talk(
        e.Watching(
            conversation=conversation(
                HELLO,
                answer(2, "", [call("c1", "tool_script", code="…")]),
                result(
                    3,
                    "c1",
                    "tool_script",
                    "1 file",
                    cost_usd=0.01,
                    context={
                        "calls": [nested(0, "a").call.model_dump(mode="json", exclude_none=True)],
                        "received_chars": 9,
                        "printed_chars": 2,
                    },
                ),
                answer(4, "One file."),
            ),
            running=False,
        )
    ),
    "live-output": talk(
        START,
        started("c1", "eval", code="print(1)"),
        e.ToolStream(tool_call_id="c1", stream="stdout", text="1\n", cell_id=None),
        e.ToolStream(tool_call_id="c1", stream="stderr", text="careful\n", cell_id=None),
        e.ToolStream(tool_call_id="c-other", stream="stdout", text="lost\n", cell_id=None),
        e.ToolCallDelta(tool_call_id="c1", name="artifact_create", index=0, arguments='{"te'),
    ),
    "notebooks": talk(
        START,
        started("c1", "notebook_edit", path="a.ipynb"),
        e.NotebookEdit(tool_call_id="c1", edit_id="ed-1", path="a.ipynb", way="room", cells=[e.NotebookEditCell(cell_id="x", op="insert")]),
        e.NotebookCell(tool_call_id="c1", path="a.ipynb", cell_id="x", index=0, total=1, state="done", execution_count=1, ms=7),
    ),
    "unknown-event": [*talk(START, text("At ")), (("conversation:cv-1"), {"type": "constructor", "text": "?"}), *talk(text("three."))],
}

CANVAS = Artifact(
    id="ab12cd34",
    title="Harbour plan",
    kind="markdown",
    language=None,
    version=2,
    bytes=120,
    conversation_id="cv-1",
    root_conversation_id="cv-1",
    agent_id="master",
    source_path=None,
    author="user",
    created_at=at(1),
    updated_at=at(2),
)
ONE = run(steps=[r.Step(index=0, kind="model", status="done", started_at=at(1), ms=900, route="fake:echo", cost_usd=0.0012)])
OTHER = run("run-2", conversation_id="cv-2", started_at=at(3), source="telegram")
OVER = run("run-2", conversation_id="cv-2", started_at=at(3), source="telegram", status="done", summary="At three.", ended_at=at(4))


def told(event: e.Event) -> e.EventFrame:
    """A conversation event as the whole crew hears it."""
    return e.EventFrame(run_id="run-1", conversation_id="cv-1", agent_id="master", name=event.type, data=event.model_dump(mode="json"))


ASKING = e.ApprovalRequired(approval=approval())
SNAPSHOT = e.Snapshot(runs=[ONE, OTHER], pending=0)

CREW: dict[str, Scene] = {
    "activity-snapshot": crew(SNAPSHOT),
    "activity-runs": crew(
        e.Snapshot(runs=[ONE], pending=0),
        e.RunFrame(run=OTHER),
        e.RunFrame(run=OTHER.model_copy(update={"status": "waiting"})),
        e.RunFrame(run=OVER),
        e.RunFrame(run=OVER),
        e.RunFrame(run=run("run-3", started_at=at(5), status="halted", halt_reason="budget", ended_at=at(5))),
    ),
    "activity-approvals": crew(
        e.Snapshot(runs=[ONE], pending=1),
        told(ASKING),
        told(text("never here")),
        told(e.ApprovalDecided(approval_id="ap-1", status="approved")),
        told(e.ApprovalDecided(approval_id="ap-2", status="denied")),
        told(e.ApprovalDecided(approval_id="ap-3", status="denied")),
    ),
    "activity-conversations": crew(
        SNAPSHOT,
        e.ConversationFrame(conversation=summary(running=True)),
        e.ConversationFrame(conversation=summary(title="Tides of Hamburg")),
        e.ConversationFrame(conversation=summary(id="cv-2", title="Winds", pending=approval(conversation_id="cv-2"))),
        told(ASKING),
    ),
    "activity-deleted": crew(
        SNAPSHOT,
        told(ASKING),
        e.ConversationFrame(conversation=summary(pending=approval())),
        e.ConversationFrame(id="cv-1", deleted=True),
        e.ConversationFrame(id="cv-unknown", deleted=True),
    ),
    "activity-owners": crew(
        SNAPSHOT,
        e.JobsFrame(),
        e.JobsFrame(),
        e.ToolsFrame(),
        e.ArtifactFrame(artifact=CANVAS),
        e.ArtifactFrame(id="a-1", deleted=True),
        e.WorkersFrame(conversation_id="cv-1", workers=[]),
        e.NotebookFrame(path="a.ipynb", pending=0, running=True, waiting=False),
        e.WindowCommand(command_id="wc-1", window_id="w-1", kind="ping", path="a.ipynb", ttl_ms=1000, payload={}),
    ),
    "activity-reconnected": crew(
        e.Snapshot(runs=[ONE, OTHER], pending=2),
        e.RunFrame(run=OVER),
        e.ConversationFrame(conversation=summary()),
        e.Snapshot(runs=[run("run-4", started_at=at(6))], pending=1),
    ),
}

SCENES: dict[str, Scene] = {**CONVERSATION, **CREW}
