"""Price insights for the terminal: a table of the groups, and a histogram of all prices."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rich.measure import Measurement
from rich.text import Text

from faregate.money.amounts import format_minor_units
from faregate.money.rounding import RoundingMode, divide
from faregate.render.wording import printable
from faregate_cli.insights.as_json import rounded
from faregate_cli.insights.histogram import Signs, histogram
from faregate_cli.look import STRONG, Trimmed, key_label, packed, sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console
    from rich.table import Table

    from faregate.insights.quantiles import Percent
    from faregate.money.currency import Currency
    from faregate_cli.insights.groups import FileInsights, Group, Inquiry, Key

__all__ = ["print_insights"]

_NOTHING = "(none)"
_EVERYTHING = "all prices"
_NO_LIMIT = 10_000
_DECIMALS = 2


def print_insights(console: Console, found: FileInsights) -> None:
    """Print every group, as tables or, where they are too wide, as words; and how all prices lie."""
    asked, separator = found.inquiry, " - " if console.options.ascii_only else " · "
    console.print(Trimmed(packed(_title(found), separator, width=console.width, style=STRONG)))
    console.print()
    tables = (_figures(console, found), _comparison(console, found))
    if all(_fits(console, table) for table in tables):
        for table in tables:
            console.print(Trimmed(table))
            console.print()
    else:
        for group in found.groups:
            console.print(packed(_words(group, asked), separator, width=console.width), soft_wrap=True)
        console.print()
    signs = Signs.of(is_ascii=console.options.ascii_only)
    for line in histogram(
        found.together, asked.currency, signs=signs, width=console.width, marked=asked.benchmark
    ):
        console.print(Text(line.rstrip()), soft_wrap=True)


def _title(found: FileInsights) -> list[str]:
    asked, n = found.inquiry, found.together.n
    parts = [f"{n:,} price{'' if n == 1 else 's'} in {asked.currency.code}"]
    if asked.by:
        parts.append(
            f"{len(found.groups):,} group{'' if len(found.groups) == 1 else 's'} of {', '.join(asked.by)}"
        )
    if asked.benchmark is not None:
        parts.append(f"benchmark {format_minor_units(asked.benchmark, asked.currency)}")
    return parts


def _fits(console: Console, table: Table) -> bool:
    unlimited = console.options.update_width(_NO_LIMIT)
    return Measurement.get(console, unlimited, table).maximum <= console.width


# ---------------------------------------------------------------- tables


def _figures(console: Console, found: FileInsights) -> Table:
    table = sheet(console, "", "n", "Min", "25 %", "50 %", "75 %", "Max", is_full_width=False)
    _fill(table, found, [_summary_cells(group, found.inquiry.currency) for group in found.groups])
    return table


def _comparison(console: Console, found: FileInsights) -> Table:
    asked = found.inquiry
    heads = [f"Low below {_percent(asked.lower)}", f"High above {_percent(asked.upper)}"]
    if asked.benchmark is not None:
        heads += ["Rank", "Level", "Position"]
    table = sheet(console, "", *heads, is_full_width=False)
    _fill(table, found, [_comparison_cells(group, asked) for group in found.groups])
    return table


def _fill(table: Table, found: FileInsights, rows: Iterable[Sequence[str]]) -> None:
    for group, cells in zip(found.groups, rows, strict=True):
        table.add_row(_key_label(group.key), *cells)


def _summary_cells(group: Group, unit: Currency) -> list[str]:
    summary = group.distribution.summary()
    quartiles = (summary.lower_quartile, summary.median, summary.upper_quartile)
    return [
        f"{summary.n:,}",
        format_minor_units(summary.minimum, unit),
        *[_nearest(quartile, unit) for quartile in quartiles],
        format_minor_units(summary.maximum, unit),
    ]


def _comparison_cells(group: Group, asked: Inquiry) -> list[str]:
    insight, unit = group.insight, asked.currency
    thresholds = [format_minor_units(threshold.price, unit) for threshold in (insight.lower, insight.upper)]
    if asked.benchmark is None:
        return thresholds
    position = "" if insight.position is None else f"{rounded(insight.position, _DECIMALS)}"
    rank = f"{rounded(insight.benchmark.percentile, _DECIMALS)} %"
    return [*thresholds, rank, insight.level.value, position]


def _words(group: Group, asked: Inquiry) -> list[str]:
    """The same for narrow terminals."""
    n, least, lower, median, upper, greatest = _summary_cells(group, asked.currency)
    low, high, *judged = _comparison_cells(group, asked)
    parts = [
        f"{_key_label(group.key)}: n {n}",
        f"min {least}",
        f"quartiles {lower}, {median}, {upper}",
        f"max {greatest}",
        f"low below {low}",
        f"high above {high}",
    ]
    if judged:
        rank, level, position = judged
        parts += [f"rank {rank}", level, f"position {position}" if position else "no position"]
    return parts


# ---------------------------------------------------------------- single words


def _key_label(key: Key) -> str:
    parts = [_NOTHING if part is None else printable(part) or '""' for part in key]
    return key_label(parts) or _EVERYTHING


def _percent(percent: Percent) -> str:
    number = rounded(Fraction(percent), _DECIMALS)
    return f"{number.normalize():f} %"


def _nearest(exact: Fraction, unit: Currency) -> str:
    return format_minor_units(divide(*exact.as_integer_ratio(), mode=RoundingMode.HALF_EVEN), unit)
