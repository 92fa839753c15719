"""Rules files: the discounts, promo codes and policy for repricing orders.

The entries have the same format as in a catalogue file and can be copied from there::

    currency: CHF
    autoDiscounts:
      - id: 7
        displayName: {en: Early bird}
        discount: {discountType: PERCENTAGE, percent: 10, level: line}
    promoCodes: []
    policy: {stacking: additive}
"""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from faregate.catalogue.checks.parts import repeated_in
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidCatalogue
from faregate.files.entries import entry_of, read_entry
from faregate.files.fields.currencies import currencies_of
from faregate.files.text.documents import FileFormat, format_of, read_document, read_file
from faregate.files.text.issues import issues_as
from faregate.money.currency import Currency


class CurrencyRules(NamedTuple):
    """Pricing rules and the currency of their amounts."""

    rules: PricingRules
    currency: Currency


def read_rules(path: str | PathLike[str]) -> PricingRules:
    """Return the pricing rules in a file, read as JSON if its name ends in ``.json``, otherwise as YAML.

    Raises:
        InvalidCatalogue: lists every issue with its position, as for ``load_catalogue``.
    """
    return read_currency_rules(path).rules


def read_currency_rules(path: str | PathLike[str]) -> CurrencyRules:
    """Return the pricing rules in the file *path*, and their currency.

    Raises:
        InvalidCatalogue: as for ``read_rules``.
    """
    with issues_as(InvalidCatalogue, str(path)):
        return _rules(read_file(path), format_of(path))


def parse_rules(
    text: str | bytes, *, file_format: FileFormat = FileFormat.YAML, name: str = "rules"
) -> PricingRules:
    """Return the pricing rules in *text*; error messages refer to it as *name*.

    >>> parse_rules("currency: CHF").policy.cash_increment
    5

    Raises:
        InvalidCatalogue: as for ``read_rules``.
    """
    with issues_as(InvalidCatalogue, name):
        return _rules(text, file_format).rules


def _rules(source: str | bytes, file_format: FileFormat) -> CurrencyRules:
    document = read_document(source, file_format)
    units = currencies_of(document.data)
    rules: PricingRules = read_entry(entry_of(PricingRules), document, units)
    issues = [
        *repeated_in(("autoDiscounts",), rules.automatic, "id"),
        *repeated_in(("promoCodes",), rules.promo_codes, "id"),
        *repeated_in(("promoCodes",), rules.promo_codes, "code"),
    ]
    if issues:
        raise document.refusal(issues)
    return CurrencyRules(rules, units.unit)
