"""Answers of the checkout operations, with the names and types of the specification.

Msgspec structs: declared once, checked by the type checker, written without a detour. The OpenAPI document is
made from them and from the bodies.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, UnsetType, field

from faregate.catalogue.channels import ChannelType, PaymentMethodType
from faregate.catalogue.products import MediumIntent, ProductType
from faregate.checkout.expiry import CheckoutStatus, ItemStatus
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import DiscountType
from faregate.subscriptions.rules import RenewalPeriod, StartConfiguration
from faregate_http.schemas.base import Amount, Envelope, Instant, Percent, Uuid, View, union
from faregate_http.schemas.payments import PaymentMethodView


class SalesChannelView(View):
    """Where the checkout was opened."""

    uuid: Uuid
    name: str
    type: ChannelType


class SupportedPaymentMethodView(View):
    """A way to pay on this channel."""

    type: PaymentMethodType
    provider: Literal["GATEWAY"]
    supports_alias: bool
    supports_registration_and_payment: bool


class CheckoutConditionsView(View):
    """The form of the checkout: its JSON Schema, what to suggest, and what was answered."""

    default_values: dict[str, Any]
    form_definition: dict[str, Any]
    values: dict[str, Any]


class AttributeView(View):
    """What tells a variant from its siblings."""

    name: str
    identifier: str
    value: str
    sort_order: int
    meta_information: dict[str, str]
    translation: str


class MerchantView(View):
    """Who sells."""

    identifier: str
    timezone: str


class CategoryView(View):
    """A shelf of the shop."""

    id: int
    name: str


class ProductFieldsView(View):
    """Fields that every view of a product begins with."""

    id: int
    sort_order: int
    name: str
    translation: str
    identifier: str
    type: ProductType
    is_subscription: bool
    standalone: bool
    has_validity: bool


class ProductSummaryView(ProductFieldsView):
    """The product of an item."""

    image_url: str
    merchant: MerchantView
    category: CategoryView
    slug: str


class PriceComponentVariantView(View):
    """As what a price component is sold."""

    id: int
    name: str
    translation: str
    vat_rate: Percent
    product_id: int
    attributes: tuple[AttributeView, ...]


class PriceComponentView(View):
    """What choosing a medium costs."""

    price: Amount
    product_variant: PriceComponentVariantView
    intent: MediumIntent


class MediumView(View):
    """What an item can be issued on."""

    description: str
    name: str
    type: str
    id: int
    price_components: tuple[PriceComponentView, ...]


class ItemVariantView(View):
    """The product variant of an item."""

    id: int
    product_id: int
    name: str
    translation: str
    vat_rate: Percent
    attributes: tuple[AttributeView, ...]
    product: ProductSummaryView
    available_media: tuple[MediumView, ...]


class ValidityView(View):
    """Half-open, from the first instant to the one after the last, with the merchant's offset."""

    start: Instant = field(name="from")
    end: Instant = field(name="to")


class ItemReferenceView(View):
    """Another item of the checkout."""

    id: int
    product_variant_id: int


class AutoDiscountView(View):
    """A discount nobody has to ask for; ``discount`` is its configured value, money or percent."""

    id: int
    display_name: str
    description: str
    discount_type: DiscountType
    discount: float


class CheckoutItemView(View):
    """One unit, and what it costs."""

    id: int
    parent_item_id: int | None
    status: ItemStatus
    product_variant: ItemVariantView
    validity: ValidityView | None
    parent_item: ItemReferenceView | None
    child_items: list[ItemReferenceView]
    list_price_gross: Amount
    list_price_net: Amount
    promo_code_discount: Amount
    auto_discount: AutoDiscountView | None
    auto_discount_amount: Amount
    total_discount_gross: Amount
    total_discount_net: Amount
    total_gross: Amount
    total_net: Amount
    vat_rate: Percent
    display_price: bool
    is_deletable: bool
    requires_personalization: bool
    requires_validation: bool
    requires_medium: bool
    is_confirmation_required: bool
    is_flex_ticket: bool
    is_max_one_ticket_per_person: bool
    is_unique_item: bool
    supports_weather_guarantee: bool
    has_weather_guarantee: bool
    person_fields_definition: dict[str, Any]


