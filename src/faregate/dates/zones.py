"""Look-up of time zones by name, and local dates. Decisions §3.7."""

from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from typing import TypeAlias

from faregate.dates.instants import in_utc
from faregate.errors import InvalidInput, InvalidPeriod

AnyZone: TypeAlias = tzinfo | str
"""A time zone (a ``zoneinfo.ZoneInfo``) or its name, such as ``"Europe/Zurich"``."""


def time_zone(zone: AnyZone) -> tzinfo:
    """Return *zone* if it is a time zone; if it is a name, return the zone with that name.

    Raises:
        InvalidInput: the name is unknown.
    """
    if not isinstance(zone, str):
        return zone
    from zoneinfo import ZoneInfo  # slow to import, and most baskets do not need it

    try:
        return UTC if zone == "UTC" else ZoneInfo(zone)
    except (LookupError, ValueError, OSError):  # OSError: the name of a folder of zones
        message = f"unknown time zone {zone!r}, expected a name such as 'Europe/Zurich'"
        raise InvalidInput(message) from None


def local_date(instant: datetime, zone: AnyZone) -> date:
    """Return the date that clocks in *zone* show at *instant*, regardless of the UTC offset of *instant*.

    >>> local_date(datetime.fromisoformat("2026-12-25T23:30:00+00:00"), "Europe/Berlin").isoformat()
    '2026-12-26'

    Raises:
        InvalidPeriod: *instant* has no UTC offset, or is outside the years 1 to 9999 in *zone*.
        InvalidInput: the name of the zone is unknown.
    """
    return _local_date(instant, instant.fold, zone)


@lru_cache(maxsize=4096)  # 83 ns instead of 0.7 to 1.1 us: the rules of a basket need the same few days
def _local_date(instant: datetime, _fold: int, zone: AnyZone) -> date:
    """Return the local date; *_fold* gives datetimes that differ only in ``fold`` separate cache entries."""
    try:
        return in_utc(instant).astimezone(time_zone(zone)).date()
    except OverflowError:
        raise InvalidPeriod(f"{instant.isoformat()} is outside the years 1 to 9999 in {zone}") from None
