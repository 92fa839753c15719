"""Checks of validity periods against a product's booking rules, regardless of capacity. Decisions §8.4."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import TypeVar
from zoneinfo import ZoneInfo

from faregate.catalogue.booking_rules import BookingRules, StayRule
from faregate.catalogue.calendars import Calendar
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.dates.instants import DateRange, Interval, in_utc, local_instant, service_days, start_of_day

_DAY = timedelta(days=1)
_YEAR = 366

_Key = TypeVar("_Key")
_Result = TypeVar("_Result")


class Obstacle(Enum):
    """A reason why a validity period cannot be booked; the values are stable and suitable for APIs."""

    NOT_ON_SALE = "not-on-sale"
    TOO_LATE = "too-late"
    TOO_EARLY = "too-early"
    OUT_OF_SEASON = "out-of-season"
    CLOSED = "closed"
    START_TIME = "start-time"
    START_DAY = "start-day"
    LENGTH = "length"
    SOLD_OUT = "sold-out"


class Found(dict[_Key, _Result]):
    """The results of *find* by argument, each computed when first asked for.

    >>> Found(len)["winter"]
    6
    """

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[_Key], _Result]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: _Key) -> _Result:
        result = self[key] = self._find(key)
        return result


class BookingRulesCheck:
    """Checks validity periods against the booking rules of *product* at *now*, a timezone-aware datetime.

    The results for each day are cached. Capacity is not checked here: ``Offer`` reports SOLD_OUT.
    """

    def __init__(self, product: Product, *, zone: ZoneInfo, catalogue: Catalogue, now: datetime) -> None:
        self.zone = zone
        self._rules = product.booking
        self._calendar = catalogue.calendar
        self._now = in_utc(now)
        self.today = self._now.astimezone(zone).date()
        self._times = start_times(product, catalogue)
        self.beginnings = Found(partial(start_of_day, zone=zone))
        """The first instant of each day; None if the time zone skips that day."""
        self._not_running = Found(partial(_obstacle_on, rules=self._rules, calendar=self._calendar))
        self._usable = Found(partial(is_usable, rules=self._rules, calendar=self._calendar))
        self._starts = Found(partial(_starts_at, zone=zone, times=self._times))

    def starts_on(self, day: date, duration: Duration) -> list[datetime]:
        """Return the instants on *day* at which a validity period of *duration* can begin, earliest first.

        Times and days that the time zone skips are left out.
        """
        begin = self.beginnings[day]
        if begin is None:
            return []
        if duration.days or duration.months or not self._times:
            return [begin]
        return self._starts[day]

    def obstacle(
        self, duration: Duration, validity: Interval, days: DateRange | None = None
    ) -> Obstacle | None:
        """Return the first obstacle to booking *validity*, which lasts *duration*, or None.

        Pass the service days of *validity* as *days* if they are already known.
        """
        touched = days or service_days(validity)
        return (
            self._sale_obstacle(duration, validity)
            or self._day_obstacle(touched, duration)
            or self._start_time_obstacle(duration, validity)
            or self._stay_obstacle(touched)
        )

    def _sale_obstacle(self, duration: Duration, validity: Interval) -> Obstacle | None:
        rules, now = self._rules, self._now
        begins, ends = rules.sale_starts, rules.sale_ends
        if (begins and now < in_utc(begins)) or (ends and now >= in_utc(ends)):
            return Obstacle.NOT_ON_SALE
        lead = (validity.start.date() - self.today).days
        if lead < rules.min_lead_days or self._is_cut_off(duration, validity):
            return Obstacle.TOO_LATE
        if rules.max_lead_days is not None and lead > rules.max_lead_days:
            return Obstacle.TOO_EARLY
        return None

    def _is_cut_off(self, duration: Duration, validity: Interval) -> bool:
        cut_off = self._rules.cut_off
        if cut_off is None:
            # A period of days is sold until its first day is over; the check of lead days has ensured that.
            return not duration.days and not duration.months and self._now >= in_utc(validity.start)
        if cut_off.at is None:
            return self._now >= in_utc(validity.start) - timedelta(minutes=cut_off.minutes_before)
        last_day = validity.start.date() - cut_off.days_before * _DAY
        return self._now >= in_utc(local_instant(last_day, cut_off.at, self.zone))

    def _day_obstacle(self, days: DateRange, duration: Duration) -> Obstacle | None:
        """Return OUT_OF_SEASON if one of *days* is out of season, else CLOSED if one is closed, else None.

        A period with too few days of use is closed as well.
        """
        rules = self._rules
        if rules.seasons or rules.closed:
            found = [*filter(None, map(self._not_running.__getitem__, days.dates))]
            if found:
                return Obstacle.OUT_OF_SEASON if Obstacle.OUT_OF_SEASON in found else Obstacle.CLOSED
        return Obstacle.CLOSED if rules.blackouts and self._lacks_days(days, duration) else None

    def _lacks_days(self, days: DateRange, duration: Duration) -> bool:
        """Return True if fewer of *days* can be used than a period of *duration* needs."""
        needed = next((use.days for use in self._rules.days_of_use if use.duration == duration), 1)
        return len([*islice(filter(self._usable.__getitem__, days.dates), needed)]) < needed

    def _start_time_obstacle(self, duration: Duration, validity: Interval) -> Obstacle | None:
        """Return START_TIME if a validity period in hours begins at a time that is not allowed, else None."""
        if duration.days or duration.months or not self._times:
            return None
        begins = {in_utc(start) for start in self.starts_on(validity.start.date(), duration)}
        return None if in_utc(validity.start) in begins else Obstacle.START_TIME

    def _stay_obstacle(self, days: DateRange) -> Obstacle | None:
        """Return START_DAY or LENGTH if *days* violate a stay rule that covers the first day, else None."""
        if not self._rules.stays:
            return None
        fitting = [rule for rule in self._rules.stays if rule.when.include(days.start, self._calendar)]
        weekday = days.start.isoweekday()
        if any(rule.start_weekdays and weekday not in rule.start_weekdays for rule in fitting):
            return Obstacle.START_DAY
        if not all(_allows(rule, days.days) for rule in fitting):
            return Obstacle.LENGTH
        return None


def _starts_at(day: date, zone: ZoneInfo, times: Sequence[time]) -> list[datetime]:
    """Return the instants on *day* at which clocks in *zone* show one of *times*."""
    starts = ((at, local_instant(day, at, zone)) for at in times)
    return [start for at, start in starts if start.time() == at]


def _obstacle_on(day: date, rules: BookingRules, calendar: Calendar) -> Obstacle | None:
    if rules.seasons and not any(calendar.is_in_season(season, day) for season in rules.seasons):
        return Obstacle.OUT_OF_SEASON
    if any(closed.include(day, calendar) for closed in rules.closed):
        return Obstacle.CLOSED
    return None


def is_usable(day: date, rules: BookingRules, calendar: Calendar) -> bool:
    """Return True if *day* is neither a blackout day nor closed nor out of season."""
    if any(blackout.include(day, calendar) for blackout in rules.blackouts):
        return False
    return _obstacle_on(day, rules, calendar) is None


def _allows(rule: StayRule, length: int) -> bool:
    return rule.min_days <= length and (rule.max_days is None or length <= rule.max_days)


def start_times(product: Product, catalogue: Catalogue) -> tuple[time, ...]:
    """Return the local times at which validity periods in hours may start; empty if any time is allowed."""
    slots = (slot.start for use in product.pools for slot in catalogue.pool(use.pool).slots)
    return tuple(sorted(set(product.booking.start_times or slots)))


def running_days(product: Product, calendar: Calendar, today: date) -> DateRange | None:
    """Return the rest of the current season from *today* on or, between seasons, the next season.

    If several seasons are current, the one that ends last is used. The result is at most a year long. It is a
    whole year for a product without seasons, and None if all seasons of the product are over.
    """
    seasons = [calendar.season(name) for name in product.booking.seasons]
    if not seasons:
        return DateRange(today, today + _YEAR * _DAY)
    current = [days for season in seasons if (days := season.range_on(today))]
    if current:
        return _at_most_a_year(today, max(days.end for days in current))
    coming = [days for season in seasons if (days := season.next_range(today))]
    if not coming:
        return None
    first = min(coming, key=attrgetter("start", "end"))
    return _at_most_a_year(first.start, first.end)


def _at_most_a_year(start: date, end: date) -> DateRange:
    return DateRange(start, min(end, start + _YEAR * _DAY))
