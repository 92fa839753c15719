"""The list price of a variant, used for checkout lines, price calendars, the gate and price insights.

Decisions §3.8, §8.2, §8.5 and §9.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, timedelta
from operator import attrgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.catalogue.calendars import Calendar
from faregate.catalogue.pools import NOTHING_TAKEN, Capacity, PoolSlot
from faregate.catalogue.price_rules import (
    CardReduction,
    Degression,
    PriceModel,
    PriceRule,
    PriceSteps,
    reduced,
)
from faregate.catalogue.products import Product, Variant
from faregate.dates.durations import Duration, has_duration
from faregate.dates.instants import Interval
from faregate.errors import InvalidPeriod, UnknownEntry
from faregate.list_prices.rule_index import BestRules, DayPrice, PriceRuleIndex, Tariff, apply_price_steps
from faregate.list_prices.steps import ListPrice, factors_of
from faregate.money.amounts import MILLION, MinorUnits
from faregate.money.rounding import rdiv

_DAY = timedelta(days=1)


@public_value
class ListPriceQuery(NamedTuple):
    """The inputs for a list price, apart from the variant.

    ``duration`` is the length of the validity period and ``first_day`` its first local day; both are None
    for a product without validity. ``ordered_on`` is the local day of the order; None means ``first_day``.
    """

    duration: Duration | None = None
    first_day: date | None = None
    ordered_on: date | None = None
    discount_card: int | None = None


_ANY_OCCASION = ListPriceQuery()
_NO_CALENDAR = Calendar()


def list_price(
    variant: Variant,
    occasion: ListPriceQuery = _ANY_OCCASION,
    *,
    product: Product,
    calendar: Calendar = _NO_CALENDAR,
    capacity: Capacity = NOTHING_TAKEN,
) -> ListPrice:
    """Return the price of one unit of *variant*, a variant of *product*, before any discount.

    The price of a validity period is its rung: the price rule for exactly its duration. Without a rung,
    a STATIC product has one price for any duration; for CALENDAR and STEPPED products, the prices of
    the service days are added up, weighted by the degression and rounded once. Hours alone count as one day,
    and hours after whole days as one more day. Months need a rung, since their number of days varies. A rung
    for more whole days is also used if it is cheaper or nothing else applies. Rungs are selected by the first
    day; without a first day, only rules for all days are used. ``PriceRuleIndex`` decides which of several
    rules applies.

    A discount card's own prices come first: its rungs, then its day prices if it has one for every service
    day. Otherwise, the holder pays the ordinary price less the reduction for the card. In a sum of day
    prices, the card's own are added in full and the others are reduced.

    STEPPED prices depend on the number of days from the order to the first day, which is the same for every
    service day, and on the units that *capacity* reports as sold on each day in the product's ``sold_pool``,
    or as sold or held if the product ``counts_holds``.
    With a ratchet, a day costs the highest price that it may have had so far, that is, for at least as many
    days ahead and at most as many units sold. No history is stored: if refunds reduce the units sold, pass
    the highest number reached.

    A product with ``never_above_single_days`` costs at most as much as the same days bought as a sequence of
    shorter periods of the product, each with the lead days of its own first day.

    >>> from faregate import Duration, VatRate
    >>> from faregate.catalogue.price_rules import PriceRule
    >>> from faregate.catalogue.products import Product, ProductType, Variant
    >>> rungs = PriceRule(8000, Duration(days=1)), PriceRule(21000, Duration(days=3))
    >>> adult = Variant(id=101, name="Adult", rate=VatRate.percent("8.1"), prices=rungs)
    >>> ticket = Product(id=11, slug="ticket", identifier="TICKET", name="Ticket", type=ProductType.TICKET,
    ...                  category=1, merchant="lifts", variants=(adult,))
    >>> list_price(adult, ListPriceQuery(Duration(days=2)), product=ticket).amount
    21000

    Raises:
        UnknownEntry: the variant has no price for the duration, or for one of its service days.
        InvalidPeriod: a STEPPED product is ordered after the first day.
    """
    book = variant.derived.get(_VariantPrices)
    if not isinstance(book, _VariantPrices) or book.product is not product or book.calendar is not calendar:
        book = variant.derived[_VariantPrices] = _VariantPrices(variant, product, calendar)
    price = book.price(occasion, capacity)
    if product.never_above_single_days:
        return _cheapest_in_parts(price, occasion, lambda part: book.price(part, capacity), product)
    return price


def _cheapest_in_parts(
    price: ListPrice,
    occasion: ListPriceQuery,
    price_of: Callable[[ListPriceQuery], ListPrice],
    product: Product,
) -> ListPrice:
    """Return *price* or, if lower, the total price of shorter periods of *product* for the same days."""
    duration, first_day, _, _ = occasion
    if duration is None or duration.months or duration.seconds:
        return price
    shorter = {length.days: length for length in product.durations if not (length.months or length.seconds)}
    # cheapest[n] holds the cheapest parts that cover the first n days; None if no parts do.
    cheapest: list[tuple[ListPrice, ...] | None] = [()]
    for end in range(1, duration.days + 1):
        found = []
        for days, length in shorter.items():
            before = cheapest[end - days] if days <= end and days < duration.days else None
            if before is not None:
                begins = first_day and first_day + (end - days) * _DAY
                with suppress(UnknownEntry):
                    found.append((*before, price_of(occasion._replace(duration=length, first_day=begins))))
        cheapest.append(min(found, default=None, key=_total))
    parts = cheapest[-1]
    if parts is None or _total(parts) >= price.amount:
        return price
    return ListPrice(_total(parts), sum([part.before_reduction for part in parts]), parts=parts)


def _total(parts: Sequence[ListPrice]) -> MinorUnits:
    return sum([part.amount for part in parts])


def duration_of(product: Product, validity: Interval, zone: ZoneInfo) -> Duration:
    """Return the duration of *validity*, which must be one of the durations of *product*.

    Raises:
        InvalidPeriod: *validity* has none of the product's durations.
    """
    for duration in product.durations:
        if has_duration(duration, validity, zone):
            return duration
    offered = ", ".join(map(str, product.durations)) or "none"
    start, end = validity.start.isoformat(), validity.end.isoformat()
    raise InvalidPeriod(f"{start} to {end} has none of the product's durations: {offered}")


class _Sale(NamedTuple):
    """A query, and values common to its service days; ``own`` is the card's id if it has its own prices."""

    occasion: ListPriceQuery
    own: int | None
    reduction: CardReduction | None
    lead_days: int
    capacity: Capacity


