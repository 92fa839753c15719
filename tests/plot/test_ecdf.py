"""Cumulative curves and percentiles by lead time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate import PriceDistribution, RoundingMode
from faregate.errors import InvalidAmount, InvalidInput, InvalidPercent, NoObservations
from faregate.insights import RankKind
from faregate.money.rounding import divide_rounded
from faregate.plot import alt_text, lead_time_fan, price_ecdf
from support.plot.drawn import points, rendered, texts

PRICES = st.lists(st.integers(0, 20), min_size=1, max_size=40)
OLD = PriceDistribution.from_prices([5500, 6200, 6200, 8900])


@given(PRICES)
def test_curve_is_the_share_of_prices_at_or_below_each(prices: list[int]) -> None:
    found = PriceDistribution.from_prices(prices)

    [line] = price_ecdf({"": found}, currency="CHF").get_lines()

    (_, zero), *steps = points(line)
    ranks = [float(found.percentile_rank(price, kind=RankKind.WEAK)) for price in found.prices]
    assert zero == 0
    assert [price for price, _ in steps] == [*found.prices]
    assert [share for _, share in steps] == pytest.approx(ranks)


def test_axis_ends_before_outliers_and_says_how_many_are_beyond() -> None:
    hotel = PriceDistribution.from_prices([*range(9000, 24_000, 100), 540_000])

    groups: dict[Any, PriceDistribution] = {("2026",): hotel, ("_2027", 1): OLD}

    ax = rendered(price_ecdf(groups, currency="CHF"))

    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["2026", "_2027 · 1"]
    assert ax.get_xlim()[1] < 25_000
    assert ax.get_xlabel() == "Price (CHF) · beyond CHF 237.00: 3 of 155 prices"


def test_axis_ends_at_a_given_amount() -> None:
    ax = price_ecdf({"old": OLD}, currency="CHF", clip=7000)

    assert ax.get_xlim() == (5500, 7000)
    assert ax.get_xlabel().endswith("beyond CHF 70.00: 1 of 4 prices")


@pytest.mark.parametrize(
    ("curves", "clip", "error", "message"),
    [
        ({}, None, NoObservations, "at least one"),
        ({"old": PriceDistribution()}, None, NoObservations, "'old' is empty"),
        ({"old": [5500]}, None, InvalidInput, "the distribution of 'old' is"),
        ([OLD], None, InvalidInput, "distributions is"),
        ({7: OLD, (7,): OLD}, None, InvalidInput, r"have the same name, among 7, \(7,\)"),
        ({"old": OLD}, 5500, InvalidAmount, "clip is 5500, expected an int of at least 5501"),
    ],
)
def test_wrong_curves_are_refused(curves: Any, clip: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        price_ecdf(curves, currency="CHF", clip=clip)


# ---------------------------------------------------------------- percentiles by lead time


def by_day(*days: int) -> dict[int, PriceDistribution]:
    return {day: PriceDistribution.from_prices([5500, 6000 - day, 8900 - 3 * day]) for day in days}


def test_lines_are_percentiles_in_order_of_lead_time() -> None:
    days = by_day(30, 0, 7)

    ax = rendered(lead_time_fan(days, currency="CHF", percents=[25, 50, 75]))

    for percent, line in zip([25, 50, 75], ax.lines, strict=True):
        exact = {day: own.quantile(percent) for day, own in days.items()}
        rounded = {
            day: divide_rounded(*q.as_integer_ratio(), mode=RoundingMode.HALF_EVEN)
            for day, q in exact.items()
        }
        assert points(line) == sorted(rounded.items())
    assert len(ax.collections) == 1
    assert texts(ax) == ["75 %", "50 %", "25 %"]
    assert ax.get_xlim() == (30, 0)


def test_keys_may_be_those_of_a_frame() -> None:
    keyed = {(day,): own for day, own in by_day(0, 7).items()}

    assert alt_text(lead_time_fan(keyed, currency="CHF")) == alt_text(  # type: ignore[arg-type]
        lead_time_fan(by_day(0, 7), currency="CHF")
    )


@pytest.mark.parametrize(
    ("days", "percents", "error", "message"),
    [
        ({}, [50], NoObservations, "at least one"),
        ({-1: OLD}, [50], InvalidInput, "lead days is -1"),
        ({"7": OLD}, [50], InvalidInput, "lead days is '7'"),
        ({7: OLD}, [], InvalidPercent, "ascending"),
        ({7: OLD}, [90, 10], InvalidPercent, "ascending"),
        ({7: OLD}, [0.5], InvalidPercent, r"0\.5"),
        ({7: OLD}, 50, InvalidPercent, "expected a list"),
    ],
)
def test_wrong_lead_times_are_refused(days: Any, percents: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        lead_time_fan(days, currency="CHF", percents=percents)
