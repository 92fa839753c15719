"""How a checkout is paid: through the gateway, on site, or with nothing left to pay. Decisions §12."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from faregate.errors import InvalidCheckout, Issue

if TYPE_CHECKING:
    from faregate.catalogue.channels import Channel
    from faregate.money.amounts import MinorUnits

GATEWAY, ON_SITE = "GATEWAY", "ON_SITE"
CASH, OTHER = "cash", "other"


class PaymentWay(NamedTuple):
    """The provider that is to pay what is due, and on site the tender; no provider where nothing is due."""

    provider: str | None = None
    tender: str | None = None


def payment_way(
    amount_due: MinorUnits,
    *,
    channel: Channel,
    provider: str | None = None,
    tender: str | None = None,
    has_detail: bool = False,
) -> PaymentWay:
    """Return how *amount_due* is paid on *channel* by a customer who names a *provider* and a *tender*.

    Who names a payment detail (*has_detail*) means the gateway. On site, cash is usual where the channel
    rounds cash.

    Raises:
        InvalidCheckout: locates the field that does not fit.
    """
    if amount_due == 0:
        return PaymentWay()
    provider = provider or (GATEWAY if has_detail else None)
    if tender is not None and provider != ON_SITE:
        raise _refused("tender", "goes with the provider ON_SITE only")
    if provider is None:
        raise _refused("provider", "is missing: something is due")
    if provider == GATEWAY:
        return PaymentWay(GATEWAY)
    if has_detail:
        raise _refused("provider", "does not go with a payment detail")
    if not channel.can_pay_on_site:
        raise _refused("provider", "this channel takes no payments on site")
    return PaymentWay(ON_SITE, tender or (CASH if channel.policy.cash_increment > 1 else OTHER))


def _refused(field: str, message: str) -> InvalidCheckout:
    return InvalidCheckout(Issue((field,), message))
