"""The gate: refusals, and what a model reads after a decision. English."""

TEXTS: dict[str, str] = {
    "refused": "This call is refused, and no approval can change that. Nothing ran.",
    "refused_prefix": "Refused, and no approval can change that: ",
    "deny_pattern": (
        'This matches "{pattern}", which this agent may never run, and nobody is asked. Nothing ran. Stop here: '
        "say what has to be done and why, so that the person decides, and do not look for another way."
    ),
    "denied": (
        "The person refused this call. Nothing ran and nothing changed. Do not do it again, "
        "and do not do something equivalent with another tool."
    ),
    "expired": (
        "Nobody decided in time. The action did not run and nothing has changed yet. Do not do it again and do not do an equivalent "
        "thing with another tool; tell the person what is waiting for approval."
    ),
    "cut_restart": (
        "The server restarted while this call ran. It is not known whether it ran. Check what is there before you decide what to do."
    ),
    "cut_stop": (
        "The person stopped the turn while this call ran. It is not known whether it ran. Check what is there before you decide what to do."
    ),
    "not_run_stop": "The person stopped the turn before this call. It did not run.",
    "not_run_restart": "The server restarted before this call. It did not run.",
    "not_run_halt": "The turn ended before this call. It did not run.",
    "not_run_fork": "This call was still open where the conversation was copied. It did not run here, and no approval was copied.",
    "tool_gone": 'The call was approved, but the agent no longer holds the tool "{name}". It did not run and nothing changed.',
    "agent_gone": "The agent of this conversation was removed. The call did not run and nothing changed.",
    # for people, through the API (GATE-47)
    "late_approved": "Too late: this request was approved already.",
    "late_denied": "Too late: this request was denied already. The call did not run.",
    "late_answered": "Too late: this question was answered already.",
    "late_skipped": "Too late: this question was skipped already.",
    "late_expired": "Too late: the deadline of this request has passed. It was closed as expired.",
    "conversation_busy": "A turn is running in this conversation. Look again in a moment.",
    "is_question": "This is a question: answer or skip it; it is not approved or denied.",
    "one_of_three": "Send exactly one of `decision`, `answer` and `skip`.",
    "is_tool": "This is a request for a tool: approve or deny it.",
}
