"""One key of ``secrets.env`` changes; all other lines stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.home.keyfile import check_name, check_value, is_sign_in, with_key
from crewlab.engine.home.keys import parse_keys
from crewlab.engine.home.wrong import Wrong

WRITTEN = "# mine\nexport A_KEY=1\n\nBROKEN LINE\nB_KEY='two'\nA_KEY=3"


@pytest.mark.spec("CHN-49")
@pytest.mark.parametrize(
    ("name", "value", "after"),
    [
        ("A_KEY", "9", "# mine\n\nBROKEN LINE\nB_KEY='two'\nA_KEY=9"),
        ("A_KEY", None, "# mine\n\nBROKEN LINE\nB_KEY='two'"),
        ("B_KEY", "x y", "# mine\nexport A_KEY=1\n\nBROKEN LINE\nB_KEY=x y\nA_KEY=3"),
        ("C_KEY", "n", WRITTEN + "\nC_KEY=n\n"),
        ("C_KEY", None, WRITTEN),
    ],
)
def test_a_key_takes_the_place_of_its_last_line(name: str, value: str | None, after: str) -> None:
    assert with_key(WRITTEN, name, value) == after


@pytest.mark.spec("CHN-48")
@given(st.text(max_size=40))
def test_a_value_is_refused_or_read_back_as_it_was(value: str) -> None:
    try:
        kept = check_value(value)
    except Wrong:
        return
    assert parse_keys(with_key(WRITTEN, "NEW", kept))[0] == {"A_KEY": "3", "B_KEY": "two", "NEW": kept}


@pytest.mark.spec("CHN-48")
@pytest.mark.parametrize("value", ["a\nb", "a\rb", "a\0b", "a\u2028b", "a\x85b", "", "  ", "x" * 4097])
def test_a_value_is_one_line_of_at_most_4096_characters(value: str) -> None:
    with pytest.raises(Wrong):
        check_value(value)
    assert check_value("x" * 4096) == "x" * 4096


@pytest.mark.spec("CHN-48", "MCP-85")
@pytest.mark.parametrize(
    "name",
    [
        *("PATH", "HOME", "LD_PRELOAD", "DYLD_X", "PYTHONPATH", "JUPYTER_TOKEN", "CREWLAB_HOME"),
        *("MCP_WIKI_ACCESS_TOKEN", "MCP_MY_WIKI_REFRESH_TOKEN", "MCP_W_ISSUER", "MCP_W_REDIRECT_URI"),
        *("lower", "1A", "A-B", "A" * 65, "", "A\n"),
    ],
)
def test_names_that_steer_the_server_cannot_be_set(name: str) -> None:
    with pytest.raises(Wrong):
        check_name(name)


def test_other_names_can_be_set() -> None:
    for name in ("A", "A" * 64, "MCP_WIKI_CLIENT_ID", "PATHS", "HOMEPAGE", "OPENAI_API_KEY"):
        assert check_name(name) == name
        assert not is_sign_in(name)