class _VariantPrices:
    """Prices of one variant; its rules are ranked once."""

    __slots__ = (
        "_is_static",
        "_prices",
        "_reductions",
        "_rules",
        "_steps",
        "calendar",
        "is_stepped",
        "product",
        "variant",
    )

    def __init__(self, variant: Variant, product: Product, calendar: Calendar) -> None:
        self.variant = variant
        self.product = product
        self.calendar = calendar
        self.is_stepped = product.price_model is PriceModel.STEPPED
        self._is_static = product.price_model is PriceModel.STATIC
        self._steps = variant.steps or PriceSteps() if self.is_stepped else None
        self._rules = PriceRuleIndex(variant.prices, model=product.price_model, calendar=calendar)
        self._reductions: dict[int | None, CardReduction] = {
            entry.discount_card: entry for entry in reversed(product.card_reductions)
        }
        self._prices: dict[tuple[Duration | None, date | None, int | None], ListPrice] = {}

    def price(self, occasion: ListPriceQuery, capacity: Capacity) -> ListPrice:
        return self.dated_price(occasion, capacity) if self.is_stepped else self.price_of_any_sale(occasion)

    def price_of_any_sale(self, occasion: ListPriceQuery) -> ListPrice:
        """Return the price of a STATIC or CALENDAR product; it is cached, as it does not depend on sales."""
        duration, first_day, _, card = occasion
        asked = duration, None if self._is_static else first_day, card
        found = self._prices.get(asked)
        if found is None:
            found = self._static_price(duration, card) if self._is_static else self.dated_price(occasion)
            if len(self._prices) >= _MAX_PRICES:
                self._prices.clear()
            self._prices[asked] = found
        return found

    def _static_price(self, duration: Duration | None, card: int | None) -> ListPrice:
        for level in (card, None) if card in self._rules.cards else (None,):
            best = self._rules.always.unstaged.best(level)
            rules = (best.rung(duration) or best.single, best.cheapest_rung(duration))
            found = [rule for rule in rules if rule is not None]
            if found:
                return _whole(min(found, key=attrgetter("amount")), self._reductions.get(card))
        raise UnknownEntry("price of variant", self.variant.id, f" for {duration or 'any duration'}")

    def dated_price(self, occasion: ListPriceQuery, capacity: Capacity = NOTHING_TAKEN) -> ListPrice:
        """Return the price of a CALENDAR or STEPPED product."""
        card = occasion.discount_card
        own = card if card in self._rules.cards else None
        sale = _Sale(occasion, own, self._reductions.get(card), self._lead_days(occasion), capacity)
        price = (own is not None and self._own_price(sale)) or self._ordinary_price(sale)
        if price is None:
            raise self._unknown(sale)
        return price

    def _own_price(self, sale: _Sale) -> ListPrice | None:
        """Return the price based on the card's own prices; None if they do not cover the whole period."""
        best = self._best(sale.own, sale)
        rung, days = best.cheapest_rung(sale.occasion.duration), self._unless_rung(best, sale)
        if days and any(day.rule.discount_card is None for day in days):
            days = None
        return _cheaper(_whole(rung, None) if rung else None, self._sum(days, sale) if days else None)

    def _ordinary_price(self, sale: _Sale) -> ListPrice | None:
        best = self._best(None, sale)
        rung, days = best.cheapest_rung(sale.occasion.duration), self._unless_rung(best, sale)
        return _cheaper(
            _whole(rung, sale.reduction) if rung else None, self._sum(days, sale) if days else None
        )

    def _unless_rung(self, best: BestRules, sale: _Sale) -> list[DayPrice] | None:
        """Return the prices of the service days; None if one is unknown or a rung has this very duration."""
        return None if best.rung(sale.occasion.duration) else self._days(sale)

    def _lead_days(self, occasion: ListPriceQuery) -> int:
        _, first_day, ordered_on, _ = occasion
        if self._steps is None or first_day is None or ordered_on is None:
            return 0
        if ordered_on > first_day:
            raise InvalidPeriod(f"the order date {ordered_on} is after the first day, {first_day}")
        return (first_day - ordered_on).days

    def _best(self, card: int | None, sale: _Sale) -> BestRules:
        return self._tariff(sale.occasion.first_day, sale).best(card)

    def _tariff(self, day: date | None, sale: _Sale) -> Tariff:
        rules = self._rules.on(day)
        if self._steps is None:
            return rules.unstaged
        return rules.at(sale.lead_days, self._sold(day, sale.capacity))

    def _days(self, sale: _Sale) -> list[DayPrice] | None:
        """Return the prices of the service days; None if a day has no price, or their number is unknown."""
        prices = []
        for day in days_of(sale.occasion):
            price = self._day(day, sale)
            if price is None:
                return None
            prices.append(price)
        return prices or None

    def _day(self, day: date | None, sale: _Sale) -> DayPrice | None:
        steps, rules = self._steps, self._rules.on(day)
        if steps is None:
            return rules.unstaged.day(sale.own)
        lead_days, sold = sale.lead_days, self._sold(day, sale.capacity)
        price = rules.at(lead_days, sold).day(sale.own)
        if price is None:
            return None
        now = apply_price_steps(price.rule, steps, sold)
        if not steps.ratchet:
            return now
        return rules.ratcheted(
            now, steps, card=sale.own, reduction=sale.reduction, lead_days=lead_days, sold=sold
        )

    def _sold(self, day: date | None, capacity: Capacity) -> int:
        pool = self.product.sold_pool
        if self._steps is None or pool is None or day is None:
            return 0
        taken = capacity.get(PoolSlot(pool, day))
        if taken is None:
            return 0
        return taken.sold + taken.held if self.product.counts_holds else taken.sold

    def _sum(self, days: Sequence[DayPrice], sale: _Sale) -> ListPrice:
        """Return the sum of *days*; prices to be reduced for a card are added up and rounded separately."""
        degression, reduction = self.product.degression, sale.reduction
        amount = reducible = 0
        for day, factor in zip(days, factors_of(degression), strict=False):
            if reduction is None or day.is_own:
                amount += day.amount * factor
            else:
                reducible += day.amount * factor
        first_day, before = sale.occasion.first_day, _rounded(amount, degression)
        if reduction is None or not reducible:
            return ListPrice(before, before, None, tuple(days), first_day, degression)
        reducible = _rounded(reducible, degression)
        amount = before + _reduced(reducible, reduction)
        return ListPrice(amount, before + reducible, None, tuple(days), first_day, degression, reduction)

    def _unknown(self, sale: _Sale) -> UnknownEntry:
        """Return the error for a missing price; it names the first service day without a price."""
        what = f" for {sale.occasion.duration or 'any duration'}"
        unpriced = [day for day in days_of(sale.occasion) if self._day(day, sale) is None]
        day = unpriced[0] if unpriced else sale.occasion.first_day
        if day is not None:
            what += f" on {day}"
        if self._steps is not None:
            what += f", {sale.lead_days} days ahead with {self._sold(day, sale.capacity)} sold"
        return UnknownEntry("price of variant", self.variant.id, what)


