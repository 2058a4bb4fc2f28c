# ruff: noqa: E501
"""The limits and the ends of a script, each in a real child: at the limit it goes on, one above it does not (SCR-220)."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.script import Answer, Ended, Message, compiled, run_script, script_answer
from crewlab.engine.script.child import limits
from crewlab.engine.script.fence import Fence
from crewlab.engine.script.messages import ENDS
from crewlab.engine.script.process import MAX_SOURCE, Times
from crewlab.engine.script.words import script_words
from crewlab.engine.texts import Texts
from tests.fixtures.source import ROOT

BIG = 8_000_000
ROOM = 100_000 - len('{"a":""}')
FACTOR = 2**255


@dataclass
class Server:
    """Answers everything with ``value`` and keeps what it was asked."""

    value: Any = "text"
    asked: list[Message] = field(default_factory=list)

    async def answer(self, message: Message) -> Answer:
        self.asked.append(message)
        return Answer(value=[] if message.op == "batch" else None if message.op == "load" else self.value)


async def run(source: str, server: Server | None = None, **more: Any) -> Ended:
    return await run_script(source, server or Server(), Texts("en"), **more)


def loop(times: int, body: str) -> str:
    return f"for i in range({times}):\n    {body}\nprint('end')"


@dataclass(frozen=True)
class Limit:
    """A row of the table: what fits, what is one too much, how that ends (a code, or the class of the error), what reached the server."""

    name: str
    fits: str
    over: str
    ends: str
    asked: int = 0


NESTED = "def f(n):\n    return 0 if n == 1 else f(n - 1)\nprint('start')\nf({})"
TABLE = (
    Limit("calls", loop(25, "tools.t()"), loop(26, "tools.t()"), "limit_calls", 25),
    Limit("questions", loop(10, "llm.summarise('a')"), loop(11, "llm.summarise('a')"), "limit_llm", 10),
    Limit("text of a question", "llm.classify('a' * 20000, ['x', 'y'])", "llm.classify('a' * 20001, ['x', 'y'])", "RuntimeError"),
    Limit("fewest labels", "llm.classify('a', ['x', 'y'])", "llm.classify('a', ['x'])", "RuntimeError"),
    Limit(
        "most labels", "llm.classify('a', [str(i) for i in range(20)])", "llm.classify('a', [str(i) for i in range(21)])", "RuntimeError"
    ),
    Limit("length of a label", "llm.classify('a', ['x' * 100, 'y'])", "llm.classify('a', ['x' * 101, 'y'])", "RuntimeError"),
    Limit("longest summary", "llm.summarise('a', max_chars=4000)", "llm.summarise('a', max_chars=4001)", "RuntimeError"),
    Limit("shortest summary", "llm.summarise('a', max_chars=1)", "llm.summarise('a', max_chars=0)", "RuntimeError"),
    Limit("lookups", loop(40, "tools.names()"), loop(41, "tools.names()"), "RuntimeError", 40),
    Limit("text of a lookup", "tools.search('a' * 1000)", "tools.search('a' * 1001)", "RuntimeError"),
    Limit("name of a lookup", "tools.describe('a' * 1000)", "tools.describe('a' * 1001)", "RuntimeError"),
    Limit("calls in a batch", "tools.batch([{'tool': 't'}] * 10)", "tools.batch([{'tool': 't'}] * 11)", "TypeError"),
    Limit("length of the script", "x = 1" + "#" * (MAX_SOURCE - 5), "x = 1" + "#" * (MAX_SOURCE - 4), "limit_source"),
    # 4 steps to begin, 2 for each round
    Limit("steps", "for i in range(999998):\n    pass", "for i in range(999999):\n    pass", "limit_steps"),
    Limit("one text", f"x = 'a' * {BIG}", f"x = 'a' * {BIG + 1}", "limit_value"),
    Limit("one list", f"x = [None] * {BIG}", f"x = [None] * {BIG + 1}", "limit_value"),
    Limit("one text, made of two", f"x = 'a' * {BIG - 1}\nx += 'b'", f"x = 'a' * {BIG}\nx += 'b'", "limit_value"),
    Limit("arguments", f"tools.t(a='x' * {ROOM})", f"tools.t(a='x' * {ROOM + 1})", "limit_args"),
    Limit(
        "arguments in a batch",
        f"tools.batch([{{'tool': 't', 'args': {{'a': 'x' * {ROOM}}}}}])",
        f"tools.batch([{{'tool': 't', 'args': {{'a': 'x' * {ROOM + 1}}}}}])",
        "ValueError",
    ),
    Limit("functions inside each other", NESTED.format(40), NESTED.format(41), "limit_depth"),
    Limit("integers", f"x = {FACTOR} + {FACTOR - 1}", f"x = {FACTOR} + {FACTOR}", "limit_int"),
    Limit("a literal", f"x = {2 * FACTOR - 1}", f"x = {2 * FACTOR}", "refused_syntax"),
    Limit("key", "store('k' * 200, 1)", "store('k' * 201, 1)", "ValueError"),
    Limit("key that is read", "load('k' * 200)", "load('k' * 201)", "ValueError"),
    Limit("value that is kept", "store('k', 'v' * 65534)", "store('k', 'v' * 65535)", "ValueError"),
)


@pytest.mark.spec(
    "SCR-220", "SCR-221", "SCR-103", "SCR-172", "SCR-170", "SCR-107", "SCR-108", "SCR-111", "SCR-50", "SCR-52", "SCR-94", "SCR-57", "SCR-53"
)
@pytest.mark.parametrize("limit", TABLE, ids=lambda limit: limit.name)
async def test_each_limit_of_the_table_at_it_and_one_above(limit: Limit) -> None:
    fits = await run(limit.fits)
    assert fits.code == "ok", (fits.code, fits.params)
    server = Server()
    over = await run(limit.over, server)
    assert (over.params["type"] if over.code == "uncaught" else over.code) == limit.ends
    assert len(server.asked) == limit.asked
    assert "end" not in over.printed
    caught = await run("try:\n" + "\n".join(f"    {line}" for line in limit.over.split("\n")) + "\nexcept Exception:\n    print('caught')")
    if limit.ends.endswith("Error"):
        assert (caught.code, caught.printed) == ("ok", "caught"), "an error can be caught"
    else:
        assert (caught.code, "caught" in caught.printed) == (limit.ends, False), "a stop cannot be caught"


@pytest.mark.spec("SCR-220", "SCR-55")
async def test_256_mib_are_held_and_no_more() -> None:
    source = "x = []\nfor i in range({}):\n    x.append('a' * 8000000)\n    print(i)"
    assert (await run(source.format(33))).code == "ok"
    over = await run(source.format(40))
    assert (over.code, over.line, over.printed.split()[-1]) == ("limit_memory", 3, "32")
    freed = await run("for i in range(200):\n    x = 'a' * 8000000")
    assert freed.code == "ok", "what is given back may be used again"
    rows = await run("x = []\nwhile True:\n    x.append(['a'] * 1000)")
    assert rows.code == "limit_memory"


@pytest.mark.spec("SCR-220", "SCR-66", "SCR-67")
async def test_60000_printed_characters_are_kept_and_the_script_goes_on() -> None:
    whole = await run("print('a' * 30000, end='')\nprint('b' * 30000, end='')")
    assert whole.printed == "a" * 30_000 + "b" * 30_000
    over = await run("print('a' * 30000, end='')\nprint('b' * 30000, end='')\nprint('c', end='')\ntools.t()", server := Server(None))
    assert (over.code, len(server.asked)) == ("ok", 1)
    head, marker, tail = over.printed.split("\n")
    assert (set(head), set(tail[:-1]), tail[-1], len(head), len(over.printed) <= 60_000) == ({"a"}, {"b"}, "c", len(tail), True)
    assert marker.startswith(f"[the script printed 60001 characters; {60_001 - len(head) - len(tail)} in the middle are left out.")
    assert len(over.printed) >= 59_990, "what fits is not left out"
    forever = await run("while True:\n    print('x' * 1000)")
    assert (forever.code, len(forever.printed) <= 60_000) == ("limit_steps", True)


@pytest.mark.spec("SCR-220", "SCR-51", "SCR-24")
async def test_bounds_of_nesting_in_the_child() -> None:
    build = "x = 1\nfor i in range({}):\n    x = [x]\nprint(len(json.dumps(x)))"
    assert (await run(build.format(100))).printed == "201"
    assert (await run(build.format(101))).params["type"] == "ValueError"
    assert (await run("x = 1\n" + "-" * 198 + "x")).code == "ok"
    assert (await run("x = 1\n" + "-" * 199 + "x")).params["word"] == "nesting"


ENDINGS: dict[str, str] = {
    "ok": "print(1)", "syntax": "x = (", "refused_syntax": "import os", "uncaught": "1 / 0", "limit_calls": "while True:\n    tools.t()",
    "limit_llm": "while True:\n    llm.summarise('a')", "limit_args": "tools.t(a='a' * 100000)", "limit_source": " ", "limit_steps": "while True:\n    pass",
    "limit_depth": "f = lambda: f()\nf()", "limit_int": "x = 7\nwhile True:\n    x *= x", "limit_value": "x = [0] * 9000000",
    "limit_memory": "x = []\nwhile True:\n    x.append('a' * 1000000)",
}  # fmt: skip


@pytest.mark.spec("SCR-64", "SCR-61", "SCR-71")
@pytest.mark.parametrize("code", ENDINGS)
async def test_each_end_has_its_code_and_the_model_reads_words(code: str) -> None:
    ended = await run(ENDINGS[code])
    assert ended.code == code
    for language in ("en", "vi"):
        said = script_answer(ended, Texts(language))
        assert (said.startswith("Script did not finish.\n"), code in said) == (code != "ok", False), "a code is never shown to the model"


@pytest.mark.spec("SCR-64", "SCR-9")
def test_the_child_can_say_only_its_own_ends() -> None:
    assert ENDS - {"stopped"} == set(ENDINGS) - {"limit_source"}


@pytest.mark.spec("SCR-5")
async def test_nothing_a_person_sets_loosens_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for name in vars(limits) if name.isupper()]
    assert len(names) > 40
    for name in names:
        for prefix in ("CREWLAB_SCRIPT_", "CREWLAB_", "SCRIPT_", ""):
            monkeypatch.setenv(prefix + name, "1000000000")
    assert (await run(loop(26, "tools.t()"))).code == "limit_calls"
    assert (await run("x = [0] * 8000001")).code == "limit_value"
    for source in (*compiled.CHILD.glob("*.py"), *compiled.CHILD.parent.glob("*.py")):
        assert "environ" not in source.read_text().replace("environment", ""), source
    callers = [path for path in (ROOT / "crewlab").rglob("*.py") if "run_script(" in path.read_text() and path.name != "process.py"]
    for path in callers:
        call = path.read_text().partition("run_script(")[2]
        assert "limits=" not in call[:400], f"{path} sets limits of a script"
        assert "times=" not in call[:400], f"{path} sets times of a script"


def bare(source: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """The child alone, without the server's side."""
    start = {"script": source, "lang": "en", "limits": {}, "words": script_words(Texts("en"))}
    return subprocess.run(
        [sys.executable, "-I", "-S", "-B", str(compiled.ENTRY)], input=json.dumps(start).encode() + b"\n", capture_output=True, env={},
        check=False, timeout=60, **more,
    )  # fmt: skip


