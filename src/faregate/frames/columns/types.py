"""Checks of column types for prices and groups, before any value is read."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal

import narwhals.stable.v2 as nw

from faregate.errors import InvalidInput, UnitRequired
from faregate.frames.columns.faults import cells
from faregate.frames.columns.groups import CATEGORIES, is_own_array
from faregate.frames.columns.prices import Kind, PriceColumn, PriceUnit, kind_of
from faregate.frames.engines import Frame
from faregate.money.amounts import format_minor_units

COUNT = "count"
"""Name of the column of counts that ``price_counts`` returns."""

_TEXTS = {nw.String, *CATEGORIES}
_GROUPS = _TEXTS | {nw.Boolean, nw.Date, nw.Datetime, nw.Int8, nw.Int16, nw.Int32, nw.Int64}
_GROUPS |= {nw.UInt8, nw.UInt16, nw.UInt32, nw.UInt64, nw.Float32, nw.Float64, nw.Object}
_GROUP_OBJECTS: list[set[type]] = [{str}, {bool}, {int}, {date}, {datetime}]
_OBJECTS_EXPECTED = "use Decimals or strings as prices, strings, ints, booleans or dates as groups"
_EXACT = "read it as strings or decimals, or pass a rounding, as in rounding=RoundingMode.HALF_UP"
_HINT = " (pandas stores ints with nulls like this: use Int64)"


def checked_kind(frame: Frame, column: PriceColumn, by: Sequence[str]) -> Kind:
    """Check that the prices and groups in *frame* can be read, and return the kind of the price column."""
    schema = frame.collect_schema()
    needed = [column.name, *by, *filter(None, [column.currency_column, column.count])]
    missing = [
        f"no column {name!r} among {', '.join(map(repr, schema))}"
        + (": pass the name of the price column as price" if name == column.name else "")
        for name in needed
        if name not in schema
    ]
    if missing:
        raise InvalidInput(*missing)
    kind = kind_of(schema[column.name])
    faults = [
        *_price_faults(frame, column, kind),
        *_group_faults(frame, column, by),
        *_count_faults(frame, column, by),
    ]
    if kind is None or faults:
        raise InvalidInput(*faults)
    if kind is Kind.MINOR_UNITS and column.unit is PriceUnit.MAJOR:
        return Kind.MAJOR_UNITS
    if kind is Kind.MINOR_UNITS and column.unit is None and _is_ambiguous(column):
        raise UnitRequired(_both_readings(frame, column))
    return kind


def _is_ambiguous(column: PriceColumn) -> bool:
    """Return True if ints could be minor or major units, because their currency has or may have decimals."""
    stated = column.stated_currency
    return column.currency_column is not None if stated is None else stated.exponent > 0


def _both_readings(frame: Frame, column: PriceColumn) -> str:
    """Return an error message that shows the first price as minor units and as major units."""
    first = frame.select(nw.col(column.name)).head(1)
    values = cells(first.collect() if isinstance(first, nw.LazyFrame) else first, column.name)
    stated = column.stated_currency
    ways = "pass unit='minor' or unit='major'"
    if stated is None or not values or values[0] is None:
        return f"column {column.name!r}: ints with a currency could be minor or major units: {ways}"
    minor, major = (format_minor_units(int(values[0]) * scale, stated) for scale in (1, 10**stated.exponent))
    return (
        f"column {column.name!r}: {values[0]} is {stated.code} {minor} in minor units,"
        f" {stated.code} {major} in major units: {ways}"
    )


def _price_faults(frame: Frame, column: PriceColumn, kind: Kind | None) -> Iterator[str]:
    shown, dtype = f"column {column.name!r}", _shown_type(frame, column.name)
    if not column.has_currency and (kind is not Kind.MINOR_UNITS or column.unit is PriceUnit.MAJOR):
        yield f"{shown}: {dtype} is in major units of a currency: pass it, as in currency='CHF'"
    if column.unit is PriceUnit.MINOR and kind is not Kind.MINOR_UNITS:
        yield f"{shown}: {dtype} is in major units: unit='minor' is for ints"
    match kind:
        case None:
            yield f"{shown}: expected ints, decimals, strings or Float64, got {dtype}"
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
    """Return True if the column *name* probably held ints, which pandas converted because of nulls."""
    engine: nw.Implementation = frame.implementation
    if engine is not nw.Implementation.PANDAS or isinstance(frame, nw.LazyFrame):
        return False
    values = cells(frame, name)
    given = [value for value in values if value is not None]
    return len(given) < len(values) and all(value.is_integer() for value in given)


def _object_faults(frame: Frame, name: str, allowed: Iterable[set[type]]) -> Iterator[str]:
    """Yield an error unless the types of the objects in a column are all in one of the *allowed* sets.

    Mixed types are refused, since 1, True and Decimal(1) would be counted as equal.
    """
    if isinstance(frame, nw.LazyFrame):
        yield f"column {name!r}: objects in a lazy frame: use one of the engine's own types"
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
        if schema[name].base_type() not in _GROUPS and not is_own_array(frame, name):
            yield f"column {name!r}: cannot group by {schema[name]}: use strings, numbers, booleans or dates"
        if schema[name] == nw.Object:
            yield from _object_faults(frame, name, _GROUP_OBJECTS)
    own = column.currency_column
    if own is not None and schema[own].base_type() not in _TEXTS:
        yield f"column {own!r}: expected currency codes, got {schema[own]}"


def _count_faults(frame: Frame, column: PriceColumn, by: Sequence[str]) -> Iterator[str]:
    schema, own = frame.collect_schema(), column.count
    taken = {column.name, *by}
    if own is None:
        if COUNT in schema and COUNT not in taken and schema[COUNT].is_integer():
            yield (
                f"column {COUNT!r}: each row counts once, regardless of its value: pass count={COUNT!r} if"
                " these are the counts of the prices, or leave the column out"
            )
    elif own in taken or own == column.currency_column:
        yield f"count: expected a column of its own, got {own!r}"
    elif not schema[own].is_integer():
        yield f"column {own!r}: expected counts as ints, got {_shown_type(frame, own)}"
