"""Checkouts with their current price, which the customer must agree to. Decisions §12."""

from typing import NamedTuple

from faregate.checkout.changes import bind_account
from faregate.checkout.priced import PricedCheckout
from faregate.checkout.requirements import check_payable
from faregate.errors import FaregateError, Issue
from faregate_http.accounts.persons import customer_of
from faregate_http.checkouts.checkouts import CheckoutEdit
from faregate_http.checkouts.records import CheckoutRecord, row_of
from faregate_http.checkouts.responses import priced_aside
from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.refusals import refusal


class Proposal(NamedTuple):
    """A checkout with its current price; ``is_other`` is True if the last price shown was different."""

    record: CheckoutRecord
    priced: PricedCheckout
    is_other: bool


async def proposal_of(edit: CheckoutEdit) -> Proposal:
    """Return the checkout in *edit* with its current price, compared with the last price shown.

    Raises:
        Problem: 404, 409 or 422, the checkout cannot be paid as it is.
    """
    record, account, at, checkouts = edit.record, edit.request.account, edit.at, edit.checkouts
    catalogue = checkouts.catalogue
    checkout = record.checkout
    if account is not None:
        groups = edit.request.customer_groups
        checkout = bind_account(checkout, account.id, customer_groups=groups)
    checkout = await checkouts.with_codes(checkout, checkout_id=record.uuid, at=at)
    customer = await customer_of(checkout.account, checkouts.store)
    try:
        check_payable(checkout, customer, catalogue=catalogue, at=at)
        shown = await priced_aside(record.checkout, catalogue, at=record.changed_at)
        is_shown = (at, checkout) == (record.changed_at, record.checkout)
        priced = shown if is_shown else await priced_aside(checkout, catalogue, at=at)
    except FaregateError as error:
        raise not_payable(error) from error
    is_scarce = await checkouts.is_scarce(checkout, None, at)
    changed = checkouts.changed(record, checkout, at, is_scarce=is_scarce)
    return Proposal(changed, priced, _agreed(priced) != _agreed(shown))


async def check_total(edit: CheckoutEdit, proposal: Proposal, expected_total: int) -> None:
    """Check that *expected_total* is the current total; if not, save the new price and raise a 409."""
    record, priced, is_other = proposal
    if priced.totals.total_gross == expected_total and not is_other:
        return
    if is_other:
        holds = None if edit.lapsed is None else edit.checkouts.inventory.holds_of(record.checkout)
        await edit.checkouts.store.save(row_of(record), None, holds, records=edit.cancelled())
    fault = ErrorView("is not the current total", pointer="/expectedTotal")
    raise Problem(409, "total-changed", errors=[fault])


def _agreed(priced: PricedCheckout) -> tuple[int, int]:
    """Return the total and the amount due, the two figures that the customer agrees to."""
    return priced.totals.total_gross, priced.totals.amount_due


_LOCS = {"values": ("checkoutConditions", "values"), "owner": ("requiresOwner",)}


def not_payable(error: FaregateError) -> Problem:
    """Return the problem for a checkout that is incomplete or has items that are no longer sold.

    Raises:
        FaregateError: *error* itself, if the client did not cause it.
    """
    return refusal(error, _in_checkout)


def _in_checkout(issue: Issue) -> ErrorView:
    """Return *issue* as an error whose location points into the checkout, not into the request."""
    first, *others = issue.loc
    loc = (*_LOCS.get(str(first), (first,)), *others)
    return ErrorView.of(issue, checkout=pointer_to(loc))
