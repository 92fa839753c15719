"""All plots in both styles: contrast, overlaps, labels with special characters, alt text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from math import exp
from random import Random
from typing import Any

import pytest
from matplotlib.axes import Axes

from faregate import (
    Line,
    Obstacle,
    Percentage,
    PriceDistribution,
    PromoCode,
    VatRate,
    checkout_totals,
    explain,
)
from faregate.errors import InvalidInput, InvalidOption, UnknownCurrency
from faregate.insights import compare
from faregate.plot import (
    alt_text,
    amount_bridge,
    lead_time_curves,
    lead_time_fan,
    price_calendar,
    price_distribution,
    price_ecdf,
    price_waterfall,
    quantile_shifts,
)
from support.plot.drawn import contrasts, new_axes, option, overlaps, rendered, words

CHANCE = Random(7)
LONG = "Day ticket, adult, all mountains of the region, $5 or $10 off"


def fares(count: int, median: int) -> PriceDistribution:
    prices = [round(median * exp(CHANCE.gauss(0, 0.5))) for _ in range(count)]
    return PriceDistribution.from_prices([*prices, 540_000])


OLD, NEW = fares(300, 12_000), fares(250, 14_000)
FREE = OLD + PriceDistribution.from_prices([0] * 90)
DAYS = [date(2026, 12, 1) + timedelta(n) for n in range(60)]
SHADES = {day: 11_900 + 300 * n for n, day in enumerate(DAYS)}
LINE = Line(1, unit_price=7900, quantity=2, rate=VatRate.percent("8.1"))
EXPLAINED = explain(
    checkout_totals([LINE], promo_codes=[PromoCode(code="TEN", kind=Percentage.percent(10))], donation=200)
)
PLOTS: dict[str, tuple[Callable[..., Axes], tuple[Any, ...], dict[str, Any]]] = {
    "outlier": (price_distribution, (OLD,), {}),
    "two": (price_distribution, (FREE,), {"classes": 2, "log": "count"}),
    "four hundred": (price_distribution, (OLD,), {"classes": 400, "clip_percent": 99, "share": True}),
    "log": (price_distribution, (OLD,), {"classes": 30, "log": "both", "clip": 50_000}),
    "ecdf": (price_ecdf, ({LONG: OLD, "2027": NEW},), {}),
    "fan": (lead_time_fan, ({day: fares(40, 9000 - 60 * day) for day in range(0, 60, 4)},), {}),
    "curves": (lead_time_curves, ({f"{n} {LONG}": {0: 7900 + n, 9: 5500} for n in range(12)},), {}),
    "calendar": (price_calendar, (SHADES,), {}),
    "outlier day": (price_calendar, ({**SHADES, DAYS[9]: 540_000},), {}),
    "obstacles": (
        price_calendar,
        ([option(DAYS[0], 5500), option(DAYS[1], 5, obstacle=Obstacle.SOLD_OUT)],),
        {},
    ),
    "bridge": (amount_bridge, ([("Sold", 38_545), (LONG, -45_705), ("$ & $", 450), ("New", -6710)],), {}),
    "waterfall": (price_waterfall, (EXPLAINED,), {}),
    "shifts": (quantile_shifts, (compare(OLD, NEW),), {}),
}


def drawn(name: str, **options: Any) -> Axes:
    plot, given, own = PLOTS[name]
    return rendered(plot(*given, **{"currency": "CHF", **own, **options}))


@pytest.mark.parametrize("style", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", PLOTS)
def test_text_is_legible_and_does_not_overlap(name: str, style: str) -> None:
    ax = drawn(name, style=style, title="Prices from $5 to $10")

    assert {text: found for text, found in contrasts(ax).items() if found < 4.5} == {}
    assert overlaps(ax) == []
    assert [text.get_text() for text in words(ax) if "$" in text.get_text() and text.get_parse_math()] == []
    width, height = ax.figure.get_window_extent().max
    boxes = [text.get_window_extent() for text in words(ax)]
    assert all(
        box.x0 >= -1 and box.x1 <= width + 1 and box.y0 >= -1 and box.y1 <= height + 1 for box in boxes
    )


@pytest.mark.parametrize("name", PLOTS)
def test_alt_text_begins_with_the_title_and_is_a_sentence(name: str) -> None:
    said = alt_text(drawn(name, title="Winter"))

    assert said.startswith("Winter")
    assert said.endswith(".")
    assert "CHF" in said or name == "shifts"


@pytest.mark.parametrize("name", PLOTS)
def test_axes_of_the_caller_are_drawn_on(name: str) -> None:
    own = new_axes()

    assert drawn(name, ax=own) is own


@pytest.mark.parametrize("name", PLOTS)
def test_wrong_style_and_currency_are_refused(name: str) -> None:
    with pytest.raises(InvalidOption, match="style is 'grey', expected 'light' or 'dark'"):
        drawn(name, style="grey")
    with pytest.raises(UnknownCurrency):
        drawn(name, currency="ZZZ")


def test_outlier_does_not_hide_the_differences_of_other_days() -> None:
    ax = drawn("outlier day")

    colors = {patch.get_gid(): patch.get_facecolor() for patch in ax.patches}
    assert len({*colors.values()}) > 50
    assert colors[DAYS[9].isoformat()] == colors[DAYS[-1].isoformat()]


def test_plots_of_other_libraries_have_no_alt_text() -> None:
    with pytest.raises(InvalidInput, match=r"function of faregate\.plot"):
        alt_text(new_axes())
