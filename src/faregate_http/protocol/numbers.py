"""The core's exact integers, converted to JSON numbers that print without rounding noise. Decisions §1.2."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.money.rounding import RoundingMode, divide_rounded

_PARTS_PER_PERCENT = 10_000


@cache
def major_units(unit: Currency) -> Callable[[MinorUnits], float]:
    """Return a function from minor to major units of *unit*: with two decimals, it returns 49.5 for 4950.

    An amount of up to 15 digits divided by a power of ten prints with exactly these digits.

    >>> from faregate.money.currency import currency
    >>> [major_units(currency("CHF"))(amount) for amount in (4950, 700, -5)]
    [49.5, 7, -0.05]
    """
    scale: int = 10**unit.exponent

    def number(amount: MinorUnits) -> float:
        whole, rest = divmod(amount, scale)
        return amount / scale if rest else whole

    return number


def percent(parts_per_million: int) -> float:
    """Return a rate in percent: 81 000 parts per million give 8.1.

    >>> percent(81_000), percent(200_000)
    (8.1, 20)
    """
    whole, rest = divmod(parts_per_million, _PARTS_PER_PERCENT)
    return parts_per_million / _PARTS_PER_PERCENT if rest else whole


def rounded(number: Fraction, decimals: int) -> float:
    """Return *number* rounded half-even to at most *decimals* decimals.

    >>> from fractions import Fraction
    >>> rounded(Fraction(5, 4), 1), rounded(Fraction(2), 1)
    (1.2, 2)
    """
    scale: int = 10**decimals
    scaled = divide_rounded(number.numerator * scale, number.denominator, mode=RoundingMode.HALF_EVEN)
    whole, rest = divmod(scaled, scale)
    return scaled / scale if rest else whole
