"""``ask_user``: the only way for a run to ask the person anything (GATE-82 to GATE-94, ASKU-1 to ASKU-15, PTL-59).

The tool itself only says what may be asked. The turn pauses and stores the question like an approval (ASKU-7), so it is never run.
"""

from __future__ import annotations

from collections.abc import Callable

from crewlab.engine.agents.roster import Agent
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.tools import questions
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.family import FamilyParts


def family(parts: FamilyParts, _agent: Agent) -> list[Tool]:
    """The tool, where a face can bring the answer; without one it is not there at all (ASKU-4)."""
    return [] if parts.person is None else [ask_tool(parts.texts, parts.store, parts.person)]


def ask_tool(texts: Texts, store: Store, person: Callable[[], bool]) -> Tool:
    """The tool. ``person`` says whether somebody can be asked now; ``store`` knows what was asked in vain."""

    def refuse(arguments: Arguments, context: ToolContext) -> str | None:
        """What is answered at once and asks nobody (GATE-91, ASKU-3, ASKU-5, ASKU-12)."""
        question = questions.question_of(arguments)
        fault = question.fault()
        if fault is not None:
            return context.texts(f"asking.{fault}")
        if context.conversation_id is None or context.run_id is None or context.in_script or not person():
            return f"answer=unavailable\n{context.texts('asking.unavailable')}"
        words = questions.same_words(question.text)
        if any(questions.same_words(asked) == words for asked in store.approvals.asked_in_vain(context.conversation_id, context.run_id)):
            return context.texts("asking.asked_before")
        return None

    return Tool(
        name="ask_user",
        description=texts("asking.description"),
        parameters=_parameters(texts),
        run=_run,
        tier="read",
        script="no",
        requires_approval=True,
        is_question=True,
        ask_reason=lambda _arguments, context: context.texts("asking.reason"),
        refuse_reason=refuse,
        marking="own",
    )


async def _run(_arguments: Arguments, context: ToolContext) -> str:
    """A question is answered and never run; whoever gets here has nobody to ask."""
    raise ToolError(f"answer=unavailable\n{context.texts('asking.unavailable')}")


def _parameters(texts: Texts) -> dict[str, object]:
    option = {
        "type": ["string", "object"],
        "minLength": 1,
        "maxLength": questions.LABEL_CHARS,
        "properties": {
            "label": {"type": "string", "minLength": 1, "maxLength": questions.LABEL_CHARS, "description": texts("asking.label")},
            "description": {"type": "string", "maxLength": questions.DESCRIPTION_CHARS, "description": texts("asking.option_description")},
            "suggested": {"type": "boolean", "description": texts("asking.suggested")},
        },
        "required": ["label"],
        "additionalProperties": False,
    }
    properties = {
        "question": {
            "type": "string",
            "minLength": 1,
            "maxLength": questions.QUESTION_CHARS,
            "description": texts("asking.question"),
        },
        "options": {"type": "array", "items": option, "maxItems": questions.MAX_OPTIONS, "description": texts("asking.options")},
        "default": {"type": "string", "description": texts("asking.default_parameter")},
        "context": {"type": "string", "maxLength": questions.CONTEXT_CHARS, "description": texts("asking.context")},
        "allow_free_text": {"type": "boolean", "description": texts("asking.allow_free_text")},
        "multi_select": {"type": "boolean", "description": texts("asking.multi_select")},
    }
    return {"type": "object", "properties": properties, "required": ["question"], "additionalProperties": False}
