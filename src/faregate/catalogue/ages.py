"""Ages: full years on a day, and the ages that a variant admits. Decisions §13."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

HIGHEST_AGE = 150
"""Bounds the ages of a catalogue."""


@dataclass(frozen=True, slots=True)
class AgeRange:
    """The ages that a variant admits, in full years; both ends are included."""

    first: int = 0
    last: int = HIGHEST_AGE


def age_on(day: date, *, born: date) -> int:
    """Return the age in full years on *day*, which is negative before the birth.

    The birthday of 29 February is 1 March where the year is not a leap year.

    >>> from datetime import date
    >>> age_on(date(2026, 2, 28), born=date(2008, 2, 29)), age_on(date(2026, 3, 1), born=date(2008, 2, 29))
    (17, 18)
    """
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
