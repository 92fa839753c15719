"""Requests of gates in columns, and which of them are alike. Decisions §9."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from faregate.arguments.fields import field_names
from faregate.batch.columns.checks import described
from faregate.batch.columns.values import whole_numbers
from faregate.errors import InvalidInput
from faregate.gate.requests import GateRequest, Moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faregate.batch.columns.values import Numbers

Column: TypeAlias = npt.NDArray[np.generic]

_MOST_TABLED = 2**20
"""Of so many possible numbers a table is made: many times as fast as sorting those there are."""
_LATE = 2**62
_INSTANT = np.dtype("datetime64[us]")
_TIMES = frozenset({"h", "m", "s", "ms", "us", "ns"})
_PLAIN_TYPES = frozenset({str, int, bool, date})
"""Of one of these types alone, what is equal means the same; 1 and True, or fold 0 and 1, do not."""


@dataclass(frozen=True, slots=True, eq=False)
class GateColumns:
    """What gates ask the prices of: the fields of ``GateRequest``, an array ``[n]`` or one value for all.

    Dates are datetime64[D]; times, of a unit from hours to nanoseconds, are local ones of the merchant, as
    date-times without offset are; texts may have an offset. Numbers are integers, flags bool, all else texts.
    NaT is None, and an array of objects may hold None and whatever else a request may. What is alike is
    priced once: where the day of an order is all that counts, say no more than the day.

    Raises:
        InvalidInput: arrays have other axes, or differ in length.
    """

    valid_from: Column | Moment
    order_date: Column | Moment
    quantity: npt.NDArray[np.integer] | int
    currency_code: Column | str
    valid_to: Column | Moment | None = None
    dta_product_id: Column | int | None = None
    dta_consumer_category: Column | int | None = None
    system_product_id: Column | str | None = None
    system_consumer_category: Column | str | None = None
    depot_flag: Column | bool | None = None
    is_online_pos: Column | bool | None = None

    def __post_init__(self) -> None:
        shapes = {column.shape for _, column in self.arrays()}
        if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
            sizes = ", ".join(f"{name} {list(column.shape)}" for name, column in self.arrays())
            raise InvalidInput(f"expected arrays [n] of one length: {sizes}")

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n,)``, or that of a single request where nothing is an array."""
        return next((column.shape for _, column in self.arrays()), ())

    def take(self, rows: Column) -> GateColumns:
        """The requests of some *rows*: their numbers, or a bool for each."""
        return replace(self, **{name: column[rows] for name, column in self.arrays()})

    def request(self, row: int) -> GateRequest:
        """The request of one row."""
        values = ((name, getattr(self, name)) for name in field_names(GateRequest))
        return GateRequest(**{name: _value_at(name, value, row) for name, value in values})

    def arrays(self) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """The fields that are not one value for all, with their names."""
        for name in field_names(GateRequest):
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                yield name, value


def _value_at(name: str, value: Any, row: int) -> Any:
    match value:
        case np.ndarray():
            return readable(name, value[row : row + 1]).tolist()[0]
        case np.generic():
            return readable(name, value.reshape(1)).tolist()[0]
        case _:
            return value


def readable(name: str, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """*column* in a dtype whose values are what a request holds.

    Raises:
        InvalidInput: there is none.
    """
    kind, unit = column.dtype.kind, np.datetime_data(column.dtype)[0] if column.dtype.kind == "M" else ""
    if kind in "iu":
        return whole_numbers(name, column)
    if unit in _TIMES:
        return column.astype(_INSTANT)
    if kind in "bUTO" or unit == "D":
        return column
    raise InvalidInput(
        f"{name}: expected dates, times, integers, flags, texts or objects, got {described(column)}"
    )


# ---------------------------------------------------------------- which of them are alike


class Alike(NamedTuple):
    """What is alike has one number, from 0 to before ``size``."""

    numbers: Numbers
    size: int

    def also(self, other: Alike) -> Alike:
        """What is alike in both."""
        return _renumbered(self.numbers * other.size + other.numbers, self.size * other.size)

    def first_rows(self) -> Numbers:
        """Where each number stands first."""
        rows = np.empty(self.size, np.int64)
        rows[self.numbers[::-1]] = np.arange(len(self.numbers))[::-1]  # of several, the last one stays
        return rows


def cases_of(requests: GateColumns) -> Alike:
    """Which of *requests* are alike in all but their quantity.

    >>> days = np.array(["2027-01-09", "2027-01-10", "2027-01-09"], "datetime64[D]")
    >>> cases_of(GateColumns(days, "2027-01-02", np.array([1, 2, 3]), "CHF")).numbers
    array([0, 1, 0])
    """
    count = math.prod(requests.shape)
    cases = Alike(np.zeros(count, np.int64), min(count, 1))
    for name, column in requests.arrays():
        if name != "quantity":
            cases = cases.also(alike_in(readable(name, column)))
    return cases


def _renumbered(numbers: Numbers, size: int) -> Alike:
    """Numbers below *size* without the gaps between them."""
    if size > _MOST_TABLED:
        found, inverse = np.unique(numbers, return_inverse=True)
        return Alike(inverse, len(found))
    is_used = np.zeros(size, np.bool_)
    is_used[numbers] = True
    return Alike((np.cumsum(is_used) - 1)[numbers], int(is_used.sum()))


def alike_in(column: npt.NDArray[Any]) -> Alike:
    """Which rows of a ``readable`` column are alike."""
    if column.dtype.kind in "UTO":
        return _of_objects(column.tolist())
    numbers = column.astype(np.int64)
    if column.dtype.kind == "M":
        # NaT is far from all else; just before the earliest, the numbers stay as close as they are.
        is_none = np.isnat(column)
        numbers[is_none] = numbers.min(initial=_LATE, where=~is_none) - 1
    if not len(numbers):
        return Alike(numbers, 0)
    least = int(numbers.min())
    size = int(numbers.max()) - least + 1
    return _renumbered(numbers - least if size <= _MOST_TABLED else numbers, size)


def _of_objects(values: Sequence[Any]) -> Alike:
    types = {type(value) for value in values} - {NoneType}
    if len(types) > 1 or not types <= _PLAIN_TYPES:
        values = [(type(value), value, getattr(value, "fold", 0)) for value in values]
    try:
        number_of = {value: number for number, value in enumerate(dict.fromkeys(values))}
    except TypeError as error:
        raise InvalidInput(f"expected objects that a request may hold: {error}") from None
    return Alike(np.fromiter(map(number_of.__getitem__, values), np.int64, len(values)), len(number_of))
