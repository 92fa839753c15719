"""The way a checkout is paid: explicit choices of the customer, and defaults."""

from dataclasses import replace

import pytest

from faregate.catalogue.channels import Channel
from faregate.checkout.paying import PaymentProvider, PaymentWay, Tender, payment_way
from faregate.errors import InvalidCheckout, InvalidOption
from support.shops.small_shop import WEB

GATEWAY, ON_SITE = PaymentProvider.GATEWAY, PaymentProvider.ON_SITE
TILL = replace(WEB, can_pay_on_site=True)
CASH_TILL = replace(TILL, policy=replace(WEB.policy, cash_increment=5))


@pytest.mark.parametrize(
    ("channel", "named", "expected"),
    [
        (WEB, {"provider": "GATEWAY"}, PaymentWay(GATEWAY)),
        (WEB, {"has_detail": True}, PaymentWay(GATEWAY)),
        (WEB, {"has_default": True}, PaymentWay(GATEWAY)),
        (TILL, {"provider": "ON_SITE", "has_default": True}, PaymentWay(ON_SITE, Tender.OTHER)),
        (TILL, {"provider": "ON_SITE"}, PaymentWay(ON_SITE, Tender.OTHER)),
        (TILL, {"provider": "ON_SITE", "tender": "cash"}, PaymentWay(ON_SITE, Tender.CASH)),
        (CASH_TILL, {"provider": "ON_SITE"}, PaymentWay(ON_SITE, Tender.CASH)),
        (CASH_TILL, {"provider": "ON_SITE", "tender": "other"}, PaymentWay(ON_SITE, Tender.OTHER)),
    ],
)
def test_the_amount_due_is_paid_in_the_way_named(
    channel: Channel, named: dict[str, object], expected: PaymentWay
) -> None:
    assert payment_way(500, channel=channel, **named) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("named", [{}, {"provider": "ON_SITE"}, {"tender": "cash"}, {"has_detail": True}])
def test_no_payment_is_needed_when_nothing_is_due(named: dict[str, object]) -> None:
    assert payment_way(0, channel=WEB, **named) == PaymentWay()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("channel", "named", "field"),
    [
        (WEB, {}, "provider"),
        (WEB, {"provider": "ON_SITE"}, "provider"),
        (TILL, {"provider": "ON_SITE", "has_detail": True}, "provider"),
        (TILL, {"tender": "cash"}, "tender"),
        (TILL, {"tender": "cash", "has_default": True}, "tender"),
        (TILL, {"provider": "GATEWAY", "tender": "cash"}, "tender"),
    ],
)
def test_invalid_payment_fields_are_located(channel: Channel, named: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidCheckout) as refused:
        payment_way(500, channel=channel, **named)  # type: ignore[arg-type]

    assert [issue.loc for issue in refused.value.issues] == [(field,)]


@pytest.mark.parametrize("due", [0, 500])
@pytest.mark.parametrize("named", [{"provider": "ONSITE"}, {"provider": "ON_SITE", "tender": "card"}])
def test_misspelled_ways_to_pay_are_refused(due: int, named: dict[str, object]) -> None:
    with pytest.raises(InvalidOption):
        payment_way(due, channel=TILL, **named)  # type: ignore[arg-type]
