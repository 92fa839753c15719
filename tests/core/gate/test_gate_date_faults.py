"""Invalid dates of gate requests: unreadable, too late, too long or missing. Decisions §9."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.errors import IssueCode
from faregate.gate.price import gate_price
from support.gate.faults import SIMPLE, faults
from support.shops.booking_shop import DAY, THREE_DAYS
from support.shops.gate_shop import SATURDAY, SUNDAY, asked, resort

LADDER = resort(PriceRule(8000, DAY), PriceRule(20_000, THREE_DAYS), durations=(DAY, THREE_DAYS))

INVALID, TOO_LATE = IssueCode.INVALID_VALIDITY, IssueCode.ORDERED_TOO_LATE
UNREADABLE = [
    ("9.1.2027", "invalid date or date-time: '9.1.2027'"),
    ("2027-02-30", "invalid date or date-time: '2027-02-30' (day is out of range for month)"),
    (timedelta(1), "expected a date or date-time, got timedelta"),
    ("1899-12-30", "expected years from 1900 to 8999"),
    (
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        "invalid date or date-time: '0001-01-01T00:00:00+14:00' (date value out of range)",
    ),
]


@pytest.mark.parametrize(("moment", "message"), UNREADABLE)
@pytest.mark.parametrize("field", ["valid_from", "order_date", "valid_to"])
def test_unreadable_dates_are_reported_with_their_field(field: str, moment: Any, message: str) -> None:
    request = asked(**{field: moment})

    assert faults(request) == [(field, INVALID, message)]
    assert (field, INVALID, message) in faults(replace(request, dta_product_id=7))


def test_the_last_day_of_the_calendar_is_refused_as_an_end() -> None:
    message = "invalid date or date-time: '9999-12-31' (date value out of range)"

    assert faults(asked(SATURDAY, date.max)) == [("valid_to", INVALID, message)]


@pytest.mark.parametrize("missing", [None, b"2027-01-09"])
@pytest.mark.parametrize("field", ["valid_from", "order_date"])
def test_dates_are_required(field: str, missing: Any) -> None:
    kind = type(missing).__name__

    assert faults(asked(**{field: missing})) == [
        (field, INVALID, f"expected a date or date-time, got {kind}")
    ]


@pytest.mark.parametrize(
    ("ordered", "shown"),
    [
        (SUNDAY, "2027-01-10"),
        (datetime(2027, 1, 9, 23, tzinfo=UTC), "2027-01-10"),
        ("2027-02-01T00:00", "2027-02-01"),
    ],
)
def test_an_order_date_after_the_first_day_is_refused(ordered: Any, shown: str) -> None:
    assert faults(asked(order_date=ordered)) == [
        ("order_date", TOO_LATE, f"{shown} is after 2027-01-09, the first day")
    ]
    gate_price(asked(order_date="2027-01-09T23:59:59"), catalogue=SIMPLE)


SIX_O_CLOCK, MIDNIGHT = "2027-01-09T06:00:00+01:00", "2027-01-09T00:00:00+01:00"
LADDER_FAULT = " has none of the product's durations: P1D, P3D, or whole days up to 3"


@pytest.mark.parametrize(
    ("first", "last", "catalogue", "message"),
    [
        (SATURDAY, MIDNIGHT, SIMPLE, f"{MIDNIGHT} is not after {MIDNIGHT}"),
        (SATURDAY, "2027-01-08", resort(has_validity=False), f"{MIDNIGHT} is not after {MIDNIGHT}"),
        (
            SIX_O_CLOCK,
            "2027-01-10T06:00:00+01:00",
            LADDER,
            f"{SIX_O_CLOCK} to 2027-01-10T06:00:00+01:00{LADDER_FAULT}",
        ),
        (
            SATURDAY,
            SATURDAY,
            resort(durations=()),
            f"{MIDNIGHT} to 2027-01-10T00:00:00+01:00 has none of the product's durations: none",
        ),
        pytest.param(
            "2024-04-07",
            "2024-04-07T00:00:00+04:30",
            SIMPLE,
            "2024-04-06T21:30:00+02:00 is not after 2024-04-07T00:00:00+02:00",
            id="by instants",
        ),
    ],
)
def test_lengths_without_a_price_are_reported(
    first: str, last: str, catalogue: Catalogue, message: str
) -> None:
    request = asked(first, last, order_date="2024-01-01")

    assert faults(request, catalogue) == [("valid_to", INVALID, message)]


def test_only_the_first_of_two_midnights_ends_the_day_before() -> None:
    prices = PriceRule(8000, DAY), PriceRule(20_000, THREE_DAYS)
    catalogue = resort(*prices, durations=(DAY, THREE_DAYS), timezone="America/Havana")  # 01:00 to 00:00
    start, first, second = "2026-10-31", "2026-11-01T00:00:00-04:00", "2026-11-01T00:00:00-05:00"

    gate_price(asked(start, first, order_date="2026-10-01"), catalogue=catalogue)
    assert faults(asked(start, second, order_date="2026-10-01"), catalogue) == [
        ("valid_to", INVALID, f"2026-10-31T00:00:00-04:00 to {second}{LADDER_FAULT}")
    ]


def test_days_that_do_not_exist_are_reported_once_the_zone_is_known() -> None:
    catalogue = resort(timezone="Pacific/Apia")
    request = asked("2011-12-30", order_date="2011-12-01")

    assert faults(request, catalogue) == [
        ("valid_from", INVALID, "2011-12-30 does not exist in Pacific/Apia")
    ]
    assert [field for field, _, _ in faults(replace(request, dta_product_id=7), catalogue)] == [
        "dta_product_id"
    ]


def test_a_day_without_a_price_is_reported() -> None:
    catalogue = resort(
        PriceRule(8000, when=DayPattern(weekdays=frozenset({1}))),
        model=PriceModel.CALENDAR,
    )

    assert faults(asked(), catalogue) == [
        (
            "valid_from",
            IssueCode.NO_PRICE,
            "unknown price of variant 101 for P1D on 2027-01-09",
        )
    ]
