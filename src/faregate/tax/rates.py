"""Value-added tax: rates, and conversion between gross and net amounts of lines. Decisions §4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, StrEnum
from fractions import Fraction
from math import gcd
from typing import NamedTuple, cast

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked, option
from faregate.errors import InvalidRate
from faregate.money.allocation import raise_largest
from faregate.money.amounts import (
    MAX_SLIPPED,
    MILLION,
    MinorUnits,
    format_percent,
    parts_per_million,
    slipped,
)
from faregate.money.rounding import RoundingMode, divide_rounded


class VatLevel(Enum):
    """Level at which the tax is rounded."""

    RATE = "rate"
    """Once per rate over the whole checkout; the net amount is then allocated to the lines."""
    LINE = "line"
    """Once per line."""
    UNIT = "unit"
    """Once per unit; the rounded tax is multiplied by the quantity."""


class Tie(Enum):
    """The part of a gross amount that is computed and rounded (tax or net); the other is the remainder.

    The two results differ only for an exact half: 2.99 at 4 % is 2.87 + 0.12 with TAX, 2.88 + 0.11 with NET.
    """

    TAX = "tax"
    NET = "net"


_TAX = Tie.TAX


class VatCategory(StrEnum):
    """The VAT category codes (BT-118) of EN 16931 that ticketing needs."""

    S = "S"
    """Standard: taxed above 0 %, including reduced rates."""
    Z = "Z"
    """Zero rated: taxed at 0 %."""
    E = "E"
    """Exempt from tax."""
    AE = "AE"
    """Reverse charge: the customer owes the tax."""
    O = "O"  # noqa: E741  # the code of the standard
    """Outside the scope of tax."""

    @property
    def needs_reason(self) -> bool:
        """True for E, AE and O: for these, an invoice must state why no tax is charged."""
        return self not in (VatCategory.S, VatCategory.Z)


class Conversion(NamedTuple):
    """Conversion between gross and net: an amount times *numerator* / *denominator*, rounded once.

    *half* is the denominator if exact halves are rounded up, and one less if they are rounded down. They are
    rounded down for ``Tie.TAX``, because the net is what remains after subtracting a tax rounded half up.
    """

    numerator: int
    denominator: int
    half: int

    def __call__(self, amount: MinorUnits) -> MinorUnits:
        """Convert *amount*, which must be at least 0."""
        return (2 * amount * self.numerator + self.half) // (2 * self.denominator)


@public_value
@dataclass(frozen=True, slots=True, order=True, kw_only=True)
@checked(InvalidRate, parts_per_million=Whole(0, MILLION), category=VatCategory | None)
class VatRate:
    """VAT rate in whole parts per million: 8.1 % is 81 000.

    Rates with the same percentage but different categories are unequal, although they give the same tax.

    >>> VatRate.percent("8.1")
    VatRate(parts_per_million=81000)
    >>> str(VatRate(parts_per_million=81_000))
    '8.1 %'
    >>> VatRate.percent(4).to_net(299), VatRate.percent(4).to_net_rounded(299)
    (287, 288)
    >>> VatRate(parts_per_million=0, category=VatCategory.E, reason="Museum")
    VatRate(parts_per_million=0, category='E', reason='Museum')

    Raises:
        InvalidRate: the rate is not a whole number from 0 to 1 000 000, or is from 1 to 100 and therefore
            looks like a percentage; the category does not fit the rate; or S or Z is given a reason.
    """

    parts_per_million: int
    category: VatCategory = field(default=cast("VatCategory", None), hash=False)
    """VAT category: always S for a rate above 0; Z, E, AE or O for a rate of 0, by default Z."""
    reason_code: str = field(default="", hash=False)
    """VATEX code of the reason for category E, AE or O (BT-121)."""
    reason: str = field(default="", hash=False)
    """Reason in words for category E, AE or O (BT-120)."""
    to_net: Conversion = field(init=False, repr=False, compare=False)
    """Conversion from gross to net with the tax rounded (``Tie.TAX``); at 8.1 %, it divides by 1081/1000."""
    to_net_rounded: Conversion = field(init=False, repr=False, compare=False)
    """Conversion from gross to net with the net rounded (``Tie.NET``)."""
    to_gross: Conversion = field(init=False, repr=False, compare=False)
    """Conversion from net to gross."""

    def __post_init__(self) -> None:
        parts = self.parts_per_million
        if 0 < parts <= MAX_SLIPPED:
            raise InvalidRate(slipped("VatRate", parts))
        self._categorize()
        common = gcd(MILLION, parts)
        net, gross = MILLION // common, (MILLION + parts) // common
        object.__setattr__(self, "to_net", Conversion(net, gross, gross - 1))
        object.__setattr__(self, "to_net_rounded", Conversion(net, gross, gross))
        object.__setattr__(self, "to_gross", Conversion(gross, net, net))

    def _categorize(self) -> None:
        """Set the default category if none is given; check that category, rate and reason fit together."""
        is_taxed = self.parts_per_million > 0
        if not self.category:
            object.__setattr__(self, "category", VatCategory.S if is_taxed else VatCategory.Z)
        elif is_taxed is not (self.category is VatCategory.S):
            expected = "S" if is_taxed else "Z, E, AE or O"
            raise InvalidRate(f"a rate of {self} needs category {expected}, got {self.category}")
        if not self.category.needs_reason and (self.reason_code or self.reason):
            raise InvalidRate(
                f"a rate of category {self.category} takes no reason, got "
                f"{self.reason_code or self.reason!r}: give category E, AE or O, or leave the reason out"
            )

    def __repr__(self) -> str:
        category = str(self.category) if self.category.needs_reason else ""
        details = {"category": category, "reason_code": self.reason_code, "reason": self.reason}
        shown = [f", {name}={value!r}" for name, value in details.items() if value]
        return f"VatRate(parts_per_million={self.parts_per_million}{''.join(shown)})"

    @classmethod
    def percent(cls, percent: str | int | Decimal | Fraction) -> VatRate:
        """Return the rate of exactly *percent* percent; a float is refused.

        Raises:
            InvalidRate: *percent* is not a number from 0 to 100 in whole parts per million.
        """
        return cls(parts_per_million=parts_per_million(percent))

    def __str__(self) -> str:
        return f"{format_percent(self.parts_per_million)} %"


@public_value
class GrossNet(NamedTuple):
    """One amount with and without tax.

    >>> GrossNet(gross=10810, net=10000).vat
    810
    """

    gross: MinorUnits
    net: MinorUnits

    @property
    def vat(self) -> MinorUnits:
        """Tax included in ``gross``."""
        return self.gross - self.net


class VatAmount(NamedTuple):
    """One row of the VAT breakdown: ``net`` is the tax base.

    The breakdown of a checkout has one row per percentage: all categories at 0 % share a row, which shows the
    rate of the line with the lowest key.
    """

    rate: VatRate
    net: MinorUnits
    vat: MinorUnits
    gross: MinorUnits


def net_from_gross(
    gross: MinorUnits, rate: VatRate, *, mode: RoundingMode = RoundingMode.HALF_UP, tie: Tie = Tie.TAX
) -> MinorUnits:
    """Return the net amount in *gross*; by default, the tax is rounded and the net is the remainder.

    >>> net_from_gross(9999, VatRate.percent(19))
    8403
    >>> net_from_gross(299, VatRate.percent(4)), net_from_gross(299, VatRate.percent(4), tie=Tie.NET)
    (287, 288)

    Raises:
        InvalidOption: *mode* or *tie* is unknown.
    """
    if tie is not _TAX:
        tie = option(Tie, tie, "tie")
    taxed = MILLION + rate.parts_per_million
    if tie is Tie.NET:
        return divide_rounded(gross * MILLION, taxed, mode=mode)
    return gross - divide_rounded(gross * rate.parts_per_million, taxed, mode=mode)


def gross_from_net(
    net: MinorUnits, rate: VatRate, *, mode: RoundingMode = RoundingMode.HALF_UP
) -> MinorUnits:
    """Return *net* plus the tax on it; the tax is rounded once.

    >>> gross_from_net(324, VatRate.percent(19))
    386
    """
    return net + divide_rounded(net * rate.parts_per_million, MILLION, mode=mode)


def allocate_net(
    amounts: Sequence[MinorUnits], others: list[MinorUnits], indices: Sequence[int], conversion: Conversion
) -> tuple[MinorUnits, MinorUnits]:
    """Convert the *amounts* at *indices*, write the results into *others*, and return both sums.

    The lines at *indices* share one rate, and their sum is converted once. Each converted amount is rounded
    down; those with the largest remainders get one unit more, so that they add up to the converted sum.

    >>> net = [0] * 5
    >>> allocate_net([10000] * 5, net, range(5), VatRate.percent(19).to_net)
    (50000, 42017)
    >>> net
    [8404, 8404, 8403, 8403, 8403]
    """
    numerator, denominator, half = conversion
    if len(indices) == 1:
        amount = amounts[indices[0]]
        other = others[indices[0]] = (2 * amount * numerator + half) // (2 * denominator)
        return amount, other
    # Scaling both by the number of lines keeps the quotients and makes room for an index in the remainders.
    scale, divisor = numerator * len(amounts), denominator * len(amounts)
    total = floors = 0
    keys = []
    for index in indices:
        amount = amounts[index]
        total += amount
        amount *= scale
        keys.append(amount % divisor - index)
        amount //= divisor
        others[index] = amount
        floors += amount
    other = (2 * total * numerator + half) // (2 * denominator)
    if other != floors:
        raise_largest(others, keys, other - floors)
    return total, other


def convert_lines(
    amounts: Sequence[MinorUnits],
    others: list[MinorUnits],
    indices: Sequence[int],
    conversion: Conversion,
    quantities: Sequence[int] | None,
) -> tuple[MinorUnits, MinorUnits]:
    """Convert like ``allocate_net``, but round per line or, if *quantities* are given, per unit."""
    for index in indices:
        if quantities is None:
            others[index] = conversion(amounts[index])
        else:
            # After a discount, some units may cost one minor unit more than the others.
            unit, dearer = divmod(amounts[index], quantities[index])
            plain = quantities[index] - dearer
            others[index] = dearer * conversion(unit + 1) + plain * conversion(unit)
    return sum([amounts[index] for index in indices]), sum([others[index] for index in indices])
