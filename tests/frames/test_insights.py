"""Insights and distributions of groups: the same rows from every engine, exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest

from faregate.errors import InvalidAmount, InvalidInput, InvalidPercent
from faregate.frames import distributions, insights
from faregate.insights import PriceDistribution
from frames.engines import Engine, arrow, every_engine, rows

OFFERS = pa.table(
    {
        "season": ["winter", "summer", None, "winter", "winter", "winter"],
        "days": [1, 1, 1, 1, 1, 3],
        "price": [6900, 4900, 100, 7400, 6900, 19900],
    }
)
SPREAD = ["n", "minimum", "lower", "upper", "maximum"]
STANDING = ["benchmark", "percentile", "interpolated_percent", "level"]


def of_rows(frame: Any, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows(frame)]


@every_engine
def test_each_group_has_a_row_with_its_spread(engine: Engine) -> None:
    found = insights(engine.take(OFFERS), price="price", by=["season", "days"])

    assert engine.owns(found)
    assert of_rows(found, "season", "days", *SPREAD) == [
        ("summer", 1, 1, 4900, 4900, 4900, 4900),
        ("winter", 1, 3, 6900, 6900, 7150, 7400),
        ("winter", 3, 1, 19900, 19900, 19900, 19900),
        (None, 1, 1, 100, 100, 100, 100),
    ]


@every_engine
def test_one_price_is_judged_in_every_group(engine: Engine) -> None:
    found = insights(engine.take(OFFERS), price="price", by="season", benchmark=7000)

    assert of_rows(found, "season", *STANDING) == [
        ("summer", 7000, 100.0, 100.0, "high"),
        ("winter", 7000, 50.0, 40.0, "typical"),
        (None, 7000, 100.0, 100.0, "high"),
    ]


@every_engine
def test_each_group_may_have_its_own_price_to_judge(engine: Engine) -> None:
    benchmarks = {("winter",): 6900, ("summer",): 100, (None,): 100, ("spring",): 5}

    found = insights(engine.take(OFFERS), price="price", by="season", benchmark=benchmarks)

    assert of_rows(found, "season", *STANDING) == [
        ("summer", 100, 0.0, 0.0, "low"),
        ("winter", 6900, 25.0, 16.6667, "typical"),
        (None, 100, 50.0, 50.0, "typical"),
    ]


@every_engine
def test_thresholds_are_those_that_are_asked_for(engine: Engine) -> None:
    found = insights(engine.take(OFFERS), price="price", by="days", lower=Fraction("12.5"), upper=50)

    assert of_rows(found, "days", "lower", "upper") == [(1, 2500, 6900), (3, 19900, 19900)]


@every_engine
def test_columns_and_their_types_are_the_same(engine: Engine) -> None:
    found = arrow(insights(engine.take(OFFERS), price="price", by="season", benchmark=7000))

    assert found.schema.names == ["season", *SPREAD, *STANDING]
    assert found.schema.types == [
        pa.string(),
        *[pa.int64()] * 6,
        pa.float64(),
        pa.float64(),
        pa.string(),
    ]


@every_engine
def test_without_groups_there_is_one_row(engine: Engine) -> None:
    found = insights(engine.take(OFFERS), price="price")

    assert of_rows(found, *SPREAD) == [(6, 100, 5400, 7275, 19900)]


@every_engine
@pytest.mark.parametrize("by", [[], ["season"]], ids=["together", "grouped"])
def test_of_no_prices_there_is_no_row(engine: Engine, by: list[str]) -> None:
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


def test_without_groups_there_is_one_distribution_also_of_nothing() -> None:
    empty = pa.table({"price": pa.array([], pa.int64())})

    assert distributions(empty, price="price") == {(): PriceDistribution()}


def test_ranks_are_rounded_half_even_to_four_decimals() -> None:
    # Of 16,000 prices one below and none equal: 1/160 = 0.00625 percent; of 3: a third.
    many = pa.table({"price": [1] + [3] * 15_999})
    three = pa.table({"price": [1, 3, 3]})

    assert of_rows(insights(many, price="price", benchmark=2), "percentile") == [(0.0062,)]
    assert of_rows(insights(three, price="price", benchmark=2), "percentile") == [(33.3333,)]


@pytest.mark.parametrize("judged", [{("summer",): 5}, {"winter": 5, "summer": 5}])
def test_a_group_without_its_price_to_judge_is_named(judged: Any) -> None:
    with pytest.raises(InvalidInput, match=r"no benchmark for the group \('winter',\)"):
        insights(OFFERS, price="price", by="season", benchmark=judged)


def test_thresholds_and_benchmarks_are_checked_as_for_one_distribution() -> None:
    with pytest.raises(InvalidPercent, match="lower threshold of 75 percent above the upper of 25"):
        insights(OFFERS, price="price", lower=75, upper=25)
    with pytest.raises(InvalidAmount, match=r"expected an int, got 69\.5"):
        insights(OFFERS, price="price", benchmark=69.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["n", "level", "lower"])
def test_groups_under_the_name_of_a_result_are_refused(name: str) -> None:
    frame = pa.table({name: ["a"], "price": [1]})

    with pytest.raises(InvalidInput, match=f"^column '{name}': a result is called so, too; rename it$"):
        insights(frame, price="price", by=name, benchmark=1)
