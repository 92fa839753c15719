"""Value-added tax: gross to net and back, per rate, with the difference given back to lines. Decisions §4."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from faregate.allocation import apportion
from faregate.errors import InvalidRate
from faregate.money import MILLION, format_percent, parts_per_million
from faregate.rounding import RoundingMode, divide, rdiv

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from decimal import Decimal
    from fractions import Fraction

    from faregate.money import MinorUnits

__all__ = [
    "GrossNet",
    "Tie",
    "VatAmount",
    "VatLevel",
    "VatRate",
    "gross_from_net",
    "gross_of_lines",
    "net_from_gross",
    "net_of_lines",
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

    def __post_init__(self) -> None:
        if type(self.parts_per_million) is not int or not 0 <= self.parts_per_million <= MILLION:
            raise InvalidRate(f"{self.parts_per_million!r} is no rate from 0 to {MILLION} parts per million")

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


def net_of_lines(
    nets: list[MinorUnits],
    gross: Sequence[MinorUnits],
    indices: Sequence[int],
    rate: VatRate,
    quantities: Sequence[int],
    *,
    level: VatLevel = VatLevel.RATE,
    tie: Tie = Tie.TAX,
) -> GrossNet:
    """Write the *nets* of the lines at *indices*, which share one *rate*; gives their sums.

    At ``VatLevel.RATE`` the tax is rounded once on the sum; each line gets the floor of its exact
    net, and the largest remainders one more up to the net of the sum. *gross* is not negative, and
    *quantities* matter to ``VatLevel.UNIT`` only.

    >>> nets = [0] * 5
    >>> net_of_lines(nets, [10000] * 5, range(5), VatRate.percent(19), [1] * 5)
    GrossNet(gross=50000, net=42017)
    >>> nets
    [8404, 8404, 8403, 8403, 8403]
    """
    parts = rate.parts_per_million
    total = sum([gross[index] for index in indices])
    if level is VatLevel.RATE:
        taxed = MILLION + parts
        net = rdiv(total * MILLION, taxed) if tie is Tie.NET else total - rdiv(total * parts, taxed)
        apportion(nets, gross, indices, numerator=MILLION, denominator=taxed, target=net)
        return GrossNet(total, net)
    for index in indices:
        if level is VatLevel.LINE:
            nets[index] = net_from_gross(gross[index], rate, tie=tie)
        else:
            unit_net = partial(net_from_gross, rate=rate, tie=tie)
            nets[index] = _by_unit(gross[index], quantities[index], unit_net)
    return GrossNet(total, sum([nets[index] for index in indices]))


def gross_of_lines(
    gross: list[MinorUnits],
    nets: Sequence[MinorUnits],
    indices: Sequence[int],
    rate: VatRate,
    quantities: Sequence[int],
    *,
    level: VatLevel = VatLevel.RATE,
) -> GrossNet:
    """Write the *gross* amounts of lines in a channel that prices net; as ``net_of_lines``.

    >>> gross = [0] * 3
    >>> gross_of_lines(gross, [141] * 3, range(3), VatRate.percent(20), [1] * 3)
    GrossNet(gross=508, net=423)
    >>> gross
    [170, 169, 169]
    """
    parts = rate.parts_per_million
    total = sum([nets[index] for index in indices])
    if level is VatLevel.RATE:
        taxed = total + rdiv(total * parts, MILLION)
        apportion(gross, nets, indices, numerator=MILLION + parts, denominator=MILLION, target=taxed)
        return GrossNet(taxed, total)
    for index in indices:
        if level is VatLevel.LINE:
            gross[index] = gross_from_net(nets[index], rate)
        else:
            gross[index] = _by_unit(nets[index], quantities[index], partial(gross_from_net, rate=rate))
    return GrossNet(sum([gross[index] for index in indices]), total)


def _by_unit(amount: MinorUnits, quantity: int, convert: Callable[[MinorUnits], MinorUnits]) -> MinorUnits:
    """Convert a line unit by unit; after a discount some units are worth one minor unit more."""
    unit, dearer = divmod(amount, quantity)
    return dearer * convert(unit + 1) + (quantity - dearer) * convert(unit)
