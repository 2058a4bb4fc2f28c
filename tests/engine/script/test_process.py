# ruff: noqa: E501
"""The child process: how it is started, what it may, what it says, and that nothing of it is left."""

from __future__ import annotations

import asyncio
import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.script import Answer, Ended, Message, compiled, process, run_script, script_answer
from crewlab.engine.script.fence import Fence, fence
from crewlab.engine.script.messages import ENDS, FIELDS, OPTIONAL, read_message
from crewlab.engine.script.process import Times
from crewlab.engine.script.words import script_words
from crewlab.engine.texts import Texts
from tests.engine.script.test_hostile import children

BARE = Fence((), b"", "left out by the test")
FENCES = pytest.mark.parametrize("around", [None, BARE], ids=["fenced", "bare"])


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["power", "unknown_name", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["word", "name", "names", "type", "callers"]), inner),
    max_leaves=8,
)


def messages_of(op: str) -> st.SearchStrategy[bytes]:
    """Messages that look right at first sight."""
    known = {**FIELDS[op], **OPTIONAL.get(op, {})}
    right = {
        str: st.sampled_from([*sorted(ENDS), "t", "\ud800"]),
        int: st.integers(-1, 3),
        bool: st.booleans(),
        dict: st.dictionaries(st.text(max_size=3), VALUES),
    }
    fields = {name: right.get(kinds[0], VALUES) | VALUES for name, kinds in known.items()}
    return st.fixed_dictionaries({"op": st.just(op), "id": st.just(1), **fields}).map(lambda data: json.dumps(data).encode() + b"\n")


class Answers:
    """A server that answers what it is told to, and keeps what it was asked."""

    def __init__(self, answer: Answer | None = None) -> None:
        self.asked: list[Message] = []
        self._answer = answer or Answer(value="text")

    async def answer(self, message: Message) -> Answer:
        self.asked.append(message)
        return self._answer


async def run(source: Any, host: Any = None, **more: Any) -> Ended:
    return await run_script(source, host or Answers(), Texts("en"), **more)


@FENCES
@pytest.mark.spec("SCR-7", "SCR-8", "SCR-48", "SCR-65")
async def test_a_script_asks_the_server_and_prints(around: Fence | None) -> None:
    host = Answers()
    ended = await run("x = tools.page(id='a\\nb é')\nprint(x)\n'last'", host, around=around)
    assert (ended.code, ended.printed, ended.printed_chars) == ("ok", "text\n'last'", 11)
    assert host.asked == [Message("call", 1, {"line": 1, "tool": "page", "args": {"id": "a\nb é"}})]


@pytest.mark.spec("SCR-71", "SCR-60", "SCR-61", "SCR-36", "SCR-69", "SCR-245")
@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("print(1)\nx = [][0]", "Script did not finish.\n1\nError at line 2: IndexError: list index out of range"),
        (
            "def f(n):\n    return [][n]\ndef g():\n    return f(1)\ng()",
            "Script did not finish.\nError at line 2: IndexError: list index out of range (called from line 4, line 5)",
        ),
        (
            "print(1)\nimport os",
            "Script did not finish.\nRefused at line 2: import is not available. json is there without it; everything else",
        ),
        ("x = (", "Script did not finish.\nRefused at line 1: the script cannot be read: '(' was never closed."),
        ("print(1)\nf = lambda: f()\nf()", "Script did not finish.\n1\nStopped at line 2: functions called inside each other"),
        ("x = 1", "The script finished and printed nothing."),
        ("   ", "Script did not finish.\nThe script must be a text of 1 to 20,000"),
        (7, "Script did not finish.\nThe script must be a text of 1 to 20,000"),
    ],
)
async def test_the_answer_says_how_it_ended(source: Any, answer: str) -> None:
    said = script_answer(await run(source), Texts("en"))
    assert said.startswith(answer)
    vietnamese = script_answer(await run_script(source, Answers(), Texts("vi")), Texts("vi"))
    assert vietnamese != said
    assert (vietnamese.splitlines()[0] == "Script did not finish.") is (source != "x = 1"), "fixed in every language"


