"""What went wrong, as RFC 9457 problems that list every fault. Decisions §15.

The type is a URN whose last part is the code; ``code`` repeats it. Each of ``errors`` says where: a JSON
pointer into the body, a query parameter or a header.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec

from faregate_http.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faregate.faults import Place
    from faregate_http.answers import Header

__all__ = ["PROBLEM_TYPE", "ErrorView", "Problem", "ProblemView", "pointer_to"]

PROBLEM_TYPE = b"application/problem+json"
_URN = "urn:faregate:problem:"


class ErrorView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fault: where it is (one of pointer, parameter, header), what it is, and its code."""

    reason: str
    pointer: str | None = None
    parameter: str | None = None
    header: str | None = None
    code: str | None = None


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

    ``code`` ends the type, ``headers`` go with the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Iterable[ErrorView] = (),
        headers: tuple[Header, ...] = (),
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = headers

    def answer(self, instance: str) -> Answer:
        """The response; *instance* is the path that was asked for."""
        view = ProblemView(
            type=f"{_URN}{self.code}",
            title=HTTPStatus(self.status).phrase,
            status=self.status,
            detail=self.detail,
            instance=instance,
            code=self.code,
            errors=self.errors,
        )
        return Answer(self.status, _encode(view), ((b"content-type", PROBLEM_TYPE), *self.headers))


_encode = msgspec.json.Encoder().encode


def pointer_to(place: Place) -> str:
    """A place as a JSON pointer (RFC 6901).

    >>> pointer_to(("items", 0, "a/b~c"))
    '/items/0/a~1b~0c'
    """
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in place)
