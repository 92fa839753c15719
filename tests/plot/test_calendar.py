"""The plot of a price calendar."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from faregate import Obstacle, PriceDistribution, ValidityOption
from faregate.errors import InvalidAmount, InvalidInput, NoObservations
from faregate.money.currency import currency
from faregate.plot import alt_text, price_calendar
from support.plot.drawn import option, points, rendered, texts, ticks

FRANCS = currency("CHF")
MONDAY = date(2027, 2, 1)


def days(count: int, *, first: date = MONDAY) -> list[date]:
    return [first + timedelta(days=n) for n in range(count)]


def priced(*prices: int) -> list[ValidityOption]:
    """Return an option for each of *prices*, on consecutive days."""
    return [option(day, price) for day, price in zip(days(len(prices)), prices, strict=True)]


def calendar(options: Iterable[ValidityOption], ax: Axes | None = None) -> Axes:
    return rendered(price_calendar(options, currency=FRANCS, ax=ax))


def cells(ax: Axes) -> dict[str | None, Rectangle]:
    """Return the cells by day."""
    return {patch.get_gid(): patch for patch in ax.patches if isinstance(patch, Rectangle)}


def legend(ax: Axes) -> list[str]:
    box = ax.get_legend()
    return [text.get_text() for text in box.get_texts()] if box else []


def scale_of(ax: Axes) -> Axes | None:
    """Return the colour bar beside *ax*, if any."""
    return next((other for other in ax.figure.axes if other is not ax), None)


def darkness(patch: Patch) -> float:
    return 3 - sum(to_rgb(patch.get_facecolor()))


def test_each_day_is_in_the_column_of_its_week_and_the_row_of_its_weekday() -> None:
    wednesday = date(2027, 2, 3)

    ax = calendar(option(day, 5500) for day in days(6, first=wednesday))

    assert {name: (int(cell.get_x()), int(cell.get_y())) for name, cell in cells(ax).items()} == {
        "2027-02-03": (0, 2),
        "2027-02-04": (0, 3),
        "2027-02-05": (0, 4),
        "2027-02-06": (0, 5),
        "2027-02-07": (0, 6),
        "2027-02-08": (1, 0),
    }
    assert ticks(ax.yaxis) == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def test_dearer_days_are_darker() -> None:
    ax = calendar(priced(5500, 6200, 6900, 8900))

    shades = [darkness(cell) for cell in cells(ax).values()]

    assert shades == sorted(shades)
    assert len(set(shades)) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prices", "written"), [([5500, 8900], ["55", "89"]), ([5550, 8900], ["55.50", "89.00"])]
)
def test_prices_are_written_where_there_is_room(prices: list[int], written: list[str]) -> None:
    assert texts(calendar(priced(*prices))) == written


@pytest.mark.slow
def test_prices_are_left_out_where_there_is_no_room() -> None:
    assert texts(calendar(priced(*[5550] * 210), Figure(figsize=(3, 2)).add_subplot())) == []


def test_text_is_legible_on_its_colour() -> None:
    ax = calendar(priced(5500, 8900))

    assert [text.get_color() for text in ax.texts] == ["#000000", "#ffffff"]


def test_scale_shows_currency_and_price_of_each_colour() -> None:
    scale = scale_of(calendar(priced(100_000, 150_000)))

    assert scale is not None
    assert scale.get_ylabel() == "Price (CHF)"
    assert ticks(scale.yaxis) == ["1,000", "1,100", "1,200", "1,300", "1,400", "1,500"]


def test_single_price_is_explained_without_a_scale() -> None:
    ax = calendar(priced(7900, 7900, 7900))

    assert scale_of(ax) is None
    assert legend(ax) == ["CHF 79.00"]


def test_reasons_why_a_day_cannot_be_booked_differ_in_more_than_colour() -> None:
    obstacles = [None, Obstacle.SOLD_OUT, Obstacle.CLOSED, Obstacle.LENGTH]
    options = [option(day, 5500 + day.day, obstacle=own) for day, own in zip(days(4), obstacles, strict=True)]

    ax = calendar(options)

    assert len({(cell.get_hatch(), cell.get_linewidth() > 0) for cell in cells(ax).values()}) == 4
    assert texts(ax) == ["55.01", "×"]
    assert legend(ax) == ["CHF 55.01", "sold out", "closed", "not bookable"]


@pytest.mark.parametrize("obstacle", Obstacle)
def test_every_obstacle_is_explained(obstacle: Obstacle) -> None:
    ax = calendar([option(MONDAY, 5500, obstacle=obstacle)])

    assert len(legend(ax)) == 1
    assert ax.get_title() == "Price of each day (CHF)"


def test_legend_is_left_out_where_there_is_nothing_to_explain() -> None:
    assert legend(calendar(priced(5500, 6200))) == []


def test_days_without_an_option_are_blank() -> None:
    ax = calendar([option(MONDAY, 5500), option(date(2027, 2, 3), 5500)])

    assert list(cells(ax)) == ["2027-02-01", "2027-02-03"]


def test_a_party_is_shown_with_its_total() -> None:
    ax = calendar(option(day, 5500, 3000)._replace(is_party=True) for day in days(2))

    assert texts(ax)[:2] == ["85", "85"]


def test_cheapest_available_option_of_a_day_counts() -> None:
    sold_out = option(MONDAY, 3000, obstacle=Obstacle.SOLD_OUT)

    assert texts(calendar([sold_out, option(MONDAY, 6200, 5900), option(MONDAY, 6100)])) == ["59"]


@pytest.mark.slow
def test_months_are_labelled_at_their_start_and_separated_by_a_line() -> None:
    ax = calendar(option(day, 5500) for day in days(120, first=date(2026, 11, 30)))

    named = [label.get_text() for label in ax.get_xticklabels()]
    assert named == ["Dec 2026", "Jan 2027", "Feb", "Mar"]
    turns = {tuple(points(line)) for line in ax.lines}
    assert turns == {
        ((0, 7), (0, 1), (1, 1), (1, 0)),  # 1 December 2026 is a Tuesday
        ((4, 7), (4, 4), (5, 4), (5, 0)),
        ((9, 7), (9, 0)),  # 1 February 2027 is a Monday
        ((13, 7), (13, 0)),
    }


@pytest.mark.slow
def test_calendar_can_be_drawn_in_part_of_a_figure() -> None:
    figure = Figure(layout="constrained")
    own = figure.add_subfigure(figure.add_gridspec(1, 2)[0, 0]).add_subplot()

    price_calendar(priced(*range(5500, 5520)), currency=FRANCS, ax=own)

    figure.savefig(BytesIO())
    assert len(cells(own)) == 20


def test_title_is_set_by_the_caller_and_includes_the_currency() -> None:
    ax = price_calendar([option(MONDAY, 1500)], currency=currency("JPY"), title="Winter")

    assert ax.get_title() == "Winter (JPY)"


def test_days_with_prices_or_distributions_are_drawn_with_their_lowest_price() -> None:
    prices = {MONDAY: 5500, (date(2027, 2, 2),): PriceDistribution.from_prices([8900, 6200])}

    ax = rendered(price_calendar(prices, currency="CHF"))  # type: ignore[arg-type]

    assert list(cells(ax)) == ["2027-02-01", "2027-02-02"]
    assert texts(ax) == ["55", "62"]
    said = "Calendar from 1 Feb 2027 to 2 Feb 2027: 2 days for CHF 55.00 to CHF 62.00."
    assert alt_text(ax) == f"Price of each day (CHF). {said}"


@pytest.mark.parametrize(
    ("prices", "error", "message"),
    [
        ({}, NoObservations, "at least one"),
        ({MONDAY: PriceDistribution()}, NoObservations, "is empty"),
        ({"2027-02-01": 5500}, InvalidInput, "expected dates without a time as days, got '2027-02-01'"),
        ({datetime(2027, 2, 1, 9, tzinfo=UTC): 5500}, InvalidInput, "without a time"),
        ({MONDAY: 55.5}, InvalidAmount, r"the price of 2027-02-01 is 55\.5"),
        ([5500], InvalidInput, "options contains 5500"),
        ([], NoObservations, "at least one validity option"),
    ],
)
def test_wrong_days_are_refused(prices: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        price_calendar(prices, currency="CHF")
