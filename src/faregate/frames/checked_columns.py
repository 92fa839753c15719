"""Which columns of a frame can be read as prices and groups: their types, before any value is looked at."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import narwhals.stable.v2 as nw

from faregate.errors import InvalidInput
from faregate.frames.faulty_rows import cells
from faregate.frames.price_columns import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from faregate.frames.engines import Frame
    from faregate.frames.price_columns import PriceColumn

__all__ = ["CATEGORIES", "checked_kind"]

CATEGORIES = {nw.Categorical, nw.Enum}
_TEXTS = {nw.String, *CATEGORIES}
_GROUPS = _TEXTS | {nw.Boolean, nw.Date, nw.Datetime, nw.Int8, nw.Int16, nw.Int32, nw.Int64}
_GROUPS |= {nw.UInt8, nw.UInt16, nw.UInt32, nw.UInt64, nw.Object}
_GROUP_OBJECTS: list[set[type]] = [{str}, {bool}, {int}, {date}, {datetime}]
_OBJECTS_EXPECTED = "give Decimals or texts as prices, texts, ints, booleans or dates as groups"
_EXACT = "read it as text or decimals, or say how to round, as rounding=RoundingMode.HALF_UP"
_HINT = " (so pandas has ints beside null: make them Int64)"


def checked_kind(frame: Frame, column: PriceColumn, by: Sequence[str]) -> Kind:
    """How the prices of *frame* are to be read.

    Raises:
        InvalidInput: a column is missing or of a type that cannot be read so, all faults together.
    """
    schema = frame.collect_schema()
    asked = [column.name, *by, *filter(None, [column.currency_column])]
    missing = [
        f"no column {name!r} among {', '.join(map(repr, schema))}" for name in asked if name not in schema
    ]
    if missing:
        raise InvalidInput(*missing)
    kind = kind_of(schema[column.name])
    faults = [*_price_faults(frame, column, kind), *_group_faults(frame, column, by)]
    if kind is None or faults:
        raise InvalidInput(*faults)
    return kind


def _price_faults(frame: Frame, column: PriceColumn, kind: Kind | None) -> Iterator[str]:
    shown, dtype = f"column {column.name!r}", _shown_type(frame, column.name)
    if column.unit is None and column.currency_column is None and kind is not Kind.MINOR_UNITS:
        yield f"{shown}: {dtype} is in major units of a currency: say which, as currency='CHF'"
    match kind:
        case None:
            yield f"{shown}: expected ints, decimals, texts or Float64, got {dtype}"
        case Kind.BINARY_FRACTIONS if column.rounding is None:
            yield f"{shown}: {dtype} is not exact: {_EXACT}"
        case Kind.MAJOR_UNITS if frame.collect_schema()[column.name] == nw.Object:
            yield from _object_faults(frame, column.name, [{Decimal, str}])
        case _:
            pass


def _shown_type(frame: Frame, name: str) -> str:
    dtype = frame.collect_schema()[name]
    return f"{dtype}{_HINT if dtype.is_float() and _has_ints_beside_null(frame, name) else ''}"


def _has_ints_beside_null(frame: Frame, name: str) -> bool:
    """Whether a column of binary fractions is what pandas makes of ints of which some are missing."""
    engine: nw.Implementation = frame.implementation
    if engine is not nw.Implementation.PANDAS or isinstance(frame, nw.LazyFrame):
        return False
    values = cells(frame, name)
    given = [value for value in values if value is not None]
    return len(given) < len(values) and all(value.is_integer() for value in given)


def _object_faults(frame: Frame, name: str, allowed: Iterable[set[type]]) -> Iterator[str]:
    """Before they are counted, since 1, True and Decimal(1) would be counted together."""
    if isinstance(frame, nw.LazyFrame):
        yield f"column {name!r}: objects in a lazy frame: give one of the engine's own types"
        return
    types = {type(value) for value in cells(frame, name) if value is not None}
    if not any(types <= own for own in allowed):
        shown = ", ".join(sorted(own.__name__ for own in types))
        yield f"column {name!r}: objects of {shown}: {_OBJECTS_EXPECTED}"


def _group_faults(frame: Frame, column: PriceColumn, by: Sequence[str]) -> Iterator[str]:
    schema = frame.collect_schema()
    if len(set(by)) < len(by) or column.name in by:
        yield f"by: expected other columns than {column.name!r}, each once, got {', '.join(map(repr, by))}"
    for name in by:
        if schema[name].base_type() not in _GROUPS:
            shown = _shown_type(frame, name)
            yield f"column {name!r}: no groups of {shown}: give texts, ints, booleans or dates"
        if schema[name] == nw.Object:
            yield from _object_faults(frame, name, _GROUP_OBJECTS)
    own = column.currency_column
    if own is not None and schema[own] not in _TEXTS:
        yield f"column {own!r}: expected codes of currencies, got {schema[own]}"
