"""How a checkout is paid: through the gateway, on site, or with nothing left to pay. Decisions §12."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from faregate.arguments.checks import option
from faregate.errors import InvalidCheckout, Issue

if TYPE_CHECKING:
    from faregate.catalogue.channels import Channel
    from faregate.money.amounts import MinorUnits


class PaymentProvider(Enum):
    """The provider of a payment: a gateway, or the staff of a till."""

    GATEWAY = "GATEWAY"
    ON_SITE = "ON_SITE"


class Tender(Enum):
    """The means of payment that a customer hands over on site."""

    CASH = "cash"
    OTHER = "other"


class PaymentWay(NamedTuple):
    """The provider that is to pay what is due, and on site the tender; no provider where nothing is due."""

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
    """Return how *amount_due* is paid on *channel* by a customer who names a *provider* and a *tender*.

    A customer who names a payment detail (*has_detail*) means the gateway. So does one who names no provider,
    if there is a detail to pay with by default (*has_default*). On site, cash is usual where the channel
    rounds cash.

    Raises:
        InvalidOption: there is no such provider or tender.
        InvalidCheckout: locates the field that does not fit.
    """
    provider = None if provider is None else option(PaymentProvider, provider, "provider")
    tender = None if tender is None else option(Tender, tender, "tender")
    if amount_due == 0:
        return PaymentWay()
    provider = provider or (PaymentProvider.GATEWAY if has_detail or has_default else None)
    if tender is not None and provider is not PaymentProvider.ON_SITE:
        raise _refused("tender", "goes with the provider ON_SITE only")
    if provider is None:
        raise _refused("provider", "is missing: something is due")
    if provider is PaymentProvider.GATEWAY:
        return PaymentWay(provider)
    if has_detail:
        raise _refused("provider", "does not go with a payment detail")
    if not channel.can_pay_on_site:
        raise _refused("provider", "this channel takes no payments on site")
    usual = Tender.CASH if channel.policy.cash_increment > 1 else Tender.OTHER
    return PaymentWay(provider, tender or usual)


def _refused(field: str, message: str) -> InvalidCheckout:
    return InvalidCheckout(Issue((field,), message))
