"""Bodies of the checkout operations, with the names and types of the specification.

Pydantic models: nothing is converted, nothing unknown is accepted, and every fault is found.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import Field, StringConstraints

from faregate_http.schemas.base import Body, CatalogueId, Moment

_LARGEST_CLIENT_ID = 2**31 - 1

ClientId: TypeAlias = Annotated[int, Field(ge=1, le=_LARGEST_CLIENT_ID)]


class ValidityEntry(Body):
    """When an item is valid: date-times with or without offset, or dates of which ``to`` is included."""

    start: Annotated[Moment, Field(alias="from")]
    end: Annotated[Moment, Field(alias="to")]


class ItemEntry(Body):
    """One unit. ``id`` is the client's number for it; sending the same again changes nothing."""

    id: ClientId
    product_variant_id: CatalogueId
    person_id: CatalogueId | None
    validity: ValidityEntry | None
    parent_item_id: CatalogueId | None
    originated_item_id: CatalogueId | None
    discount_card_type_id: CatalogueId | None


class AddItemsBody(Body):
    """Items to add."""

    items: Annotated[list[ItemEntry], Field(max_length=500)]


class ConditionsBody(Body):
    """Answers to the form, merged into those there are (RFC 7396: null removes one)."""

    form_values: Annotated[dict[str, Any], Field(max_length=200)]


class QuantityBody(Body):
    """How many copies of the item to add, or, below 0, to remove."""

    delta: Annotated[
        int,
        Field(
            ge=-1_000_000,
            le=1_000_000,
            json_schema_extra={"not": {"type": "integer", "enum": [0]}},
        ),
    ]


class VoucherBody(Body):
    """A promo code or a voucher, as someone typed it."""

    voucher_code: Annotated[str, StringConstraints(min_length=1, max_length=64)]
