"""What is wrong with something that came from outside, and where in it."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""Where: a path of field names and indices."""


class FaultCode(Enum):
    """What kind of fault; stable and safe to send."""

    INVALID = "invalid"

    UNKNOWN_VARIANT = "unknown-variant"
    UNKNOWN_DISCOUNT_CARD = "unknown-discount-card"
    UNKNOWN_PERSON = "unknown-person"
    UNKNOWN_ITEM = "unknown-item"
    UNKNOWN_MEDIUM = "unknown-medium"
    UNKNOWN_CODE = "unknown-code"
    NOT_SOLD_HERE = "not-sold-here"
    NEEDS_PARENT = "needs-parent"
    VALIDITY_REQUIRED = "validity-required"
    VALIDITY_NOT_WANTED = "validity-not-wanted"
    INVALID_VALIDITY = "invalid-validity"
    NOT_BOOKABLE = "not-bookable"
    SUBSCRIPTION_CONFLICT = "subscription-conflict"
    INVALID_DELTA = "invalid-delta"
    TOO_MANY_ITEMS = "too-many-items"
    TOO_MANY_UNITS = "too-many-units"
    TOO_MANY_CODES = "too-many-codes"
    PROMO_CODES_NOT_ACCEPTED = "promo-codes-not-accepted"
    VOUCHERS_NOT_ACCEPTED = "vouchers-not-accepted"
    MAPPING_REQUIRED = "mapping-required"
    UNKNOWN_MAPPING = "unknown-mapping"
    MAPPING_CONFLICT = "mapping-conflict"
    CURRENCY_MISMATCH = "currency-mismatch"
    DEPOT_NOT_ALLOWED = "depot-not-allowed"
    ORDERED_TOO_LATE = "ordered-too-late"
    NO_PRICE = "no-price"
    EMPTY_CHECKOUT = "empty-checkout"
    OWNER_REQUIRED = "owner-required"
    ADDRESS_REQUIRED = "address-required"
    TERMS_NOT_ACCEPTED = "terms-not-accepted"
    ANSWER_REQUIRED = "answer-required"
    PERSON_REQUIRED = "person-required"
    PERSON_INCOMPLETE = "person-incomplete"
    MEDIUM_REQUIRED = "medium-required"
    AGE_NOT_ADMITTED = "age-not-admitted"

    SOLD_OUT = "sold-out"
    ID_TAKEN = "id-taken"
    ID_USED = "id-used"
    NOT_DELETABLE = "not-deletable"
    UNIQUE_ITEM = "unique-item"
    ONE_PER_PERSON = "one-per-person"


class Fault(NamedTuple):
    """What is wrong, where, and of which kind."""

    place: Place
    message: str
    code: FaultCode = FaultCode.INVALID

    def __str__(self) -> str:
        return f"{format_place(self.place)}: {self.message}".removeprefix(": ")


def format_place(place: Place) -> str:
    """A place as people write it.

    >>> format_place(("products", 3, "variants", 0, "id"))
    'products[3].variants[0].id'
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.removeprefix(".")
