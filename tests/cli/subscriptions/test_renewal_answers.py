"""JSON output about renewals, and the defaults of options.

Dates marked REN, PER, PRO and VAL are vectors of other implementations: Stripe, Lago, Kill Bill, dateutil,
test262 and RFC 7529; the others follow from the calendar on the wall.
"""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from support.cli.running import run


def printed(*options: str) -> str:
    """Return the output of a valid call."""
    result = run("renewals", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def answer(rule: str, ordered: str, *options: str) -> dict[str, Any]:
    """Return the parsed output with exact numbers."""
    francs = ("--currency", "CHF") if "--price" in options and "--currency" not in options else ()
    text = printed("--rule", rule, "--ordered", ordered, "--json", *options, *francs)
    parsed: dict[str, Any] = json.loads(text, parse_float=Decimal)
    return parsed


@pytest.mark.parametrize(
    ("ordered", "instant"),
    [
        ("2026-09-15", "2026-09-15T00:00:00+02:00"),
        ("2026-09-15T23:59", "2026-09-15T23:59:00+02:00"),
        ("2026-09-15T22:30:00Z", "2026-09-16T00:30:00+02:00"),
    ],
)
def test_order_may_be_a_date_or_a_date_time_with_or_without_offset(ordered: str, instant: str) -> None:
    assert answer("yearly", ordered)["orderedAt"] == instant


def test_defaults_are_now_zurich_and_twelve_periods() -> None:
    before = datetime.now(UTC)

    found = json.loads(printed("--rule", "monthly", "--json"))

    ordered_at = datetime.fromisoformat(found["orderedAt"])
    assert before <= ordered_at <= datetime.now(UTC)
    assert ordered_at.utcoffset() != timedelta(0)  # never 0 in Zurich
    assert (found["timezone"], len(found["periods"])) == ("Europe/Zurich", 12)


AT_ONCE = ("--first-period", "prorate", "--minimal-run-periods", "2", "--count", "1")


def test_json_contains_everything() -> None:
    found = answer("yearly-on:11-01", "2026-09-15", *AT_ONCE, "--price", "365", "--currency", "EUR")

    assert found == {
        "rule": "yearly-on:11-01",
        "orderedAt": "2026-09-15T00:00:00+02:00",
        "timezone": "Europe/Zurich",
        "monthEnd": "clamp",
        "subscriptionConfiguration": {
            "startsOn": "2026-09-15T00:00:00+02:00",
            "nextBillingDate": "2026-11-01T00:00:00+01:00",
            "hasPickup": False,
            "startConfiguration": "RENEWAL_DATE",
            "minimalRunPeriods": 2,
            "renewal": {"period": "YEARLY", "day": 1, "month": 11, "daysAmount": None},
        },
        "firstPeriod": {
            "mode": "prorate",
            "from": "2026-09-15",
            "to": "2026-10-31",
            "days": 47,
            "dayCount": "actual",
            "share": "47/365",
        },
        "earliestEnd": "2028-11-01",
        "payments": {"currency": "EUR", "first": 47, "later": 365},
        "periods": [
            {
                "number": 0,
                "from": "2026-09-15",
                "to": "2026-10-31",
                "days": 47,
                "startsOn": "2026-09-15T00:00:00+02:00",
                "nextBillingDate": "2026-11-01T00:00:00+01:00",
            },
            {
                "number": 1,
                "from": "2026-11-01",
                "to": "2027-10-31",
                "days": 365,
                "startsOn": "2026-11-01T00:00:00+01:00",
                "nextBillingDate": "2027-11-01T00:00:00+01:00",
            },
        ],
    }


def test_json_has_no_terms_if_there_are_only_dates() -> None:
    found = answer("monthly", "2026-01-31", "--month-end", "omit")

    assert found["monthEnd"] == "omit"
    for name in ("subscriptionConfiguration", "firstPeriod", "earliestEnd", "payments"):
        assert found[name] is None
