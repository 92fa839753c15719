"""Core errors as problems: 404 for unknown things, 409 if not possible now, 422 if never possible."""

from collections.abc import Callable, Sequence

from faregate.errors import (
    CheckoutConflict,
    FaregateError,
    InvalidAccessRequest,
    InvalidCheckout,
    Issue,
    UnknownEntry,
    UnknownItems,
)
from faregate_http.protocol.problems import ErrorView, Problem


def refusal(error: FaregateError, describe: Callable[[Issue], ErrorView]) -> Problem:
    """Return the problem for *error*; *describe* turns an issue into an error located in the request.

    Raises:
        FaregateError: *error* itself, if the client did not cause it.
    """
    match error:
        case InvalidCheckout(issues=faults):
            return _listed(422, "invalid-checkout", faults, describe)
        case InvalidAccessRequest(issues=faults):
            return _listed(422, "invalid-access-request", faults, describe)
        case CheckoutConflict(issues=faults):
            return _listed(409, "checkout-conflict", faults, describe)
        case UnknownItems(ids=ids):
            errors = [ErrorView(f"unknown item {item_id}", parameter="itemId") for item_id in ids]
            return Problem(404, "unknown-item", errors=errors)
        case UnknownEntry(kind="code"):
            return Problem(404, "unknown-code")
        case UnknownEntry():
            return catalogue_changed(error)
        case _:
            raise error


def catalogue_changed(error: FaregateError) -> Problem:
    """Return the problem for a checkout with items that are no longer sold and can only be removed."""
    faults = error.issues if isinstance(error, InvalidCheckout) else ()
    return Problem(
        409,
        "catalogue-changed",
        errors=[*map(ErrorView.of, faults)] or [ErrorView(str(error))],
    )


def _listed(
    status: int, code: str, faults: Sequence[Issue], describe: Callable[[Issue], ErrorView]
) -> Problem:
    """Return a problem that lists *faults*, with the code that all of them share or else with *code*."""
    kinds = {fault.code.value for fault in faults} - {"invalid"}
    errors = [describe(fault) for fault in faults]
    return Problem(status, kinds.pop() if len(kinds) == 1 else code, errors=errors)
