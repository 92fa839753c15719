"""Body and responses of the payment of a checkout, with the specification's names and types."""

from decimal import Decimal
from enum import Enum
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType
from pydantic import BeforeValidator, WithJsonSchema

from faregate_http.schemas.base import Body, CatalogueId, Envelope, View


class PaymentState(Enum):
    """State of a payment or of a part of it."""

    PENDING = "PENDING"
    AUTHORIZED = "AUTHORIZED"
    SETTLED = "SETTLED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class ProviderType(Enum):
    """Provider of a payment: VOUCHER_A for vouchers accepted on site, VOUCHER_B for those redeemed here."""

    GATEWAY = "GATEWAY"
    ON_SITE = "ON_SITE"
    VOUCHER_A = "VOUCHER_A"
    VOUCHER_B = "VOUCHER_B"


def _with_decimals(value: object) -> object:
    """Return a whole number as a Decimal, because a union of int and Decimal would report an error twice."""
    return Decimal(value) if type(value) is int else value


class PayBody(Body):
    """Agreed total, including any donation, and the way to pay what vouchers do not cover.

    Unless it is made on site, the payment uses the named payment detail, the one registered for the checkout,
    or the account's default, in this order. If nothing is left to pay, no payment detail is needed.
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
    """Method of a payment: its code at the gateway, or ``voucher``."""

    provider: Literal["GATEWAY", "VOUCHER_A", "VOUCHER_B"]
    type: str


class ProviderView(View):
    """Part of a payment that one provider handles; the amount is in major units."""

    type: ProviderType
    status: PaymentState
    payment_method: ProviderMethodView
    amount: Annotated[float, Meta(ge=0)]


class PaymentStatusView(View, omit_defaults=True):
    """Status of a checkout's payment: that of the last attempt, or PENDING before the first.

    ``cashDue`` is present for cash on site: the amount left after vouchers, rounded to the cash step.
    ``redirectUrl`` is present while the customer must confirm the payment on that page.
    ``secondaryPaymentProviders`` is present if vouchers pay a part, or would have paid it.
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
    """Response with the payment status of a checkout."""
