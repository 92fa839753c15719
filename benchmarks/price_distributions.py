"""Quantiles of prices, in columns, groups and stored forms: ``python -m benchmarks.price_distributions``.

Every result is compared with the exact one before its time counts; the last column shows the difference.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib.metadata import version
from statistics import median
from time import process_time
from typing import Any

import datasketches
import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl

from benchmarks.compare import Table, compared, environment, interleaved
from faregate.batch.insights.distribution import quantiles
from faregate.batch.insights.prices import PriceHistogram
from faregate.frames import insights, ranks
from faregate.insights.percentiles import QuantileMethod, quantile_position

PACKAGES = ("narwhals", "pandas", "polars", "duckdb", "pyarrow", "datasketches")
PERCENTS = (5, 25, 50, 75, 95, 99)
SHARES = [percent / 100 for percent in PERCENTS]
SIZES = (1_000_000, 10_000_000)
GROUPS = 20
MANY_GROUPS = 100_000
RANKED_GROUPS = 480
GREATEST = 499_999
KLL_K = 200
"""The library's default: ranks are off by at most about 1.3 percent in 99 of 100 sketches."""

TDIGEST_K = 200
"""The library's default."""

Prices = npt.NDArray[np.int64]


@cache
def prices(rows: int) -> Prices:
    """Return int64 log-normal cents, median 81 francs, up to 4,999.99."""
    drawn = np.exp(np.random.default_rng(9).normal(9, 0.6, rows)).astype(np.int64)
    return np.minimum(drawn, GREATEST)


