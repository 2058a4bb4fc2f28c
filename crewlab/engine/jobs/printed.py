"""The message that opens the turn after a script: the job's prompt, and what the script printed as data (JOB-9, SCR-230).

The chat shows a message of exactly this shape in its own way (SCR-231): ``labextension/src/shared/scripts/printed.ts`` reads it.
"""

from __future__ import annotations

import secrets

from crewlab.engine.texts import Texts

OPENING = "<<<SCRIPT OUTPUT {number}>>>>"  # SCR-230; fixed in every language
CLOSING = "<<<END SCRIPT OUTPUT {number}>>>>"
NUMBER_BYTES = 8  # 16 hexadecimal digits


def new_number() -> str:
    """A number for one message, which what was printed cannot know."""
    return secrets.token_hex(NUMBER_BYTES)


def after_script(then_prompt: str, printed: str, number: str, texts: Texts) -> str:
    """The message, line by line."""
    marks = (OPENING.format(number=number), printed, CLOSING.format(number=number))
    return "\n".join((then_prompt, "", texts("script.given_as_data"), *marks))
