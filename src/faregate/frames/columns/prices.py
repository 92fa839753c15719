"""A column of prices and how its values are read as minor units, exactly or by a rule that was asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

import narwhals.stable.v2 as nw

from faregate.arguments.checks import option
from faregate.errors import InvalidAmount, UnknownCurrency
from faregate.money.amounts import LARGEST_AMOUNT, parse_minor_units
from faregate.money.currency import Currency, as_currency, currency
from faregate.money.rounding import RoundingMode, divide_rounded

if TYPE_CHECKING:
    from faregate.money.amounts import MinorUnits

Value: TypeAlias = int | float | Decimal | str | None
"""What a cell of a column of prices holds."""


class Negatives(Enum):
    """What becomes of prices below 0, as refunds are."""

    REFUSED = "refused"
    ALLOWED = "allowed"


BELOW_0 = "below 0"
"""The fault of a refund, where refunds are not allowed."""


class PriceUnit(Enum):
    """The unit of whole numbers beside a currency: 6900 is CHF 69.00 in minor units, CHF 6900.00 in major."""

    MINOR = "minor"
    MAJOR = "major"


@dataclass(frozen=True, slots=True)
class PriceColumn:
    """The column *name*, and how its prices are read.

    Without a currency prices are ints of minor units. Beside one, decimals, texts and binary fractions
    (float64) are major units, and ints need a *unit*. A number has no more decimals than the currency, unless
    a *rounding* is named; binary fractions always need one: each stands for the shortest decimal that gives
    it, the one that is printed, and that is rounded once. So an amount of up to 15 digits that was read into
    a float comes back as it was written; what a sum of floats lost is lost.

    Raises:
        InvalidOption: *unit*, *rounding* or *negatives* is none of its options.
    """

    name: str
    currency: Currency | str | None = None
    """Of all prices, such as ``"CHF"``."""
    currency_column: str | None = None
    """The column with the code of each price; one code only, unless it is one of the groups' columns."""
    unit: PriceUnit | None = None
    """Of ints beside a currency: minor or major units."""
    rounding: RoundingMode | None = None
    """For what has more decimals than the currency; without it such prices are refused."""
    negatives: Negatives = Negatives.REFUSED
    """Treatment of prices below 0: refused, or counted as refunds."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "negatives", option(Negatives, self.negatives, "negatives"))
        if self.unit is not None:
            object.__setattr__(self, "unit", option(PriceUnit, self.unit, "unit"))
        if self.rounding is not None:
            object.__setattr__(self, "rounding", option(RoundingMode, self.rounding, "rounding"))

    @property
    def stated_currency(self) -> Currency | None:
        """The currency of all prices, if it was said.

        Raises:
            UnknownCurrency: there is none of that code.
        """
        return None if self.currency is None else as_currency(self.currency)

    @property
    def has_currency(self) -> bool:
        """Return whether the prices have a currency, one for all or one for each."""
        return self.currency is not None or self.currency_column is not None


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


class FaultyValue(NamedTuple):
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

    def read(self, value: Value, code: str | None = None) -> MinorUnits | FaultyValue:
        """The amount that *value* is, in the currency *code* if the frame has a column of them."""
        unit = self._unit(code)
        if isinstance(unit, FaultyValue):
            return unit
        if value is None or value != value:  # noqa: PLR0124  # NaN, which pandas cannot tell from null
            return self._fault("null or NaN")
        amount = self._amount(value, unit)
        return amount if isinstance(amount, FaultyValue) else self._in_bounds(amount, value)

    def _unit(self, code: str | None) -> Currency | FaultyValue:
        own = self.column.currency_column
        if own is None:
            return self.column.stated_currency or _UNNAMED
        if code is None:
            return FaultyValue(own, "null or NaN")
        if self.only not in {None, code}:
            return FaultyValue(own, f"not {self.only}", code)
        try:
            return currency(code)
        except UnknownCurrency as unknown:
            return FaultyValue(own, "no currency", str(unknown))

    def _amount(self, value: float | Decimal | str, unit: Currency) -> MinorUnits | FaultyValue:
        match self.kind:
            case Kind.MINOR_UNITS:
                return int(value)
            case Kind.MAJOR_UNITS:
                return self._exact(value, unit)
            case Kind.BINARY_FRACTIONS:
                return self._binary(value, unit)
            case _:
                assert_never(self.kind)

    def _exact(self, value: float | Decimal | str, unit: Currency) -> MinorUnits | FaultyValue:
        text = str(value)
        try:
            return parse_minor_units(text, unit)
        except InvalidAmount as wrong:
            if self.column.rounding is not None and _WITH_DECIMALS.fullmatch(text):
                return self._rounded(text, unit, self.column.rounding)
            return self._fault(f"no amount of {unit.code}", str(wrong))

    def _binary(self, value: float | Decimal | str, unit: Currency) -> MinorUnits | FaultyValue:
        if value in _INFINITE:
            return self._fault("infinite", str(value))
        return self._rounded(repr(value), unit, self.column.rounding or RoundingMode.HALF_UP)

    def _rounded(self, text: str, unit: Currency, rounding: RoundingMode) -> MinorUnits:
        exact = Fraction(text) * int(10**unit.exponent)
        return divide_rounded(*exact.as_integer_ratio(), mode=rounding)

    def _in_bounds(self, amount: MinorUnits, value: object) -> MinorUnits | FaultyValue:
        if amount < 0 and self.column.negatives is Negatives.REFUSED:
            return self._fault(BELOW_0, str(value))
        if abs(amount) > LARGEST_AMOUNT:
            return self._fault(f"beyond {LARGEST_AMOUNT} minor units", str(value))
        return amount

    def _fault(self, what: str, detail: str = "") -> FaultyValue:
        return FaultyValue(self.column.name, what, detail)


_UNNAMED = Currency("minor units", exponent=0, cash_increment=1)
_WITH_DECIMALS = re.compile(r"[+-]?\d{1,16}\.\d{1,40}")
_INFINITE = {Decimal("Infinity"), Decimal("-Infinity")}
