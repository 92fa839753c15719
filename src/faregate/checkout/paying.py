"""The way a checkout is paid: through the gateway, on site, or without a payment. Decisions §12."""

from enum import Enum
from typing import NamedTuple

from faregate.arguments.checks import option
from faregate.catalogue.channels import Channel
from faregate.errors import InvalidCheckout, Issue
from faregate.money.amounts import MinorUnits


class PaymentProvider(Enum):
    """The provider of a payment: the gateway, or staff on site."""

    GATEWAY = "GATEWAY"
    ON_SITE = "ON_SITE"


class Tender(Enum):
    """The means of payment used on site."""

    CASH = "cash"
    OTHER = "other"


class PaymentWay(NamedTuple):
    """The provider for the amount due and, on site, the tender; the provider is None if nothing is due."""

    provider: PaymentProvider | None = None
    tender: Tender | None = None


def payment_way(
    amount_due: MinorUnits,
    *,
    channel: Channel,
    provider: PaymentProvider | None = None,
    tender: Tender | None = None,
    has_detail: bool = False,
    has_default: bool = False,
) -> PaymentWay:
    """Return the provider and tender for paying *amount_due* on *channel*.

    Without a *provider*, the gateway is used if the customer chose a stored payment detail (*has_detail*) or
    has a default one (*has_default*). On site, the default tender is cash if the channel rounds cash amounts.

    Raises:
        InvalidOption: the provider or tender does not exist.
        InvalidCheckout: a field is missing or does not match the others.
    """
    provider = None if provider is None else option(PaymentProvider, provider, "provider")
    tender = None if tender is None else option(Tender, tender, "tender")
    if amount_due == 0:
        return PaymentWay()
    provider = provider or (PaymentProvider.GATEWAY if has_detail or has_default else None)
    if tender is not None and provider is not PaymentProvider.ON_SITE:
        raise _refused("tender", "only allowed with provider ON_SITE")
    if provider is None:
        raise _refused("provider", "required: an amount is due")
    if provider is PaymentProvider.GATEWAY:
        return PaymentWay(provider)
    if has_detail:
        raise _refused("provider", "expected GATEWAY with a payment detail, got ON_SITE")
    if not channel.can_pay_on_site:
        raise _refused("provider", "this channel does not accept payments on site")
    usual = Tender.CASH if channel.policy.cash_increment > 1 else Tender.OTHER
    return PaymentWay(provider, tender or usual)


def _refused(field: str, message: str) -> InvalidCheckout:
    return InvalidCheckout(Issue((field,), message))
