"""Currencies: minor units according to ISO 4217, and the steps in which cash is paid. Decisions §1 and §5.

Cash steps come from an independent table, the ``fractions`` of the Unicode CLDR (supplemental currency data,
release 47), read as specified in UTS #35, part 3: the step is ``cashRounding`` (0 counts as 1) in units of
``10 ** -cashDigits``; if either is absent, ``rounding`` and ``digits`` take their place. The step is at least
one minor unit of ISO 4217. A currency whose decimals are no longer used (AFN, IDR, RSD) is therefore paid in
whole units.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from faregate._values import public_value
from faregate.errors import UnknownCurrency
from faregate.money._iso4217 import MINOR_UNITS, WITHDRAWN, WITHOUT_MINOR_UNIT

# HUF: whole forint, as in release 47. Release 48 says 500, and so do the coins: since 2008-03-01 Hungary
# rounds cash to 5 forint. For all other codes the two releases agree. The table has no step for AUD
# (5 in practice) and NZD (10); EUR has no common step, although some of its countries round to 5.
_CASH_STEPS = {
    5: "CAD CHF",
    50: "DKK",
    100: """
        AFN ALL AMD COP CRC CZK GYD HUF IDR IRR KPW LAK LBP MGA
        MMK MNT MUR NOK PKR RSD SEK SOS SYP TWD TZS UZS YER
    """,
    1000: "IQD",
}


@public_value
@dataclass(frozen=True, slots=True)
class Currency:
    """An active ISO 4217 currency or fund.

    If the cash step used in practice differs from the table, replace it:

    >>> from dataclasses import replace
    >>> replace(currency("HUF"), cash_increment=500)
    Currency(code='HUF', exponent=2, cash_increment=500)
    """

    code: str
    """Three upper-case letters."""
    exponent: int
    """Number of decimals: 0, 2, 3 or 4."""
    _: KW_ONLY
    cash_increment: int
    """Smallest step of a cash payment, in minor units; 1 for currencies without a cash step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnCurrency:
    """A code that ISO 4217 has withdrawn; to read old amounts, make a currency from it.

    >>> old = withdrawn_currency("BGN")
    >>> old
    WithdrawnCurrency(code='BGN', name='Bulgarian Lev', exponent=2, withdrawn='2026-01')
    >>> Currency(old.code, old.exponent, cash_increment=1)
    Currency(code='BGN', exponent=2, cash_increment=1)
    """

    code: str
    name: str
    """Name in list three of the standard, without the country: "Pound" is the Israeli pound."""
    exponent: int | None
    """Number of decimals; None for codes that had no minor unit or were withdrawn before December 2012."""
    withdrawn: str
    """Month of withdrawal (``YYYY-MM``), or a span as in list three: ``1989/1990``, ``1990-07/1990-09``."""


def currency(code: str) -> Currency:
    """Return the currency that ISO 4217 lists under *code* as of 2026-01-01.

    >>> currency("CHF")
    Currency(code='CHF', exponent=2, cash_increment=5)
    >>> currency("JPY").exponent, currency("KWD").exponent
    (0, 3)

    Raises:
        UnknownCurrency: the standard does not list the code, has withdrawn it, or gives it no minor unit
            (for example, the codes for gold and for testing). Codes must be in upper case, without spaces.
    """
    try:
        return _ACTIVE[code]
    except (KeyError, TypeError):  # TypeError: not even hashable
        raise UnknownCurrency(code, _why_not_active(code)) from None


def as_currency(given: Currency | str) -> Currency:
    """Return *given* if it is a currency; if it is a code, return the currency with that code.

    >>> as_currency("JPY") == as_currency(currency("JPY"))
    True

    Raises:
        UnknownCurrency: the code is not an ISO 4217 currency.
    """
    return given if isinstance(given, Currency) else currency(given)


def withdrawn_currency(code: str) -> WithdrawnCurrency:
    """Return the entry for the withdrawn *code* in list three of ISO 4217, for reading old data.

    >>> withdrawn_currency("DEM").withdrawn
    '2002-03'

    Raises:
        UnknownCurrency: *code* is still in use, or has never been in the standard.
    """
    try:
        return _WITHDRAWN[code]
    except (KeyError, TypeError):
        raise UnknownCurrency(code, _why_not_withdrawn(code)) from None


def _why_not_active(code: object) -> str:
    if not isinstance(code, str):
        return "expected text"
    if code in _WITHOUT_MINOR_UNIT:
        return "it has no minor unit"
    if code in _WITHDRAWN:
        old = _WITHDRAWN[code]
        return f"{old.name}, withdrawn {old.withdrawn}"
    exact = code.strip().upper()
    return f"write {exact!r}" if exact in _ACTIVE else ""


def _why_not_withdrawn(code: object) -> str:
    if not isinstance(code, str):
        return "expected text"
    return "it is still in use" if code in _ACTIVE or code in _WITHOUT_MINOR_UNIT else ""


def _withdrawn(row: str) -> WithdrawnCurrency:
    code, decimals, withdrawn, name = row.split(" ", 3)
    return WithdrawnCurrency(
        code=code, name=name, exponent=None if decimals == "-" else int(decimals), withdrawn=withdrawn
    )


_STEP_OF = {code: step for step, codes in _CASH_STEPS.items() for code in codes.split()}
_ACTIVE = {
    code: Currency(code, exponent, cash_increment=_STEP_OF.get(code, 1))
    for exponent, codes in MINOR_UNITS.items()
    for code in codes.split()
}
_WITHOUT_MINOR_UNIT = frozenset(WITHOUT_MINOR_UNIT.split())
_WITHDRAWN = {row[:3]: _withdrawn(row) for row in WITHDRAWN.strip().splitlines()}
