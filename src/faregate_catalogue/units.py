"""In which currency each part of a file is read, found before the file is validated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.currency import Currency, currency
from faregate.errors import UnknownCurrency
from faregate_catalogue.fields import Currencies

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["currencies_of", "known_currency"]


def known_currency(code: object) -> Currency | None:
    """The currency of that code; None where there is none, which the field itself reports."""
    try:
        return currency(code) if isinstance(code, str) else None
    except UnknownCurrency:
        return None


def currencies_of(data: object) -> Currencies:
    """The currencies that a catalogue file names, for its own and for its merchants' amounts."""
    if not isinstance(data, dict):
        return Currencies(None)
    own = known_currency(data.get("currency"))
    return Currencies(own, dict(_merchants(data.get("merchants"), own)))


def _merchants(entries: object, own: Currency | None) -> Iterator[tuple[str, Currency | None]]:
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("identifier"), str):
            code = entry.get("currency")
            yield entry["identifier"], own if code is None else known_currency(code)
