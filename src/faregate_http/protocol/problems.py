"""What went wrong, as RFC 9457 problems that list every fault. Decisions §15.

The type is a URN whose last part is the code; ``code`` repeats it. Each of ``errors`` says where: a JSON
pointer into the body, a query parameter or a header.
"""

from __future__ import annotations

from http import HTTPStatus
from itertools import islice, takewhile
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from faregate_http.protocol.problem_texts import PROBLEM_TEXTS, ProblemText
from faregate_http.protocol.responses import NO_STORE, Response

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faregate.errors import Issue, Loc
    from faregate_http.protocol.responses import Header

PROBLEM_TYPE = b"application/problem+json"

MOST_ERRORS = 1000
"""More than these are not listed."""

_URN = "urn:faregate:problem:"
_LONGEST_NAME = 200

# What stands in the path of a URI as it is (RFC 3986, 3.3), beside letters, digits and "-._~".
_IN_PATHS = "/:@!$&'()*+,;="


class ErrorView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fault: where it is (one of pointer, parameter, header), what it is, and its code.

    ``checkout`` points to what is wrong in the checkout, as it is answered, rather than in the request.
    ``reason`` is for developers, in English; ``title`` says the code in the language of the response.
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
        """Return *issue* of the core as it is sent; *where* is a pointer, parameter, header or checkout."""
        return cls(issue.message, code=issue.code.value, **where)


class ProblemView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A problem as RFC 9457 has it; ``errors`` lists every fault that was found."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    errors: tuple[ErrorView, ...] = ()


class Problem(Exception):
    """A request that is answered with a problem.

    ``code`` ends the type and has texts in ``problem_texts.yaml``; ``headers`` go with the response;
    *retry_after* is in seconds.
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
        """Return the response in *language*; *instance* is the path of the request."""
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
        phrase = title_of(self.status)  # a status that only the router answers
        return ProblemText(phrase, f"{phrase}.")


def _with_title(error: ErrorView, language: str) -> ErrorView:
    texts = PROBLEM_TEXTS.get(error.code or "")
    return error if texts is None else msgspec.structs.replace(error, title=texts[language].title)


_encode = msgspec.json.Encoder().encode


def title_of(status: int) -> str:
    """The phrase of a status as RFC 9110 has it; Python's changed from version to version."""
    return _PHRASES.get(status) or HTTPStatus(status).phrase


_PHRASES = {413: "Content Too Large", 422: "Unprocessable Content"}


def pointer_to(place: Loc) -> str:
    """A place as a JSON pointer (RFC 6901), or that of what encloses it where a name on the way is very long.

    >>> pointer_to(("items", 0, "a/b~c"))
    '/items/0/a~1b~0c'
    >>> pointer_to(("items", "x" * 1000))
    '/items'
    """
    near = takewhile(lambda part: len(part) <= _LONGEST_NAME, map(str, place))
    return "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in near)
