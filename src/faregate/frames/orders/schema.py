"""Which types the columns of orders may have: said before any value is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faregate.errors import InvalidInput
from faregate.frames.columns.prices import Kind
from faregate.frames.orders.values import is_list, is_text, money_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faregate.frames.orders.fields import Plan

_AMOUNTS = {"unit_price", "floor_price", "recurring_price", "donation"}
_INTS = {"quantity", "key", "product", "variant", "category", "discount_card", "account"}
_BOOLEANS = {"discountable", "counted", "is_subscription"}
_DAYS = {"first_day", "ordered_on"}
_HINT = " (pandas makes floats of ints beside null: make them Int64; of a CSV read decimals as text)"


def check_types(schema: Any, plan: Plan) -> None:
    """Refuse columns of types that cannot be read; *schema* is Arrow's, of columns called as the fields are.

    Raises:
        InvalidInput: all faults together.
    """
    faults = [fault for field in plan.names for fault in _faults(field, schema.field(field).type, plan)]
    if faults:
        raise InvalidInput(*faults)


def _faults(field: str, dtype: Any, plan: Plan) -> Iterator[str]:
    import pyarrow as pa  # only where it is used

    expected = _money_expected(dtype, plan) if field in _AMOUNTS else _expected(field, dtype)
    if expected and not pa.types.is_null(dtype):
        hint = _HINT if pa.types.is_floating(dtype) else ""
        yield f"column {plan.names[field]!r}: expected {expected}, got {dtype}{hint}"


def _money_expected(dtype: Any, plan: Plan) -> str:
    match money_kind(dtype):
        case None:
            return "ints of minor units, or decimals or texts of a currency"
        case Kind.MINOR_UNITS:
            return ""
        case _ if plan.unit is None:
            return "ints of minor units, or a currency to be named"
        case Kind.BINARY_FRACTIONS if plan.rounding is None:
            return "ints, decimals or texts, or a rounding to be named"
        case _:
            return ""


def _expected(field: str, dtype: Any) -> str:
    """What a column should have been; nothing: it is."""
    import pyarrow as pa  # only where it is used

    types = pa.types
    value = dtype.value_type if types.is_dictionary(dtype) else dtype
    if field in _INTS:
        return "" if types.is_integer(value) else "ints"
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
            return "" if is_read else "decimals or texts in percent, or ints in parts per million"
        case "codes":
            return "" if is_text(value) or is_list(value) else "texts, or lists of them"
        case _:
            return "" if is_text(value) else "texts"
