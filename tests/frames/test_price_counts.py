"""Counts of prices: the same rows and types from every engine."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from faregate.errors import InvalidInput
from faregate.frames import Negatives, PriceUnit, price_counts
from faregate.money.rounding import RoundingMode
from support.frames.engines import Engine, arrow, every_engine, rows

SEASONS = ["winter", None, "summer", "winter", None, "winter"]
DAYS = [1, 1, 3, 3, 1, 1]
PRICES = [6900, 4900, 12900, 6900, 4900, 7400]


def offers(**columns: Any) -> pa.Table:
    return pa.table({"season": SEASONS, "days": pa.array(DAYS, pa.int32()), "price": PRICES, **columns})


@every_engine
def test_counts_are_the_same_rows_in_the_same_kind_of_frame(engine: Engine) -> None:
    found = price_counts(engine.take(offers()), price="price", by=["season", "days"])

    assert engine.owns(found)
    assert [tuple(row.values()) for row in rows(found)] == [
        ("summer", 3, 12900, 1),
        ("winter", 1, 6900, 1),
        ("winter", 1, 7400, 1),
        ("winter", 3, 6900, 1),
        (None, 1, 4900, 2),
    ]


@every_engine
def test_counts_have_the_same_types(engine: Engine) -> None:
    found = price_counts(engine.take(offers()), price="price", by="season")

    assert arrow(found).schema.names == ["season", "price", "count"]
    assert arrow(found).schema.types == [pa.string(), pa.int64(), pa.int64()]


@every_engine
def test_without_groups_all_prices_are_counted_together(engine: Engine) -> None:
    found = price_counts(engine.take(offers()), price="price")

    assert [tuple(row.values()) for row in rows(found)] == [(4900, 2), (6900, 2), (7400, 1), (12900, 1)]


def test_groups_and_prices_may_have_2_to_the_31_pairs_and_more() -> None:
    numbers = list(range(46_341))

    found = price_counts(pa.table({"group": numbers, "price": numbers}), by="group")

    assert found.to_pydict() == {"group": numbers, "price": numbers, "count": [1] * len(numbers)}


@every_engine
@pytest.mark.parametrize("dtype", [pa.int8(), pa.int16(), pa.int32(), pa.int64()], ids=str)
def test_ints_of_any_width_are_minor_units(engine: Engine, dtype: pa.DataType) -> None:
    table = pa.table({"price": pa.array([3, 1, 3], dtype)})

    found = price_counts(engine.take(table), price="price", currency="CHF", unit=PriceUnit.MINOR)

    assert rows(found) == [{"price": 1, "count": 1}, {"price": 3, "count": 2}]


@every_engine
def test_ints_may_be_major_units_of_the_currency(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": [69, 49, 69]}))

    found = price_counts(frame, price="price", currency="CHF", unit=PriceUnit.MAJOR)

    assert rows(found) == [{"price": 4900, "count": 1}, {"price": 6900, "count": 2}]


@every_engine
def test_units_of_a_currency_without_decimals_are_all_the_same(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": [6900]}))

    for unit in (None, *PriceUnit):
        assert rows(price_counts(frame, currency="JPY", unit=unit)) == [{"price": 6900, "count": 1}]


@every_engine
@pytest.mark.parametrize("dtype", [pa.decimal128(9, 2), pa.decimal128(20, 5)], ids=str)
def test_decimals_are_major_units_of_the_currency(engine: Engine, dtype: pa.DataType) -> None:
    values = [Decimal("69.00"), Decimal("49.5"), Decimal(69)]
    table = pa.table({"price": pa.array(values, dtype)})

    found = price_counts(engine.take(table), price="price", currency="CHF")

    assert rows(found) == [{"price": 4950, "count": 1}, {"price": 6900, "count": 2}]


@every_engine
def test_texts_are_major_units_of_the_currency(engine: Engine) -> None:
    table = pa.table({"price": ["69.00", "49.5", "69"]})

    found = price_counts(engine.take(table), price="price", currency="KWD")

    assert rows(found) == [{"price": 49500, "count": 1}, {"price": 69000, "count": 2}]


@every_engine
@pytest.mark.parametrize(
    ("mode", "cents"),
    [
        (RoundingMode.HALF_UP, [100, 101, 4995]),
        (RoundingMode.HALF_EVEN, [100, 100, 4995]),
        (RoundingMode.UP, [100, 101, 4995]),
        (RoundingMode.DOWN, [100, 100, 4995]),
    ],
)
def test_floats_are_read_as_printed_and_rounded_once(
    engine: Engine, mode: RoundingMode, cents: list[int]
) -> None:
    table = pa.table({"price": [1.0, 1.005, 49.95]})

    found = price_counts(engine.take(table), price="price", currency="CHF", rounding=mode)

    assert [row["price"] for row in rows(found) for _ in range(row["count"])] == cents


@every_engine
def test_negative_prices_are_counted_where_allowed(engine: Engine) -> None:
    table = pa.table({"price": [100, -200, -200]})

    found = price_counts(engine.take(table), price="price", negatives=Negatives.ALLOWED)

    assert rows(found) == [{"price": -200, "count": 2}, {"price": 100, "count": 1}]


@every_engine
def test_each_group_may_have_its_own_currency(engine: Engine) -> None:
    table = pa.table({"price": ["5", "5", "5.5"], "currency": ["JPY", "CHF", "CHF"]})

    found = price_counts(engine.take(table), price="price", by="currency", currency_column="currency")

    assert [tuple(row.values()) for row in rows(found)] == [("CHF", 500, 1), ("CHF", 550, 1), ("JPY", 5, 1)]


@every_engine
@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([True, False, None], pa.bool_()),
        ([date(2026, 12, 27), date(2026, 1, 1), None], pa.date32()),
        (["b", "a", None], pa.dictionary(pa.int32(), pa.string())),
        (["b", "a", None], pa.large_string()),
    ],
    ids=["booleans", "dates", "categories", "long texts"],
)
def test_groups_may_have_many_types_and_null_is_last(
    engine: Engine, values: list[Any], dtype: pa.DataType
) -> None:
    if engine.name == "pyspark" and pa.types.is_dictionary(dtype):
        pytest.skip("Spark has no categories")
    table = pa.table({"group": pa.array(values, dtype), "price": [2, 1, 3]})

    found = price_counts(engine.take(table), price="price", by=["group"])

    assert [row["group"] for row in rows(found)] == [values[1], values[0], None]


@every_engine
def test_ints_as_groups_stay_ints_with_nulls(engine: Engine) -> None:
    if engine.name == "pandas":
        pytest.skip("pandas turns such a column into binary fractions")
    table = pa.table({"days": [3, None, 1], "price": [5, 5, 5]})

    found = price_counts(engine.take(table), price="price", by=["days"])

    assert [row["days"] for row in rows(found)] == [1, 3, None]
    assert arrow(found).schema.field("days").type == pa.int64()


@every_engine
def test_an_empty_frame_returns_no_rows_but_all_columns(engine: Engine) -> None:
    empty = pa.table({"season": pa.array([], pa.string()), "price": pa.array([], pa.int64())})

    found = price_counts(engine.take(empty), price="price", by=["season"])

    assert arrow(found).schema.names == ["season", "price", "count"]
    assert rows(found) == []


HOSTILE = [" ", "a b", 'quo"te', "quo'te", "back`tick", "semi;colon", "Größe", "select", "key0", "price "]


@every_engine
@pytest.mark.parametrize("name", HOSTILE)
def test_columns_may_have_any_name(engine: Engine, name: str) -> None:
    table = pa.table({name: ["x", "y", "x"], f"{name}.{name}": [1, 2, 1]})

    found = price_counts(engine.take(table), price=f"{name}.{name}", by=[name])

    assert [tuple(row.values()) for row in rows(found)] == [("x", 1, 2), ("y", 2, 1)]
    assert arrow(found).schema.names == [name, f"{name}.{name}", "count"]


@every_engine
def test_prices_named_like_a_result_are_refused(engine: Engine) -> None:
    frame = engine.take(pa.table({"count": [1]}))

    with pytest.raises(InvalidInput, match=r"^column 'count': a result has the same name; rename it$"):
        price_counts(frame, price="count")
