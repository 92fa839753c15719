"""Checkouts as they would be paid now, which the customer has to agree to. Decisions §12."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from faregate.checkout.changes import bind_account
from faregate.checkout.priced import price_checkout
from faregate.checkout.requirements import check_payable
from faregate.errors import FaregateError
from faregate_http.accounts.persons import customer_of
from faregate_http.checkouts.records import row_of
from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.refusals import refusal

if TYPE_CHECKING:
    from datetime import datetime

    from faregate.catalogue.catalogue import Catalogue
    from faregate.checkout.model import Checkout
    from faregate.checkout.priced import PricedCheckout
    from faregate.errors import Issue
    from faregate_http.checkouts.checkouts import CheckoutEdit, Checkouts
    from faregate_http.checkouts.records import CheckoutRecord
    from faregate_http.inventory.inventory import Inventory
    from faregate_http.store.contract import Store


class Proposal(NamedTuple):
    """A checkout as it would be paid now; ``is_other``: not as it was shown last."""

    record: CheckoutRecord
    priced: PricedCheckout
    is_other: bool


@dataclass(eq=False)
class Proposals:
    """The proposals to pay a store's checkouts."""

    store: Store
    checkouts: Checkouts
    inventory: Inventory
    catalogue: Catalogue

    async def proposal(self, edit: CheckoutEdit) -> Proposal:
        """Price a checkout as it was shown last and as it is now; once where these are the same.

        Raises:
            Problem: 404, 409, 422, it lacks something, or somebody else's payment came first.
        """
        record, account, at = edit.record, edit.request.account, edit.at
        checkout = record.checkout if account is None else bind_account(record.checkout, account.id)
        spent = await self.inventory.spent(checkout, checkout_id=record.uuid, at=at)
        checkout = replace(checkout, spent=spent)
        customer = await customer_of(checkout.account, self.store)
        try:
            check_payable(checkout, customer, catalogue=self.catalogue, at=at)
            shown = self._priced(record.checkout, record.changed_at)
            is_shown = (at, checkout) == (record.changed_at, record.checkout)
            priced = shown if is_shown else self._priced(checkout, at)
        except FaregateError as error:
            raise not_payable(error) from error
        is_scarce = await self.checkouts.is_scarce(checkout, None, at)
        changed = self.checkouts.changed(record, checkout, at, is_scarce=is_scarce)
        return Proposal(changed, priced, _agreed(priced) != _agreed(shown))

    def _priced(self, checkout: Checkout, at: datetime) -> PricedCheckout:
        return price_checkout(checkout, catalogue=self.catalogue, at=at)

    async def check_total(self, edit: CheckoutEdit, proposal: Proposal, expected_total: int) -> None:
        """Refuse to take another amount than the customer agreed to, and show the one it is now."""
        record, priced, is_other = proposal
        if priced.totals.total_gross == expected_total and not is_other:
            return
        if is_other:
            holds = None if edit.lapsed is None else self.inventory.holds_of(record.checkout)
            await self.store.save(row_of(record), None, holds, records=edit.cancelled())
        raise Problem(
            409,
            "total-changed",
            errors=[ErrorView("is not what the checkout costs now", pointer="/expectedTotal")],
        )


def _agreed(priced: PricedCheckout) -> tuple[int, int]:
    """Return the figures that the customer agreed to."""
    return priced.totals.total_gross, priced.totals.amount_due


_LOCS = {"values": ("checkoutConditions", "values"), "owner": ("requiresOwner",)}


def not_payable(error: FaregateError) -> Problem:
    """The problem of a checkout that lacks something, or that nobody can sell any more.

    Raises:
        FaregateError: it is none of the client's.
    """
    return refusal(error, _in_checkout)


def _in_checkout(issue: Issue) -> ErrorView:
    """A fault that is in the checkout, not in the request."""
    first, *others = issue.loc
    loc = (*_LOCS.get(str(first), (first,)), *others)
    return ErrorView.of(issue, checkout=pointer_to(loc))
