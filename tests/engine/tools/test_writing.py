import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.texts import Texts
from crewlab.engine.tools.workspace import writing
from tests.engine.tools.conftest import Bench, make_bench


@pytest.mark.spec("WS-19", "WS-20")
def test_a_new_file_is_written_with_its_directories_and_a_second_write_replaces_it(bench: Bench) -> None:
    first = bench.call("workspace_write", path="a/b/c.txt", content="Tiếng Việt\r\n")
    assert (first.ok, first.text) == (True, "Wrote a/b/c.txt: 16 bytes, new file.")
    second = bench.call("workspace_write", path="a/b/c.txt", content="")
    assert (second.ok, second.text) == (True, "Wrote a/b/c.txt: 0 bytes, replaced the file that was there.")
    assert (bench.root / "a/b/c.txt").read_bytes() == b""
    assert os.listdir(bench.root / "a/b") == ["c.txt"]  # no temporary file is left


@pytest.mark.spec("WS-20")
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_the_bytes_on_disk_are_the_text_as_utf_8(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    bench = make_bench(tmp_path_factory.mktemp("write"))
    assert bench.call("workspace_write", path="x", content=content).ok
    assert (bench.root / "x").read_bytes() == content.encode()


@pytest.mark.spec("WS-19", "TOOL-2", "GATE-1")
def test_writing_asks_and_reading_does_not(bench: Bench) -> None:
    (bench.root / "a").write_text("x")
    assert bench.verdict("workspace_write", path="a", content="x") == "ask"
    assert bench.verdict("workspace_read", path="a") == "run"
    assert bench.verdict("workspace_list") == "run"


@pytest.mark.spec("WS-20")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o660])
def test_the_mode_of_an_existing_file_is_kept(bench: Bench, mode: int) -> None:
    path = bench.root / "run.sh"
    path.write_text("old")
    path.chmod(mode)
    assert bench.call("workspace_write", path="run.sh", content="new").ok
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.spec("WS-20")
def test_a_new_file_has_the_mode_of_any_new_file(bench: Bench) -> None:
    (bench.root / "plain").touch()
    assert bench.call("workspace_write", path="x", content="x").ok
    assert (bench.root / "x").stat().st_mode == (bench.root / "plain").stat().st_mode


@pytest.mark.spec("WS-20")
@pytest.mark.parametrize("content", ["half \ud83d", "\udcff", "ok \ude42 no"])
def test_half_a_surrogate_pair_is_refused_before_anyone_is_asked(bench: Bench, content: str) -> None:
    assert bench.verdict("workspace_write", path="x", content=content) == "refuse"
    assert "surrogate" in bench.run_unjudged("workspace_write", path="x", content=content).text
    assert os.listdir(bench.root) == []


@pytest.mark.spec("WS-20")
def test_a_directory_at_that_path_is_refused(bench: Bench) -> None:
    (bench.root / "d").mkdir()
    assert bench.verdict("workspace_write", path="d", content="x") == "refuse"
    assert "is a directory" in bench.run_unjudged("workspace_write", path="d", content="x").text


def failing(monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException, at: int = 1) -> None:
    """Let the ``at``-th call of an ``os`` function in the writer fail."""
    real = getattr(os, name)
    calls = iter(range(1, 10_000))

    def call(*arguments: Any, **named: Any) -> Any:
        if next(calls) == at:
            raise error
        return real(*arguments, **named)

    monkeypatch.setattr(writing.os, name, call)


@pytest.mark.spec("WS-20")
@pytest.mark.parametrize("function", ["write", "rename", "fchmod"])
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "x"), "the disk is full"),
        (OSError(errno.EACCES, "x"), "write-protected"),
        (OSError(errno.EIO, "x"), "Input/output error"),
    ],
)
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, function: str, error: OSError, words: str
) -> None:
    (bench.root / "a.txt").write_text("old")
    failing(monkeypatch, function, error)
    ran = bench.run_unjudged("workspace_write", path="a.txt", content="new" * 1000)
    assert (ran.ok, words in ran.text, "unchanged" in ran.text) == (False, True, True), ran
    assert (bench.root / "a.txt").read_text() == "old"
    assert os.listdir(bench.root) == ["a.txt"]