@pytest.mark.spec("SCR-23", "SCR-7")
def test_warnings_of_the_parser_are_silent_and_stdout_holds_messages_only() -> None:
    done = bare(
        'x = "\\d" + "\\q"\nprint(1 if x else 0 or 1)\nprint(0x1for x in x)' if sys.version_info < (3, 12) else 'x = "\\d"\nprint(1)'
    )
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.splitlines()
    assert [json.loads(line)["op"] for line in lines] == ["done"]


@pytest.mark.spec("SCR-8", "SCR-24")
@pytest.mark.parametrize(
    "source",
    [
        "print(" + "[" * 6_000 + "]" * 6_000 + ")",
        "x = " + "-" * 10_000 + "1",
        "x = " + "+".join(["1"] * 9_000),
        "x = 1" + " if 1 else 2" * 1_500,
    ],
)
def test_10000_signs_inside_each_other_are_refused_and_the_child_lives(source: str) -> None:
    done = bare(source)
    ended = json.loads(done.stdout)
    assert (done.returncode, ended["code"], done.stderr) in ((0, "syntax", b""), (0, "refused_syntax", b""))


@pytest.mark.spec("SCR-10", "SCR-20")
def test_a_child_whose_server_says_nothing_more_ends_by_itself() -> None:
    waiting = bare("print(1)\ntools.t()\nprint(2)")
    assert (waiting.returncode, len(waiting.stdout.splitlines()), waiting.stderr) == (0, 1, b"")


