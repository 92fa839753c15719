"""Gate prices in columns: accepted values, refusals, and amounts at the limits of int64."""

import re
from dataclasses import fields
from datetime import date, datetime
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from faregate.arguments.fields import field_names
from faregate.batch.gate.price import gate_price, refused_requests
from faregate.batch.gate.requests import GateColumns, case_of
from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.gate_rules import QuantityTier
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.dates.durations import Duration
from faregate.errors import InvalidAccessRequest, InvalidAmount, InvalidInput
from faregate.gate import price as access
from faregate.gate.requests import GateRequest
from support.shops.booking_shop import DAY
from support.shops.gate_shop import SATURDAY, SUNDAY, resort

RESORT = resort(PriceRule(7900))
DAYS = np.array([SATURDAY, SUNDAY], "datetime64[D]")


def asked(**changed: Any) -> GateColumns:
    """Return requests for one adult on two days, ordered a week ahead."""
    given: dict[str, Any] = {
        "valid_from": DAYS,
        "order_date": "2027-01-02",
        "quantity": 1,
        "currency_code": "CHF",
    }
    ids = {"dta_product_id": 1, "dta_consumer_category": 1}
    return GateColumns(**(given | ids | changed))


def totals(requests: GateColumns, catalogue: Any = RESORT) -> list[int]:
    return [*gate_price(requests, catalogue=catalogue).calculated_price.tolist()]


def test_columns_are_the_fields_of_a_request() -> None:
    assert tuple(field.name for field in fields(GateColumns)) == field_names(GateRequest)
    defaults = [[field.default for field in fields(kind)] for kind in (GateColumns, GateRequest)]
    assert defaults[0] == defaults[1]


@pytest.mark.parametrize(
    ("name", "column", "got"),
    [
        ("quantity", np.ones(3, np.int64), "valid_from [2], quantity [3]"),
        ("valid_from", np.ones((2, 1), "datetime64[D]"), "valid_from [2, 1]"),
        ("quantity", np.array(1), "valid_from [2], quantity []"),
    ],
)
def test_arrays_of_different_shapes_are_refused(name: str, column: Any, got: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(f"expected arrays [n] of the same length, got {got}")):
        asked(**{name: column})


