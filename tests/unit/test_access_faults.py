"""What is wrong with what a gate asks is told all at once, each fault with its field. Decisions §9."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from faregate.access import AccessRequest, access_price
from faregate.access_points import DTA_KINDS, SYSTEM_KINDS
from faregate.access_rules import MOST_UNITS
from faregate.calendars import Days
from faregate.catalogue import Catalogue, PriceModel, PriceRule
from faregate.errors import InvalidAccessRequest
from faregate.faults import FaultCode
from unit.booking_shop import DAY, THREE_DAYS
from unit.gate_shop import SATURDAY, SUNDAY, asked, resort

SIMPLE = resort()
LADDER = resort(PriceRule(8000, DAY), PriceRule(20_000, THREE_DAYS), durations=(DAY, THREE_DAYS))
HUGE = 10**5000  # more digits than Python writes out


def faults(request: AccessRequest, catalogue: Catalogue = SIMPLE) -> list[tuple[str, FaultCode, str]]:
    with pytest.raises(InvalidAccessRequest) as raised:
        access_price(request, catalogue=catalogue)
    located = raised.value.located
    assert all(len(fault.place) == 1 for fault in located)
    assert str(raised.value) == "; ".join(fault.message for fault in located)
    return [(str(fault.place[0]), fault.code, fault.message) for fault in located]


# ---------------------------------------------------------------- ids

NO_IDS = {"dta_product_id": None, "dta_consumer_category": None}
REQUIRED, UNKNOWN = FaultCode.MAPPING_REQUIRED, FaultCode.UNKNOWN_MAPPING


@pytest.mark.parametrize(
    ("ids", "field", "code", "message"),
    [
        (
            NO_IDS,
            "dta_product_id",
            REQUIRED,
            f"expected {' with '.join(DTA_KINDS)}, or {' with '.join(SYSTEM_KINDS)}",
        ),
        (
            {"dta_product_id": None},
            "dta_product_id",
            REQUIRED,
            "is missing beside dta_consumer_category",
        ),
        (
            {"dta_consumer_category": None},
            "dta_consumer_category",
            REQUIRED,
            "is missing beside dta_product_id",
        ),
        (
            {"system_product_id": "P1"},
            "system_consumer_category",
            REQUIRED,
            "is missing beside system_product_id",
        ),
        (
            {"system_consumer_category": "A"},
            "system_product_id",
            REQUIRED,
            "is missing beside system_consumer_category",
        ),
        (
            {"dta_product_id": 2},
            "dta_product_id",
            UNKNOWN,
            "nothing has 2 with dta_consumer_category 1",
        ),
        (
            {"dta_consumer_category": 0},
            "dta_product_id",
            UNKNOWN,
            "nothing has 1 with dta_consumer_category 0",
        ),
        (
            {"dta_product_id": HUGE},
            "dta_product_id",
            UNKNOWN,
            "nothing has a number of 16610 bits with dta_consumer_category 1",
        ),
        (
            {"dta_product_id": 2**64 - 1},
            "dta_product_id",
            UNKNOWN,
            "nothing has 18446744073709551615 with dta_consumer_category 1",
        ),
        (
            {**NO_IDS, "system_product_id": "P1", "system_consumer_category": "Z"},
            "system_product_id",
            UNKNOWN,
            "nothing has 'P1' with system_consumer_category 'Z'",
        ),
        (
            {"system_product_id": "1", "system_consumer_category": "1"},
            "system_product_id",
            UNKNOWN,
            "nothing has '1' with system_consumer_category '1'",
        ),
        (
            {"system_product_id": "P1", "system_consumer_category": "B"},
            "system_product_id",
            FaultCode.MAPPING_CONFLICT,
            "is variant 102, but dta_product_id is variant 101",
        ),
        (
            {"dta_product_id": True},
            "dta_product_id",
            FaultCode.INVALID,
            "expected a whole number, got bool",
        ),
        (
            {"dta_consumer_category": 1.0},
            "dta_consumer_category",
            FaultCode.INVALID,
            "expected a whole number, got float",
        ),
        (
            {"system_product_id": 1, "system_consumer_category": "A"},
            "system_product_id",
            FaultCode.INVALID,
            "expected text, got int",
        ),
        (
            {"system_product_id": "P1", "system_consumer_category": ["A"]},
            "system_consumer_category",
            FaultCode.INVALID,
            "expected text, got list",
        ),
    ],
)
def test_ids_that_lead_nowhere_are_told_with_their_field(
    ids: dict[str, Any], field: str, code: FaultCode, message: str
) -> None:
    assert faults(asked(**ids)) == [(field, code, message)]


def test_each_half_of_both_pairs_is_told() -> None:
    halves = asked(dta_product_id=None, dta_consumer_category="1", system_product_id="P1")

    assert [field for field, _, _ in faults(halves)] == [
        "dta_product_id",
        "dta_consumer_category",
        "system_consumer_category",
    ]


# ---------------------------------------------------------------- how it is sold


@pytest.mark.parametrize(
    ("changes", "field", "code", "message"),
    [
        *(
            ({"quantity": number}, "quantity", FaultCode.INVALID, f"expected 1 to {MOST_UNITS}, got {shown}")
            for number, shown in (
                (0, "0"),
                (-1, "-1"),
                (1_000_001, "1000001"),
                (HUGE, "a number of 16610 bits"),
                (-HUGE, "a number of 16610 bits"),
            )
        ),
        *(
            ({"quantity": value}, "quantity", FaultCode.INVALID, f"expected a whole number, got {kind}")
            for value, kind in (
                (True, "bool"),
                (1.0, "float"),
                ("1", "str"),
                (None, "NoneType"),
                ([], "list"),
            )
        ),
        *(
            (
                {"currency_code": code},
                "currency_code",
                FaultCode.CURRENCY_MISMATCH,
                f"expected CHF, got {code!r}",
            )
            for code in ("EUR", "chf", " CHF", "")
        ),
        (
            {"currency_code": 756},
            "currency_code",
            FaultCode.INVALID,
            "expected a currency code, got int",
        ),
        (
            {"depot_flag": True},
            "depot_flag",
            FaultCode.DEPOT_NOT_ALLOWED,
            "product 11 is not kept at the gate",
        ),
        (
            {"depot_flag": 1},
            "depot_flag",
            FaultCode.INVALID,
            "expected true, false or nothing, got int",
        ),
        (
            {"is_online_pos": {}},
            "is_online_pos",
            FaultCode.INVALID,
            "expected true, false or nothing, got dict",
        ),
    ],
)
def test_what_is_no_sale_is_told_with_its_field(
    changes: dict[str, Any], field: str, code: FaultCode, message: str
) -> None:
    assert faults(asked(**changes)) == [(field, code, message)]


# ---------------------------------------------------------------- dates

INVALID, TOO_LATE = FaultCode.INVALID_VALIDITY, FaultCode.ORDERED_TOO_LATE
UNREADABLE = [
    ("", "'' is no date or date-time"),
    ("9.1.2027", "'9.1.2027' is no date or date-time"),
    ("2027-02-30", "'2027-02-30' is no date or date-time: day is out of range for month"),
    (20270109, "expected a date or date-time, got int"),
    (timedelta(1), "expected a date or date-time, got timedelta"),
    ("1899-12-30", "expected years from 1900 to 8999"),
    (date(9000, 1, 2), "expected years from 1900 to 8999"),
    (
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        "'0001-01-01T00:00:00+14:00' is no date or date-time: date value out of range",
    ),
]


@pytest.mark.parametrize(("moment", "message"), UNREADABLE)
@pytest.mark.parametrize("field", ["valid_from", "order_date", "valid_to"])
def test_unreadable_dates_are_told_with_their_field(field: str, moment: Any, message: str) -> None:
    request = asked(**{field: moment})

    assert faults(request) == [(field, INVALID, message)]
    assert (field, INVALID, message) in faults(request._replace(dta_product_id=7))


def test_the_last_day_there_is_has_no_end() -> None:
    message = "'9999-12-31' is no date or date-time: date value out of range"

    assert faults(asked(SATURDAY, date.max)) == [("valid_to", INVALID, message)]


@pytest.mark.parametrize("missing", [None, (), b"2027-01-09"])
@pytest.mark.parametrize("field", ["valid_from", "order_date"])
def test_dates_are_needed(field: str, missing: Any) -> None:
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
def test_nobody_orders_after_the_first_day(ordered: Any, shown: str) -> None:
    assert faults(asked(order_date=ordered)) == [
        ("order_date", TOO_LATE, f"{shown} is after 2027-01-09, the first day")
    ]
    access_price(asked(order_date="2027-01-09T23:59:59"), catalogue=SIMPLE)


SIX_O_CLOCK, MIDNIGHT = "2027-01-09T06:00:00+01:00", "2027-01-09T00:00:00+01:00"


@pytest.mark.parametrize(
    ("first", "last", "catalogue", "message"),
    [
        (SATURDAY, MIDNIGHT, SIMPLE, f"{MIDNIGHT} is not after {MIDNIGHT}"),
        (SATURDAY, "2027-01-08", resort(has_validity=False), f"{MIDNIGHT} is not after {MIDNIGHT}"),
        (SATURDAY, SUNDAY, SIMPLE, f"{MIDNIGHT} to 2027-01-11T00:00:00+01:00 is none of: P1D"),
        (SATURDAY, SIX_O_CLOCK, SIMPLE, f"{MIDNIGHT} to {SIX_O_CLOCK} is none of: P1D"),
        (SIX_O_CLOCK, SATURDAY, SIMPLE, f"{SIX_O_CLOCK} to 2027-01-10T00:00:00+01:00 is none of: P1D"),
        (
            SATURDAY,
            "2027-01-12",
            LADDER,
            f"{MIDNIGHT} to 2027-01-13T00:00:00+01:00 is none of: P1D, P3D, nor whole days up to 3",
        ),
        (
            SIX_O_CLOCK,
            "2027-01-10T06:00:00+01:00",
            LADDER,
            f"{SIX_O_CLOCK} to 2027-01-10T06:00:00+01:00 is none of: P1D, P3D, nor whole days up to 3",
        ),
        (
            SATURDAY,
            SATURDAY,
            resort(durations=()),
            f"{MIDNIGHT} to 2027-01-10T00:00:00+01:00 is none of: none",
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
def test_lengths_without_a_price_are_told(first: str, last: str, catalogue: Catalogue, message: str) -> None:
    request = asked(first, last, order_date="2024-01-01")

    assert faults(request, catalogue) == [("valid_to", INVALID, message)]


def test_of_two_midnights_of_a_day_only_the_first_begins_it() -> None:
    catalogue = resort(timezone="America/Havana")  # 2026-11-01: 01:00 to 00:00
    first, second = "2026-11-01T00:00:00-04:00", "2026-11-01T00:00:00-05:00"

    access_price(asked(first, "2026-11-01", order_date="2026-10-01"), catalogue=catalogue)
    assert faults(asked(second, "2026-11-01", order_date="2026-10-01"), catalogue) == [
        ("valid_to", INVALID, f"{second} to 2026-11-02T00:00:00-05:00 is none of: P1D")
    ]


def test_days_that_do_not_exist_are_told_once_the_zone_is_known() -> None:
    catalogue = resort(timezone="Pacific/Apia")
    request = asked("2011-12-30", order_date="2011-12-01")

    assert faults(request, catalogue) == [
        ("valid_from", INVALID, "2011-12-30 does not exist in Pacific/Apia")
    ]
    assert [field for field, _, _ in faults(request._replace(dta_product_id=7), catalogue)] == [
        "dta_product_id"
    ]


def test_a_day_without_a_price_is_told() -> None:
    catalogue = resort(
        PriceRule(8000, when=Days(weekdays=frozenset({1}))),
        model=PriceModel.CALENDAR,
    )

    assert faults(asked(), catalogue) == [
        (
            "valid_from",
            FaultCode.NO_PRICE,
            "unknown price 'of variant 101 for P1D on 2027-01-09'",
        )
    ]


# ---------------------------------------------------------------- everything at once


def test_everything_that_is_wrong_is_told_in_the_order_of_the_fields() -> None:
    catalogue = resort(PriceRule(8000, when=Days(weekdays=frozenset({1}))), model=PriceModel.CALENDAR)
    request = asked(
        quantity=0,
        currency_code="EUR",
        system_product_id="P1",
        depot_flag=True,
        is_online_pos=0,
    )

    assert [(field, code) for field, code, _ in faults(request, catalogue)] == [
        ("valid_from", FaultCode.NO_PRICE),
        ("quantity", FaultCode.INVALID),
        ("currency_code", FaultCode.CURRENCY_MISMATCH),
        ("system_consumer_category", REQUIRED),
        ("depot_flag", FaultCode.DEPOT_NOT_ALLOWED),
        ("is_online_pos", FaultCode.INVALID),
    ]


def test_what_needs_no_zone_is_told_with_unknown_ids() -> None:
    request = AccessRequest("x", "y", 0, "XXX", "z", 7, 7, depot_flag=True)

    assert [field for field, _, _ in faults(request)] == [
        "valid_from",
        "order_date",
        "quantity",
        "valid_to",
        "dta_product_id",
    ]
    assert [field for field, _, _ in faults(request._replace(dta_product_id=1, dta_consumer_category=1))] == [
        "valid_from",
        "order_date",
        "quantity",
        "currency_code",
        "valid_to",
        "depot_flag",
    ]


def test_several_dates_at_fault_are_told_together() -> None:
    both = faults(asked(SATURDAY, SUNDAY, order_date="2027-02-01"))

    assert [field for field, _, _ in both] == ["order_date", "valid_to"]
    assert [field for field, _, _ in faults(asked(SATURDAY, SUNDAY, order_date="never"))] == [
        "order_date",
        "valid_to",
    ]
