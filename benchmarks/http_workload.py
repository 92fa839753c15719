"""The checkout that the HTTP benchmarks open and read, and the requests that do it."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from pathlib import Path

from faregate_http.store import CheckoutRow

CHANNEL = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"
"""The web shop of the demo resort."""

LANGUAGE = "de"

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
"""What every clock says, so that the same request has the same answer, byte for byte."""

READ_ID = "00000000-0000-4000-8000-000000000000"

_FIRST_DAY = date(2027, 1, 16)

# Variants of the demo resort, each with the days it is valid for: a family and what it eats.
_SOLD = (
    (101, 1),
    (101, 1),
    (102, 1),
    (103, 1),
    (103, 1),
    (121, 3),
    (311, 1),
    (411, 0),
    (412, 0),
    (511, 1),
)
_INSURANCE = 10  # of the first ticket

SIZES = (1, 10)
"""Of how many items checkouts are measured: one answers 6 kB, ten answer 23 kB."""

# By hand from the catalogue, in cents: 25 % off the tickets of the children, 8 % off the other tickets.
_PRICES = (7900, 7900, 5500, 3900, 3900, 21750, 1200, 2250, 1450, 490)
_DISCOUNTS = {1: 632, 10: 2 * 975 + 2 * 632 + 440 + 1740}


def fixed_clock() -> datetime:
    return AT


CALENDARS = {
    "a month of day tickets": "/api/booking/products/11/journey/validities",
    "suggested multi-day tickets": "/api/booking/products/12/journey/validities/suggested",
    "a product with its next availability": "/api/products/multi-day-ticket?include=nextAvailability",
}
"""What is read of the demo season, by what it is."""


def roomy_catalogue(folder: Path) -> Path:
    """The demo resort with places for everybody who is simulated; each is counted all the same."""
    file = folder / "resort.yaml"
    text = files("faregate_catalogue").joinpath("demo_resort.yaml").read_text(encoding="utf-8")
    file.write_text(re.sub(r"\bsize: \d+", "size: 1000000000", text), encoding="utf-8")
    return file


def add_items_body(size: int = 10) -> bytes:
    """The first so many of ten items, two of which earn one automatic discount, four another."""
    items = [_item(number, variant, days) for number, (variant, days) in enumerate(_SOLD[:size], 1)]
    return json.dumps({"items": items}).encode()


def _item(number: int, variant: int, days: int) -> dict[str, object]:
    last_day = _FIRST_DAY + timedelta(days=days - 1)
    return {
        "id": number,
        "productVariantId": variant,
        "personId": None,
        "validity": {"from": _FIRST_DAY.isoformat(), "to": last_day.isoformat()} if days else None,
        "parentItemId": 1 if number == _INSURANCE else None,
        "originatedItemId": None,
        "discountCardTypeId": None,
    }


def check_totals(answer: bytes, size: int = 10) -> None:
    """Compare the totals of an answer with those worked out by hand.

    Raises:
        ValueError: they differ.
    """
    data = json.loads(answer)["data"]
    found = [round(data[name] * 100) for name in ("listPriceGross", "totalDiscountGross", "totalGross")]
    listed, discount = sum(_PRICES[:size]), _DISCOUNTS[size]
    if found != [listed, discount, listed - discount]:
        raise ValueError(f"expected {listed} less {discount}, got {found}")


def items_path(checkout_id: str) -> str:
    return f"/api/checkout/{checkout_id}/items"


def checkout_path(checkout_id: str) -> str:
    return f"/api/checkout/{checkout_id}"


def headers(body: bytes = b"", etag: str = "") -> dict[str, str]:
    """The headers of a request, all in lower case as a server hands them on."""
    found = {"host": "127.0.0.1", "service-channel-uuid": CHANNEL, "accept-language": LANGUAGE}
    if body:
        found |= {"content-type": "application/json", "content-length": str(len(body))}
    return found | {"if-none-match": etag} if etag else found


def request_bytes(method: str, path: str, *, body: bytes = b"", etag: str = "") -> bytes:
    """A whole request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in headers(body, etag).items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def row_of_4_kb(checkout_id: str) -> CheckoutRow:
    """A new checkout whose inputs are 4,000 bytes of JSON."""
    inputs = json.dumps({"note": "x" * (4000 - len('{"note": ""}'))}).encode()
    return CheckoutRow(checkout_id, CHANNEL, None, False, 1, 0, 0, 1, inputs)


def random_id(bits: int) -> str:
    """The text of a UUID made of 128 random bits."""
    digits = f"{bits:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
