"""``subscriptionConfiguration`` on the wire: decisions §7.3, §7.4, §7.6."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from starlette.testclient import TestClient

from support.service.service import Clock, data_of, item, open_checkout

SEASON_PASS, MONTHLY_PASS, CLIMBING_PASS = 211, 221, 231


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (
            SEASON_PASS,
            {
                "startsOn": "2027-11-01T00:00:00+01:00",
                "nextBillingDate": "2028-11-01T00:00:00+01:00",
                "hasPickup": False,
                "startConfiguration": "RENEWAL_DATE",
                "minimalRunPeriods": 1,
                "renewal": {"period": "YEARLY", "day": 1, "month": 11, "daysAmount": None},
            },
        ),
        (
            MONTHLY_PASS,
            {
                "startsOn": "2027-03-22T00:00:00+01:00",
                "nextBillingDate": "2027-04-01T00:00:00+02:00",
                "hasPickup": True,
                "startConfiguration": "RENEWAL_DATE",
                "minimalRunPeriods": 3,
                "renewal": {"period": "MONTHLY", "day": 1, "month": None, "daysAmount": None},
            },
        ),
        (
            CLIMBING_PASS,
            {
                "startsOn": "2027-03-22T00:00:00+01:00",
                "nextBillingDate": "2027-04-21T00:00:00+02:00",
                "hasPickup": False,
                "startConfiguration": "CURRENT_DAY",
                "minimalRunPeriods": 0,
                "renewal": {"period": "DAYS", "day": None, "month": None, "daysAmount": 30},
            },
        ),
    ],
)
def test_a_subscription_is_described_with_all_its_fields(
    client: TestClient, clock: Clock, variant: int, expected: dict[str, object]
) -> None:
    clock.now = datetime(2027, 3, 22, 9, 0, tzinfo=UTC)

    _, data = open_checkout(client, item(1, variant))

    assert data["subscriptionConfiguration"] == expected
    assert list(data["subscriptionConfiguration"]["renewal"]) == ["period", "day", "month", "daysAmount"]


def test_a_first_period_is_charged_by_its_days(client: TestClient, clock: Clock) -> None:
    clock.now = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)

    _, data = open_checkout(client, item(1, MONTHLY_PASS), item(2, 411))

    # 10 of 30 days of 118.00
    assert data["items"][0]["listPriceGross"] == data["totalSubscriptionGross"] == Decimal("39.33")


def test_the_day_of_the_order_is_that_of_the_last_change(client: TestClient, clock: Clock) -> None:
    clock.now = datetime(2026, 11, 21, 22, 50, tzinfo=UTC)
    url, before = open_checkout(client, item(1, MONTHLY_PASS))

    clock.turn(minutes=20)
    unchanged = data_of(client.get(url))
    changed = data_of(client.post(f"{url}/items", json={"items": [item(2, 411)]}))

    assert unchanged == before
    assert [data["subscriptionConfiguration"]["startsOn"] for data in (before, changed)] == [
        "2026-11-21T00:00:00+01:00",
        "2026-11-22T00:00:00+01:00",
    ]
    # 9 of 30 days of 118.00
    prices = before["totalSubscriptionGross"], changed["totalSubscriptionGross"]
    assert prices == (Decimal("39.33"), Decimal("35.4"))


def test_a_second_subscription_on_other_terms_is_422(client: TestClient) -> None:
    url, before = open_checkout(client, item(1, MONTHLY_PASS))

    response = client.post(f"{url}/items", json={"items": [item(2, 411), item(3, SEASON_PASS)]})

    assert (response.status_code, response.json()["code"]) == (422, "subscription-conflict")
    assert response.json()["errors"] == [
        {
            "reason": "a checkout has one subscription, this one has another rule and first period"
            " and minimal run periods",
            "pointer": "/items/1/productVariantId",
            "code": "subscription-conflict",
            "title": "Different subscription terms",
        }
    ]
    assert data_of(client.get(url)) == before


def test_a_subscription_that_was_removed_is_in_nobodys_way(client: TestClient) -> None:
    url, _ = open_checkout(client, item(1, MONTHLY_PASS))

    without = data_of(client.delete(f"{url}/items", params={"itemId": 1}))
    other = data_of(client.post(f"{url}/items", json={"items": [item(2, SEASON_PASS)]}))

    assert without["subscriptionConfiguration"] is None
    assert other["subscriptionConfiguration"]["renewal"]["period"] == "YEARLY"
