"""Options of the histogram: classes, limits, shares and log axes."""

from __future__ import annotations

from math import exp
from random import Random

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from faregate import PriceDistribution, price_insight
from faregate.errors import InvalidAmount, InvalidInput, InvalidOption
from faregate.plot import alt_text, price_distribution
from support.plot.drawn import are_on_axes, bars, overlaps, rendered, ticks, words

CHANCE = Random(7)
FARES = PriceDistribution.from_prices(
    [*(round(12_000 * exp(CHANCE.gauss(0, 0.5))) for _ in range(900)), 540_000, 910_000]
)
FREE = FARES + PriceDistribution.from_prices([0] * 300)


def histogram(distribution: PriceDistribution, **options: object) -> Axes:
    return rendered(price_distribution(distribution, currency="CHF", **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("classes", [2, 40, 400])
def test_heights_of_all_bars_add_up_to_the_number_of_prices(classes: int) -> None:
    ax = histogram(FARES, classes=classes, clip=30_000)

    assert sum(bar.get_height() for bar in bars(ax)) == FARES.n
    assert len(bars(ax)) <= classes + 1


def test_prices_above_the_limit_are_in_one_hatched_bar_with_their_number() -> None:
    ax = histogram(FARES, clip=30_000)

    *inside, beyond = bars(ax)
    above = FARES.n - sum(FARES.standing(30_000))
    assert beyond.get_height() == above
    assert beyond.get_x() > max(bar.get_x() + bar.get_width() for bar in inside)
    assert (beyond.get_hatch(), {bar.get_hatch() for bar in inside}) == ("////", {""})
    assert f"> 300.00: {above}" in ticks(ax.xaxis)
    assert alt_text(ax).endswith(f"; {above} above CHF 300.00.")


def test_one_outlier_does_not_squeeze_the_other_prices() -> None:
    hotel = PriceDistribution.from_prices([*range(9000, 24_000, 100), 540_000])

    ax = histogram(hotel)

    left, right = ax.get_xlim()
    assert (24_000 - 9000) / (right - left) > 0.7
    assert "> 240.00: 1" in ticks(ax.xaxis)


def test_few_prices_are_drawn_one_by_one_even_with_a_limit() -> None:
    few = PriceDistribution.from_counts([5500, 6200, 8900], [12, 26, 4])

    ax = histogram(few, clip=7000)

    assert [bar.get_height() for bar in bars(ax)] == [12, 26, 4]
    assert sorted(ticks(ax.xaxis)) == ["55", "62", "> 70.00: 4"]


def test_shares_add_up_to_a_hundred() -> None:
    ax = histogram(FARES, share=True, clip_percent=95)

    assert sum(bar.get_height() for bar in bars(ax)) == pytest.approx(100)
    assert ax.get_ylabel() == "Share of prices (%)"
    assert any(label.startswith("> ") and label.endswith(" %") for label in ticks(ax.xaxis))


def test_narrow_class_of_free_tickets_is_visible() -> None:
    ax = histogram(FREE, classes=[0, 1, 10_000, 20_000, 30_000], clip=30_000)

    free = bars(ax)[0]
    assert free.get_height() == 300
    assert free.get_x() + free.get_width() == 1
    assert free.get_window_extent().width > 3


@pytest.mark.parametrize("log", ["count", "price", "both"])
def test_log_axes_have_round_ticks_and_bars_of_the_same_heights(log: str) -> None:
    ax = histogram(FARES, log=log, classes=30)

    scales = {"count": ("linear", "log"), "price": ("log", "linear"), "both": ("log", "log")}
    assert (ax.get_xscale(), ax.get_yscale()) == scales[log]
    assert sum(bar.get_height() for bar in bars(ax)) == FARES.n
    if log != "count":
        assert ticks(ax.xaxis)[::-1] == ["50", "100", "200", "500", "1,000", "2,000", "5,000"]
    if log != "price":
        assert ticks(ax.yaxis)[:3] == ["1", "10", "100"]


def test_log_axis_may_have_a_limit() -> None:
    ax = histogram(FARES, log="price", clip=50_000)

    assert bars(ax)[-1].get_height() == FARES.n - sum(FARES.standing(50_000))


@pytest.mark.parametrize("log", [None, "count", "both"])
@pytest.mark.parametrize("judged", [5000, 12_000, 600_000])
def test_labels_of_an_insight_are_above_the_bars_on_the_axes(judged: int, log: str | None) -> None:
    ax = histogram(FARES, log=log, clip=40_000, insight=price_insight(FARES, judged))

    assert are_on_axes(ax)
    lowest = min(text.get_window_extent().y0 for text in ax.texts)
    assert max(bar.get_window_extent().y1 for bar in bars(ax)) < lowest


@pytest.mark.parametrize("log", [None, "price"])
def test_ticks_of_narrow_axes_do_not_overlap(log: str | None) -> None:
    narrow = Figure(figsize=(3, 2), layout="constrained").add_subplot()
    wide = PriceDistribution.from_prices([10**n for n in range(2, 9)])

    ax = rendered(price_distribution(wide, currency="JPY", classes=9, clip=10**7, log=log, ax=narrow))

    assert overlaps(ax) == []
    assert len(ticks(ax.xaxis)) > 1


def test_price_above_the_limit_is_marked_in_the_last_bar() -> None:
    ax = histogram(FARES, clip=40_000, insight=price_insight(FARES, 600_000))

    bar, place = bars(ax)[-1], ax.lines[0].get_xdata()[0]  # type: ignore[index]
    assert place == pytest.approx(bar.get_x() + bar.get_width() / 2)
    assert any(text.get_text().startswith("6,000.00 · high") for text in words(ax))


def test_wrong_options_are_refused() -> None:
    with pytest.raises(InvalidOption, match="log is 'prices', expected 'count', 'price' or 'both'"):
        histogram(FARES, log="prices")
    with pytest.raises(InvalidAmount, match="use log='count'"):
        histogram(FREE, log="both")
    with pytest.raises(InvalidAmount, match="got 0: use log='count'"):
        histogram(FARES, log="price", insight=price_insight(FARES, 0))
    with pytest.raises(InvalidInput, match="distribution is"):
        price_distribution([5500], currency="CHF")  # type: ignore[arg-type]
