"""Merchants, channels with their policies, and vouchers in a catalogue file."""

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
    """A seller with the ``timezone`` of its dates and the ``currency`` of its prices (default: the file's).

    ``territory`` is the country that determines the format of dates in labels.
    """

    identifier: Name
    timezone: TimeZone
    currency: CurrencyCode | None = None
    territory: Territory | None = None

    def in_file(self, file_currency: str) -> Merchant:
        """Return the merchant; if it has no currency, it gets the currency of the file."""
        return self.to_core(currency=self.currency or file_currency)


class PolicyEntry(Entry[TotalsPolicy]):
    """The pricing policy of a channel; ``faregate.basket.policy`` defines the choices for its fields.

    ``cashIncrement`` is the smallest amount payable in cash, by default that of the channel's currency.
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
        """Return the policy for a channel whose currency has the code *code*."""
        return self.to_core(cash_increment=self.cash_increment or currency(code).cash_increment)


_DEFAULT_POLICY = PolicyEntry()


class PaymentMethodEntry(Entry[PaymentMethod]):
    """A payment method; with ``supportsAlias``, the payment gateway can store it for later payments."""

    type: OneOf[PaymentMethodType]
    supports_alias: bool = False
    supports_registration_and_payment: bool = False


def _check_sha256(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", text, re.ASCII):  # not quoted: it may be the key itself
        raise ValueError("expected 64 hexadecimal digits, as printed by faregate channel-key")
    return text


class ChannelKeyEntry(Entry[ChannelKey]):
    """A key of a protected channel, printed by ``faregate channel-key`` and valid before ``endsAt``."""

    name: Name
    sha256: Annotated[str, AfterValidator(_check_sha256)]
    ends_at: Instant | None = None


class ChannelEntry(Entry[Channel]):
    """A sales channel; ``products`` are the ids of the products sold, by default all.

    ``form`` holds the questions of a checkout in addition to the built-in ones. A checkout expires
    if it is not changed for ``expiresAfter``, and at the latest ``expiresAtMost`` after it was opened.
    ``redirectUrls`` are the origins (``https://shop.example``) of the pages to which customers can be sent
    back, ``shopOrigins`` the origins of the pages that can call the service from a browser; by default, none.
    ``timezone`` determines the dates of orders and can be left out if all merchants share one. On a public
    channel, a checkout without an account has at most ``maxUnits`` units, and a checkout that holds scarce
    units expires once it has not been changed for ``expiresWhenScarce``.

    ``access`` is ``public`` or ``protected``: WEB channels are public by default, POS channels protected;
    CONSUMPTION channels must set it. Requests to a protected channel need one of its ``keys``.
    ``canPayOnSite`` is for channels whose staff take the money, and makes a channel protected.
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
        """Return the channel; if it has no currency, it gets the currency of the file."""
        code = self.currency or file_currency
        return self.to_core(currency=code, policy=self.policy.in_currency(code))


_EVERYTHING = ScopeEntry()


class VoucherEntry(Entry[Voucher]):
    """A voucher with a balance in the file's currency; it is valid before ``expiresAt``.

    ``singlePurposeVatRate``, in percent, is the rate of the tax that was paid when a single-purpose voucher
    was sold for its ``faceValue``. Such a voucher pays only for items in its ``scope`` that have this rate.
    """

    code: Code
    balance: Amount
    expires_at: Instant | None = None
    single_purpose: Annotated[VatRateEntry | None, Field(alias="singlePurposeVatRate")] = None
    face_value: Amount | None = None
    scope: ScopeEntry = _EVERYTHING
