"""A file that is broken, in every way a file can be: a sentence with file, line and what to do (AGT-4 to AGT-7)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.yamlfile import MAX_BYTES, read_yaml
from crewlab.engine.texts import Texts

EN = Texts("en")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


def stop(file: Path) -> StartupStop:
    with pytest.raises(StartupStop) as caught:
        read_yaml(file, EN)
    assert caught.value.code == "config_invalid"
    assert str(file) in caught.value.message
    return caught.value


@pytest.mark.spec("AGT-1")
@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "\ufeff"])
def test_an_absent_or_empty_file_is_no_settings(file: Path, text: str) -> None:
    assert read_yaml(file, EN).values == {}
    file.write_text(text, encoding="utf-8")
    assert read_yaml(file, EN).values == {}


@pytest.mark.spec("AGT-4")
@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a: 1\nb: [1, 2\n", 3, "quotes"),
        ("a: 1\n\tb: 2\n", 2, "spaces, not with tabs"),
        ("a: 1\n b: 2\n", 2, "indentation"),
        ("name: Ada: the first\n", 1, "in quotes"),
        ("a: 'open\n", 2, "quotes"),
        ("a: !!python/object:os.system x\n", 1, "tags"),
        ("a: !secret x\n", 1, "tags"),
        ("a: 1\n---\nb: 2\n", 2, "one document"),
        ("a: *nobody\n", 1, "begins with `*`"),
        ("cron: * * * * *\n", 1, "begins with `*`"),
        ("a: \x07\n", 1, "YAML"),
        ("a: 2026-13-45\n", 1, "YAML"),
    ],
)
def test_broken_yaml_is_told_with_line_column_and_advice(file: Path, text: str, line: int, says: str) -> None:
    file.write_text(text)
    stopped = stop(file)
    assert f"line {line}, column " in stopped.message
    assert says in stopped.message


@pytest.mark.spec("AGT-4")
@pytest.mark.parametrize("text", ["- a\n- b\n", "just words\n", "42\n", "null\n", "~\n"])
def test_a_file_that_is_no_mapping_is_refused(file: Path, text: str) -> None:
    file.write_text(text)
    assert "key: value" in stop(file).message


@pytest.mark.spec("AGT-6")
@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "a"),
        ("p:\n  x: 1\n  x: 2\n", 3, "p.x"),
        ("s:\n  - {id: a, id: b}\n", 2, "s[1].id"),
        ("on: 1\n'on': 2\n", 2, "on"),
    ],
)
def test_a_key_given_twice_stops_startup_and_both_lines_are_named(file: Path, text: str, line: int, key: str) -> None:
    file.write_text(text)
    stopped = stop(file)
    assert f"line {line}: the key {key} is given twice" in stopped.message
    assert stopped.fields["key"] == key


@pytest.mark.spec("AGT-6")
def test_an_anchor_may_be_used_twice_and_merged(file: Path) -> None:
    file.write_text("a: &x {k: 1}\nb: *x\nc: {<<: *x, k: 2}\n")
    assert read_yaml(file, EN).values == {"a": {"k": 1}, "b": {"k": 1}, "c": {"k": 2}}


@pytest.mark.spec("AGT-7")
@pytest.mark.parametrize(
    "text",
    [
        "description: sk-proj-abcdefghijklmnop1234",
        "telegram:\n  token_env: 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0",
        "schedules:\n  - prompt: use Bearer abcd1234efgh5678ijkl there",
        "mcp_servers: {a: {headers: {X: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc}}}",
        "sk-proj-abcdefghijklmnop1234: x",
    ],
)
def test_a_key_shape_anywhere_stops_startup_and_is_not_repeated(file: Path, text: str) -> None:
    file.write_text(text)
    message = stop(file).message
    assert "Connections" in message
    for secret in ("abcdefghijklmnop", "AAHdq", "abcd1234", "eyJ"):
        assert secret not in message


@pytest.mark.spec("AGT-4")
def test_text_that_is_not_utf8_is_told_with_its_line(file: Path) -> None:
    file.write_bytes("a: 1\nname: Bj\xf6rn\n".encode("latin-1"))
    assert "line 2" in stop(file).message
    assert "UTF-8" in stop(file).message


@pytest.mark.spec("AGT-4")
def test_a_directory_in_place_of_the_file_and_a_huge_file_are_told(file: Path) -> None:
    file.mkdir()
    assert "is not a file" in stop(file).message
    file.rmdir()
    os.mkfifo(file)
    assert "is not a file" in stop(file).message
    file.unlink()
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    assert "1 MB" in stop(file).message


@pytest.mark.spec("AGT-4", "AGT-5")
def test_a_link_into_nothing_is_not_taken_for_no_settings(file: Path) -> None:
    file.symlink_to(file.with_name("gone.yaml"))
    assert "link" in stop(file).message


@pytest.mark.spec("AGT-4")
def test_endless_nesting_and_a_bomb_of_aliases_end_soon(file: Path) -> None:
    file.write_text("a: " + "[" * 20_000)
    assert "YAML" in stop(file).message
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30))]
    file.write_text("\n".join(lines))
    assert len(read_yaml(file, EN).values) == 30  # written out it would be 9 to the 29th


@pytest.mark.spec("AGT-4")
def test_every_key_and_item_knows_its_line(file: Path) -> None:
    file.write_text("a: 1\n\nb:\n  - x\n  - k: 2\n")
    read = read_yaml(file, EN)
    assert [read.line(loc) for loc in (("a",), ("b",), ("b", 0), ("b", 1, "k"), ("b", 1, "absent"), ("absent",))] == [1, 3, 4, 5, 5, None]


@given(st.binary(max_size=60) | st.text(alphabet="ab:-[]{}&*!|>'\"%@\t\n #,?", max_size=40).map(str.encode))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.spec("AGT-4")
def test_any_bytes_give_a_mapping_or_a_sentence(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    try:
        assert isinstance(read_yaml(file, EN).values, dict)
    except StartupStop as stopped:
        message = stopped.message
    else:
        message = str(file)
    assert str(file) in message
