"""Checkouts as they would be paid now, which the customer has to agree to. Decisions §12."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from faregate.checkout.changes import bind_account
from faregate.checkout.priced import price_checkout
from faregate.checkout.requirements import check_payable
from faregate.errors import FaregateError
from faregate_http.accounts.customers import customer_of
from faregate_http.checkouts.records import row_of
from faregate_http.ordering.payment_problems import not_payable, total_changed

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from faregate.catalogue.catalogue import Catalogue
    from faregate.checkout.model import Checkout
    from faregate.checkout.priced import PricedCheckout
    from faregate_http.checkouts.checkouts import Checkouts, Opened
    from faregate_http.checkouts.records import CheckoutRecord
    from faregate_http.inventory.inventory import Inventory
    from faregate_http.store.contract import Store
    from faregate_http.store.records import AccountRow


class Proposal(NamedTuple):
    """A checkout as it would be paid now; ``is_other``: not as it was shown last."""

    record: CheckoutRecord
    priced: PricedCheckout
    is_other: bool


class Proposals:
    """The proposals to pay a store's checkouts."""

    def __init__(
        self,
        store: Store,
        checkouts: Checkouts,
        *,
        inventory: Inventory,
        catalogue: Catalogue,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._checkouts = checkouts
        self._inventory = inventory
        self._catalogue = catalogue
        self._clock = clock

    async def proposal(self, opened: Opened, account: AccountRow | None) -> Proposal:
        """Price a checkout as it was shown last and as it is now; once where these are the same.

        Raises:
            Problem: 404, 409, 422, it lacks something, or somebody else's payment came first.
        """
        record = opened.record
        at = max(self._clock(), record.changed_at)
        checkout = record.checkout if account is None else bind_account(record.checkout, account.id)
        spent = await self._inventory.spent(checkout, checkout_id=record.uuid, at=at)
        checkout = replace(checkout, spent=spent)
        customer = await customer_of(checkout.account, self._store)
        try:
            check_payable(checkout, customer, catalogue=self._catalogue, at=at)
            shown = self._priced(record.checkout, record.changed_at)
            is_shown = (at, checkout) == (record.changed_at, record.checkout)
            priced = shown if is_shown else self._priced(checkout, at)
        except FaregateError as error:
            raise not_payable(error) from error
        is_scarce = await self._checkouts.is_scarce(checkout, None, at)
        changed = self._checkouts.changed(record, checkout, at, is_scarce=is_scarce)
        return Proposal(changed, priced, _agreed(priced) != _agreed(shown))

    def _priced(self, checkout: Checkout, at: datetime) -> PricedCheckout:
        return price_checkout(checkout, catalogue=self._catalogue, at=at)

    async def check_total(self, opened: Opened, proposal: Proposal, expected_total: int) -> None:
        """Refuse to take another amount than the customer agreed to, and show the one it is now."""
        record, priced, is_other = proposal
        if priced.totals.total_gross == expected_total and not is_other:
            return
        if is_other:
            holds = None if opened.lapsed is None else self._inventory.holds_of(record.checkout)
            row = row_of(record, opened.revision + 1)
            await self._store.save(row, None, holds, records=opened.cancelled(record.changed_at))
        raise total_changed()


def _agreed(priced: PricedCheckout) -> tuple[int, int]:
    """Return the figures that the customer agreed to."""
    return priced.totals.total_gross, priced.totals.amount_due
