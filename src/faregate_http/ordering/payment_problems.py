"""What is answered where a checkout cannot be paid, or nobody knows whether it was."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.refusals import refusal

if TYPE_CHECKING:
    from faregate.errors import FaregateError, Issue

_PLACES = {"values": ("checkoutConditions", "values"), "owner": ("requiresOwner",)}


def not_payable(error: FaregateError) -> Problem:
    """The problem of a checkout that lacks something, or that nobody can sell any more.

    Raises:
        FaregateError: it is none of the client's.
    """
    problem = refusal(error, _in_checkout)
    if problem.status != HTTPStatus.UNPROCESSABLE_ENTITY:
        return problem
    return Problem(
        problem.status, problem.code, "The checkout cannot be paid as it is.", errors=problem.errors
    )


def _in_checkout(fault: Issue) -> ErrorView:
    """A fault that is in the checkout, not in the request."""
    first, *others = fault.loc
    place = (*_PLACES.get(str(first), (first,)), *others)
    return ErrorView(fault.message, code=fault.code.value, checkout=pointer_to(place))


def total_changed() -> Problem:
    """Return the refusal to take another amount than the customer agreed to."""
    return Problem(
        409,
        "total-changed",
        "The checkout costs something else now: look at it again, and agree to that.",
        errors=[ErrorView("is not what the checkout costs now", pointer="/expectedTotal")],
    )


def payment_unclear() -> Problem:
    """What is answered where the gateway was asked and nobody can say any more what came of it."""
    return Problem(
        503,
        "payment-unclear",
        "What became of the payment is not known yet: its status will tell.",
        headers=((b"retry-after", b"2"),),
    )


def gateway_unavailable() -> Problem:
    """What is answered where the gateway said nothing, and all was given back."""
    return Problem(
        503,
        "gateway-unavailable",
        "The payment gateway does not answer; nothing is paid, and the checkout is open. Try again.",
        headers=((b"retry-after", b"5"),),
    )
