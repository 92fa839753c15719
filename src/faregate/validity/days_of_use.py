"""The days on which a validity period can be used, and how many of them count. Decisions §8.4."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.catalogue.calendars import Calendar
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration, has_duration
from faregate.dates.instants import Interval, service_days
from faregate.errors import InvalidPeriod
from faregate.validity.bookability import is_usable

_DAY = timedelta(days=1)


@public_value
class UsableDays(NamedTuple):
    """The days on which a validity period can be used: at most ``allowed`` of ``days``, which ascend."""

    allowed: int
    days: tuple[date, ...]


def usable_days(
    validity: Interval, duration: Duration, *, product: Product, calendar: Calendar
) -> UsableDays:
    """Return the days on which a ticket for *validity* can be used, and how many of them its holder may use.

    *validity* is in the merchant's time zone and lasts *duration*. Blackout days, closed days and days out of
    season are left out. Without a rule in ``days_of_use`` for *duration*, all days that are left may be used.
    The sale is not checked: ``validity_options`` shows a period with fewer days than allowed as closed.

    >>> from datetime import datetime
    >>> from zoneinfo import ZoneInfo
    >>> from faregate.catalogue import BookingRules, DayPattern, DaysOfUse, Product, ProductType, Variant
    >>> from faregate.dates.durations import validity_from
    >>> week = Duration(days=7)
    >>> rules = BookingRules(
    ...     blackouts=(DayPattern(weekdays=frozenset({1})),), days_of_use=(DaysOfUse(week, 5),)
    ... )
    >>> ticket = Product(id=11, slug="ticket", identifier="TICKET", name="Ticket", type=ProductType.TICKET,
    ...                  category=1, merchant="lifts", variants=(), durations=(week,), booking=rules)
    >>> zurich = ZoneInfo("Europe/Zurich")
    >>> from_monday = validity_from(week, datetime(2027, 1, 4, tzinfo=zurich), zurich)
    >>> usable = usable_days(from_monday, week, product=ticket, calendar=Calendar())
    >>> usable.allowed, [day.day for day in usable.days]
    (5, [5, 6, 7, 8, 9, 10])

    Raises:
        InvalidPeriod: *validity* does not last *duration*, or is not in a ``ZoneInfo`` time zone.
        UnknownEntry: a season of the booking rules is not in *calendar*.
    """
    zone = validity.start.tzinfo
    if not isinstance(zone, ZoneInfo) or not has_duration(duration, validity, zone):
        start, end = validity.start.isoformat(), validity.end.isoformat()
        raise InvalidPeriod(f"expected {duration} in the merchant's time zone, got {start} to {end}")
    rules = product.booking
    days = tuple(day for day in service_days(validity).dates if is_usable(day, rules, calendar))
    allowed = next((use.days for use in rules.days_of_use if use.duration == duration), len(days))
    return UsableDays(min(allowed, len(days)), days)
