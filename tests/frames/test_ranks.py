"""The rank of every row among the prices of its group."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given

from faregate.errors import InvalidInput, InvalidPercent
from faregate.frames import Negatives, Nulls, insights, ranks
from frames.test_frame_laws import Offers, offers, table_of
from support.frames.engines import EAGER, Engine, arrow, each_of, eager_engines, lazy_engines, rows
from support.oracles.quantiles import quantile, rank

OFFERS = pa.table({"season": ["w", "s", "w", None, "w"], "price": [74, 49, 69, 10, 59]})
quick_eager = each_of([engine for engine in EAGER if engine.name in {"pandas", "polars", "pyarrow-chunked"}])


@eager_engines
def test_each_row_has_its_rank_in_its_group(engine: Engine) -> None:
    found = ranks(engine.take(OFFERS), by="season")

    assert engine.owns(found)
    assert [tuple(row.values()) for row in rows(found)] == [
        ("w", 3, 74, 83.3333, 100.0, "high"),
        ("s", 1, 49, 50.0, 50.0, "typical"),
        ("w", 3, 69, 50.0, 50.0, "typical"),
        (None, 1, 10, 50.0, 50.0, "typical"),
        ("w", 3, 59, 16.6667, 0.0, "low"),
    ]


@eager_engines
def test_columns_and_types_are_the_same_in_every_engine(engine: Engine) -> None:
    for table in (OFFERS, OFFERS.slice(0, 0)):
        found = arrow(ranks(engine.take(table), by="season"))

        names = ["season", "n", "price", "percentile", "interpolated_percent", "level"]
        assert found.schema.names == names
        text, whole, share = pa.string(), pa.int64(), pa.float64()
        assert found.schema.types == [text, whole, whole, share, share, text]


@eager_engines
def test_a_row_without_a_price_has_no_rank(engine: Engine) -> None:
    table = pa.table({"season": ["w", "s", "w"], "chf": ["74", None, "69.50"]})

    found = ranks(engine.take(table), "chf", by="season", currency="CHF", nulls=Nulls.LEFT_OUT)

    assert [tuple(row.values()) for row in arrow(found).to_pylist()] == [
        ("w", 2, 7400, 75.0, 100.0, "high"),
        ("s", 0, None, None, None, None),
        ("w", 2, 6950, 25.0, 0.0, "low"),
    ]


def test_a_row_that_counts_for_nothing_is_ranked_among_the_others() -> None:
    table = pa.table({"season": ["w", "w", "s"], "price": [5, 9, 7], "count": [0, 2, 0]})

    found = ranks(table, by="season", count="count")

    assert [(row["n"], row["percentile"], row["level"]) for row in rows(found)] == [
        (2, 0.0, "low"),
        (2, 50.0, "typical"),
        (0, None, None),
    ]


def test_a_pandas_result_can_be_assigned_to_its_frame() -> None:
    frame = OFFERS.to_pandas().set_axis([7, 7, 3, 1, 0])

    found = frame.assign(level=ranks(frame, by="season").level)

    assert found.level.tolist() == ["high", "typical", "typical", "typical", "low"]
    assert ranks(frame).index.tolist() == [7, 7, 3, 1, 0]


@lazy_engines
def test_a_lazy_frame_has_no_rows_to_rank(engine: Engine) -> None:
    with pytest.raises(InvalidInput, match=r"^ranks needs rows in order, and a lazy frame has none: collect"):
        ranks(engine.take(OFFERS))


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [({"lower": 80, "upper": 20}, "is above the upper"), ({"upper": 97.5}, "expected a percentage such as")],
)
def test_wrong_thresholds_are_refused_even_without_rows(thresholds: Any, message: str) -> None:
    for function in (ranks, insights):
        with pytest.raises(InvalidPercent, match=message):
            function(OFFERS.slice(0, 0), **thresholds)


def test_thresholds_may_be_ints_of_numpy() -> None:
    found = ranks(pd.DataFrame({"price": [1, 2, 3]}), lower=np.int8(0), upper=np.uint16(50))  # type: ignore[arg-type]

    assert found.level.tolist() == ["typical", "typical", "high"]


@quick_eager
@given(drawn=offers)
def test_ranks_match_their_definition(engine: Engine, drawn: Offers) -> None:
    found = rows(ranks(engine.take(table_of(drawn)), by=["season", "days"], negatives=Negatives.ALLOWED))

    assert [(row["season"], row["days"], row["price"]) for row in found] == drawn
    for row, (*group, price) in zip(found, drawn, strict=True):
        own = [other for *its, other in drawn if its == group]
        lower, upper = (round(quantile(own, Fraction(percent), 7)) for percent in (25, 75))
        exact = rank(own, price, "mean")
        assert row["n"] == len(own)
        assert row["level"] == ("low" if price < lower else "high" if price > upper else "typical")
        assert Decimal(str(row["percentile"])) == round(Decimal(exact.numerator) / exact.denominator, 4)


@quick_eager
@given(drawn=offers)
def test_a_row_ranks_like_a_benchmark(engine: Engine, drawn: Offers) -> None:
    options: dict[str, Any] = {"by": ["season", "days"], "negatives": "allowed", "lower": 10, "upper": 60}
    frame = engine.take(table_of(drawn))

    found = rows(ranks(frame, **options))

    for row in found:
        judged = rows(insights(frame, benchmark=row["price"], **options))
        (own,) = (each for each in judged if (each["season"], each["days"]) == (row["season"], row["days"]))
        for name in ("n", "percentile", "interpolated_percent", "level"):
            assert row[name] == own[name]
