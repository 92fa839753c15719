"""The booking rules of a product in a catalogue; ``faregate.validity`` applies them. Decisions §8.4."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import datetime, time

from faregate.arguments.checks import Whole, checked
from faregate.catalogue.calendars import DayPattern
from faregate.dates.durations import Duration
from faregate.errors import InvalidCatalogue


@dataclass(frozen=True, slots=True)
class StayRule:
    """A rule for validity periods whose first day matches ``when``.

    The periods must start on one of ``start_weekdays`` (ISO numbers; empty means any) and cover ``min_days``
    to ``max_days`` service days.
    """

    when: DayPattern = DayPattern()
    _: KW_ONLY
    start_weekdays: frozenset[int] = frozenset()
    min_days: int = 1
    max_days: int | None = None


@dataclass(frozen=True, slots=True)
class CutOff:
    """The end of sales for a validity period.

    Sales end at the local time ``at`` on the day that is ``days_before`` days before the first day. If ``at``
    is None, sales end ``minutes_before`` minutes before the start.
    """

    at: time | None = None
    days_before: int = 0
    _: KW_ONLY
    minutes_before: int = 0


@dataclass(frozen=True, slots=True)
@checked(InvalidCatalogue, duration=object, days=Whole(1))
class DaysOfUse:
    """A limit on use: a validity period of ``duration`` can be used on ``days`` of its service days.

    Five days within a week are ``DaysOfUse(Duration(days=7), 5)``.
    """

    duration: Duration
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingRules:
    """The days on which a product runs and the period in which it is sold.

    The product runs in its ``seasons`` (all year if empty), except on the ``closed`` days. It is sold from
    ``sale_starts`` (inclusive) to ``sale_ends`` (exclusive), at least ``min_lead_days`` and at most
    ``max_lead_days`` days before the first day of a validity period, and until the cut-off. By default, sales
    end when that day ends or, for a period in hours, when the period starts. A period in hours must begin at
    one of ``start_times`` (local time) or else at the start of a time slot, if the product's pools have any.

    A closed day closes every validity period that includes it. On ``blackouts``, a ticket cannot be used, but
    periods may include them: a period is closed only if it has fewer other days than it needs, which is the
    number in ``days_of_use`` for its duration, or one.
    """

    seasons: tuple[str, ...] = ()
    closed: tuple[DayPattern, ...] = ()
    blackouts: tuple[DayPattern, ...] = ()
    days_of_use: tuple[DaysOfUse, ...] = ()
    stays: tuple[StayRule, ...] = ()
    start_times: tuple[time, ...] = ()
    sale_starts: datetime | None = None
    sale_ends: datetime | None = None
    min_lead_days: int = 0
    max_lead_days: int | None = None
    cut_off: CutOff | None = None