class PromoCodeView(View):
    """A code that applies; ``discount`` is its configured value, ``totalAmount`` what it takes here."""

    id: int
    code: str
    display_name: str
    description: str
    discount: float
    discount_type: DiscountType
    valid: Literal[True]
    total_amount: Amount


class MissingView(View, omit_defaults=True):
    """How far a code is from valid: money to spend, units to add, or the instant to wait for."""

    spend: Amount | UnsetType = UNSET
    quantity: int | UnsetType = UNSET
    until: Instant | UnsetType = UNSET


class InvalidPromoCodeView(View, omit_defaults=True):
    """A code that does not apply now, and why; it is looked at again after every change."""

    code: str
    valid: Literal[False]
    total_amount: Amount
    reason: RejectionReason
    missing: MissingView | UnsetType = UNSET


PromoCodeResultView: TypeAlias = Annotated[Any, union("PromoCodeResult")]


class DonationView(View):
    """A donation, on top of the total and without tax."""

    type: Literal["DONATION"]
    amount: Amount


class AddressView(View):
    """An address, as far as it was given."""

    id: int
    address_line1: str
    address_line2: str
    zip: str
    city: str
    state: str
    country_code: str
    purpose: tuple[Literal["BILLING", "SHIPPING"], ...]


class VoucherView(View, omit_defaults=True):
    """A voucher, and what it pays; where it can pay nothing, why."""

    code: str
    system: Literal["VOUCHER_B"]
    amount: Amount
    reason: RejectionReason | UnsetType = UNSET


class RenewalView(View):
    """When a subscription renews: all four keys, what does not go with the period is null."""

    period: RenewalPeriod
    day: int | None
    month: int | None
    days_amount: int | None


class SubscriptionConfigurationView(View):
    """What is subscribed to: when it begins, is billed next, and how many periods it must run."""

    starts_on: Instant
    next_billing_date: Instant
    has_pickup: bool
    start_configuration: StartConfiguration
    minimal_run_periods: int
    renewal: RenewalView


class WeatherGuaranteeView(View):
    """Whether the weather guarantee can be had for these items, was chosen, and what it costs."""

    available: bool
    selected: bool
    price: Amount


class MetadataView(View):
    """What else there is to know."""

    weather_guarantee: WeatherGuaranteeView


class CheckoutView(View, omit_defaults=True):
    """A checkout, whole. Money is in major units of ``currency``; ``cashDue`` is there if cash paid it."""

    uuid: Uuid
    expires_at: Instant
    started_at: Instant
    last_update_at: Instant
    status: CheckoutStatus
    reference_number: str | None
    sales_channel: SalesChannelView
    checkout_conditions: CheckoutConditionsView
    supported_payment_methods: tuple[SupportedPaymentMethodView, ...]
    items: list[CheckoutItemView]
    currency: str
    list_price_gross: Amount
    list_price_net: Amount
    promo_codes: list[PromoCodeResultView]
    promo_code_discount: Amount
    subscription_configuration: SubscriptionConfigurationView | None
    auto_discounts: list[AutoDiscountView]
    auto_discount_amount: Amount
    total_discount_gross: Amount
    total_discount_net: Amount
    total_subscription_gross: Amount
    total_subscription_net: Amount
    donation: DonationView | None
    total_gross: Amount
    total_net: Amount
    requires_owner: bool
    requires_billing_address: bool
    requires_shipping_address: bool
    billing_address: AddressView | None
    shipping_address: AddressView | None
    payment_method: PaymentMethodView | None
    vouchers: list[VoucherView]
    can_use_promo_codes: bool
    can_use_vouchers: bool
    metadata: MetadataView
    cash_due: Amount | UnsetType = UNSET


class CheckoutEnvelope(Envelope[CheckoutView]):
    """What every operation on a checkout answers."""
