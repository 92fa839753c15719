"""Days of pools, and time slots of days, as text in the store that sorts by time; and what codes allow."""

from __future__ import annotations

from datetime import date, time

from faregate.catalogue.pools import PoolSlot

ALLOWANCES = ("a", "z~")
"""Between these texts are the names of what codes allow, kept beside pools; no day is among them."""


def text_of(slot: PoolSlot) -> str:
    """A day, or a time slot of it.

    >>> text_of(PoolSlot("run", date(2026, 12, 27), time(10)))
    '2026-12-27T10:00'
    """
    return f"{slot.day}T{slot.start:%H:%M}" if slot.start else f"{slot.day}"


def slot_of(pool: str, text: str) -> PoolSlot:
    """What a text stands for.

    >>> slot_of("mountain", "2026-12-27")
    PoolSlot(pool='mountain', day=datetime.date(2026, 12, 27), start=None)
    """
    day, _, start = text.partition("T")
    return PoolSlot(pool, date.fromisoformat(day), time.fromisoformat(start) if start else None)


def bounds_of(first: date, last: date) -> tuple[str, str]:
    """Texts between which all slots from *first* to *last* are, both days included.

    >>> bounds_of(date(2026, 12, 27), date(2026, 12, 28))
    ('2026-12-27', '2026-12-28~')
    """
    return first.isoformat(), f"{last.isoformat()}~"


def is_allowance(text: str) -> bool:
    """Whether a text stands for what a code allows.

    >>> is_allowance("uses"), is_allowance("2026-12-27")
    (True, False)
    """
    first, last = ALLOWANCES
    return first <= text <= last
