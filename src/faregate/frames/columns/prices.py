"""Reading of price columns as minor units, either exactly or with a given rounding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, assert_never

import narwhals.stable.v2 as nw

from faregate.arguments.checks import option
from faregate.errors import InvalidAmount, UnknownCurrency
from faregate.money.amounts import LARGEST_AMOUNT, MinorUnits, parse_minor_units
from faregate.money.currency import Currency, as_currency, currency
from faregate.money.rounding import RoundingMode, divide_rounded

Value: TypeAlias = int | float | Decimal | str | None
"""Value of a cell in a column of prices."""


class Negatives(Enum):
    """Treatment of prices below 0, such as refunds."""

    REFUSED = "refused"
    ALLOWED = "allowed"


class Nulls(Enum):
    """Treatment of rows whose price is null or NaN."""

    REFUSED = "refused"
    LEFT_OUT = "left_out"
    """The row is not counted, whatever its currency and its count are."""


class OnError(Enum):
    """Treatment of faulty values by functions that return a table."""

    RAISE = "raise"
    RETURN = "return"
    """All faulty rows are returned as a frame with the columns row, column and fault."""


BELOW_0 = "below 0"
"""Name of the fault of negative prices, which is reported unless refunds are allowed."""

NULL = "null or NaN"
"""Name of the fault of null values."""

_TOO_MANY = 2**63


class PriceUnit(Enum):
    """Unit of integer prices: 6900 means CHF 69.00 in minor units but CHF 6900.00 in major units."""

    MINOR = "minor"
    MAJOR = "major"


@dataclass(frozen=True, slots=True)
class PriceColumn:
    """A column of prices and the options for reading it.

    Without a currency, prices are ints in minor units. With a currency, decimals, strings and binary
    fractions (float64) are in major units, and ints need a *unit*. Numbers may not have more decimals than
    the currency unless a *rounding* is given. Binary fractions always need a rounding: each is read as the
    shortest decimal that represents it, as it is printed, and then rounded once. Amounts of up to 15 digits
    that were stored as floats are thus recovered exactly, but rounding errors in sums of floats remain.

    Raises:
        InvalidOption: *unit*, *rounding*, *negatives* or *nulls* is not a valid option.
    """

    name: str
    currency: Currency | str | None = None
    """Currency of all prices, such as ``"CHF"``."""
    currency_column: str | None = None
    """Column with the currency code of each price; codes may differ only if prices are grouped by it."""
    unit: PriceUnit | None = None
    """Unit of integer prices that have a currency: minor or major."""
    rounding: RoundingMode | None = None
    """Rounding of prices with more decimals than the currency; if it is None, such prices are refused."""
    negatives: Negatives = Negatives.REFUSED
    """Treatment of prices below 0: refused, or counted as refunds."""
    nulls: Nulls = Nulls.REFUSED
    """Treatment of null prices: refused, or left out."""
    count: str | None = None
    """Column with the number of times that each price was observed, as ``price_counts`` returns it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "nulls", option(Nulls, self.nulls, "nulls"))
        object.__setattr__(self, "negatives", option(Negatives, self.negatives, "negatives"))
        if self.unit is not None:
            object.__setattr__(self, "unit", option(PriceUnit, self.unit, "unit"))
        if self.rounding is not None:
            object.__setattr__(self, "rounding", option(RoundingMode, self.rounding, "rounding"))

    @property
    def stated_currency(self) -> Currency | None:
        """Currency of all prices, or None if no common currency was given.

        Raises:
            UnknownCurrency: the code is unknown.
        """
        return None if self.currency is None else as_currency(self.currency)

    @property
    def has_currency(self) -> bool:
        """True if the prices have a currency, either one for all prices or one for each."""
        return self.currency is not None or self.currency_column is not None


class Kind(Enum):
    """Kind of a price column: ints in minor units, decimals or strings in major units, or floats."""

    MINOR_UNITS = "ints"
    MAJOR_UNITS = "decimals or strings"
    BINARY_FRACTIONS = "float64"


