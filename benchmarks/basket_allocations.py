"""Allocation of an amount in each of a million baskets: ``python -m benchmarks.basket_allocations``.

Every result is compared with the exact one, line by line, before its time counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl

from benchmarks.compare import Table, compared, environment, interleaved
from faregate.batch.columns.offsets import buckets_of, from_buckets, offsets_of, to_buckets
from faregate.batch.money.allocation import allocate, allocate_bucket
from faregate.money.allocation import allocate as allocate_one

PACKAGES = ("pandas", "polars", "duckdb")
BASKETS = 1_000_000
MOST_LINES = 9
SHARE = 10
"""Percentage of each basket to share."""

Column = npt.NDArray[np.int64]


class Workload(NamedTuple):
    """Baskets of one to nine lines, up to 143.96 each, and ten percent of each basket as its amount."""

    amounts: Column
    weights: Column
    offsets: Column

    @property
    def line_amounts(self) -> Column:
        return np.repeat(self.amounts, np.diff(self.offsets))

    @property
    def baskets(self) -> Column:
        return np.repeat(np.arange(len(self.amounts)), np.diff(self.offsets))

    def frame(self) -> pl.DataFrame:
        """Return the lines, each with the amount of its basket, which spares the engines a join."""
        columns = {"basket": self.baskets, "weight": self.weights, "amount": self.line_amounts}
        return pl.DataFrame(columns).with_row_index("line")


@cache
def workload(baskets: int) -> Workload:
    random = np.random.default_rng(2)
    offsets = offsets_of(random.integers(1, MOST_LINES + 1, baskets))
    prices = 1250 + 375 * random.integers(0, 7, offsets[-1]) + random.integers(0, 100, offsets[-1])
    weights = prices * random.integers(1, 5, offsets[-1])
    return Workload(np.add.reduceat(weights, offsets[:-1]) * SHARE // 100, weights, offsets)


@cache
def exact(baskets: int) -> Column:
    """Return the shares of the scalar function, basket by basket."""
    given = workload(baskets)
    weights, bounds = given.weights.tolist(), given.offsets.tolist()
    shares: list[int] = []
    for amount, start, end in zip(given.amounts.tolist(), bounds, bounds[1:], strict=False):
        shares += allocate_one(amount, weights[start:end])
    return np.array(shares)


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to share; ``prepare`` converts that many baskets to its input and returns the timed call.

    ``in_order`` converts the result to a column, one share per line; it is not timed.
    """

    name: str
    prepare: Callable[[int], Callable[[], Any]]
    in_order: Callable[[int, Any], Column] = lambda _, answer: np.asarray(answer)

    def check(self, baskets: int) -> None:
        """Raise ValueError unless the result is exact."""
        found = self.in_order(baskets, self.prepare(baskets)())
        if not np.array_equal(found, exact(baskets)):
            raise ValueError(f"{self.name}: {np.count_nonzero(found != exact(baskets))} other shares")


def with_faregate(baskets: int) -> Callable[[], Any]:
    amounts, weights, offsets = workload(baskets)
    return lambda: allocate(amounts, weights, offsets=offsets)


def with_buckets(baskets: int) -> Callable[[], Any]:
    amounts, weights, offsets = workload(baskets)
    buckets = buckets_of(offsets)
    given = [
        (amounts[bucket.baskets], matrix)
        for bucket, matrix in zip(buckets, to_buckets(weights, buckets), strict=True)
    ]
    return lambda: [allocate_bucket(own, matrix) for own, matrix in given]


def flat(baskets: int, matrices: list[Column]) -> Column:
    return from_buckets(matrices, buckets_of(workload(baskets).offsets))


def with_numpy_sort(baskets: int) -> Callable[[], Any]:
    """Use whole columns, with a stable sort of the remainders by two keys."""
    amounts, weights, offsets = workload(baskets)
    sizes = np.diff(offsets)

    def run() -> Column:
        owners = np.repeat(np.arange(len(sizes)), sizes)
        products = weights * amounts[owners]
        shares, remainders = np.divmod(products, np.add.reduceat(weights, offsets[:-1])[owners])
        left = amounts - np.add.reduceat(shares, offsets[:-1])
        order = np.lexsort((-remainders, owners))
        places = np.arange(len(weights)) - offsets[:-1][owners]
        shares[order] += places < left[owners]
        return shares

    return run


