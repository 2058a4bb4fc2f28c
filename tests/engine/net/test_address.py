"""Reading addresses: what is no plain address of a public page is refused before anything is resolved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.net.address import read_address
from crewlab.engine.net.failures import Refused
from crewlab.engine.texts import Texts

GOOD = {
    "http://example.com": "http://example.com/",
    "HTTPS://Example.COM:443/A?b=C#d": "https://example.com/A?b=C",
    "http://example.com:80/": "http://example.com/",
    "http://example.com:/": "http://example.com/",
    "https://example.com:8443": "https://example.com:8443/",
    "https://example.com?q=1": "https://example.com/?q=1",
    "https://example.com./x": "https://example.com/x",
    " https://example.com/a b ": "https://example.com/a%20b",
    "https://medium.example/@user/x@y": "https://medium.example/@user/x@y",
    "https://my_site.example.com/": "https://my_site.example.com/",
    "https://bücher.example/": "https://xn--bcher-kva.example/",
    "https://faß.example/": "https://xn--fa-hia.example/",  # UTS #46, not transitional
    "https://例え。テスト/": "https://xn--r8jz45g.xn--zckzah/",
    "https://ＥＸＡＭＰＬＥ.com/": "https://example.com/",
    "http://[2606:4700::1111]:8080/x": "http://[2606:4700::1111]:8080/x",
    "http://8.8.8.8/": "http://8.8.8.8/",
    "http://010.0.0.1/": "http://8.0.0.1/",  # BRW-109: octal
    "http://0x8080808/": "http://8.8.8.8/",
    "http://134744072/": "http://8.8.8.8/",
    "http://8.526344/": "http://8.8.8.8/",
    "http://123.example/": "http://123.example/",
}
BAD = {
    "file:///etc/passwd": "scheme",
    "ftp://example.com/": "scheme",
    "gopher://example.com:70/_x": "scheme",
    "javascript:alert(1)": "scheme",
    "data:text/html,x": "scheme",
    "jar:http://example.com!/": "scheme",
    "example.com": "incomplete",
    "//example.com/": "incomplete",
    "http:example.com": "incomplete",
    "http:/example.com": "incomplete",
    "": "incomplete",
    "https://": "host",
    "https:///path": "host",
    "http://user@example.com/": "user",
    "http://user:pass@example.com/": "user",
    "http://example.com@127.0.0.1/": "user",
    "http://@example.com/": "user",
    "http://example.com\\@127.0.0.1/": "backslash",
    "http:\\\\example.com\\": "backslash",
    "http://example.com/a\\b": "backslash",
    "http://exa\tmple.com/": "control",
    "http://example.com/\r\nHost: internal": "control",
    "http://example.com/\x00": "control",
    "\nhttp://example.com/": "control",
    "http://exam\u200bple.com/": "control",
    "http://exam\u00adple.com/": "control",
    "http://example.com\u3000/": "control",
    "http://exa mple.com/": "host",
    "http://127.0.0.1%2f@example.com/": "user",
    "http://%31%32%37.0.0.1/": "percent",
    "http://example.com%00.evil.example/": "percent",
    "http://example.com:0/": "port",
    "http://example.com:65536/": "port",
    "http://example.com:80:80/": "port",
    "http://example.com:８０/": "port",
    "http://example.com:-1/": "port",
    "http://exa<mple.com/": "host",
    "http://example..com/": "host",
    "http://.example.com/": "host",
    "http://example.com../": "host",
    "http://-example.com/": "host",
    f"http://{'a' * 64}.com/": "host",
    f"http://{'a.' * 130}com/": "host",
    f"http://{'é' * 300}.com/": "host",
    "http://exa$mple.com/": "host",
    "http://1.2.3.4.5/": "number",
    "http://shop.123/": "number",
    "http://256.1.1.1/": "number",
    "http://1.2.3.0x100/": "number",
    "http://08.0.0.1/": "number",
    "http://4294967296/": "number",
    "http://[::1": "port",
    "http://[::1]x/": "host",
    "http://[fe80::1%25eth0]/": "zone",
    "http://[fe80::1%eth0]/": "zone",
    "http://[1.2.3.4]/": "host",
    "http://[v1.x]/": "host",
    "http://::1/": "port",
    "http://localhost/": "localhost",
    "http://LOCALHOST./": "localhost",
    "http://x.y.localhost:8888/": "localhost",
    f"http://example.com/{'a' * 9000}": "too_long",
}


@pytest.mark.spec("WEB-2", "BRW-107", "BRW-108", "BRW-109", "BRW-110")
@pytest.mark.parametrize(("written", "read"), GOOD.items())
def test_an_address_is_written_again_from_what_was_read(written: str, read: str) -> None:
    assert read_address(written).url == read
    assert read_address(read).url == read


@pytest.mark.spec("WEB-2", "BRW-107", "BRW-109", "BRW-110", "BRW-111")
@pytest.mark.parametrize(("written", "code"), BAD.items())
def test_what_is_no_plain_address_is_refused_by_its_kind(written: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_address(written)
    assert refused.value.code == code
    for language in ("en", "vi"):
        assert refused.value.say(Texts(language))  # type: ignore[arg-type]


@given(st.text(max_size=60) | st.from_regex(r"https?://[^ ]{0,40}", fullmatch=True))
def test_any_text_is_an_address_that_reads_the_same_again_or_is_refused(text: str) -> None:
    try:
        target = read_address(text)
    except Refused:
        return
    assert target.host.isascii()
    assert not set("@\\%#? /") & set(target.authority)
    assert read_address(target.url) == target
