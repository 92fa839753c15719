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
from faregate.catalogue.channel_access import ChannelAccess, ChannelKey
from faregate.catalogue.channels import Channel, ChannelType, PaymentMethod, PaymentMethodType
from faregate.catalogue.entries import Merchant
from faregate.checkout.item_requests import MAX_ITEMS
from faregate.files.catalogue.discounts import ScopeEntry
from faregate.files.catalogue.form_fields import FormFieldEntry
from faregate.files.fields.currencies import currencies_in, currency_of
from faregate.files.fields.rates import VatRateEntry
from faregate.files.fields.types import (
    Amount,
    Code,
    CurrencyCode,
    ElapsedTime,
    FileModel,
    Id,
    Instant,
    ListOf,
    Name,
    PositiveAmount,
    SetOf,
    Territory,
    TimeZone,
    Uuid,
    WebOrigin,
)
from faregate.money.currency import currency
from faregate.tax.rates import Tie, VatLevel


class MerchantEntry(FileModel):
    """Who sells. ``timezone`` is where its days begin; ``currency`` is the file's unless given.

    ``territory`` is the country whose way of writing dates its labels follow.
    """

    identifier: Name
    timezone: TimeZone
    currency: CurrencyCode | None = None
    territory: Territory | None = None

    def to_core(self, file_currency: str) -> Merchant:
        """The core's value."""
        return Merchant(
            self.identifier,
            timezone=self.timezone,
            currency=self.currency or file_currency,
            territory=self.territory,
        )


class PolicyEntry(FileModel):
    """How a channel computes; each field is one named choice of ``faregate.basket.policy``.

    ``cashIncrement`` is the smallest cash amount in the channel's currency; by default the currency's.
    """

    price_basis: Annotated[PriceBasis, Field(strict=False)] = PriceBasis.GROSS
    vat_level: Annotated[VatLevel, Field(strict=False)] = VatLevel.RATE
    tie: Annotated[Tie, Field(strict=False)] = Tie.TAX
    automatic_choice: Annotated[AutomaticChoice, Field(strict=False)] = AutomaticChoice.UNIT
    stacking: Annotated[Stacking, Field(strict=False)] = Stacking.SEQUENTIAL
    code_order: Annotated[CodeOrder, Field(strict=False)] = CodeOrder.RANKED
    percent_rounding: Annotated[PercentRounding, Field(strict=False)] = PercentRounding.DISCOUNT
    threshold_base: Annotated[ThresholdBase, Field(strict=False)] = ThresholdBase.AFTER_AUTO
    fairness: Annotated[Fairness, Field(strict=False)] = Fairness.CUSTOMER
    subscription_basis: Annotated[SubscriptionBasis, Field(strict=False)] = SubscriptionBasis.FIRST_PERIOD
    vouchers_pay_donation: bool = False
    single_purpose_rest: Annotated[SinglePurposeRest, Field(strict=False)] = SinglePurposeRest.KEEP
    cash_increment: PositiveAmount | None = None

    def to_core(self, channel_currency: str) -> TotalsPolicy:
        """The core's value."""
        chosen = {name: getattr(self, name) for name in type(self).model_fields}
        if self.cash_increment is None:
            chosen["cash_increment"] = currency(channel_currency).cash_increment
        return TotalsPolicy(**chosen)


_DEFAULT_POLICY = PolicyEntry()


class PaymentMethodEntry(FileModel):
    """A way to pay through the gateway, and whether it can be kept under an alias for later payments."""

    type: Annotated[PaymentMethodType, Field(strict=False)]
    supports_alias: bool = False
    supports_registration_and_payment: bool = False

    def to_core(self) -> PaymentMethod:
        """The core's value."""
        return PaymentMethod(
            self.type,
            supports_alias=self.supports_alias,
            supports_registration_and_payment=self.supports_registration_and_payment,
        )


