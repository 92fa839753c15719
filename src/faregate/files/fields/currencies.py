"""In which currency each part of a file is read, found before the file is validated."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from faregate.errors import UnknownCurrency
from faregate.money.currency import Currency, currency

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import ValidationInfo


@dataclass
class Currencies:
    """In which currency the amounts of a file are, for one validation.

    ``current`` changes while the entries of a file are read one by one; None: its code is invalid, and
    amounts are only checked to be such.
    """

    current: Currency | None
    merchants: Mapping[str, Currency | None] = field(default_factory=dict)

    @contextmanager
    def reading(self, unit: Currency | None) -> Iterator[None]:
        """Read amounts in *unit* within the block."""
        before, self.current = self.current, unit
        try:
            yield
        finally:
            self.current = before

    def of_merchant(self, product: object) -> Currency | None:
        """The currency of the merchant that the entry of a product names."""
        name = product.get("merchant") if isinstance(product, dict) else None
        return self.merchants.get(name, self.current) if isinstance(name, str) else self.current


def currencies_in(info: ValidationInfo) -> Currencies:
    """The currencies that a validation was given as its context.

    Raises:
        TypeError: it was given none; a model with amounts cannot be validated without.
    """
    if not isinstance(info.context, Currencies):
        raise TypeError("amounts need Currencies as the context of the validation")
    return info.context


def known_currency(code: object) -> Currency | None:
    """The currency of that code; None where there is none, which the field itself reports."""
    try:
        return currency(code) if isinstance(code, str) else None
    except UnknownCurrency:
        return None


def currency_of(entry: object, default: Currency | None) -> Currency | None:
    """The currency that an entry names, or *default* where it names none."""
    code = entry.get("currency") if isinstance(entry, dict) else None
    return default if code is None else known_currency(code)


def currencies_of(data: object) -> Currencies:
    """The currencies that a catalogue file names, for its own and for its merchants' amounts."""
    own = currency_of(data, None)
    merchants = data.get("merchants") if isinstance(data, dict) else None
    return Currencies(own, dict(_merchants(merchants, own)))


def _merchants(entries: object, own: Currency | None) -> Iterator[tuple[str, Currency | None]]:
    for entry in entries if isinstance(entries, list) else ():
        name = entry.get("identifier") if isinstance(entry, dict) else None
        if isinstance(name, str):
            yield name, currency_of(entry, own)