@pytest.mark.spec("SCR-11", "SCR-220", "SCR-245")
async def test_a_script_has_20000_characters_and_a_wrong_one_starts_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await run("#" * 19_999 + "\n")).code == "ok"
    monkeypatch.setattr(asyncio, "create_subprocess_exec", None)
    for wrong in ("#" * 20_001, "", " \n ", None, 7, "x = 1\0"):
        assert (await run(wrong)).code == "limit_source"


@FENCES
@pytest.mark.spec("SCR-6", "SCR-16", "SCR-7")
async def test_the_child_is_bare(around: Fence | None) -> None:
    """Looked at from outside while it waits for an answer: flags, environment, limits, descriptors."""
    seen: dict[str, Any] = {}

    class Looks:
        async def answer(self, message: Message) -> Answer:
            pid = innermost(os.getpid())
            place = Path(f"/proc/{pid}")
            seen["environ"] = (place / "environ").read_bytes()
            seen["command"] = (place / "cmdline").read_bytes().split(b"\0")
            seen["limits"] = (place / "limits").read_text()
            seen["open"] = {name: os.readlink(place / "fd" / name) for name in os.listdir(place / "fd")}
            return Answer(value="x")

    assert (await run("tools.t()", Looks(), around=around)).code == "ok"
    assert seen["environ"].strip(b"\0") in (b"", b"PWD=/")
    assert seen["command"][1:4] == [b"-I", b"-S", b"-B"]
    limits = {line[:25].strip(): line[25:].split()[:2] for line in seen["limits"].splitlines()}
    assert limits["Max cpu time"] == ["20", "21"]
    assert limits["Max file size"] == limits["Max core file size"] == ["0", "0"]
    assert limits["Max open files"] == ["16", "16"]
    assert limits["Max address space"] == [str(1024**3)] * 2
    assert all(seen["open"][name].startswith("pipe:") for name in "012")
    assert set(seen["open"].values()) - {seen["open"][name] for name in "012"} <= {
        link for link in seen["open"].values() if link.endswith("statm")
    }


def innermost(pid: int) -> int:
    """The last process of a chain of children."""
    while True:
        below = [int(one) for tasks in Path(f"/proc/{pid}/task").glob("*/children") for one in tasks.read_text().split()]
        if not below:
            return pid
        pid = max(below)


