"""Conversion of amounts and numbers from and to the text that people type and read."""

from decimal import Decimal
from fractions import Fraction

from faregate.errors import InvalidAmount, InvalidInput, UnknownCurrency
from faregate.money.amounts import MinorUnits, format_minor_units, parse_minor_units
from faregate.money.currency import Currency, currency
from faregate.money.rounding import round_half_even


def read_currency(text: str) -> Currency:
    """Return the currency whose ISO 4217 code is *text*.

    Raises:
        InvalidInput: the code is unknown.
    """
    try:
        return currency(text)
    except UnknownCurrency as error:
        raise InvalidInput(f"{error}; expected an ISO 4217 code such as CHF") from None


def read_price(unit: Currency, text: str) -> MinorUnits:
    """Convert *text*, an amount in major units of *unit*, to minor units.

    >>> read_price(currency("CHF"), "69.50")
    6950

    Raises:
        InvalidAmount: the text is not an amount, or the amount is below 0 or too large.
    """
    amount = parse_minor_units(text, unit)
    if amount < 0:
        raise InvalidAmount(f"expected at least 0, got {format_minor_units(amount, unit)}")
    return amount


def rounded(number: Fraction, decimals: int) -> Decimal:
    """Return *number* rounded to *decimals* decimal places, half to even.

    >>> from fractions import Fraction
    >>> rounded(Fraction(5, 8), 2)
    Decimal('0.62')
    """
    return Decimal(round_half_even(number * 10**decimals)).scaleb(-decimals)


def counted(number: int, noun: str) -> str:
    """Return *number* followed by *noun*, with a plural s unless the number is 1.

    >>> counted(1, "price"), counted(1200, "price")
    ('1 price', '1,200 prices')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
