"""Where a path leads: tables of bad paths, any path over any tree with links, and a race."""

import contextlib
import itertools
import os
import shutil
import socket
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.workspace import opening, paths, writing
from crewlab.engine.tools.workspace.paths import case_blind, check_write, entry_parts, resolve
from crewlab.engine.tools.workspace.reserved import Reserved
from tests.engine.tools.conftest import Bench, make_bench

TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (("workspace_list", {}), ("workspace_read", {}), ("workspace_write", {"content": "x"}))
OUTSIDE = ["..", "../outside/secret.txt", "a/../../outside", "/etc/passwd", "/", "//etc", "../ws/a", "a/b/../../../x", "/../etc"]


@pytest.mark.spec("WS-2", "WS-3", "WS-13", "GATE-8", "GATE-9", "GATE-10")
@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize(("tool", "more"), TOOLS)
def test_a_path_that_leads_out_is_refused_before_anyone_is_asked(bench: Bench, tool: str, more: dict[str, Any], path: str) -> None:
    assert bench.verdict(tool, path=path, **more) == "refuse"
    ran = bench.run_unjudged(tool, path=path, **more)
    assert not ran.ok
    assert path in ran.text  # as the model wrote it
    assert str(bench.base) not in ran.text  # and no place outside
    assert "secret" not in ran.text.replace(path, "")


@pytest.mark.spec("WS-2", "WS-3")
@pytest.mark.parametrize(("tool", "more"), TOOLS)
@pytest.mark.parametrize("link", ["../outside", "{base}/outside", "deep/../../outside", "chain"])
def test_a_link_that_leads_out_is_refused(bench: Bench, tool: str, more: dict[str, Any], link: str) -> None:
    (bench.root / "deep").mkdir()
    (bench.root / "chain").symlink_to("../outside")
    (bench.root / "out").symlink_to(link.format(base=bench.base))
    for path in ("out", "out/secret.txt", "out/new.txt", "deep/../out/secret.txt"):
        assert bench.verdict(tool, path=path, **more) == "refuse"
        assert not bench.run_unjudged(tool, path=path, **more).ok
    assert sorted(os.listdir(bench.outside)) == ["secret.txt"]
    assert (bench.outside / "secret.txt").read_text() == "secret"


@pytest.mark.spec("WS-2")
def test_a_link_that_stays_inside_is_followed_and_the_link_stays(bench: Bench) -> None:
    (bench.root / "real").mkdir()
    (bench.root / "real" / "a.txt").write_text("inside")
    (bench.root / "to").symlink_to("real")
    (bench.root / "file").symlink_to(bench.root / "real" / "a.txt")
    assert bench.call("workspace_read", path="to/a.txt").text == "inside"
    assert bench.call("workspace_read", path="file").text == "inside"
    assert bench.call("workspace_list", path="to").text.splitlines()[1:] == ["a.txt (6 bytes)"]
    assert bench.call("workspace_write", path="file", content="new").ok
    assert (bench.root / "file").is_symlink()
    assert (bench.root / "real" / "a.txt").read_text() == "new"


