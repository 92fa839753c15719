"""A basket, priced and explained, with everything that is needed to print it in any form."""

import sys
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.checkout.quotes import ItemQuoter
from faregate.errors import InvalidCheckout
from faregate.explanations.explanation import Explanation, explain
from faregate.files import Basket, load_basket, parse_basket
from faregate.money.amounts import format_minor_units
from faregate.money.currency import Currency, currency
from faregate.render.receipts import Receipt, receipt_of
from faregate.render.wording import line_labels
from faregate.trace import Trace

_STANDARD_INPUT = "-"
_MAX_BYTES = 32 << 20  # read from standard input; no basket may be as large


class PricedBasket(NamedTuple):
    """A priced checkout with everything that is needed to print it.

    ``labels`` contains the text of each line, and ``listed`` the steps that make up the list price of a unit;
    both are keyed by the id of the line's first item.
    """

    priced: PricedCheckout
    catalogue: Catalogue
    ordered_at: datetime
    currency: Currency
    explained: Explanation
    labels: Mapping[int, str]
    listed: Mapping[int, Trace]

    @property
    def receipt(self) -> Receipt:
        """The receipt for the checkout."""
        return receipt_of(self.explained, currency=self.currency, labels=self.labels)

    @property
    def amount_width(self) -> int:
        """The length in characters of the longest amount, including its sign."""
        totals = self.priced.totals
        return len(format_minor_units(-totals.list_price_gross - totals.donation, self.currency))

    def check_item(self, item_id: int) -> None:
        """Check that the basket has an item with the id *item_id*.

        Raises:
            InvalidCheckout: the basket has no such item; the message lists the ids that exist.
        """
        ids = [each for line in self.priced.members for each in line]
        if item_id not in ids:
            listed = ", ".join(map(str, ids)) or "none"
            raise InvalidCheckout(f"--explain={item_id}: the basket has no such item; its items are {listed}")


def price_basket(source: str, catalogue: Catalogue) -> PricedBasket:
    """Return the basket in the file *source* (``-`` is standard input), priced and explained.

    Raises:
        InvalidCheckout: lists every fault of the basket.
    """
    checkout, ordered_at, zone = _read_basket(source, catalogue)
    try:
        priced = price_checkout(checkout, catalogue=catalogue, at=ordered_at, zone=zone)
    except InvalidCheckout as error:
        raise InvalidCheckout(*(f"{_name(source)}: {fault}" for fault in error.messages)) from error
    unit = currency(priced.channel.currency)
    explained = explain(priced.totals, currency=unit)
    labels = line_labels(checkout.items, priced.members, catalogue)
    quoter = ItemQuoter(channel=priced.channel, catalogue=catalogue, at=ordered_at)
    items = {item.id: item for item in checkout.items}
    listed = {ids[0]: quoter.list_price(items[ids[0]]).trace() for ids in priced.members}
    return PricedBasket(priced, catalogue, ordered_at, unit, explained, labels, listed)


def _read_basket(source: str, catalogue: Catalogue) -> Basket:
    if source != _STANDARD_INPUT:
        return load_basket(source, catalogue)
    text = b"" if sys.stdin is None else sys.stdin.buffer.read(_MAX_BYTES)
    return parse_basket(text, catalogue, name=_name(source))


def _name(source: str) -> str:
    return "standard input" if source == _STANDARD_INPUT else source
