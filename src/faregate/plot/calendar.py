"""A price calendar with a cell per day and a column per week, darker for higher prices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import pairwise

from matplotlib.axes import Axes

from faregate.errors import NoObservations
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import style
from faregate.plot.cells import Cell, DayState, fill
from faregate.plot.drawing import entitle, new_axes
from faregate.render.wording import WEEKDAYS
from faregate.validity.bookability import Obstacle
from faregate.validity.offers import ValidityOption

_WEEK = 7
_MIN_WEEKS = 3
"""Minimum number of weeks between two month names."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def price_calendar(
    options: Iterable[ValidityOption],
    *,
    currency: Currency | str,
    ax: Axes | None = None,
    title: str = "Price of each day",
) -> Axes:
    """Draw the price of each day on which a validity period can begin: a column per week, Monday on top.

    A day with several options or variants shows the cheapest that is bookable, or else the cheapest of all;
    for a party, the price is its total.
    Sold-out days are crossed out, closed days hatched, other days that cannot be booked dotted, and days
    without an option left blank. Prices are written into the cells if there is room.

    >>> from datetime import UTC, date, datetime
    >>> from faregate import Duration, ValidityQuery, validity_options
    >>> from faregate.files import demo_catalogue
    >>> query = ValidityQuery(15, date(2027, 2, 1), date(2027, 3, 28), durations=(Duration(days=1),))
    >>> found = validity_options(
    ...     query, catalogue=demo_catalogue(), capacity={}, now=datetime(2027, 1, 15, tzinfo=UTC)
    ... )
    >>> ax = price_calendar(found.options, currency="CHF")
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['Feb 2027', 'Mar']

    Raises:
        NoObservations: *options* is empty.
        UnknownCurrency: *currency* is a code that ISO 4217 does not list.
    """
    by_day = _by_day(options)
    if not by_day:
        raise NoObservations("expected at least one validity option, got none")
    unit, weeks = as_currency(currency), _Weeks(min(by_day), max(by_day))
    ax = new_axes(_size(weeks)) if ax is None else ax
    _frame(ax, weeks)
    cells = [_cell(day, own, column=weeks.column(day)) for day, own in by_day.items()]
    fill(ax, cells, columns=weeks.count, currency=unit)
    entitle(ax, f"{title} ({unit.code})")
    return ax


# ---------------------------------------------------------------- days


def _by_day(options: Iterable[ValidityOption]) -> dict[date, list[ValidityOption]]:
    days = defaultdict(list)
    for option in options:
        days[option.validity.first_day].append(option)
    return days


def _cell(day: date, options: list[ValidityOption], *, column: int) -> Cell:
    shown = min(options, key=lambda option: (option.obstacle is not None, _price(option)))
    return Cell(day, column, _state(shown.obstacle), _price(shown))


def _price(option: ValidityOption) -> MinorUnits:
    return option.price.min if option.total is None else option.total


def _state(obstacle: Obstacle | None) -> DayState:
    match obstacle:
        case None:
            return DayState.BOOKABLE
        case Obstacle.SOLD_OUT:
            return DayState.SOLD_OUT
        case Obstacle.CLOSED | Obstacle.OUT_OF_SEASON:
            return DayState.CLOSED
        case _:
            return DayState.RESTRICTED


class _Weeks:
    """The weeks of a calendar, which begin on Monday, from the week of *first* to the week of *last*."""

    def __init__(self, first: date, last: date) -> None:
        self.first, self.last = first, last
        self._monday = first - timedelta(days=first.weekday())
        self.count = self.column(last) + 1

    def column(self, day: date) -> int:
        """Return the column for the week of *day*, counted from 0."""
        return (day - self._monday).days // _WEEK

    def months(self) -> list[date]:
        """Return the first displayed day of each month."""
        days = (self.first + timedelta(days=n) for n in range((self.last - self.first).days + 1))
        return [day for day in days if day.day == 1 or day == self.first]


def _size(weeks: _Weeks) -> tuple[float, float]:
    width = weeks.count * style.WEEK_WIDTH + style.CALENDAR_MARGIN
    return min(max(width, style.NARROWEST_CALENDAR), style.WIDEST_CALENDAR), style.CALENDAR_HEIGHT


# ---------------------------------------------------------------- the frame


def _frame(ax: Axes, weeks: _Weeks) -> None:
    ax.set_xlim(0, weeks.count)
    ax.set_ylim(_WEEK, 0)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, colors=style.INK, labelsize=style.SMALL)
    ax.set_yticks([row + style.HALF for row in range(_WEEK)], WEEKDAYS)
    months = weeks.months()
    named = _with_room(months, weeks)
    ax.set_xticks([weeks.column(day) for day in named], _month_names(named), ha="left")
    for day in months:
        if day != weeks.first:
            _draw_month_begin(ax, weeks.column(day), day.weekday())


def _with_room(months: list[date], weeks: _Weeks) -> list[date]:
    """Return the *months* whose names have room on the axis; the last month is always included."""
    return [
        day
        for day, following in pairwise(months)
        if weeks.column(following) - weeks.column(day) >= _MIN_WEEKS
    ] + months[-1:]


def _month_names(months: list[date]) -> list[str]:
    """Return the names of *months*; the first month and each January include the year."""
    return [
        f"{_MONTHS[day.month - 1]} {day.year}" if n == 0 or day.month == 1 else _MONTHS[day.month - 1]
        for n, day in enumerate(months)
    ]


def _draw_month_begin(ax: Axes, column: int, row: int) -> None:
    """Draw the line that separates a month, which begins at *column* and *row*, from the month before."""
    turns = [(column, _WEEK), (column, row), (column + 1, row), (column + 1, 0)]
    ax.plot(
        *zip(*turns[: len(turns) if row else 2], strict=True),
        color=style.INK,
        linewidth=style.MEDIUM,
        clip_on=False,
    )
