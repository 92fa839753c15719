"""Exact conversion between text and minor units, without floats. Decisions §1.

Inside the library, an amount is a plain ``int`` of minor units (CHF 12.35 is 1235) and the currency is known
from the channel. ``Money`` combines an amount with its currency for input and output.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from faregate._values import public_value
from faregate.errors import CurrencyMismatch, InvalidAmount, InvalidRate
from faregate.money.currency import Currency, currency

MinorUnits: TypeAlias = int
"""An amount in the smallest unit of its currency."""

MILLION = 1_000_000
_PARTS_PER_PERCENT = 10_000

MAX_SLIPPED = 100
"""Rates from 1 to this number of parts per million are refused: 7 probably means 7 %, not 0.0007 %."""

_NUMBER = re.compile(
    r"(?P<sign>-?)(?P<whole>[0-9]+)(\.(?P<fraction>[0-9]+))?([eE](?P<exponent>[+-]?[0-9]{1,9}))?"
)
_LONGEST_NUMBER = 64

LARGEST_AMOUNT: MinorUnits = 10**12
"""Largest absolute value of an amount accepted as input, in minor units."""


@public_value
@dataclass(frozen=True, slots=True)
class Money:
    """An amount with its currency, for input and output.

    >>> Money.parse("12.35", "CHF")
    Money(amount=1235, currency=Currency(code='CHF', exponent=2, cash_increment=5))
    >>> str(Money.parse("-7", "JPY"))
    'JPY -7'
    """

    amount: MinorUnits
    currency: Currency

    @classmethod
    def parse(cls, text: str | int | Decimal, code: str) -> Money:
        """Parse *text*, in major units, as an amount of the currency *code*.

        Raises:
            UnknownCurrency: *code* is not an ISO 4217 currency.
            InvalidAmount: as in ``parse_minor_units``.
        """
        unit = currency(code)
        return cls(parse_minor_units(text, unit), unit)

    def plus(self, other: Money) -> Money:
        """Return the sum of both amounts.

        Raises:
            CurrencyMismatch: the currencies differ.
        """
        if other.currency.code != self.currency.code:
            raise CurrencyMismatch(expected=self.currency.code, actual=other.currency.code)
        return Money(self.amount + other.amount, self.currency)

    def __str__(self) -> str:
        return f"{self.currency.code} {format_minor_units(self.amount, self.currency)}"


def parse_minor_units(text: str | int | Decimal, unit: Currency) -> MinorUnits:
    """Convert an amount of the currency *unit* from major units to minor units.

    >>> parse_minor_units("49.5", currency("CHF")), parse_minor_units(3, currency("KWD"))
    (4950, 3000)

    Raises:
        InvalidAmount: the value is not a finite decimal number, is text with an exponent, has more decimals
            than the currency, or exceeds ``LARGEST_AMOUNT``. Floats and booleans are refused: pass text.
    """
    number = _decimal_number(text)
    if number is None:
        raise InvalidAmount(f"{_shown(text)} is not an amount")
    if isinstance(text, str) and "e" in text.lower():
        raise InvalidAmount(f"{text!r} has an exponent: write the amount in full")
    amount = _scaled(number, unit.exponent)
    if amount is None:
        raise InvalidAmount(f"{text} has more decimals than {unit.code}, which has {unit.exponent}")
    if abs(amount) > LARGEST_AMOUNT:
        raise InvalidAmount(f"{text} exceeds the limit of {LARGEST_AMOUNT} minor units")
    return amount


def format_minor_units(amount: MinorUnits, unit: Currency) -> str:
    """Format an amount in major units, with all decimals of the currency.

    >>> format_minor_units(-5, currency("CHF")), format_minor_units(1235, currency("KWD"))
    ('-0.05', '1.235')
    """
    if not unit.exponent:
        return str(amount)
    sign = "-" if amount < 0 else ""
    whole, fraction = divmod(abs(amount), 10**unit.exponent)
    return f"{sign}{whole}.{fraction:0{unit.exponent}}"


def format_amount(amount: MinorUnits, unit: Currency | None) -> str:
    """Format an amount in major units or, if *unit* is None, in minor units.

    >>> format_amount(1235, currency("CHF")), format_amount(1235, None)
    ('12.35', '1235')
    """
    return str(amount) if unit is None else format_minor_units(amount, unit)


def parts_per_million(percent: str | int | Decimal | Fraction) -> int:
    """Convert *percent* to parts per million, without rounding.

    >>> parts_per_million("8.1"), parts_per_million(20)
    (81000, 200000)

    Raises:
        InvalidRate: *percent* is not a number, is a float, or is not a whole number of parts per million.
    """
    if isinstance(percent, Fraction):
        parts, rest = divmod(percent.numerator * _PARTS_PER_PERCENT, percent.denominator)
        if rest:
            raise InvalidRate(f"{percent} % is not a whole number of parts per million")
        return parts
    number = _decimal_number(percent)
    if number is None:
        advice = f": a float is not exact, write '{percent}'" if isinstance(percent, float) else ""
        raise InvalidRate(f"{_shown(percent)} is not a percentage{advice}")
    scaled = _scaled(number, 4)
    if scaled is None:
        raise InvalidRate(f"{percent} % is not a whole number of parts per million")
    return scaled


def slipped(name: str, parts: int) -> str:
    """Return the message for a rate of class *name* that is probably in percent, not in parts per million.

    >>> slipped("VatRate", 7)
    'parts_per_million is 7, which is 0.0007 %: for 7 % write VatRate.percent(7)'
    """
    return (
        f"parts_per_million is {parts}, which is {format_percent(parts)} %: "
        f"for {parts} % write {name}.percent({parts})"
    )


def format_percent(parts: int) -> str:
    """Format parts per million as percent, without trailing zeros.

    >>> format_percent(81_000), format_percent(200_000)
    ('8.1', '20')
    """
    whole, fraction = divmod(parts, _PARTS_PER_PERCENT)
    return f"{whole}.{fraction:04}".rstrip("0").rstrip(".")


def _scaled(number: tuple[int, int], power: int) -> int | None:
    """Return *number*, given as (digits, power of ten), times 10^power; None if the result is not whole."""
    digits, own_power = number
    if own_power + power < 0:
        return None
    # A larger power is out of range anyway, and must not use up the memory.
    return digits * int(10 ** min(own_power + power, _LONGEST_NUMBER))


def _shown(value: object) -> str:
    """Return *value* as text for a message; Python refuses to print ints with thousands of digits."""
    is_endless = isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER * 4
    return "a number with too many digits" if is_endless else repr(value)


def _decimal_number(value: object) -> tuple[int, int] | None:
    """Return (digits, power) such that *value* is digits x 10^power; None if it is not a finite number."""
    if isinstance(value, (bool, float)) or not isinstance(value, (str, int, Decimal)):
        return None
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER * 4:
        return None
    text = str(value)
    match = _NUMBER.fullmatch(text) if len(text) <= _LONGEST_NUMBER else None
    if match is None:
        return None
    sign, whole, fraction, exponent = match.group("sign", "whole", "fraction", "exponent")
    significant = (whole + (fraction or "")).rstrip("0")
    if not significant:
        return 0, 0
    power = int(exponent or 0) + len(whole) - len(significant)
    return int(f"{sign}{significant}"), power