@cache
def exact(rows: int) -> tuple[Fraction, ...]:
    """Compute quantiles of the sorted column by the definition of type 7."""
    ascending = np.sort(prices(rows))
    found = []
    for percent in PERCENTS:
        rank, part, whole = quantile_position(rows, percent, method=QuantileMethod.LINEAR)
        lower, upper = ascending[rank - 1 : rank + 1].tolist()
        found.append(lower + Fraction((upper - lower) * part, whole))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to quantiles; ``prepare`` converts that many prices to its input and returns the timed call."""

    name: str
    prepare: Callable[[int], Callable[[], Sequence[Any]]]

    def answer(self, rows: int) -> str:
        found = [Fraction(float(value)) for value in self.prepare(rows)()]
        off = max(abs(own - right) for own, right in zip(found, exact(rows), strict=True))
        nearest = [Fraction(float(right)) for right in exact(rows)]
        if found == nearest:
            return "exact"
        return "to 10 digits" if off < Fraction(1, 10**5) else f"off by {float(off):,.0f} cents"


def with_faregate(rows: int) -> Callable[[], Sequence[Any]]:
    return partial(quantiles, prices(rows), PERCENTS)


def with_numpy(rows: int) -> Callable[[], Sequence[Any]]:
    return partial(np.percentile, prices(rows), PERCENTS)


def with_pandas(rows: int) -> Callable[[], Sequence[Any]]:
    return partial(pd.Series(prices(rows)).quantile, SHARES)


def with_polars(rows: int) -> Callable[[], Sequence[Any]]:
    frame = pl.DataFrame({"price": prices(rows)})
    wanted = [pl.col("price").quantile(share, "linear").alias(str(share)) for share in SHARES]
    return lambda: frame.select(wanted).row(0)


def with_duckdb(rows: int) -> Callable[[], Sequence[Any]]:
    connection = duckdb.connect()
    given = pl.DataFrame({"price": prices(rows)})
    connection.register("given", given.to_arrow())
    connection.execute("CREATE TABLE offers AS SELECT * FROM given")

    def run() -> Sequence[Any]:
        found = connection.execute(f"SELECT quantile_cont(price, {SHARES}) FROM offers").fetchone()
        return found[0] if found else ()

    return run


def with_kll(rows: int) -> Callable[[], Sequence[Any]]:
    column = prices(rows).astype(np.int32)

    def run() -> Sequence[Any]:
        sketch = datasketches.kll_ints_sketch(KLL_K)
        sketch.update(column)
        quantiles: Sequence[Any] = sketch.get_quantiles(SHARES)
        return quantiles

    return run


def with_tdigest(rows: int) -> Callable[[], Sequence[Any]]:
    column = prices(rows).astype(np.float64)

    def run() -> Sequence[Any]:
        sketch = datasketches.tdigest_double(TDIGEST_K)
        sketch.update(column)
        return [sketch.get_quantile(share) for share in SHARES]

    return run


CONTENDERS = [
    Contender("faregate", with_faregate),
    Contender("numpy percentile", with_numpy),
    Contender("pandas quantile", with_pandas),
    Contender("polars quantile, all cores", with_polars),
    Contender("duckdb quantile_cont, all cores", with_duckdb),
    Contender(f"KLL sketch, k = {KLL_K}", with_kll),
    Contender(f"t-digest, k = {TDIGEST_K}", with_tdigest),
]


def column_table(rounds: int) -> Table:
    answers = [contender.answer(SIZES[-1]) for contender in CONTENDERS]
    columns = []
    for rows in SIZES:
        seconds = interleaved([contender.prepare(rows) for contender in CONTENDERS], rounds)
        columns.append([f"{own.seconds * 1e9 / rows:.1f} ({own.ratio:.1f}x)" for own in compared(seconds, 0)])
    rows_shown = [
        [contender.name, *cells, answer]
        for contender, *cells, answer in zip(CONTENDERS, *columns, answers, strict=True)
    ]
    title = "Six quantiles of a column: ns per price (ratio to faregate)"
    return Table(title, ["", *(f"{rows:,} prices" for rows in SIZES), "answer"], rows_shown)


# ---------------------------------------------------------------- stored forms


def kept_table(rounds: int) -> Table:
    rows = SIZES[-1] // 2
    halves = [prices(SIZES[-1])[:rows], prices(SIZES[-1])[rows:]]
    one, other = (PriceHistogram.from_columns(half) for half in halves)
    sketches = [datasketches.kll_ints_sketch(KLL_K) for _ in halves]
    for sketch, half in zip(sketches, halves, strict=True):
        sketch.update(half.astype(np.int32))
    questions: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "one quantile": (lambda: one.quantile(25), lambda: sketches[0].get_quantile(0.25)),
        "one rank": (lambda: one.percentile_rank(8103), lambda: sketches[0].get_rank(8103)),
        "merging two halves": (lambda: one + other, lambda: merged(sketches)),
    }
    cells = []
    for question, calls in questions.items():
        own, peer = compared(interleaved(calls, rounds), 0)
        cells.append([question, f"{own.seconds * 1e6:,.2f}", f"{peer.seconds * 1e6:,.2f}"])
    return Table(f"Of {rows:,} prices that are kept: µs", ["", "faregate", "KLL sketch"], cells)


def merged(sketches: Sequence[Any]) -> object:
    both = datasketches.kll_ints_sketch(KLL_K)
    for sketch in sketches:
        both.merge(sketch)
    return both


# ---------------------------------------------------------------- groups of a frame


@cache
def offers(rows: int, groups: int = GROUPS) -> pl.DataFrame:
    drawn = np.random.default_rng(20).integers(0, groups, rows)
    return pl.DataFrame({"season": drawn, "price": prices(rows)})


def engine_calls(rows: int) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Return, for each engine, ``insights`` of its frame, and its own two quantiles and count per group."""
    table = offers(rows)
    in_pandas = table.to_pandas()
    connection = duckdb.connect()
    connection.register("given", table.to_arrow())
    connection.execute("CREATE TABLE offers AS SELECT * FROM given")
    bounds = [pl.col("price").quantile(share, "linear").alias(str(share)) for share in (0.25, 0.75)]
    by_season = "SELECT season, quantile_cont(price, [0.25, 0.75]), count(*) FROM offers GROUP BY season"
    grouped = in_pandas.groupby("season")["price"]
    ask = partial(insights, price="price", by="season", benchmark=8103)
    return {
        "polars": (lambda: ask(table), lambda: table.group_by("season").agg(*bounds, pl.len())),
        "pandas": (lambda: ask(in_pandas), lambda: (grouped.quantile([0.25, 0.75]), grouped.size())),
        "duckdb": (
            lambda: ask(connection.table("offers")).fetchall(),
            lambda: connection.execute(by_season).fetchall(),
        ),
    }


