"""Price insights for the terminal: a table of the groups, and a histogram of all prices."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from faregate.insights.percentiles import Percent
from faregate.money.amounts import format_minor_units
from faregate.money.currency import Currency
from faregate.money.rounding import round_half_even
from faregate_cli.insights.groups import FileInsights, InsightQuery, PriceGroup
from faregate_cli.insights.histogram import Signs, histogram
from faregate_cli.terminal.amounts import counted, rounded
from faregate_cli.terminal.console import STRONG, Trimmed, packed, print_facts, separator, sheet
from faregate_cli.terminal.groups import GroupKey, group_label

_EVERYTHING = "all prices"
_NO_LIMIT = 10_000
_DECIMALS = 2


def show(console: Console, insights: FileInsights) -> None:
    """Print all groups, as tables or, on a narrow terminal, in words; then a histogram of all prices."""
    query = insights.query
    print_facts(console, _title(insights), style=STRONG)
    console.print()
    tables = (_figures(console, insights), _comparison(console, insights))
    if all(_fits(console, table) for table in tables):
        for table in tables:
            console.print(Trimmed(table))
            console.print()
    else:
        for group in insights.groups:
            facts = packed(_facts(group, query), separator(console), width=console.width)
            console.print(facts, soft_wrap=True)
        console.print()
    signs = Signs.of(is_ascii=console.options.ascii_only)
    for line in histogram(
        insights.together, query.currency, signs=signs, width=console.width, marked=query.benchmark
    ):
        console.print(Text(line.rstrip()), soft_wrap=True)


def _title(insights: FileInsights) -> list[str]:
    query, n = insights.query, insights.together.n
    parts = [f"{counted(n, 'price')} in {query.currency.code}"]
    if query.by:
        parts.append(f"{counted(len(insights.groups), 'group')} of {', '.join(query.by)}")
    if query.benchmark is not None:
        parts.append(f"benchmark {format_minor_units(query.benchmark, query.currency)}")
    return parts


def _fits(console: Console, table: Table) -> bool:
    unlimited = console.options.update_width(_NO_LIMIT)
    return Measurement.get(console, unlimited, table).maximum <= console.width


def _figures(console: Console, insights: FileInsights) -> Table:
    table = sheet(console, "", "n", "Min", "25 %", "50 %", "75 %", "Max", is_full_width=False)
    _fill(table, insights, [_summary_cells(group, insights.query.currency) for group in insights.groups])
    return table


def _comparison(console: Console, insights: FileInsights) -> Table:
    query = insights.query
    heads = [f"Low below {_percent(query.lower)}", f"High above {_percent(query.upper)}"]
    if query.benchmark is not None:
        heads += ["Rank", "Level", "Position"]
    table = sheet(console, "", *heads, is_full_width=False)
    _fill(table, insights, [_comparison_cells(group, query) for group in insights.groups])
    return table


def _fill(table: Table, insights: FileInsights, rows: Iterable[Sequence[str]]) -> None:
    for group, cells in zip(insights.groups, rows, strict=True):
        table.add_row(_key_label(group.key), *cells)


def _summary_cells(group: PriceGroup, unit: Currency) -> list[str]:
    summary = group.distribution.summary()
    quartiles = (summary.lower_quartile, summary.median, summary.upper_quartile)
    return [
        f"{summary.n:,}",
        format_minor_units(summary.minimum, unit),
        *[format_minor_units(round_half_even(quartile), unit) for quartile in quartiles],
        format_minor_units(summary.maximum, unit),
    ]


def _comparison_cells(group: PriceGroup, query: InsightQuery) -> list[str]:
    insight, unit = group.insight, query.currency
    thresholds = [format_minor_units(threshold.price, unit) for threshold in (insight.lower, insight.upper)]
    if query.benchmark is None:
        return thresholds
    position = "" if insight.position is None else f"{rounded(insight.position, _DECIMALS)}"
    rank = f"{rounded(insight.benchmark.percentile, _DECIMALS)} %"
    return [*thresholds, rank, insight.level.value, position]


def _facts(group: PriceGroup, query: InsightQuery) -> list[str]:
    """Return the contents of the tables for *group* as a list of short strings, for narrow terminals."""
    n, least, lower, median, upper, greatest = _summary_cells(group, query.currency)
    low, high, *judged = _comparison_cells(group, query)
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


def _key_label(key: GroupKey) -> str:
    return group_label(key) or _EVERYTHING


def _percent(percent: Percent) -> str:
    number = rounded(Fraction(percent), _DECIMALS)
    return f"{number.normalize():f} %"
