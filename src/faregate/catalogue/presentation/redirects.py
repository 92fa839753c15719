"""Redirect URLs: the shop pages to which a channel may send customers back. Decisions §12."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from faregate.errors import InvalidInput

LONGEST_REDIRECT = 2000
"""Maximum length of a redirect URL, in characters."""

_SHOWN = 80
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_HIGHEST_PORT = 65_535

_ORIGIN = (
    r"(?P<scheme>https?)://"
    r"(?P<host>\[::1\]|(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63})"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
)
# The characters of RFC 3986; percent-encoded control characters and backslashes are excluded.
_CHARACTER = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%(?!0|1|5[Cc]|7[Ff])[0-9A-Fa-f]{2})"
_ORIGIN_ALONE = re.compile(_ORIGIN)
_PAGE = re.compile(rf"{_ORIGIN}(?P<path>(?:/{_CHARACTER}*)*)(?:\?(?:{_CHARACTER}|[/?])*)?")
_SLASH = r"(?:/|%2[Ff])"
_DOTS = re.compile(rf"{_SLASH}(?:\.|%2[Ee]){{1,2}}(?:{_SLASH}|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The scheme, host and port of a URL."""

    scheme: str
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """True if the host is the customer's own machine."""
        return self.host in _LOOPBACK

    def allows(self, other: Origin) -> bool:
        """Return True if *other* equals this origin; on a loopback host any port matches (RFC 8252, 7.3)."""
        if self.is_loopback:
            other = replace(other, port=self.port)
        return other == self


def parse_origin(text: str) -> Origin:
    """Parse an origin such as ``https://shop.example`` or ``http://localhost:3000``.

    >>> parse_origin("https://shop.example")
    Origin(scheme='https', host='shop.example', port=443)

    Raises:
        InvalidInput: *text* is not an origin, or uses http although its host is not a loopback host.
    """
    found = _ORIGIN_ALONE.fullmatch(text)
    return _origin(found, f"an origin such as https://shop.example, got {_shown(text)}")


def check_redirect(url: str, allowed: Iterable[str]) -> None:
    """Check that customers may be sent to *url*: its origin must be one of *allowed*.

    The URL must be unambiguous: lower-case scheme and host, no user information, no fragment, no control
    character or backslash (encoded or not), no ``.`` or ``..`` as a path segment.

    >>> check_redirect("https://shop.example/thanks?order=7", ["https://shop.example"])
    >>> check_redirect("https://shop.example.evil.test/", ["https://shop.example"])
    Traceback (most recent call last):
    ...
    faregate.errors.InvalidInput: https://shop.example.evil.test is not allowed on this channel

    Raises:
        InvalidInput: *url* is too long, not a URL in this form, or its origin is not allowed.
    """
    if len(url) > LONGEST_REDIRECT:
        raise InvalidInput(f"expected a URL of at most {LONGEST_REDIRECT} characters, got {len(url)}")
    found = _PAGE.fullmatch(url)
    origin = _origin(found, f"an https URL such as https://shop.example/thanks, got {_shown(url)}")
    if found and _DOTS.search(found["path"]):
        raise InvalidInput(f"expected a path without . and .., got {_shown(url)}")
    if not any(parse_origin(entry).allows(origin) for entry in allowed):
        raise InvalidInput(f"{origin.scheme}://{origin.host} is not allowed on this channel")


def is_allowed_origin(text: str, allowed: Iterable[str]) -> bool:
    """Return True if *text* is one of the *allowed* origins; on a loopback host any port matches.

    >>> is_allowed_origin("http://localhost:5173", ["http://localhost"])
    True
    >>> is_allowed_origin("null", ["http://localhost"])
    False
    """
    try:
        origin = parse_origin(text)
    except InvalidInput:
        return False
    return any(parse_origin(entry).allows(origin) for entry in allowed)


def _origin(found: re.Match[str] | None, expected: str) -> Origin:
    if found is None:
        raise InvalidInput(f"expected {expected}")
    port = int(found["port"] or _DEFAULT_PORTS[found["scheme"]])
    origin = Origin(scheme=found["scheme"], host=found["host"], port=port)
    if port > _HIGHEST_PORT:
        raise InvalidInput(f"expected a port up to {_HIGHEST_PORT}, got {port}")
    if origin.scheme == "http" and not origin.is_loopback:
        raise InvalidInput(f"expected https, got http on {_shown(origin.host)}")
    return origin


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
