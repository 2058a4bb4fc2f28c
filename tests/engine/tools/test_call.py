import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.texts import Texts
from crewlab.engine.tools.call import Ran, run_tool
from crewlab.engine.tools.contract import Tool, ToolContext, ToolError

CONTEXT = ToolContext("default", Path("/ws"), Texts("en"))


def tool(run: Callable[..., Awaitable[Any]]) -> Tool:
    return Tool("probe", "", {"type": "object"}, run)


def raising(error: BaseException) -> Tool:
    async def run(*_: object) -> str:
        raise error

    return tool(run)


def saying(answer: object) -> Tool:
    async def run(*_: object) -> object:
        return answer

    return tool(run)


async def test_a_tool_error_is_the_answer() -> None:
    assert await run_tool(raising(ToolError("Name another file.")), {}, CONTEXT) == Ran("Name another file.", False)


@pytest.mark.spec("TOOL-15")
@pytest.mark.parametrize(
    "error", [RuntimeError("key sk-123 is wrong"), KeyError("sk-123"), OSError(5, "sk-123"), RecursionError(), MemoryError()]
)
async def test_a_fault_names_the_tool_and_the_kind_and_keeps_the_details_in_the_log(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    ran = await run_tool(raising(error), {}, CONTEXT)
    assert not ran.ok
    assert "probe" in ran.text
    assert type(error).__name__ in ran.text
    assert "sk-123" not in ran.text
    assert "Traceback" not in ran.text
    assert "Traceback" in caplog.text


@pytest.mark.spec("TOOL-15")
@pytest.mark.parametrize("answer", [None, 7, b"bytes", ["list"]])
async def test_an_answer_that_is_no_text_is_a_fault(answer: object, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("CRITICAL")
    ran = await run_tool(saying(answer), {}, CONTEXT)
    assert (ran.ok, "TypeError" in ran.text) == (False, True)


@pytest.mark.spec("TOOL-11", "OUT-65")
@pytest.mark.parametrize(("made", "ok"), [(saying(""), True), (raising(ToolError("")), False)])
async def test_no_answer_is_empty(made: Tool, ok: bool) -> None:
    ran = await run_tool(made, {}, CONTEXT)
    assert ran.ok is ok
    assert "probe" in ran.text


async def test_cancelling_a_call_comes_out() -> None:
    with pytest.raises(asyncio.CancelledError):
        await run_tool(raising(asyncio.CancelledError()), {}, CONTEXT)


@pytest.mark.parametrize(("answer", "kept"), [("plain ế 🙂", "plain ế 🙂"), ("\ud83d\ude42", "🙂"), ("half \ud83d!", "half \ufffd!")])
async def test_every_answer_can_be_stored(answer: str, kept: str) -> None:
    ran = await run_tool(saying(answer), {}, CONTEXT)
    assert ran == Ran(kept, True)
    ran.text.encode()
