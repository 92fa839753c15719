"""Columns of dates and whole numbers, processed in chunks; single rows fall back to the scalar functions.

Dates are represented as days since 1970-01-01: a datetime64[D] holds that number, so a view suffices. A row
that cannot be computed with arrays is passed to the scalar function, which computes it or raises the error.
"""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.checks import described, fits_int64
from faregate.dates.months import date_of
from faregate.errors import InvalidInput

Numbers: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Days: TypeAlias = Numbers
"""Days since 1970-01-01."""
Mask: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
Dates: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.datetime64]]
"""Dates of unit D."""

_ORDINAL_OF_1970 = date(1970, 1, 1).toordinal()
FIRST_DAY = date.min.toordinal() - _ORDINAL_OF_1970
LAST_DAY = date.max.toordinal() - _ORDINAL_OF_1970
NOWHERE = -(2**62)
"""Stands for the day of a row without a date; too low to become a date when calendar cycles are added."""

_NOT_A_TIME = np.iinfo(np.int64).min
_DAY = np.dtype("datetime64[D]")
_CHUNK = 16_384
"""Numbers per chunk, few enough for the columns in use to stay in a cache of 1 MB."""


def day_numbers(name: str, value: object) -> Days:
    """Return *value*, a column of dates or one date, as days since 1970-01-01.

    >>> day_numbers("anchor", np.array(["1970-01-02", "2026-11-21"], "datetime64[D]"))
    array([    1, 20778])
    """
    column = np.asarray(value, _DAY) if type(value) is date else _array_of(value)
    if column is None or column.dtype != _DAY or column.ndim > 1:
        raise InvalidInput(f"{name}: expected datetime64[D] [n] or a date, got {described(value)}")
    return column.view(np.int64)


def whole_numbers(name: str, value: object) -> Numbers:
    """Return *value*, a column of ints or one int, as int64."""
    is_int = type(value) is int and -(2**63) <= value < 2**63
    column = np.asarray(value, np.int64) if is_int else _array_of(value)
    if column is None or not fits_int64(column.dtype) or column.ndim > 1:
        raise InvalidInput(f"{name}: expected int64 [n] or an int of 64 bits, got {described(value)}")
    return column.astype(np.int64, copy=False)


def _array_of(value: object) -> npt.NDArray[Any] | None:
    return np.asarray(value) if isinstance(value, np.ndarray | np.generic) else None


def aligned(**columns: Numbers) -> tuple[tuple[int, ...], list[Numbers]]:
    """Return the common shape of *columns* (``[]`` if all are single values), and each column as ``[rows]``.

    >>> aligned(anchor=np.array([5, 6]), index=np.array(3))
    ((2,), [array([5, 6]), array([3, 3])])
    """
    try:
        shape = np.broadcast_shapes(*[column.shape for column in columns.values()])
    except ValueError:
        sizes = ", ".join(f"{name} {list(column.shape)}" for name, column in columns.items())
        raise InvalidInput(f"columns differ in length: {sizes}") from None
    return shape, [np.broadcast_to(column, shape).reshape(-1) for column in columns.values()]


def chunks(rows: int, *, width: int = 1) -> Iterator[slice]:
    """Yield slices of consecutive rows that fit in the cache; each row has *width* numbers."""
    step = max(1, _CHUNK // max(1, width))
    for start in range(0, rows, step):
        yield slice(start, start + step)


def is_in_calendar(days: Days) -> bool:
    """Return True if all *days* are in the years 1 to 9999 and no day is NaT."""
    return bool(days.min(initial=0) >= FIRST_DAY and days.max(initial=0) <= LAST_DAY)


def within_calendar(days: Days, *given: Days) -> Days:
    """Set *days* to ``NOWHERE`` in rows in which a day in *given* is outside the calendar; return *days*."""
    for own in given:
        if not is_in_calendar(own):
            days[(own < FIRST_DAY) | (own > LAST_DAY)] = NOWHERE
    return days


def answer_by_row(result: npt.NDArray[Any], rows: npt.NDArray[np.intp], ask: Callable[[int], object]) -> None:
    """Call *ask* for each of the *rows* and write its answer to that row of *result*.

    Raises:
        InvalidInput: *ask* rejects a row; the error keeps its class, and the message begins with the row.
    """
    for row in rows.tolist():
        try:
            result[row] = ask(row)
        except InvalidInput as fault:
            raise type(fault)(f"row {row}: {fault}") from None


def date_in(column: Days, row: int, *, name: str) -> date:
    """Return the date in one *row* of *column*; *name* is used in errors."""
    day = int(column[row])
    if day == _NOT_A_TIME:
        raise InvalidInput(f"{name} is NaT, expected a date")
    return date_of(day + _ORDINAL_OF_1970)
