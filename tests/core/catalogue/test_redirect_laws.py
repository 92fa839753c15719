"""Laws of redirects: another URL parser finds an allowed page at its allowed origin."""

from urllib.parse import unquote, urlsplit

from hypothesis import example, given
from hypothesis import strategies as st

from faregate.catalogue.presentation.redirects import check_redirect, parse_origin
from faregate.errors import InvalidInput

ALLOWED = ("https://shop.example", "http://localhost", "http://[::1]")

# Fragments for malicious URLs, with any text between them.
PIECES = st.sampled_from(
    [
        *("https", "http", "HTTPS", ":", "/", "//", "\\", "@", "#", "?", "&", "=", ".", "..", "%", "%2e"),
        *("%2f", "%5c", "%00", "%0a", "shop.example", "localhost", "[::1]", "evil.test", ":443", ":8080"),
        *(":0", " ", "\t", "\n", "\r", "\u3002", "\uff0f", "\u200d", "xn--", "a", "1"),
    ]
)
STARTS = st.sampled_from(["", "https://shop.example", "http://localhost", "http://[::1]", "https://"])
URLS = st.builds(
    "{}{}".format, STARTS, st.lists(PIECES | st.text(max_size=3), max_size=8).map("".join)
) | st.text(max_size=40)


def is_allowed(url: str) -> bool:
    try:
        check_redirect(url, ALLOWED)
    except InvalidInput:
        return False
    return True


@given(URLS)
@example("https://shop.example")
@example("http://localhost:8080/a?b=/c")
@example("http://[::1]:3000/")
def test_the_standard_library_finds_the_same_origin_in_an_allowed_url(url: str) -> None:
    if not is_allowed(url):
        return

    parts = urlsplit(url)

    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    default = {"https": 443, "http": 80}[parts.scheme]
    assert any(
        (origin.scheme, origin.host) == (parts.scheme, host)
        and (origin.is_loopback or origin.port == (parts.port or default))
        for origin in map(parse_origin, ALLOWED)
    )
    assert (parts.username, parts.password, parts.fragment) == (None, None, "")
    assert "#" not in url


@given(URLS)
@example("https://shop.example/a/..%2fb")
@example("https://shop.example/%5c")
def test_an_allowed_url_is_plain_text_before_and_after_decoding(url: str) -> None:
    if not is_allowed(url):
        return

    assert url.isascii()
    assert url.isprintable()
    assert not {"\\", "\x7f", *map(chr, range(32))} & {*unquote(url, errors="replace")}
    assert not {".", ".."} & {*unquote(urlsplit(url).path).split("/")}
