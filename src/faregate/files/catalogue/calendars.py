"""Seasons, public holidays and sets of days, in a catalogue file.

A day is a date, ``2026-12-27``, or comes every year: ``12-27``, or ``easter-2`` for Good Friday. Spans have
two of a kind, both included; one day alone is a span, too::

    seasons:
      - {identifier: winter, name: Winter, spans: [{from: "12-01", to: "04-30"}]}
    holidays:
      - {on: easter+1, name: {en: Easter Monday, de: Ostermontag}}

A set of days names what must hold of them::

    when:
      seasons: [winter]
      weekdays: [6, 7]
      holidays: false
      dates: ["02-01", {from: "12-26", to: "01-02"}, {from: 2027-03-01, to: 2027-03-07}]
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, Field

from faregate.catalogue.calendars import DayPattern, Holiday, Season, Span
from faregate.files.fields.models import Entry
from faregate.files.fields.types import ListOf, Name, SetOf, SomeOf, SpanDay, Weekday
from faregate.files.fields.words import Words


class SpanEntry(Entry[Span]):
    """``{from: "12-01", to: "04-30"}``: every year from one day to another, or once from date to date."""

    first: Annotated[SpanDay, Field(alias="from")]
    last: Annotated[SpanDay, Field(alias="to")]


def _of_one_day(value: object) -> object:
    return {"from": value, "to": value} if isinstance(value, str) else value


DaySpan: TypeAlias = Annotated[SpanEntry, BeforeValidator(_of_one_day)]
"""A span, or just a day."""


class SeasonEntry(Entry[Season]):
    """A named part of the year, in one or several spans."""

    identifier: Name
    name: Words | None = None
    spans: SomeOf[DaySpan]


class HolidayEntry(Entry[Holiday]):
    """A public holiday, every year or on one date."""

    on: SpanDay
    name: Words | None = None


class WhenEntry(Entry[DayPattern]):
    """A set of days: those for which everything given holds; nothing given is every day.

    They are in one of ``seasons``, fall on one of ``weekdays`` (Monday is 1), are among ``dates``, and are
    public holidays, or are none.
    """

    seasons: SetOf[Name] = frozenset()
    weekdays: SetOf[Weekday] = frozenset()
    dates: ListOf[DaySpan] = ()
    is_holiday: Annotated[bool | None, Field(alias="holidays")] = None


EVERY_DAY = WhenEntry()
