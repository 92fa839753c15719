"""When a product can be booked, in a catalogue file.

::

    booking:
      seasons: [winter]
      closed: [{weekdays: [1], holidays: false}, {dates: [{from: "06-08", to: "06-12"}]}]
      stays: [{when: {dates: [{from: "02-08", to: "02-21"}]}, startWeekdays: [6], minDays: 3}]
      startTimes: ["09:00", "13:00"]
      maxLeadDays: 180
      cutOff: {at: "17:00", daysBefore: 1}
"""

from __future__ import annotations

from faregate.catalogue.booking_rules import BookingRules, CutOff, StayRule
from faregate.files.catalogue.calendars import EVERY_DAY, WhenEntry
from faregate.files.fields.types import (
    DayCount,
    FileModel,
    Instant,
    ListOf,
    LocalTime,
    MinimumDayCount,
    MinuteCount,
    Name,
    SetOf,
    Weekday,
)


class StayEntry(FileModel):
    """What a validity that starts on one of the days ``when`` must be like.

    It begins on one of ``startWeekdays`` (none: any) and has ``minDays`` to ``maxDays`` service days.
    """

    when: WhenEntry = EVERY_DAY
    start_weekdays: SetOf[Weekday] = frozenset()
    min_days: MinimumDayCount = 1
    max_days: MinimumDayCount | None = None

    def to_core(self) -> StayRule:
        """The core's value."""
        return StayRule(
            self.when.to_core(),
            start_weekdays=self.start_weekdays,
            min_days=self.min_days,
            max_days=self.max_days,
        )


class CutOffEntry(FileModel):
    """Until when a validity is sold: ``at`` a local time, ``daysBefore`` its first day.

    Without a time: ``minutesBefore`` it starts.
    """

    at: LocalTime | None = None
    days_before: DayCount = 0
    minutes_before: MinuteCount = 0

    def to_core(self) -> CutOff:
        """The core's value."""
        return CutOff(self.at, self.days_before, minutes_before=self.minutes_before)


class BookingEntry(FileModel):
    """When a product runs, and when it is sold.

    It runs in its ``seasons`` (none: all year) but for the days ``closed``. It is sold from ``saleStarts``
    to ``saleEnds``, which is exclusive, ``minLeadDays`` to ``maxLeadDays`` before the first day, and until
    the ``cutOff``: by default until the first day is over, or until a validity begins that is measured in
    hours. Those begin at one of ``startTimes``; by default with the slots of the product's pools.
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

    def to_core(self) -> BookingRules:
        """The core's value."""
        return BookingRules(
            seasons=self.seasons,
            closed=tuple(days.to_core() for days in self.closed),
            stays=tuple(stay.to_core() for stay in self.stays),
            start_times=self.start_times,
            sale_starts=self.sale_starts,
            sale_ends=self.sale_ends,
            min_lead_days=self.min_lead_days,
            max_lead_days=self.max_lead_days,
            cut_off=self.cut_off.to_core() if self.cut_off else None,
        )


ANY_TIME = BookingEntry()
