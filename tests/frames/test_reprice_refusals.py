"""Orders that cannot be repriced, with the location in the message: column, number, first rows."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput, InvalidLines, InvalidOption
from faregate.frames import Lines, reprice, totals
from faregate.frames.orders import streams as order_streams
from faregate.money.rounding import RoundingMode
from support.frames.engines import Engine, eager_engines
from support.frames.refused_orders import CHF, LINES, TEN, TIMES, faults, limited

DIFFERS = "must be the same in all rows of a checkout, but differs in 1 row: row 2"
ROUNDED = CHF | {"rounding": RoundingMode.HALF_UP}
CODES = {"rules": PricingRules(promo_codes=(TEN,))}
CHANNELS = {"rules": limited(channels=frozenset({"WEB"}))}

# ---------------------------------------------------------------- values


def test_objects_of_several_types_are_refused_by_column() -> None:
    mixed = pd.DataFrame(
        {"checkout": [1, 2], "unit_price": [100, "1.00"], "quantity": [1, 1], "rate": [81_000] * 2}
    )

    with pytest.raises(InvalidInput, match="column 'unit_price': not of one type"):
        reprice(mixed, PricingRules(), by="checkout", lines=Lines.TOGETHER)


@pytest.mark.parametrize(
    ("column", "values", "given", "message"),
    [
        ("checkout", ["a", None, None], {}, "null in 2 rows: row 1, row 2"),
        ("unit_price", [1, None, 2], {}, "null in 1 row: row 1"),
        ("unit_price", [1, -5, -(2**63)], {}, f"below 0 in 2 rows: row 1 (-5), row 2 ({-(2**63)})"),
        ("unit_price", [1, 10**12 + 1, 2], {}, "beyond 1000000000000 in 1 row: row 1 (1000000000001)"),
        ("unit_price", pa.array([1, 2**64 - 1, 2], pa.uint64()), {}, f"beyond {2**63 - 1} in 1 row: row 1"),
        ("unit_price", ["1", "1.234", None], CHF, "not an amount of CHF in 1 row: row 1 (1.234 has more "),
        ("unit_price", [1.5, float("nan"), float("inf")], ROUNDED, "infinite in 1 row: row 2 (inf)"),
        ("quantity", [1, 0, -1], {}, "below 1 in 2 rows: row 1 (0), row 2 (-1)"),
        ("quantity", [1, None, 1], {}, "null in 1 row: row 1"),
        ("rate", [0, -1, 0], {}, "below 0 in 1 row: row 1 (-1)"),
        ("rate", [0, 10**6 + 1, 0], {}, "beyond 1000000 in 1 row: row 1 (1000001)"),
        ("rate", ["0", None, "1"], {}, "null in 1 row: row 1"),
        ("key", [1, 4, 4], {}, "used twice in a checkout in 1 row: row 2 (4)"),
        ("floor_price", [1, -1, 1], {}, "below 0 in 1 row: row 1 (-1)"),
        ("donation", [1, 2, 3], {}, DIFFERS),
        ("codes", ["x", "ten", None], CODES, DIFFERS),
        ("codes", [["x"], ["x", None], ["x", None]], CODES, "null among the codes in 2 rows: row 1, row 2"),
        ("channel", ["WEB", None, None], CHANNELS, "null in 2 rows: row 1, row 2"),
    ],
)
def test_impossible_values_are_named_with_their_rows(
    column: str, values: Any, given: dict[str, Any], message: str
) -> None:
    found = faults(LINES | {column: values}, **given)

    assert any(fault.startswith(f"column {column!r}: {message}") for fault in found)


def test_a_line_total_beyond_the_largest_amount_is_refused() -> None:
    assert faults(LINES | {"unit_price": [10**12, 1, 1], "quantity": [2, 1, 1]}) == (
        "column 'unit_price': beyond 1000000000000 with its quantity in 1 row: row 0",
    )


def test_impossible_times_are_named() -> None:
    instants = pa.array([datetime(2026, 3, 25, tzinfo=UTC), None, None], pa.timestamp("us", "UTC"))
    days = [date(2026, 3, 27), date(2026, 3, 25), None]

    assert faults(LINES | {"ordered_at": instants, "ordered_on": days}, TIMES) == (
        "column 'ordered_at': null in 2 rows: row 1, row 2",
        "column 'ordered_on': must be the same in all rows of a checkout, but differs in 1 row: row 2",
        "column 'ordered_on': not the date of ordered_at in any time zone in 2 rows: row 0, row 1",
        "column 'ordered_on': null in 1 row: row 2",
    )


@pytest.mark.parametrize(
    ("hours", "is_possible"), [(-15, False), (-14, True), (0, True), (35, True), (36, False), (60, False)]
)
def test_a_local_date_must_match_the_instant_in_some_time_zone(*, hours: int, is_possible: bool) -> None:
    midnight = datetime(2026, 3, 25, tzinfo=UTC)
    instants = pa.array([midnight + timedelta(hours=hours)] * 3, pa.timestamp("us", "UTC"))
    table = pa.table(LINES | {"ordered_at": instants, "ordered_on": [midnight.date()] * 3})

    if is_possible:
        assert len(reprice(table, TIMES)) == 3
    else:
        with pytest.raises(
            InvalidLines, match="not the date of ordered_at in any time zone in 2 rows: row 0, row 1"
        ):
            reprice(table, TIMES)


@eager_engines
def test_all_issues_of_all_columns_are_reported_together(engine: Engine) -> None:
    table = pa.table(LINES | {"unit_price": [-1, 5, -7], "quantity": [0, 1, 1], "rate": ["x", "8.1", "x"]})

    with pytest.raises(InvalidLines) as refused:
        reprice(engine.take(table), PricingRules())

    quantity, rate, price = refused.value.messages
    assert quantity == "column 'quantity': zero in 1 row: row 0"
    assert rate.startswith("column 'rate': not a rate in percent in 2 rows: row 0 (")
    assert price == "column 'unit_price': below 0 in 2 rows: row 0 (-1), row 2 (-7)"


def test_an_error_lists_the_invalid_rows() -> None:
    columns = {"checkout": range(9), "quantity": [0] * 8 + [1], "rate": [0] * 9, "unit_price": [5] * 9}

    with pytest.raises(InvalidLines) as refused:
        reprice(pa.table(columns), PricingRules())

    assert refused.value.rows == tuple(range(8))


@pytest.mark.slow
def test_unordered_rows_are_named_by_their_checkout() -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = pa.table(LINES | {"key": [1, 1, 2], "quantity": [1, 0, 1]}).to_pandas()

    found = reprice(dd.from_pandas(frame, npartitions=1), PricingRules())

    with pytest.raises(InvalidLines, match=r"^column 'quantity': zero in 1 row: checkout 'b'$") as refused:
        found.compute()
    assert refused.value.rows == ()


def test_rows_of_a_long_table_are_numbered_continuously(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_streams, "STREAM_ROWS", 2)
    table = LINES | {"checkout": [1, 2, 3], "quantity": [0, 1, 0]}

    assert faults(table) == ("column 'quantity': below 1 in 2 rows: row 0 (0), row 2 (0)",)
    assert faults(table | {"checkout": [1, None, 2]}) == ("column 'checkout': null in 1 row: row 1",)


def test_a_folder_of_time_zones_is_not_a_time_zone() -> None:
    assert faults(LINES, zone="Europe") == (
        "zone: unknown time zone 'Europe', expected an IANA name such as Europe/Zurich",
    )


# ---------------------------------------------------------------- checkouts that come again


@eager_engines
@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["b", "a", "b"], "checkout 'b' occurs again in row 2: "),
        (["a", "b", "a"], "checkout 'a' occurs again in row 2: "),
    ],
)
def test_a_repeated_checkout_is_named(engine: Engine, ids: list[str], message: str) -> None:
    frame = engine.take(pa.table(LINES | {"checkout": ids}))

    with pytest.raises(InvalidInput) as refused:
        reprice(frame, PricingRules(), lines=Lines.TOGETHER)

    assert message in str(refused.value)


def test_several_repeated_checkouts_are_counted() -> None:
    columns = {"checkout": [2, 1, 2, 1], "unit_price": [1] * 4, "quantity": [1] * 4, "rate": [0] * 4}

    (fault,) = faults(columns, lines=Lines.TOGETHER)

    assert fault == (
        "column 'checkout': checkout 2 occurs again in row 2, and 1 more: "
        "sort the lines by checkout, or read them as scattered (Lines.SCATTERED)"
    )


def test_a_rate_in_whole_percent_is_not_read_as_parts_per_million() -> None:
    orders = pd.DataFrame({"checkout": [1, 1], "unit_price": 7900, "quantity": 1, "rate": [0, 19]})

    with pytest.raises(InvalidLines, match=r"^column 'rate': probably in percent .* in 1 row: row 1 \(19\)$"):
        reprice(orders, PricingRules())


def test_the_name_of_a_rules_file_is_not_rules() -> None:
    with pytest.raises(InvalidInput, match=r"^rules is 'rules.yaml', expected a PricingRules$"):
        reprice(pd.DataFrame(LINES), "rules.yaml")  # type: ignore[arg-type]


def test_unknown_options_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="'prefx'"):
        reprice(pa.table(LINES), PricingRules(), prefx="new_")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'rubbish'"):
        totals(pa.table(LINES), rubbish=1)  # type: ignore[call-arg]
    with pytest.raises(InvalidOption, match=r"^lines is 'rubbish', expected 'scattered' or 'together'$"):
        reprice(pa.table(LINES), PricingRules(), lines="rubbish")  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match=r"^rounding is 'nearest', expected 'half_up', "):
        totals(pa.table(LINES), rounding="nearest")  # type: ignore[arg-type]
