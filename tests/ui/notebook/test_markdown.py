"""What a model writes is shown and never acts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.notebook.markdown import safe_markdown

ATTACKS = [
    "<img src=x onerror=alert(1)>",
    "</code><script>alert(1)</script>",
    "`<img src=x onerror=alert(1)>` `",
    "``<svg/onload=alert(1)>`",
    "- ```\nfoo\n```\n<img src=x onerror=alert(1)>",
    '[a]: /u "x\n```\n<img src=x onerror=alert(1)>\n"',
    "> ```\n<img src=x onerror=alert(1)>",
    "~~~\n<i>\n```\n~~~\n<img src=x onerror=alert(1)>",
    "<!-- --><b>x</b>",
    "<?php ?>",
    "$<img src=x onerror=alert(1)>$",
]


def outside_of_blocks(markdown: str) -> str:
    """The text without our own code blocks: from a fence at the left edge to the same fence alone on a line."""
    return re.sub(r"(?ms)^(`{3,})[\w+#.-]*$\n.*?^\1$", "", markdown)


@pytest.mark.spec("UI-147", "UI-154")
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_tag_is_left_outside_of_a_code_block(attack: str) -> None:
    assert not re.search(r"<[A-Za-z/!?]", outside_of_blocks(safe_markdown(attack)))


@pytest.mark.spec("UI-147", "UI-154")
@given(
    st.lists(
        st.sampled_from([*"`~<>[]()!:\\\n \"'$-&", "img src=x onerror=", "```", "~~~", "\n```\n", "\r", "a", "javascript:", "](", "]: "]),
        max_size=40,
    )
)
@settings(max_examples=400, deadline=None)
def test_whatever_is_written_no_tag_and_no_script_link_is_left(pieces: list[str]) -> None:
    shown = outside_of_blocks(safe_markdown("".join(pieces)))
    assert not re.search(r"<[A-Za-z/!?]", shown)
    assert not re.search(r"(?<!\\)\]\(\s*javascript:", shown)
    assert "![" not in shown


@pytest.mark.spec("UI-147")
def test_code_in_a_block_stays_byte_for_byte() -> None:
    code = '#include <stdio.h>\n\n  List<int> a; // "`" & [x](y) ![z](w) \\href\n'
    shown = safe_markdown(f"Look:\n```cpp\n{code}```\nDone <b>.")
    assert f"\n```cpp\n{code}```\n" in shown
    assert shown.endswith("Done &lt;b>.")


def test_a_block_that_holds_fences_gets_a_longer_one() -> None:
    assert safe_markdown("````\n```\nx\n```\n````") == "````\n```\nx\n```\n````"


def test_an_indented_block_moves_to_the_edge_and_an_open_one_is_closed() -> None:
    assert safe_markdown("1. a\n   ```python\n   x = 1\n   ```\n2. b") == "1. a\n\n```python\nx = 1\n```\n\n2. b"
    assert safe_markdown("```python\nx = 1") == "```python\nx = 1\n```"


@pytest.mark.spec("UI-147")
@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("[a](https://x.example/?a=1&b=2)", "[a](https://x.example/?a=1&b=2)"),
        ("[a](notes/a.md)", "[a](notes/a.md)"),
        ("[a](javascript:alert(1))", "[a]\\(javascript:alert(1))"),
        ("[a]( java&#115;cript:alert(1))", "[a]\\( java&#115;cript:alert(1))"),
        ("[a](data:text/html,x)", "[a]\\(data:text/html,x)"),
        ("![a](https://x.example/p.png)", "!\\[a](https://x.example/p.png)"),
        ("[a][b]\n\n[b]: javascript:alert(1)", "[a\\][b]\n\n[b\\]: javascript:alert(1)"),
        ("$\\href{javascript:alert(1)}{x}$", "$\\\\href{javascript:alert(1)}{x}$"),
        ("`a < b` and a < b, **bold**, `<div>`", "`a < b` and a &lt; b, **bold**, `<\u2060div>`"),
    ],
)
def test_links_and_pictures(source: str, shown: str) -> None:
    assert safe_markdown(source) == shown
