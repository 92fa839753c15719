"""Pools of capacity that products share, per service day or time slot. Decisions §8.3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked
from faregate.catalogue.calendars import Calendar, DayPattern
from faregate.errors import InvalidCatalogue
from faregate.translations import Text


class Counting(Enum):
    """The service days of a validity period on which a product takes units from a pool."""

    EACH_DAY = "EACH_DAY"
    FIRST_DAY = "FIRST_DAY"
    NONE = "NONE"


@dataclass(frozen=True, slots=True)
class PoolUse:
    """A product's use of a pool; if the pool has time slots, each slot used counts as a day."""

    pool: str
    counting: Counting = Counting.EACH_DAY


_PLACES = Whole(0)
_PLACES_OR_UNLIMITED = Whole(0, or_none=True)


@dataclass(frozen=True, slots=True)
@checked(InvalidCatalogue, size=_PLACES_OR_UNLIMITED)
class PoolSize:
    """The size of a pool on some days; None means unlimited."""

    size: int | None
    when: DayPattern = DayPattern()


@dataclass(frozen=True, slots=True)
@checked(InvalidCatalogue, units=_PLACES)
class Blocked:
    """Units of a pool that are not for sale on some days.

    >>> Blocked(-5)
    Traceback (most recent call last):
        ...
    faregate.errors.InvalidCatalogue: units is -5, expected an int of at least 0
    """

    units: int
    when: DayPattern = DayPattern()


@dataclass(frozen=True, slots=True)
class TimeSlot:
    """A part of the day, in local time; an ``end`` at or before the start falls on the next day."""

    start: time
    end: time


@public_value
class PoolSlot(NamedTuple):
    """One day of a pool or, if ``start`` is given, the slot that begins at this local time on that day."""

    pool: str
    day: date
    start: time | None = None


@public_value
class PoolUsage(NamedTuple):
    """The number of units of a `PoolSlot` that are sold, and the number held by open checkouts."""

    sold: int = 0
    held: int = 0


Capacity: TypeAlias = Mapping[PoolSlot, PoolUsage]
"""The usage of each pool-day. For a checkout, leave out its own holds.

Missing pool-days are unused. Pools that the catalogue does not have are ignored, as a store of counts keeps
those of earlier catalogues: ``catalogue.pool`` refuses an unknown name.
"""

NOTHING_TAKEN: Capacity = MappingProxyType({})


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidCatalogue, identifier=object, size=_PLACES_OR_UNLIMITED, name=object)
class Pool:
    """A number of units for sale each day, or in each of ``slots``.

    The first of ``sizes`` that matches a day replaces ``size``. A size of None means unlimited.
    """

    identifier: str
    size: int | None
    sizes: tuple[PoolSize, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    slots: tuple[TimeSlot, ...] = ()
    name: Text = Text()

    def for_sale(self, day: date, calendar: Calendar) -> int | None:
        """Return the number of units for sale on *day* or in each of its slots; None if unlimited."""
        size = self.size
        for entry in self.sizes:
            if entry.when.include(day, calendar):
                size = entry.size
                break
        if size is None:
            return None
        blocked = sum([entry.units for entry in self.blocked if entry.when.include(day, calendar)])
        return max(size - blocked, 0)
