"""Currencies and prices as people write them: in a call, or in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.errors import InvalidAmount, InvalidInput, UnknownCurrency
from faregate.money.amounts import LARGEST_AMOUNT, format_minor_units, parse_minor_units
from faregate.money.currency import Currency, currency

if TYPE_CHECKING:
    from decimal import Decimal

    from faregate.money.amounts import MinorUnits

__all__ = ["checked_price", "read_currency", "read_price"]


def read_currency(word: str) -> Currency:
    """The currency of a code.

    Raises:
        InvalidInput: there is none.
    """
    try:
        return currency(word)
    except UnknownCurrency as error:
        raise InvalidInput(f"{error}; codes are those of ISO 4217, as in CHF") from None


def read_price(unit: Currency, value: str | Decimal) -> MinorUnits:
    """An amount in major units, as minor ones.

    >>> read_price(currency("CHF"), "69.50")
    6950

    Raises:
        InvalidAmount: it is none, or below 0.
    """
    return checked_price(unit, parse_minor_units(value, unit))


def checked_price(unit: Currency, amount: MinorUnits) -> MinorUnits:
    """*amount*, unless it can be no price.

    Raises:
        InvalidAmount: it is below 0, or too large.
    """
    if amount < 0:
        raise InvalidAmount(f"expected at least 0, got {format_minor_units(amount, unit)}")
    if amount > LARGEST_AMOUNT:
        raise InvalidAmount(f"{amount} is beyond {LARGEST_AMOUNT} minor units")
    return amount
