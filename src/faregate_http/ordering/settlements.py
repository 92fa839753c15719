"""Settlement of payments: a checkout becomes an order or is opened again, in one transaction."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from secrets import choice

import msgspec

from faregate.checkout.expiry import CheckoutStatus
from faregate.checkout.model import Checkout
from faregate.checkout.priced import PricedCheckout
from faregate.documents.formats import dump
from faregate.errors import CheckoutConflict, Issue, UnknownEntry
from faregate.totals.used_rules import with_used_rules
from faregate.translations import LANGUAGES
from faregate_http.accounts.persons import customer_of, with_answers
from faregate_http.aside import STEPS_PER_ITEM, aside
from faregate_http.checkouts.records import CheckoutRecord, row_of
from faregate_http.checkouts.responses import CheckoutResponses, priced_aside
from faregate_http.checkouts.views import Particulars
from faregate_http.inventory.inventory import Inventory
from faregate_http.offers.catalogue_views import CatalogueViews
from faregate_http.ordering.ticketing import ticket_row, tickets_of
from faregate_http.payment.details import payment_method_of
from faregate_http.payment.rows import cash_due_of, covers
from faregate_http.protocol.instants import millis
from faregate_http.protocol.stored_responses import pack
from faregate_http.store.contract import CheckoutRow, Hold, Store, StoreError
from faregate_http.store.records import AccountRow, OrderRow, PaymentRow, Record, TicketRow


@dataclass(eq=False)
class Settlements:
    """Settles the payments in a store."""

    store: Store
    views: CatalogueViews
    responses: CheckoutResponses
    inventory: Inventory

    async def settle(
        self,
        record: CheckoutRecord,
        payment: PaymentRow,
        *,
        at: datetime,
        records: Sequence[Record] = (),
        priced: PricedCheckout | None = None,
    ) -> CheckoutRow:
        """Turn *record*, the next revision of a checkout, into an order at the prices of its last change.

        The checkout's holds on capacity and code limits become sales. *payment* and *records* are saved
        with the order. *priced* is the price from the beginning of the payment; without it, the checkout
        is priced here.

        Raises:
            Stale: the checkout has changed since it was loaded.
            SoldOut: the checkout has lost its holds and the capacity is gone.
            FaregateError: an item is no longer sold, or the total differs from *payment*.
        """
        checkout = record.checkout
        if priced is None:
            priced = await priced_aside(checkout, self.views.catalogue, at=record.changed_at)
        if not covers(payment, priced.totals):  # the catalogue has changed since the payment began
            message = f"the payment is for {payment.amount}, but {priced.totals.amount_due} is due"
            raise CheckoutConflict(Issue(("items",), message))
        reference = _new_reference()
        closed = record._replace(status=CheckoutStatus.CLOSED, is_paying=False)
        method = await payment_method_of(payment, self.store)
        particulars = Particulars(None, reference, method, cash_due_of(payment, priced.channel.policy))
        steps = STEPS_PER_ITEM * len(LANGUAGES) * len(checkout.items)
        bodies = await aside(partial(self.responses.bodies, closed, priced, particulars), steps=steps)
        ordered = partial(_order_of, closed, priced, reference=reference, bodies=bodies, at=at)
        order = await aside(ordered, steps=steps)
        tickets = await self._tickets(closed, priced, order, payment.language)
        row, holds = row_of(closed), self.inventory.holds_of(checkout, priced.totals)
        await self.store.save(row, None, holds, records=[*records, payment, order, *tickets])
        with suppress(StoreError):  # a convenience that must not make a settlement fail
            await self._remember_answers(checkout)
        return row

    async def _tickets(
        self, record: CheckoutRecord, priced: PricedCheckout, order: OrderRow, language: str
    ) -> list[TicketRow]:
        persons = {item.person for item in record.checkout.items} - {None}
        customer = await customer_of(order.account if persons else None, self.store)
        tickets = tickets_of(
            priced,
            order,
            catalogue=self.views.catalogue,
            persons=customer.persons,
            language=language,
        )
        return [ticket_row(ticket) for ticket in tickets]

    async def open_again(self, record: CheckoutRecord, payment: PaymentRow) -> None:
        """Save *record*, the next revision of a checkout, as open, and *payment* with it.

        The checkout keeps its capacity but releases code limits.

        Raises:
            Stale: the checkout has changed since it was loaded.
        """
        row = row_of(record._replace(is_paying=False))
        await self.store.save(row, None, self._places(record.checkout), records=[payment])

    def _places(self, checkout: Checkout) -> list[Hold] | None:
        try:
            return self.inventory.holds_of(checkout)
        except UnknownEntry:  # an item is no longer sold: its holds end when the checkout expires
            return None

    async def _remember_answers(self, checkout: Checkout) -> None:
        if checkout.account is None:
            return
        values = self.views.form(checkout.channel).answered(checkout.conditions)
        accounts = await self.store.find(AccountRow, id=checkout.account)
        known = [
            (account, with_answers(account, values)) for account in accounts if account.deleted_at is None
        ]
        changed = [after for before, after in known if after != before]
        if changed:
            await self.store.save(None, records=changed)


# Crockford's alphabet, whose characters are not confused when read aloud.
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def _new_reference() -> str:
    letters = "".join(choice(_LETTERS) for _ in range(10))
    return f"{letters[:5]}-{letters[5:]}"


def _order_of(
    record: CheckoutRecord, priced: PricedCheckout, *, reference: str, bodies: dict[str, bytes], at: datetime
) -> OrderRow:
    channel = priced.channel
    return OrderRow(
        id=record.uuid,
        revision=1,
        created_at=millis(at),
        account=record.checkout.account,
        channel=channel.uuid,
        channel_type=channel.type.value,
        reference=reference,
        currency=channel.currency,
        total=priced.totals.total_gross,
        figures=bodies["en"].decode(),
        views=pack(bodies),
        pricing=msgspec.json.encode(dump(with_used_rules(priced.totals))).decode(),
    )
