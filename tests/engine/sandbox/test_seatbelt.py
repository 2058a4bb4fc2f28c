"""The profile for macOS, as text."""

from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.sandbox.seatbelt import profile, quoted

HIDDEN = [Path("/Users/p/.crewlab/browser"), Path("/Users/p/Library/Jupyter/runtime")]


def lines(form: Any, **more: Any) -> list[str]:
    return profile(form, more.get("writable", [Path("/w/out")]), more.get("hidden", HIDDEN), more.get("ports", [8888])).splitlines()


@pytest.mark.spec("SHL-49", "SHL-50", "SHL-51", "SHL-63")
def test_the_closed_form_denies_every_network() -> None:
    assert lines("closed")[:3] == ["(version 1)", "(allow default)", "(deny network*)"]
    assert not [line for line in lines("write_limited") if line == "(deny network*)"]


@pytest.mark.spec("SHL-59", "SHL-63")
def test_the_write_limited_form_denies_the_servers_ports_at_every_address() -> None:
    found = [line for line in lines("write_limited", ports=[9000, 8888, 8888]) if "network" in line]
    assert found == ['(deny network-outbound (remote tcp "*:8888"))', '(deny network-outbound (remote tcp "*:9000"))']


@pytest.mark.spec("SHL-52", "SHL-63")
@pytest.mark.parametrize("form", ["closed", "write_limited"])
def test_programs_and_services_that_act_for_others_are_denied(form: Any) -> None:
    text = "\n".join(lines(form))
    for program in ("/usr/bin/open", "/bin/launchctl", "/usr/bin/osascript", "/usr/bin/shortcuts", "/usr/bin/pbcopy"):
        assert f'(literal "{program}")' in text
    assert '(deny mach-lookup (global-name "com.apple.coreservices.launchservicesd")' in text
    assert '(global-name-regex #"^com[.]apple[.]lsd[.]")' in text
    assert '(global-name-regex #"^com[.]apple[.]pasteboard[.]")' in text


@pytest.mark.spec("SHL-53", "SHL-54", "SHL-56", "SHL-57", "SHL-58", "SHL-63")
@pytest.mark.parametrize("form", ["closed", "write_limited"])
def test_writes_are_denied_then_allowed_then_the_hidden_folders_denied_last(form: Any) -> None:
    found = lines(form)
    starts = ("(deny file-write*)", "(allow file-write*", "(deny file-read*")
    deny, allow, hide = (next(at for at, line in enumerate(found) if line.startswith(start)) for start in starts)
    assert deny < allow < hide == len(found) - 1
    for place in ("/w/out", "/private/tmp", "/private/var/tmp", "/dev/fd"):
        assert f'(subpath "{place}")' in found[allow]
    assert '(literal "/dev/null")' in found[allow]
    assert '(subpath "/w/out")' not in lines(form, writable=[])[allow]
    assert found[hide] == f'(deny file-read* file-write* (subpath "{HIDDEN[0]}") (subpath "{HIDDEN[1]}"))'
    assert not [line for line in lines(form, hidden=[]) if line.startswith("(deny file-read*")]


@pytest.mark.spec("SHL-64")
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ('/a"b', '"/a\\"b"'),
        ("/a\\b", '"/a\\\\b"'),
        ('/a") (allow file-write* (subpath "/b', '"/a\\") (allow file-write* (subpath \\"/b"'),
        ("/a)b", '"/a)b"'),
        ("/Tài liệu", '"/Tài liệu"'),
    ],
)
def test_a_path_cannot_change_the_profile(path: str, text: str) -> None:
    assert quoted(path) == text
    assert f"(subpath {text})" in "\n".join(lines("closed", writable=[Path(path)]))


@pytest.mark.spec("SHL-64")
@pytest.mark.parametrize("path", ["/a\nb", "/a\x00b", "/a\x7f"])
def test_a_path_with_a_control_character_gives_no_profile(path: str) -> None:
    with pytest.raises(ValueError):
        quoted(path)
