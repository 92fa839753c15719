"""B: a million carts in one call, priced by data frames, SQL, arrays and a compiled loop."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.compare import timer
from benchmarks.comparison import batch_arrays, batch_frames, batch_numba, batch_sql
from benchmarks.comparison.batch_workload import (
    CARTS,
    CODE,
    RATES,
    Answer,
    BatchPeer,
    Carts,
    Figures,
    check_sample,
    difference,
    figures_of,
    workload,
)
from benchmarks.comparison.contenders import (
    Effort,
    Entry,
    Section,
    measured_table,
    present,
)
from faregate.basket.lines import Line
from faregate.batch.basket.lines import LineColumns
from faregate.batch.columns.offsets import buckets_of, from_buckets, to_buckets
from faregate.batch.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals as price_one

QUICK_CARTS = 50_000
ONE_BY_ONE = 10_000
"""Number of carts that the scalar function prices in one sample."""
BASE = "faregate"

# ---------------------------------------------------------------- faregate


def with_faregate(carts: Carts) -> Callable[[], CheckoutTotals]:
    """Price the columns as given; the call includes their checks."""

    def run() -> CheckoutTotals:
        lines = LineColumns(
            offsets=carts.offsets, unit_price=carts.unit_price, quantity=carts.quantity, rate=carts.rate
        )
        return checkout_totals(lines, promo_codes=[CODE])

    return run


def read_faregate(answer: CheckoutTotals) -> Answer:
    return Answer(figures_of(answer.lines), figures_of(answer))


def with_buckets(carts: Carts) -> Callable[[], Any]:
    """Price matrices of carts with the same number of lines, prepared before timing."""
    buckets = buckets_of(carts.offsets)
    columns = (to_buckets(own, buckets) for own in (carts.unit_price, carts.quantity, carts.rate))
    given = [
        LineColumns(unit_price=price, quantity=quantity, rate=rate)
        for price, quantity, rate in zip(*columns, strict=True)
    ]
    return lambda: (buckets, [checkout_totals(lines, promo_codes=[CODE]) for lines in given])


def read_buckets(answer: Any) -> Answer:
    buckets, totals = answer
    lines = zip(*(figures_of(own.lines) for own in totals), strict=True)
    order = np.argsort(np.concatenate([bucket.baskets for bucket in buckets]))
    carts = zip(*(figures_of(own) for own in totals), strict=True)
    return Answer(
        Figures(*(from_buckets(matrices, buckets) for matrices in lines)),
        Figures(*(np.concatenate(columns)[order] for columns in carts)),
    )


def scalar(carts: Carts) -> Callable[[int], float]:
    """Return a timer of the scalar function, whose lines are prepared; seconds as if for all carts."""
    rates = {rate: VatRate(parts_per_million=rate) for rate in RATES}
    bounds = carts.offsets[: ONE_BY_ONE + 1].tolist()
    columns = [column[: bounds[-1]].tolist() for column in (carts.unit_price, carts.quantity, carts.rate)]
    lines = [
        Line(key, price, quantity, rates[rate])
        for key, (price, quantity, rate) in enumerate(zip(*columns, strict=True))
    ]
    given = [lines[start:end] for start, end in itertools.pairwise(bounds)]
    one = timer(lambda: [price_one(own, promo_codes=[CODE]) for own in given])
    share = len(carts.rate) / bounds[-1]
    return lambda count: one(count) * share


# ---------------------------------------------------------------- peers


def numba_peer(threads: int) -> BatchPeer:
    name = f"numba, one fused loop, {threads} thread{'s' if threads > 1 else ''}"
    return BatchPeer(name, "numba", batch_numba.with_numba(threads))


PEERS: list[Callable[[], BatchPeer]] = [
    lambda: BatchPeer(BASE, "faregate", with_faregate, read_faregate),
    lambda: BatchPeer("faregate, in buckets", "faregate", with_buckets, read_buckets),
    lambda: BatchPeer("pandas, groupby", "pandas", batch_frames.with_pandas, batch_frames.read_pandas),
    lambda: polars_peer("lazy", batch_frames.with_polars("in-memory")),
    lambda: polars_peer("lazy, streaming", batch_frames.with_polars("streaming")),
    lambda: polars_peer("eager", batch_frames.with_eager_polars),
    lambda: BatchPeer(
        f"DuckDB, windows, {batch_sql.THREADS} threads",
        "duckdb",
        batch_sql.with_duckdb,
        batch_sql.read_duckdb,
    ),
    lambda: BatchPeer("NumPy, whole columns, lexsort", "numpy", batch_arrays.with_numpy),
    partial(numba_peer, 1),
    partial(numba_peer, 2),
]


def polars_peer(way: str, prepare: Callable[[Carts], Callable[[], Any]]) -> BatchPeer:
    return BatchPeer(f"Polars, windows, {way}", "polars", prepare, batch_frames.read_polars)


def entry(make: Callable[[], BatchPeer], carts: Carts, right: Answer) -> Entry:
    """Return a peer, its results compared on all lines with those of whole columns in NumPy."""
    peer = make()
    call = peer.prepare(carts)
    return Entry(peer.name, peer.package, timer(call), difference(peer.read(call()), right))


def section(effort: Effort) -> Section:
    carts = workload(QUICK_CARTS if effort.quick else CARTS)
    right = batch_arrays.with_numpy(carts)()
    check_sample(carts, right)
    entries, left_out = present([partial(entry, make, carts, right) for make in PEERS])
    entries += [
        Entry("faregate, cart by cart", "faregate", scalar(carts), "exact"),
        Entry("floor: a copy of the columns", "numpy", timer(batch_arrays.copied(carts)), "–"),
    ]
    n = len(carts.rate)
    title = f"{n:,} lines in {len(carts.offsets) - 1:,} carts, priced in full"
    table = measured_table(title, "ns per line", entries, effort.fewer(3), base=BASE, scale=1e9 / n)
    return Section("B. A million carts", [table], left_out)
