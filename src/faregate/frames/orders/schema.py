"""Checks of the column types of orders, before any value is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from faregate.errors import InvalidInput
from faregate.frames.columns.prices import Kind
from faregate.frames.orders.fields import ID_FIELDS, Plan
from faregate.frames.orders.values import is_list, is_text, money_kind

_AMOUNTS = {"unit_price", "floor_price", "recurring_price", "donation"}
_INTS = {"quantity", "key", *ID_FIELDS}
_BOOLEANS = {"discountable", "counted", "is_subscription"}
_DAYS = {"first_day", "ordered_on"}
_HINT = " (pandas stores ints with nulls as floats: use Int64; read decimals from CSV as strings)"


def check_types(schema: Any, plan: Plan) -> None:
    """Check the column types in *schema*, an Arrow schema whose columns are named after fields."""
    faults = [fault for field in plan.names for fault in _faults(field, schema.field(field).type, plan)]
    if faults:
        raise InvalidInput(*faults)


def _faults(field: str, dtype: Any, plan: Plan) -> Iterator[str]:
    expected = _money_expected(dtype, plan) if field in _AMOUNTS else _expected(field, dtype)
    if expected and not pa.types.is_null(dtype):
        hint = _HINT if pa.types.is_floating(dtype) else ""
        yield f"column {plan.names[field]!r}: expected {expected}, got {dtype}{hint}"


def _money_expected(dtype: Any, plan: Plan) -> str:
    match money_kind(dtype):
        case None:
            return "ints of minor units, or decimals or strings of a currency"
        case Kind.MINOR_UNITS:
            return ""
        case _ if plan.unit is None:
            return "ints of minor units (or pass a currency)"
        case Kind.BINARY_FRACTIONS if plan.rounding is None:
            return "ints, decimals or strings (or pass a rounding)"
        case _:
            return ""


def _expected(field: str, dtype: Any) -> str:
    """Return a description of the type that *field* needs, or an empty string if *dtype* is suitable."""
    types = pa.types
    value = dtype.value_type if types.is_dictionary(dtype) else dtype
    if field in _INTS:
        is_id = field in ID_FIELDS
        is_read = types.is_integer(value) or (is_id and is_text(value))
        return "" if is_read else "ints or strings" if is_id else "ints"
    if field in _BOOLEANS:
        return "" if types.is_boolean(value) else "booleans"
    if field in _DAYS:
        is_day = types.is_date(value) or (types.is_timestamp(value) and value.tz is None)
        return "" if is_day else "dates"
    match field:
        case "by":
            return "ids" if types.is_nested(value) or types.is_floating(value) else ""
        case "ordered_at":
            return "" if types.is_timestamp(value) else "instants, with a zone or in UTC"
        case "rate":
            is_read = is_text(value) or types.is_integer(value) or types.is_decimal(value)
            return "" if is_read else "decimals or strings in percent, or ints in parts per million"
        case "codes":
            return "" if is_text(value) or is_list(value) else "strings, or lists of them"
        case _:
            return "" if is_text(value) else "strings"
