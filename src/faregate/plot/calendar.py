"""A price calendar with a cell per day and a column per week, darker for higher prices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from matplotlib.axes import Axes

from faregate.arguments.checks import rows, whole
from faregate.errors import InvalidAmount, InvalidInput, NoObservations
from faregate.insights.distribution import PriceDistribution
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import sizes
from faregate.plot.cells import Cell, DayState, fill
from faregate.plot.drawing import canvas, entitle, money_text
from faregate.plot.palettes import Palette, Style
from faregate.render.wording import MONTHS, WEEKDAYS, day_label
from faregate.validity.bookability import Obstacle
from faregate.validity.offers import ValidityOption

_WEEK = 7
_MIN_WEEKS = 3
"""Minimum number of weeks between two month names."""
_MONTHS = tuple(month[:3] for month in MONTHS)


def price_calendar(
    options: Iterable[ValidityOption] | Mapping[date, MinorUnits | PriceDistribution],
    *,
    currency: Currency | str,
    ax: Axes | None = None,
    title: str = "Price of each day",
    style: Style | str = "light",
) -> Axes:
    """Draw the price of each day on which a validity period can begin: a column per week, Monday on top.

    A day with several options or variants shows the cheapest that is bookable, or else the cheapest of all;
    for a party, the price is its total.
    Sold-out days are crossed out, closed days hatched, other days that cannot be booked dotted, and days
    without an option left blank. Prices are written into the cells if there is room.

    Instead of options, pass a mapping from days to prices in minor units or to distributions, such as the
    result of ``faregate.frames.distributions`` for a frame with a column of dates. A day with a distribution
    shows its lowest price. Outliers have the last colour of the scale.

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
    >>> ax = price_calendar({date(2027, 2, 1): 5500, date(2027, 2, 2): 6200}, currency="CHF")

    Raises:
        NoObservations: *options* is empty, or a distribution is.
        InvalidInput: *options* is not a list of options, or a day is not a date.
        InvalidAmount: a price is not an int.
    """
    days = _priced_days(options) if isinstance(options, Mapping) else _offered_days(options)
    if not days:
        raise NoObservations("expected at least one validity option, got none")
    unit, weeks = as_currency(currency), _Weeks(min(days), max(days))
    ax, palette = canvas(ax, _size(weeks), style)
    _frame(ax, weeks, palette)
    cells = [Cell(day, weeks.column(day), *shown) for day, shown in days.items()]
    fill(ax, cells, palette, columns=weeks.count, currency=unit)
    entitle(ax, f"{title} ({unit.code})", palette, alt=_alt(cells, weeks, unit))
    return ax


# ---------------------------------------------------------------- days


def _offered_days(options: Iterable[ValidityOption]) -> dict[date, tuple[DayState, MinorUnits]]:
    days = defaultdict(list)
    for option in rows("options", options, InvalidInput, (ValidityOption,)):
        days[option.validity.first_day].append(option)
    shown = {
        day: min(own, key=lambda option: (option.obstacle is not None, _offered(option)))
        for day, own in days.items()
    }
    return {day: (_state(option.obstacle), _offered(option)) for day, option in shown.items()}


def _offered(option: ValidityOption) -> MinorUnits:
    return option.price.min if option.total is None else option.total


def _priced_days(
    prices: Mapping[date, MinorUnits | PriceDistribution],
) -> dict[date, tuple[DayState, MinorUnits]]:
    return {_day(key): (DayState.BOOKABLE, _price(key, price)) for key, price in prices.items()}


def _day(key: object) -> date:
    """Return the day of *key*: a date or a datetime at midnight, alone or as the key of a frame's group."""
    day = key[0] if isinstance(key, tuple) and len(key) == 1 else key
    if isinstance(day, datetime):
        day = day.date() if day.time() == time() else None
    if not isinstance(day, date):
        raise InvalidInput(f"expected dates without a time as days, got {key!r}")
    return day


def _price(key: object, price: MinorUnits | PriceDistribution) -> MinorUnits:
    if not isinstance(price, PriceDistribution):
        return whole(price, f"the price of {key}", InvalidAmount)
    if not price.n:
        raise NoObservations(f"the price distribution of {key} is empty")
    return price.prices[0]


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


def _alt(cells: Sequence[Cell], weeks: _Weeks, unit: Currency) -> str:
    prices = [cell.price for cell in cells if cell.state is DayState.BOOKABLE]
    ends = f" for {money_text(min(prices), unit)} to {money_text(max(prices), unit)}" if prices else ""
    counts = Counter(cell.state for cell in cells)
    others = "".join(f", {counts[state]} {state.value}" for state in [*DayState][1:] if counts[state])
    span = f"{day_label(weeks.first)} to {day_label(weeks.last)}"
    return f"Calendar from {span}: {len(prices)} day{'' if len(prices) == 1 else 's'}{ends}{others}."


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
    width = weeks.count * sizes.WEEK_WIDTH + sizes.CALENDAR_MARGIN
    return min(max(width, sizes.NARROWEST_CALENDAR), sizes.WIDEST_CALENDAR), sizes.CALENDAR_HEIGHT


# ---------------------------------------------------------------- the frame


def _frame(ax: Axes, weeks: _Weeks, palette: Palette) -> None:
    ax.set_xlim(0, weeks.count)
    ax.set_ylim(_WEEK, 0)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, colors=palette.ink, labelsize=sizes.SMALL)
    ax.set_yticks([row + sizes.HALF for row in range(_WEEK)], WEEKDAYS)
    months = weeks.months()
    named = _with_room(months, weeks)
    ax.set_xticks([weeks.column(day) for day in named], _month_names(named), ha="left")
    for day in months:
        if day != weeks.first:
            _draw_month_begin(ax, weeks.column(day), day.weekday(), color=palette.ink)


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


def _draw_month_begin(ax: Axes, column: int, row: int, *, color: str) -> None:
    """Draw the line that separates a month, which begins at *column* and *row*, from the month before."""
    turns = [(column, _WEEK), (column, row), (column + 1, row), (column + 1, 0)]
    ax.plot(
        *zip(*turns[: len(turns) if row else 2], strict=True),
        color=color,
        linewidth=sizes.MEDIUM,
        clip_on=False,
    )
