"""The plot of prices by lead time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from matplotlib.text import Annotation

from faregate.errors import InvalidAmount, InvalidInput, NoObservations
from faregate.money.currency import currency
from faregate.plot import lead_time_curves
from support.plot.drawn import points, rendered, texts, ticks

FRANCS = currency("CHF")
WEEKDAY = {0: 7900, 7: 6700, 30: 5500}
SATURDAY = {0: 8900, 7: 7500, 30: 6200}


def test_price_applies_until_the_next_lead_time() -> None:
    ax = lead_time_curves({"Tuesday": WEEKDAY}, currency=FRANCS)

    line = ax.lines[0]
    assert line.get_drawstyle() == "steps-post"
    assert points(line) == [(0, 7900), (7, 6700), (30, 5500), (53, 5500)]


def test_lead_times_may_be_in_any_order() -> None:
    backwards = dict(reversed(WEEKDAY.items()))

    one, other = (lead_time_curves({"": prices}, currency=FRANCS).lines[0] for prices in (WEEKDAY, backwards))

    assert points(one) == points(other)


def test_single_price_applies_for_a_day() -> None:
    ax = lead_time_curves({"Tuesday": {3: 7900}}, currency=FRANCS)

    assert points(ax.lines[0]) == [(3, 7900), (4, 7900)]


@pytest.mark.parametrize("prices", [WEEKDAY, {2: 7900, 7: 6700, 30: 5500}])
def test_time_runs_from_left_to_right_up_to_the_visit(prices: dict[int, int]) -> None:
    ax = rendered(lead_time_curves({"Tuesday": prices}, currency=FRANCS))

    assert ax.get_xlim() == (53, 0)
    assert ax.get_xlabel() == "Days booked ahead of the visit"


@pytest.mark.parametrize(
    ("longest", "marks"),
    [
        (7, ["0", "1", "2", "3", "4", "5", "6", "7"]),
        (28, ["0", "7", "14", "21", "28"]),
        (180, ["0", "21", "42", "63", "84", "105", "126", "147", "168"]),
    ],
)
def test_long_lead_times_have_ticks_in_whole_weeks(longest: int, marks: list[str]) -> None:
    ax = rendered(lead_time_curves({"Tuesday": dict.fromkeys(range(longest), 5500)}, currency=FRANCS))

    assert ticks(ax.xaxis) == marks


def test_prices_are_printed_in_their_currency() -> None:
    ax = rendered(lead_time_curves({"Pass": {0: 150_000, 30: 100_000}}, currency=FRANCS))

    assert (ax.get_ylabel(), ax.get_title()) == ("Price (CHF)", "Price by lead time")
    assert ticks(ax.yaxis) == ["1,000", "1,100", "1,200", "1,300", "1,400", "1,500"]


def test_curves_differ_in_more_than_colour() -> None:
    curves = {str(n): {0: 7900 + n} for n in range(12)}

    ax = lead_time_curves(curves, currency=FRANCS)

    # The public API of a line only tells whether it is dashed.
    strokes = [str(vars(line)["_unscaled_dash_pattern"]) for line in ax.lines]
    colors = [line.get_color() for line in ax.lines]
    assert len(set(strokes)) == 4
    assert len(set(zip(colors, strokes, strict=True))) == 12


def test_labels_of_curves_with_close_ends_are_stacked() -> None:
    curves = {"Tuesday": {0: 7900, 9: 5500}, "Saturday": {0: 7910, 9: 6200}, "Friday": {0: 7900}}

    ax = rendered(lead_time_curves(curves, currency=FRANCS))

    assert texts(ax) == ["Saturday", "Tuesday", "Friday"]
    heights = [label.xyann[1] for label in ax.texts if isinstance(label, Annotation)]
    assert all(above - below >= 0.07 for above, below in pairwise(heights))


def test_labels_of_many_curves_that_end_low_stay_beside_the_axes() -> None:
    curves = {str(n): {0: 5500 + n, 9: 9900} for n in range(12)}

    ax = rendered(lead_time_curves(curves, currency=FRANCS))

    heights = [label.xyann[1] for label in ax.texts if isinstance(label, Annotation)]
    assert min(heights) >= 0
    assert all(above - below >= 0.07 for above, below in pairwise(heights))


def test_label_has_the_colour_of_its_curve_and_points_to_its_end() -> None:
    ax = rendered(lead_time_curves({"Tuesday": WEEKDAY, "Saturday": SATURDAY}, currency=FRANCS))

    colors = {str(line.get_label()): line.get_color() for line in ax.lines}
    ends = {
        label.get_text(): (label.get_color(), label.xy) for label in ax.texts if isinstance(label, Annotation)
    }
    assert ends == {
        "Tuesday": (colors["Tuesday"], (0, 7900)),
        "Saturday": (colors["Saturday"], (0, 8900)),
    }


@pytest.mark.parametrize(
    ("curves", "error", "message"),
    [
        ({}, NoObservations, "at least one curve"),
        ({"Tuesday": WEEKDAY, "Friday": {}}, NoObservations, "'Friday'"),
        ({"Tuesday": {-1: 7900, 0: 7900}}, InvalidInput, "at least 0, got -1"),
        ({"Tuesday": {0: 79.5}}, InvalidAmount, r"curve 'Tuesday': expected prices as ints .* got 79\.5"),
    ],
)
def test_wrong_curves_are_refused(curves: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        lead_time_curves(curves, currency=FRANCS)
