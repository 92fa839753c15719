"""Pools of capacity in a catalogue file: their sizes, time slots and use by products.

::

    pools:
      - identifier: sledge-run
        size: 40
        sizes: [{size: 60, when: {weekdays: [6, 7]}}]
        blocked: [{units: 20, when: {dates: ["12-25"]}}]
        slots: [{from: "10:00", to: "12:00"}, {from: "12:00", to: "14:00"}]
      - {identifier: car-park, size: unlimited}
"""

from typing import Annotated, TypeAlias

from pydantic import Field, PlainValidator

from faregate.catalogue.pools import Blocked, Counting, Pool, PoolSize, PoolUse, TimeSlot
from faregate.files.catalogue.calendars import EVERY_DAY, WhenEntry
from faregate.files.fields.models import Entry
from faregate.files.fields.types import Count, ListOf, LocalTime, Name, OneOf, Words
from faregate.files.text.issues import shown

_MAX_UNITS = 10**9


def _read_units(value: object) -> int | None:
    """Return a number of units, or None for the text ``unlimited``; null is an error."""
    if value == "unlimited":
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MAX_UNITS:
        raise ValueError(f"expected 0 to {_MAX_UNITS} or unlimited, got {shown(value)}")
    return value


_Units: TypeAlias = Annotated[int | None, PlainValidator(_read_units)]


class PoolSizeEntry(Entry[PoolSize]):
    """The size of a pool on the days in ``when``: a number of units or ``unlimited``."""

    size: _Units
    when: WhenEntry = EVERY_DAY


class BlockedEntry(Entry[Blocked]):
    """A number of units of a pool that are not for sale on the days in ``when``."""

    units: Count
    when: WhenEntry = EVERY_DAY


class TimeSlotEntry(Entry[TimeSlot]):
    """A slot such as ``{from: "10:00", to: "11:00"}``; a ``to`` that is not later is on the next day."""

    start: Annotated[LocalTime, Field(alias="from")]
    end: Annotated[LocalTime, Field(alias="to")]


class PoolEntry(Entry[Pool]):
    """A pool of units for sale each day or, if it has ``slots``, in each slot of a day.

    The first of ``sizes`` that matches a day applies to it; if none matches, ``size`` applies.
    """

    identifier: Name
    name: Words | None = None
    size: _Units
    sizes: ListOf[PoolSizeEntry] = ()
    blocked: ListOf[BlockedEntry] = ()
    slots: ListOf[TimeSlotEntry] = ()


class PoolUseEntry(Entry[PoolUse]):
    """A product's use of a pool: units are taken on each day of the validity, on the first day, or never."""

    pool: Name
    counting: OneOf[Counting] = Counting.EACH_DAY
