"""Fees for returns, by the time before the visit. Decisions §20."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, assert_never

from faregate.basket.lines import Line
from faregate.dates.instants import in_utc
from faregate.discounts.kinds import Absolute, DiscountLevel, Percentage, PerUnit
from faregate.money.allocation import allocate
from faregate.money.amounts import MILLION, MinorUnits
from faregate.money.rounding import rdiv
from faregate.refunds.policy import FeeStep
from faregate.tax.rates import VatRate


class FeeBase(NamedTuple):
    """The amount of a line on which a fee is charged, and the number of units returned now."""

    line: Line
    amount: MinorUnits
    units: int


class Fee(NamedTuple):
    """The fee of a line, including VAT at its rate."""

    line: int
    rate: VatRate
    amount: MinorUnits


def fees_of(bases: Iterable[FeeBase], steps: Sequence[FeeStep], at: datetime) -> list[Fee]:
    """Return the fees of a return at the instant *at*, by the first step whose notice each line keeps."""
    groups: dict[int, list[FeeBase]] = {}
    for base in bases:
        groups.setdefault(_step_index(steps, base.line, at), []).append(base)
    return [
        Fee(base.line.key, step.rate, amount)
        for step, of_step in [(steps[index], group) for index, group in groups.items()]
        if step.rate is not None
        for base, amount in zip(of_step, _charges(step, of_step), strict=True)
    ]


def _step_index(steps: Sequence[FeeStep], line: Line, at: datetime) -> int:
    if line.validity is None:
        return 0
    start = line.validity.start
    return next(
        index
        for index, step in enumerate(steps)
        if step.notice is None or in_utc(at) <= in_utc(start - step.notice)
    )


def _charges(step: FeeStep, bases: Sequence[FeeBase]) -> Sequence[MinorUnits]:
    """Return the fee of *step* on each of *bases*; none exceeds its amount."""
    amounts, fee = [base.amount for base in bases], step.fee
    match fee:
        case None:
            return [0] * len(amounts)
        case Percentage(parts_per_million=parts, level=DiscountLevel.LINE):
            return [rdiv(amount * parts, MILLION) for amount in amounts]
        case Percentage(parts_per_million=parts):
            return allocate(rdiv(sum(amounts) * parts, MILLION), amounts)
        case PerUnit(amount=each):
            return [min(each * base.units, base.amount) for base in bases]
        case Absolute(amount=each, level=DiscountLevel.LINE):
            return [min(each, amount) for amount in amounts]
        case Absolute(amount=each):
            return allocate(min(each, sum(amounts)), amounts)
        case _:
            assert_never(fee)
