"""Laws: for any frame and engine, the rows equal the scalar distributions of each group."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from faregate.frames import Negatives, distributions, insights, price_counts
from faregate.insights.distribution import PriceDistribution, price_insight
from support.frames.engines import Engine, quick_engines, rows

Offers: TypeAlias = list[tuple[str | None, int, int]]

groups = st.tuples(st.sampled_from(["winter", "summer", "", "Ä", None]), st.integers(1, 2))
prices = st.integers(-3, 12) | st.integers(-(10**12), 10**12)
offers = st.lists(st.builds(lambda group, price: (*group, price), groups, prices), max_size=30)
percents = st.integers(0, 100) | st.fractions(0, 100, max_denominator=1000)


def table_of(drawn: Offers) -> pa.Table:
    columns = list(zip(*drawn, strict=True)) or [(), (), ()]
    types = {"season": pa.string(), "days": pa.int16(), "price": pa.int64()}
    return pa.table(
        {name: pa.array(own, dtype) for (name, dtype), own in zip(types.items(), columns, strict=True)}
    )


def one_by_one(drawn: Offers) -> dict[tuple[Any, ...], PriceDistribution]:
    found: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for *group, price in drawn:
        found[tuple(group)].append(price)
    return {group: PriceDistribution.from_prices(own) for group, own in found.items()}


@quick_engines
@given(drawn=offers)
def test_distributions_equal_a_count_one_by_one(engine: Engine, drawn: Offers) -> None:
    frame = engine.take(table_of(drawn))

    found = distributions(frame, price="price", by=["season", "days"], negatives=Negatives.ALLOWED)

    assert found == one_by_one(drawn)
    assert list(found) == sorted(found, key=lambda key: (key[0] is None, key[0] or "", key[1]))


@quick_engines
@given(drawn=offers)
def test_counts_add_up_to_the_rows(engine: Engine, drawn: Offers) -> None:
    found = price_counts(engine.take(table_of(drawn)), price="price", by="days", negatives=Negatives.ALLOWED)

    assert sum(row["count"] for row in rows(found)) == len(drawn)
    assert sum(row["count"] * row["price"] for row in rows(found)) == sum(price for *_, price in drawn)


@quick_engines
@given(drawn=offers, price=prices, percent=st.tuples(percents, percents).map(sorted))
def test_insights_match_the_scalar_in_each_group(
    engine: Engine, drawn: Offers, price: int, percent: list[Fraction]
) -> None:
    lower, upper = percent

    found = insights(
        engine.take(table_of(drawn)),
        price="price",
        by=["season", "days"],
        benchmark=price,
        lower=lower,
        upper=upper,
        negatives=Negatives.ALLOWED,
    )

    expected = one_by_one(drawn)
    assert len(rows(found)) == len(expected)
    for row in rows(found):
        own = expected[row["season"], row["days"]]
        judged = price_insight(own, price, lower=lower, upper=upper)
        assert (row["n"], row["minimum"], row["maximum"]) == (own.n, own.prices[0], own.prices[-1])
        assert (row["lower"], row["upper"]) == (judged.lower.price, judged.upper.price)
        assert row["level"] == judged.level.value
        for name in ("percentile", "interpolated_percent"):
            exact = getattr(judged.benchmark, name)
            assert Decimal(str(row[name])) == round(Decimal(exact.numerator) / exact.denominator, 4)


@quick_engines
@given(drawn=st.lists(st.integers(0, 10**6), min_size=1), places=st.integers(0, 4))
def test_decimals_are_read_exactly(engine: Engine, drawn: list[int], places: int) -> None:
    values = [Decimal(amount).scaleb(-2) for amount in drawn]
    table = pa.table({"price": pa.array(values, pa.decimal128(12, 2 + places))})

    found = distributions(engine.take(table), price="price", currency="CHF")

    assert found == {(): PriceDistribution.from_prices(drawn)}
