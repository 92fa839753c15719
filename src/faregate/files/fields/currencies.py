"""The currency of each part of a file, determined before the file is validated."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from pydantic import ValidationInfo

from faregate.errors import UnknownCurrency
from faregate.money.currency import Currency, currency


@dataclass
class Currencies:
    """The currencies of the amounts in a file, used while the file is validated.

    ``current`` changes as the entries of the file are read. It is None if the currency code is invalid; then
    only the format of amounts is checked. ``merchants`` is keyed by identifier.
    """

    current: Currency | None
    merchants: Mapping[str, Currency | None] = field(default_factory=dict)

    @contextmanager
    def reading(self, unit: Currency | None) -> Iterator[None]:
        """Use *unit* as the currency of the amounts that are read in the block."""
        before, self.current = self.current, unit
        try:
            yield
        finally:
            self.current = before

    def of_merchant(self, product: object) -> Currency | None:
        """Return the currency of the merchant named in the raw entry *product*; by default ``current``."""
        name = product.get("merchant") if isinstance(product, dict) else None
        return self.merchants.get(name, self.current) if isinstance(name, str) else self.current


def currencies_in(info: ValidationInfo) -> Currencies:
    """Return the ``Currencies`` that were passed as the context of a validation.

    Raises:
        TypeError: the context is not an instance of ``Currencies``, which models with amounts need.
    """
    if not isinstance(info.context, Currencies):
        raise TypeError("expected Currencies as the validation context, since the model has amounts")
    return info.context


def known_currency(code: object) -> Currency | None:
    """Return the currency with the code *code*, or None if it is unknown, which is reported elsewhere."""
    try:
        return currency(code) if isinstance(code, str) else None
    except UnknownCurrency:
        return None


def currency_of(entry: object, default: Currency | None) -> Currency | None:
    """Return the currency named in the raw *entry* (None if unknown), or *default* if it names none."""
    code = entry.get("currency") if isinstance(entry, dict) else None
    return default if code is None else known_currency(code)


def currencies_of(data: object) -> Currencies:
    """Return the currencies of a catalogue file and of its merchants, from the raw *data* of the file."""
    own = currency_of(data, None)
    merchants = data.get("merchants") if isinstance(data, dict) else None
    return Currencies(own, dict(_merchants(merchants, own)))


def _merchants(entries: object, own: Currency | None) -> Iterator[tuple[str, Currency | None]]:
    for entry in entries if isinstance(entries, list) else ():
        name = entry.get("identifier") if isinstance(entry, dict) else None
        if isinstance(name, str):
            yield name, currency_of(entry, own)
