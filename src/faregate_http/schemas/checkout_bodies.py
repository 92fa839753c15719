"""Bodies of the checkout operations, with the specification's names and types.

They are pydantic models that convert no values, reject unknown properties and report all errors.
"""

from typing import Annotated, Any, TypeAlias

from pydantic import Field, StringConstraints

from faregate_http.schemas.base import Body, CatalogueId, Moment

_LARGEST_CLIENT_ID = 2**31 - 1

ClientId: TypeAlias = Annotated[int, Field(ge=1, le=_LARGEST_CLIENT_ID)]


class ValidityEntry(Body):
    """Period of validity: date-times with or without UTC offset, or dates with an inclusive ``to``."""

    start: Annotated[Moment, Field(alias="from")]
    end: Annotated[Moment, Field(alias="to")]


class ItemEntry(Body):
    """One unit to add. ``id`` is the client's number for the item; sending an item again changes nothing."""

    id: ClientId
    product_variant_id: CatalogueId
    person_id: CatalogueId | None
    validity: ValidityEntry | None
    parent_item_id: CatalogueId | None
    originated_item_id: CatalogueId | None
    discount_card_type_id: CatalogueId | None


class AddItemsBody(Body):
    """Items to add to a checkout."""

    items: Annotated[list[ItemEntry], Field(max_length=500)]


class ConditionsBody(Body):
    """Answers to the form, merged into the existing ones (RFC 7396: null removes an answer)."""

    form_values: Annotated[dict[str, Any], Field(max_length=200)]


class QuantityBody(Body):
    """Number of copies of an item to add, or to remove if negative."""

    delta: Annotated[
        int,
        Field(
            ge=-1_000_000,
            le=1_000_000,
            json_schema_extra={"not": {"type": "integer", "enum": [0]}},
        ),
    ]


class VoucherBody(Body):
    """Promo code or voucher as the customer typed it."""

    voucher_code: Annotated[str, StringConstraints(min_length=1, max_length=64)]
