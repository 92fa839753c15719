"""Stored counts, which are read as repeated rows, and null prices, which are read as missing rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.errors import InvalidAmount, InvalidInput, InvalidWeights
from faregate.frames import Negatives, Nulls, distributions, insights, price_counts, quantiles, ranks
from faregate.insights.distribution import PriceDistribution
from frames.test_frame_laws import Offers, groups, offers, prices, table_of
from support.frames.engines import Engine, eager_engines, every_engine, lazy_engines, quick_engines, rows

TABLES = (price_counts, insights, quantiles)
COUNTS = pa.table({"season": ["w", "w", "s"], "price": [69, 79, 49], "count": [3, 1, 2]})
counted_offers = st.lists(st.tuples(offers.map(tuple), st.integers(0, 4)), max_size=4)
sparse_offers = st.lists(
    st.builds(lambda group, price: (*group, price), groups, prices | st.none()), max_size=20
)


def stored(drawn: list[tuple[Offers, int]]) -> pa.Table:
    flat = [(offer, times) for own, times in drawn for offer in own]
    return table_of([offer for offer, _ in flat]).append_column(
        "times", pa.array([times for _, times in flat], pa.int32())
    )


# ---------------------------------------------------------------- counts


@every_engine
def test_a_table_of_counts_can_be_read_again(engine: Engine) -> None:
    frame = engine.take(COUNTS)

    assert [row["n"] for row in rows(insights(frame, by="season", count="count"))] == [2, 4]
    assert [row["mean"] for row in rows(quantiles(frame, count="count"))] == [64]  # 384 / 6
    assert rows(price_counts(frame, by="season", count="count")) == [
        {"season": "s", "price": 49, "count": 2},
        {"season": "w", "price": 69, "count": 3},
        {"season": "w", "price": 79, "count": 1},
    ]


@quick_engines
@given(drawn=counted_offers)
def test_a_count_is_the_same_as_repeated_rows(engine: Engine, drawn: Any) -> None:
    options: dict[str, Any] = {"by": ["season", "days"], "negatives": Negatives.ALLOWED}
    counted = engine.take(stored(drawn))
    repeated = engine.take(table_of([offer for own, times in drawn for offer in own for _ in range(times)]))

    for function in TABLES:
        assert rows(function(counted, count="times", **options)) == rows(function(repeated, **options))
    assert distributions(counted, count="times", **options) == distributions(repeated, **options)


@quick_engines
@given(one=offers, other=offers)
def test_concatenated_counts_are_the_counts_of_all_rows(engine: Engine, one: Offers, other: Offers) -> None:
    options: dict[str, Any] = {"by": ["season"], "negatives": Negatives.ALLOWED}
    parts = [price_counts(table_of(own), **options) for own in (one, other)]

    found = price_counts(engine.take(pa.concat_tables(parts)), count="count", **options)

    assert rows(found) == rows(price_counts(engine.take(table_of(one + other)), **options))


@eager_engines
@pytest.mark.parametrize("function", [*TABLES, distributions, ranks])
def test_wrong_counts_are_named_with_their_rows(engine: Engine, function: Any) -> None:
    table = COUNTS.append_column("times", pa.array([-1, 2, None], pa.int32()))
    if engine.name == "pandas":
        table = table.slice(0, 2)  # pandas makes binary fractions of ints with nulls

    with pytest.raises(InvalidAmount) as refused:
        function(engine.take(table), count="times")

    assert refused.value.messages[0] == "column 'times': a negative count in 1 row: row 0 (-1)"
    assert refused.value.messages[1:] in ((), ("column 'times': null or NaN in 1 row: row 2",))


@pytest.mark.parametrize(
    ("counts", "error", "message"),
    [
        ([2**62, 2**62], InvalidWeights, f"counts that add up to at most {2**63 - 1}, got {2**63}"),
        ([2**63, 1], InvalidAmount, f"a count of 2\\^63 or more in 1 row: row 0 \\({2**63}\\)"),
    ],
)
@pytest.mark.parametrize("prices", [[5, 5], [5, 6]])
def test_counts_beyond_64_bits_are_refused(
    prices: list[int], counts: list[int], error: type[Exception], message: str
) -> None:
    table = pa.table({"price": prices, "count": pa.array(counts, pa.uint64())})

    with pytest.raises(error, match=message):
        distributions(table, count="count")


def test_equal_rows_with_large_counts_do_not_overflow() -> None:
    table = pa.table({"price": [5, 5, 5], "count": [2**62, 2**62, 2**62]})

    with pytest.raises(InvalidWeights, match=f"got {3 * 2**62}$"):
        distributions(table, count="count")


@every_engine
@pytest.mark.parametrize(
    ("count", "message"),
    [
        ("times", "no column 'times' among 'season', 'price', 'count'"),
        ("season", "column 'season': expected counts as ints, got String"),
        ("price", "count: expected a column of its own, got 'price'"),
    ],
)
def test_other_columns_than_counts_are_refused(engine: Engine, count: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        price_counts(engine.take(COUNTS), count=count)

    assert str(refused.value) == message


# ---------------------------------------------------------------- nulls


@quick_engines
@given(drawn=sparse_offers)
def test_a_null_that_is_left_out_is_the_same_as_no_row(engine: Engine, drawn: Any) -> None:
    if engine.name == "pandas":
        frame = engine.take(table_of(drawn)).astype({"price": "Int64"})
    else:
        frame = engine.take(table_of(drawn))
    given_rows = engine.take(table_of([row for row in drawn if row[2] is not None]))
    options: dict[str, Any] = {"by": "season", "nulls": Nulls.LEFT_OUT, "negatives": Negatives.ALLOWED}

    for function in TABLES:
        assert rows(function(frame, **options)) == rows(function(given_rows, **options))
    assert distributions(frame, **options) == distributions(given_rows, **options)


@every_engine
def test_the_currency_and_count_of_a_null_are_not_read(engine: Engine) -> None:
    table = pa.table(
        {
            "price": ["5", None, None, None, None, "6"],
            "code": ["CHF", None, "EUR", "EUR", "EUR", "CHF"],
            "times": pa.array([2, -1, 5, 5, 5, 1], pa.int64()),
        }
    )

    found = distributions(
        engine.take(table),
        count="times",
        currency_column="code",
        nulls="left_out",  # type: ignore[arg-type]
    )

    assert found == {(): PriceDistribution((500, 600), (2, 1))}


@lazy_engines
def test_without_groups_nothing_but_nulls_is_an_empty_distribution(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": pa.array([None], pa.int64())}))

    assert distributions(frame, nulls=Nulls.LEFT_OUT) == {(): PriceDistribution()}
    assert rows(quantiles(frame, nulls=Nulls.LEFT_OUT)) == []


def test_nan_is_left_out_like_null() -> None:
    frame = pa.table({"price": [1.5, float("nan"), None]})

    found = distributions(frame, currency="CHF", rounding="half_up", nulls="left_out")  # type: ignore[arg-type]

    assert found[()].prices == (150,)