@pytest.mark.spec("SCR-13", "SCR-12")
def test_the_sandbox_lets_nothing_be_written_connected_or_started(tmp_path: Path) -> None:
    """What a child could do if the interpreter were broken: a program of the test in the place of the interpreter."""
    around = fence()
    assert around.prefix, around.why
    program = (
        "import os, socket\n"
        f"places = ['/tmp/x', '/dev/x', '/dev/shm/x', '/proc/self/oom_score_adj', {str(tmp_path / 'x')!r}, '/var/tmp/x']\n"
        "def tried(what):\n"
        "    try:\n        what()\n    except OSError as e:\n        return 'no'\n    return 'yes'\n"
        "def write(p):\n    with open(p, 'w') as f:\n        f.write('0')\n"
        "import _thread\n"
        "print([tried(lambda p=p: write(p)) for p in places], tried(os.fork), tried(lambda: os.posix_spawn('/bin/true', ['true'], {})), tried(socket.socket))\n"
    )
    with around.command((sys.executable, "-I", "-B", "-c", program)) as (command, fds):
        done = subprocess.run(command, env={}, pass_fds=fds, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split("]")[1].split() == ["no", "no", "no"], done
    assert "yes" not in done.stdout


@pytest.mark.spec("SCR-13")
async def test_a_required_sandbox_that_is_missing_fails_before_the_start() -> None:
    ended = await run("print(1)", required=True, around=Fence((), b"", "bwrap: not found"))
    assert (ended.code, ended.printed) == ("sandbox_missing", "")
    assert "bwrap: not found" in script_answer(ended, Texts("en"))
    assert (await run("print(1)", required=False, around=BARE)).code == "ok"


@FENCES
@pytest.mark.spec("SCR-17", "SCR-18", "SCR-20", "SCR-222")
async def test_a_script_alone_for_too_long_is_ended_from_outside(around: Fence | None) -> None:
    before = children()
    source = "print('lost')\nwhile True:\n    x = load('k')"
    ended = await run(source, Answers(Answer(value=None)), around=around, times=Times(alone=1.0, total=30.0))
    assert ended == Ended("limit_idle")
    assert children() == before
    assert "60 seconds" in script_answer(ended, Texts("en"))


@pytest.mark.spec("SCR-17")
async def test_a_tool_call_restarts_the_clock_and_the_total_ends_it() -> None:
    class Slow:
        calls = 0

        async def answer(self, message: Message) -> Answer:
            self.calls += 1
            await asyncio.sleep(0.3)
            return Answer(value="x")

    host = Slow()
    ended = await run("for i in range(25):\n    tools.t()", host, times=Times(alone=2.0, total=3.0))
    assert (ended, 3 <= host.calls < 25) == (Ended("limit_time"), True)


@FENCES
@pytest.mark.spec("SCR-17", "SCR-16", "SCR-18")
async def test_the_limit_of_cpu_ends_the_child(around: Fence | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter that computes without counting: only the system ends it."""
    broken = tmp_path / "script"
    broken.mkdir()
    entry = broken / "main.py"
    entry.write_text("import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 2))\nwhile True: pass\n")
    monkeypatch.setattr(compiled, "ENTRY", entry)
    assert (await run("x = 1", around=around)).code == "limit_cpu"


@pytest.mark.spec("SCR-17", "SCR-20", "SCR-218")
async def test_a_cancelled_run_leaves_no_process() -> None:
    before = children()
    asked = asyncio.Event()

    class Waits:
        async def answer(self, message: Message) -> Answer:
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

    task = asyncio.create_task(run("tools.t()", Waits()))
    await asked.wait()
    assert children() != before
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert children() == before


@FENCES
@pytest.mark.spec("SCR-20", "FV-1")
def test_a_computing_child_dies_with_its_server(around: Fence | None, tmp_path: Path) -> None:
    """The server is killed with SIGKILL while the child computes and reads nothing."""
    code = (
        "import asyncio, sys\nfrom crewlab.engine.script import run_script, Answer\nfrom crewlab.engine.script.fence import Fence\n"
        "from crewlab.engine.texts import Texts\n"
        "class Host:\n    async def answer(self, m):\n        print('called', flush=True)\n        return Answer(value='x')\n"
        "source = 'tools.t()\\nwhile True:\\n    x = 1'\n"
        f"around = None if {around is None} else Fence((), b'')\n"
        "asyncio.run(run_script(source, Host(), Texts('en'), around=around, limits={'steps': 10 ** 12}))\n"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(Path.cwd())}
    )
    assert server.stdout is not None
    assert server.stdout.readline() == "called\n"
    child = innermost(server.pid)
    assert child != server.pid
    descriptor = os.pidfd_open(child)
    server.kill()
    server.wait()
    server.stdout.close()
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    ended = poll.poll(15_000)
    os.close(descriptor)
    assert ended, "the child was still computing 15 s after its server died"


@pytest.mark.spec("SCR-101", "SCR-62", "SCR-9")
async def test_a_stop_of_the_server_cannot_be_caught_and_its_code_stands() -> None:
    stop = Answer(stop=True, code="nested_calls", params={})
    ended = await run(
        "print(1)\ntry:\n    tools.t()\nexcept Exception:\n    print('caught')\nfinally:\n    print('finally')", Answers(stop)
    )
    assert (ended.code, ended.line, ended.printed) == ("nested_calls", 3, "1")


@pytest.mark.spec("SCR-59", "SCR-97")
async def test_a_failed_call_is_an_error_that_can_be_caught() -> None:
    source = "try:\n    tools.t()\nexcept RuntimeError as e:\n    print(e)\nstore('k', 1)"
    ended = await run(source, Answers(Answer(error="Tool error: gone")))
    assert (ended.printed, ended.params["type"], ended.line) == ("Tool error: gone", "ValueError", 5)


@pytest.mark.spec("SCR-70")
async def test_lone_surrogates_leave_the_child_as_replacements() -> None:
    host = Answers()
    ended = await run("x = json.loads('\"\\\\ud800\"')\nprint(x)\ntools.t(a=x)\nraise ValueError(x)", host)
    assert (ended.printed, ended.params["message"], host.asked[0].fields["args"]) == ("\ufffd", "\ufffd", {"a": "\ufffd"})


@pytest.mark.spec("SCR-55", "SCR-220")
async def test_the_memory_of_the_child_is_limited_as_small_values_gather() -> None:
    ended = await run("x = []\nwhile True:\n    x.append([1, 2, 3])", limits={"memory": 16 * 1024 * 1024})
    assert ended.code == "limit_memory"
    assert (await run("x = [[1, 2, 3] for i in range(10000)]", limits={"memory": 16 * 1024 * 1024})).code == "ok"


@pytest.mark.spec("SCR-9", "SCR-10")
@pytest.mark.parametrize(
    "says",
    [
        b"not json\n", b"[]\n", b"{}\n", b'{"op":"call","id":1}\n', b'{"op":"call","id":2,"line":1,"tool":"t","args":{}}\n', b'{"op":"open","id":1}\n',
        b'{"op":"call","id":1,"line":1,"tool":["t"],"args":{}}\n', b'{"op":"call","id":1,"line":true,"tool":"t","args":{}}\n', b"x" * (17 * 1024 * 1024),
        b'{"op":"done","id":1,"ok":true,"code":"cost_cap","params":{},"line":0,"printed":"","printed_chars":0}\n',
        b'{"op":"done","id":1,"ok":true,"code":"uncaught","params":{},"line":0,"printed":"","printed_chars":0}\n', b"[" * 100_000 + b"\n", b"\xff\xfe\n", b"",
        b'{"op":"done","id":1,"ok":true,"code":"ok","params":{},"line":0,"printed":"' + b"x" * 60_001 + b'","printed_chars":0}\n',
    ],
)  # fmt: skip
async def test_a_child_that_says_anything_else_is_ended(says: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = tmp_path / "main.py"
    text = tmp_path / "says"
    text.write_bytes(says)
    entry.write_text(
        f"import sys\nsys.stdin.readline()\nsys.stdout.buffer.write(open({str(text)!r}, 'rb').read())\nsys.stdout.flush()\nsys.stdin.readline()\n"
    )
    monkeypatch.setattr(compiled, "ENTRY", entry)
    host = Answers()
    before = children()
    assert (await run("x = 1", host, times=Times(alone=3.0 if not says else 60.0))).code == ("limit_idle" if not says else "child_died")
    assert (host.asked, children()) == ([], before)


DONE = '{"op":"done","id":1,"ok":%s,"code":"%s","params":%s,"line":%s,"printed":"%s","printed_chars":0}\n'
DEEP = '{"op":"call","id":1,"line":1,"tool":"t","args":' + '{"a":' * 110 + "1" + "}" * 110 + "}\n"


@pytest.mark.spec("SCR-9", "SCR-10", "SCR-94", "SCR-70")
@pytest.mark.parametrize(
    "says",
    [
        '{"op":"call","id":1,"line":1,"tool":"t","args":{"a":NaN}}\n',
        '{"op":"call","id":1,"line":1,"tool":"t","args":{"a":-Infinity}}\n',
        '{"op":"call","id":1,"line":1,"tool":"t","args":{"a":1e999}}\n',
        '{"op":"call","id":1,"line":1,"tool":"t","args":{"a":"\\ud800"}}\n',
        '{"op":"call","id":1,"line":1,"tool":"t","args":{"\\uDFFF":1}}\n',
        '{"op":"call","id":1,"line":1,"tool":"\\ud800","args":{}}\n',
        '{"op":"call","id":1,"line":-1,"tool":"t","args":{}}\n',
        '{"op":"call","id":1,"line":20002,"tool":"t","args":{}}\n',
        DEEP,
        DONE % ("true", "ok", "{}", 0, "\\ud800"),
        DONE % ("true", "ok", '{"a":1}', 0, ""),
        DONE % ("false", "stopped", "{}", 1, ""),
        DONE % ("false", "limit_steps", '{"variant":"x"}', 1, ""),
        DONE % ("false", "uncaught", '{"type":"SystemExit","message":"x","callers":[]}', 1, ""),
        DONE % ("false", "uncaught", '{"type":"KeyError","message":["x"],"callers":[]}', 1, ""),
        DONE % ("false", "uncaught", '{"type":"KeyError","message":"%s","callers":[]}' % ("x" * 2_001), 1, ""),
        DONE % ("false", "uncaught", '{"type":"KeyError","message":"x","callers":["y"]}', 1, ""),
        DONE % ("false", "uncaught", '{"type":"KeyError","message":"x","callers":[1,1,1,1,1,1]}', 1, ""),
        DONE % ("false", "refused_syntax", "{}", 1, ""),
        DONE % ("false", "refused_syntax", '{"word":"nobody_knows"}', 1, ""),
        DONE % ("false", "refused_syntax", '{"word":"stopped"}', 1, ""),
        DONE % ("false", "refused_syntax", '{"word":["power"]}', 1, ""),
        DONE % ("false", "refused_syntax", '{"word":"unknown_name","name":{"a":1},"names":""}', 1, ""),
        DONE % ("false", "refused_syntax", '{"word":"unknown_name","name":"%s","names":""}' % ("x" * 20_001), 1, ""),
    ],
)
def test_what_the_server_could_not_hand_on_or_say_is_no_message(says: str) -> None:
    with pytest.raises(ValueError):
        read_message(says.encode(), 1, stopped=False)


@pytest.mark.spec("SCR-8")
@pytest.mark.parametrize(
    "says",
    [
        '{"op":"call","id":1,"line":1,"tool":"t","args":{"a":1.5e3,"b":"\\ud83d\\ude00","c":null}}\n',
        '{"op":"call","id":1,"line":1,"tool":"t","args":' + '{"a":' * 100 + "1" + "}" * 100 + "}\n",
        DONE % ("false", "limit_steps", "{}", 1, ""),
        DONE % ("false", "uncaught", '{"type":"KeyError","message":"x","callers":[1,2]}', 1, ""),
        DONE % ("false", "refused_syntax", '{"word":"unknown_name","name":"x","names":"a, b"}', 1, ""),
    ],
)
def test_what_a_child_says_is_read(says: str) -> None:
    assert read_message(says.encode(), 1, stopped=False).id == 1


@pytest.mark.spec("SCR-10")
@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.sampled_from(["call", "done", "llm", "store"]).flatmap(messages_of))
def test_whatever_a_child_says_it_is_a_message_that_can_be_answered_or_none(says: bytes) -> None:
    try:
        message = read_message(says, 1, stopped=False)
    except ValueError:
        return
    if message.op == "done":
        fields = message.fields
        script_answer(Ended(fields["code"], fields["line"], fields["params"], fields["printed"]), Texts("vi")).encode()
    json.dumps(message.fields, ensure_ascii=False, allow_nan=False).encode()


def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Another program in the place of the interpreter."""
    entry = tmp_path / "main.py"
    entry.write_text(f"import os, sys, time\nsys.stdin.readline()\n{text}\n")
    monkeypatch.setattr(compiled, "ENTRY", entry)


@FENCES
@pytest.mark.spec("SCR-9", "SCR-17")
async def test_a_child_that_does_not_listen_is_ended_in_time(around: Fence | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks for more than the pipe holds and never reads it."""
    program(
        tmp_path,
        monkeypatch,
        """
print('{"op":"call","id":1,"line":1,"tool":"t","args":{}}', flush=True)
time.sleep(600)
""",
    )
    before = children()
    async with asyncio.timeout(30):
        ended = await run("x = 1", Answers(Answer(value="x" * 1_000_000)), around=around, times=Times(alone=0.5, total=1.0))
    assert (ended, children()) == (Ended("limit_time"), before)


@pytest.mark.spec("SCR-9", "SCR-17")
async def test_a_child_that_asks_without_an_end_leaves_the_server_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(
        tmp_path,
        monkeypatch,
        """
import threading
threading.Thread(target=lambda: [None for line in sys.stdin], daemon=True).start()
for number in range(1, 10_000_000):
    sys.stdout.write('{"op":"load","id":%d,"key":"k"}\\n' % number)
""",
    )
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    host = Answers(Answer(value=None))
    ended = await run("x = 1", host, times=Times(alone=1.0, total=30.0), around=BARE)
    task.cancel()
    assert (ended, len(host.asked) > 1_000) == (Ended("limit_idle"), True)
    assert turns > len(host.asked) / 2


@pytest.mark.spec("SCR-20")
async def test_a_process_that_a_child_left_behind_is_ended_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the sandbox, and as root, the limit of processes binds nobody."""
    left = tmp_path / "left"
    program(
        tmp_path,
        monkeypatch,
        f"""
if os.fork() == 0:
    open({str(left)!r}, "w").write(str(os.getpid()))
    time.sleep(600)
while not (os.path.exists({str(left)!r}) and os.path.getsize({str(left)!r})):
    time.sleep(0.01)
sys.stdout.write({(DONE % ("true", "ok", "{}", 0, "")).strip()!r} + "\\n")
sys.stdout.flush()
os._exit(0)
""",
    )
    async with asyncio.timeout(30):
        assert (await run("x = 1", around=BARE)).code == "ok"
    try:
        descriptor = os.pidfd_open(int(left.read_text()))
    except ProcessLookupError:
        return  # gone altogether
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    ended = poll.poll(15_000)
    os.close(descriptor)
    assert ended, "what the child started was still there 15 s after it"


@pytest.mark.spec("SCR-10")
def test_after_a_stop_the_child_may_only_end() -> None:
    line = json.dumps({"op": "load", "id": 3, "key": "k"}).encode()
    assert read_message(line, 3, stopped=False).op == "load"
    with pytest.raises(ValueError):
        read_message(line, 3, stopped=True)


@pytest.mark.spec("SCR-6", "SCR-11")
def test_the_child_imports_the_standard_library_and_itself_only_and_writes_nothing() -> None:
    sources = list(compiled.CHILD.glob("*.py"))
    assert len(sources) > 20
    for source in sources:
        text = source.read_text()
        assert "import crewlab" not in text
        assert "from crewlab" not in text
    program = f"import sys\nsys.path.append({str(compiled.CHILD.parent)!r})\nbefore = set(sys.modules)\nfrom child import session\nprint(sorted(set(sys.modules) - before))\n"
    done = subprocess.run([sys.executable, "-I", "-S", "-B", "-c", program], capture_output=True, text=True, check=True)
    loaded = {name for name in eval(done.stdout) if not name.startswith("child")}
    assert loaded <= set(sys.stdlib_module_names)
    assert loaded.isdisjoint({"json", "ast", "re", "typing", "os", "enum", "dataclasses", "warnings"}), (
        "start-up is what a script pays every time"
    )


@pytest.mark.spec("SCR-35")
def test_every_sentence_of_the_child_is_in_both_catalogues() -> None:
    english, vietnamese = script_words(Texts("en")), script_words(Texts("vi"))
    assert english.keys() == vietnamese.keys()
    assert all(english[key] != vietnamese[key] for key in english)


@pytest.mark.spec("SCR-17", "SCR-220")
def test_the_times_are_those_of_the_table() -> None:
    assert (process.ALONE_SECONDS, process.TOTAL_SECONDS) == (60.0, 300.0)