def with_numpy_matrix(baskets: int) -> Callable[[], Any]:
    """Pad every basket to nine lines with weights of 0, and sort the remainders within each."""
    amounts, weights, offsets = workload(baskets)
    is_line = np.arange(MOST_LINES) < np.diff(offsets)[:, np.newaxis]
    padded = np.zeros(is_line.shape, np.int64)
    padded[is_line] = weights

    def run() -> Column:
        shares, remainders = np.divmod(padded * amounts[:, np.newaxis], padded.sum(axis=1, keepdims=True))
        left = amounts - shares.sum(axis=1)
        order = np.argsort(-remainders, axis=1, kind="stable")
        gains = np.arange(MOST_LINES) < left[:, np.newaxis]
        raised = np.zeros_like(shares)
        np.put_along_axis(raised, order, gains, axis=1)
        return (shares + raised)[is_line]

    return run


def with_pandas(baskets: int) -> Callable[[], Any]:
    frame = workload(baskets).frame().to_pandas()

    def run() -> Any:
        totals = frame.groupby("basket", sort=False)["weight"].transform("sum")
        products = frame["weight"] * frame["amount"]
        shares, remainders = products // totals, products % totals
        left = frame["amount"] - shares.groupby(frame["basket"], sort=False).transform("sum")
        ranks = remainders.groupby(frame["basket"], sort=False).rank(method="first", ascending=False)
        return shares + (ranks <= left)

    return run


def with_polars(baskets: int) -> Callable[[], Any]:
    basket, product = pl.col("basket"), pl.col("weight") * pl.col("amount")
    total = pl.col("weight").sum().over(basket)
    rank = pl.col("remainder").rank("ordinal", descending=True).over(basket)
    left = pl.col("amount") - pl.col("share").sum().over(basket)
    query = (
        workload(baskets)
        .frame()
        .lazy()
        .with_columns(product=product, total=total)
        .with_columns(share=pl.col("product") // pl.col("total"))
        .with_columns(remainder=pl.col("product") - pl.col("share") * pl.col("total"))
        .select(pl.col("share") + (rank <= left).cast(pl.Int64))
    )

    def run() -> Any:
        return query.collect()["share"].to_numpy()

    return run


ALLOCATE_IN_SQL = """
    WITH totals AS (SELECT basket, sum(weight)::BIGINT AS total FROM lines GROUP BY basket),
    floors AS (
        SELECT line, basket, amount, weight * amount // total AS share, weight * amount % total AS remainder
        FROM lines JOIN totals USING (basket)
    )
    SELECT line, share + (
        row_number() OVER (PARTITION BY basket ORDER BY remainder DESC, line)
            <= amount - sum(share) OVER (PARTITION BY basket)
    )::BIGINT AS share
    FROM floors
"""


def with_duckdb(baskets: int) -> Callable[[], Any]:
    """Use an in-memory table without an order of lines."""
    connection = duckdb.connect()
    connection.execute("SET preserve_insertion_order = false")
    connection.register("given", workload(baskets).frame().to_arrow())
    connection.execute("CREATE TABLE lines AS SELECT * FROM given")
    return lambda: connection.execute(ALLOCATE_IN_SQL).fetchnumpy()


def by_line(_: int, answer: dict[str, Column]) -> Column:
    return answer["share"][np.argsort(answer["line"])]


CONTENDERS = [
    Contender("faregate, flat", with_faregate),
    Contender("faregate, in buckets", with_buckets, flat),
    Contender("numpy, whole columns, lexsort", with_numpy_sort),
    Contender("numpy, padded to nine lines, argsort", with_numpy_matrix),
    Contender("pandas groupby", with_pandas),
    Contender("polars windows, all cores", with_polars),
    Contender("duckdb windows, all cores", with_duckdb, by_line),
]


def table(baskets: int, rounds: int) -> Table:
    for contender in CONTENDERS:
        contender.check(baskets)
    lines = len(workload(baskets).weights)
    measured = compared(interleaved([own.prepare(baskets) for own in CONTENDERS], rounds), 0)
    rows = [
        [contender.name, f"{own.seconds * 1e9 / lines:.1f}", f"{own.ratio:.1f}x"]
        for contender, own in zip(CONTENDERS, measured, strict=True)
    ]
    title = f"{lines:,} lines in {baskets:,} baskets, an amount shared over each"
    return Table(title, ["", "ns per line", "ratio"], rows)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.basket_allocations", description=__doc__)
    parser.add_argument("--baskets", type=int, default=BASKETS)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of the comparison")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(None if arguments is None else list(arguments))
    result = table(options.baskets, options.rounds)
    print(environment(collect=False))
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES))
    print(f"\n{result.markdown() if options.markdown else result.plain()}")


if __name__ == "__main__":
    main()
