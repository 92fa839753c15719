"""Validity periods as HTML for notebooks: monthly calendars with prices and availability, and suggestions."""

from calendar import Calendar
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from html import escape
from itertools import islice
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate.dates.instants import Interval
from faregate.money.amounts import MinorUnits, format_amount
from faregate.money.currency import Currency
from faregate.render.markup import Table, tag
from faregate.render.wording import WEEKDAYS, day_label, duration_label, month_label, validity_label
from faregate.validity.bookability import Obstacle
from faregate.validity.offers import ValidityOption
from faregate.validity.options import SuggestedValidities

MAX_MONTHS = 3
"""Maximum number of months in a notebook cell; the options of later months are only counted."""

OBSTACLES = {
    Obstacle.NOT_ON_SALE: "not on sale",
    Obstacle.TOO_LATE: "too late",
    Obstacle.TOO_EARLY: "too early",
    Obstacle.OUT_OF_SEASON: "off season",
    Obstacle.CLOSED: "closed",
    Obstacle.START_TIME: "no start",
    Obstacle.START_DAY: "no start",
    Obstacle.LENGTH: "other length",
    Obstacle.SOLD_OUT: "sold out",
}
"""The texts for the reasons why a validity period cannot be booked, short enough for a calendar day."""

_SHADES = 4
_STYLE = (
    "<style>.faregate-calendar{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".faregate-calendar caption{caption-side:top;text-align:left;font-weight:700;padding:.6em 0 .2em;"
    "color:inherit}"
    ".faregate-calendar th{font-weight:400;text-align:left;opacity:.75;background:none}"
    ".faregate-calendar td{text-align:left;vertical-align:top;padding:.2em .4em;width:5.5em;"
    "line-height:1.35;border:1px solid rgba(128,128,128,.35);background:none}"
    ".faregate-calendar td b{display:block;font-weight:400;font-size:.85em;opacity:.75}"
    ".faregate-calendar small{display:block}"
    ".faregate-calendar .no small{opacity:.75;font-style:italic}"
    ".faregate-calendar .p0{background:rgba(0,114,178,.08)}"
    ".faregate-calendar .p1{background:rgba(0,114,178,.2)}"
    ".faregate-calendar .p2{background:rgba(0,114,178,.32)}"
    ".faregate-calendar .p3{background:rgba(0,114,178,.44)}"
    ".faregate-calendar .p4{background:rgba(0,114,178,.56)}</style>"
)


class _Group(NamedTuple):
    """Validity periods displayed together: all that begin on one day, a single suggestion, or all options."""

    options: Sequence[ValidityOption]

    @property
    def bookable(self) -> Sequence[ValidityOption]:
        return [option for option in self.options if option.is_available]

    @property
    def obstacle(self) -> Obstacle | None:
        """The reason why no period of the group can be booked; None if one can be booked."""
        return None if self.bookable else self.options[0].obstacle

    @property
    def prices(self) -> tuple[MinorUnits, MinorUnits]:
        """The lowest and highest price of the bookable options or, if none is bookable, of all options."""
        ranges = [option.price for option in self.bookable or self.options]
        return min(price.min for price in ranges), max(price.max for price in ranges)

    @property
    def is_priced(self) -> bool:
        """True if the group is bookable or sold out, so that its price is displayed."""
        return self.obstacle in {None, Obstacle.SOLD_OUT}

    @property
    def has_more(self) -> bool:
        """True if some options cost more than the price displayed."""
        least, greatest = self.prices
        return self.is_priced and greatest > least

    @property
    def units(self) -> str:
        """A text with the highest number of units left, or the reason why no option can be booked."""
        if self.obstacle is not None:
            return OBSTACLES[self.obstacle]
        left = [option.capacity.max if option.capacity else None for option in self.bookable]
        known = [number for number in left if number is not None]
        return "any number" if len(known) < len(left) else f"{max(known)} left"


# ---------------------------------------------------------------- options


_LEGEND = "+: others cost more"  # other variants, durations or start times


def calendar_html(options: Sequence[ValidityOption], *, currency: Currency | None) -> str:
    """Return one HTML grid per month, with the lowest price and units left for each day, or its obstacle."""
    if not options:
        return "<p>no validities</p>"
    months = _months(options)
    shown = dict(islice(months.items(), MAX_MONTHS))
    grid = _Grid(shown, currency)
    grids = "".join(grid.of(month, days) for month, days in shown.items())
    legend = [_LEGEND] if any(day.has_more for days in shown.values() for day in days.values()) else []
    sentence = "; ".join([*_summary(options, currency), *legend])
    return f"{_STYLE}{tag('p', escape(sentence))}{grids}{_rest(months)}"


def _months(options: Sequence[ValidityOption]) -> dict[str, dict[date, _Group]]:
    """Group *options* by the name of the month, then by first day."""
    by_day: dict[date, list[ValidityOption]] = defaultdict(list)
    for option in options:
        by_day[option.validity.first_day].append(option)
    months: dict[str, dict[date, _Group]] = defaultdict(dict)
    for day in sorted(by_day):
        months[month_label(day)][day] = _Group(by_day[day])
    return months


def _summary(options: Sequence[ValidityOption], currency: Currency | None) -> Sequence[str]:
    """Return the parts of a summary: count and durations, dates, bookable options, and their prices."""
    days = [option.validity.first_day for option in options]
    durations = dict.fromkeys(duration_label(option.duration) for option in options)
    bookable = _Group(options).bookable
    count = f"{len(options)} validit{'y' if len(options) == 1 else 'ies'}"
    return [
        f"{count} of {', '.join(durations)}",
        " to ".join(dict.fromkeys(map(day_label, (min(days), max(days))))),
        f"{len(bookable)} can be booked",
        *([f"prices {_prices(_Group(bookable), currency)}"] if bookable else []),
    ]


def _prices(group: _Group, currency: Currency | None) -> str:
    ends = dict.fromkeys(format_amount(price, currency) for price in group.prices)
    return f"{' to '.join(ends)} {_unit(currency)}"


def _unit(currency: Currency | None) -> str:
    return "minor units" if currency is None else currency.code


class _Grid:
    """Renders the grids of several months, in which equal prices have the same shade."""

    def __init__(self, months: Mapping[str, Mapping[date, _Group]], currency: Currency | None) -> None:
        days = [day for month in months.values() for day in month.values() if day.obstacle is None]
        prices = [day.prices[0] for day in days]
        self.least, self.greatest = min(prices, default=0), max(prices, default=0)
        self.currency = currency

    def of(self, month: str, days: Mapping[date, _Group]) -> str:
        first = next(iter(days))
        heads = [tag("th", weekday, scope="col") for weekday in WEEKDAYS]
        weeks = Calendar().monthdatescalendar(first.year, first.month)
        rows = [self._week(week, first.month, days) for week in weeks if any(day in days for day in week)]
        head, caption = tag("thead", tag("tr", *heads)), tag("caption", escape(month))
        return tag("table", caption, head, tag("tbody", *rows), **{"class": "faregate-calendar"})

    def _week(self, week: Sequence[date], month: int, days: Mapping[date, _Group]) -> str:
        cells = [self._cell(day, days.get(day)) if day.month == month else "<td></td>" for day in week]
        return tag("tr", *cells)

    def _cell(self, number: date, day: _Group | None) -> str:
        label = tag("b", str(number.day))
        if day is None:
            return tag("td", label)
        price = escape(_price(day, self.currency))
        looks = "no" if day.obstacle else f"p{self._shade(day.prices[0])}"
        return tag("td", label, price, tag("small", escape(day.units)), **{"class": looks})

    def _shade(self, price: MinorUnits) -> int:
        span = self.greatest - self.least
        return _SHADES * (price - self.least) // span if span else 0


def _price(group: _Group, currency: Currency | None) -> str:
    """Return the lowest price of *group*, with a plus sign if other options cost more; empty if unpriced."""
    if not group.is_priced:
        return ""
    return f"{format_amount(group.prices[0], currency)}{'+' if group.has_more else ''}"


def _rest(months: Mapping[str, Mapping[date, _Group]]) -> str:
    left = [*months.values()][MAX_MONTHS:]
    if not left:
        return ""
    count = sum(len(day.options) for days in left for day in days.values())
    return tag("p", f"… and {count} more in {len(left)} more month{'' if len(left) == 1 else 's'}")


# ---------------------------------------------------------------- suggestions


def suggestions_html(found: SuggestedValidities, *, currency: Currency | None) -> str:
    """Return an HTML table of suggested validity periods with the reason for each."""
    until = found.days_until_next
    when = {0: "today", 1: "tomorrow"}.get(until or 0, f"in {until} days")
    caption = "nothing can be booked" if until is None else f"the first begins {when}"
    head = ["Suggested for", "Validity", f"Price ({_unit(currency)})", "Units"]
    groups = [
        (own.suggestion.value.lower(), own.option.validity, _Group([own.option])) for own in found.options
    ]
    rows = [(why, _label(validity), _price(group, currency), group.units) for why, validity, group in groups]
    legend = [_LEGEND] if any(group.has_more for *_, group in groups) else []
    return Table(head, rows, texts=frozenset({0, 1}), caption="; ".join([caption, *legend])).html()


def _label(validity: Interval) -> str:
    zone = validity.start.tzinfo
    return validity_label(validity, zone if isinstance(zone, ZoneInfo) else ZoneInfo("UTC"))
