"""Who sells and where, in a catalogue file: merchants, channels and how they compute, vouchers."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated, Self

from pydantic import AfterValidator, Field, ModelWrapValidatorHandler, ValidationInfo, model_validator

from faregate.amount_due.vouchers import Voucher
from faregate.basket.policy import (
    AutomaticChoice,
    CodeOrder,
    Fairness,
    PercentRounding,
    PriceBasis,
    SinglePurposeRest,
    Stacking,
    SubscriptionBasis,
    ThresholdBase,
    TotalsPolicy,
)
from faregate.catalogue.channels import (
    Channel,
    ChannelAccess,
    ChannelKey,
    ChannelType,
    PaymentMethod,
    PaymentMethodType,
)
from faregate.catalogue.entries import Merchant
from faregate.checkout.item_requests import MAX_ITEMS
from faregate.files.catalogue.content import FormFieldEntry
from faregate.files.catalogue.discounts import ScopeEntry
from faregate.files.fields.currencies import currencies_in, currency_of
from faregate.files.fields.models import Entry
from faregate.files.fields.rates import VatRateEntry
from faregate.files.fields.types import (
    Amount,
    Code,
    CurrencyCode,
    ElapsedTime,
    Id,
    Instant,
    ListOf,
    Name,
    OneOf,
    PositiveAmount,
    SetOf,
    Territory,
    TimeZone,
    Uuid,
    WebOrigin,
)
from faregate.money.currency import currency
from faregate.tax.rates import Tie, VatLevel


class MerchantEntry(Entry[Merchant]):
    """Who sells. ``timezone`` is where its days begin; ``currency`` is the file's unless given.

    ``territory`` is the country whose way of writing dates its labels follow.
    """

    identifier: Name
    timezone: TimeZone
    currency: CurrencyCode | None = None
    territory: Territory | None = None

    def in_file(self, file_currency: str) -> Merchant:
        """Return the merchant, in the currency of the file unless it names one."""
        return self.to_core(currency=self.currency or file_currency)


class PolicyEntry(Entry[TotalsPolicy]):
    """How a channel computes; each field is one named choice of ``faregate.basket.policy``.

    ``cashIncrement`` is the smallest cash amount in the channel's currency; by default the currency's.
    """

    price_basis: OneOf[PriceBasis] = PriceBasis.GROSS
    vat_level: OneOf[VatLevel] = VatLevel.RATE
    tie: OneOf[Tie] = Tie.TAX
    automatic_choice: OneOf[AutomaticChoice] = AutomaticChoice.UNIT
    stacking: OneOf[Stacking] = Stacking.SEQUENTIAL
    code_order: OneOf[CodeOrder] = CodeOrder.RANKED
    percent_rounding: OneOf[PercentRounding] = PercentRounding.DISCOUNT
    threshold_base: OneOf[ThresholdBase] = ThresholdBase.AFTER_AUTO
    fairness: OneOf[Fairness] = Fairness.CUSTOMER
    subscription_basis: OneOf[SubscriptionBasis] = SubscriptionBasis.FIRST_PERIOD
    vouchers_pay_donation: bool = False
    single_purpose_rest: OneOf[SinglePurposeRest] = SinglePurposeRest.KEEP
    cash_increment: PositiveAmount | None = None

    def in_currency(self, code: str) -> TotalsPolicy:
        """Return the policy of a channel in the currency of that *code*."""
        return self.to_core(cash_increment=self.cash_increment or currency(code).cash_increment)


_DEFAULT_POLICY = PolicyEntry()


class PaymentMethodEntry(Entry[PaymentMethod]):
    """A way to pay through the gateway, and whether it can be kept under an alias for later payments."""

    type: OneOf[PaymentMethodType]
    supports_alias: bool = False
    supports_registration_and_payment: bool = False


def _check_sha256(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", text, re.ASCII):  # not repeated: it may be the key itself
        raise ValueError("expected 64 hexadecimal digits, as faregate channel-key prints them")
    return text


class ChannelKeyEntry(Entry[ChannelKey]):
    """A key of a protected channel, as ``faregate channel-key`` prints it. ``endsAt`` is exclusive."""

    name: Name
    sha256: Annotated[str, AfterValidator(_check_sha256)]
    ends_at: Instant | None = None


class ChannelEntry(Entry[Channel]):
    """Where is sold. ``products`` are the ids of what is sold there; without it, everything.

    ``form`` is what a checkout asks beside the built-in questions. A checkout expires ``expiresAfter`` its
    last change, ``expiresAtMost`` after its start. ``redirectUrls`` are the origins of the pages to which
    customers are sent back, as ``https://shop.example``; without it, they are sent nowhere. ``shopOrigins``
    are the origins of pages that call the service from a browser; without it, none may. ``timezone`` dates
    its orders; it may be left out where its merchants share one. ``maxUnits`` bounds a checkout without
    an account on a public channel, which expires ``expiresWhenScarce`` its last change once few of its places
    are left.

    ``access`` is ``public`` or ``protected``: by default a WEB channel is public and a POS is protected, a
    CONSUMPTION channel must say. A protected channel is used with one of its ``keys``. ``canPayOnSite``
    is for where who sells sees the money, and protects a channel.
    """

    uuid: Uuid
    name: Name
    type: OneOf[ChannelType]
    currency: CurrencyCode | None = None
    policy: PolicyEntry = _DEFAULT_POLICY
    products: SetOf[Id] = frozenset()
    can_use_promo_codes: bool = True
    can_use_vouchers: bool = True
    payment_methods: ListOf[PaymentMethodEntry] = ()
    access: OneOf[ChannelAccess] | None = None
    keys: ListOf[ChannelKeyEntry] = ()
    can_pay_on_site: bool = False
    form: ListOf[FormFieldEntry] = ()
    requires_terms: bool = False
    expires_after: ElapsedTime = timedelta(minutes=30)
    expires_at_most: ElapsedTime = timedelta(hours=2)
    redirect_urls: ListOf[WebOrigin] = ()
    shop_origins: ListOf[WebOrigin] = ()
    timezone: TimeZone | None = None
    max_units: Annotated[int, Field(ge=1, le=MAX_ITEMS)] = 60
    expires_when_scarce: ElapsedTime = timedelta(minutes=10)

    @model_validator(mode="wrap")
    @classmethod
    def _in_its_own_currency(
        cls, data: object, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        currencies = currencies_in(info)
        with currencies.reading(currency_of(data, currencies.current)):
            return handler(data)

    def in_file(self, file_currency: str) -> Channel:
        """Return the channel, in the currency of the file unless it names one."""
        code = self.currency or file_currency
        return self.to_core(currency=code, policy=self.policy.in_currency(code))


_EVERYTHING = ScopeEntry()


class VoucherEntry(Entry[Voucher]):
    """A stored value in the file's currency. ``expiresAt`` is exclusive.

    ``singlePurposeVatRate``, in percent, is the tax already paid when a single-purpose voucher was sold
    for its ``faceValue``; such a voucher pays what is of that rate and in its ``scope``.
    """

    code: Code
    balance: Amount
    expires_at: Instant | None = None
    single_purpose: Annotated[VatRateEntry | None, Field(alias="singlePurposeVatRate")] = None
    face_value: Amount | None = None
    scope: ScopeEntry = _EVERYTHING
