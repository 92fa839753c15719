"""Redirects: customers are sent back only to pages of origins that a channel allows."""

import pytest

from faregate.catalogue.presentation.redirects import (
    LONGEST_REDIRECT,
    Origin,
    check_redirect,
    is_allowed_origin,
    parse_origin,
)
from faregate.errors import InvalidInput

ALLOWED = ("https://shop.example", "https://tickets.example:8443", "http://localhost", "http://[::1]:3000")


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example",
        "https://shop.example/",
        "https://shop.example:443/thanks",
        "https://shop.example?order=7",
        "https://shop.example/thanks/?order=7&to=/a?b:c@d",
        "https://shop.example/a%20b/...;x=1,(2)!$'*+=_~",
        "https://tickets.example:8443/thanks",
        "http://localhost/thanks",
        "http://localhost:5173/thanks",
        "http://[::1]:8080/",
        "https://shop.example/" + "a" * (LONGEST_REDIRECT - 21),
    ],
)
def test_a_page_of_an_allowed_origin_is_allowed(url: str) -> None:
    check_redirect(url, ALLOWED)


ELSEWHERE = {
    "a longer host": "https://shop.example.evil.test/",
    "a subdomain": "https://www.shop.example/",
    "another port": "https://shop.example:8443/",
    "no port where one is allowed": "https://tickets.example/",
    "https on the own machine": "https://localhost/",
    "another name of the own machine": "http://127.0.0.1/",
    "punycode": "https://xn--shp-fka.example/",
}


@pytest.mark.parametrize("url", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_page_of_another_origin_is_not_allowed(url: str) -> None:
    with pytest.raises(InvalidInput, match=r"^https?://\S+ is not allowed on this channel$"):
        check_redirect(url, ALLOWED)


NO_PAGES = {
    "nothing": "",
    "no scheme": "//shop.example/",
    "backslashes": "https:\\\\shop.example/",
    "a backslash before the path": "https://shop.example\\@evil.test/",
    "a backslash in the path": "https://shop.example/\\evil.test",
    "a backslash that is encoded": "https://shop.example/%5cevil.test",
    "upper-case scheme": "HTTPS://shop.example/",
    "upper-case host": "https://SHOP.example/",
    "a scheme before": "data:https://shop.example/",
    "user information": "https://shop.example@evil.test/",
    "a fragment": "https://shop.example/#thanks",
    "a dot at the end of the host": "https://shop.example./",
    "an encoded host": "https://shop%2eexample/",
    "a letter that looks like another": "https://sh\u043ep.example/",
    "a character that cannot be seen": "https://shop.example\u200b/",
    "a blank before": " https://shop.example/",
    "a line feed after": "https://shop.example/\n",
    "a tab within the scheme": "ht\ttps://shop.example/",
    "a NUL": "https://shop.example/\x00",
    "an encoded line feed": "https://shop.example/%0d%0aset-cookie:a=b",
    "an encoded NUL": "https://shop.example/?a=%00",
    "half an escape": "https://shop.example/%2",
    "letters beyond ASCII": "https://shop.example/merci-b\u00e9b\u00e9",
    "a quote": 'https://shop.example/"onload="x',
    "a port that begins with zero": "https://shop.example:0443/",
    "an IPv6 host that is not the own machine": "https://[::2]/",
}


@pytest.mark.parametrize("url", NO_PAGES.values(), ids=NO_PAGES)
def test_ambiguous_urls_are_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match=r"^expected an https URL such as \S+, got "):
        check_redirect(url, ALLOWED)


@pytest.mark.parametrize(
    "path", ["/..", "/../x", "/a/./b", "/a/.", "/a/%2e%2E/b", "/.%2e", "/..%2fb", "/a%2F.."]
)
def test_a_path_with_dot_segments_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput, match=r"^expected a path without \. and \.\."):
        check_redirect(f"https://shop.example{path}", ALLOWED)


def test_a_page_on_another_machine_needs_https() -> None:
    with pytest.raises(InvalidInput, match=r"^expected https, got http on 'shop\.example'$"):
        check_redirect("http://shop.example/", ALLOWED)


def test_a_long_url_is_refused_without_repeating_it() -> None:
    with pytest.raises(InvalidInput, match=r"^expected a URL of at most 2000 characters, got 2001$"):
        check_redirect("https://shop.example/" + "a" * (LONGEST_REDIRECT - 20), ALLOWED)


@pytest.mark.parametrize(
    ("origin", "is_allowed"),
    [
        ("https://shop.example", True),
        ("https://shop.example:443", True),
        ("http://localhost:5173", True),
        ("https://shop.example:8443", False),
        ("http://shop.example", False),
    ],
)
def test_only_allowed_origins_may_call(origin: str, is_allowed: bool) -> None:
    assert is_allowed_origin(origin, ("https://shop.example", "http://localhost")) is is_allowed


def test_the_default_port_of_an_origin_is_that_of_its_scheme() -> None:
    assert parse_origin("https://shop.example") == Origin(scheme="https", host="shop.example", port=443)
    assert parse_origin("http://localhost") == Origin(scheme="http", host="localhost", port=80)


@pytest.mark.parametrize("text", ["https://shop.example/", "https://shop.example?a", "shop.example", "*"])
def test_anything_but_an_origin_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"^expected an origin such as https://shop\.example"):
        parse_origin(text)


def test_the_highest_port_is_a_port() -> None:
    assert parse_origin("https://shop.example:65535").port == 65_535
    with pytest.raises(InvalidInput, match=r"^expected a port up to 65535, got 65536$"):
        parse_origin("https://shop.example:65536")


@pytest.mark.parametrize(("length", "shown"), [(80, "x" * 80), (81, "x" * 80 + "…")])
def test_refused_text_is_shortened_in_the_message(length: int, shown: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        parse_origin("x" * length)

    assert str(raised.value) == f"expected an origin such as https://shop.example, got {shown!r}"
