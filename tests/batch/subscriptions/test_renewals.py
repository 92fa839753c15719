"""Renewals in columns: calendar tables, limits of a column, and refusals."""

from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from faregate.batch.columns import values as columns
from faregate.batch.dates.months import (
    FEBRUARY_29,
    day_of_month,
    month_and_day,
    months_before,
    nth_month,
)
from faregate.batch.subscriptions.proration import prorate
from faregate.batch.subscriptions.schedule import next_billing_date, renewal_date, renewal_dates
from faregate.dates.months import MonthEnd
from faregate.errors import InvalidInput, InvalidPeriod
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.rules import EveryDays, Monthly, MonthlyOn, RenewalRule, Yearly, YearlyOn
from support.columns.renewals import day_column

NOT_A_TIME = np.datetime64("NaT", "D")
JANUARY_31 = date(2023, 1, 31)
ALL_DAYS = np.arange(columns.FIRST_DAY, columns.LAST_DAY + 1)


@pytest.mark.parametrize("days", [ALL_DAYS[::17], ALL_DAYS[690_000:840_000]], ids=["all", "1890 to 2300"])
def test_month_and_day_agree_with_the_calendar(days: npt.NDArray[np.int64]) -> None:
    dates = days.view("datetime64[D]")
    months = dates.astype("datetime64[M]")

    month, day = month_and_day(days)

    np.testing.assert_array_equal(month, months.astype(np.int64) + 840)
    np.testing.assert_array_equal(day, (dates - months.astype("datetime64[D]")).astype(np.int64))


@pytest.mark.parametrize("day", [0, 27, 28, 29, 30])
def test_day_of_month_follows_the_month_end_policy(day: int) -> None:
    months = np.arange("0001-01", "10000-01", dtype="datetime64[M]")
    month = months.astype(np.int64) + 840
    first, following = months.astype("datetime64[D]"), (months + 1).astype("datetime64[D]")

    clamped = day_of_month(month, day, MonthEnd.CLAMP).view("datetime64[D]")
    forwarded = day_of_month(month, day, MonthEnd.FORWARD).view("datetime64[D]")
    rejected = day_of_month(month, day, MonthEnd.REJECT)

    np.testing.assert_array_equal(clamped, np.minimum(first + day, following - 1))
    np.testing.assert_array_equal(forwarded, np.minimum(first + day, following))
    has_it = first + day < following
    np.testing.assert_array_equal(rejected[has_it].view("datetime64[D]"), first[has_it] + day)
    assert (rejected[~has_it] == columns.NOWHERE).all()


@pytest.mark.parametrize(
    ("kind", "length", "only"),
    [(0, 28, None), (1, 29, None), (2, 30, None), (3, 31, None), (FEBRUARY_29, 29, 2)],
)
def test_months_of_a_kind_are_those_that_are_long_enough(kind: int, length: int, only: int | None) -> None:
    months = np.arange("1400-01", "2500-01", dtype="datetime64[M]")
    is_long = ((months + 1).astype("datetime64[D]") - months.astype("datetime64[D]")).astype(int) >= length
    is_kind = is_long & (np.isin(np.arange(len(months)) % 12, only - 1) if only else True)
    month = months.astype(np.int64) + 840
    kinds = np.full(len(month), kind)

    before = months_before(month, kinds)

    np.testing.assert_array_equal(np.diff(before), is_kind[:-1])
    np.testing.assert_array_equal(nth_month(before[is_kind], kinds[is_kind]), month[is_kind])


RULES = [Monthly(), Yearly(), MonthlyOn(31), YearlyOn(2, 29), EveryDays(30)]
Twin = Callable[..., npt.NDArray[np.datetime64]]
ASKED: list[tuple[Twin, dict[str, Any]]] = [
    (renewal_date, {"index": 3}),
    (renewal_dates, {"count": 3}),
    (next_billing_date, {"after": date(2026, 11, 21)}),
]
each_function = pytest.mark.parametrize(
    ("twin", "asked"), ASKED, ids=lambda own: getattr(own, "__name__", "")
)


@each_function
@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("month_end", [MonthEnd.CLAMP, MonthEnd.FORWARD, MonthEnd.OMIT])
def test_long_column_gives_the_same_dates_as_its_parts(
    twin: Twin, asked: dict[str, Any], rule: RenewalRule, month_end: MonthEnd
) -> None:
    days = np.random.default_rng(7).integers(-40_000, 40_000, 3 * columns._CHUNK).view("datetime64[D]")

    whole = twin(rule, anchor=days, **asked, month_end=month_end)

    parts = [twin(rule, anchor=part, **asked, month_end=month_end) for part in np.split(days, 6)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))


def test_dates_of_a_single_anchor_are_one_row() -> None:
    dates = renewal_dates(Monthly(), anchor=JANUARY_31, count=3)

    assert dates.tolist() == [date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31)]
    assert renewal_dates(Monthly(), anchor=JANUARY_31, count=0).shape == (0,)


@each_function
def test_first_invalid_row_is_named(twin: Twin, asked: dict[str, Any]) -> None:
    days = np.full(3 * columns._CHUNK, np.datetime64(JANUARY_31))
    days[[columns._CHUNK + 5, -1]] = NOT_A_TIME, np.datetime64("9999-12-31")

    with pytest.raises(InvalidInput, match=f"^row {columns._CHUNK + 5}: anchor is NaT, expected a date$"):
        twin(EveryDays(30), anchor=days, **asked)


