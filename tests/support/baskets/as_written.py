"""Baskets and amounts in the notation of the sources: ``2 x 10.00 @23`` is a line of two units at 23 % VAT.

They are parsed with ``Decimal``, so that no golden value passes through code of the library.
"""

import re
from decimal import Decimal

from faregate.basket.lines import Line
from faregate.tax.rates import VatRate

_LINE = re.compile(
    r"(?:(?P<quantity>\d+) x )?(?P<price>\d+\.\d\d)(?: floor (?P<floor>\d+\.\d\d))?(?: @(?P<rate>[\d.]+))?"
)


def cents(major: str) -> int:
    minor = Decimal(major) * 100
    if minor != int(minor):
        raise ValueError(f"{major} has more than two decimals")
    return int(minor)


def all_cents(*major: str) -> tuple[int, ...]:
    return tuple(map(cents, major))


def vat(percent: str) -> VatRate:
    return VatRate(parts_per_million=int(Decimal(percent) * 10_000))


def basket(*lines: str) -> list[Line]:
    return [_line(key, text) for key, text in enumerate(lines, start=1)]


def _line(key: int, text: str) -> Line:
    match = _LINE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a line: write '2 x 10.00 @23'")
    return Line(
        key=key,
        unit_price=cents(match["price"]),
        quantity=int(match["quantity"] or 1),
        rate=vat(match["rate"] or "0"),
        floor_price=cents(match["floor"] or "0.00"),
    )
