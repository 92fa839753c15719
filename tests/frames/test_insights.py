"""Insights and distributions of groups: the same exact rows from every engine."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from faregate.errors import InvalidAmount, InvalidInput, UnitRequired
from faregate.frames import distributions, insights
from faregate.insights.distribution import PriceDistribution
from support.frames.engines import Engine, arrow, every_engine, rows

OFFERS = pa.table(
    {
        "season": ["winter", "summer", None, "winter", "winter", "winter"],
        "days": [1, 1, 1, 1, 1, 3],
        "price": [6900, 4900, 100, 7400, 6900, 19900],
    }
)
CHF = {"currency": "CHF"}
SPREAD = ["n", "minimum", "lower", "median", "upper", "maximum"]
STANDING = ["benchmark", "percentile", "interpolated_percent", "level"]


def of_rows(frame: Any, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows(frame)]


@every_engine
def test_each_group_has_a_row_with_its_spread(engine: Engine) -> None:
    found = insights(engine.take(OFFERS), price="price", by=["season", "days"])

    assert engine.owns(found)
    assert of_rows(found, "season", "days", *SPREAD) == [
        ("summer", 1, 1, 4900, 4900, 4900, 4900, 4900),
        ("winter", 1, 3, 6900, 6900, 6900, 7150, 7400),
        ("winter", 3, 1, 19900, 19900, 19900, 19900, 19900),
        (None, 1, 1, 100, 100, 100, 100, 100),
    ]


@every_engine
def test_one_benchmark_applies_to_every_group(engine: Engine) -> None:
    found = insights(engine.take(OFFERS), price="price", by="season", benchmark=7000)

    assert of_rows(found, "season", *STANDING) == [
        ("summer", 7000, 100.0, 100.0, "high"),
        ("winter", 7000, 50.0, 40.0, "typical"),
        (None, 7000, 100.0, 100.0, "high"),
    ]


def test_benchmarks_and_thresholds_may_be_ints_of_numpy() -> None:
    options: dict[str, Any] = {"by": "days", "lower": np.int64(10), "upper": np.uint8(60)}
    options["benchmark"] = {np.int64(1): np.int64(7000), np.int16(3): np.int32(5)}

    numpy = insights(OFFERS, **options)

    assert rows(numpy) == rows(insights(OFFERS, benchmark={1: 7000, 3: 5}, by="days", lower=10, upper=60))


@every_engine
def test_each_group_may_have_its_own_benchmark(engine: Engine) -> None:
    benchmarks = {("winter",): 6900, ("summer",): 100, (None,): 100, ("spring",): 5}

    found = insights(engine.take(OFFERS), price="price", by="season", benchmark=benchmarks)

    assert of_rows(found, "season", *STANDING) == [
        ("summer", 100, 0.0, 0.0, "low"),
        ("winter", 6900, 25.0, 16.6667, "typical"),
        (None, 100, 50.0, 50.0, "typical"),
    ]


@every_engine
def test_thresholds_are_those_requested(engine: Engine) -> None:
    found = insights(engine.take(OFFERS), price="price", by="days", lower=Fraction("12.5"), upper=50)

    assert of_rows(found, "days", "lower", "upper") == [(1, 2500, 6900), (3, 19900, 19900)]


@every_engine
def test_columns_and_types_are_the_same_in_every_engine(engine: Engine) -> None:
    found = arrow(insights(engine.take(OFFERS), price="price", by="season", benchmark=7000))

    assert found.schema.names == ["season", *SPREAD, *STANDING]
    floats = [pa.float64()] * 2
    assert found.schema.types == [pa.string(), *[pa.int64()] * 7, *floats, pa.string()]


@every_engine
def test_without_groups_there_is_one_row(engine: Engine) -> None:
    found = insights(engine.take(OFFERS), price="price")

    assert of_rows(found, *SPREAD) == [(6, 100, 5400, 6900, 7275, 19900)]


@every_engine
@pytest.mark.parametrize("by", [[], ["season"]], ids=["together", "grouped"])
def test_an_empty_frame_has_no_rows(engine: Engine, by: list[str]) -> None:
    empty = pa.table({"season": pa.array([], pa.string()), "price": pa.array([], pa.int64())})

    found = insights(engine.take(empty), price="price", by=by, benchmark=5)

    assert arrow(found).schema.names == [*by, *SPREAD, *STANDING]
    assert rows(found) == []


@every_engine
def test_distributions_are_exact_and_in_order(engine: Engine) -> None:
    found = distributions(engine.take(OFFERS), price="price", by=["season"])

    assert list(found.items()) == [
        (("summer",), PriceDistribution((4900,), (1,))),
        (("winter",), PriceDistribution((6900, 7400, 19900), (2, 1, 1))),
        ((None,), PriceDistribution((100,), (1,))),
    ]


def test_without_groups_there_is_one_distribution_even_if_empty() -> None:
    empty = pa.table({"price": pa.array([], pa.int64())})

    assert distributions(empty, price="price") == {(): PriceDistribution()}


def test_ranks_are_rounded_half_even_to_four_decimals() -> None:
    # Of 16,000 prices one is below and none is equal: 1/160 = 0.00625 percent; of 3 prices: a third.
    many = pa.table({"price": [1] + [3] * 15_999})
    three = pa.table({"price": [1, 3, 3]})

    assert of_rows(insights(many, price="price", benchmark=2), "percentile") == [(0.0062,)]
    assert of_rows(insights(three, price="price", benchmark=2), "percentile") == [(33.3333,)]


@every_engine
@pytest.mark.parametrize("judged", ["70", Decimal("70.00")], ids=["text", "decimal"])
def test_a_benchmark_is_in_the_named_currency(engine: Engine, judged: Any) -> None:
    francs = pa.table({"price": ["69", "74.00", "199.00"]})

    found = insights(engine.take(francs), benchmark=judged, currency="CHF")

    assert of_rows(found, *STANDING) == [(7000, 33.3333, 10.0, "low")]


@every_engine
def test_a_benchmark_is_in_the_currency_of_its_group(engine: Engine) -> None:
    mixed = pa.table({"season": ["w", "w"], "code": ["JPY", "CHF"], "price": ["70", "70"]})

    found = insights(engine.take(mixed), by=["season", "code"], benchmark="70", currency_column="code")

    assert of_rows(found, "code", "benchmark", "level") == [("CHF", 7000, "typical"), ("JPY", 70, "typical")]


def test_a_benchmark_is_in_the_only_currency_of_a_column() -> None:
    francs = pa.table({"code": ["CHF", "CHF"], "price": ["70", "72.50"]})

    assert of_rows(insights(francs, benchmark="71", currency_column="code"), "benchmark") == [(7100,)]


def test_an_int_benchmark_with_major_units_needs_its_unit() -> None:
    with pytest.raises(UnitRequired, match=r"^benchmark: 7000 may be minor or major units"):
        insights(pa.table({"price": ["69"]}), benchmark=7000, currency="CHF")
    francs = pa.table({"price": [69, 74]})

    assert of_rows(insights(francs, benchmark=74, currency="CHF", unit="major"), "benchmark") == [(7400,)]  # type: ignore[arg-type]
    assert of_rows(insights(francs, benchmark=74, currency="CHF", unit="minor"), "benchmark") == [(74,)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("price", "judged", "reading", "message"),
    [
        ("69", 69.5, CHF, "expected a string or Decimal in CHF, such as '69.00', got "),
        ("69", True, {"currency": "JPY"}, "expected a string or Decimal in JPY, such as '69', got True"),
        ("69", "69.505", CHF, "expected an amount of CHF: 69.505 has more decimals than CHF"),
        ("69", {(): "x"}, CHF, "expected an amount of CHF: 'x' is not an amount"),
        (69, "69.50", {}, "expected an int of minor units, as the prices are, got '69.50'"),
        (69, 69.5, {}, "expected an int of minor units, as the prices are, got 69.5"),
    ],
)
def test_a_benchmark_in_another_unit_is_refused(
    price: Any, judged: Any, reading: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidAmount) as refused:
        insights(pa.table({"price": [price]}), benchmark=judged, **reading)

    assert str(refused.value).startswith(f"benchmark: {message}")


@pytest.mark.parametrize("judged", [{("summer",): 5}, {"summer": 5, None: 5}])
def test_a_group_without_a_benchmark_is_named(judged: Any) -> None:
    with pytest.raises(InvalidInput, match=r"no benchmark for the group \('winter',\)"):
        insights(OFFERS, price="price", by="season", benchmark=judged)


@pytest.mark.parametrize("key", [("winter",), "winter"], ids=["of all columns", "of the one column"])
def test_a_group_of_one_column_is_found_by_its_value(key: Any) -> None:
    found = distributions(OFFERS, price="price", by="season")
    judged = insights(OFFERS, by="season", benchmark={key: 6900, "summer": 1, (None,): 2})

    assert found[key].prices == (6900, 7400, 19900)
    assert of_rows(judged, "benchmark") == [(1,), (6900,), (2,)]


@pytest.mark.parametrize(
    ("by", "key", "message"),
    [
        ("season", "spring", "no group 'spring', only ('summer',), ('winter',), (None,)"),
        (["season", "days"], "winter", "no group 'winter', only ('summer', 1), ('winter', 1), "),
        ("row", 7, "no group 7, only (1,), (2,), (3,), (4,), (5,), …"),
    ],
)
def test_an_unknown_group_is_named_with_the_existing_ones(by: Any, key: Any, message: str) -> None:
    found = distributions(OFFERS.append_column("row", [[1, 2, 3, 4, 5, 6]]), by=by)

    with pytest.raises(KeyError) as missed:
        found[key]

    assert missed.value.args[0].startswith(message)


def test_an_empty_frame_has_no_groups() -> None:
    empty = pa.table({"season": pa.array([], pa.string()), "price": pa.array([], pa.int64())})

    with pytest.raises(KeyError, match=r"no group \('winter',\) in an empty frame"):
        distributions(empty, by="season")["winter",]


@pytest.mark.parametrize("name", ["n", "level", "lower"])
def test_groups_named_like_a_result_are_refused(name: str) -> None:
    frame = pa.table({name: ["a"], "price": [1]})

    with pytest.raises(InvalidInput, match=f"^column '{name}': a result has the same name; rename it$"):
        insights(frame, price="price", by=name, benchmark=1)
