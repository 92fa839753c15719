"""Errors of the core as problems: 422 what cannot be, 409 what cannot be now, 404 what is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.errors import (
    CheckoutConflict,
    InvalidAccessRequest,
    InvalidCheckout,
    UnknownEntry,
    UnknownItems,
)
from faregate_http.protocol.problems import ErrorView, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from faregate.errors import FaregateError, Issue


def refusal(error: FaregateError, describe: Callable[[Issue], ErrorView]) -> Problem:
    """The problem that *error* is to the client; *describe* says where in its request each fault is.

    Raises:
        FaregateError: it is none of the client's.
    """
    match error:
        case InvalidCheckout(issues=faults):
            return _listed(422, "invalid-checkout", faults, describe)
        case InvalidAccessRequest(issues=faults):
            return _listed(422, "invalid-access-request", faults, describe)
        case CheckoutConflict(issues=faults):
            return _listed(409, "checkout-conflict", faults, describe)
        case UnknownItems(ids=ids):
            errors = [ErrorView(f"there is no item {item_id}", parameter="itemId") for item_id in ids]
            return Problem(404, "unknown-item", errors=errors)
        case UnknownEntry(kind="code"):
            return Problem(404, "unknown-code")
        case UnknownEntry():
            return catalogue_changed(error)
        case _:
            raise error


def catalogue_changed(error: FaregateError) -> Problem:
    """The problem of a checkout with items that are sold no longer: they can only be removed."""
    faults = error.issues if isinstance(error, InvalidCheckout) else ()
    return Problem(
        409,
        "catalogue-changed",
        errors=[*map(ErrorView.of, faults)] or [ErrorView(str(error))],
    )


def _listed(
    status: int, code: str, faults: Sequence[Issue], describe: Callable[[Issue], ErrorView]
) -> Problem:
    """A problem of the code that all faults share, or else of *code*."""
    kinds = {fault.code.value for fault in faults} - {"invalid"}
    errors = [describe(fault) for fault in faults]
    return Problem(status, kinds.pop() if len(kinds) == 1 else code, errors=errors)
