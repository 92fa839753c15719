"""The currency of each part of a file, determined before the file is read."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from faregate.errors import UnknownCurrency
from faregate.money.currency import Currency, currency

_ANY_CURRENCY = Currency("any currency", exponent=4, cash_increment=1)


class Currencies(NamedTuple):
    """The currency of the amounts in an entry, and those of the merchants in the file, by identifier.

    ``current`` is None if the currency code is invalid; then only the format of amounts is checked.
    """

    current: Currency | None
    merchants: Mapping[str, Currency | None] = MappingProxyType({})

    @property
    def unit(self) -> Currency:
        """The current currency, or one with many decimals if the currency code is invalid."""
        return self.current or _ANY_CURRENCY

    def of_product(self, entry: object) -> "Currencies":
        """Return the currencies for the raw *entry* of a product: its merchant's, by default the current."""
        name = entry.get("merchant") if isinstance(entry, dict) else None
        if not isinstance(name, str) or name not in self.merchants:
            return self
        return self._replace(current=self.merchants[name])

    def of_channel(self, entry: object) -> "Currencies":
        """Return the currencies for the raw *entry* of a channel: its own, by default the current."""
        return self._replace(current=_currency_of(entry, self.current))


def known_currency(code: object) -> Currency | None:
    """Return the currency with the code *code*, or None if it is unknown, which is reported elsewhere."""
    try:
        return currency(code) if isinstance(code, str) else None
    except UnknownCurrency:
        return None


def currencies_of(data: object) -> Currencies:
    """Return the currencies of a catalogue file and of its merchants, from the raw *data* of the file."""
    own = _currency_of(data, None)
    merchants = data.get("merchants") if isinstance(data, dict) else None
    return Currencies(own, dict(_merchants(merchants, own)))


def _currency_of(entry: object, default: Currency | None) -> Currency | None:
    """Return the currency named in the raw *entry* (None if unknown), or *default* if it names none."""
    code = entry.get("currency") if isinstance(entry, dict) else None
    return default if code is None else known_currency(code)


def _merchants(entries: object, own: Currency | None) -> Iterator[tuple[str, Currency | None]]:
    for entry in entries if isinstance(entries, list) else ():
        name = entry.get("identifier") if isinstance(entry, dict) else None
        if isinstance(name, str):
            yield name, _currency_of(entry, own)