@pytest.mark.parametrize(
    ("name", "column", "message"),
    [
        ("dta_product_id", np.ones(2), "dta_product_id: expected .*, got float64"),
        ("dta_product_id", np.ones(2, np.uint64), r"dta_product_id: expected int64 \[n\]"),
        ("valid_from", np.zeros(2, "datetime64[M]"), r"valid_from: expected .*, got datetime64\[M\] \[2\]$"),
        ("valid_from", np.array(["NaT"] * 2, "datetime64"), r"valid_from: .*, got datetime64 \[2\]$"),
        ("quantity", np.ones(2), r"quantity: expected int64 \[n\] or an int of 64 bits, got float64 \[2\]$"),
        ("depot_flag", np.array([{}, None]), "expected values that a gate request can hold: unhashable"),
    ],
)
def test_unsupported_dtypes_are_refused(name: str, column: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        totals(asked(**{name: column}))


@pytest.mark.parametrize(
    "days",
    [
        DAYS,
        DAYS.astype(str),
        DAYS.astype("datetime64[h]"),
        DAYS.astype("datetime64[ns]"),
        DAYS.astype(object),
        np.array([date(2027, 1, 9), "2027-01-10T00:00:00+01:00"], object),
    ],
)
def test_days_are_accepted_in_every_form(days: Any) -> None:
    at_weekends = resort(
        PriceRule(7900), PriceRule(9900, when=DayPattern(weekdays=frozenset({7}))), model=PriceModel.CALENDAR
    )

    assert totals(asked(valid_from=days), at_weekends) == [7900, 9900]


def test_times_are_local_to_the_merchant() -> None:
    ordered = np.array(["2027-01-09T23:59", "2027-01-10T00:00"], "datetime64[m]")

    refusals = refused_requests(asked(valid_from=SATURDAY, order_date=ordered), catalogue=RESORT)

    assert [refusal.rows.tolist() for refusal in refusals] == [[1]]


def test_numpy_scalars_are_accepted() -> None:
    requests = asked(
        valid_from=np.datetime64(SATURDAY), quantity=np.array([2, 3]), dta_product_id=np.int32(1)
    )

    assert totals(requests) == [15_800, 23_700]


def test_nat_is_read_as_none() -> None:
    by_day = resort(PriceRule(7900), PriceRule(15_000, Duration(days=2)), durations=(DAY, Duration(days=2)))
    ends = np.array(["NaT", SUNDAY], "datetime64[D]")

    assert totals(asked(valid_from=SATURDAY, valid_to=ends), by_day) == [7900, 15_000]


def test_equal_values_of_different_types_are_distinguished() -> None:
    ids = np.array([1, True, 1.0, 1], object)

    refusals = refused_requests(asked(valid_from=SATURDAY, dta_product_id=ids), catalogue=RESORT)

    assert [refusal.rows.tolist() for refusal in refusals] == [[1], [2]]


def test_repeated_local_times_are_distinguished() -> None:
    zone = ZoneInfo("Europe/Zurich")
    twice = np.array([datetime(2026, 10, 25, 2, 30, tzinfo=zone, fold=fold) for fold in (0, 1)], object)

    first, second = asked(valid_from=SATURDAY, order_date=twice).rows()

    assert first == second
    assert case_of(first) != case_of(second)


def test_results_of_one_request_have_no_axes() -> None:
    found = gate_price(asked(valid_from=SATURDAY, quantity=3), catalogue=RESORT)

    assert [(column.shape, column.item()) for column in found] == [((), 7900), ((), 23_700), ((), "CHF")]


def test_no_requests_give_no_prices() -> None:
    found = gate_price(asked(valid_from=DAYS[:0]), catalogue=RESORT)

    assert [(column.shape, column.dtype.kind) for column in found] == [((0,), "i"), ((0,), "i"), ((0,), "U")]
    assert refused_requests(asked(valid_from=DAYS[:0]), catalogue=RESORT) == ()


def test_selected_rows_are_priced_in_the_selected_order() -> None:
    requests = asked(quantity=np.array([1, 2]))

    assert totals(requests.take(np.array([1, 0, 1]))) == [15_800, 7900, 15_800]
    assert totals(requests.take(np.array([False, True]))) == [15_800]


def test_equal_requests_are_priced_once() -> None:
    days, quantities = np.tile(DAYS, 500), np.repeat([1, 2], 500)

    with patch.object(access, "gate_price", wraps=access.gate_price) as asked_for:
        found = totals(asked(valid_from=days, quantity=quantities))

    assert asked_for.call_count == 4
    assert found == (7900 * quantities).tolist()


def test_refused_row_is_named_with_all_its_issues() -> None:
    requests = asked(currency_code=np.array(["CHF", "EUR"]), quantity=np.array([1, 0]))

    with pytest.raises(InvalidAccessRequest) as caught:
        gate_price(requests, catalogue=RESORT)

    assert str(caught.value) == "row 1: expected 1 to 1000000, got 0; row 1: expected CHF, got 'EUR'"
    assert [fault.loc for fault in caught.value.issues] == [(1, "quantity"), (1, "currency_code")]


def test_refused_requests_are_grouped_by_their_reasons() -> None:
    quantities = np.array([5, 0, 7, 1, 0, 1_000_001])
    currencies = np.array(["EUR", "CHF", "EUR", "CHF", "CHF", "CHF"])

    refusals = refused_requests(
        asked(valid_from=SATURDAY, currency_code=currencies, quantity=quantities), catalogue=RESORT
    )

    assert [(refusal.rows.tolist(), refusal.faults[0].message) for refusal in refusals] == [
        ([0, 2], "expected CHF, got 'EUR'"),
        ([1, 4], "expected 1 to 1000000, got 0"),
        ([5], "expected 1 to 1000000, got 1000001"),
    ]


@pytest.mark.parametrize(("price", "quantity"), [(2**63 - 1, 1), (2**62 - 1, 2), (9_223_372_036_854, 10**6)])
def test_prices_up_to_the_end_of_int64_are_exact(price: int, quantity: int) -> None:
    requests = asked(quantity=np.array([1, quantity]))

    found = gate_price(requests, catalogue=resort(PriceRule(price)))

    assert found.unit_price.tolist() == [price, price]
    assert found.calculated_price.tolist() == [price, price * quantity]


def test_first_total_beyond_int64_is_named() -> None:
    requests = asked(valid_from=SATURDAY, quantity=np.array([1, 4, 2, 3]))

    with pytest.raises(InvalidAmount, match=rf"^row 1: {4 * (2**62 - 1)} does not fit int64$"):
        gate_price(requests, catalogue=resort(PriceRule(2**62 - 1)))


def test_unit_price_beyond_int64_is_refused_even_where_the_total_fits() -> None:
    free = resort(PriceRule(2**63), quantity_tiers=(QuantityTier(2, 1_000_000),))

    with pytest.raises(InvalidAmount, match=rf"^row 0: {2**63} does not fit int64$"):
        gate_price(asked(quantity=2), catalogue=free)
