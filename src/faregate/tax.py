"""Value-added tax: gross to net and back, per rate, with the difference given back to lines. Decisions §4."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from math import gcd
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from faregate.allocation import raise_largest
from faregate.errors import InvalidRate
from faregate.money import MILLION, format_percent, parts_per_million
from faregate.rounding import RoundingMode, divide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal
    from fractions import Fraction

    from faregate.money import MinorUnits

__all__ = [
    "Columns",
    "Conversion",
    "GrossNet",
    "Tie",
    "VatAmount",
    "VatLevel",
    "VatRate",
    "convert_lines",
    "give_back",
    "gross_from_net",
    "net_from_gross",
    "to_gross",
    "to_net",
]


class VatLevel(Enum):
    """Where the tax is rounded."""

    RATE = "rate"
    """Once per rate over the whole checkout, the net given back to the lines."""
    LINE = "line"
    """Once per line."""
    UNIT = "unit"
    """Once per unit, times the quantity."""


class Tie(Enum):
    """Which side of a gross amount is computed and rounded; the other is the difference.

    They differ only on an exact half: 2.99 at 4 % is 2.87 + 0.12 by TAX, 2.88 + 0.11 by NET.
    """

    TAX = "tax"
    NET = "net"


@dataclass(frozen=True, slots=True, order=True)
class VatRate:
    """A rate of VAT in whole parts per million: 8.1 % is 81 000.

    >>> VatRate.percent("8.1")
    VatRate(parts_per_million=81000)
    >>> str(VatRate(81_000))
    '8.1 %'

    Raises:
        InvalidRate: not a whole number from 0 to 1 000 000.
    """

    parts_per_million: int
    net_per_gross: tuple[int, int] = field(init=False, repr=False, compare=False)
    """Net over gross as a fraction in lowest terms: 8.1 % gives (1000, 1081)."""

    def __post_init__(self) -> None:
        parts = self.parts_per_million
        if type(parts) is not int or not 0 <= parts <= MILLION:
            raise InvalidRate(f"{parts!r} is no rate from 0 to {MILLION} parts per million")
        common = gcd(MILLION, parts)
        object.__setattr__(self, "net_per_gross", (MILLION // common, (MILLION + parts) // common))

    @classmethod
    def percent(cls, percent: str | int | Decimal | Fraction) -> VatRate:
        """The rate of so many percent, exactly; a float is refused.

        Raises:
            InvalidRate: no number, finer than one part per million, or outside 0 to 100.
        """
        return cls(parts_per_million(percent))

    def __str__(self) -> str:
        return f"{format_percent(self.parts_per_million)} %"


class GrossNet(NamedTuple):
    """One amount with and without tax.

    >>> GrossNet(gross=10810, net=10000).vat
    810
    """

    gross: MinorUnits
    net: MinorUnits

    @property
    def vat(self) -> MinorUnits:
        """The tax in it."""
        return self.gross - self.net


class VatAmount(NamedTuple):
    """One row of the VAT breakdown: ``net`` is the tax base."""

    rate: VatRate
    net: MinorUnits
    vat: MinorUnits
    gross: MinorUnits


def net_from_gross(
    gross: MinorUnits, rate: VatRate, *, mode: RoundingMode = RoundingMode.HALF_UP, tie: Tie = Tie.TAX
) -> MinorUnits:
    """Take the tax out of *gross*: the tax is rounded, the net is what is left (``Tie.TAX``).

    >>> net_from_gross(9999, VatRate.percent(19))
    8403
    >>> net_from_gross(299, VatRate.percent(4)), net_from_gross(299, VatRate.percent(4), tie=Tie.NET)
    (287, 288)
    """
    taxed = MILLION + rate.parts_per_million
    if tie is Tie.NET:
        return divide(gross * MILLION, taxed, mode=mode)
    return gross - divide(gross * rate.parts_per_million, taxed, mode=mode)


def gross_from_net(
    net: MinorUnits, rate: VatRate, *, mode: RoundingMode = RoundingMode.HALF_UP
) -> MinorUnits:
    """Put the tax, rounded once, on top of *net*.

    >>> gross_from_net(324, VatRate.percent(19))
    386
    """
    return net + divide(net * rate.parts_per_million, MILLION, mode=mode)


class Conversion(NamedTuple):
    """From one side of the tax to the other: times *numerator* / *denominator*, rounded once.

    To subtract the tax, rounded half up, is to round the net half down: then *half* is one less than
    the denominator (``Tie.TAX``), else it is the denominator.
    """

    numerator: int
    denominator: int
    half: int

    def __call__(self, amount: MinorUnits) -> MinorUnits:
        """The other side of *amount*, which is not negative."""
        return (2 * amount * self.numerator + self.half) // (2 * self.denominator)


def to_net(rate: VatRate, tie: Tie = Tie.TAX) -> Conversion:
    """From gross to net.

    >>> to_net(VatRate.percent(4))(299), to_net(VatRate.percent(4), Tie.NET)(299)
    (287, 288)
    """
    net, gross = rate.net_per_gross
    return Conversion(net, gross, gross if tie is Tie.NET else gross - 1)


def to_gross(rate: VatRate) -> Conversion:
    """From net to gross.

    >>> to_gross(VatRate.percent(19))(324)
    386
    """
    net, gross = rate.net_per_gross
    return Conversion(gross, net, net)


Columns: TypeAlias = tuple["list[MinorUnits]", "list[MinorUnits]"]
"""Totals and discounts of all lines on one side of the tax, in parallel."""


def give_back(
    amounts: Columns, others: Columns, indices: Sequence[int], conversion: Conversion
) -> tuple[MinorUnits, MinorUnits]:
    """Write the other side of the lines at *indices*, which share one rate; gives the sums of both totals.

    The sum is converted, once. Each line gets the floor of its exact amount, and the largest
    remainders one more up to the sum: so for the totals, and so for the discounts.

    >>> net_totals, net_discounts = [0] * 5, [0] * 5
    >>> gross, net = ([10000] * 5, [0] * 5), (net_totals, net_discounts)
    >>> give_back(gross, net, range(5), to_net(VatRate.percent(19)))
    (50000, 42017)
    >>> net_totals
    [8404, 8404, 8403, 8403, 8403]
    """
    totals, discounts = amounts
    other_totals, other_discounts = others
    numerator, denominator, half = conversion
    count = len(totals)
    total = total_floors = discount = discount_floors = 0
    total_keys, discount_keys = [], []
    # The loop of ``allocation.apportion``, twice in one: it is what most of a price is spent on.
    for index in indices:
        amount = totals[index]
        scaled = amount * numerator
        share = scaled // denominator
        other_totals[index] = share
        total += amount
        total_floors += share
        total_keys.append((scaled - share * denominator) * count - index)
        amount = discounts[index]
        scaled = amount * numerator
        share = scaled // denominator
        other_discounts[index] = share
        discount += amount
        discount_floors += share
        discount_keys.append((scaled - share * denominator) * count - index)
    other_total = (2 * total * numerator + half) // (2 * denominator)
    if other_total != total_floors:
        raise_largest(other_totals, total_keys, other_total - total_floors)
    other_discount = (2 * discount * numerator + half) // (2 * denominator)
    if other_discount != discount_floors:
        raise_largest(other_discounts, discount_keys, other_discount - discount_floors)
    return total, other_total


def convert_lines(
    amounts: Columns,
    others: Columns,
    indices: Sequence[int],
    conversion: Conversion,
    quantities: Sequence[int] | None,
) -> tuple[MinorUnits, MinorUnits]:
    """Like ``give_back``, but convert each line or, where *quantities* are given, each of its units."""
    for own, other in zip(amounts, others, strict=True):
        for index in indices:
            if quantities is None:
                other[index] = conversion(own[index])
            else:
                # After a discount some units are worth one minor unit more than the others.
                unit, dearer = divmod(own[index], quantities[index])
                plain = quantities[index] - dearer
                other[index] = dearer * conversion(unit + 1) + plain * conversion(unit)
    totals, other_totals = amounts[0], others[0]
    return sum([totals[index] for index in indices]), sum([other_totals[index] for index in indices])