def days_of(occasion: ListPriceQuery) -> list[date | None]:
    """Return the service days of the validity period; each is None if the first day is unknown.

    Hours after whole days count as one more day. Hours alone, or no duration, give one service day. The list
    is empty for months, which have no fixed number of days.
    """
    duration, first_day, _, _ = occasion
    if duration is None or not (duration.months or duration.days):
        return [first_day]
    count = 0 if duration.months else duration.days + (duration.seconds > 0)
    if first_day is None or count == 1:
        return [first_day] * count
    return [first_day + index * _DAY for index in range(count)]


def _cheaper(one: ListPrice | None, other: ListPrice | None) -> ListPrice | None:
    if one is None or other is None:
        return one or other
    return min(other, one, key=attrgetter("amount"))


def _whole(rule: PriceRule, reduction: CardReduction | None) -> ListPrice:
    if reduction is None or rule.discount_card is not None:
        return ListPrice(rule.amount, rule.amount, rule)
    return ListPrice(_reduced(rule.amount, reduction), rule.amount, rule, reduction=reduction)


def _reduced(price: MinorUnits, reduction: CardReduction) -> MinorUnits:
    return reduced(price, reduction.parts_per_million, increment=reduction.increment)


def _rounded(weighted: int, degression: Degression | None) -> MinorUnits:
    """Round *weighted*, in millionths of a minor unit, to a multiple of the degression's increment."""
    increment = degression.increment if degression else 1
    return rdiv(weighted, MILLION * increment) * increment


_MAX_PRICES = 4096
"""Maximum number of prices that are cached for a variant."""
