"""C, D and E: the contenders of the other benchmarks, with versions, in tables of one form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks import price_distributions as prices
from benchmarks import renewal_columns as batches
from benchmarks import renewal_dates as dates
from benchmarks import validity_calendars as calendars
from benchmarks.compare import Table, timer
from benchmarks.comparison.contenders import (
    Effort,
    Entry,
    LeftOut,
    Section,
    measured_table,
    optional,
    present,
)

BASE = "faregate"
PACKAGES = {
    "KLL": "datasketches",
    "t-digest": "datasketches",
    "fastdigest": "fastdigest",
    "bottleneck": "Bottleneck",
    "dateutil": "python-dateutil",
    "the": "python-dateutil",
}
OWN = {"floor", "month", "plain"}
"""First words of the names of contenders in plain Python."""


def package_of(name: str) -> str:
    """Return the package by the first word of a contender's name."""
    word = name.split(maxsplit=1)[0].rstrip(",")
    return "–" if word.lower() in OWN else PACKAGES.get(word, word)


# ---------------------------------------------------------------- C


def with_fastdigest(rows: int) -> Callable[[], Sequence[Any]]:
    """Use fastdigest in Rust, with its default of a thousand centroids."""
    fastdigest: Any = optional("fastdigest")
    column = prices.prices(rows).astype(float)
    return lambda: fastdigest.TDigest.from_values(column).quantile_vec(prices.SHARES)


def distribution_entry(contender: prices.Contender, rows: int) -> Entry:
    if contender.name == "fastdigest" and optional("fastdigest") is None:
        raise LeftOut("fastdigest: left out, not installed (make bench-compare has it).")
    answer = contender.answer(rows)
    return Entry(contender.name, package_of(contender.name), timer(contender.prepare(rows)), answer)


def distributions(effort: Effort) -> Section:
    contenders = [*prices.CONTENDERS, prices.Contender("fastdigest", with_fastdigest)]
    tables: list[Table] = []
    left_out: list[str] = []
    for rows in prices.SIZES[:1] if effort.quick else prices.SIZES:
        entries, left_out = present([partial(distribution_entry, own, rows) for own in contenders])
        title = f"Six quantiles of {rows:,} prices"
        rounds = effort.fewer(2)
        tables.append(measured_table(title, "ns per price", entries, rounds, base=BASE, scale=1e9 / rows))
    if not effort.quick:
        tables += [prices.kept_table(effort.fewer(2)), prices.frame_table(effort.fewer(3))]
    return Section("C. Distributions of prices", tables, left_out)


# ---------------------------------------------------------------- D


def renewals(effort: Effort) -> Section:
    series = [
        Entry(own.name, package_of(own.name), timer(own.run), own.check(dates.expected_series()))
        for own in dates.SERIES
    ]
    following = [
        Entry(own.name, package_of(own.name), timer(own.run), own.check(dates.expected_next()))
        for own in dates.NEXT
    ]
    titles = [f"{dates.COUNT} monthly dates from a 31st", "The next date, after seven and a half years"]
    tables = [
        measured_table(titles[0], "ns per date", series, effort.rounds, base=BASE, scale=1e9 / dates.COUNT),
        measured_table(titles[1], "µs", following, effort.rounds, base=BASE, scale=1e6),
        *(months_table(effort, is_same=is_same) for is_same in (True, False)),
    ]
    return Section("D. Renewal dates", tables)


def months_table(effort: Effort, *, is_same: bool) -> Table:
    entries = []
    for own in batches.BATCHES:
        own.check(is_same=is_same)
        entries.append(Entry(own.name, package_of(own.name), timer(own.call(is_same=is_same)), "exact"))
    months = "one month later" if is_same else "each its own number of months later"
    title = f"{batches.ROWS:,} starts, {months}"
    return measured_table(title, "ns per date", entries, effort.fewer(2), base=BASE, scale=1e9 / batches.ROWS)


# ---------------------------------------------------------------- E


def windows(effort: Effort) -> Section:
    single, batch = [], []
    for own in calendars.WINDOWINGS:
        own.check(calendars.places()[:, 0].copy())
        single.append(Entry(own.name, package_of(own.name), timer(own.singles()), "exact"))
        own.check(calendars.places())
        batch.append(Entry(own.name, package_of(own.name), timer(own.batch()), "exact"))
    unit = "µs per product-year"
    one_title = f"One product at a time, {calendars.WINDOWS}"
    all_title = f"{calendars.BATCH} products at once, {calendars.WINDOWS}"
    tables = [
        measured_table(one_title, unit, single, effort.rounds, base=BASE, scale=1e6 / calendars.SINGLES),
        measured_table(all_title, unit, batch, effort.fewer(3), base=BASE, scale=1e6 / calendars.BATCH),
    ]
    if not effort.quick:
        tables.append(calendars.season_table(effort.rounds))
    return Section("E. Calendars of a season", tables)