@each_function
def test_a_rule_by_its_name_is_refused(twin: Twin, asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidPeriod, match=r"^rule is 'monthly', expected a renewal rule such as Monthly"):
        twin("monthly", anchor=JANUARY_31, **asked)


@each_function
def test_rejected_month_is_reported_with_its_row(twin: Twin, asked: dict[str, Any]) -> None:
    anchors = day_column([date(2024, 2, 28), date(2024, 2, 29)])

    with pytest.raises(InvalidPeriod, match=r"^row 1: the day does not exist in month 2 of year 202\d$"):
        twin(Yearly(), anchor=anchors, **asked, month_end=MonthEnd.REJECT)


@pytest.mark.parametrize(
    ("day", "error"),
    [
        (NOT_A_TIME, "^row 1: after is NaT"),
        (np.datetime64("10000-01-01"), "^row 1: .* outside the years 1 to 9999"),
        (np.datetime64("0000-12-31"), "^row 1: .* outside the years 1 to 9999"),
    ],
)
def test_day_outside_the_calendar_is_refused(day: np.datetime64, error: str) -> None:
    after = np.array(["2024-01-01", day], "datetime64[D]")

    with pytest.raises(InvalidInput, match=error):
        next_billing_date(Yearly(), anchor=JANUARY_31, after=after)


def test_anchor_outside_the_calendar_is_refused_even_with_a_boundary_inside() -> None:
    anchors = np.array(["10001-06-01"], "datetime64[D]")

    with pytest.raises(InvalidPeriod, match=r"row 0: .* outside the years"):
        renewal_date(Yearly(), anchor=anchors, index=-20)


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("index", [2**63 - 1, -(2**63), 2**62, 2**61 // 3 * 4, 2**32 * 400])
def test_very_large_index_does_not_wrap_around(rule: RenewalRule, index: int) -> None:
    with pytest.raises(InvalidPeriod, match="row 0: "):
        renewal_date(rule, anchor=JANUARY_31, index=np.array([index]))


@pytest.mark.parametrize(
    ("anchor", "named"),
    [
        (np.array(["2024-01-31"], "datetime64[ns]"), r"datetime64\[ns\] \[1\]"),
        (np.array(["2024-01"], "datetime64[M]"), r"datetime64\[M\] \[1\]"),
        (np.array([[19_000]]).view("datetime64[D]"), r"datetime64\[D\] \[1, 1\]"),
        (np.array([19_000]), r"int64 \[1\]"),
        (np.array([19_000.0]), r"float64 \[1\]"),
        (np.array([JANUARY_31]), r"object \[1\]"),
        (np.array(["2024-01-31"], ">M8[D]"), r">M8\[D\] \[1\]"),
        (np.datetime64("NaT"), "datetime64"),
        ([JANUARY_31], "list"),
        ("2024-01-31", "str"),
    ],
)
@each_function
def test_values_other_than_dates_are_refused_with_dtype_and_shape(
    twin: Twin, asked: dict[str, Any], anchor: Any, named: str
) -> None:
    with pytest.raises(
        InvalidInput, match=rf"^anchor: expected datetime64\[D\] \[n\] or a date, got {named}$"
    ):
        twin(Monthly(), anchor=anchor, **asked)


@pytest.mark.parametrize("count", [-1, 4_000_001, 2.0, True])
def test_invalid_count_is_refused(count: Any) -> None:
    with pytest.raises(InvalidPeriod, match=f"^count: expected 0 to 4000000, got {count}$"):
        renewal_dates(Monthly(), anchor=JANUARY_31, count=count)


MONTH: dict[str, Any] = {"whole_start": date(2024, 2, 15), "whole_end": date(2024, 3, 15)}


def test_whole_that_ends_outside_the_calendar_is_refused() -> None:
    bounds: dict[str, Any] = {"part_start": date(9999, 12, 1), "part_end": date(9999, 12, 31)}

    with pytest.raises(InvalidPeriod, match=r"row 0: .* outside the years 1 to 9999"):
        prorate(100, **bounds, whole_start=date(9999, 12, 1), whole_end=np.datetime64("10000-01-01"))


@pytest.mark.parametrize("convention", DayCount)
def test_part_outside_its_whole_is_refused_with_its_row(convention: DayCount) -> None:
    starts = day_column([date(2024, 2, 15), date(2024, 2, 14)])

    with pytest.raises(InvalidPeriod, match=r"^row 1: the part 2024-02-14 to 2024-03-15 is not within"):
        prorate(100, part_start=starts, part_end=date(2024, 3, 15), **MONTH, convention=convention)


@pytest.mark.parametrize("name", ["part_start", "part_end", "whole_start", "whole_end"])
def test_bound_that_is_not_a_date_is_refused_by_name(name: str) -> None:
    bounds: dict[str, Any] = {"part_start": date(2024, 2, 23), "part_end": date(2024, 3, 15), **MONTH}
    bounds[name] = np.array([NOT_A_TIME])

    with pytest.raises(InvalidInput, match=f"row 0: {name} is NaT"):
        prorate(100, **bounds)
