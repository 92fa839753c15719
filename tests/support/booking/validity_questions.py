"""Validity queries for one ticket, and days on which it is full or closed.

Today is Monday 21 December 2026 unless a test says otherwise.
"""

from datetime import date, datetime

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.calendars import DayPattern, Season, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Pool, PoolSlot, PoolUsage, PoolUse
from faregate.dates.durations import Duration
from faregate.validity.offers import ValidityOption
from faregate.validity.options import (
    SuggestedValidities,
    Suggestion,
    ValidityOptions,
    ValidityQuery,
    suggest_validities,
    validity_options,
)
from support.shops.booking_shop import DAY, MOUNTAIN, TICKET, at, shop, ticket

NOW = at("2026-12-21T09:00")
TODAY = date(2026, 12, 21)
DAILY = shop(ticket())
EVERYTHING = ValidityQuery(TICKET)
TODAY_, TOMORROW, WEEKEND, NEXT = Suggestion


def on(*days: str) -> DayPattern:
    """Return a pattern of the given dates."""
    return DayPattern(dates=tuple(Span(date.fromisoformat(day), date.fromisoformat(day)) for day in days))


def between(first: str, last: str) -> DayPattern:
    return DayPattern(dates=(Span(date.fromisoformat(first), date.fromisoformat(last)),))


def sold(*days: str, count: int = 9) -> dict[PoolSlot, PoolUsage]:
    return {PoolSlot(MOUNTAIN, date.fromisoformat(day)): PoolUsage(sold=count) for day in days}


def limited(
    *durations: Duration,
    size: int = 9,
    booking: BookingRules = BookingRules(),
    timezone: str = "Europe/Zurich",
) -> Catalogue:
    """Return a ticket that uses one unit of the mountain pool per day."""
    product = ticket(durations=durations or (DAY,), pools=[PoolUse(MOUNTAIN)], booking=booking)
    return shop(product, pools=[Pool(identifier=MOUNTAIN, size=size)], timezone=timezone)


def options(
    catalogue: Catalogue = DAILY,
    query: ValidityQuery = EVERYTHING,
    *,
    taken: dict[PoolSlot, PoolUsage] | None = None,
    now: datetime = NOW,
) -> ValidityOptions:
    return validity_options(query, catalogue=catalogue, capacity=taken or {}, now=now)


def days_of(found: ValidityOptions | list[ValidityOption]) -> list[str]:
    entries = found if isinstance(found, list) else found.options
    return [entry.validity.first_day.isoformat() for entry in entries]


def suggest(
    catalogue: Catalogue = DAILY,
    query: ValidityQuery = EVERYTHING,
    *,
    taken: dict[PoolSlot, PoolUsage] | None = None,
    now: datetime = NOW,
) -> SuggestedValidities:
    return suggest_validities(query, catalogue=catalogue, capacity=taken or {}, now=now)


def closed(*days: DayPattern) -> Catalogue:
    return shop(ticket(booking=BookingRules(closed=days)))


JUBILEE = Season(identifier="jubilee", spans=(Span(date(2026, 7, 1), date(2026, 7, 10)),))
PAST = shop(ticket(booking=BookingRules(seasons=("jubilee",))), seasons=[JUBILEE])
