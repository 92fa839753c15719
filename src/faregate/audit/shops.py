"""The tickets that a channel sells, drawn at random and priced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import TypeVar

from faregate.basket.lines import Cart
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.products import Product, ProductType
from faregate.checkout.model import Checkout, CheckoutItem, Quote
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.checkout.quotes import ItemQuoter, zone_of
from faregate.dates.durations import Duration, validity_from
from faregate.discounts.eligibility import selected
from faregate.discounts.kinds import Scope
from faregate.validity.bookability import BookingRulesCheck

DAY = timedelta(days=1)
HORIZON = [n * DAY for n in range(400)]
"""The days on which tickets are drawn: a year and a few more, so that every yearly day is among them."""

_TRIES = 30
_T = TypeVar("_T")

Draw = Callable[[int], int]
"""A source of random numbers: given n, it returns an int from 0 to n - 1."""


class Shop:
    """One channel at the instant *at*: its tickets and their prices, with nothing sold yet."""

    def __init__(self, catalogue: Catalogue, channel: Channel, *, at: datetime, draw: Draw) -> None:
        self.catalogue, self.channel, self.at = catalogue, channel, at
        self.account: int | None = None
        self._draw = draw
        self._desk = ItemQuoter(channel=channel, catalogue=catalogue, at=at)
        self._checks: dict[int, BookingRulesCheck] = {}
        self._variants: dict[Scope, list[int]] = {}

    def one_of(self, values: Sequence[_T]) -> _T:
        """Return one of *values* at random."""
        return values[self._draw(len(values))]

    def price(self, items: Sequence[CheckoutItem], *codes: str) -> PricedCheckout:
        """Return the price of one unit per item of *items* in one order."""
        numbered = tuple([item._replace(id=n) for n, item in enumerate(items, start=1)])
        checkout = Checkout(self.channel.uuid, numbered, codes=codes, account=self.account)
        return price_checkout(checkout, catalogue=self.catalogue, at=self.at)

    def check_of(self, product: Product) -> BookingRulesCheck:
        """Return the check of the booking rules of *product*."""
        if product.id not in self._checks:
            zone = zone_of(product, self.catalogue)
            self._checks[product.id] = BookingRulesCheck(
                product, zone=zone, catalogue=self.catalogue, now=self.at
            )
        return self._checks[product.id]

    def ticket(
        self, variant: int, duration: Duration | None, day: date, card: int | None
    ) -> CheckoutItem | None:
        """Return a ticket that begins on *day*, or None if it is not sold; the parent is assumed."""
        product, _ = self.catalogue.variant(variant)
        validity = None
        if duration is not None:
            check = self.check_of(product)
            starts = check.starts_on(day, duration)
            if not starts:
                return None
            validity = validity_from(duration, self.one_of(starts), check.zone)
            if check.obstacle(duration, validity) is not None:
                return None
        item = CheckoutItem(1, variant, validity, None if product.standalone else 1, card)
        quote = self._desk.quote(item)
        return item._replace(parent=None, quote=quote) if isinstance(quote, Quote) else None

    def durations(self, variant: int) -> Sequence[Duration | None]:
        """Return the durations of a variant; None stands for a product without a validity."""
        product, _ = self.catalogue.variant(variant)
        return product.durations if product.has_validity else (None,)

    def draw_ticket(self, scope: Scope, day: date | None = None) -> CheckoutItem | None:
        """Return a random ticket in *scope*, on *day* if possible, or None if none was found."""
        variants, days = self._variants_in(scope), self._days_in(scope)
        cards: list[int | None] = [*sorted(scope.discount_cards)] or [None, None, *self._cards]
        for attempt in range(_TRIES if variants and days else 0):
            variant = self.one_of(variants)
            on = self.one_of(days) if day is None or attempt >= _TRIES // 2 else day
            item = self.ticket(variant, self.one_of(self.durations(variant)), on, self.one_of(cards))
            if item is not None and self._is_in(item, scope):
                return item
        return None

    @cached_property
    def _cards(self) -> list[int]:
        return [card.id for card in self.catalogue.discount_cards]

    def _is_in(self, item: CheckoutItem, scope: Scope) -> bool:
        request = self.price([item]).totals.request
        return bool(selected(scope, Cart.of(request.lines), [0], request.context))

    def _variants_in(self, scope: Scope) -> list[int]:
        if scope not in self._variants:
            anytime = replace(
                scope,
                discount_cards=frozenset(),
                weekdays=frozenset(),
                days=None,
                min_lead_days=None,
                max_lead_days=None,
            )
            self._variants[scope] = [item.variant for item in self._samples if self._is_in(item, anytime)]
        return self._variants[scope]

    @cached_property
    def _samples(self) -> list[CheckoutItem]:
        """One ticket of each variant that the channel sells; fees are sold only with a ticket."""
        found = [
            next(self._tickets_of(variant.id), None)
            for product in self.catalogue.products
            if product.type is not ProductType.FEE and self._is_sold(product)
            for variant in product.variants
        ]
        return [item for item in found if item is not None]

    def _is_sold(self, product: Product) -> bool:
        merchant = self.catalogue.merchant(product.merchant)
        return self.channel.sells(product) and merchant.currency == self.channel.currency

    def _tickets_of(self, variant: int) -> Iterator[CheckoutItem]:
        for later in HORIZON:
            for duration in self.durations(variant):
                for card in (None, *self._cards):
                    item = self.ticket(variant, duration, self.at.date() + later, card)
                    if item is not None:
                        yield item

    def _days_in(self, scope: Scope) -> list[date]:
        today = self.at.date()
        first, least, most = today, scope.min_lead_days or 0, scope.max_lead_days
        if scope.days is not None:
            first = max(first, scope.days.start)
        return [
            day
            for day in (first + later for later in HORIZON)
            if (scope.days is None or day < scope.days.end)
            and (not scope.weekdays or day.isoweekday() in scope.weekdays)
            and least <= (day - today).days
            and (most is None or (day - today).days <= most)
        ]
