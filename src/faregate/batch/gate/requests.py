"""Gate price requests in columns. Decisions §9."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from faregate.arguments.fields import field_names, fields_of
from faregate.batch.columns.checks import described
from faregate.batch.columns.values import whole_numbers
from faregate.errors import InvalidInput
from faregate.gate.requests import GateRequest, Moment

Column: TypeAlias = npt.NDArray[np.generic]
Case: TypeAlias = tuple[tuple[type, Any, int], ...]
"""Type, value and fold of each field."""

_INSTANT = np.dtype("datetime64[us]")
_TIMES = frozenset({"h", "m", "s", "ms", "us", "ns"})


@dataclass(frozen=True, slots=True, eq=False)
class GateColumns:
    """Price requests from gates: fields of ``GateRequest``, each an array ``[n]`` or one value for all.

    Dates are datetime64[D]. Times, in any unit from hours to nanoseconds, are local to the merchant, like
    date-times without an offset; strings may have an offset. Numbers are integers, truth values bool, and all
    other fields strings. NaT means None; an array of objects may hold None and any value valid in a request.
    Equal requests are priced once, so pass the day of the order without the time if only the day counts.

    Raises:
        InvalidInput: an array does not have exactly one axis, or the arrays differ in length.
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
            raise InvalidInput(f"expected arrays [n] of the same length, got {sizes}")

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n,)``, or ``()`` for a single request in which no field is an array."""
        return next((column.shape for _, column in self.arrays()), ())

    def take(self, rows: Column | list[int]) -> GateColumns:
        """Return the requests in some *rows*, given as indexes or as a mask."""
        return replace(self, **{name: column[rows] for name, column in self.arrays()})

    def rows(self) -> Iterator[GateRequest]:
        """Yield the requests, row by row.

        Raises:
            InvalidInput: a column has a dtype that the class does not accept.
        """
        count = math.prod(self.shape)
        names = field_names(GateRequest)
        columns = {name: _values(name, getattr(self, name), count) for name in names if name != "quantity"}
        quantities = np.broadcast_to(whole_numbers("quantity", self.quantity), self.shape)
        columns["quantity"] = quantities.reshape(-1).tolist()
        rows = zip(*[columns[name] for name in names], strict=True)
        return (GateRequest(**dict(zip(names, row, strict=True))) for row in rows)

    def arrays(self) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """Yield the fields that are arrays, with their names."""
        for name in field_names(GateRequest):
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                yield name, value


def _values(name: str, value: Any, count: int) -> list[Any]:
    if not isinstance(value, np.ndarray | np.generic):
        return [value] * count
    values: list[Any] = _readable(name, np.atleast_1d(value)).tolist()
    return values if isinstance(value, np.ndarray) else values * count


def _readable(name: str, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return *column* in a dtype whose values a request can hold."""
    kind, unit = column.dtype.kind, np.datetime_data(column.dtype)[0] if column.dtype.kind == "M" else ""
    if kind in "iu":
        return whole_numbers(name, column)
    if unit in _TIMES:
        return column.astype(_INSTANT)
    if kind in "bUTO" or unit == "D":
        return column
    raise InvalidInput(
        f"{name}: expected dates, times, integers, bools, strings or objects, got {described(column)}"
    )


def case_of(request: GateRequest) -> Case:
    """Return a cache key that tells apart equal values, such as 1 and True, or times with fold 0 and 1.

    Raises:
        InvalidInput: *request* has a value that is not hashable.
    """
    case = tuple([(type(value), value, getattr(value, "fold", 0)) for value in fields_of(request).values()])
    try:
        hash(case)
    except TypeError as error:
        raise InvalidInput(f"expected values that a gate request can hold: {error}") from None
    return case
