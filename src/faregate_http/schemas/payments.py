"""Payment details as they are asked for and answered, with the names and types of the specification."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from faregate.catalogue.channels import PaymentMethodType
from faregate.catalogue.presentation.redirects import LONGEST_REDIRECT
from faregate_http.schemas.base import Body, Envelope, View, union


class PaymentDetailStatus(Enum):
    """How far a payment detail has come; decisions §12."""

    PENDING = "PENDING"
    ACTIVE = "ACTIVE"
    EXPIRED = "EXPIRED"
    DECLINED = "DECLINED"


# ---------------------------------------------------------------- bodies

PageUrl: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=LONGEST_REDIRECT),
    Field(json_schema_extra={"format": "uri"}),
]
MethodCode: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=10),
    Field(json_schema_extra={"enum": [method.value for method in PaymentMethodType]}),
]


CheckoutUuid: TypeAlias = Annotated[
    str,
    StringConstraints(
        pattern=r"^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$", max_length=36, to_lower=True
    ),
    Field(json_schema_extra={"format": "uuid"}),
]


class RedirectUrlsEntry(Body):
    """Where the customer goes in the end; each gets ``transactionId`` added to its query.

    https (http on the customer's own machine), on an origin that the channel allows, without user
    information, fragment and ``transactionId``.
    """

    success: PageUrl
    error: PageUrl
    cancel: PageUrl


class RegisterPaymentDetailBody(Body):
    """What is to be registered: by one of ``paymentMethods``, those of the channel that support an alias.

    If it ``isDefault``, it takes that over from another detail when it becomes ACTIVE. With ``checkoutId`` it
    pays that checkout alone, once: by any method of the channel, and without an account.
    """

    redirect_urls: RedirectUrlsEntry
    is_default: bool
    payment_methods: Annotated[
        list[MethodCode], Field(min_length=1, max_length=20, json_schema_extra={"uniqueItems": True})
    ]
    checkout_id: CheckoutUuid | None = None


# ---------------------------------------------------------------- answers


class RegistrationView(View):
    """A registration that has begun: send the customer to ``redirectUrl`` within 30 minutes."""

    transaction_id: str
    redirect_url: str


class RegistrationEnvelope(Envelope[RegistrationView]):
    """What beginning a registration answers."""


class GatewayPaymentMethodView(View):
    """A means of payment that the gateway keeps; ``code`` is its masked number, ``refno`` our name for it.

    ``paymentMethod`` and ``type`` are the same. While it is PENDING they and ``brand`` are those of the first
    method that was asked for, and ``code`` is empty. It ``isDefault`` only while it is ACTIVE.
    """

    provider: Literal["GATEWAY"]
    refno: str
    transaction_id: str
    payment_method: PaymentMethodType
    brand: str
    type: PaymentMethodType
    id: int
    is_default: bool
    status: PaymentDetailStatus
    code: str


class VoucherPaymentMethodView(View):
    """A voucher as a means of payment."""

    provider: Literal["VOUCHER_A", "VOUCHER_B"]
    type: Literal["voucher"]
    id: int
    is_default: bool
    status: PaymentDetailStatus
    code: str


PaymentMethodView: TypeAlias = Annotated[Any, union("PaymentMethod")]


class PaymentDetailEnvelope(Envelope[PaymentMethodView]):
    """One payment detail."""


class PaymentDetailsEnvelope(Envelope[list[PaymentMethodView]]):
    """Payment details, the oldest first."""
