"""``subscriptionConfiguration`` in JSON: decisions §7.3, §7.4, §7.6."""

from datetime import UTC, datetime

from starlette.testclient import TestClient

from support.service.service import Clock, data_of, item, open_checkout

SEASON_PASS, MONTHLY_PASS = 211, 221


def test_a_subscription_has_all_its_fields(client: TestClient, clock: Clock) -> None:
    clock.now = datetime(2027, 3, 22, 9, 0, tzinfo=UTC)

    _, data = open_checkout(client, item(1, MONTHLY_PASS))

    assert data["subscriptionConfiguration"] == {
        "startsOn": "2027-03-22T00:00:00+01:00",
        "nextBillingDate": "2027-04-01T00:00:00+02:00",
        "hasPickup": True,
        "startConfiguration": "RENEWAL_DATE",
        "minimalRunPeriods": 3,
        "renewal": {"period": "MONTHLY", "day": 1, "month": None, "daysAmount": None},
    }
    assert list(data["subscriptionConfiguration"]["renewal"]) == ["period", "day", "month", "daysAmount"]


def test_a_second_subscription_on_other_terms_is_422(client: TestClient) -> None:
    url, before = open_checkout(client, item(1, MONTHLY_PASS))

    response = client.post(f"{url}/items", json={"items": [item(2, 411), item(3, SEASON_PASS)]})

    assert (response.status_code, response.json()["code"]) == (422, "subscription-conflict")
    assert response.json()["errors"] == [
        {
            "reason": "expected the same rule and first period and minimal run periods"
            " for all subscriptions of a checkout",
            "pointer": "/items/1/productVariantId",
            "code": "subscription-conflict",
            "title": "Different subscription terms",
        }
    ]
    assert data_of(client.get(url)) == before
