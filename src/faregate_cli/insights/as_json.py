"""Price insights as JSON: exact amounts, percentages with at most four decimals. Decisions §10."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from faregate.money.rounding import RoundingMode, divide

if TYPE_CHECKING:
    from faregate.insights.distribution import PriceInsight, PriceThreshold
    from faregate.insights.quantiles import PriceSummary
    from faregate.money.currency import Currency
    from faregate_cli.insights.groups import FileInsights, Group, Inquiry
    from faregate_cli.json_text import Json

__all__ = ["insights_json", "rounded"]

_DECIMALS = 4


def insights_json(found: FileInsights) -> dict[str, Json]:
    """Every group with its summary, its thresholds and the benchmark, which is null where there is none."""
    asked = found.inquiry
    return {
        "currency": asked.currency.code,
        "price": asked.price,
        "by": list(asked.by),
        "groups": [_group(group, asked) for group in found.groups],
    }


def rounded(number: Fraction, decimals: int) -> Decimal:
    """*number* with so many *decimals*, half-even.

    >>> from fractions import Fraction
    >>> rounded(Fraction(5, 8), 2)
    Decimal('0.62')
    """
    scaled = divide(number.numerator * 10**decimals, number.denominator, mode=RoundingMode.HALF_EVEN)
    return Decimal(scaled).scaleb(-decimals)


def _group(group: Group, asked: Inquiry) -> Json:
    unit = asked.currency
    return {
        "group": dict(zip(asked.by, group.key, strict=True)),
        **_summary(group.distribution.summary(), unit),
        "thresholds": {
            "lower": _threshold(group.insight.lower, unit),
            "upper": _threshold(group.insight.upper, unit),
        },
        "benchmark": None if asked.benchmark is None else _benchmark(group.insight, unit),
    }


def _summary(summary: PriceSummary, unit: Currency) -> dict[str, Json]:
    quartiles = (summary.lower_quartile, summary.median, summary.upper_quartile)
    return {
        "n": summary.n,
        "min": _amount(summary.minimum, unit),
        "quartiles": [_nearest(quartile, unit) for quartile in quartiles],
        "max": _amount(summary.maximum, unit),
        "mean": _nearest(summary.mean, unit),
    }


def _threshold(threshold: PriceThreshold, unit: Currency) -> Json:
    percent = rounded(Fraction(threshold.percent), _DECIMALS)
    return {"price": _amount(threshold.price, unit), "percentile": percent}


def _benchmark(insight: PriceInsight, unit: Currency) -> Json:
    benchmark, position = insight.benchmark, insight.position
    return {
        "price": _amount(benchmark.price, unit),
        "percentile": rounded(benchmark.percentile, _DECIMALS),
        "interpolatedPercent": rounded(benchmark.interpolated_percent, _DECIMALS),
        "level": insight.level.value,
        "position": None if position is None else rounded(position, _DECIMALS),
    }


def _amount(amount: int, unit: Currency) -> Decimal:
    return Decimal(amount).scaleb(-unit.exponent)


def _nearest(exact: Fraction, unit: Currency) -> Decimal:
    return _amount(divide(*exact.as_integer_ratio(), mode=RoundingMode.HALF_EVEN), unit)
