"""Prices and next availability of products, worked out by hand and never stale."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.service.service import Clock, Json, data_of, item, new_url, running

EVERYTHING = "00000000-0000-4000-8000-000000000101"
SOUK = "00000000-0000-4000-8000-000000000103"
SHOP = Path(__file__).parents[2] / "support" / "catalogues" / "product_shop.yaml"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Clock]]:
    clock = Clock()
    folder = tmp_path_factory.mktemp("shop")
    with running(folder, catalogue=SHOP, clock=clock, channel=EVERYTHING) as client:
        yield client, clock


def shown(client: TestClient, slug: str, *, channel: str = EVERYTHING) -> Json:
    """Return the product with its next availability."""
    url = f"/api/products/{slug}?include=nextAvailability"
    return data_of(client.get(url, headers={"service-channel-uuid": channel}))


def prices(value: Json | None) -> tuple[Any, Any] | None:
    """Return the bounds of a price range."""
    if value is None:
        return None
    assert list(value) == ["minPrice", "maxPrice"]
    return value["minPrice"], value["maxPrice"]


def exact(text: str) -> Decimal:
    """Return an amount with its decimals."""
    return Decimal(text)


TUESDAY = "2026-12-01T09:30:00+01:00"

# Slug, time of the request; range, price today, range of each variant.
PRICES: list[tuple[str, str, Any, Any, Sequence[Any]]] = [
    # An adult pays 80 or 95 for a day and 210 for three. A child pays 40 a day, 45.50 on weekends: at most
    # 40 + 45.50 + 45.50 for three days with a weekend.
    ("winter-ticket", TUESDAY, (80, 210), 80, [(40, 131), (80, 210)]),
    # No variant is marked as standard: the range covers all, the price is that of the first.
    ("summer-ticket", TUESDAY, (exact("30.05"), 50), None, [(50, 50), (exact("30.05"), exact("30.05"))]),
    # Sold out.
    ("full-house", TUESDAY, None, None, [None]),
    # Without validity: the list price, if there is one for everybody.
    ("locker", TUESDAY, (7, exact("12.5")), exact("12.5"), [(exact("12.5"),) * 2, (7, 7), None]),
    # By the hour, at 9 and at 13, until the last slot begins.
    ("sledge", TUESDAY, (20, 20), 20, [(20, 20)]),
    ("sledge", "2026-12-01T13:00:00+01:00", (20, 20), None, [(20, 20)]),
    # One unit left: the standard variant, a couple, does not fit; singles do.
    ("sauna", TUESDAY, None, None, [(25, 25), None]),
]


@pytest.mark.parametrize(("slug", "when", "standard", "today", "variants"), PRICES)
def test_prices_are_those_worked_out_by_hand(
    client: TestClient,
    clock: Clock,
    slug: str,
    when: str,
    standard: Any,
    today: Any,
    variants: Sequence[Any],
) -> None:
    clock.now = datetime.fromisoformat(when)

    product = shown(client, slug)

    assert prices(product["standardPriceRange"]) == standard
    assert product["standardPriceToday"] == today
    assert [prices(variant["priceRange"]) for variant in product["productVariants"]] == variants


# Slug, time of the request; from, to, days until then, capacity, price.
NEXT: list[tuple[str, str, tuple[str, str, int, Any, Any] | None]] = [
    (
        "winter-ticket",
        TUESDAY,
        ("2026-12-01T00:00:00+01:00", "2026-12-02T00:00:00+01:00", 0, (2, 2), (40, 80)),
    ),
    # December to May have 31, 31, 28, 31, 30 and 31 days: 182, and 14 of June.
    (
        "summer-ticket",
        TUESDAY,
        ("2027-06-15T00:00:00+02:00", "2027-06-16T00:00:00+02:00", 196, None, (exact("30.05"), 50)),
    ),
    ("sledge", TUESDAY, ("2026-12-01T13:00:00+01:00", "2026-12-01T15:00:00+01:00", 0, None, (20, 20))),
    # The price of the variants that fit.
    ("sauna", TUESDAY, ("2026-12-01T00:00:00+01:00", "2026-12-02T00:00:00+01:00", 0, (0, 1), (25, 25))),
    ("full-house", TUESDAY, None),
    ("locker", TUESDAY, None),
]


@pytest.mark.parametrize(("slug", "when", "expected"), NEXT)
def test_the_next_availability_is_the_one_worked_out_by_hand(
    client: TestClient, clock: Clock, slug: str, when: str, expected: tuple[str, str, int, Any, Any] | None
) -> None:
    clock.now = datetime.fromisoformat(when)

    found = shown(client, slug)["nextAvailability"]

    if expected is None:
        assert found is None
        return
    start, end, days_until, capacity, price = expected
    limits = capacity and {"kind": "range", "min": capacity[0], "max": capacity[1]}
    assert (found["from"], found["to"], found["daysUntil"]) == (start, end, days_until)
    assert found["availableCapacity"] == limits
    assert prices(found["price"]) == price


def test_days_are_in_the_timezone_of_the_merchant(client: TestClient, clock: Clock) -> None:
    clock.now = datetime(2026, 12, 1, 21, 30, tzinfo=UTC)

    found = shown(client, "souk", channel=SOUK)["nextAvailability"]

    assert (found["from"], found["daysUntil"]) == ("2026-12-02T00:00:00+03:00", 0)


TODAY = {"from": "2026-12-01", "to": "2026-12-01"}


def test_a_booking_is_visible_after_a_second(tmp_path: Path) -> None:
    clock = Clock()
    with running(tmp_path, catalogue=SHOP, clock=clock, channel=EVERYTHING) as client:
        before = shown(client, "winter-ticket")
        tickets = [item(n, 12, validity=TODAY) for n in (1, 2)]
        data_of(client.post(f"{new_url()}/items", json={"items": tickets}))
        clock.turn(seconds=1)
        after = shown(client, "winter-ticket")
        clock.turn(minutes=30)
        expired = shown(client, "winter-ticket")

    assert before["standardPriceToday"] == expired["standardPriceToday"] == 80
    assert after["standardPriceToday"] is None
    assert after["nextAvailability"]["from"] == "2026-12-02T00:00:00+01:00"
    assert after["nextAvailability"]["daysUntil"] == 1
    assert expired == before
