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
from faregate.files.fields.types import FileModel, ListOf, Name, SetOf, SomeOf, SpanDay, Weekday
from faregate.files.fields.words import Words
from faregate.translations import Text


class SpanEntry(FileModel):
    """``{from: "12-01", to: "04-30"}``: every year from one day to another, or once from date to date."""

    first: Annotated[SpanDay, Field(alias="from")]
    last: Annotated[SpanDay, Field(alias="to")]

    def to_core(self) -> Span:
        """The core's value."""
        return Span(self.first, self.last)


def _of_one_day(value: object) -> object:
    return {"from": value, "to": value} if isinstance(value, str) else value


DaySpan: TypeAlias = Annotated[SpanEntry, BeforeValidator(_of_one_day)]
"""A span, or just a day."""


class SeasonEntry(FileModel):
    """A named part of the year, in one or several spans."""

    identifier: Name
    name: Words | None = None
    spans: SomeOf[DaySpan]

    def to_core(self) -> Season:
        """The core's value."""
        return Season(
            identifier=self.identifier,
            spans=tuple(span.to_core() for span in self.spans),
            name=self.name.to_core() if self.name else Text(),
        )


class HolidayEntry(FileModel):
    """A public holiday, every year or on one date."""

    on: SpanDay
    name: Words | None = None

    def to_core(self) -> Holiday:
        """The core's value."""
        return Holiday(self.on, self.name.to_core() if self.name else Text())


class WhenEntry(FileModel):
    """A set of days: those for which everything given holds; nothing given is every day.

    They are in one of ``seasons``, fall on one of ``weekdays`` (Monday is 1), are among ``dates``, and are
    public holidays, or are none.
    """

    seasons: SetOf[Name] = frozenset()
    weekdays: SetOf[Weekday] = frozenset()
    dates: ListOf[DaySpan] = ()
    holidays: bool | None = None

    def to_core(self) -> DayPattern:
        """The core's value."""
        return DayPattern(
            seasons=self.seasons,
            weekdays=self.weekdays,
            dates=tuple(span.to_core() for span in self.dates),
            is_holiday=self.holidays,
        )


EVERY_DAY = WhenEntry()
