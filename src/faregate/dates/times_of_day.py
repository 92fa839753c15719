"""Times of day on the clocks of a time zone. Decisions §3.5."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time

from faregate._values import public_value
from faregate.dates.instants import in_utc
from faregate.dates.zones import AnyZone, time_zone
from faregate.errors import InvalidPeriod


@public_value
@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """Half-open range of local times: ``start`` is included, ``end`` is not. It may span midnight.

    Clocks decide: a time that they show twice belongs to the range both times, a skipped time never occurs.

    >>> happy_hour = TimeOfDay(time(17), time(19))
    >>> happy_hour.includes(datetime.fromisoformat("2026-12-27T17:59:00+00:00"), "Europe/Zurich")
    True

    Raises:
        InvalidPeriod: a time has a time zone, or both are equal.
    """

    start: time
    end: time

    def __post_init__(self) -> None:
        for each in (self.start, self.end):
            if type(each) is not time or each.tzinfo is not None or each.fold:
                raise InvalidPeriod(f"expected a local time such as time(17), got {each!r}")
        if self.start == self.end:
            raise InvalidPeriod(
                f"expected two different times, got {self.start} twice: leave out the condition"
            )

    def includes(self, instant: datetime, zone: AnyZone) -> bool:
        """Return True if clocks in *zone* show a time in the range at *instant*.

        Raises:
            InvalidPeriod: *instant* has no UTC offset, or is outside the years 1 to 9999 in *zone*.
            InvalidInput: the name of the zone is unknown.
        """
        try:
            shown = in_utc(instant).astimezone(time_zone(zone)).time()
        except OverflowError:
            raise InvalidPeriod(f"{instant.isoformat()} is outside the years 1 to 9999 in {zone}") from None
        if self.start < self.end:
            return self.start <= shown < self.end
        return shown >= self.start or shown < self.end