@pytest.mark.spec("SCR-6", "SCR-16")
def test_the_limits_of_the_system_stand_before_the_script_is_read() -> None:
    """The child is looked at while it waits for its first line: nothing of a script has come yet."""
    child = subprocess.Popen([sys.executable, "-I", "-S", "-B", str(compiled.ENTRY)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={})
    assert child.stdin is not None
    try:
        while "read" not in (waits := Path(f"/proc/{child.pid}/wchan").read_text()) and "pipe" not in waits:
            if child.poll() is not None:
                raise AssertionError(child.returncode)
            os.sched_yield()
        found = {line[:25].strip(): line[25:].split()[:2] for line in Path(f"/proc/{child.pid}/limits").read_text().splitlines()}
        assert (found["Max cpu time"], found["Max open files"], found["Max address space"]) == (
            ["20", "21"],
            ["16", "16"],
            [str(1024**3)] * 2,
        )
        assert (found["Max file size"], found["Max core file size"], found["Max processes"]) == (["0", "0"], ["0", "0"], ["0", "0"])
    finally:
        child.stdin.close()
        child.wait()
        assert child.stdout is not None
        child.stdout.close()


@pytest.mark.spec("SCR-17", "SCR-220")
async def test_the_clock_of_running_alone_is_not_restarted_by_lookups_and_the_store() -> None:
    class Slow(Server):
        async def answer(self, message: Message) -> Answer:
            await asyncio.sleep(0.2)
            return await super().answer(message)

    for use in ("tools.names()", "load('k')", "store('k', 1)"):
        server = Slow()
        ended = await run(f"for i in range(30):\n    {use}", server, times=Times(alone=1.0, total=30.0))
        assert (ended, len(server.asked) < 7) == (Ended("limit_idle"), True), use
    server = Slow()
    assert (await run("for i in range(10):\n    llm.summarise('a')", server, times=Times(alone=1.0, total=30.0))).code == "ok"
    assert (await run("for i in range(10):\n    tools.batch([{'tool': 't'}])", Slow(), times=Times(alone=1.0, total=30.0))).code == "ok"


@pytest.mark.spec("SCR-55", "SCR-16")
async def test_when_memory_cannot_be_had_at_all_it_is_the_limit_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the measure away the address space ends; what was printed is kept."""
    ended = await run("print('kept')\nx = []\nwhile True:\n    x.append('a' * 8000000)", limits={"memory": 2**40, "steps": 10**9})
    assert (ended.code, ended.printed) == ("limit_memory", "kept")


@pytest.mark.spec("SCR-8")
async def test_the_first_line_and_the_messages_have_the_fields_of_the_table() -> None:
    server = Server()
    source = (
        "tools.t(a=1)\ntools.batch([{'tool': 't', 'args': {'b': (1, None)}}, {'tool': 'u'}])\ntools.names()\ntools.search('w', limit=3)\ntools.describe('n')\n"
        "llm.classify('x', ['a', 'b'])\nllm.summarise('x', 7)\nload('k')\nstore('k', {'a': 1.5})\nstore('k', None)"
    )
    assert (await run(source, server, around=Fence((), b""))).code == "ok"
    assert [(message.op, message.id, message.fields) for message in server.asked] == [
        ("call", 1, {"line": 1, "tool": "t", "args": {"a": 1}}),
        ("batch", 2, {"line": 2, "calls": [{"tool": "t", "args": {"b": [1, None]}}, {"tool": "u", "args": {}}]}),
        ("lookup", 3, {"kind": "names", "text": "", "limit": 0}),
        ("lookup", 4, {"kind": "search", "text": "w", "limit": 3}),
        ("lookup", 5, {"kind": "describe", "text": "n", "limit": 5}),
        ("llm", 6, {"line": 6, "kind": "classify", "text": "x", "labels": ["a", "b"]}),
        ("llm", 7, {"line": 7, "kind": "summarise", "text": "x", "max_chars": 7}),
        ("load", 8, {"key": "k"}),
        ("store", 9, {"key": "k", "json": '{"a":1.5}'}),
        ("store", 10, {"key": "k", "forget": True}),
    ]


@pytest.mark.spec("SCR-70")
async def test_half_characters_leave_the_child_as_marks_and_whole_ones_stay() -> None:
    server = Server()
    ended = await run(
        "x = json.loads('\"a\\\\udc00é😀\\\\ud83d\"')\ntools.t(**{'k': x, 'n': [x, {'é': x}]})\nllm.summarise(x)\ntools.search(x)\nprint(x)\nprint([x])",
        server,
    )
    shown = "a\ufffdé😀\ufffd"
    assert ended.printed.split("\n")[0] == shown
    assert "\\udc00" in ended.printed.split("\n")[1], "repr writes an escape, as in Python"
    assert [message.fields.get("args", message.fields.get("text")) for message in server.asked] == [
        {"k": shown, "n": [shown, {"é": shown}]},
        shown,
        shown,
    ]


@pytest.mark.spec("SCR-7", "SCR-8")
@pytest.mark.parametrize(
    "text", ["", 'a\n"b"\\\t\x00\x1f\x7f', "Tiếng Việt 😀\u2028\ufeff", "half \ud800 character", "x" * 200_000, "ế" * 200_000]
)
async def test_what_a_tool_answers_reaches_the_script_character_for_character(text: str) -> None:
    echoed = Server(text)
    ended = await run(
        "x = tools.t()\ny = tools.batch([{'tool': 't'}])\nprint(len(x), sum([1 for c in x if c == '\\n']))\nz = tools.u(a=x[:50000])",
        echoed,
    )
    assert (ended.code, ended.printed) == ("ok", f"{len(text)} {text.count(chr(10))}")
    assert echoed.asked[-1].fields["args"] == {"a": text[:50_000].replace("\ud800", "\ufffd")}


@pytest.mark.spec("SCR-6")
@pytest.mark.parametrize("bundle", ["missing", "fresh", "older than a source", "damaged"])
async def test_the_interpreter_runs_from_its_bundle_or_from_its_sources(
    bundle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only installation has no bundle, a new version has an old one: the sources are what counts."""
    child = tmp_path / "child"
    shutil.copytree(compiled.CHILD, child, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compiled, "CHILD", child)
    monkeypatch.setattr(compiled, "ENTRY", child / "main.py")
    if bundle != "missing":
        compiled.prepare.__wrapped__()
        made = compiled.bundle_path()
        changed = child / "limits.py"
        changed.write_text(changed.read_text().replace("MAX_CALLS = 25", "MAX_CALLS = 3"))
        times = {"fresh": (0, 10), "older than a source": (20, 10), "damaged": (0, 10)}[bundle]
        for source in child.glob("*.py"):
            os.utime(source, (0, 0))
        os.utime(changed, (times[0], times[0]))
        if bundle == "damaged":
            made.write_bytes(made.read_bytes()[:5000])
        os.utime(made, (times[1], times[1]))
    monkeypatch.setattr(compiled, "prepare", lambda: None)
    most = 25 if bundle in ("missing", "fresh") else 3
    assert (await run(loop(most, "tools.t()"), around=Fence((), b""))).code == "ok"
    assert (await run(loop(most + 1, "tools.t()"), around=Fence((), b""))).code == "limit_calls"
    assert (
        await run("print(json.loads('[1]'), sorted([2, 1], key=lambda q: q), f'{1.5:.2f}')", around=Fence((), b""))
    ).printed == "[1] [1, 2] 1.50"


@pytest.mark.spec("SCR-6")
def test_a_bundle_is_made_again_when_a_source_is_newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = tmp_path / "child"
    shutil.copytree(compiled.CHILD, child, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compiled, "CHILD", child)
    compiled.prepare.__wrapped__()
    first = compiled.bundle_path().read_bytes()
    (child / "words.py").write_text((child / "words.py").read_text() + "\nADDED = 'something new'\n")
    compiled.prepare.__wrapped__()
    second = compiled.bundle_path().read_bytes()
    assert (b"something new" in first, b"something new" in second) == (False, True)
    assert list(compiled.bundle_path().parent.iterdir()) == [compiled.bundle_path()], "nothing half written is left"
