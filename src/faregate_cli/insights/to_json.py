"""Price insights as JSON: exact amounts, and percentages with up to four decimals. Decisions §10."""

from fractions import Fraction

from faregate.insights.distribution import PriceInsight, PriceThreshold
from faregate.insights.percentiles import PriceSummary
from faregate.money.currency import Currency
from faregate.money.rounding import round_half_even
from faregate_cli.insights.groups import FileInsights, InsightQuery, PriceGroup
from faregate_cli.terminal.amounts import rounded
from faregate_cli.terminal.json_text import Json, major_units

_DECIMALS = 4


def to_json(insights: FileInsights) -> dict[str, Json]:
    """Return *insights* as JSON: for each group a summary, the thresholds, and the benchmark if any."""
    query = insights.query
    return {
        "currency": query.currency.code,
        "price": query.price,
        "by": list(query.by),
        "groups": [_group(group, query) for group in insights.groups],
    }


def _group(group: PriceGroup, query: InsightQuery) -> Json:
    unit, insight = query.currency, group.insight
    return {
        "group": dict(zip(query.by, group.key, strict=True)),
        **_summary(group.distribution.summary(), unit),
        "thresholds": {
            "lower": _threshold(insight.lower, unit),
            "upper": _threshold(insight.upper, unit),
        },
        "benchmark": None if query.benchmark is None else _benchmark(insight, unit),
    }


def _summary(summary: PriceSummary, unit: Currency) -> dict[str, Json]:
    quartiles = (summary.lower_quartile, summary.median, summary.upper_quartile)
    return {
        "n": summary.n,
        "min": major_units(summary.minimum, unit),
        "quartiles": [major_units(round_half_even(quartile), unit) for quartile in quartiles],
        "max": major_units(summary.maximum, unit),
        "mean": major_units(round_half_even(summary.mean), unit),
    }


def _threshold(threshold: PriceThreshold, unit: Currency) -> Json:
    percentile = rounded(Fraction(threshold.percent), _DECIMALS)
    return {"price": major_units(threshold.price, unit), "percentile": percentile}


def _benchmark(insight: PriceInsight, unit: Currency) -> Json:
    benchmark, position = insight.benchmark, insight.position
    return {
        "price": major_units(benchmark.price, unit),
        "percentile": rounded(benchmark.percentile, _DECIMALS),
        "interpolatedPercent": rounded(benchmark.interpolated_percent, _DECIMALS),
        "level": insight.level.value,
        "position": None if position is None else rounded(position, _DECIMALS),
    }
