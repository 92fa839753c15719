"""What JSON answers about renewals, and what is asked where nothing is said.

Dates marked REN, PER, PRO and VAL are vectors of other implementations: Stripe, Lago, Kill Bill, dateutil,
test262 and RFC 7529; the others follow from the calendar on the wall.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from cli.running import run


def printed(*options: str) -> str:
    """What is printed about a call without a fault."""
    result = run("renewals", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def answer(rule: str, ordered: str, *options: str) -> dict[str, Any]:
    """The parsed answer, its numbers exact."""
    francs = ("--currency", "CHF") if "--price" in options and "--currency" not in options else ()
    text = printed("--rule", rule, "--ordered", ordered, "--json", *options, *francs)
    parsed: dict[str, Any] = json.loads(text, parse_float=Decimal)
    return parsed


def starts(found: dict[str, Any]) -> list[str]:
    """On which day each period begins."""
    return [period["from"] for period in found["periods"]]


# ---------------------------------------------------------------- the dates


VECTORS = [
    ("REN-R1", "monthly", "2024-01-31", "2024-01-31 2024-02-29 2024-03-31 2024-04-30 2024-05-31 2024-06-30"),
    ("REN-R7", "yearly", "2024-02-29", "2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29 2029-02-28"),
    ("REN-R17", "monthly", "2023-01-30", "2023-01-30 2023-02-28 2023-03-30 2023-04-30"),
    ("REN-R17", "monthly", "2023-01-29", "2023-01-29 2023-02-28 2023-03-29 2023-04-29"),
    ("PER-P10", "monthly-on:17", "2012-01-16", "2012-01-17"),
    ("PER-P10", "monthly-on:30", "2012-02-16", "2012-02-29"),
    ("PER-P10", "monthly-on:30", "2012-01-31", "2012-02-29"),
    ("PER-P10", "monthly-on:14", "2012-02-16", "2012-03-14"),
    ("PER-P11", "monthly-on:3", "2012-03-03", "2012-03-03"),
    ("PER-P11", "monthly-on:3", "2012-03-04", "2012-04-03"),
    ("PER-P13", "monthly-on:31", "2012-04-30", "2012-04-30 2012-05-31"),
    ("PER-P16", "every-days:14", "2022-02-02", "2022-02-02 2022-02-16 2022-03-02"),
    ("PER-P19", "monthly", "2024-02-29T23:15:00Z", "2024-03-01 2024-04-01"),
    ("PER-P20", "every-days:30", "2025-03-01", "2025-03-01 2025-03-31"),
    ("PER-P20", "every-days:365", "2024-02-29", "2024-02-29 2025-02-28"),
    ("PER-P22", "yearly-on:02-29", "2025-01-10", "2025-02-28 2026-02-28 2027-02-28 2028-02-29"),
    ("PER-P23", "monthly-on:31", "2025-02-28", "2025-02-28 2025-03-31"),
    ("REN-R10 forward", "monthly-on:31", "2026-01-31", "2026-01-31 2026-03-01 2026-03-31"),
    ("REN-R11 omit", "monthly-on:31", "2024-01-31", "2024-01-31 2024-03-31 2024-05-31 2024-07-31 2024-08-31"),
    ("REN-R13 omit", "yearly", "2012-02-29", "2012-02-29 2016-02-29 2020-02-29 2024-02-29"),
    ("calendar reject", "monthly", "2012-02-29", "2012-02-29 2012-03-29 2012-04-29"),
]
"""The vector and its month end if it is not clamp, the rule, the order, and when the periods begin."""


@pytest.mark.parametrize(("vector", "rule", "ordered", "expected"), VECTORS)
def test_periods_begin_on_the_right_days(vector: str, rule: str, ordered: str, expected: str) -> None:
    month_end = vector.partition(" ")[2] or "clamp"
    days = expected.split()

    found = answer(rule, ordered, "--month-end", month_end, "--count", str(len(days)))

    assert starts(found) == days
    assert found["monthEnd"] == month_end


@pytest.mark.parametrize(
    ("rule", "ordered", "zone", "expected"),
    [
        pytest.param(
            "monthly",
            "2025-01-30",
            "Europe/Zurich",
            "2025-01-30T00:00:00+01:00 2025-02-28T00:00:00+01:00 2025-03-30T00:00:00+01:00"
            " 2025-04-30T00:00:00+02:00",
            id="PER-P25",
        ),
        pytest.param(
            "monthly",
            "2025-08-26",
            "Europe/Zurich",
            "2025-08-26T00:00:00+02:00 2025-09-26T00:00:00+02:00 2025-10-26T00:00:00+02:00"
            " 2025-11-26T00:00:00+01:00",
            id="PER-P26",
        ),
        pytest.param(
            "every-days:1",
            "2024-09-07",
            "America/Santiago",
            "2024-09-07T00:00:00-04:00 2024-09-08T01:00:00-03:00",
            id="VAL-T10 Santiago",
        ),
        pytest.param(
            "every-days:1",
            "2024-04-25",
            "Africa/Cairo",
            "2024-04-25T00:00:00+02:00 2024-04-26T01:00:00+03:00",
            id="VAL-T10 Cairo",
        ),
    ],
)
def test_periods_begin_with_their_first_instant(rule: str, ordered: str, zone: str, expected: str) -> None:
    instants = expected.split()

    found = answer(rule, ordered, "--zone", zone, "--count", str(len(instants)))

    periods = found["periods"]
    assert [period["startsOn"] for period in periods] == instants
    assert [period["nextBillingDate"] for period in periods[:-1]] == instants[1:]
    assert found["subscriptionConfiguration"]["startsOn"] == instants[0]
    assert found["subscriptionConfiguration"]["nextBillingDate"] == instants[1]


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", 16), ("Pacific/Honolulu", 16), ("Europe/Paris", 16), ("Asia/Tokyo", 17)],
)
def test_it_is_ordered_on_the_day_of_the_zone(zone: str, day: int) -> None:
    found = answer("yearly", "2012-07-16T21:17:03Z", "--zone", zone)  # PER-P17

    assert starts(found)[0] == f"2012-07-{day}"


@pytest.mark.parametrize(
    ("ordered", "instant"),
    [
        ("2026-09-15", "2026-09-15T00:00:00+02:00"),
        ("2026-09-15T23:59", "2026-09-15T23:59:00+02:00"),
        ("2026-09-15T23:59:30", "2026-09-15T23:59:30+02:00"),
        ("2026-09-15T22:30:00Z", "2026-09-16T00:30:00+02:00"),
        ("2026-09-14T20:00:00-04:00", "2026-09-15T02:00:00+02:00"),
        ("2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),  # skipped: as much later as clocks skip
        ("2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),  # shown twice: the earlier
    ],
)
def test_order_may_be_a_date_or_a_date_time_with_or_without_offset(ordered: str, instant: str) -> None:
    assert answer("yearly", ordered)["orderedAt"] == instant


def test_it_is_ordered_now_in_zurich_for_twelve_periods() -> None:
    before = datetime.now(UTC)

    found = json.loads(printed("--rule", "monthly", "--json"))

    ordered_at = datetime.fromisoformat(found["orderedAt"])
    assert before <= ordered_at <= datetime.now(UTC)
    assert ordered_at.utcoffset() != timedelta(0)  # never so in Zurich
    assert (found["timezone"], len(found["periods"])) == ("Europe/Zurich", 12)


@pytest.mark.parametrize("count", [1, 1000])
def test_so_many_whole_periods_follow_one_another(count: int) -> None:
    periods = answer("monthly-on:31", "2026-01-30", "--first-period", "full", "--count", str(count))[
        "periods"
    ]

    assert [period["number"] for period in periods] == list(range(count + 1))
    for before, after in pairwise(periods):
        following = date.fromisoformat(before["to"]) + timedelta(days=1)
        assert after["from"] == following.isoformat()
        assert before["nextBillingDate"] == after["startsOn"]


# ---------------------------------------------------------------- the terms


@pytest.mark.parametrize(
    ("rule", "start", "period", "day", "month", "days_amount"),
    [
        ("every-days:30", "CURRENT_DAY", "DAYS", None, None, 30),
        ("monthly", "CURRENT_DAY", "MONTHLY", None, None, None),
        ("yearly", "CURRENT_DAY", "YEARLY", None, None, None),
        ("monthly-on:15", "RENEWAL_DATE", "MONTHLY", 15, None, None),
        ("yearly-on:11-01", "RENEWAL_DATE", "YEARLY", 1, 11, None),
    ],
)
def test_json_names_the_configuration_as_the_specification_does(
    rule: str, start: str, period: str, day: int | None, month: int | None, days_amount: int | None
) -> None:
    found = answer(rule, "2026-11-01T09:15:00Z", "--minimal-run-periods", "3")

    configuration = found["subscriptionConfiguration"]
    assert configuration["renewal"] == {
        "period": period,
        "day": day,
        "month": month,
        "daysAmount": days_amount,
    }
    assert (configuration["startConfiguration"], configuration["minimalRunPeriods"]) == (start, 3)
    assert configuration["hasPickup"] is False
    assert found["rule"] == rule


AT_ONCE = ("--first-period", "prorate", "--minimal-run-periods", "2", "--count", "1")


def test_json_holds_all_of_it() -> None:
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


def test_json_has_no_terms_where_there_are_dates_only() -> None:
    found = answer("monthly", "2026-01-31", "--month-end", "omit")

    assert found["monthEnd"] == "omit"
    for name in ("subscriptionConfiguration", "firstPeriod", "earliestEnd", "payments"):
        assert found[name] is None


@pytest.mark.parametrize(
    ("ordered", "options", "share", "first"),
    [
        pytest.param("2023-05-23", ("prorate", "--price", "310.00"), "23/31", "230", id="PRO-Q1"),
        pytest.param("2023-06-23", ("prorate", "--price", "30"), "11/15", "22", id="PRO-Q2 of 30 days"),
        pytest.param("2023-02-23", ("prorate", "--price", "28"), "5/7", "20", id="PRO-Q2 of 28 days"),
        pytest.param("2024-02-23", ("prorate", "--price", "29"), "21/29", "21", id="PRO-Q2 of 29 days"),
        pytest.param("2024-02-23", ("prorate", "--price", "60"), "21/29", "43.45", id="43.448 is rounded"),
        pytest.param(
            "2023-05-23", ("prorate", "--price", "30", "--day-count", "fixed30"), "23/30", "23", id="fixed"
        ),
        pytest.param(
            "2023-05-23",
            ("prorate", "--price", "30", "--day-count", "every-month-30"),
            "11/15",
            "22",
            id="in months of 30 days",
        ),
        pytest.param("2023-05-23", ("full", "--price", "60.5"), "23/31", "60.5", id="full"),
        pytest.param("2023-05-23", ("free", "--price", "60.5"), "23/31", "0", id="free"),
        pytest.param("2023-05-23", ("wait", "--price", "60.5"), "1", "60.5", id="wait"),
        pytest.param("2023-06-15", ("prorate", "--price", "60.5"), "1", "60.5", id="on the given date"),
    ],
)
def test_first_payment_is_for_the_days_before_the_given_date(
    ordered: str, options: tuple[str, ...], share: str, first: str
) -> None:
    found = answer("monthly-on:15", ordered, "--first-period", *options)

    assert found["firstPeriod"]["share"] == share
    assert found["payments"]["first"] == Decimal(first)
    assert found["payments"]["later"] == Decimal(options[2])


@pytest.mark.parametrize(
    ("mode", "begins", "billed"),
    [
        ("wait", "2023-06-15", "2023-07-15"),
        ("prorate", "2023-05-23", "2023-06-15"),
        ("full", "2023-05-23", "2023-06-15"),
        ("free", "2023-05-23", "2023-06-15"),
    ],
)
def test_first_period_says_when_it_begins(mode: str, begins: str, billed: str) -> None:
    found = answer("monthly-on:15", "2023-05-23", "--first-period", mode, "--minimal-run-periods", "3")

    configuration = found["subscriptionConfiguration"]
    assert configuration["startsOn"] == f"{begins}T00:00:00+02:00"
    assert configuration["nextBillingDate"] == f"{billed}T00:00:00+02:00"
    assert starts(found)[:2] == [begins, billed]
    assert found["earliestEnd"] == "2023-09-15"  # from the first whole period in any case


@pytest.mark.parametrize(
    ("ordered", "day_count"), [("2026-01-31", "every-month-30"), ("2026-01-10", "fixed30")]
)
def test_period_that_counts_no_days_by_the_convention_is_whole_all_the_same(
    ordered: str, day_count: str
) -> None:
    found = answer("every-days:1", ordered, "--day-count", day_count, "--price", "5")

    assert (found["firstPeriod"]["share"], found["payments"]["first"]) == ("1", 5)
