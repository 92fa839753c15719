"""Days, time slots and code limits as text in the store; days and time slots sort chronologically."""

from datetime import date, time

from faregate.catalogue.pools import PoolSlot

ALLOWANCES = ("a", "z~")
"""Lower and upper bound, as text, of the names of code limits, which share a column with days."""


def text_of(slot: PoolSlot) -> str:
    """Return a day or time slot as text.

    >>> text_of(PoolSlot("run", date(2026, 12, 27), time(10)))
    '2026-12-27T10:00'
    """
    return f"{slot.day}T{slot.start:%H:%M}" if slot.start else f"{slot.day}"


def slot_of(pool: str, text: str) -> PoolSlot:
    """Return the day or time slot in *pool* that ``text_of`` wrote as *text*.

    >>> slot_of("mountain", "2026-12-27")
    PoolSlot(pool='mountain', day=datetime.date(2026, 12, 27), start=None)
    """
    day, _, start = text.partition("T")
    return PoolSlot(pool, date.fromisoformat(day), time.fromisoformat(start) if start else None)


def bounds_of(first: date, last: date) -> tuple[str, str]:
    """Return the lower and upper bound, as text, of all slots from *first* to *last* (both inclusive).

    >>> bounds_of(date(2026, 12, 27), date(2026, 12, 28))
    ('2026-12-27', '2026-12-28~')
    """
    return first.isoformat(), f"{last.isoformat()}~"


def is_allowance(text: str) -> bool:
    """Return True if *text* names a code limit and not a slot.

    >>> is_allowance("uses"), is_allowance("2026-12-27")
    (True, False)
    """
    first, last = ALLOWANCES
    return first <= text <= last