def kind_of(dtype: nw.dtypes.DType) -> Kind | None:
    """Return the kind of a price column of type *dtype*, or None if it cannot be read.

    Float32 columns cannot be read, since seven digits are not enough for prices.
    """
    if dtype.is_integer():
        return Kind.MINOR_UNITS
    if dtype in {nw.String, nw.Object} or isinstance(dtype, nw.Decimal):
        return Kind.MAJOR_UNITS
    return Kind.BINARY_FRACTIONS if dtype == nw.Float64 else None


class FaultyValue(NamedTuple):
    """A faulty value: its column, a description of the fault (``what``), and a detail such as the value."""

    column: str
    what: str
    detail: str = ""


class Observed(NamedTuple):
    """A price in minor units, and the number of times that it was observed."""

    price: MinorUnits
    times: int


@dataclass(frozen=True, slots=True)
class PriceReader:
    """Reads a price column; *only* is the code of the only allowed currency, None if currencies may vary."""

    column: PriceColumn
    kind: Kind
    only: str | None

    def observed(
        self, value: Value, code: str | None = None, count: int | None = 1
    ) -> Observed | FaultyValue | None:
        """Return *value* and *count* as read, or the fault of one; None for a null that is left out."""
        if is_left_out(value, self.column):
            return None
        amount = self.read(value, code)
        if isinstance(amount, FaultyValue):
            return amount
        fault = _fault_of_count(count)
        return FaultyValue(str(self.column.count), *fault) if fault else Observed(amount, int(count or 0))

    def ints(self, cells: Sequence[tuple[Any, ...]]) -> list[Observed | FaultyValue | None] | None:
        """Return *cells*, each a value, as read if all are valid ints in minor units, or else None."""
        values = [value for (value,) in cells]
        if self.kind is not Kind.MINOR_UNITS or None in values:
            return None
        least = 0 if self.column.negatives is Negatives.REFUSED else -LARGEST_AMOUNT
        is_valid = least <= min(values, default=0) and max(values, default=0) <= LARGEST_AMOUNT
        return [Observed(value, 1) for value in values] if is_valid else None

    def read(self, value: Value, code: str | None = None) -> MinorUnits | FaultyValue:
        """Return *value* in minor units, or its fault; *code* is its currency code, if given per price."""
        unit = self._unit(code)
        if isinstance(unit, FaultyValue):
            return unit
        if value is None or _is_nan(value):
            return self._fault(NULL)
        amount = self._amount(value, unit)
        return amount if isinstance(amount, FaultyValue) else self._in_bounds(amount, value)

    def _unit(self, code: str | None) -> Currency | FaultyValue:
        own = self.column.currency_column
        if own is None:
            return self.column.stated_currency or _UNNAMED
        if code is None:
            return FaultyValue(own, NULL)
        if self.only not in {None, code}:
            return FaultyValue(own, f"not {self.only}", code)
        try:
            return currency(code)
        except UnknownCurrency as unknown:
            return FaultyValue(own, "not a currency", str(unknown))

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
            return self._fault(f"not an amount of {unit.code}", str(wrong))

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


def is_left_out(value: Value, column: PriceColumn) -> bool:
    """Return True if the price *value* is null and *column* leaves such prices out."""
    return column.nulls is Nulls.LEFT_OUT and (value is None or _is_nan(value))


def _is_nan(value: object) -> bool:
    """Return True for NaN, which pandas cannot tell from null."""
    return value != value  # noqa: PLR0124


def _fault_of_count(count: int | None) -> tuple[str, str] | None:
    if count is None:
        return NULL, ""
    if count < 0:
        return "a negative count", str(count)
    return ("a count of 2^63 or more", str(count)) if count >= _TOO_MANY else None


_UNNAMED = Currency("minor units", exponent=0, cash_increment=1)
_WITH_DECIMALS = re.compile(r"[+-]?\d{1,16}\.\d{1,40}")
_INFINITE = {Decimal("Infinity"), Decimal("-Infinity")}
