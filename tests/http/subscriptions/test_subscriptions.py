"""``subscriptionConfiguration`` in JSON: decisions §7.3, §7.4, §7.6."""

from datetime import UTC, datetime

from starlette.testclient import TestClient

from support.service.service import Clock, item, open_checkout

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
