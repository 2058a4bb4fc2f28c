"""No script reaches anything but plain data and what the server does for it (FV-1, FV-2, FV-4)."""

from __future__ import annotations

import ast
import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from crewlab.engine.script import Answer, Ended, Message, compiled, run_script
from crewlab.engine.texts import Texts
from tests.engine.script.hostile import BOMBS, ESCAPES
from tests.engine.script.inside import script
from tests.fixtures.source import ROOT

SECRET = "rosebud-7c1f"
EVERY = int(os.environ.get("CREWLAB_DRILL_ESCAPES", "7"))  # `make drill` runs every escape in a child of its own


class Nothing:
    """A server that holds no tool."""

    async def answer(self, message: Message) -> Answer:
        return Answer(error="no such tool")


def children() -> set[int]:
    """The processes below this one."""
    found: set[int] = set()
    for tasks in Path("/proc/self/task").glob("*/children"):
        found |= {int(pid) for pid in tasks.read_text().split()}
    return found


def test_the_corpus_holds_at_least_200_escapes_and_no_program_twice() -> None:
    assert len(ESCAPES) >= 200
    assert len(set(ESCAPES) | set(BOMBS)) == len(ESCAPES) + len(BOMBS)


@pytest.mark.spec("FV-1", "FV-2", "FV-4", "SCR-22", "SCR-26", "SCR-27", "SCR-30", "SCR-31", "SCR-32", "SCR-43")
@pytest.mark.parametrize("source", ESCAPES)
def test_an_escape_does_not_run_to_its_end(source: str) -> None:
    ended = script(source)
    assert ended.code in ("refused_syntax", "syntax", "uncaught"), (ended.code, ended.printed)
    assert ended.printed == "", "a refused script runs not one statement, and these print only what they found"
    if ended.code == "uncaught":
        assert ended.params["type"] in ("TypeError", "AttributeError", "NameError", "ValueError"), ended.params


@pytest.mark.spec("FV-1", "SCR-6", "SCR-20", "SCR-49")
async def test_in_real_children_nothing_is_read_opened_left_or_outlived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    canary = tmp_path / "canary"
    canary.write_text(SECRET)
    monkeypatch.setenv("CREWLAB_CANARY", SECRET)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        port = listener.getsockname()[1]
        sources = [
            source.replace("/etc/passwd", str(canary)).replace("socket.socket()", f"socket.create_connection({port})")
            for source in ESCAPES[::EVERY]
        ]
        before = children()
        descriptors = set(os.listdir("/proc/self/fd"))
        for source in sources:
            ended = await run_script(source, Nothing(), Texts("en"))
            assert ended.code in ("refused_syntax", "syntax", "uncaught"), source
            assert SECRET not in repr(ended)
        with pytest.raises(BlockingIOError):
            listener.accept()
        await asyncio.sleep(0)
        assert children() - before == set()
        assert len(os.listdir("/proc/self/fd")) <= len(descriptors) + 1
    assert canary.read_text() == SECRET


CAUGHT = frozenset({"limit_steps", "limit_depth", "limit_int", "limit_value", "limit_memory", "uncaught", "refused_syntax", "syntax"})


@pytest.mark.slow
@pytest.mark.spec("FV-1", "SCR-49", "SCR-51", "SCR-52", "SCR-62", "SCR-241")
@pytest.mark.parametrize("source", BOMBS, ids=range(len(BOMBS)))
async def test_a_bomb_ends_by_a_limit_of_the_interpreter_not_of_the_system(source: str) -> None:
    before = children()
    ended: Ended = await run_script(source, Nothing(), Texts("en"))
    assert ended.code in CAUGHT, (source[:200], ended.code, ended.printed[:200])
    assert "finally ran" not in ended.printed
    assert children() == before


TAKE_TEXT = ("eval", "exec", "compile", "__import__", "open")
WATCHED = """
import sys
from tests.engine.script.hostile import ESCAPES
from tests.engine.script.inside import script
from tests.fixtures.source import ROOT
script("x = 1\\nprint(f'{x}', sorted([2, 1]), 'é'.upper())")
seen, watching = [], False
def hook(event, args):
    if watching and not (event == "compile" and args[1] == "<script>"):
        seen.append((event, repr(args)[:100]))
sys.addaudithook(hook)
for source in ESCAPES:
    watching = True
    script(source, steps=10_000)
    watching = False
# The measure of memory; and Python looks for a file of the script's made-up name to show the line of a syntax error.
fine = ("('/proc/self/statm'", "('<script>', 'rb'")
wrong = [one for one in seen if one[0] != "builtins.id" and not (one[0] == "open" and one[1].startswith(fine))]
print(len(ESCAPES), wrong)
"""


@pytest.mark.spec("SCR-15")
def test_while_escapes_run_python_opens_imports_and_executes_nothing() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-B", "-c", WATCHED], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == f"{len(ESCAPES)} []\n"


@pytest.mark.spec("SCR-15")
def test_no_source_of_the_child_evaluates_text() -> None:
    """``compile`` only with the flag that gives a tree; ``exec`` only where the entry runs our own modules."""
    calls: list[tuple[str, str, str]] = []
    for source in compiled.CHILD.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TAKE_TEXT:
                calls.append((source.name, node.func.id, ast.unparse(node)))
    assert sorted(calls) == [
        ("main.py", "__import__", "__import__('child.session', fromlist=['serve'])"),
        ("main.py", "exec", "exec(code, module.__dict__)"),
        ("parse.py", "compile", "compile(source, '<script>', 'exec', _ast.PyCF_ONLY_AST, dont_inherit=True)"),
    ]
