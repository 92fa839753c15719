"""The subscription sold in a checkout, the terms that its items share, and the prices of first periods.

Decisions §7.3, §7.4, §7.6.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.products import Product
from faregate.checkout.model import CheckoutItem
from faregate.checkout.quotes import sold_as, zone_of
from faregate.errors import Issue, IssueCode
from faregate.money.amounts import MinorUnits
from faregate.subscriptions.rules import RenewalRule
from faregate.subscriptions.terms import (
    FirstPeriod,
    SubscriptionConfiguration,
    SubscriptionTerms,
    first_period_price,
    subscription_configuration,
)


class SubscriptionPricing:
    """The prices and schedules of subscriptions ordered at *at*, a timezone-aware datetime."""

    def __init__(self, *, catalogue: Catalogue, at: datetime) -> None:
        self._catalogue = catalogue
        self._at = at
        self._configurations: dict[int, SubscriptionConfiguration] = {}

    def first_price(self, product: Product, price: MinorUnits) -> MinorUnits:
        """Return the price of the first period if *product* is a subscription; otherwise *price*."""
        terms = product.subscription
        if terms is None:
            return price
        return first_period_price(price, self._configuration(product, terms), convention=terms.day_count)

    def first_day(self, product: Product, item: CheckoutItem) -> date:
        """Return the local start day of the validity or subscription of *item*, or else the order date."""
        if item.validity is None and product.subscription is not None:
            return self._configuration(product, product.subscription).first.start
        start = self._at if item.validity is None else item.validity.start
        return start.astimezone(zone_of(product, self._catalogue)).date()

    def of_items(self, items: Iterable[CheckoutItem]) -> SubscriptionConfiguration | None:
        """Return the subscription that *items* share, or None; it has a pickup if any of them has one."""
        sold = {}
        for item in items:
            product, _ = self._catalogue.variant(item.variant)
            if product.subscription is not None:
                sold[item.id] = product, product.subscription
        if not sold:
            return None
        shared = self._configuration(*sold[min(sold)])
        return replace(shared, has_pickup=any(terms.has_pickup for _, terms in sold.values()))

    def _configuration(self, product: Product, terms: SubscriptionTerms) -> SubscriptionConfiguration:
        found = self._configurations.get(product.id)
        if found is None:
            found = self._configurations[product.id] = subscription_configuration(
                terms.rule,
                ordered_at=self._at,
                zone=zone_of(product, self._catalogue),
                minimal_run_periods=terms.minimal_run_periods,
                first_period=terms.first_period,
            )
        return found


class _Shared(NamedTuple):
    """The terms that all subscriptions of a checkout must share."""

    rule: RenewalRule
    first_period: FirstPeriod
    minimal_run_periods: int
    merchant: str


def subscription_conflicts(
    present: Sequence[CheckoutItem], new: Sequence[CheckoutItem], catalogue: Catalogue
) -> Iterator[Issue]:
    """Yield an issue for each new subscription whose terms differ from the first subscription's terms.

    The ``loc`` of an issue consists of an index in *new* and the name of a field.
    """
    first: _Shared | None = None
    for index, item in enumerate((*present, *new), start=-len(present)):
        shared = _shared(item, catalogue)
        if first is None or shared is None:
            first = first or shared
        elif index >= 0 and shared != first:
            differing = [
                name.replace("_", " ")
                for name, one, other in zip(_Shared._fields, first, shared, strict=True)
                if one != other
            ]
            message = f"expected the same {' and '.join(differing)} for all subscriptions of a checkout"
            yield Issue((index, "variant"), message, IssueCode.SUBSCRIPTION_CONFLICT)


def _shared(item: CheckoutItem, catalogue: Catalogue) -> _Shared | None:
    """Return the shared terms of *item*; None if it is not a subscription or no longer in the catalogue."""
    product = sold_as(item, catalogue)
    if product is None or product.subscription is None:
        return None
    terms = product.subscription
    return _Shared(terms.rule, terms.first_period, terms.minimal_run_periods, product.merchant)
