"""Contexts of conditions in columns: refused and missing values."""

import re
from datetime import UTC, date, datetime, time
from typing import Any

import numpy as np
import pytest

from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.totals.pipeline import checkout_totals
from faregate.dates.instants import DateRange
from faregate.dates.times_of_day import TimeOfDay
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
)
from faregate.errors import ContextRequired, InvalidInput, InvalidPeriod
from support.columns.lines import columns, days, instants, ints, when, where

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday
NO_DAY = {"at": instants("2026-03-04")}
LATE = Scope(max_lead_days=1)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("at", np.zeros(2, "datetime64[s]"), r"expected datetime64\[us\] \[m\], got datetime64\[s\] \[2\]"),
        ("at", np.zeros(2, np.int64), r"expected datetime64\[us\] \[m\], got int64 \[2\]"),
        ("at", NOON, r"expected datetime64\[us\] \[m\], got datetime"),
        ("at", instants(*["2026-03-04"] * 4).reshape(2, 2), r"expected .* got .* \[2, 2\]"),
        ("at", [NOON], r"expected datetime64\[us\] \[m\], got list"),
        ("ordered_on", np.zeros(2, "M8[s]"), r"expected datetime64\[D\] \[m\], got datetime64\[s\] \[2\]"),
        ("ordered_on", "2026-03-04", r"expected datetime64\[D\] \[m\], got str"),
        ("ordered_on", NOON, r"expected datetime64\[D\] \[m\], got datetime"),
        ("channel", np.array([b"WEB"]), r"expected str \[m\], got \|S3 \[1\]"),
        ("channel", np.array(["WEB", None]), r"expected str \[m\], got object \[2\]"),
        ("channel", 7, r"expected str \[m\], got int"),
        ("channel", ["WEB"] * 2, r"expected str \[m\], got list"),
        ("channel", np.array([["WEB"]]), r"expected str \[m\], got <U3 \[1, 1\]"),
        ("account", np.array([7.0, 7.5]), r"expected int64 \[m\], got float64 \[2\]"),
        ("account", np.ones(2, np.uint64), r"expected int64 \[m\], got uint64 \[2\]"),
        ("account", np.float64(7), r"expected int64 \[m\], got float64 \[\]"),
        ("account", np.array([True, False]), r"expected int64 \[m\], got bool \[2\]"),
        ("account", "7", r"expected int64 \[m\], got str"),
        ("account", True, r"expected int64 \[m\], got bool"),
        ("account", 2**70, r"\d+ does not fit int64"),
        ("customer_groups", {"a"}, r"expected a mapping of groups to bool \[m\], got set"),
        ("customer_groups", {"a": 1}, r"'a': expected bool \[m\], got int64 \[\]"),
    ],
)
def test_columns_that_do_not_fit_are_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{name}: {message}$"):
        ContextColumns(**{name: value})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"at": instants("2026-03-04", "NaT", "NaT")}, "row 1: at is NaT"),
        ({"at": np.datetime64("NaT", "us")}, "row 0: at is NaT"),
        ({"at": instants("2026-03-04"), "ordered_on": days("NaT")}, "row 0: ordered_on is NaT"),
        (
            {"at": instants(*["2026-03-04"] * 3), "ordered_on": days(*["2026-03-04"] * 2)},
            r"columns differ in length: at datetime64\[us\] \[3\], ordered_on datetime64\[D\] \[2\]",
        ),
    ],
)
def test_instants_and_days_that_do_not_fit_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}$"):
        ContextColumns(**given)


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize(
    ("name", "values", "dtype"),
    [
        ("at", instants(*["2026-03-04"] * 3), "datetime64[us]"),
        ("ordered_on", days(*["2026-03-04"] * 3), "datetime64[D]"),
        ("channel", np.array(["WEB"] * 3), "<U3"),
        ("account", ints(7, 7, 7), "int64"),
    ],
)
def test_column_has_a_value_for_each_basket(name: str, values: Any, dtype: str, count: int) -> None:
    context = ContextColumns(**{name: values[:count]})
    got = re.escape(f"{dtype} [{count}]")

    with pytest.raises(InvalidInput, match=rf"^{name}: expected one value or an array \[2\], got {got}$"):
        checkout_totals(columns(1, 1), context=context)


def test_instant_without_offset_is_refused() -> None:
    with pytest.raises(InvalidPeriod, match=r"^2026-03-04T12:00:00 has no UTC offset$"):
        checkout_totals(columns(1), context=Context(at=NOON.replace(tzinfo=None)))


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-04T12:00", "2026-03-06"),
        ("2026-03-04T12:00", "2026-03-02"),
        ("2026-03-04T00:00", "2026-03-05"),
        ("2026-03-04T23:59:59.999999", "2026-03-03"),
        ("2026-03-05T00:00", "2026-03-03"),
    ],
)
def test_instant_that_contradicts_the_local_date_is_refused(at: str, day: str) -> None:
    said = str(np.datetime64(at, "us"))
    one: dict[str, Any] = {"at": np.datetime64(at, "us"), "ordered_on": date.fromisoformat(day)}

    with pytest.raises(
        InvalidInput, match=rf"^row 0: {day} is not the local date in any zone at {said} UTC$"
    ):
        ContextColumns(**one)
    with pytest.raises(
        InvalidInput, match=rf"^row 1: {day} is not the local date in any zone at {said} UTC$"
    ):
        ContextColumns(at=instants(day, at, at), ordered_on=days(day, day, day))


