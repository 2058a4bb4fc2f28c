"""Whether a script passes the check of the language, without running a statement of it (SCR-224)."""

from __future__ import annotations

from crewlab.engine.script.messages import Answer, Message
from crewlab.engine.script.outcome import reason
from crewlab.engine.script.process import run_script
from crewlab.engine.texts import Texts


class _Nobody:
    """A script that is only checked asks for nothing."""

    async def answer(self, _message: Message) -> Answer:
        return Answer(stop=True, code="child_died")


async def problem_of(script: str, texts: Texts) -> str | None:
    """Why the script would not begin, with its line; ``None`` when it would."""
    ended = await run_script(script, _Nobody(), texts, only_check=True)
    return None if ended.code == "ok" else reason(ended, texts)
