"""The named obstacles to booking one ticket at an instant."""

from zoneinfo import ZoneInfo

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.calendars import Holiday
from faregate.catalogue.pools import Pool, PoolUse
from faregate.dates.durations import Duration, validity_from
from faregate.validity.bookability import BookingRulesCheck, Obstacle
from support.shops.booking_shop import DAY, ZURICH, at, shop, ticket

NOT_ON_SALE, TOO_LATE, TOO_EARLY = Obstacle.NOT_ON_SALE, Obstacle.TOO_LATE, Obstacle.TOO_EARLY
OUT_OF_SEASON, CLOSED = Obstacle.OUT_OF_SEASON, Obstacle.CLOSED
START_TIME, START_DAY, LENGTH = Obstacle.START_TIME, Obstacle.START_DAY, Obstacle.LENGTH

MONDAY = "2026-12-28"
LONG_BEFORE = "2026-01-01T00:00"
SANTIAGO, APIA = ZoneInfo("America/Santiago"), ZoneInfo("Pacific/Apia")


def found(
    rules: BookingRules,
    start: str = MONDAY,
    duration: Duration = DAY,
    *,
    now: str = LONG_BEFORE,
    zone: ZoneInfo = ZURICH,
    pools: tuple[Pool, ...] = (),
    holidays: tuple[Holiday, ...] = (),
) -> Obstacle | None:
    """Return the obstacles to booking a ticket under *rules*."""
    product = ticket(booking=rules, durations=[duration], pools=[PoolUse(pool.identifier) for pool in pools])
    catalogue = shop(product, pools=pools, holidays=holidays, timezone=zone.key)
    desk = BookingRulesCheck(product, zone=zone, catalogue=catalogue, now=at(now, zone))
    return desk.obstacle(duration, validity_from(duration, at(start, zone), zone))