@pytest.mark.spec("WS-20")
def test_short_writes_of_the_system_are_gone_on_with(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(writing.os, "write", lambda descriptor, data: real(descriptor, data[:7]))
    assert bench.call("workspace_write", path="x", content="0123456789" * 20).ok
    assert (bench.root / "x").read_text() == "0123456789" * 20


def test_a_write_protected_file_is_not_replaced(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    (bench.root / "x").write_text("old")
    monkeypatch.setattr(writing.os, "access", lambda *_, **__: False)
    ran = bench.call("workspace_write", path="x", content="new")
    assert (ran.ok, "write-protected" in ran.text) == (False, True)
    assert (bench.root / "x").read_text() == "old"


# several files with one approval


def files(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"path": path, "content": content} for path, content in pairs]


@pytest.mark.spec("PTL-31")
def test_up_to_three_files_are_written_with_one_approval(bench: Bench) -> None:
    (bench.root / "b").write_text("old")
    ran = bench.call("workspace_write", files=files(("a", "1"), ("b", "22"), ("c/d", "333")))
    assert ran.text.splitlines() == [
        "Wrote a: 1 byte, new file.",
        "Wrote b: 2 bytes, replaced the file that was there.",
        "Wrote c/d: 3 bytes, new file.",
    ]


@pytest.mark.spec("PTL-31")
@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (("../x", "x"), "leads out"),
        (("/etc/passwd", "x"), "leads out"),
        (("out/x", "x"), "leads out"),
        (("other/x", "x"), "only under ok"),
        (("ok/long", "x"), "workspace_edit"),
        (("ok/d", "x"), "is a directory"),
        (("ok/a", "x"), "named twice"),
        (("ok/./d/../a", "x"), "named twice"),
        (("ok/link", "x"), "named twice"),
        (("ok/a/x", "x"), "lies inside"),
        (("ok/h", "\ud83d"), "surrogate"),
        (("", "x"), "path is empty"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_if_one_file_fails_the_checks_nothing_is_written_and_nobody_is_asked(
    bench: Bench, bad: tuple[str, str], words: str, place: int
) -> None:
    (bench.root / "ok" / "d").mkdir(parents=True)
    (bench.root / "ok" / "long").write_text("x" * 5000)
    (bench.root / "ok" / "link").symlink_to("a")
    (bench.root / "out").symlink_to(bench.outside)
    narrow = bench.but(write_paths=("ok",), rewrite_max_chars=4000)
    batch = files(("ok/a", "1"), ("ok/b", "2"))
    batch[place:place] = files(bad)
    assert narrow.verdict("workspace_write", files=batch) == "refuse"
    ran = narrow.run_unjudged("workspace_write", files=batch)
    assert (ran.ok, words in ran.text) == (False, True), ran
    assert sorted(os.listdir(bench.root / "ok")) == ["d", "link", "long"]
    assert sorted(os.listdir(bench.outside)) == ["secret.txt"]


@pytest.mark.spec("PTL-31")
def test_when_writing_fails_midway_the_answer_says_what_was_written_and_what_not(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "rename", OSError(errno.ENOSPC, "x"), at=2)
    ran = bench.run_unjudged("workspace_write", files=files(("a", "1"), ("b", "2"), ("c", "3")))
    assert not ran.ok
    assert "the disk is full" in ran.text
    assert ran.text.endswith("Written: a. Not written: b, c.")
    assert os.listdir(bench.root) == ["a"]


@pytest.mark.spec("PTL-32")
@pytest.mark.parametrize(
    ("limit", "old", "refused"),
    [
        (4000, "x" * 4000, False),
        (4000, "x" * 4001, True),
        (4000, "ế" * 4000, False),  # characters, not bytes
        (4000, "ế" * 4001, True),
        (4000, "🙂" * 4000, False),
        (4000, "x" * 16_001, True),
        (0, "x" * 50_000, False),  # off
        (4000, None, False),  # creating a file of any length is allowed
    ],
)
def test_a_long_existing_file_is_not_replaced_whole(bench: Bench, limit: int, old: str | None, refused: bool) -> None:
    if old is not None:
        (bench.root / "a").write_text(old)
    ruled = bench.but(rewrite_max_chars=limit)
    assert ruled.verdict("workspace_write", path="a", content="y" * 9000) == ("refuse" if refused else "ask")
    ran = ruled.run_unjudged("workspace_write", path="a", content="y" * 9000)
    assert ran.ok is not refused
    if refused:
        assert "workspace_edit" in ran.text
        assert "4,000" in ran.text
        assert (bench.root / "a").read_text() == old


# the sentence on the approval card


@pytest.mark.spec("PTL-31", "WS-19")
@pytest.mark.parametrize(
    ("language", "fresh", "replaced", "batch"),
    [
        (
            "en",
            "Write 1,204 bytes to notes.txt (new file)",
            "Replace notes.txt (was 3.1 KB) with 1 byte",
            "Write 2 files: a (1,204 bytes, new); notes.txt (1 byte, was 3.1 KB)",
        ),
        (
            "vi",
            "Ghi 1.204 byte vào notes.txt (tệp mới)",
            "Thay notes.txt (đang là 3,1 KB) bằng 1 byte",
            "Ghi 2 tệp: a (1.204 byte, mới); notes.txt (1 byte, đang là 3,1 KB)",
        ),
    ],
)
def test_the_card_says_in_one_sentence_what_would_be_written(bench: Bench, language: Any, fresh: str, replaced: str, batch: str) -> None:
    spoken = bench.but(texts=Texts(language))
    summary = spoken.tool("workspace_write").summary
    assert summary({"path": "notes.txt", "content": "x" * 1204}, spoken.context) == fresh
    (bench.root / "notes.txt").write_bytes(b"x" * 3200)
    assert summary({"path": "./notes.txt", "content": "x"}, spoken.context) == replaced
    assert summary({"files": files(("a", "x" * 1204), ("notes.txt", "x"))}, spoken.context) == batch
    assert summary({"path": "../x", "content": "x"}, spoken.context) is None


def test_looking_at_a_write_changes_nothing(bench: Bench) -> None:
    tool = bench.tool("workspace_write")
    arguments = {"path": "new/dir/file", "content": "x"}
    assert tool.refuse_reason(arguments, bench.context) is None
    assert tool.summary(arguments, bench.context) is not None
    assert os.listdir(bench.root) == []


def test_two_writes_at_once_leave_one_of_the_two_texts_whole(bench: Bench) -> None:
    from concurrent.futures import ThreadPoolExecutor

    texts = [letter * 50_000 for letter in "abcd"]
    with ThreadPoolExecutor(4) as pool:
        rans = list(pool.map(lambda text: bench.run_unjudged("workspace_write", path="x/y/z", content=text), texts * 5))
    assert all(ran.ok for ran in rans)
    assert (bench.root / "x/y/z").read_text() in texts
    assert os.listdir(bench.root / "x/y") == ["z"]


def test_no_path_of_this_machine_is_in_an_answer(bench: Bench) -> None:
    (bench.root / "d").mkdir()
    for path in ("a", "d", "../x", "/etc/x", "d/a/b"):
        for name, more in (("workspace_write", {"content": "x"}), ("workspace_read", {}), ("workspace_list", {})):
            assert str(Path(bench.base).parent) not in bench.call(name, path=path, **more).text
