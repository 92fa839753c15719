"""List prices calculated naively by evaluating every rule."""

from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction
from math import floor
from typing import NamedTuple

from faregate.catalogue.calendars import Calendar, DayPattern
from faregate.catalogue.price_rules import Degression, PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.list_prices.price import ListPriceQuery

DAY = timedelta(days=1)
MOST_AHEAD, LONGEST = 12, 12
"""Maximum lead days of a rule and maximum duration of a rung in days."""


def half_up(value: Fraction, increment: int) -> int:
    return floor(value / increment + Fraction(1, 2)) * increment


class Stage(NamedTuple):
    """A day, or None, with its lead time and its units sold."""

    day: date | None
    lead_days: int
    sold: int


class DayCost(NamedTuple):
    """The price of a day; `is_own` and `has_own`: a rule of the card determines it, or is applicable."""

    amount: int
    is_own: bool
    has_own: bool


class Reader:
    """The list prices of a product of one variant for one query, with *sold* units of each day."""

    def __init__(
        self, product: Product, occasion: ListPriceQuery, *, calendar: Calendar, sold: Mapping[date, int]
    ) -> None:
        self.product, self.occasion, self.calendar, self.sold = product, occasion, calendar, sold
        self.model, (self.variant,) = product.price_model, product.variants
        reductions = {entry.discount_card: entry for entry in reversed(product.card_reductions)}
        self.reduction = None if occasion.discount_card is None else reductions.get(occasion.discount_card)

    def amount(self) -> int | None:
        """Return the list price; None: the variant has no price."""
        for card in dict.fromkeys((self.occasion.discount_card, None)):
            asked = self.best(self.occasion.duration, card, self.stage(0)) if self.occasion.duration else None
            prices = [self.ladder_price(card)]
            if asked is None and self.model is PriceModel.STATIC:
                prices.append(self.single_price(card))
            prices = [price if card is not None or price is None else self.less(price) for price in prices]
            if asked is None and self.model is not PriceModel.STATIC:
                days = self.days()
                if card is None or all(day.has_own for day in days):
                    prices.append(self.sum_of(days))
            found = [price for price in prices if price is not None]
            if found:
                return min(found)
        return None

    def less(self, price: int) -> int:
        if self.reduction is None:
            return price
        left = Fraction(1_000_000 - self.reduction.parts_per_million, 1_000_000)
        return min(price, half_up(price * left, self.reduction.increment))

    def stage(self, index: int) -> Stage:
        """Return the stage of a service day."""
        _, first_day, ordered_on, _ = self.occasion
        if first_day is None:
            return Stage(None, 0, 0)
        day = first_day + index * DAY
        return Stage(day, (first_day - (ordered_on or first_day)).days, self.sold.get(day, 0))

    def applies(self, rule: PriceRule, stage: Stage) -> bool:
        if self.model is PriceModel.STATIC:
            return True
        holds = (
            rule.when == DayPattern() if stage.day is None else rule.when.include(stage.day, self.calendar)
        )
        has_begun = rule.min_lead_days <= stage.lead_days and rule.min_sold <= stage.sold
        return holds and (has_begun or self.model is PriceModel.CALENDAR)

    def best(self, duration: Duration | None, card: int | None, stage: Stage) -> PriceRule | None:
        """Return the most specific rule for exactly that duration, the first of equals."""
        best: PriceRule | None = None
        for rule in self.variant.prices:
            is_meant = rule.duration == duration and rule.discount_card == card and self.applies(rule, stage)
            if is_meant and (best is None or self.rank(rule) > self.rank(best)):
                best = rule
        return best

    def rank(self, rule: PriceRule) -> tuple[int, ...]:
        when = rule.when
        if self.model is PriceModel.STATIC:
            return ()
        stage = (rule.min_sold, rule.min_lead_days) if self.model is PriceModel.STEPPED else ()
        return bool(when.dates), when.is_holiday is not None, bool(when.seasons), bool(when.weekdays), *stage

    def single_price(self, card: int | None) -> int | None:
        rule = self.best(None, card, self.stage(0))
        return None if rule is None else rule.amount

    def ladder_price(self, card: int | None) -> int | None:
        """Return the cheapest rung that covers the duration."""
        asked = self.occasion.duration
        if asked is None:
            return None
        rungs = {rule.duration for rule in self.variant.prices if rule.duration is not None}
        if asked.months or asked.seconds:
            covering = rungs & {asked}
        else:
            covering = {Duration(days=days) for days in range(asked.days, LONGEST + 1)} & rungs
        best = [self.best(rung, card, self.stage(0)) for rung in covering]
        return min([rule.amount for rule in best if rule is not None], default=None)

    def days(self) -> list[DayCost]:
        """Return the price of each service day, or nothing if one has no price."""
        months, days, seconds = self.occasion.duration or Duration(days=1)
        count = 0 if months else max(1, days + (1 if seconds and days else 0))
        costs = [self.day(self.stage(index)) for index in range(count)]
        return [] if None in costs else [cost for cost in costs if cost is not None]

    def day(self, stage: Stage) -> DayCost | None:
        now = self.day_at(stage)
        steps = self.variant.steps
        if now is None or steps is None or not steps.ratchet or self.model is not PriceModel.STEPPED:
            return now
        earlier = [
            self.day_at(Stage(stage.day, lead_days, sold))
            for lead_days in range(stage.lead_days, stage.lead_days + MOST_AHEAD)
            for sold in range(stage.sold + 1)
        ]
        dearest = max([now, *(cost for cost in earlier if cost is not None)], key=self.paid)
        return dearest._replace(has_own=now.has_own)

    def paid(self, cost: DayCost) -> int:
        parts = self.reduction.parts_per_million if self.reduction and not cost.is_own else 0
        return cost.amount * (1_000_000 - parts)

    def day_at(self, stage: Stage) -> DayCost | None:
        card = self.occasion.discount_card
        own = None if card is None else self.best(None, card, stage)
        rule = self.best(None, None, stage) if own is None else own
        if rule is None:
            return None
        amount = rule.amount
        if self.model is PriceModel.STEPPED:
            steps = self.variant.steps or PriceSteps()
            amount = max(amount + steps.step * (stage.sold // steps.every), steps.floor)
            amount = amount if steps.ceiling is None else min(amount, steps.ceiling)
        return DayCost(amount, own is not None, own is not None)

    def sum_of(self, days: list[DayCost]) -> int | None:
        """Return own days plus reduced ordinary days: each sum rounded once, or all together."""
        if not days:
            return None
        degression = self.product.degression or Degression((1_000_000,))
        factors, increment = degression.factors, degression.increment
        exact = [Fraction(0), Fraction(0)]
        for index, cost in enumerate(days):
            factor = Fraction(factors[min(index, len(factors) - 1)], 1_000_000)
            exact[cost.is_own or self.reduction is None] += cost.amount * factor
        return half_up(exact[True], increment) + self.less(half_up(exact[False], increment))
