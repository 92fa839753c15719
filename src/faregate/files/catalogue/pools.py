"""Pools of places, in a catalogue file: how many there are, when, and who takes them.

::

    pools:
      - identifier: sledge-run
        size: 40
        sizes: [{size: 60, when: {weekdays: [6, 7]}}]
        blocked: [{units: 20, when: {dates: ["12-25"]}}]
        slots: [{from: "10:00", to: "12:00"}, {from: "12:00", to: "14:00"}]
      - {identifier: car-park, size: unlimited}
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field, PlainValidator

from faregate.catalogue.pools import Blocked, Counting, Pool, PoolSize, PoolUse, TimeSlot
from faregate.files.catalogue.calendars import EVERY_DAY, WhenEntry
from faregate.files.fields.types import Count, FileModel, ListOf, LocalTime, Name
from faregate.files.fields.words import Words
from faregate.files.text.faults import shown
from faregate.translations import Text

_MOST_PLACES = 10**9


def _read_places(value: object) -> int | None:
    """None for ``unlimited``; nothing at all is no size, lest a forgotten number opens a pool to everyone."""
    if value == "unlimited":
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_PLACES:
        raise ValueError(f"expected 0 to {_MOST_PLACES} or unlimited, got {shown(value)}")
    return value


_Places: TypeAlias = Annotated[int | None, PlainValidator(_read_places)]


class PoolSizeEntry(FileModel):
    """How many places there are on some days; ``unlimited``: as many as are wanted."""

    size: _Places
    when: WhenEntry = EVERY_DAY

    def to_core(self) -> PoolSize:
        """The core's value."""
        return PoolSize(self.size, self.when.to_core())


class BlockedEntry(FileModel):
    """Places that are not for sale on some days."""

    units: Count
    when: WhenEntry = EVERY_DAY

    def to_core(self) -> Blocked:
        """The core's value."""
        return Blocked(self.units, self.when.to_core())


class TimeSlotEntry(FileModel):
    """``{from: "10:00", to: "11:00"}``, local time; an end at or before the start is on the next day."""

    start: Annotated[LocalTime, Field(alias="from")]
    end: Annotated[LocalTime, Field(alias="to")]

    def to_core(self) -> TimeSlot:
        """The core's value."""
        return TimeSlot(self.start, self.end)


class PoolEntry(FileModel):
    """Places for sale each day, or in each of ``slots``; the first of ``sizes`` that fits a day counts."""

    identifier: Name
    name: Words | None = None
    size: _Places
    sizes: ListOf[PoolSizeEntry] = ()
    blocked: ListOf[BlockedEntry] = ()
    slots: ListOf[TimeSlotEntry] = ()

    def to_core(self) -> Pool:
        """The core's value."""
        return Pool(
            identifier=self.identifier,
            size=self.size,
            sizes=tuple(entry.to_core() for entry in self.sizes),
            blocked=tuple(entry.to_core() for entry in self.blocked),
            slots=tuple(slot.to_core() for slot in self.slots),
            name=self.name.to_core() if self.name else Text(),
        )


class PoolUseEntry(FileModel):
    """That a product takes places of a pool: on each day of its validity, on its first day, or on none."""

    pool: Name
    counting: Annotated[Counting, Field(strict=False)] = Counting.EACH_DAY

    def to_core(self) -> PoolUse:
        """The core's value."""
        return PoolUse(self.pool, self.counting)