def frame_table(rounds: int) -> Table:
    rows = SIZES[-1]
    cells = []
    for engine, calls in engine_calls(rows).items():
        own, peer = compared(interleaved(calls, rounds), 0)
        cells.append([engine, f"{own.seconds * 1e9 / rows:.1f}", f"{peer.seconds * 1e9 / rows:.1f}"])
    title = f"{rows:,} rows in {GROUPS} groups: ns per row"
    return Table(title, ["", "faregate.frames.insights", "its own quantiles and count"], cells)


def grouped_table(rounds: int) -> Table:
    """Compare quantiles and ranks with Polars' own, in CPU time, once both give the same quantiles."""
    off: Any
    cells = []
    for groups, rows in ((GROUPS, SIZES[-1]), (MANY_GROUPS, SIZES[-1])):
        frame = offers(rows, groups)
        calls = (partial(insights, frame, by="season"), partial(own_quantiles, frame))
        found, expected = (call().sort("season") for call in calls)
        for name, own in (("lower", "0.25"), ("upper", "0.75")):
            off = found[name] - expected[own]
            if off.abs().max() > ROUNDED:
                raise ValueError(f"{name}: other quantiles than those of Polars")
        cells.append([f"insights, {groups:,} groups", *processor_times(calls, rows, rounds)])
    frame = offers(SIZES[0], RANKED_GROUPS)
    share = ((pl.col("price").rank("average") - 0.5) * 100 / pl.len()).alias("price")
    ranking = (partial(ranks, frame, by="season"), lambda: frame.select(share.over("season").alias("price")))
    off = ranks(frame, by="season")["percentile"] - frame.select(share.over("season").alias("price"))["price"]
    if off.abs().max() > RANK_ROUNDED:
        raise ValueError("other ranks than those of Polars")
    cells.append([f"ranks, {RANKED_GROUPS} groups", *processor_times(ranking, SIZES[0], rounds)])
    return Table("Groups of a Polars frame: ns of CPU per row", ["", "faregate", "polars", "ratio"], cells)


ROUNDED = 0.5
RANK_ROUNDED = 0.000051
"""Largest differences by rounding: to whole cents, and to four decimals of a percent."""


def own_quantiles(frame: pl.DataFrame) -> pl.DataFrame:
    bounds = [pl.col("price").quantile(share, "linear").alias(str(share)) for share in (0.25, 0.5, 0.75)]
    return frame.group_by("season").agg(*bounds, pl.len())


def processor_times(calls: Iterable[Callable[[], Any]], rows: int, rounds: int) -> list[str]:
    """Return the CPU time of each call, in ns per row, and the ratio of the first to the second."""
    taken: list[list[float]] = []
    for _ in range(rounds):
        taken.append([])
        for call in calls:
            start = process_time()
            call()
            taken[-1].append((process_time() - start) * 1e9 / rows)
    own, peer = map(median, zip(*taken, strict=True))
    return [f"{own:.1f}", f"{peer:.1f}", f"{own / peer:.1f}x"]


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.price_distributions", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="rounds of every comparison")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(None if arguments is None else list(arguments))
    tables = [column_table(options.rounds), kept_table(options.rounds), frame_table(options.rounds)]
    tables.append(grouped_table(options.rounds))
    print(environment(collect=False))
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES))
    for table in tables:
        print(f"\n{table.markdown() if options.markdown else table.plain()}")


if __name__ == "__main__":
    main()
