"""When a product can be booked, as a catalogue says it; ``faregate.validity`` applies it. Decisions §8.4."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from faregate.catalogue.calendars import DayPattern

if TYPE_CHECKING:
    from datetime import datetime, time


@dataclass(frozen=True, slots=True)
class StayRule:
    """What a validity that starts on one of the days ``when`` must be like.

    It begins on one of ``start_weekdays`` (ISO numbers; none: any) and has ``min_days`` to ``max_days``
    service days.
    """

    when: DayPattern = DayPattern()
    _: KW_ONLY
    start_weekdays: frozenset[int] = frozenset()
    min_days: int = 1
    max_days: int | None = None


@dataclass(frozen=True, slots=True)
class CutOff:
    """Until when a validity is sold: ``at`` a local time, ``days_before`` its first day.

    Without a time: ``minutes_before`` it starts.
    """

    at: time | None = None
    days_before: int = 0
    _: KW_ONLY
    minutes_before: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingRules:
    """When a product runs, and when it is sold.

    It runs in its ``seasons`` (none: all year) but for the days ``closed``. It is sold from
    ``sale_starts`` (included) to ``sale_ends`` (not included), ``min_lead_days`` to ``max_lead_days``
    before the first day, and until the cut-off: by default until the first day is over, or until a
    validity begins that is measured in hours. Those begin at one of ``start_times``, in local time; with
    none given, at those of the slots of the product's pools, or with the day.
    """

    seasons: tuple[str, ...] = ()
    closed: tuple[DayPattern, ...] = ()
    stays: tuple[StayRule, ...] = ()
    start_times: tuple[time, ...] = ()
    sale_starts: datetime | None = None
    sale_ends: datetime | None = None
    min_lead_days: int = 0
    max_lead_days: int | None = None
    cut_off: CutOff | None = None
