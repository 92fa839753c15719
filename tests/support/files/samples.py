"""A small valid catalogue and basket, for tests that spoil one piece at a time."""

from decimal import Decimal
from json import dumps

import pytest

from faregate.errors import InvalidCatalogue, InvalidCheckout
from faregate.files import FileFormat, demo_catalogue, parse_basket, parse_catalogue

WEB = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"

CATALOGUE = f"""\
currency: CHF
merchants:
  - {{identifier: lifts, timezone: Europe/Zurich}}
categories:
  - {{id: 1, name: Tickets}}
discountCards:
  - {{id: 1, name: Half-fare card}}
products:
  - id: 11
    slug: day-ticket
    identifier: DAY
    name: Day ticket
    type: TICKET
    category: 1
    merchant: lifts
    durations: [P1D]
    media: [1]
    productVariants:
      - id: 101
        name: Adult
        vatRate: 8.1
        prices:
          - {{amount: 79.50, duration: P1D}}
media:
  - {{id: 1, type: ACCESS, name: Keycard}}
channels:
  - {{uuid: {WEB}, name: Web, type: WEB}}
autoDiscounts:
  - {{id: 1, displayName: Early, discount: {{discountType: PERCENTAGE, percent: 8}}}}
promoCodes:
  - id: 1
    code: TEN
    displayName: Ten
    discount: {{discountType: ABSOLUTE, amount: 10}}
    conditions:
      thresholds: [{{spend: 50}}]
vouchers:
  - {{code: GIFT, balance: 100}}
"""

BASKET = f"""\
{{
  "channel": "{WEB}",
  "orderedAt": "2026-12-01T09:30:00+01:00",
  "items": [
    {{"id": 1, "productVariantId": 101, "validity": {{"from": "2026-12-27", "to": "2026-12-27"}}}},
    {{"id": 2, "productVariantId": 411, "validity": null}}
  ],
  "codes": ["WINTER10"],
  "donation": 2.0
}}
"""


def spoilt(text: str, piece: str, instead: str) -> str:
    """Return *text* with one existing piece replaced."""
    assert piece in text
    return text.replace(piece, instead, 1)


def catalogue_faults(text: str | bytes, file_format: FileFormat = FileFormat.YAML) -> tuple[str, ...]:
    """Return the issues of a catalogue that must be refused."""
    with pytest.raises(InvalidCatalogue) as refused:
        parse_catalogue(text, file_format=file_format, name="c")
    return refused.value.messages


def basket_faults(text: str | bytes, file_format: FileFormat = FileFormat.JSON) -> tuple[str, ...]:
    """Return the issues of a basket that the demo resort must refuse."""
    with pytest.raises(InvalidCheckout) as refused:
        parse_basket(text, demo_catalogue(), file_format=file_format, name="b")
    return refused.value.messages


def as_json(value: object) -> str:
    """Return plain values as JSON, with numbers unchanged to the last digit."""
    match value:
        case dict():
            return "{" + ", ".join(f"{dumps(key)}: {as_json(entry)}" for key, entry in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(as_json, value)) + "]"
        case Decimal():
            return str(value)
        case _:
            return dumps(value)
