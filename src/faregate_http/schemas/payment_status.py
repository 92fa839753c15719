"""Paying a checkout and how that stands, with the names and types of the specification."""

from __future__ import annotations

from decimal import Decimal
from enum import Enum
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType
from pydantic import BeforeValidator, WithJsonSchema

from faregate_http.schemas.base import Body, CatalogueId, Envelope, View


class PaymentState(Enum):
    """Where a payment stands; decisions §12."""

    PENDING = "PENDING"
    AUTHORIZED = "AUTHORIZED"
    SETTLED = "SETTLED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class ProviderType(Enum):
    """Through whom is paid; VOUCHER_A is a voucher taken on site, VOUCHER_B one of ours, always secondary."""

    GATEWAY = "GATEWAY"
    ON_SITE = "ON_SITE"
    VOUCHER_A = "VOUCHER_A"
    VOUCHER_B = "VOUCHER_B"


def _with_decimals(value: object) -> object:
    """A whole number as a Decimal: a union of both would have two places for one fault."""
    return Decimal(value) if type(value) is int else value


class PayBody(Body):
    """What the customer agreed to pay, donation included, and how what vouchers leave is paid.

    By the payment detail named, else by the one registered for the checkout or the account's default; on
    site; by neither where nothing is left to pay.
    """

    expected_total: Annotated[
        Decimal,
        BeforeValidator(_with_decimals),
        WithJsonSchema(
            {
                "type": "number",
                "minimum": 0,
            }
        ),
    ]
    payment_detail_id: CatalogueId | None = None
    provider: Annotated[
        str | None, WithJsonSchema({"anyOf": [{"enum": ["GATEWAY", "ON_SITE"]}, {"type": "null"}]})
    ] = None
    tender: Annotated[
        str | None,
        WithJsonSchema({"anyOf": [{"enum": ["cash", "other"]}, {"type": "null"}]}),
    ] = None


class ProviderMethodView(View):
    """The method of a payment: its code at the gateway, or ``voucher``."""

    provider: Literal["GATEWAY", "VOUCHER_A", "VOUCHER_B"]
    type: str


class ProviderView(View):
    """What one provider pays, in major units."""

    type: ProviderType
    status: PaymentState
    payment_method: ProviderMethodView
    amount: Annotated[float, Meta(ge=0)]


class PaymentStatusView(View, omit_defaults=True):
    """The state of a checkout's payment: that of the last attempt, or PENDING before any.

    ``cashDue`` is there only where cash is paid on site: what vouchers leave, rounded to the cash step.
    ``redirectUrl`` is there while the customer has to confirm the payment, on the page to which it leads.
    ``secondaryPaymentProviders`` are there only where vouchers pay, or were to pay, a part.
    """

    status: PaymentState
    total_amount: Annotated[float, Meta(ge=0)]
    currency: str
    errors: list[str]
    primary_payment_provider: ProviderView | None
    secondary_payment_providers: list[ProviderView] | UnsetType = UNSET
    cash_due: Annotated[float, Meta(ge=0)] | UnsetType = UNSET
    redirect_url: str | UnsetType = UNSET


class PaymentStatusEnvelope(Envelope[PaymentStatusView]):
    """How the payment of a checkout stands."""
