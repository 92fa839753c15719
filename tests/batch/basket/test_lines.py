"""Lines of many baskets as columns: refusals, dtypes that fit, and conversion from lines and back."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from faregate.basket.lines import Line
from faregate.batch.basket.lines import NONE, LineColumns
from faregate.batch.totals.pipeline import checkout_totals
from faregate.dates.instants import Interval
from faregate.errors import ContextRequired, InvalidInput, InvalidLines
from faregate.tax.rates import VatRate
from support.columns.arrays import read_only
from support.columns.lines import columns, in_a_bucket, ints

VAT = VatRate.percent("8.1")
PLAIN = Line(key=7, unit_price=1000, quantity=1, rate=VAT)
NUMBERS = [
    *["quantity", "rate", "key", "product", "variant", "category", "discount_card"],
    *["floor_price", "recurring_price"],
]
MASKS = ("discountable", "counted", "is_subscription")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    ("column", "got"),
    [
        (np.ones(3), r"float64 \[3\]"),
        (np.array([1, np.nan, 1]), r"float64 \[3\]"),
        (np.ones(3, np.bool_), r"bool \[3\]"),
        (np.ones(3, np.uint64), r"uint64 \[3\]"),
        (np.ones(3, object), r"object \[3\]"),
        (np.ones(2, np.int64), r"int64 \[2\]"),
        (np.ones((3, 1), np.int64), r"int64 \[3, 1\]"),
        (np.array(1), r"int64 \[\]"),
        ([1, 1, 1], "list"),
    ],
)
def test_column_of_numbers_that_does_not_fit_is_refused(name: str, column: object, got: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^{name}: expected int64 \[3\], got {got}$"):
        columns(2, 1, **{name: column})


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (np.ones(3), r"\[3\], got float64 \[3\]"),
        ([1, 1, 1], r"\[n\] with offsets, or \[k, c\] without, got list"),
        ([[1], [1, 2]], r"\[n\] with offsets, .*, got list"),
        (np.array(1), r"\[n\] with offsets, or \[k, c\] without, got int64 \[\]"),
        (np.ones((3, 1), np.int64), r"\[n\] with offsets, .*, got int64 \[3, 1\]"),
        (None, r"\[n\] with offsets, or \[k, c\] without, got NoneType"),
    ],
)
def test_prices_that_do_not_fit_are_refused(column: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^unit_price: expected int64 {message}$"):
        columns(2, 1, unit_price=column)


@pytest.mark.parametrize("name", ["quantity", "rate"])
def test_quantity_and_rate_have_no_default(name: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^{name}: expected int64 \[3\], got NoneType$"):
        columns(2, 1, **{name: None})


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize(
    ("column", "got"),
    [
        (np.ones(3, np.int8), r"int8 \[3\]"),
        (np.ones(2, np.bool_), r"bool \[2\]"),
        ([True, True, True], "list"),
        (True, "bool"),
    ],
)
def test_mask_that_does_not_fit_is_refused(name: str, column: object, got: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^{name}: expected bool \[3\], got {got}$"):
        columns(2, 1, **{name: column})


@pytest.mark.parametrize(
    ("column", "got"),
    [
        (np.ones(3, "datetime64[s]"), r"datetime64\[s\] \[3\]"),
        (np.ones(2, "datetime64[D]"), r"datetime64\[D\] \[2\]"),
        (np.ones(3, np.int64), r"int64 \[3\]"),
        (date(2026, 3, 1), "date"),
    ],
)
def test_days_that_do_not_fit_are_refused(column: object, got: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^first_day: expected datetime64\[D\] \[3\], got {got}$"):
        columns(2, 1, first_day=column)


def test_attribute_that_does_not_fit_is_refused_by_its_name() -> None:
    with pytest.raises(
        InvalidInput, match=r"^attribute \('age', 'child'\): expected bool \[3\], got int64 \[3\]$"
    ):
        columns(2, 1, attributes={("age", "child"): np.ones(3, np.int64)})


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        (ints(0, 3, 2, 3), r"^row 1: offsets fall from 3 to 2$"),
        (ints(0, 2), r"^offsets: expected 0 first and 3 last, got 0 and 2$"),
    ],
)
def test_offsets_that_do_not_fit_are_refused(offsets: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        columns(2, 1, offsets=offsets)


def test_matrices_must_have_the_same_shape() -> None:
    price = np.full((2, 3), 1000)

    with pytest.raises(InvalidInput, match=r"^quantity: expected int64 \[2, 3\], got int64 \[3, 2\]$"):
        LineColumns(unit_price=price, quantity=np.ones((3, 2), np.int64), rate=price)
    with pytest.raises(InvalidInput, match=r"^unit_price: .* got int64 \[6\]$"):
        LineColumns(unit_price=price.reshape(-1), quantity=price, rate=price)


@pytest.mark.parametrize(
    ("name", "column", "line", "message"),
    [
        ("unit_price", ints(1, -2, -3), 1, "-2, expected at least 0"),
        ("quantity", ints(1, 1, 0), 2, "0, expected at least 1"),
        ("rate", ints(-1, 0, 0), 0, "-1, expected at least 0"),
        ("rate", ints(0, 1_000_001, 0), 1, "1000001, expected at most 1000000"),
        ("rate", ints(0, 19, 0), 1, "19, expected 0 or more than 100 parts per million: 8 % is 80000"),
        ("floor_price", ints(0, 0, -5), 2, "-5, expected at least 0"),
        ("recurring_price", ints(NONE, 0, -5), 2, "-5, expected at least 0"),
        ("recurring_price", ints(0, NONE + 1, 0), 1, f"{NONE + 1}, expected at least 0"),
    ],
)
def test_impossible_line_is_named(name: str, column: Any, line: int, message: str) -> None:
    with pytest.raises(InvalidLines, match=f"^line {line}: {name} is {message}$"):
        columns(2, 1, **{name: column})


@pytest.mark.parametrize(("name", "impossible"), [("quantity", 0), ("rate", 1_000_001)])
def test_impossible_line_of_a_bucket_is_named_with_its_basket(name: str, impossible: int) -> None:
    ones = np.ones((2, 3), np.int64)
    given: dict[str, Any] = {"unit_price": ones, "quantity": ones, "rate": ones, name: ones.copy()}
    given[name][[0, 1], [2, 1]] = impossible

    with pytest.raises(InvalidLines, match=f"^basket 2, line 0: {name} is {impossible}, expected at "):
        LineColumns(**given)


@pytest.mark.parametrize("day", ["0000-12-31", "10000-01-01"])
def test_day_outside_the_calendar_is_named_with_its_line(day: str) -> None:
    first_day = np.array(["NaT", "2026-03-01", day], "datetime64[D]")
    ones = np.ones((3, 1), np.int64)
    fault = rf"first_day is {day}, expected a date of the years 1 to 9999$"

    with pytest.raises(InvalidInput, match=f"^line 2: {fault}"):
        columns(2, 1, first_day=first_day)
    with pytest.raises(InvalidInput, match=f"^basket 0, line 2: {fault}"):
        LineColumns(unit_price=ones, quantity=ones, rate=ones, first_day=first_day.reshape(3, 1))


def test_rates_up_to_100_percent_are_accepted() -> None:
    lines = columns(2, rate=ints(0, 1_000_000))

    totals = checkout_totals(lines)

    assert totals.lines.total_net.tolist() == [1000, 500]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.dtype(">i8")])
def test_any_fitting_dtype_is_accepted(dtype: Any) -> None:
    lines = columns(2, 1, unit_price=np.array([100, 120, 90], dtype), quantity=np.array([2, 3, 4], dtype))

    totals = checkout_totals(lines)

    assert (lines.unit_price.dtype, lines.quantity.dtype) == (np.dtype(np.int64), np.dtype(np.int64))
    assert totals.total_gross.tolist() == [560, 360]


def test_columns_may_be_read_only_and_strided() -> None:
    prices = read_only(np.array([100, 0, 200, 0, 300, 0]))[::2]
    lines = columns(2, 1, unit_price=prices, quantity=read_only(ints(3, 2, 1))[::-1], key=ints(3, 2, 1)[::-1])

    totals = checkout_totals(lines)

    assert totals.total_gross.tolist() == [500, 900]


def test_matrices_may_have_any_memory_layout() -> None:
    price = np.arange(6).reshape(2, 3) * 100
    usual = LineColumns(unit_price=price, quantity=np.ones_like(price), rate=np.zeros_like(price))
    given: dict[str, Any] = {
        "unit_price": np.asfortranarray(price),
        "quantity": np.ones((4, 6), np.int64)[::2, ::2],
        "rate": np.zeros((3, 2), np.int32).T,
    }

    totals = checkout_totals(LineColumns(**given))

    assert totals.total_gross.tolist() == checkout_totals(usual).total_gross.tolist() == [300, 500, 700]


def test_baskets_and_lines_are_counted() -> None:
    flat = columns(2, 0, 1)
    bucket = in_a_bucket(columns(2, 2, 2))

    assert (flat.baskets, flat.lines) == (3, 3)
    assert (bucket.baskets, bucket.lines) == (3, 6)


START = datetime(2026, 3, 1, tzinfo=UTC)
FULL = Line(
    key=3,
    unit_price=7900,
    quantity=2,
    rate=VAT,
    product=11,
    variant=101,
    category=4,
    attributes=frozenset({("age", "child"), ("zone", "1")}),
    discount_card=5,
    validity=Interval(START, START + timedelta(days=1)),
    floor_price=100,
    discountable=False,
    counted=False,
    is_subscription=True,
    recurring_price=6900,
    zone="UTC",
)


@pytest.mark.parametrize(
    "baskets",
    [
        [],
        [()],
        [(PLAIN,)],
        [(FULL,)],
        [(PLAIN, FULL), (), (PLAIN,)],
        [(FULL._replace(product=None, attributes=frozenset({("zone", "2")})),), (FULL,)],
    ],
)
def test_lines_survive_the_round_trip(baskets: list[tuple[Line, ...]]) -> None:
    lines = LineColumns.of(baskets)

    found = [lines.basket(index) for index in range(lines.baskets)]

    assert found == baskets


@pytest.mark.parametrize("day", [date.min, date.max])
def test_first_and_last_day_of_the_calendar_survive_the_round_trip(day: date) -> None:
    lines = columns(1, first_day=np.array([day], "datetime64[D]"))

    (line,) = lines.basket(0)

    assert line.validity is not None
    assert line.validity.first_day == day


def test_lines_can_be_read_back_from_a_bucket() -> None:
    bucket = in_a_bucket(LineColumns.of([(PLAIN,), (FULL,)]))

    assert (bucket.basket(0), bucket.basket(1)) == ((PLAIN,), (FULL,))


def test_omitted_columns_have_the_defaults_of_a_line() -> None:
    lines = columns(1, 2)

    assert lines.basket(1) == (PLAIN._replace(key=0), PLAIN._replace(key=1))


def test_missing_values_of_a_line_are_none() -> None:
    lines = columns(2, product=ints(NONE, 0), first_day=np.array(["NaT", "2026-03-01"], "datetime64[D]"))

    without, with_both = lines.basket(0)

    assert (without.product, without.validity) == (None, None)
    assert (with_both.product, with_both.validity) == (0, FULL.validity)


def test_validity_is_kept_as_its_local_first_day() -> None:
    zone_ahead = datetime.fromisoformat("2026-03-01T00:00:00+12:00")
    line = PLAIN._replace(validity=Interval(zone_ahead, zone_ahead + timedelta(days=1)))

    named = LineColumns.of([[line, line._replace(zone="Asia/Tokyo")]], zone="Pacific/Auckland")

    assert named.first_day is not None
    assert named.first_day.tolist() == [date(2026, 3, 1), date(2026, 2, 28)]
    with pytest.raises(ContextRequired, match=r"add Context\(zone='Europe/Zurich'\)$"):
        LineColumns.of([[line]])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("unit_price", 2**63), ("unit_price", -(2**63) - 1), ("unit_price", 10.0), ("unit_price", "10")],
        *[("unit_price", None), ("quantity", float("nan")), ("quantity", True), ("key", 2**64)],
        *[("product", 1.5), ("recurring_price", 2**63), ("floor_price", 0.5)],
        *[("rate", 0.081), ("rate", 81_000), ("rate", None)],
    ],
)
def test_line_with_a_value_that_does_not_fit_int64_is_refused(name: str, value: Any) -> None:
    with pytest.raises(InvalidLines, match=rf"^{name}: expected ints that fit int64$"):
        LineColumns.of([[PLAIN._replace(**{name: value})]])
