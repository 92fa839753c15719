"""Bodies and responses of the payment detail operations, with the specification's names and types."""

from enum import Enum
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from faregate.catalogue.channels import PaymentMethodType
from faregate.catalogue.presentation.redirects import LONGEST_REDIRECT
from faregate_http.schemas.base import Body, Envelope, View, union


class PaymentDetailStatus(Enum):
    """State of a payment detail."""

    PENDING = "PENDING"
    ACTIVE = "ACTIVE"
    EXPIRED = "EXPIRED"
    DECLINED = "DECLINED"


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
    """Pages to which the customer returns; ``transactionId`` is added to the query.

    URLs must be https (http on the customer's own machine) on an origin that the channel allows, without user
    information, fragment or ``transactionId``.
    """

    success: PageUrl
    error: PageUrl
    cancel: PageUrl


class RegisterPaymentDetailBody(Body):
    """Payment detail to register, with one of ``paymentMethods``, which must support an alias.

    With ``isDefault``, the detail replaces the current default when it becomes ACTIVE. With ``checkoutId``,
    it needs no account and can use any method of the channel, but only once and only for that checkout.
    """

    redirect_urls: RedirectUrlsEntry
    is_default: bool
    payment_methods: Annotated[
        list[MethodCode], Field(min_length=1, max_length=20, json_schema_extra={"uniqueItems": True})
    ]
    checkout_id: CheckoutUuid | None = None


class RegistrationView(View):
    """A registration that has begun: send the customer to ``redirectUrl`` within 30 minutes."""

    transaction_id: str
    redirect_url: str


class RegistrationEnvelope(Envelope[RegistrationView]):
    """Response with a new registration."""


class GatewayPaymentMethodView(View):
    """Means of payment stored by the gateway; ``code`` is its masked number, ``refno`` our reference.

    ``paymentMethod`` and ``type`` are equal. While the detail is PENDING, they and ``brand`` describe the
    first method requested, and ``code`` is empty. ``isDefault`` is true only while the detail is ACTIVE.
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
    """Response with one payment detail."""


class PaymentDetailsEnvelope(Envelope[list[PaymentMethodView]]):
    """Response with payment details, oldest first."""
