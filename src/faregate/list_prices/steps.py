"""List prices with the rule or days they come from, and the steps that add up to them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain, repeat
from typing import NamedTuple

from faregate._values import public_value
from faregate.catalogue.price_rules import CardReduction, Degression, PriceRule
from faregate.list_prices.rule_index import DayPrice, describe_rule
from faregate.money.amounts import MILLION, MinorUnits, format_percent
from faregate.trace import Step, StepKind, Trace

_DAY = timedelta(days=1)


@public_value
class ListPrice(NamedTuple):
    """Price of one unit before any discount: for the whole period, or as the sum of days or parts.

    ``before_reduction`` is the price without ``reduction``, the reduction for the discount card. ``parts``
    are the prices of consecutive shorter periods that together cost less than the whole period.
    """

    amount: MinorUnits
    before_reduction: MinorUnits
    whole: PriceRule | None = None
    days: tuple[DayPrice, ...] = ()
    first_day: date | None = None
    degression: Degression | None = None
    reduction: CardReduction | None = None
    parts: tuple[ListPrice, ...] = ()

    def trace(self) -> Trace:
        """Return the steps that add up to the price, all under the figure name ``list_price``."""
        return Trace(_steps_of(self))


def factors_of(degression: Degression | None) -> Iterator[int]:
    """Yield the degression factor of each service day in parts per million; the last repeats forever."""
    factors = degression.factors if degression else (MILLION,)
    return chain(factors, repeat(factors[-1]))


def _steps_of(price: ListPrice) -> Iterator[Step]:
    if price.parts:
        yield from chain.from_iterable(map(_steps_of, price.parts))
        return
    parts = [*_day_steps(price)] if price.whole is None else [_whole_step(price.whole)]
    yield from parts
    rounding = price.before_reduction - sum(step.amount for step in parts)
    if rounding:
        yield _step(StepKind.PRICE_ROUNDING, "", rounding)
    if price.reduction is not None:
        source = f"discount card {price.reduction.discount_card}"
        note = f"{format_percent(price.reduction.parts_per_million)} % off"
        yield _step(StepKind.CARD_REDUCTION, source, price.amount - price.before_reduction, note)


def _whole_step(rule: PriceRule) -> Step:
    return _step(StepKind.LIST_PRICE, str(rule.duration or ""), rule.amount, describe_rule(rule))


def _day_steps(price: ListPrice) -> Iterator[Step]:
    """Yield the steps of each service day; fractions of a minor unit are left to the rounding step."""
    for index, (day, factor) in enumerate(zip(price.days, factors_of(price.degression), strict=False)):
        source = f"day {index + 1}" if price.first_day is None else str(price.first_day + index * _DAY)
        yield _step(StepKind.LIST_PRICE, source, day.rule.amount, describe_rule(day.rule))
        moves = (
            (StepKind.PLACES_SOLD, day.rise),
            (StepKind.PRICE_LIMIT, day.limit),
            (StepKind.RATCHET, day.kept),
        )
        for rule, amount in moves:
            if amount:
                yield _step(rule, source, amount)
        if factor != MILLION:
            counted = day.amount * factor // MILLION
            yield _step(StepKind.DEGRESSION, source, counted - day.amount, f"at {format_percent(factor)} %")


def _step(rule: StepKind, source: str, amount: MinorUnits, note: str = "") -> Step:
    return Step("list_price", None, rule, source, amount, note)
