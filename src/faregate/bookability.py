"""Whether a validity can be booked, its capacity aside; if not, why. Decisions §8.4."""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

from faregate.dates import DateRange, in_utc, local_instant, service_days, start_of_day

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime, time
    from zoneinfo import ZoneInfo

    from faregate.booking_rules import BookingRules
    from faregate.calendars import Calendar
    from faregate.catalogue import Catalogue
    from faregate.dates import Duration, Interval
    from faregate.products import Product

__all__ = ["Obstacle", "obstacle", "running_days", "starts_on"]

_DAY = timedelta(days=1)
_YEAR = 366


class Obstacle(Enum):
    """Why a validity cannot be booked: the first that applies. Stable and safe to send."""

    NOT_ON_SALE = "not-on-sale"
    TOO_LATE = "too-late"
    TOO_EARLY = "too-early"
    OUT_OF_SEASON = "out-of-season"
    CLOSED = "closed"
    START_TIME = "start-time"
    START_DAY = "start-day"
    LENGTH = "length"
    SOLD_OUT = "sold-out"


def obstacle(
    product: Product,
    duration: Duration,
    validity: Interval,
    *,
    zone: ZoneInfo,
    catalogue: Catalogue,
    now: datetime,
) -> Obstacle | None:
    """What keeps *validity*, which is *duration* long, from being booked at *now*; None: nothing does.

    Whether there are places left is not asked here: that is SOLD_OUT, which ``faregate.validity`` finds.
    """
    rules = product.booking
    days = service_days(validity)
    calendar = catalogue.calendar
    return (
        _sale_obstacle(rules, duration, validity, zone, now)
        or _day_obstacle(product, days, calendar)
        or _start_time_obstacle(product, duration, validity, zone, catalogue)
        or _stay_obstacle(rules, days, calendar)
    )


def _sale_obstacle(
    rules: BookingRules, duration: Duration, validity: Interval, zone: ZoneInfo, now: datetime
) -> Obstacle | None:
    begins, ends = rules.sale_starts, rules.sale_ends
    if (begins and in_utc(now) < in_utc(begins)) or (ends and in_utc(now) >= in_utc(ends)):
        return Obstacle.NOT_ON_SALE
    first = validity.start.date()
    lead = (first - now.astimezone(zone).date()).days
    if lead < rules.min_lead_days or in_utc(now) >= _end_of_sale(rules, duration, validity, zone):
        return Obstacle.TOO_LATE
    if rules.max_lead_days is not None and lead > rules.max_lead_days:
        return Obstacle.TOO_EARLY
    return None


def _end_of_sale(rules: BookingRules, duration: Duration, validity: Interval, zone: ZoneInfo) -> datetime:
    """The instant, in UTC, from which *validity* is sold no longer."""
    first, cut_off = validity.start.date(), rules.cut_off
    if cut_off is None:
        is_of_days = duration.days or duration.months
        return in_utc(_next_day(first, zone) if is_of_days else validity.start)
    if cut_off.at is None:
        return in_utc(validity.start) - timedelta(minutes=cut_off.minutes_before)
    return in_utc(local_instant(first - cut_off.days_before * _DAY, cut_off.at, zone))


def _next_day(day: date, zone: ZoneInfo) -> datetime:
    following = day + _DAY
    return start_of_day(following, zone) or _next_day(following, zone)


def _day_obstacle(product: Product, days: DateRange, calendar: Calendar) -> Obstacle | None:
    """The first of its days on which the product does not run tells."""
    if not product.booking.seasons and not product.booking.closed:
        return None
    found = (_of_day(product.booking, days.start + n * _DAY, calendar) for n in range(days.days))
    return next(filter(None, found), None)


def _of_day(rules: BookingRules, day: date, calendar: Calendar) -> Obstacle | None:
    if rules.seasons and not any(calendar.is_in_season(season, day) for season in rules.seasons):
        return Obstacle.OUT_OF_SEASON
    if any(closed.include(day, calendar) for closed in rules.closed):
        return Obstacle.CLOSED
    return None


def _start_time_obstacle(
    product: Product, duration: Duration, validity: Interval, zone: ZoneInfo, catalogue: Catalogue
) -> Obstacle | None:
    """Whether a validity measured in hours begins when none does."""
    times = start_times(product, catalogue)
    if duration.days or duration.months or not times:
        return None
    begins = {in_utc(start) for start in starts_on(validity.start.date(), duration, product, zone, catalogue)}
    return None if in_utc(validity.start) in begins else Obstacle.START_TIME


def _stay_obstacle(rules: BookingRules, days: DateRange, calendar: Calendar) -> Obstacle | None:
    for rule in rules.stays:
        if rule.when.include(days.start, calendar):
            if rule.start_weekdays and days.start.isoweekday() not in rule.start_weekdays:
                return Obstacle.START_DAY
            if days.days < rule.min_days or (rule.max_days is not None and days.days > rule.max_days):
                return Obstacle.LENGTH
    return None


def start_times(product: Product, catalogue: Catalogue) -> tuple[time, ...]:
    """When validities measured in hours begin, in local time; none: with the day, or whenever asked."""
    if product.booking.start_times:
        return product.booking.start_times
    slots = (slot.start for use in product.pools for slot in catalogue.pool(use.pool).slots)
    return tuple(sorted(set(slots)))


def starts_on(
    day: date, duration: Duration, product: Product, zone: ZoneInfo, catalogue: Catalogue
) -> Iterator[datetime]:
    """The instants of *day* at which a validity of *duration* may begin, in order; none: no such day.

    A time that the clocks skip that day is no start.
    """
    begin = start_of_day(day, zone)
    if begin is None:
        return
    times = start_times(product, catalogue)
    if duration.days or duration.months or not times:
        yield begin
        return
    for at in sorted(times):
        start = local_instant(day, at, zone)
        if start.replace(tzinfo=None, fold=0).time() == at:
            yield start


def running_days(product: Product, calendar: Calendar, today: date) -> DateRange | None:
    """The days from *today* on of the season that is on, else those of the next; None: it runs no more.

    Of several seasons that are on the one that ends last; a product without seasons runs for a year.
    """
    seasons = [calendar.season(name) for name in product.booking.seasons]
    if not seasons:
        return DateRange(today, today + _YEAR * _DAY)
    current = [days for season in seasons if (days := season.range_on(today))]
    if current:
        return DateRange(today, max(days.end for days in current))
    return min((days for season in seasons if (days := season.next_range(today))), default=None)
