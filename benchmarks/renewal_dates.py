"""Renewal dates side by side: ``python -m benchmarks.renewal_dates``.

One subscription: the 24 monthly dates from a 31st, and the first date after now at an age of seven and a half
years. A million subscriptions: see ``benchmarks.renewal_columns``.

Every result is compared with an exact one, worked out date by date, before timing. A contender that does not
support the rule is measured all the same, and the table shows its result. Contenders take turns, as in
``benchmarks.compare``.
"""

from __future__ import annotations

import argparse
from calendar import monthrange
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from importlib.metadata import version
from typing import Any

import pandas as pd
import pendulum
from dateutil.relativedelta import relativedelta
from dateutil.rrule import MONTHLY, rrule
from whenever import Date

from benchmarks.compare import Table, compared, environment, interleaved
from benchmarks.renewal_columns import batch_table, exact_date
from faregate.subscriptions.rules import Monthly
from faregate.subscriptions.schedule import next_billing_date, renewal_dates

COUNT = 24
ANCHOR = date(2025, 1, 31)
OLD_ANCHOR = date(2019, 3, 31)
NOW = date(2026, 8, 31)  # the next date is a 30th
PACKAGES = ("python-dateutil", "whenever", "pendulum", "pandas", "polars", "duckdb")


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to the dates. Only ``run`` is timed; its input is made before, its result read after.

    ``answer`` describes the result of a contender that does not support the rule.
    """

    name: str
    run: Callable[[], Any]
    read: Callable[[Any], list[date]]
    answer: str = "exact"

    def check(self, expected: Sequence[date]) -> str:
        """Return a description of the result.

        Raises:
            ValueError: it should be exact and is not, or vice versa.
        """
        found = self.read(self.run())
        if (found == [*expected]) is not (self.answer == "exact"):
            raise ValueError(f"{self.name}: expected {self.answer!r}, got {found!r}")
        return self.answer


def as_dates(days: Iterable[Any]) -> list[date]:
    """Convert anything with a year, a month and a day."""
    return [date(day.year, day.month, day.day) for day in days]


def as_date(day: Any) -> list[date]:
    return as_dates([day])


# ---------------------------------------------------------------- one subscription, 24 dates

_from_ordinal = date.fromordinal
_YEARS = range(1900, 2201)
_MONTHS = [(year, month) for year in _YEARS for month in range(1, 13)]
_MONTHLY = [
    [date(year, month, min(day, monthrange(year, month)[1])).toordinal() for year, month in _MONTHS]
    for day in range(1, 32)
]


def floor(anchor: date, count: int) -> list[date]:
    """Use a table per day of the month; no rules, no checks, only these years."""
    start = 12 * (anchor.year - _YEARS[0]) + anchor.month - 1
    return [*map(_from_ordinal, _MONTHLY[anchor.day - 1][start : start + count])]


_FIRST = [date(year, month, 1).toordinal() - 1 for year, month in _MONTHS]
_LENGTH = [monthrange(year, month)[1] for year, month in _MONTHS]


def month_table(anchor: date, count: int) -> list[date]:
    """Use one table for all days: the first day and the length of each month."""
    start, day = 12 * (anchor.year - _YEARS[0]) + anchor.month - 1, anchor.day
    months = range(start, start + count)
    return [_from_ordinal(_FIRST[m] + (day if day < _LENGTH[m] else _LENGTH[m])) for m in months]  # noqa: FURB136 - faster than min


_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def plain(anchor: date, count: int) -> list[date]:
    """Compute dates in careful plain Python without imports."""
    first, day, days = 12 * anchor.year + anchor.month - 1, anchor.day, []
    for month in range(first, first + count):
        year, index = divmod(month, 12)
        last = _LENGTHS[index]
        if index == 1 and not year % 4 and (year % 100 or not year % 400):
            last = 29
        days.append(date(year, index + 1, min(last, day)))
    return days


def with_relativedelta(anchor: date, count: int) -> list[date]:
    return [anchor + relativedelta(months=months) for months in range(count)]


def with_relativedelta_iterated(anchor: date, count: int) -> list[date]:
    day, step, days = anchor, relativedelta(months=1), []
    for _ in range(count):
        days.append(day)
        day += step
    return days


def midnight(day: date) -> datetime:
    """Return midnight, because dateutil's rules do not accept dates."""
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001


def last_days(anchor: date, **options: Any) -> rrule:
    """Return a rule for the 31st or else the last day: the last of the days from 28 on."""
    return rrule(MONTHLY, dtstart=midnight(anchor), bymonthday=(28, 29, 30, 31), bysetpos=-1, **options)


def with_offsets(anchor: pd.Timestamp, count: int) -> list[pd.Timestamp]:
    return [anchor + pd.DateOffset(months=months) for months in range(count)]


def with_whenever(anchor: Date, count: int) -> list[Date]:
    return [anchor.add(months=months) for months in range(count)]


def with_pendulum(anchor: pendulum.Date, count: int) -> list[pendulum.Date]:
    return [anchor.add(months=months) for months in range(count)]


