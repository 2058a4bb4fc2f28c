"""How a script ended, in words for the model (SCR-36, SCR-60, SCR-61, SCR-71)."""

from __future__ import annotations

from typing import Any

from crewlab.engine.script.process import Ended
from crewlab.engine.texts import Texts

FIRST_LINE = "Script did not finish."  # SCR-71; fixed in every language
MAX_NAME = 200  # a refused name is shown no longer


def reason(ended: Ended, texts: Texts) -> str:
    """Why the script did not finish."""
    params: dict[str, Any] = dict(ended.params)
    if isinstance(params.get("name"), str):
        params["name"] = params["name"][:MAX_NAME]
    if ended.code in ("syntax", "refused_syntax"):
        word = params.pop("word")
        return texts("script.refused", line=ended.line, what=texts(f"script.{word}", **params))
    if ended.code == "uncaught":
        return texts("script.error", line=ended.line, type=params["type"], message=params["message"]) + _callers(params["callers"], texts)
    variant = params.pop("variant", "")
    what = texts(f"script.{ended.code}_{variant}" if variant else f"script.{ended.code}", **params)
    return texts("script.stopped", line=ended.line, what=what) if ended.line else what[:1].upper() + what[1:]


def _callers(lines: list[int], texts: Texts) -> str:
    if not lines:
        return ""
    return texts("script.callers", lines=", ".join(texts("script.caller", line=line) for line in lines))


def script_answer(ended: Ended, texts: Texts) -> str:
    """The result of ``tool_script``: what was printed; for a failed script the fixed line, what was printed, the reason."""
    if ended.code == "ok":
        return ended.printed if ended.printed else texts("script.nothing")
    parts = [FIRST_LINE, *([ended.printed] if ended.printed else []), reason(ended, texts)]
    return "\n".join(parts)
