"""Body and answer of the price at the gate, with the names and types of the specification."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from faregate.access_rules import MOST_UNITS

__all__ = ["AccessPriceBody", "AccessPriceView"]

_LARGEST_SAFE = 2**53 - 1


def _or_null(flag: object) -> object:
    """An empty object says nothing (decisions §9)."""
    return None if flag == {} else flag


Moment: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=40)]
GateId: TypeAlias = Annotated[int, Field(ge=1, le=_LARGEST_SAFE)]
Name: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Flag: TypeAlias = Annotated[
    bool | None,
    BeforeValidator(_or_null),
    WithJsonSchema(
        {"anyOf": [{"type": "boolean"}, {"type": "object", "maxProperties": 0}, {"type": "null"}]}
    ),
]


class AccessPriceBody(BaseModel):
    """What is to be priced: so many units for a time, ordered at a time, of what one of the id pairs names.

    Times are date-times with or without offset, or dates, of which that in ``valid_to`` is included.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    valid_from: Moment
    order_date: Moment
    valid_to: Moment | None = None
    quantity: Annotated[int, Field(ge=1, le=MOST_UNITS)]
    currency_code: Annotated[str, StringConstraints(pattern="^[A-Z]{3}$")]
    dta_product_id: GateId | None = None
    dta_consumer_category: GateId | None = None
    system_product_id: Name | None = None
    system_consumer_category: Name | None = None
    depot_flag: Flag = None
    is_online_pos: Flag = None


class AccessPriceView(Struct, gc=False):
    """The list price with VAT, of one unit and of all."""

    calculated_price_cents: Annotated[int, Meta(description="In the currency's smallest unit.")]
    unit_price_cents: Annotated[int, Meta(description="In the currency's smallest unit.")]
    currency_code: str