def _check_sha256(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", text, re.ASCII):  # not repeated: it may be the key itself
        raise ValueError("expected 64 hexadecimal digits, as faregate channel-key prints them")
    return text


class ChannelKeyEntry(FileModel):
    """A key of a protected channel, as ``faregate channel-key`` prints it. ``endsAt`` is exclusive."""

    name: Name
    sha256: Annotated[str, AfterValidator(_check_sha256)]
    ends_at: Instant | None = None

    def to_core(self) -> ChannelKey:
        """The core's value."""
        return ChannelKey(name=self.name, sha256=self.sha256, ends_at=self.ends_at)


class ChannelEntry(FileModel):
    """Where is sold. ``products`` are the ids of what is sold there; without it, everything.

    ``form`` is what a checkout asks beside the built-in questions. A checkout expires ``expiresAfter`` its
    last change, ``expiresAtMost`` after its start. ``redirectUrls`` are the origins of the pages to which
    customers are sent back, as ``https://shop.example``; without it, they are sent nowhere. ``timezone``
    dates its orders; it may be left out where its merchants share one. ``maxUnits`` bounds a checkout without
    an account on a public channel, which expires ``expiresWhenScarce`` its last change once few of its places
    are left.

    ``access`` is ``public`` or ``protected``: by default a WEB channel is public and a POS is protected, a
    CONSUMPTION channel must say. A protected channel is used with one of its ``keys``. ``canPayOnSite``
    is for where who sells sees the money, and protects a channel.
    """

    uuid: Uuid
    name: Name
    type: Annotated[ChannelType, Field(strict=False)]
    currency: CurrencyCode | None = None
    policy: PolicyEntry = _DEFAULT_POLICY
    products: SetOf[Id] = frozenset()
    can_use_promo_codes: bool = True
    can_use_vouchers: bool = True
    payment_methods: ListOf[PaymentMethodEntry] = ()
    access: Annotated[ChannelAccess | None, Field(strict=False)] = None
    keys: ListOf[ChannelKeyEntry] = ()
    can_pay_on_site: bool = False
    form: ListOf[FormFieldEntry] = ()
    requires_terms: bool = False
    expires_after: ElapsedTime = timedelta(minutes=30)
    expires_at_most: ElapsedTime = timedelta(hours=2)
    redirect_urls: ListOf[WebOrigin] = ()
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

    def to_core(self, file_currency: str) -> Channel:
        """The core's value."""
        code = self.currency or file_currency
        return Channel(
            uuid=self.uuid,
            name=self.name,
            type=self.type,
            currency=code,
            policy=self.policy.to_core(code),
            products=self.products,
            can_use_promo_codes=self.can_use_promo_codes,
            can_use_vouchers=self.can_use_vouchers,
            payment_methods=tuple(method.to_core() for method in self.payment_methods),
            can_pay_on_site=self.can_pay_on_site,
            form=tuple(field.to_core() for field in self.form),
            requires_terms=self.requires_terms,
            expires_after=self.expires_after,
            expires_at_most=self.expires_at_most,
            redirect_urls=self.redirect_urls,
            timezone=self.timezone,
            max_units=self.max_units,
            expires_when_scarce=self.expires_when_scarce,
            access=self.access,
            keys=tuple(key.to_core() for key in self.keys),
        )


_EVERYTHING = ScopeEntry()


class VoucherEntry(FileModel):
    """A stored value in the file's currency. ``expiresAt`` is exclusive.

    ``singlePurposeVatRate``, in percent, is the tax already paid when a single-purpose voucher was sold
    for its ``faceValue``; such a voucher pays what is of that rate and in its ``scope``.
    """

    code: Code
    balance: Amount
    expires_at: Instant | None = None
    single_purpose_vat_rate: VatRateEntry | None = None
    face_value: Amount | None = None
    scope: ScopeEntry = _EVERYTHING

    def to_core(self) -> Voucher:
        """The core's value."""
        rate = self.single_purpose_vat_rate
        return Voucher(
            code=self.code,
            balance=self.balance,
            expires_at=self.expires_at,
            single_purpose=rate.to_core() if rate else None,
            face_value=self.face_value,
            scope=self.scope.to_core(),
        )
