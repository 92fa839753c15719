"""Mean and quantiles of each group: one column per percentage, rounded half even to minor units."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.errors import InvalidInput, InvalidPercent
from faregate.frames import Negatives, quantiles
from frames.test_frame_laws import Offers, offers, percents, table_of
from support.frames.engines import Engine, arrow, every_engine, quick_engines, rows
from support.oracles.quantiles import quantile

OFFERS = pa.table({"season": ["w", "s", None, "w", "w"], "price": [15, 7, 1, 20, 50]})
LINEAR = 7


@every_engine
def test_each_group_has_a_row_of_quantiles(engine: Engine) -> None:
    found = quantiles(engine.take(OFFERS), by="season")

    assert engine.owns(found)
    assert arrow(found).schema.names == ["season", "n", "mean", "p10", "p25", "p50", "p75", "p90"]
    assert arrow(found).schema.types == [pa.string(), *[pa.int64()] * 7]
    assert [tuple(row.values()) for row in rows(found)] == [
        ("s", 1, 7, 7, 7, 7, 7, 7),
        ("w", 3, 28, 16, 18, 20, 35, 44),
        (None, 1, 1, 1, 1, 1, 1, 1),
    ]


def test_halves_are_rounded_to_even() -> None:
    (found,) = rows(quantiles(pa.table({"price": [2, 3, 4, 5]}), percents=[50, Fraction(50, 3)]))

    assert found == {"n": 4, "mean": 4, "p50": 4, "p50/3": 2}  # 3.5, 3.5 and 2.5


@pytest.mark.parametrize(
    ("percent", "name"),
    [
        (0, "p0"),
        (100, "p100"),
        (np.int64(5), "p5"),
        (Fraction("97.5"), "p97_5"),
        (Fraction("0.05"), "p0_05"),
        (Fraction(100, 3), "p100/3"),
    ],
)
def test_a_column_is_named_after_its_percentage(percent: Any, name: str) -> None:
    (found,) = rows(quantiles(OFFERS, percents=[percent]))

    assert list(found) == ["n", "mean", name]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (50, r"percents: expected a list such as \[10, 50, 90\], got 50"),
        ("50", r"percents: expected a list such as \[10, 50, 90\], got '50'"),
        ([97.5], r"expected a percentage such as 50 or Fraction\('97.5'\), got 97.5"),
        ([True], r"expected a percentage such as 50 or Fraction\('97.5'\), got True"),
        ([101], "expected 0 to 100 percent, got 101"),
        ([50, Fraction(50)], "percents: expected each once, got 50, 50"),
    ],
)
def test_wrong_percentages_are_refused_before_the_frame_is_read(wrong: Any, message: str) -> None:
    with pytest.raises(InvalidPercent, match=f"^{message}$"):
        quantiles(OFFERS.slice(0, 0), percents=wrong)


@pytest.mark.parametrize("name", ["n", "mean", "p50"])
def test_groups_named_like_a_result_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=f"^column '{name}': a result has the same name; rename it$"):
        quantiles(pa.table({name: ["a"], "price": [1]}), by=name)


@quick_engines
@given(drawn=offers, asked=st.lists(percents, max_size=4, unique=True))
def test_quantiles_match_their_definition(engine: Engine, drawn: Offers, asked: list[Fraction]) -> None:
    found = quantiles(engine.take(table_of(drawn)), by="days", percents=asked, negatives=Negatives.ALLOWED)

    assert [row["days"] for row in rows(found)] == sorted({days for _, days, _ in drawn})
    for row in rows(found):
        own = [price for _, days, price in drawn if days == row["days"]]
        expected = [len(own), round(Fraction(sum(own), len(own)))]
        expected += [round(quantile(own, Fraction(percent), LINEAR)) for percent in asked]
        assert list(row.values()) == [row["days"], *expected]
