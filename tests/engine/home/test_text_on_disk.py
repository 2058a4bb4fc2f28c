"""Files that are written whole, read cheaply, and begin with a head."""

import os
import time
from pathlib import Path

import pytest

from crewlab.engine.home.heads import MAX_HEAD_CHARS, one_line, split_head, with_head
from crewlab.engine.home.textfiles import MAX_BYTES, SETTLED_NS, TextFiles
from crewlab.engine.home.whole import FileLocks, beside, write_whole
from tests.fixtures.remembered import put


@pytest.mark.spec("MEMF-15")
def test_a_file_is_written_beside_the_old_one_and_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.md", "old")
    path.chmod(0o640)
    seen: list[tuple[bytes, bytes]] = []
    rename = os.replace
    monkeypatch.setattr(os, "replace", lambda new, old: (seen.append((Path(new).read_bytes(), Path(old).read_bytes())), rename(new, old)))
    write_whole(path, b"new")
    assert seen == [(b"new", b"old")]
    assert (path.read_bytes(), path.stat().st_mode & 0o777, os.listdir(tmp_path)) == (b"new", 0o640, ["a.md"])


@pytest.mark.spec("MEMF-15", "AGT-3")
def test_new_files_and_directories_are_the_persons_alone(tmp_path: Path) -> None:
    path = tmp_path / "users" / "owner" / "x.md"
    write_whole(path, b"x")
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.spec("MEMF-15")
def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.md", "old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert (path.read_text(), os.listdir(tmp_path)) == ("old", ["a.md"])


@pytest.mark.spec("MEMF-15")
def test_what_a_killed_writer_left_is_written_over_and_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    path, other = tmp_path / "a.md", put(tmp_path / "other", "safe")
    put(beside(path), "half of a lo")
    write_whole(path, b"whole")
    assert (path.read_text(), sorted(os.listdir(tmp_path))) == ("whole", ["a.md", "other"])
    beside(path).symlink_to(other)
    with pytest.raises(OSError):
        write_whole(path, b"again")
    assert (path.read_text(), other.read_text()) == ("whole", "safe")


def test_one_file_has_one_lock_whichever_way_it_is_written(tmp_path: Path) -> None:
    locks = FileLocks()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert locks.of(tmp_path / "a") is locks.of(tmp_path / "b" / ".." / "a") is locks.of(tmp_path / "link")
    assert locks.of(tmp_path / "a") is not locks.of(tmp_path / "b")


def old(path: Path) -> Path:
    """The file as if it had been written a while ago: its stamp has settled. The change time cannot be set, so it is waited for."""
    before = time.time_ns() - 10 * SETTLED_NS
    os.utime(path, ns=(before, before))
    while time.time_ns() - path.stat().st_ctime_ns <= SETTLED_NS:
        os.sched_yield()
    return path


@pytest.mark.spec("MEMF-1")
def test_an_unchanged_file_is_not_read_again_and_a_changed_one_is(tmp_path: Path) -> None:
    files, path = TextFiles(), old(put(tmp_path / "a.md", "one"))
    first = files.read(path)
    assert all(files.read(path) is first for _ in range(20))
    assert (first.text, files.reads) == ("one", 1)
    path.write_text("two")  # the same length, in the same place
    assert files.read(path).text == "two"
    path.unlink()
    assert (files.read(path).text, files.read(path).there) == ("", False)


@pytest.mark.spec("MEMF-1")
def test_a_file_that_was_just_written_is_not_trusted_to_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, path = TextFiles(), put(tmp_path / "a.md", "one")
    stamp = path.stat()
    real = os.stat
    # A clock so coarse that the second writer leaves the stamp of the first
    monkeypatch.setattr(os, "stat", lambda name, **more: stamp if os.fspath(name) == os.fspath(path) else real(name, **more))
    monkeypatch.setattr(time, "time_ns", lambda: stamp.st_mtime_ns + 1)
    assert files.read(path).text == "one"
    path.write_text("two")
    assert files.read(path).text == "two"


@pytest.mark.spec("MEMF-16")
def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    files = TextFiles()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dir").mkdir()
    put(tmp_path / "latin.md", "Tiếng Việt".encode("utf-16"))
    found = {name: files.read(tmp_path / name).trouble for name in ("loop", "pipe", "dir", "latin.md", "absent", "latin.md/below")}
    troubles = {"loop": "unreadable", "pipe": "no_file", "dir": "no_file", "latin.md": "not_utf8"}
    assert found == {**troubles, "absent": None, "latin.md/below": None}


def test_of_a_huge_file_only_the_beginning_is_read_and_a_character_is_not_cut(tmp_path: Path) -> None:
    path = put(tmp_path / "a.md", "x" + "ạ" * MAX_BYTES)
    found = TextFiles().read(path)
    assert found.trouble is None
    assert set(found.text) == {"x", "ạ"}
    assert found.unread == path.stat().st_size - MAX_BYTES


def test_what_is_kept_is_bounded(tmp_path: Path) -> None:
    files = TextFiles(kept_bytes=25)
    paths = [put(tmp_path / f"{number}", "x" * 10) for number in range(5)]
    for path in paths:
        assert files.read(path).text == "x" * 10
    assert len(files._kept) == 2
    assert files._size == 20


@pytest.mark.parametrize(
    ("text", "head", "body"),
    [
        ("---\nname: a\nalways: true\n---\nbody\n", {"name": "a", "always": True}, "body\n"),
        ("---\r\nname: a\r\n---\r\nbody", {"name": "a"}, "body"),
        ("\ufeff---\nname: a\n---", {"name": "a"}, ""),
        ("no head\n---\nname: a\n---\n", {}, "no head\n---\nname: a\n---\n"),
        ("---\n---\nbody", {}, "body"),
        ("---\n- a\n---\nbody", None, "body"),
        ("---\nname: [\n---\nbody", None, "body"),
        ("---\nx: !!python/object/apply:os.system [id]\n---\nbody", None, "body"),
        ("---\nx: " + "y" * MAX_HEAD_CHARS + "\n---\nbody", None, "body"),
    ],
)
def test_a_head_is_read_as_plain_values(text: str, head: object, body: str) -> None:
    assert split_head(text) == (head, body)


def test_what_is_written_with_a_head_is_read_back() -> None:
    values = {"name": "a", "description": 'đọc: "x" --- #y', "sources": ["https://a.example/?q=1", "- b"]}
    assert split_head(with_head(values, "---\nbody\n")) == (values, "---\nbody\n")


def test_a_value_becomes_one_line() -> None:
    values = (" a\nb ", "x" * 9, ["a"], None, 7)
    assert [one_line(value, 5) for value in values] == ["a b", "xxxx…", "", "", "7"]
