"""Days of use by the letter of decisions §8.4, one day after another."""

from collections.abc import Collection
from datetime import date, timedelta


def days_left(first: date, length: int, blackouts: Collection[date], weekdays: Collection[int]) -> list[date]:
    """Return the days of a period that are neither *blackouts* nor on one of *weekdays*."""
    left = []
    for n in range(length):
        day = first + timedelta(days=n)
        if day not in blackouts and day.isoweekday() not in weekdays:
            left.append(day)
    return left
