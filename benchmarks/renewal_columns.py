"""A million renewal dates, computed in several ways; printed by ``python -m benchmarks.renewal_dates``.

Each date is a number of months after a start: the same number for all rows, or one per row.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl

from benchmarks.compare import Measured, Table, compared, interleaved
from faregate.batch.subscriptions.schedule import renewal_date
from faregate.subscriptions.rules import Monthly

ROWS = 1_000_000
MOST_MONTHS = 120

Days = npt.NDArray[np.datetime64]


def exact_date(anchor: date, months: int) -> date:
    """Return the same day *months* later, or the last day of a shorter month."""
    year, index = divmod(12 * anchor.year + anchor.month - 1 + months, 12)
    return date(year, index + 1, min(anchor.day, monthrange(year, index + 1)[1]))


@cache
def anchors() -> Days:
    """Return datetime64[D] starts from ten years of days."""
    days = np.random.default_rng(365).integers(0, 3652, ROWS)
    return np.datetime64("2015-01-01") + days


@cache
def ages() -> npt.NDArray[np.int64]:
    """Return ages in months, up to ten years."""
    return np.random.default_rng(24).integers(0, MOST_MONTHS, ROWS)


@cache
def expected_rows(*, is_same: bool) -> Days:
    """Compute every combination of start and age once, and look up the rows."""
    answer = cache(exact_date)
    months = [1] * ROWS if is_same else ages().tolist()
    return np.array([*map(answer, anchors().tolist(), months)], "datetime64[D]")


@dataclass(frozen=True, slots=True)
class Batch:
    """A way to a million dates; its input has one number of months or a column of them."""

    name: str
    same: Callable[[], Callable[[], Any]]
    each: Callable[[], Callable[[], Any]]

    def call(self, *, is_same: bool) -> Callable[[], Any]:
        return self.same() if is_same else self.each()

    def check(self, *, is_same: bool) -> None:
        """Raise ValueError unless the result is exact."""
        found = np.asarray(self.call(is_same=is_same)()).astype("datetime64[D]")
        if not np.array_equal(found, expected_rows(is_same=is_same)):
            raise ValueError(f"{self.name}, {is_same=}: not the exact answer")


def with_faregate(months: npt.NDArray[np.int64] | int) -> Callable[[], Days]:
    return partial(renewal_date, Monthly(), anchor=anchors(), index=months)


def with_numpy(months: npt.NDArray[np.int64] | int) -> Callable[[], Days]:
    days = anchors()

    def run() -> Days:
        starts = days.astype("datetime64[M]")
        later = starts + months
        last: Days = (later + 1).astype("datetime64[D]") - 1
        moved: Days = np.minimum(
            later.astype("datetime64[D]") + (days - starts.astype("datetime64[D]")), last
        )
        return moved

    return run


def pandas_same() -> Callable[[], Any]:
    index = pd.DatetimeIndex(anchors())

    def run() -> Any:
        return (index + pd.DateOffset(months=1)).to_numpy()

    return run


def pandas_each() -> Callable[[], Any]:
    """Process rows with the same number of months together, because an offset applies to all rows."""
    index, months = pd.DatetimeIndex(anchors()), ages()

    def run() -> Any:
        days, order = np.empty(ROWS, index.dtype), np.argsort(months, kind="stable")
        bounds = np.searchsorted(months[order], np.arange(MOST_MONTHS + 1))
        for number in range(MOST_MONTHS):
            rows = order[bounds[number] : bounds[number + 1]]
            days[rows] = (index[rows] + pd.DateOffset(months=number)).to_numpy()
        return days

    return run


def with_polars(offset: pl.Expr | str) -> Callable[[], Any]:
    """Use a lazy streaming query, which is faster here; offsets are converted to texts before."""
    frame = pl.DataFrame({"day": anchors(), "months": ages()})
    frame = frame.with_columns(offset=pl.format("{}mo", "months"))
    query = frame.lazy().select(pl.col("day").dt.offset_by(offset))

    def run() -> Any:
        return query.collect(engine="streaming")["day"].to_numpy()

    return run


def with_duckdb(months: str) -> Callable[[], Any]:
    """Use an in-memory table."""
    connection = duckdb.connect()
    given = pd.DataFrame({"day": anchors(), "months": ages().astype(np.int32)})
    connection.register("given", given)
    connection.execute("CREATE TABLE starts AS SELECT day::DATE AS day, months FROM given")
    query = f"SELECT (day + to_months({months}))::DATE AS day FROM starts"
    return lambda: connection.execute(query).fetchnumpy()["day"]


BATCHES = [
    Batch("faregate", lambda: with_faregate(1), lambda: with_faregate(ages())),
    Batch("numpy datetime64", lambda: with_numpy(1), lambda: with_numpy(ages())),
    Batch("duckdb, all cores", lambda: with_duckdb("1"), lambda: with_duckdb("months")),
    Batch("polars, all cores", lambda: with_polars("1mo"), lambda: with_polars(pl.col("offset"))),
    Batch("pandas DateOffset", pandas_same, pandas_each),
]


def batch_table(rounds: int) -> Table:
    columns: list[list[Measured]] = []
    for is_same in (True, False):
        for contender in BATCHES:
            contender.check(is_same=is_same)
        calls = [contender.call(is_same=is_same) for contender in BATCHES]
        columns.append(compared(interleaved(calls, rounds), 0))
    rows = [
        [contender.name, *(f"{it.seconds * 1e9 / ROWS:.1f} ({it.ratio:.1f}x)" for it in own)]
        for contender, *own in zip(BATCHES, *columns, strict=True)
    ]
    title = f"{ROWS:,} starts, a number of months later: ns per date (ratio to faregate)"
    return Table(title, ["", "one month for all", "each its own number"], rows)
