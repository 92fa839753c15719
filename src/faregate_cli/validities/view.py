"""A calendar for the terminal: the price and available units of each day, or why it cannot be booked.

A month is a grid of weeks or, if that is too wide, a list of its days. If the duration is in hours and the
query covers at most a week, each start has its own line, because a cell has no room for times; for longer
queries a cell shows the lowest price of the bookable starts, and the units of all of them.
"""

from calendar import Calendar
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from faregate.render.wording import WEEKDAYS, month_label
from faregate_cli.terminal.console import (
    GIVEN,
    QUIET,
    REFUSED,
    STRONG,
    Trimmed,
    grid,
    packed,
    print_facts,
    separator,
)
from faregate_cli.validities.calendars import Question, Standing, ValidityCalendar, calendars, following_month
from faregate_cli.validities.wording import CalendarWording

_DAY = timedelta(days=1)
_WEEK = len(WEEKDAYS)
_NARROWEST_GRID = 60
_TRIED = ((2, True, False), (1, True, False), (1, True, True), (1, False, True))
"""Grid layouts from widest to narrowest: gap, whether "left" follows numbers, whether words may wrap."""
_COLOURS = (("can be booked", GIVEN), ("few left", REFUSED), ("cannot be booked", QUIET))


def show(console: Console, question: Question) -> None:
    """Print a calendar for each duration in *question*."""
    for index, calendar in enumerate(calendars(question)):
        if index:
            console.print()
        _print_calendar(console, calendar)


def _print_calendar(console: Console, calendar: ValidityCalendar) -> None:
    wording = CalendarWording(calendar, in_ascii=console.options.ascii_only)
    months = _Months(console, calendar, wording)
    print_facts(console, wording.title(), style=STRONG)
    console.print(Trimmed(Text(wording.as_of(), QUIET)))
    months.print_all()
    console.print()
    print_facts(console, wording.summary())
    for line in months.legend():
        console.print(Trimmed(line))


class _Layout(NamedTuple):
    cell_width: int
    gap: int
    says_left: bool


class _Months:
    def __init__(self, console: Console, calendar: ValidityCalendar, wording: CalendarWording) -> None:
        self.console = console
        self.calendar = calendar
        self.wording = wording
        self.window = calendar.question.days
        self.keeps_empty_days = not calendar.question.query.only_available
        self.lists_starts = calendar.is_of_hours and self.window.days <= _WEEK
        self.days = {
            day: [Standing((option,)) for option in of_day.options] if self.lists_starts else [of_day]
            for day, of_day in wording.days.items()
        }
        self.shown = [standing for standings in self.days.values() for standing in standings]
        self.price_width = max((len(wording.price(standing)) for standing in self.shown), default=0)
        self.layout = None if self.lists_starts else self._fitting()

    def print_all(self) -> None:
        month = self.window.start
        while month < self.window.end:
            self.console.print()
            self.console.print(Text(month_label(month), STRONG))
            if self.layout is None:
                self._print_list(month)  # never wrapped or cut off, however narrow the terminal is
            else:
                self.console.print(Trimmed(self._grid(month, self.layout)))
            month = following_month(month)

    def legend(self) -> Iterator[Text]:
        """Yield lines that explain the colours, if any, and the words that are not self-explanatory."""
        if self.console.color_system and not self.console.no_color:
            yield Text(separator(self.console)).join(Text(meaning, style) for meaning, style in _COLOURS)
        says_left = self.layout is None or self.layout.says_left
        meanings = self.wording.legend(self.shown, says_left=says_left)
        if meanings:
            yield packed(meanings, separator(self.console), width=self.console.width, style=QUIET)

    # ---------------------------------------------------------------- as a grid

    def _fitting(self) -> _Layout | None:
        """Return the widest grid layout that fits in the console, or None if none does."""
        if self.console.width < _NARROWEST_GRID:
            return None
        for gap, says_left, breaks in _TRIED:
            room = (self.console.width + gap) // _WEEK - gap
            if self._widest(says_left=says_left, breaks=breaks) <= room:
                return _Layout(min(room, self._widest(says_left=says_left)), gap, says_left)
        return None

    def _widest(self, *, says_left: bool, breaks: bool = False) -> int:
        """Return the width of the longest cell line; with *breaks*, obstacles have a line for each word."""
        texts = {*WEEKDAYS}
        for standing in self.shown:
            places = self.wording.places(standing, says_left=says_left)
            texts |= {
                self.wording.price(standing),
                *(places.split() if breaks and standing.obstacle else [places]),
            }
        return max(map(len, texts))

    def _grid(self, month: date, layout: _Layout) -> Table:
        table = grid(self.console, *WEEKDAYS, cell_width=layout.cell_width, gap=layout.gap)
        for week in Calendar().monthdatescalendar(month.year, month.month):
            days = [day if day.month == month.month and self._asks_for(day) else None for day in week]
            if any(days):
                table.add_row(*[self._cell(day, layout) if day else "" for day in days])
        return table

    def _asks_for(self, day: date) -> bool:
        return self.window.start <= day < self.window.end

    def _cell(self, day: date, layout: _Layout) -> Text:
        if day not in self.days:
            return Text(str(day.day), QUIET)
        (standing,) = self.days[day]
        style = self._style(standing)
        texts = self.wording.price(standing), self.wording.places(standing, says_left=layout.says_left)
        number = Text(str(day.day), _style_of_day(style))
        return Text("\n").join([number, *(Text(text, style) for text in texts if text)])

    def _style(self, standing: Standing) -> str:
        if standing.obstacle is not None:
            return QUIET
        return REFUSED if self.calendar.is_nearly_sold_out(standing) else GIVEN

    # ---------------------------------------------------------------- as a list

    def _print_list(self, month: date) -> None:
        for n in range((following_month(month) - month).days):
            for line in self._lines(month + n * _DAY):
                self.console.print(line, soft_wrap=True)

    def _lines(self, day: date) -> Iterator[Text]:
        """Yield a line for each set of periods on *day*; if no period begins then, at most its label."""
        label = f"{WEEKDAYS[day.weekday()]} {day.day:2}"
        for standing in self.days.get(day, ()):
            style = self._style(standing)
            hours = f"  {self.wording.hours(standing.options[0])}" if self.lists_starts else ""
            price = self.wording.price(standing).rjust(self.price_width)
            line = f"{hours}  {price}  {self.wording.places(standing)}"
            of_day = self._style(self.wording.days[day])
            yield Text.assemble((label, _style_of_day(of_day)), (line, style))
            label = " " * len(label)
        if day not in self.days and self.keeps_empty_days and self._asks_for(day):
            yield Text(label, QUIET)


def _style_of_day(style: str) -> str:
    return QUIET if style == QUIET else STRONG
