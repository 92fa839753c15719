"""Problems (RFC 9457) that list all errors of a request. Decisions §15.

The type of a problem is a URN that ends in the code, which ``code`` repeats. Each entry of ``errors`` has a
location: a JSON Pointer into the body, a query parameter or a header.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from importlib.resources import files
from itertools import islice, takewhile
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from faregate.errors import Issue, Loc
from faregate_http.protocol.responses import NO_STORE, Header, Response

PROBLEM_TYPE = b"application/problem+json"

MOST_ERRORS = 1000
"""Maximum number of errors in a response."""

_URN = "urn:faregate:problem:"
_LONGEST_NAME = 200

# Characters of a URI path that need no escape (RFC 3986, 3.3), besides letters, digits and "-._~".
_IN_PATHS = "/:@!$&'()*+,;="


class ProblemText(NamedTuple):
    """Title and detail of a problem in one language."""

    title: str
    detail: str


class _Texts(msgspec.Struct):
    problems: dict[str, dict[str, ProblemText]]
    payment_errors: dict[str, dict[str, str]]


_TEXTS = msgspec.yaml.decode(
    files("faregate_http.protocol").joinpath("problem_texts.yaml").read_bytes(), type=_Texts
)

PROBLEM_TEXTS: Mapping[str, Mapping[str, ProblemText]] = _TEXTS.problems
"""Texts of each code, keyed by language, in the order of ``problem_texts.yaml``."""


def payment_error(error: str, language: str) -> str:
    """Return the message for *error*, a payment error code; a gateway's own text is returned unchanged.

    >>> payment_error("declined", "de")
    'Die Zahlung wurde abgelehnt.'
    >>> payment_error("Insufficient funds.", "de")
    'Insufficient funds.'
    """
    words = _TEXTS.payment_errors.get(error)
    return error if words is None else words[language]


class ErrorView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One error: its location (pointer, parameter or header), its reason and its code.

    ``checkout`` points into the checkout as responses show it, not into the request. ``reason`` is for
    developers, in English; ``title`` is the code's text in the response's language.
    """

    reason: str
    pointer: str | None = None
    parameter: str | None = None
    header: str | None = None
    code: str | None = None
    checkout: str | None = None
    title: str | None = None

    @classmethod
    def of(cls, issue: Issue, **where: str) -> ErrorView:
        """Return the core's *issue* as an error; *where* is its pointer, parameter, header or checkout."""
        return cls(issue.message, code=issue.code.value, **where)


class ProblemView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A problem (RFC 9457); ``errors`` lists all errors that were found."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    errors: tuple[ErrorView, ...] = ()


class Problem(Exception):
    """The request must be answered with a problem.

    ``code`` is the last part of the type and has texts in ``problem_texts.yaml``. ``headers`` are added to
    the response. *retry_after* is in seconds.
    """

    def __init__(
        self,
        status: int,
        code: str,
        *,
        errors: Iterable[ErrorView] = (),
        headers: tuple[Header, ...] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.errors = tuple(islice(errors, MOST_ERRORS))
        again: tuple[Header, ...] = ()
        if retry_after is not None:
            again = ((b"retry-after", str(retry_after).encode()),)
        self.headers = (*headers, *again)

    def response(self, instance: str, language: str) -> Response:
        """Return the problem as a response in *language*; *instance* is the path of the request."""
        title, detail = self._text(language)
        view = ProblemView(
            type=f"{_URN}{self.code}",
            title=title,
            status=self.status,
            detail=detail,
            instance=quote(instance, safe=_IN_PATHS),
            code=self.code,
            errors=tuple(_with_title(error, language) for error in self.errors),
        )
        words = (b"content-language", language.encode())
        headers = ((b"content-type", PROBLEM_TYPE), NO_STORE, words, *self.headers)
        return Response(self.status, _encode(view), headers)

    def _text(self, language: str) -> ProblemText:
        if self.code in PROBLEM_TEXTS:
            return PROBLEM_TEXTS[self.code][language]
        phrase = title_of(self.status)  # only the router uses this status
        return ProblemText(phrase, f"{phrase}.")


def _with_title(error: ErrorView, language: str) -> ErrorView:
    texts = PROBLEM_TEXTS.get(error.code or "")
    return error if texts is None else msgspec.structs.replace(error, title=texts[language].title)


_encode = msgspec.json.Encoder().encode


def title_of(status: int) -> str:
    """Return the reason phrase of *status* from RFC 9110, as Python's phrases vary between versions."""
    return _PHRASES.get(status) or HTTPStatus(status).phrase


_PHRASES = {413: "Content Too Large", 422: "Unprocessable Content"}


def pointer_to(place: Loc) -> str:
    """Return the location *place* as a JSON Pointer (RFC 6901), cut off before a very long name.

    >>> pointer_to(("items", 0, "a/b~c"))
    '/items/0/a~1b~0c'
    >>> pointer_to(("items", "x" * 1000))
    '/items'
    """
    near = takewhile(lambda part: len(part) <= _LONGEST_NAME, map(str, place))
    return "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in near)
