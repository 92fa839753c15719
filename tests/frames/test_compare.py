"""Quantiles of two periods in each group: the figures of ``faregate.insights.compare`` as a table."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faregate.errors import InvalidInput, InvalidPercent
from faregate.frames import Negatives, compare
from faregate.insights import comparison
from faregate.insights.distribution import PriceDistribution
from frames.test_frame_laws import percents
from support.frames.engines import Engine, arrow, every_engine, quick_engines, rows

OLD, NEW, OTHER = date(2025, 12, 1), date(2026, 12, 1), date(2024, 12, 1)
SALES = pa.table(
    {
        "season": ["w"] * 16 + ["s", None],
        "month": [OLD] * 8 + [NEW] * 8 + [NEW, OTHER],
        "price": [*range(59, 67), *range(70, 78), 49, 1],
    }
)
AMOUNTS = ("old", "new", "shift", "old_lower", "old_upper", "new_lower", "new_upper")


@every_engine
def test_each_group_and_percentage_has_a_row(engine: Engine) -> None:
    found = compare(engine.take(SALES), by="season", period="month", old=OLD, new=NEW, percents=[50, 75])

    assert engine.owns(found)
    assert arrow(found).schema.names == ["season", "quantile", "old_n", "new_n", *AMOUNTS, "is_clear"]
    assert arrow(found).schema.types == [pa.string()] * 2 + [pa.int64()] * 9 + [pa.bool_()]
    assert [tuple(row.values()) for row in rows(found)] == [
        ("s", "p50", 0, 1, None, 49, *[None] * 5, False),
        ("s", "p75", 0, 1, None, 49, *[None] * 5, False),
        # The median of eight prices lies between the first and the last (test_comparison_vectors.py).
        ("w", "p50", 8, 8, 62, 74, 12, 59, 66, 70, 77, True),
        ("w", "p75", 8, 8, 64, 75, 11, None, None, None, None, False),
    ]


def test_a_fall_is_as_clear_as_a_rise() -> None:
    found = compare(SALES, by="season", period="month", old=NEW, new=OLD, percents=[50])

    assert [(row["season"], row["shift"], row["is_clear"]) for row in rows(found)] == [
        ("s", None, False),
        ("w", -12, True),
    ]


@pytest.mark.parametrize("order", [("before", "after"), ("after", "before")])
def test_old_and_new_are_named_and_not_guessed_from_an_order(order: tuple[str, str]) -> None:
    frame = pd.DataFrame({"price": [5, 7], "phase": pd.Categorical(["before", "after"], order, ordered=True)})

    [row] = rows(compare(frame, period="phase", old="before", new="after", percents=[50]))

    assert (row["old"], row["new"], row["shift"]) == (5, 7, 2)


def test_a_period_may_be_any_value_that_is_a_group() -> None:
    half: Any = np.int64(50)
    months = pd.period_range("2026-01", periods=2, freq="M")
    frame = pd.DataFrame({"price": [5, 7], "month": months, "year": [np.int64(2025), None]})

    by_month = compare(frame, period="month", old=months[1], new=months[0], percents=[half])
    by_year = compare(frame, period="year", old=np.int64(2025), new=None, percents=[50])

    assert (by_month["shift"].tolist(), by_year["shift"].tolist()) == ([-2], [2])


drawn_sales = st.lists(
    st.tuples(st.sampled_from(["w", "s", None]), st.integers(0, 2), st.integers(-9, 30), st.integers(0, 9)),
    max_size=30,
).map(lambda drawn: [("w", 0, 5, 1), ("w", 1, 5, 1), *drawn])


@quick_engines
@given(drawn=drawn_sales, asked=st.lists(percents, min_size=1, max_size=3, unique=True))
@example(drawn=[("w", 0, 1, 1), ("w", 0, 2, 1), ("w", 1, 3, 1), ("w", 1, 6, 1)], asked=[50])
def test_figures_are_those_of_the_scalar(engine: Engine, drawn: Any, asked: list[Fraction]) -> None:
    names = ("season", "phase", "price", "times")
    table = pa.table(dict(zip(names, map(list, zip(*drawn, strict=True)), strict=True)))
    found = compare(
        engine.take(table),
        by="season",
        count="times",
        period="phase",
        old=0,
        new=1,
        percents=asked,
        confidence=60,
        negatives=Negatives.ALLOWED,
    )

    own = {
        (group, phase): PriceDistribution.from_counts(*zip(*chosen, strict=True))
        for group in {season for season, *_ in drawn}
        for phase in (0, 1)
        if (chosen := [row[2:] for row in drawn if row[:2] == (group, phase) and row[3]])
    }
    both = [group for group, phase in own if phase == 0 and (group, 1) in own]
    seen = {row["season"] for row in rows(found)}
    assert seen == {group for group, _ in own}
    assert len(rows(found)) == len(seen) * len(asked)
    for group in both:
        scalar = comparison.compare(own[group, 0], own[group, 1], percents=asked, confidence=60)
        shown = [row for row in rows(found) if row["season"] == group]
        for row, exact in zip(shown, scalar.quantiles, strict=True):
            assert (row["old_n"], row["new_n"]) == (scalar.old_n, scalar.new_n)
            assert (row["old"], row["new"]) == (round(exact.old), round(exact.new))
            assert row["shift"] == round(exact.new) - round(exact.old)
            assert (row["old_lower"], row["old_upper"]) == bounds(exact.old_interval)
            assert (row["new_lower"], row["new_upper"]) == bounds(exact.new_interval)
            assert row["is_clear"] is exact.is_clear
    for row in rows(found):
        if row["season"] not in both:
            assert [row["shift"], row["is_clear"], min(row["old_n"], row["new_n"])] == [None, False, 0]
            assert [row["old"] is None, row["new"] is None] == [row["old_n"] == 0, row["new_n"] == 0]


def bounds(interval: comparison.PriceInterval | None) -> tuple[int | None, int | None]:
    return (None, None) if interval is None else (interval.lower, interval.upper)


# ---------------------------------------------------------------- refused arguments


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"old": 2024}, "old: no 2024 in column 'year', only 2025, 2026"),
        ({"new": "2026"}, "new: no '2026' in column 'year', only 2025, 2026"),
        ({"new": [2026]}, r"new: no \[2026\] in column 'year', only"),
        ({"new": pd.NA}, "new: no <NA> in column 'year', only"),
        ({"new": 2025}, "new: expected another period than old, got 2025"),
        ({"by": "year"}, "period: expected the name of a column other than those of by, got 'year'"),
        ({"period": None}, "period is None, expected a str"),
        ({"period": "day"}, "no column 'day' among 'year', 'old', 'price'"),
        ({"by": "old"}, "column 'old': a result has the same name; rename it"),
        ({"period": "old"}, "old: no 2025 in column 'old', only 0, 1, 2, 3, 4, …"),
    ],
)
def test_wrong_periods_are_refused(options: dict[str, Any], message: str) -> None:
    frame = pa.table({"year": [2025, 2026] * 3, "old": range(6), "price": range(6)})
    given_options: dict[str, Any] = {"period": "year", "old": 2025, "new": 2026, **options}

    with pytest.raises(InvalidInput, match=f"^{message}"):
        compare(frame, **given_options)


def test_an_empty_frame_has_no_periods() -> None:
    with pytest.raises(InvalidInput, match=r"^old: no 1 in column 'year', which is empty"):
        compare(pa.table({"year": [1], "price": [1]}).slice(1), period="year", old=1, new=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"percents": []}, "percents: expected at least one percentage"),
        ({"percents": 50}, "percents: expected a list"),
        ({"confidence": Fraction("0.95")}, "confidence: expected at least 50"),
        ({"confidence": 0.95}, "expected a percentage such as 50"),
    ],
)
def test_wrong_percentages_are_refused_before_the_frame_is_read(options: Any, message: str) -> None:
    with pytest.raises(InvalidPercent, match=f"^{message}"):
        compare("not a frame", period="year", old=1, new=2, **options)


def test_faulty_rows_are_returned_on_request() -> None:
    frame = pa.table({"year": [1, 2], "price": ["5", "x"]})
    options: dict[str, Any] = {"currency": "CHF", "on_error": "return"}

    assert [row["row"] for row in rows(compare(frame, period="year", old=1, new=2, **options))] == [1]
