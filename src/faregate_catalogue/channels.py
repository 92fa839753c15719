"""Who sells and where, in a catalogue file: merchants, channels and how they compute, vouchers."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, Field, ModelWrapValidatorHandler, ValidationInfo, model_validator

from faregate.catalogue import Channel, ChannelType, Merchant
from faregate.currency import currency
from faregate.policy import (
    CodeOrder,
    Fairness,
    PercentRounding,
    PriceBasis,
    Stacking,
    SubscriptionBasis,
    ThresholdBase,
    TotalsPolicy,
)
from faregate.tax import Tie, VatLevel
from faregate.vouchers import Voucher
from faregate_catalogue.fields import (
    FILE_MODEL,
    Amount,
    Code,
    CurrencyCode,
    Id,
    Instant,
    Name,
    PositiveAmount,
    Rate,
    SetOf,
    TimeZone,
    Uuid,
)
from faregate_catalogue.units import currencies_in, currency_of

__all__ = ["ChannelEntry", "MerchantEntry", "PolicyEntry", "VoucherEntry"]


class MerchantEntry(BaseModel):
    """Who sells. ``timezone`` is where its days begin; ``currency`` is the file's unless given."""

    model_config = FILE_MODEL

    identifier: Name
    timezone: TimeZone
    currency: CurrencyCode | None = None

    def to_core(self, file_currency: str) -> Merchant:
        """The core's value."""
        return Merchant(self.identifier, self.timezone, self.currency or file_currency)


class PolicyEntry(BaseModel):
    """How a channel computes; each field is one named choice of ``faregate.policy``.

    ``cashIncrement`` is the smallest cash amount in the channel's currency; by default the currency's.
    """

    model_config = FILE_MODEL

    price_basis: Annotated[PriceBasis, Field(strict=False)] = PriceBasis.GROSS
    vat_level: Annotated[VatLevel, Field(strict=False)] = VatLevel.RATE
    tie: Annotated[Tie, Field(strict=False)] = Tie.TAX
    stacking: Annotated[Stacking, Field(strict=False)] = Stacking.SEQUENTIAL
    code_order: Annotated[CodeOrder, Field(strict=False)] = CodeOrder.RANKED
    percent_rounding: Annotated[PercentRounding, Field(strict=False)] = PercentRounding.DISCOUNT
    threshold_base: Annotated[ThresholdBase, Field(strict=False)] = ThresholdBase.AFTER_AUTO
    fairness: Annotated[Fairness, Field(strict=False)] = Fairness.CUSTOMER
    subscription_basis: Annotated[SubscriptionBasis, Field(strict=False)] = SubscriptionBasis.FIRST_PERIOD
    vouchers_pay_donation: bool = False
    cash_increment: PositiveAmount | None = None

    def to_core(self, channel_currency: str) -> TotalsPolicy:
        """The core's value."""
        chosen = {name: getattr(self, name) for name in type(self).model_fields}
        if self.cash_increment is None:
            chosen["cash_increment"] = currency(channel_currency).cash_increment
        return TotalsPolicy(**chosen)


_DEFAULT_POLICY = PolicyEntry()


class ChannelEntry(BaseModel):
    """Where is sold. ``products`` are the ids of what is sold there; without it, everything."""

    model_config = FILE_MODEL

    uuid: Uuid
    name: Name
    type: Annotated[ChannelType, Field(strict=False)]
    currency: CurrencyCode | None = None
    policy: PolicyEntry = _DEFAULT_POLICY
    products: SetOf[Id] = frozenset()

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
        )


class VoucherEntry(BaseModel):
    """A stored value in the file's currency. ``expiresAt`` is exclusive.

    ``singlePurposeVatRate``, in percent, is the tax already paid when a single-purpose voucher was sold.
    """

    model_config = FILE_MODEL

    code: Code
    balance: Amount
    expires_at: Instant | None = None
    single_purpose_vat_rate: Rate | None = None

    def to_core(self) -> Voucher:
        """The core's value."""
        return Voucher(
            code=self.code,
            balance=self.balance,
            expires_at=self.expires_at,
            single_purpose=self.single_purpose_vat_rate,
        )
