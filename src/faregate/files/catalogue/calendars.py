"""Seasons, public holidays, day patterns and booking rules in a catalogue file.

A day is a date (``2026-12-27``) or a yearly day (``12-27``, or ``easter-2`` for Good Friday). A span consists
of two dates or two yearly days, both included; a single day is also a span::

    seasons:
      - {identifier: winter, name: Winter, spans: [{from: "12-01", to: "04-30"}]}
    holidays:
      - {on: easter+1, name: {en: Easter Monday, de: Ostermontag}}

A day pattern lists conditions; it contains the days that meet all of them::

    when:
      seasons: [winter]
      weekdays: [6, 7]
      holidays: false
      dates: ["02-01", {from: "12-26", to: "01-02"}, {from: 2027-03-01, to: 2027-03-07}]

A product can have booking rules, such as::

    booking:
      seasons: [winter]
      closed: [{weekdays: [1], holidays: false}, {dates: [{from: "06-08", to: "06-12"}]}]
      stays: [{when: {dates: [{from: "02-08", to: "02-21"}]}, startWeekdays: [6], minDays: 3}]
      startTimes: ["09:00", "13:00"]
      maxLeadDays: 180
      cutOff: {at: "17:00", daysBefore: 1}
"""

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, Field

from faregate.catalogue.booking_rules import BookingRules, CutOff, StayRule
from faregate.catalogue.calendars import DayPattern, Holiday, Season, Span
from faregate.files.fields.models import Entry
from faregate.files.fields.types import (
    DayCount,
    Instant,
    ListOf,
    LocalTime,
    MinimumDayCount,
    MinuteCount,
    Name,
    SetOf,
    SomeOf,
    SpanDay,
    Weekday,
    Words,
)


class SpanEntry(Entry[Span]):
    """A span between two days of every year, as in ``{from: "12-01", to: "04-30"}``, or between two dates."""

    first: Annotated[SpanDay, Field(alias="from")]
    last: Annotated[SpanDay, Field(alias="to")]


def _of_one_day(value: object) -> object:
    return {"from": value, "to": value} if isinstance(value, str) else value


DaySpan: TypeAlias = Annotated[SpanEntry, BeforeValidator(_of_one_day)]
"""A span of days, for which a file can also give a single day."""


class SeasonEntry(Entry[Season]):
    """A named part of the year, made of one or more spans."""

    identifier: Name
    name: Words | None = None
    spans: SomeOf[DaySpan]


class HolidayEntry(Entry[Holiday]):
    """A public holiday, either yearly or on a single date."""

    on: SpanDay
    name: Words | None = None


class WhenEntry(Entry[DayPattern]):
    """A day pattern: the days that meet every condition given or, without conditions, all days.

    The days are in one of ``seasons``, on one of ``weekdays`` (Monday is 1) and in one of the spans in
    ``dates``; ``holidays: true`` selects public holidays, ``holidays: false`` all other days.
    """

    seasons: SetOf[Name] = frozenset()
    weekdays: SetOf[Weekday] = frozenset()
    dates: ListOf[DaySpan] = ()
    is_holiday: Annotated[bool | None, Field(alias="holidays")] = None


EVERY_DAY = WhenEntry()


class StayEntry(Entry[StayRule]):
    """A rule for validity periods that start on a day in ``when``.

    Such periods must start on one of ``startWeekdays`` (any if empty) and last ``minDays`` to ``maxDays``
    service days.
    """

    when: WhenEntry = EVERY_DAY
    start_weekdays: SetOf[Weekday] = frozenset()
    min_days: MinimumDayCount = 1
    max_days: MinimumDayCount | None = None


class CutOffEntry(Entry[CutOff]):
    """The end of sales for a validity period.

    Sales end at the local time ``at``, ``daysBefore`` days before the first day, or, without ``at``,
    ``minutesBefore`` minutes before the start.
    """

    at: LocalTime | None = None
    days_before: DayCount = 0
    minutes_before: MinuteCount = 0


class BookingEntry(Entry[BookingRules]):
    """The days on which a product runs and the period in which it is sold.

    The product runs in its ``seasons`` (all year if empty), except on the ``closed`` days. It is sold from
    ``saleStarts`` to ``saleEnds`` (exclusive), ``minLeadDays`` to ``maxLeadDays`` days before the first day,
    and until the ``cutOff``. By default, sales end when the first day is over, or when a validity period
    measured in hours starts. Such a period must begin at one of ``startTimes``, by default at the start of a
    slot of the product's pools.
    """

    seasons: ListOf[Name] = ()
    closed: ListOf[WhenEntry] = ()
    stays: ListOf[StayEntry] = ()
    start_times: ListOf[LocalTime] = ()
    sale_starts: Instant | None = None
    sale_ends: Instant | None = None
    min_lead_days: DayCount = 0
    max_lead_days: DayCount | None = None
    cut_off: CutOffEntry | None = None


ANY_TIME = BookingEntry()