@pytest.mark.parametrize(
    ("code", "context", "needs"),
    [
        (when(channels=frozenset({"WEB"})), {}, "the channel"),
        (when(starts_at=NOON), {}, "the instant"),
        (when(ends_at=NOON), {}, "the instant"),
        (when(weekdays=frozenset({3})), {"ordered_on": days("2026-03-04")}, "the instant"),
        (when(weekdays=frozenset({3})), NO_DAY, "the local date of the order"),
        (where(min_lead_days=1), {}, "the instant"),
        (where(max_lead_days=1), {"ordered_on": days("2026-03-04")}, "the instant"),
        (where(min_lead_days=1), NO_DAY, "the local date of the order"),
        (where(max_lead_days=1), NO_DAY, "the local date of the order"),
        (when(thresholds=(Threshold(quantity=1, counting=LATE),)), NO_DAY, "the local date of the order"),
        (PromoCode(code="A", kind=BuyXGetY(1, 1, rewards=LATE)), NO_DAY, "the local date of the order"),
    ],
)
def test_condition_needs_its_context(code: PromoCode, context: dict[str, Any], needs: str) -> None:
    lines = columns(1, first_day=days("2026-03-05"))

    with pytest.raises(ContextRequired, match=f"needs {needs} in the context"):
        checkout_totals(lines, promo_codes=[code], context=ContextColumns(**context))


WEDNESDAYS = Conditions(weekdays=frozenset({3}))


@pytest.mark.parametrize("price", [1000, 2**33])
@pytest.mark.parametrize(
    "rules",
    [
        {"promo_codes": [UnknownCode("NONE"), when(weekdays=frozenset({3}))]},
        {"automatic": [AutomaticDiscount(id=1, kind=Absolute(1), conditions=WEDNESDAYS)]},
    ],
)
def test_local_days_are_required_for_any_lines_and_codes(rules: dict[str, Any], price: int) -> None:
    lines, nowhere = columns(1, unit_price=ints(price)), CodeColumns(offsets=ints(0, 0), codes=ints())

    with pytest.raises(ContextRequired, match=r"^a discount by days needs the local date of the order in"):
        checkout_totals(lines, **rules, entered=nowhere, context=ContextColumns(at=instants("2026-03-04")))


@pytest.mark.parametrize(
    "code",
    [when(accounts=frozenset({7})), where(days=DateRange(date(2026, 3, 1), date(2026, 4, 1)))],
)
def test_rules_without_conditions_need_no_context(code: PromoCode) -> None:
    totals = checkout_totals(columns(1), promo_codes=[code])

    assert totals.promo_code_discount.tolist() == [0]


def test_nothing_is_needed_where_no_code_is_entered() -> None:
    nowhere = CodeColumns(offsets=ints(0, 0), codes=ints())

    totals = checkout_totals(columns(1), promo_codes=[when(starts_at=NOON)], entered=nowhere)

    assert totals.total_gross.tolist() == [1000]


@pytest.mark.parametrize("conditions", [Conditions(channels=frozenset({"WEB"})), Conditions(starts_at=NOON)])
def test_nothing_is_needed_where_no_line_is_in_scope(conditions: Conditions) -> None:
    elsewhere = Scope(products=frozenset({99}))
    rule = AutomaticDiscount(id=1, kind=Absolute(1), scope=elsewhere, conditions=conditions)

    totals = checkout_totals(columns(1), automatic=[rule])

    assert totals.total_gross.tolist() == [1000]


@pytest.mark.parametrize("name", ["at", "ordered_on"])
@pytest.mark.parametrize("day", ["10000-01-01", "0000-12-31"])
def test_context_outside_the_calendar_is_refused(day: str, name: str) -> None:
    given: dict[str, Any] = {"at": instants(day), "ordered_on": days(day)}

    with pytest.raises(InvalidInput, match="expected a day of the years 1 to 9999"):
        ContextColumns(**given)
    with pytest.raises(InvalidInput, match="expected a day of the years 1 to 9999"):
        ContextColumns(**{name: given[name]})


def test_day_that_wraps_around_in_microseconds_is_refused() -> None:
    with pytest.raises(InvalidInput, match="586580-03-21"):
        ContextColumns(at=instants("2026-03-04T12"), ordered_on=days("586580-03-21"))


def test_columns_refuse_a_time_of_day() -> None:
    evening = Conditions(time_of_day=TimeOfDay(time(17), time(19)))

    with pytest.raises(
        ContextRequired, match=r"^a discount by time of day needs local times in .*: columns have"
    ):
        checkout_totals(
            columns(1, unit_price=ints(5)),
            automatic=[AutomaticDiscount(id=1, kind=Absolute(1), conditions=evening)],
        )
