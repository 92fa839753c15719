"""Responses of the checkout operations, with the specification's names and types.

They are msgspec structs, which are type-checked and encoded directly. The OpenAPI document is generated from
them and from the bodies.
"""

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
    """Sales channel on which a checkout was opened."""

    uuid: Uuid
    name: str
    type: ChannelType


class SupportedPaymentMethodView(View):
    """A payment method of the sales channel."""

    type: PaymentMethodType
    provider: Literal["GATEWAY"]
    supports_alias: bool
    supports_registration_and_payment: bool


class CheckoutConditionsView(View):
    """Form of a checkout: its JSON Schema, suggested answers and answers so far."""

    default_values: dict[str, Any]
    form_definition: dict[str, Any]
    values: dict[str, Any]


class AttributeView(View):
    """An attribute that distinguishes the variants of a product."""

    name: str
    identifier: str
    value: str
    sort_order: int
    meta_information: dict[str, str]
    translation: str


class MerchantView(View):
    """Merchant that sells a product."""

    identifier: str
    timezone: str


class CategoryView(View):
    """Category of products."""

    id: int
    name: str


class ProductFieldsView(View):
    """Properties common to all views of a product."""

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
    """Product of an item."""

    image_url: str
    merchant: MerchantView
    category: CategoryView
    slug: str


class PriceComponentVariantView(View):
    """Product variant under which a price component is sold."""

    id: int
    name: str
    translation: str
    vat_rate: Percent
    product_id: int
    attributes: tuple[AttributeView, ...]


class PriceComponentView(View):
    """Charge for a medium, sold as a product variant."""

    price: Amount
    product_variant: PriceComponentVariantView
    intent: MediumIntent


class MediumView(View):
    """Medium on which an item can be issued."""

    description: str
    name: str
    type: str
    id: int
    price_components: tuple[PriceComponentView, ...]


class ItemVariantView(View):
    """Product variant of an item."""

    id: int
    product_id: int
    name: str
    translation: str
    vat_rate: Percent
    attributes: tuple[AttributeView, ...]
    product: ProductSummaryView
    available_media: tuple[MediumView, ...]


class ValidityView(View):
    """Period of validity with the merchant's UTC offset; the start is inclusive, the end exclusive."""

    start: Instant = field(name="from")
    end: Instant = field(name="to")


class ItemReferenceView(View):
    """Reference to another item of the checkout."""

    id: int
    product_variant_id: int


class AutoDiscountView(View):
    """Automatic discount; ``discount`` is its configured value, an amount or a percentage."""

    id: int
    display_name: str
    description: str
    discount_type: DiscountType
    discount: float


class CheckoutItemView(View):
    """One unit in a checkout, with its prices."""

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
    """Code that applies; ``discount`` is its configured value, ``totalAmount`` the resulting discount."""

    id: int
    code: str
    display_name: str
    description: str
    discount: float
    discount_type: DiscountType
    valid: Literal[True]
    total_amount: Amount


class MissingView(View, omit_defaults=True):
    """Unmet condition of a code: an amount to spend, units to add, or an instant to wait for."""

    spend: Amount | UnsetType = UNSET
    quantity: int | UnsetType = UNSET
    until: Instant | UnsetType = UNSET


class InvalidPromoCodeView(View, omit_defaults=True):
    """Code that does not apply, with the reason; it is checked again after every change."""

    code: str
    valid: Literal[False]
    total_amount: Amount
    reason: RejectionReason
    missing: MissingView | UnsetType = UNSET


PromoCodeResultView: TypeAlias = Annotated[Any, union("PromoCodeResult")]


class DonationView(View):
    """Donation; the totals include it, and it is not taxed."""

    type: Literal["DONATION"]
    amount: Amount


class AddressView(View):
    """Address, with the parts that the customer has given so far."""

    id: int
    address_line1: str
    address_line2: str
    zip: str
    city: str
    state: str
    country_code: str
    purpose: tuple[Literal["BILLING", "SHIPPING"], ...]


class VoucherView(View, omit_defaults=True):
    """A voucher and the amount it pays, or the reason why it pays nothing."""

    code: str
    system: Literal["VOUCHER_B"]
    amount: Amount
    reason: RejectionReason | UnsetType = UNSET


class RenewalView(View):
    """Time at which a subscription is renewed; properties that the period does not use are null."""

    period: RenewalPeriod
    day: int | None
    month: int | None
    days_amount: int | None


class SubscriptionConfigurationView(View):
    """Terms of a subscription: start, next bill and minimum number of periods."""

    starts_on: Instant
    next_billing_date: Instant
    has_pickup: bool
    start_configuration: StartConfiguration
    minimal_run_periods: int
    renewal: RenewalView


class WeatherGuaranteeView(View):
    """Availability, choice and price of the weather guarantee."""

    available: bool
    selected: bool
    price: Amount


class MetadataView(View):
    """Further information about a checkout."""

    weather_guarantee: WeatherGuaranteeView


class CheckoutView(View, omit_defaults=True):
    """A checkout. Amounts are in major units of ``currency``; ``cashDue`` is present if paid in cash."""

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
    """Response with a checkout."""
