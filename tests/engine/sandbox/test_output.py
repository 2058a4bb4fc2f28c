import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.sandbox import output
from crewlab.engine.sandbox.output import Output


@pytest.mark.spec("SHL-14")
@given(st.lists(st.binary(max_size=40), max_size=40))
def test_the_beginning_and_the_end_are_kept_and_the_rest_is_counted(chunks: list[bytes]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "HALF", 10)
        patch.setattr(output, "KEPT_BYTES", 20)
        kept = Output()
        for chunk in chunks:
            kept.feed(chunk)
        whole = b"".join(chunks)
        head, tail = kept.parts()
        assert kept.total == len(whole)
        assert kept.left_out == max(0, len(whole) - 20)
        assert kept.full == (len(whole) > 20)
        assert len(kept._tail) <= 20 + 40
        if kept.left_out:
            assert (head, tail) == (whole[:10].decode("utf-8", "replace"), whole[-10:].decode("utf-8", "replace"))
        else:
            assert (head, tail) == (whole.decode("utf-8", "replace"), "")


@pytest.mark.spec("SHL-14")
def test_what_is_no_utf_8_is_replaced() -> None:
    kept = Output()
    kept.feed(b"a\xffb\xc3")
    kept.feed(b"\xa9")
    assert kept.parts()[0] == "a\ufffdbé"


@pytest.mark.spec("SHL-14")
def test_the_limits_are_those_of_the_specification() -> None:
    assert (output.KEPT_BYTES, output.HALF) == (5_000_000, 2_500_000)
