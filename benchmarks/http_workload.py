"""The checkout that the HTTP benchmarks open and read, and their requests."""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from faregate_http.store.contract import CheckoutRow

CHANNEL = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"
"""Web shop of the demo resort."""

LANGUAGE = "de"

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
"""Time of every clock, so that equal requests have equal responses, byte for byte."""

_ZURICH = ZoneInfo("Europe/Zurich")

READ_ID = "00000000-0000-4000-8000-000000000000"

_FIRST_DAY = date(2027, 1, 16)

# Variants of the demo resort and their days: the tickets and meals of a family.
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
"""Items in the measured checkouts: one item gives a response of 6 kB, ten items of 23 kB."""

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
"""Reads of the demo season, by title."""

INSIGHTS = {
    "price insights of a month": "/api/pricing/insights/distribution?productId=11",
    "price insights of a season": (
        "/api/pricing/insights/distribution?productId=12&duration=P3D&price=217.5"
        "&dateFrom=2026-12-01&dateTo=2027-04-30"
    ),
}
"""Queries for prices of the demo season, by title."""


GATE_PATH = "/api/pricing/external/prices/access"

GATE_REQUESTS = 10_000
"""Number of different requests, so that caching responses gains nothing."""


class GateTicket(NamedTuple):
    """A ticket at a gate: its ids there, its days, and its price in cents by the catalogue."""

    product: int
    category: int
    days: int
    cents: int


_GATE_CATEGORIES = "ABCF"

# Most are day tickets; the others need a look at their price ladder.
_GATE_TICKETS = (
    *(GateTicket(1, category, 1, cents) for category, cents in enumerate((7900, 5500, 3900, 19900), 1)),
    *(GateTicket(1, 1, 1, 7900) for _ in range(4)),
    GateTicket(2, 1, 3, 21750),
    GateTicket(2, 3, 7, 20900),
)


def gate_exchanges(seed: int = 2026) -> list[tuple[bytes, bytes]]:
    """Return gate requests with different instants, and responses computed by hand from the catalogue."""
    draw = random.Random(seed)
    return [_gate_exchange(draw) for _ in range(GATE_REQUESTS)]


def _gate_exchange(draw: random.Random) -> tuple[bytes, bytes]:
    ticket, quantity = draw.choice(_GATE_TICKETS), draw.choice((1, 1, 1, 2, 4))
    start = datetime(2027, 1, 4, tzinfo=_ZURICH) + timedelta(days=draw.randrange(80))
    ordered = start - timedelta(seconds=draw.randrange(30 * 86_400), milliseconds=draw.randrange(1000))
    says_end = ticket.days > 1 or draw.random() < 0.5
    body = {
        "valid_from": start.isoformat(),
        "order_date": f"{ordered.astimezone(UTC).isoformat(timespec='milliseconds')[:-6]}Z",
        "valid_to": (start + timedelta(days=ticket.days)).isoformat() if says_end else None,
        "quantity": quantity,
        "currency_code": "CHF",
        **_gate_ids(ticket, draw),
        "depot_flag": draw.choice(({}, None, False)),
        "is_online_pos": draw.choice(({}, None, True)),
    }
    answer = (
        f'{{"calculated_price_cents":{ticket.cents * quantity},'
        f'"unit_price_cents":{ticket.cents},"currency_code":"CHF"}}'
    )
    return json.dumps(body).encode(), answer.encode()


def _gate_ids(ticket: GateTicket, draw: random.Random) -> dict[str, object]:
    numbers: dict[str, object] = {"dta_product_id": ticket.product, "dta_consumer_category": ticket.category}
    names: dict[str, object] = {
        "system_product_id": f"P{ticket.product}",
        "system_consumer_category": _GATE_CATEGORIES[ticket.category - 1],
    }
    return draw.choice((numbers, names, numbers | names))


def roomy_catalogue(folder: Path) -> Path:
    """Write the demo resort with capacity for all simulated customers, which is still counted.

    Checkouts may have up to 500 units.
    """
    file = folder / "resort.yaml"
    text = files("faregate.files").joinpath("demo_resort.yaml").read_text(encoding="utf-8")
    text = text.replace("expiresAtMost: PT2H", "expiresAtMost: PT2H\n    maxUnits: 500")
    file.write_text(re.sub(r"\bsize: \d+", "size: 1000000000", text), encoding="utf-8")
    return file


def add_items_body(size: int = 10) -> bytes:
    """Return the first *size* of ten items, two with one automatic discount, four with another."""
    items = [_item(number, variant, days) for number, (variant, days) in enumerate(_SOLD[:size], 1)]
    return json.dumps({"items": items}).encode()


def one_more_item_body(number: str) -> bytes:
    """Return a child's ticket with the id *number*."""
    text = json.dumps({"items": [_item(1, 103, 1)]})
    return text.replace('"id": 1,', f'"id": {number},', 1).encode()


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
    """Compare the totals of a response with those worked out by hand.

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


def headers(body: bytes = b"", etag: str = "", *, client: str = "") -> dict[str, str]:
    """Return request headers in lower case, as servers pass them on; *client* is the client's name."""
    found = {"host": "127.0.0.1", "service-channel-uuid": CHANNEL, "accept-language": LANGUAGE}
    if client:
        found["x-forwarded-for"] = client
    if body:
        found |= {"content-type": "application/json", "content-length": str(len(body))}
    return found | {"if-none-match": etag} if etag else found


def request_bytes(method: str, path: str, *, body: bytes = b"", etag: str = "", client: str = "") -> bytes:
    """Return a whole request as bytes."""
    named = headers(body, etag, client=client)
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in named.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def row_of_4_kb(checkout_id: str) -> CheckoutRow:
    """Return a new checkout whose inputs are 4,000 bytes of JSON."""
    inputs = json.dumps({"note": "x" * (4000 - len('{"note": ""}'))}).encode()
    return CheckoutRow(checkout_id, CHANNEL, None, False, 1, 0, 0, 1, inputs)


def random_id(bits: int) -> str:
    """Return the version 4 UUID of 128 random bits as text."""
    return str(UUID(int=bits, version=4))