FLOOR = Contender("floor", partial(floor, ANCHOR, COUNT), as_dates)
SERIES = [
    FLOOR,
    Contender("month table", partial(month_table, ANCHOR, COUNT), as_dates),
    Contender("faregate", partial(renewal_dates, Monthly(), anchor=ANCHOR, count=COUNT), as_dates),
    Contender("plain Python", partial(plain, ANCHOR, COUNT), as_dates),
    Contender("whenever", partial(with_whenever, Date(2025, 1, 31), COUNT), as_dates),
    Contender("pendulum", partial(with_pendulum, pendulum.date(2025, 1, 31), COUNT), as_dates),
    Contender("dateutil relativedelta", partial(with_relativedelta, ANCHOR, COUNT), as_dates),
    Contender(
        "dateutil relativedelta, iterated",
        partial(with_relativedelta_iterated, ANCHOR, COUNT),
        as_dates,
        "stays on the 28th once there was a February",
    ),
    Contender("dateutil rrule, last of four days", lambda: [*last_days(ANCHOR, count=COUNT)], as_dates),
    Contender(
        "dateutil rrule",
        lambda: [*rrule(MONTHLY, dtstart=midnight(ANCHOR), count=COUNT)],
        as_dates,
        "omits every month without a 31st",
    ),
    Contender("pandas DateOffset", partial(with_offsets, pd.Timestamp(ANCHOR), COUNT), as_dates),
]


def expected_series() -> list[date]:
    return [exact_date(ANCHOR, months) for months in range(COUNT)]


# ---------------------------------------------------------------- one subscription, the next date


def plain_next(anchor: date, now: date) -> date:
    months = 12 * (now.year - anchor.year) + now.month - anchor.month
    day = plain_date(anchor, months)
    return day if day > now else plain_date(anchor, months + 1)


def plain_date(anchor: date, months: int) -> date:
    year, index = divmod(12 * anchor.year + anchor.month - 1 + months, 12)
    last = _LENGTHS[index]
    if index == 1 and not year % 4 and (year % 100 or not year % 400):
        last = 29
    return date(year, index + 1, min(last, anchor.day))


def next_with_relativedelta(anchor: date, now: date) -> date:
    """Count months in a loop, as users write it, because the library cannot compute their number."""
    months, day = 0, anchor
    while day <= now:
        months += 1
        day = anchor + relativedelta(months=months)
    return day


def next_with_relativedelta_iterated(anchor: date, now: date) -> date:
    day, step = anchor, relativedelta(months=1)
    while day <= now:
        day += step
    return day


def next_with_whenever(anchor: Date, now: Date) -> Date:
    months = 12 * (now.year - anchor.year) + now.month - anchor.month
    day = anchor.add(months=months)
    return day if day > now else anchor.add(months=months + 1)


NEXT = [
    Contender("faregate", partial(next_billing_date, Monthly(), anchor=OLD_ANCHOR, after=NOW), as_date),
    Contender("plain Python", partial(plain_next, OLD_ANCHOR, NOW), as_date),
    Contender("whenever", partial(next_with_whenever, Date(2019, 3, 31), Date(2026, 8, 31)), as_date),
    Contender("dateutil relativedelta, loop", partial(next_with_relativedelta, OLD_ANCHOR, NOW), as_date),
    Contender(
        "dateutil relativedelta, iterated",
        partial(next_with_relativedelta_iterated, OLD_ANCHOR, NOW),
        as_date,
        "stays on the 28th once there was a February",
    ),
    Contender(
        "dateutil rrule.after, last of four days",
        partial(last_days(OLD_ANCHOR).after, midnight(NOW)),
        as_date,
    ),
    Contender(
        "the same, cache=True", partial(last_days(OLD_ANCHOR, cache=True).after, midnight(NOW)), as_date
    ),
    Contender(
        "dateutil rrule.after",
        partial(rrule(MONTHLY, dtstart=midnight(OLD_ANCHOR)).after, midnight(NOW)),
        as_date,
        "omits every month without a 31st",
    ),
]


def expected_next() -> list[date]:
    return [next(day for day in (exact_date(OLD_ANCHOR, months) for months in range(999)) if day > NOW)]


# ---------------------------------------------------------------- printing


def series_table(rounds: int) -> Table:
    answers = [contender.check(expected_series()) for contender in SERIES]
    return one_table(f"{COUNT} monthly dates from a 31st", SERIES, answers, rounds, per=COUNT)


def next_table(rounds: int) -> Table:
    answers = [contender.check(expected_next()) for contender in NEXT]
    return one_table("The next date, after seven and a half years", NEXT, answers, rounds)


def one_table(
    title: str, contenders: list[Contender], answers: list[str], rounds: int, *, per: int = 1
) -> Table:
    """Return the table, relative to faregate and, if there is one, to the floor."""
    seconds = interleaved([contender.run for contender in contenders], rounds)
    names = [contender.name for contender in contenders]
    bases = {f"to {name}": index for index, name in enumerate(names) if name in {"floor", "faregate"}}
    columns = [compared(seconds, base) for base in bases.values()]
    rows = [
        [name, f"{own[0].seconds * 1e9 / per:,.0f}", *(f"{it.ratio:,.2f}x" for it in own), answer]
        for name, answer, *own in zip(names, answers, *columns, strict=True)
    ]
    return Table(title, ["", "ns per date", *bases, "answer"], rows)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.renewal_dates", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="rounds of every comparison")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(None if arguments is None else list(arguments))
    tables = [
        series_table(options.rounds),
        next_table(options.rounds),
        batch_table(max(5, options.rounds // 2)),
    ]
    print(environment(collect=False))
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES))
    for table in tables:
        print(f"\n{table.markdown() if options.markdown else table.plain()}")


if __name__ == "__main__":
    main()
