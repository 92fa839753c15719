"""Body and response of the gate price operation, with the specification's names and types."""

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, MsgspecError, Struct, UnsetType
from msgspec.json import Decoder
from msgspec.structs import astuple
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from faregate.arguments.fields import field_names
from faregate.catalogue.gate_rules import MOST_UNITS
from faregate.gate.requests import GateRequest
from faregate_http.schemas.base import CatalogueId as GateId
from faregate_http.schemas.base import Moment, ViewId

_CURRENCY = "^[A-Z][A-Z][A-Z]$"  # without braces, because messages show the pattern


def _or_null(flag: object) -> object:
    """Return None for an empty object, otherwise *flag* unchanged (decisions §9)."""
    return None if flag == {} else flag


Name: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Flag: TypeAlias = Annotated[
    bool | None,
    BeforeValidator(_or_null),
    WithJsonSchema(
        {"anyOf": [{"type": "boolean"}, {"type": "object", "maxProperties": 0}, {"type": "null"}]}
    ),
]


class AccessPriceBody(BaseModel):
    """Request for the price of a variant, named by a pair of ids, for a validity period and order date.

    Times are date-times with or without UTC offset, or dates; a date in ``valid_to`` is inclusive.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    valid_from: Moment
    order_date: Moment
    valid_to: Moment | None = None
    quantity: Annotated[int, Field(ge=1, le=MOST_UNITS)]
    currency_code: Annotated[str, StringConstraints(pattern=_CURRENCY)]
    dta_product_id: GateId | None = None
    dta_consumer_category: GateId | None = None
    system_product_id: Name | None = None
    system_consumer_category: Name | None = None
    depot_flag: Flag = None
    is_online_pos: Flag = None


def access_request(body: AccessPriceBody) -> GateRequest:
    """Return *body* as a request to the core."""
    return GateRequest(**body.__dict__)


class _Empty(Struct, forbid_unknown_fields=True, gc=False):
    """The object ``{}``."""


_Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
_Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]


class _PlainBody(Struct, forbid_unknown_fields=True, gc=False):
    """Fields of ``AccessPriceBody`` in the order of ``GateRequest``."""

    valid_from: _Text
    order_date: _Text
    quantity: Annotated[int, Meta(ge=1, le=MOST_UNITS)]
    currency_code: Annotated[str, Meta(pattern=_CURRENCY)]
    valid_to: _Text | UnsetType | None = UNSET
    dta_product_id: ViewId | UnsetType | None = UNSET
    dta_consumer_category: ViewId | UnsetType | None = UNSET
    system_product_id: _Name | UnsetType | None = UNSET
    system_consumer_category: _Name | UnsetType | None = UNSET
    depot_flag: bool | _Empty | UnsetType | None = UNSET
    is_online_pos: bool | _Empty | UnsetType | None = UNSET


_read_plainly = Decoder(_PlainBody).decode
_SAYS_NOTHING = frozenset({UnsetType, _Empty})
_FIELDS = field_names(GateRequest)


def plain_access_request(body: bytes) -> GateRequest | None:
    """Return *body* as a request to the core, parsed fast, or None if the strict parser must read it.

    Bodies that ``read_json`` or ``AccessPriceBody`` would reject are never accepted. Duplicate
    keys are detected by counting quotes, so a body with escapes is left to the strict parser.
    """
    if b"\\" in body:
        return None
    try:
        values = astuple(_read_plainly(body))
    except (MsgspecError, UnicodeDecodeError):
        return None
    kinds = [type(value) for value in values]
    if body.count(b'"') != 2 * (len(kinds) - kinds.count(UnsetType) + kinds.count(str)):
        return None
    found: dict[str, Any] = {}
    for name, value in zip(_FIELDS, values, strict=True):
        found[name] = None if type(value) in _SAYS_NOTHING else value
    return GateRequest(**found)


class AccessPriceView(Struct, gc=False):
    """List price with VAT, of one unit and of all units."""

    calculated_price_cents: int
    unit_price_cents: int
    currency_code: str
