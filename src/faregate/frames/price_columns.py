"""A column of prices and how its values are read as minor units, exactly or by a rule that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypedDict, assert_never

import narwhals.stable.v2 as nw

from faregate.currency import Currency, currency
from faregate.errors import InvalidAmount, UnknownCurrency
from faregate.money import LARGEST_AMOUNT, parse_minor_units
from faregate.rounding import RoundingMode, divide

if TYPE_CHECKING:
    from faregate.money import MinorUnits

__all__ = ["Fault", "Kind", "Negatives", "PriceColumn", "PriceReader", "Reading", "Value", "kind_of"]

Value: TypeAlias = int | float | Decimal | str | None
"""What a cell of a column of prices holds."""


class Negatives(Enum):
    """What becomes of prices below 0, as refunds are."""

    REFUSED = "refused"
    ALLOWED = "allowed"


class Reading(TypedDict, total=False):
    """How a column of prices is read, where it is not whole minor units of one currency.

    Columns of ints are minor units, and refused where *currency* names one that has decimals: 69 may be meant
    as 69.00. Decimals and texts are major units of a currency, with no more decimals than it has. Binary
    fractions (float64) need a rounding as well: each stands for the shortest decimal that gives it, the one
    that is printed, and that is rounded once. So an amount of up to 15 digits that was read into a float
    comes back as it was written; what a sum of floats lost is lost.
    """

    currency: Currency | str | None
    """Of all prices, such as ``"CHF"``; they are in major units then."""
    currency_column: str | None
    """The column that has the code of each price; one code only, unless it is one of the groups' columns.

    Beside it ints are minor units.
    """
    rounding: RoundingMode | None
    """For binary fractions; without it they are refused."""
    negatives: Negatives
    """Refused unless allowed."""


@dataclass(frozen=True, slots=True)
class PriceColumn:
    """The column *name* with the options of ``Reading``."""

    name: str
    currency: Currency | str | None = None
    currency_column: str | None = None
    rounding: RoundingMode | None = None
    negatives: Negatives = Negatives.REFUSED

    @property
    def unit(self) -> Currency | None:
        """The currency of all prices, if it was said.

        Raises:
            UnknownCurrency: there is none of that code.
        """
        return currency(self.currency) if isinstance(self.currency, str) else self.currency


class Kind(Enum):
    """What the type of a column says of the numbers in it."""

    MINOR_UNITS = "ints"
    MAJOR_UNITS = "decimals or texts"
    BINARY_FRACTIONS = "float64"


def kind_of(dtype: nw.dtypes.DType) -> Kind | None:
    """How a column of *dtype* can be read; None: not at all.

    A float32 is none: seven digits are not enough for prices.
    """
    if dtype.is_integer():
        return Kind.MINOR_UNITS
    if dtype in {nw.String, nw.Object} or isinstance(dtype, nw.Decimal):
        return Kind.MAJOR_UNITS
    return Kind.BINARY_FRACTIONS if dtype == nw.Float64 else None


class Fault(NamedTuple):
    """What is wrong with a price: the column it is in, what is the case there, and this one's own value."""

    column: str
    what: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PriceReader:
    """Reads the values of a column of one kind, all of the currency *only* if there can be only one."""

    column: PriceColumn
    kind: Kind
    only: str | None

    def read(self, value: Value, code: str | None = None) -> MinorUnits | Fault:
        """The amount that *value* is, in the currency *code* if the frame has a column of them."""
        unit = self._unit(code)
        if isinstance(unit, Fault):
            return unit
        if value is None or value != value:  # noqa: PLR0124  # NaN, which pandas cannot tell from null
            return self._fault("null or NaN")
        amount = self._amount(value, unit)
        return amount if isinstance(amount, Fault) else self._in_bounds(amount)

    def _unit(self, code: str | None) -> Currency | Fault:
        own = self.column.currency_column
        if own is None:
            return self.column.unit or _UNNAMED
        if code is None:
            return Fault(own, "null or NaN")
        if self.only not in {None, code}:
            return Fault(own, f"not {self.only}", code)
        try:
            return currency(code)
        except UnknownCurrency as unknown:
            return Fault(own, "no currency", str(unknown))

    def _amount(self, value: float | Decimal | str, unit: Currency) -> MinorUnits | Fault:
        match self.kind:
            case Kind.MINOR_UNITS:
                return int(value)
            case Kind.MAJOR_UNITS:
                return self._exact(value, unit)
            case Kind.BINARY_FRACTIONS:
                return self._rounded(value, unit)
            case _:
                assert_never(self.kind)

    def _exact(self, value: float | Decimal | str, unit: Currency) -> MinorUnits | Fault:
        try:
            return parse_minor_units(str(value), unit)
        except InvalidAmount as wrong:
            return self._fault(f"no amount of {unit.code}", str(wrong))

    def _rounded(self, value: float | Decimal | str, unit: Currency) -> MinorUnits | Fault:
        if value in _INFINITE:
            return self._fault("infinite", str(value))
        exact = Fraction(repr(value)) * int(10**unit.exponent)
        return divide(*exact.as_integer_ratio(), mode=self.column.rounding or RoundingMode.HALF_UP)

    def _in_bounds(self, amount: MinorUnits) -> MinorUnits | Fault:
        if amount < 0 and self.column.negatives is Negatives.REFUSED:
            return self._fault("below 0", str(amount))
        if abs(amount) > LARGEST_AMOUNT:
            return self._fault(f"beyond {LARGEST_AMOUNT} minor units", str(amount))
        return amount

    def _fault(self, what: str, detail: str = "") -> Fault:
        return Fault(self.column.name, what, detail)


_UNNAMED = Currency("minor units", exponent=0, cash_increment=1)
_INFINITE = {Decimal("Infinity"), Decimal("-Infinity")}
