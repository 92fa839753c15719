"""The ages that a variant admits, and the age of a person on a day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

MAX_AGE = 150
"""Maximum age in a catalogue, in full years."""


@dataclass(frozen=True, slots=True)
class AgeRange:
    """The ages that a variant admits, in full years; both ends are inclusive."""

    first: int = 0
    last: int = MAX_AGE


def age_on(day: date, *, born: date) -> int:
    """Return the age on *day*, in full years, of a person born on *born*; negative before the birth.

    In common years, a birthday on 29 February counts as 1 March.

    >>> from datetime import date
    >>> age_on(date(2026, 2, 28), born=date(2008, 2, 29)), age_on(date(2026, 3, 1), born=date(2008, 2, 29))
    (17, 18)
    """
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
