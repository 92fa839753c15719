"""Counts of prices: the same rows and types from every engine."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from faregate.errors import InvalidInput
from faregate.frames import Negatives, PriceUnit, price_counts
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


CHF: dict[str, Any] = {"currency": "CHF"}
FLOATS = [1.0, 1.005, 49.95]  # read as printed, and rounded once
CENTS: dict[str, Any] = CHF | {"unit": PriceUnit.MINOR}
DECIMALS = [Decimal("69.00"), Decimal("49.5"), Decimal(69)]
NEGATIVE: dict[str, Any] = {"negatives": Negatives.ALLOWED}


@every_engine
@pytest.mark.parametrize(
    ("prices", "dtype", "reading", "amounts"),
    [
        *[([3, 1, 3], dtype, CENTS, [1, 3, 3]) for dtype in (pa.int8(), pa.int16(), pa.int32(), pa.int64())],
        ([69, 49, 69], None, CENTS | {"unit": PriceUnit.MAJOR}, [4900, 6900, 6900]),
        *[([6900], None, {"currency": "JPY", "unit": unit}, [6900]) for unit in (None, *PriceUnit)],
        *[(DECIMALS, pa.decimal128(*own), CHF, [4950, 6900, 6900]) for own in ((9, 2), (20, 5))],
        (["69.00", "49.5", "69"], None, {"currency": "KWD"}, [49_500, 69_000, 69_000]),
        *[(FLOATS, None, CHF | {"rounding": mode}, [100, 101, 4995]) for mode in ("half_up", "up")],
        *[(FLOATS, None, CHF | {"rounding": mode}, [100, 100, 4995]) for mode in ("half_even", "down")],
        ([100, -200, -200], None, NEGATIVE, [-200, -200, 100]),
    ],
)
def test_prices_of_every_form_are_read_exactly(
    engine: Engine, prices: list[Any], dtype: Any, reading: dict[str, Any], amounts: list[int]
) -> None:
    table = pa.table({"price": pa.array(prices, dtype)})

    found = price_counts(engine.take(table), price="price", **reading)

    assert rows(found) == [{"price": price, "count": count} for price, count in Counter(amounts).items()]


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