@pytest.mark.spec("WS-2")
def test_an_absolute_path_inside_the_workspace_is_accepted_also_by_another_name_of_it(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("inside")
    (bench.base / "alias").symlink_to(bench.root)
    for path in (bench.root / "a.txt", bench.base / "alias" / "a.txt", f"{bench.root}/x/../a.txt", f"/{bench.root}/a.txt"):
        assert bench.call("workspace_read", path=str(path)).text == "inside"
    through_alias = bench.but(workspace=bench.base / "alias")
    for path in (bench.root / "a.txt", bench.base / "alias" / "a.txt", "a.txt"):
        assert through_alias.call("workspace_read", path=str(path)).text == "inside"
    assert not bench.call("workspace_read", path=f"{bench.root}-other/a.txt").ok


@pytest.mark.spec("WS-6")
@pytest.mark.parametrize("path", ["a\x00b", "a\nb", "\x1b[2J", "a\x7f", "a\u0085b", "half\ud83d", "\udcff"])
@pytest.mark.parametrize(("tool", "more"), TOOLS)
def test_a_path_with_a_control_character_is_refused_on_one_line(bench: Bench, tool: str, more: dict[str, Any], path: str) -> None:
    assert bench.verdict(tool, path=path, **more) == "refuse"
    ran = bench.run_unjudged(tool, path=path, **more)
    assert not ran.ok
    assert not paths.UNUSABLE.search(ran.text)
    assert os.listdir(bench.root) == []


@pytest.mark.spec("WS-6")
@pytest.mark.parametrize("path", ["", " ", "/", "a/", ".", "./", "a/.."])
@pytest.mark.parametrize(("tool", "more"), TOOLS[1:])
def test_where_a_file_is_needed_an_empty_path_or_a_directory_is_refused(bench: Bench, tool: str, more: dict[str, Any], path: str) -> None:
    assert not bench.call(tool, path=path, **more).ok
    assert os.listdir(bench.root) == []


@pytest.mark.spec("WS-6")
@pytest.mark.parametrize(("tool", "more"), TOOLS[1:])
def test_what_is_no_regular_file_is_refused_and_never_waited_for(tool: str, more: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as base, socket.socket(socket.AF_UNIX) as listener:
        bench = make_bench(Path(base))
        os.mkfifo(bench.root / "pipe")
        listener.bind(str(bench.root / "socket"))
        (bench.root / "folder").mkdir()
        for name, words in (("pipe", "not a regular file"), ("socket", "not a regular file"), ("folder", "is a directory")):
            ran = bench.call(tool, path=name, **more)
            assert (ran.ok, words in ran.text) == (False, True), ran


@pytest.mark.parametrize(("tool", "more"), TOOLS)
@pytest.mark.parametrize("path", ["a/" * 100_000 + "b", "x" * 5000, "x" * 300, "loop", "loop/x", "file/x", "file/x/y"])
def test_a_path_that_cannot_be_is_answered_clearly_and_at_once(bench: Bench, tool: str, more: dict[str, Any], path: str) -> None:
    (bench.root / "loop").symlink_to("loop")
    (bench.root / "file").write_text("text")
    ran = bench.call(tool, path=path, **more)
    assert not ran.ok
    assert len(ran.text) < 600
    assert "failed inside" not in ran.text
    assert sorted(os.listdir(bench.root)) == ["file", "loop"]


HOME = "home"


def a_home(bench: Bench) -> Bench:
    """The workspace is the directory above a home with reserved places (WS-4)."""
    home = bench.root / HOME
    for name in ("browser/profile", "secrets", "spill/c_1", "spill/c_2"):
        (home / name).mkdir(parents=True)
    for name in ("browser/profile/cookies", "secrets/keys", "spill/c_1/own.txt", "spill/c_2/other.txt", "crew.db", "crew.db-wal"):
        (home / name).write_text("closed")
    reserved = ("browser", "desktop", "secrets", "crew.db", "crew.db-wal", "crew.db-shm", "spill")
    return bench.but(closed_paths=tuple(home / name for name in reserved), open_paths=(home / "spill" / "c_1",))


CLOSED = [
    "browser",
    "browser/profile/cookies",
    "secrets/keys",
    "secrets/../secrets/keys",
    "crew.db",
    "crew.db-wal",
    "crew.db-shm",  # not there yet
    "desktop",  # not there yet
    "desktop/new/file",
    "spill",
    "spill/c_2/other.txt",
    "spill/c_3/planted.txt",
    "spill/c_1/../c_2/other.txt",
]


@pytest.mark.spec("WS-4", "GATE-8")
@pytest.mark.parametrize("path", CLOSED)
@pytest.mark.parametrize(("tool", "more"), TOOLS)
def test_a_reserved_place_is_closed_whether_or_not_it_is_there(bench: Bench, tool: str, more: dict[str, Any], path: str) -> None:
    bench = a_home(bench)
    (bench.root / "through").symlink_to(HOME)
    before = tree(bench.root)
    for spelled in (f"{HOME}/{path}", f"through/{path}", f"{bench.root}/{HOME}/{path}"):
        assert bench.verdict(tool, path=spelled, **more) == "refuse"
        ran = bench.run_unjudged(tool, path=spelled, **more)
        assert (ran.ok, "reserved" in ran.text) == (False, True), ran
    assert tree(bench.root) == before


@pytest.mark.spec("WS-4")
def test_links_to_reserved_places_are_closed_and_the_turns_own_place_is_open(bench: Bench) -> None:
    bench = a_home(bench)
    (bench.root / "keys").symlink_to(f"{HOME}/secrets/keys")
    (bench.root / "store").symlink_to(f"{HOME}/crew.db")
    os.link(bench.root / HOME / "crew.db", bench.root / "hard")  # a second name of the same file
    for path in ("keys", "store", "hard"):
        assert not bench.call("workspace_read", path=path).ok
        assert not bench.call("workspace_write", path=path, content="x").ok
    assert bench.call("workspace_read", path=f"{HOME}/spill/c_1/own.txt").text == "closed"
    assert bench.call("workspace_write", path=f"{HOME}/spill/c_1/new.txt", content="x").ok
    assert bench.call("workspace_read", path=f"{HOME}/spill/c_2/other.txt").text.endswith("Use another path.")


@pytest.mark.spec("WS-4", "WS-5")
@pytest.mark.parametrize("path", ["home/SECRETS/keys", "Home/Secrets/keys", "home/Desktop/new", "home/CREW.DB", "HOME/spill/C_2/other.txt"])
def test_where_the_file_system_ignores_case_other_case_does_not_get_round_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    bench = a_home(bench)
    monkeypatch.setattr(paths, "case_blind", lambda directory: True)
    for tool, more in TOOLS:
        assert bench.verdict(tool, path=path, **more) == "refuse"


@pytest.mark.spec("WS-4", "WS-5")
@pytest.mark.parametrize("path", ["home/browser/profile/cookies", "home/secrets/keys", "home/crew.db", "home/spill/c_2/other.txt"])
def test_a_reserved_place_is_known_by_its_identity_where_its_name_says_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """As with a mount, or a directory that was moved between check and use."""
    bench = a_home(bench)
    monkeypatch.setattr(Reserved, "hold", lambda *_: False)
    before = tree(bench.root)
    for tool, more in TOOLS[1:]:
        assert "reserved" in bench.run_unjudged(tool, path=path, **more).text
    if path != "home/crew.db":
        directory = os.path.dirname(path)
        assert "reserved" in bench.run_unjudged("workspace_list", path=directory).text
        assert "reserved" in bench.run_unjudged("workspace_write", path=f"{directory}/new/x", content="x").text
    assert tree(bench.root) == before


@pytest.mark.spec("WS-4")
@pytest.mark.parametrize("by_name", [True, False])
def test_a_workspace_in_a_reserved_place_is_closed_as_a_whole(bench: Bench, monkeypatch: pytest.MonkeyPatch, by_name: bool) -> None:
    bench = a_home(bench)
    inside = bench.but(workspace=bench.root / HOME / "secrets")
    if not by_name:
        monkeypatch.setattr(Reserved, "hold", lambda *_: False)
    for tool, more in TOOLS:
        assert "reserved" in inside.run_unjudged(tool, path="keys" if tool != "workspace_list" else ".", **more).text


@pytest.mark.spec("WS-5")
def test_case_is_compared_the_way_the_file_system_does(tmp_path: Path) -> None:
    probe = tmp_path / "Probe"
    probe.mkdir()
    assert case_blind(str(probe)) == (tmp_path / "pROBE").exists()
    (tmp_path / "Linked").mkdir()
    (tmp_path / "lINKED").symlink_to("Linked")  # a link is another name, not the same one
    assert case_blind(str(tmp_path / "Linked")) == case_blind(str(probe))


ALLOWED = [
    (("data",), "data/x", True),
    (("data",), "./data//x", True),
    (("data",), "other/../data/x", True),
    (("data",), "data/../x", False),
    (("data",), "database/x", False),
    (("data",), "Data/x", False),
    (("data",), "x", False),
    (("data/in", "out"), "data/in/x", True),
    (("data/in", "out"), "data/x", False),
    (("data/in", "out"), "out", True),
    (("data/",), "data/x", True),
    (("./data",), "data/x", True),
    ((".",), "x", True),
    ((), "x", False),
    (("/",), "x", False),  # entries that stop start-up permit nothing if they get here
    (("",), "x", False),
    (("..",), "x", False),
    (("data/..",), "x", False),
    (("", "data"), "data/x", True),
    (None, "anywhere/x", True),
]


@pytest.mark.spec("WS-7", "WS-9", "WS-11", "WS-13", "GATE-8")
@pytest.mark.parametrize(("entries", "path", "allowed"), ALLOWED)
def test_write_paths_are_compared_as_text_by_whole_segments(
    bench: Bench, entries: tuple[str, ...] | None, path: str, allowed: bool
) -> None:
    narrow = bench.but(write_paths=entries)
    assert narrow.verdict("workspace_write", path=path, content="x") == ("ask" if allowed else "refuse")
    ran = narrow.run_unjudged("workspace_write", path=path, content="x")
    assert ran.ok is allowed
    if not allowed:
        assert path in ran.text
        assert all(entry in ran.text for entry in entries or () if entry_parts(entry) is not None)
        assert os.listdir(bench.root) == []


@pytest.mark.spec("WS-7")
def test_write_paths_bind_writing_and_not_reading(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("read me")
    narrow = bench.but(write_paths=())
    assert narrow.call("workspace_read", path="a.txt").text == "read me"
    assert narrow.call("workspace_list").ok


@pytest.mark.spec("WS-10")
def test_a_link_inside_an_allowed_directory_cannot_lead_a_write_elsewhere(bench: Bench) -> None:
    for name in ("data", "private", "shared"):
        (bench.root / name).mkdir()
    (bench.root / "private" / "p.txt").write_text("old")
    (bench.root / "data" / "up").symlink_to("../private")
    (bench.root / "data" / "p.txt").symlink_to("../private/p.txt")
    (bench.root / "data" / "side").symlink_to("../shared")
    narrow = bench.but(write_paths=("data", "shared"))
    for path in ("data/up/new.txt", "data/up/p.txt", "data/p.txt"):
        assert narrow.verdict("workspace_write", path=path, content="x") == "refuse"
        assert not narrow.run_unjudged("workspace_write", path=path, content="x").ok
    assert os.listdir(bench.root / "private") == ["p.txt"]
    assert (bench.root / "private" / "p.txt").read_text() == "old"
    assert narrow.call("workspace_write", path="data/side/x", content="x").ok  # really under another allowed entry


@pytest.mark.spec("WS-10")
def test_an_entry_that_is_a_link_allows_what_it_points_to_and_only_inside(bench: Bench) -> None:
    (bench.root / "real").mkdir()
    (bench.root / "data").symlink_to("real")
    (bench.root / "leak").symlink_to("../outside")
    narrow = bench.but(write_paths=("data", "leak"))
    assert narrow.call("workspace_write", path="data/x", content="x").ok
    assert not narrow.call("workspace_write", path="real/x", content="x").ok  # as text it is not under an entry
    assert not narrow.call("workspace_write", path="leak/x", content="x").ok


def tree(root: Path) -> dict[str, str]:
    """Every path below ``root`` with what it is and holds; links are not followed."""
    found = {}
    for here, directories, files in os.walk(root):
        for name in [*directories, *files]:
            path = Path(here, name)
            kind = "link" if path.is_symlink() else "directory" if path.is_dir() else path.read_text(errors="replace")
            found[str(path.relative_to(root))] = kind
    return found


SEGMENT = st.sampled_from(["a", "b", "c", "..", ".", "", "A", "a ", "ế", "~", "*", "a\\b"])
PATHS = st.lists(SEGMENT, max_size=6).map("/".join) | st.text(max_size=12)
TARGETS = st.sampled_from([".", "..", "../outside", "{base}/outside/secret.txt", "{base}/ws/a", "a", "b/c", "../../outside", "c", "/"])
NODES = st.lists(
    st.tuples(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3), st.sampled_from(["directory", "file", "link"]), TARGETS),
    max_size=8,
)


def grow(bench: Bench, nodes: list[tuple[list[str], str, str]]) -> None:
    for segments, kind, target in nodes:
        path = bench.root.joinpath(*segments)
        if not os.path.realpath(path.parent).startswith(str(bench.root)) or os.path.lexists(path):
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "link":
                path.symlink_to(target.format(base=bench.base))
            elif kind == "file":
                path.write_text("old")
            else:
                path.mkdir()
        except OSError:
            continue  # this tree cannot be: a file or a loop is in the way


@pytest.mark.spec("WS-2", "WS-3", "WS-5", "WS-9", "WS-10")
@settings(max_examples=300, deadline=None)
@given(NODES, PATHS, st.sampled_from([None, ("a",), ("b/c", "a")]))
def test_over_any_tree_any_path_writes_at_its_real_place_inside_or_nothing(
    nodes: list[tuple[list[str], str, str]], path: str, entries: tuple[str, ...] | None
) -> None:
    with tempfile.TemporaryDirectory() as base:
        bench = make_bench(Path(os.path.realpath(base)))
        grow(bench, nodes)
        before_outside, before = tree(bench.outside), tree(bench.root)
        real = os.path.realpath(os.path.normpath(os.path.join(bench.root, path))) if "\x00" not in path else ""
        ran = bench.but(write_paths=entries).run_unjudged("workspace_write", path=path, content="new")
        read = bench.run_unjudged("workspace_read", path=path)
        bench.run_unjudged("workspace_list", path=path)
        assert tree(bench.outside) == before_outside
        assert sorted(os.listdir(base)) == ["outside", "ws"]
        assert "secret" not in read.text.replace("secret.txt", "")
        changed = {name for name, kind in tree(bench.root).items() if before.get(name) != kind and kind != "directory"}
        if not ran.ok:
            assert changed == set()
            return
        written = os.path.relpath(real, bench.root)
        assert changed == {written}
        assert read.text == "new"
        if entries is not None:
            under = [os.path.realpath(bench.root / entry) for entry in entries]
            assert any(real == entry or real.startswith(f"{entry}/") for entry in under)
            text = os.path.normpath(path)
            assert any(text == entry or text.startswith(f"{entry}/") for entry in entries)


@pytest.mark.spec("WS-2", "WS-6")
@settings(max_examples=500, deadline=None)
@given(PATHS | st.text(st.characters(codec=None), max_size=30))
def test_any_text_is_a_place_inside_or_a_clear_refusal(path: str) -> None:
    context = ToolContext("default", Path("/nowhere/ws"), Texts("en"))
    try:
        place = resolve(path, context)
    except ToolError as error:
        answer = error.message
    else:
        answer = place.name
        assert all(part not in ("", ".", "..") and "/" not in part for part in place.parts)
        check_write(place, context)
    answer.encode()
    assert "\n" not in answer


@pytest.mark.spec("WS-5")
@pytest.mark.parametrize("target", ["a/b/file.txt", "a/b/new/file.txt"])
def test_a_directory_swapped_for_a_link_while_writing_never_lets_a_write_out(bench: Bench, target: str) -> None:
    real, aside = bench.root / "a" / "b", bench.base / "aside"
    real.mkdir(parents=True)
    aside.mkdir()
    (bench.outside / "new").mkdir()
    before = tree(bench.outside)
    stop = threading.Event()

    def swap() -> None:
        for number in itertools.count():
            for change in (
                lambda: real.rename(aside / str(number)),  # noqa: B023
                lambda: real.symlink_to(bench.outside),
                lambda: real.unlink(),
                lambda: real.mkdir(),
            ):
                with contextlib.suppress(OSError):  # the writer may have made the directory meanwhile
                    change()
            if stop.is_set():
                return

    swapper = threading.Thread(target=swap)
    swapper.start()
    outcomes: list[bool] = []
    try:
        while len(outcomes) < 1500 or len(set(outcomes)) < 2:  # until both sides of the race were seen
            ran = bench.run_unjudged("workspace_write", path=target, content=f"{len(outcomes)}")
            outcomes.append(ran.ok)
            assert "failed inside" not in ran.text
    finally:
        stop.set()
        swapper.join()
    assert tree(bench.outside) == before


@pytest.mark.spec("WS-5", "GATE-10")
@pytest.mark.parametrize("when", ["directory", "file"])
def test_a_link_put_in_place_between_check_and_use_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    (bench.root / "d").mkdir()
    (bench.root / "d" / "secret.txt").write_text("inside")
    checked = paths.resolve

    def resolve_then_swap(raw: str, context: ToolContext) -> paths.Place:
        place = checked(raw, context)
        if when == "directory":
            shutil.rmtree(bench.root / "d")
            (bench.root / "d").symlink_to(bench.outside)
        else:
            (bench.root / "d" / "secret.txt").unlink()
            (bench.root / "d" / "secret.txt").symlink_to(bench.outside / "secret.txt")
        monkeypatch.setattr(paths, "resolve", checked)
        return place

    for tool, more in (("workspace_read", {}), ("workspace_write", {"content": "x"})):
        monkeypatch.setattr(paths, "resolve", resolve_then_swap)
        ran = bench.run_unjudged(tool, path="d/secret.txt", **more)
        assert not ran.ok
        assert "is a link now" in ran.text or "leads out" in ran.text
        target = bench.root / "d"
        if when == "directory":
            target.unlink()
            target.mkdir()
        else:
            (target / "secret.txt").unlink()
        (target / "secret.txt").write_text("inside")
    assert (bench.outside / "secret.txt").read_text() == "secret"


@pytest.mark.spec("WS-5")
def test_a_file_swapped_for_a_link_at_the_last_moment_is_not_read(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    (bench.root / "a.txt").write_text("inside")
    checked = opening.check_regular

    def check_then_swap(*arguments: Any) -> None:
        checked(*arguments)
        (bench.root / "a.txt").unlink(missing_ok=True)
        (bench.root / "a.txt").symlink_to(bench.outside / "secret.txt")

    monkeypatch.setattr(opening, "check_regular", check_then_swap)
    ran = bench.run_unjudged("workspace_read", path="a.txt")
    assert (ran.ok, "is a link now" in ran.text) == (False, True), ran


@pytest.mark.spec("WS-5", "WS-20")
def test_a_file_swapped_for_a_link_while_it_is_written_is_refused_and_the_link_stays(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    (bench.root / "a.txt").write_text("inside")
    real = os.write

    def swap_then_write(descriptor: int, data: bytes) -> int:
        (bench.root / "a.txt").unlink(missing_ok=True)
        (bench.root / "a.txt").symlink_to(bench.outside / "secret.txt")
        return real(descriptor, data)

    monkeypatch.setattr(writing.os, "write", swap_then_write)
    ran = bench.run_unjudged("workspace_write", path="a.txt", content="new")
    assert (ran.ok, "is a link now" in ran.text) == (False, True), ran
    assert os.readlink(bench.root / "a.txt") == str(bench.outside / "secret.txt")
    assert (bench.outside / "secret.txt").read_text() == "secret"
    assert os.listdir(bench.root) == ["a.txt"]
