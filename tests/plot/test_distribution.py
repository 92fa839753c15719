"""The plot of a price distribution."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from faregate import PriceDistribution, price_insight
from faregate.errors import NoObservations
from faregate.money.currency import currency
from faregate.plot import price_distribution
from faregate.render.distributions import price_classes
from support.plot.drawn import are_on_axes, bars, new_axes, rendered, texts, ticks

FRANCS = currency("CHF")
FEW = PriceDistribution.from_counts([5500, 6200, 6900, 8900], [1200, 2600, 800, 40])
MANY = PriceDistribution.from_prices(range(5500, 9000, 10))


def test_each_of_a_few_prices_has_a_bar_as_high_as_its_count() -> None:
    ax = price_distribution(FEW, currency=FRANCS)

    middles = [bar.get_x() + bar.get_width() / 2 for bar in bars(ax)]
    assert middles == pytest.approx(FEW.prices)
    assert [bar.get_height() for bar in bars(ax)] == list(FEW.counts)


def test_many_prices_have_the_same_classes_as_in_the_text() -> None:
    ax = price_distribution(MANY, currency=FRANCS)

    classes = price_classes(MANY.prices, MANY.counts)
    assert len(classes) < MANY.n
    assert [(bar.get_x(), bar.get_x() + bar.get_width(), bar.get_height()) for bar in bars(ax)] == [
        (own.first, own.last + 1, own.observations) for own in classes
    ]


def test_each_of_a_few_prices_has_its_own_tick() -> None:
    ax = rendered(price_distribution(FEW, currency=FRANCS))

    assert ticks(ax.xaxis) == ["55", "62", "69", "89"]


def test_long_amounts_do_not_overlap() -> None:
    wide = PriceDistribution.from_prices(range(-500_000, 2_500_000, 977))

    ax = rendered(price_distribution(wide, currency=currency("JPY"), ax=new_axes()))

    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert len(boxes) > 2
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_bar_of_a_single_price_is_narrow() -> None:
    ax = rendered(price_distribution(PriceDistribution.from_prices([6900]), currency=FRANCS))

    left, right = ax.get_xlim()
    assert bars(ax)[0].get_width() < (right - left) / 3


def test_prices_too_close_for_their_own_ticks_get_round_ticks() -> None:
    close = PriceDistribution.from_prices([5500, 5505, 9000])

    ax = rendered(price_distribution(close, currency=FRANCS))

    assert ticks(ax.xaxis) == ["55", "60", "65", "70", "75", "80", "85", "90"]
    assert min(bar.get_width() for bar in bars(ax)) > 5


@pytest.mark.parametrize(
    ("code", "prices", "marks"),
    [
        ("CHF", [90, 250], ["0.90", "2.50"]),
        ("CHF", [100_000, 250_000], ["1,000", "2,500"]),
        ("CHF", [-1000, 1000], ["−10", "10"]),
        ("JPY", [1500, 98_000], ["1,500", "98,000"]),
        ("KWD", [1500, 2000], ["1.500", "2.000"]),
        ("CHF", [6900], ["69"]),
    ],
)
def test_prices_are_printed_in_their_currency_with_the_decimals_they_need(
    code: str, prices: list[int], marks: list[str]
) -> None:
    ax = price_distribution(PriceDistribution.from_prices(prices), currency=currency(code))

    assert ticks(rendered(ax).xaxis) == marks
    assert ax.get_xlabel() == f"Price ({code})"


def test_price_under_the_pointer_is_printed_with_all_decimals() -> None:
    ax = price_distribution(FEW, currency=FRANCS)

    assert ax.format_xdata(123_450) == "1,234.50"


def test_counts_are_whole_and_have_thousands_separators() -> None:
    ax = rendered(price_distribution(FEW, currency=FRANCS))

    assert ticks(ax.yaxis) == ["0", "500", "1,000", "1,500", "2,000", "2,500"]
    assert (ax.get_ylabel(), ax.get_title()) == ("Number of prices", "Distribution of prices")


def test_insight_marks_the_price_and_both_thresholds() -> None:
    insight = price_insight(FEW, 8900, lower=Fraction("2.5"))

    ax = rendered(price_distribution(FEW, currency=FRANCS, insight=insight))

    assert texts(ax) == ["2.5 % · 55.00", "75 % · 62.00", "89.00 · high · percentile 99.6"]
    assert [line.get_xdata() for line in ax.lines] == [[8900, 8900], [5500, 5500], [6200, 6200]]


def test_a_threshold_equal_to_the_price_is_visible() -> None:
    ax = price_distribution(FEW, currency=FRANCS, insight=price_insight(FEW, 6200))

    benchmark, *thresholds = ax.lines
    assert benchmark.get_xdata() == thresholds[1].get_xdata()
    assert all(line.get_zorder() >= benchmark.get_zorder() for line in thresholds)
    assert {line.get_linestyle() for line in thresholds} == {"--"}


@pytest.mark.parametrize("judged", [5400, 5600, 6300, 6900, 7600, 7800, 8000, 8800])
def test_no_label_covers_the_line_of_the_price(judged: int) -> None:
    ax = rendered(price_distribution(MANY, currency=FRANCS, insight=price_insight(MANY, judged)))

    place = ax.transData.transform((judged, 0))[0]
    *thresholds, _ = [text.get_window_extent() for text in ax.texts]
    assert not any(label.x0 < place < label.x1 for label in thresholds)


def test_labels_stay_on_the_axes_even_if_no_side_is_free() -> None:
    two = PriceDistribution.from_prices([5500, 5510, 5520])

    insight = price_insight(two, 5512, lower=40, upper=60)

    assert are_on_axes(rendered(price_distribution(two, currency=FRANCS, insight=insight)))


def test_between_the_thresholds_the_background_is_shaded() -> None:
    insight = price_insight(FEW, 6200, lower=20, upper=90)

    ax = price_distribution(FEW, currency=FRANCS, insight=insight)

    shaded = next(patch for patch in ax.patches if patch.get_zorder() == 0).get_extents()
    ends = ax.transData.transform([(insight.lower.price, 0), (insight.upper.price, 0)])
    assert (shaded.x0, shaded.x1) == pytest.approx((ends[0][0], ends[1][0]))


@pytest.mark.parametrize("judged", [1000, 5500, 6200, 7000, 8900, 50_000])
def test_labels_of_an_insight_overlap_neither_bars_nor_each_other(judged: int) -> None:
    ax = rendered(price_distribution(FEW, currency=FRANCS, insight=price_insight(FEW, judged)))

    labels = [text.get_window_extent() for text in ax.texts]
    assert are_on_axes(ax)
    assert not any(one.overlaps(other) for one in labels for other in labels if one is not other)
    assert max(bar.get_window_extent().y1 for bar in bars(ax)) < min(label.y0 for label in labels)


def test_empty_data_cannot_be_drawn() -> None:
    with pytest.raises(NoObservations, match="the price distribution is empty"):
        price_distribution(PriceDistribution(), currency=FRANCS)
