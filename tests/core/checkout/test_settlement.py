"""Requirements and means of paying a checkout, and the limits of codes that a payment uses up."""

from dataclasses import replace
from typing import Any

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.catalogue.products import Product
from faregate.checkout.code_limits import CodeLimit, LimitKind
from faregate.checkout.model import (
    Address,
    Checkout,
    CheckoutConditions,
    CheckoutItem,
    Component,
    ComponentSource,
)
from faregate.checkout.paying import PaymentProvider, PaymentWay, Tender, payment_way
from faregate.checkout.priced import price_checkout
from faregate.checkout.requirements import (
    Customer,
    Requirements,
    check_payable,
    claimed_code_limits,
    requirements_of,
)
from faregate.discounts.kinds import Absolute, Percentage, PromoCode
from faregate.errors import InvalidCheckout, InvalidOption, Issue, IssueCode, UnknownEntry
from faregate.translations import Text
from support.shops.small_shop import (
    ADULT,
    DAY_TICKET,
    LUNCH,
    LUNCH_VOUCHER,
    NOW,
    ON_KEYCARD,
    ON_PHOTO_CARD,
    RESORT,
    SHOP,
    TOUR,
    WEB,
    days,
)

NOBODY = Customer({})
ADA = {"firstName": "Ada", "lastName": "Byron"}
HOME = Address(
    address_line1="Dorfstrasse 1", address_line2=None, zip="7000", city="Chur", state=None, country_code="CH"
)
ARRIVAL = FormField(name="arrival", kind=FieldKind.DATE, title=Text("Arrival"), required=True)
HOTEL = FormField(name="hotel", kind=FieldKind.TEXT, title=Text("Hotel"))
HEIGHT = FormField(name="height", kind=FieldKind.INTEGER, title=Text("Height"), required=True)


def selling(product: Product, catalogue: Catalogue = SHOP) -> Catalogue:
    """Return *catalogue* with *product* replacing the product of the same id."""
    products = [product if kept.id == product.id else kept for kept in catalogue.products]
    return replace(catalogue, products=tuple(products))


def lunch(**conditions: Any) -> Checkout:
    """Return a checkout with one lunch and these conditions."""
    return Checkout("web", (CheckoutItem(1, LUNCH),), conditions=replace(CheckoutConditions(), **conditions))


def lacking(
    checkout: Checkout, catalogue: Catalogue, customer: Customer = NOBODY
) -> list[tuple[object, IssueCode]]:
    """Return the ``loc`` and the code of each unmet requirement."""
    try:
        check_payable(checkout, customer, catalogue=catalogue, at=NOW)
    except InvalidCheckout as error:
        return [(fault.loc, fault.code) for fault in error.issues]
    return []


def said(checkout: Checkout, catalogue: Catalogue) -> list[str]:
    """Return the message of each unmet requirement."""
    with pytest.raises(InvalidCheckout) as raised:
        check_payable(checkout, NOBODY, catalogue=catalogue, at=NOW)
    return [fault.message for fault in raised.value.issues]


def test_a_checkout_without_requirements_can_be_paid() -> None:
    assert lacking(lunch(), SHOP) == []


def test_an_empty_checkout_cannot_be_paid() -> None:
    assert lacking(Checkout("web"), SHOP) == [(("items",), IssueCode.EMPTY_CHECKOUT)]


def test_an_item_that_is_no_longer_sold_cannot_be_paid() -> None:
    with pytest.raises(UnknownEntry, match="999"):
        check_payable(Checkout("web", (CheckoutItem(1, 999),)), NOBODY, catalogue=SHOP, at=NOW)


def test_an_owner_is_a_person_of_the_account() -> None:
    shop = selling(replace(LUNCH_VOUCHER, requires_owner=True))

    assert lacking(lunch(), shop) == [(("owner",), IssueCode.OWNER_REQUIRED)]
    assert lacking(lunch(), shop, Customer({7: ADA}, owner=7)) == []


@pytest.mark.parametrize("name", ["billing", "shipping"])
def test_an_address_must_be_complete(name: str) -> None:
    shop = selling(replace(LUNCH_VOUCHER, **{f"requires_{name}_address": True}))  # type: ignore[arg-type]
    place = "values", f"{name}Address"
    partial = {f"{name}_address": Address(address_line1="Dorfstrasse 1", city="Chur")}

    assert lacking(lunch(), shop) == [(place, IssueCode.ADDRESS_REQUIRED)]
    assert lacking(lunch(**partial), shop) == [
        ((*place, "zip"), IssueCode.ADDRESS_REQUIRED),
        ((*place, "countryCode"), IssueCode.ADDRESS_REQUIRED),
    ]
    assert lacking(lunch(**{f"{name}_address": HOME}), shop) == []


def test_a_medium_sent_by_post_needs_a_shipping_address() -> None:
    tour = CheckoutItem(1, TOUR, days("2026-12-27", "2026-12-27"))
    kept, sent = (
        Checkout("web", (tour,), conditions=CheckoutConditions(media=((1, medium),)))
        for medium in (ON_KEYCARD, ON_PHOTO_CARD)
    )

    assert requirements_of(kept, catalogue=RESORT) == Requirements(
        owner=False, billing_address=False, shipping_address=False
    )
    assert requirements_of(sent, catalogue=RESORT) == Requirements(
        owner=False, billing_address=False, shipping_address=True
    )
    assert lacking(sent, RESORT) == [(("values", "shippingAddress"), IssueCode.ADDRESS_REQUIRED)]


@pytest.mark.parametrize("accepted", [None, False])
def test_terms_must_be_accepted_where_the_channel_or_a_product_requires_it(accepted: bool | None) -> None:
    strict = replace(SHOP, channels=(replace(WEB, requires_terms=True),))
    confirmed = selling(replace(LUNCH_VOUCHER, is_confirmation_required=True))

    for shop in (strict, confirmed):
        assert lacking(lunch(accept_terms=accepted), shop) == [
            (("values", "acceptTerms"), IssueCode.TERMS_NOT_ACCEPTED)
        ]
        assert lacking(lunch(accept_terms=True), shop) == []


def test_required_questions_of_the_channel_must_be_answered() -> None:
    asking = replace(SHOP, channels=(replace(WEB, form=(ARRIVAL, HOTEL)),))

    assert lacking(lunch(), asking) == [(("values", "arrival"), IssueCode.ANSWER_REQUIRED)]
    assert lacking(lunch(answers=(("arrival", "2026-12-27"),)), asking) == []


def test_a_medium_is_required_for_a_product_but_not_for_its_components() -> None:
    shop = selling(replace(DAY_TICKET, requires_medium=True))
    ticket = CheckoutItem(1, ADULT, days("2026-12-27", "2026-12-27"))
    chosen = Checkout("web", (ticket,), conditions=CheckoutConditions(media=((1, 1),)))

    assert lacking(Checkout("web", (CheckoutItem(4, LUNCH), ticket)), shop) == [
        (("items", 1, "medium"), IssueCode.MEDIUM_REQUIRED)
    ]
    assert lacking(chosen, shop) == []


def test_a_component_has_no_requirements_of_its_own() -> None:
    shop = selling(replace(LUNCH_VOUCHER, requires_personalization=True))
    component = Component(ComponentSource.MEDIUM, 0, 1)
    child = CheckoutItem(2, LUNCH, parent=1, component=component)
    parent = CheckoutItem(1, ADULT, days("2026-12-27", "2026-12-27"))

    assert lacking(Checkout("web", (parent, child)), shop) == []
    assert lacking(Checkout("web", (parent, child, CheckoutItem(3, LUNCH))), shop) == [
        (("items", 2, "person"), IssueCode.PERSON_REQUIRED)
    ]


def test_a_required_person_must_be_named_known_and_complete() -> None:
    shop = selling(replace(LUNCH_VOUCHER, requires_personalization=True, person_fields=(HEIGHT,)))
    place = "items", 0, "person"
    named = Checkout("web", (CheckoutItem(1, LUNCH, person=7),))

    assert lacking(lunch(), shop) == [(place, IssueCode.PERSON_REQUIRED)]
    assert lacking(named, shop) == [(place, IssueCode.UNKNOWN_PERSON)]
    assert lacking(named, shop, Customer({7: ADA})) == [((*place, "height"), IssueCode.PERSON_INCOMPLETE)]
    assert lacking(named, shop, Customer({7: {**ADA, "height": 170}})) == []


def test_a_named_person_must_be_complete_even_where_none_is_required() -> None:
    assert lacking(Checkout("web", (CheckoutItem(1, LUNCH, person=7),)), SHOP, Customer({7: {}})) == [
        (("items", 0, "person", "firstName"), IssueCode.PERSON_INCOMPLETE),
        (("items", 0, "person", "lastName"), IssueCode.PERSON_INCOMPLETE),
    ]


def test_everything_missing_is_listed() -> None:
    everything = replace(
        LUNCH_VOUCHER, requires_owner=True, requires_billing_address=True, requires_personalization=True
    )
    strict = replace(selling(everything), channels=(replace(WEB, requires_terms=True, form=(ARRIVAL,)),))

    assert [code for _, code in lacking(lunch(), strict)] == [
        IssueCode.OWNER_REQUIRED,
        IssueCode.ADDRESS_REQUIRED,
        IssueCode.TERMS_NOT_ACCEPTED,
        IssueCode.ANSWER_REQUIRED,
        IssueCode.PERSON_REQUIRED,
    ]


def test_the_messages_say_what_is_missing() -> None:
    asking = replace(LUNCH_VOUCHER, requires_owner=True, requires_billing_address=True)
    strict = replace(selling(asking), channels=(replace(WEB, requires_terms=True, form=(ARRIVAL,)),))

    assert said(lunch(), strict) == [
        "an account holder is required",
        "required",
        "the terms and conditions must be accepted",
        "answer required",
    ]
    assert said(lunch(billing_address=replace(HOME, zip=None), accept_terms=True), strict)[1] == "required"
    assert said(Checkout("web"), SHOP) == ["the checkout is empty"]


def test_paying_consumes_uses_budgets_and_voucher_balances() -> None:
    shop = replace(
        SHOP,
        promo_codes=(
            PromoCode(code="ONCE", kind=Percentage.percent(10), uses_left=1),
            PromoCode(code="PURSE", kind=Absolute(400), budget_left=1000),
            PromoCode(code="FREE", kind=Percentage.percent(1)),
            PromoCode(code="GONE", kind=Percentage.percent(50), uses_left=0),
        ),
        vouchers=(Voucher(code="GIFT", balance=500), Voucher(code="SPARE", balance=90000)),
    )
    codes = ("ONCE", "PURSE", "FREE", "GONE", "GIFT", "SPARE")
    totals = price_checkout(replace(lunch(), codes=codes), catalogue=shop, at=NOW).totals

    # 15.00 less 10 % is 13.50, less 1 % 13.36 (0.135 is rounded up), less 4.00 9.36.
    assert totals.total_gross == 936
    assert claimed_code_limits(totals) == {
        CodeLimit(LimitKind.USES, "ONCE"): 1,
        CodeLimit(LimitKind.BUDGET, "PURSE"): 400,
        CodeLimit(LimitKind.BALANCE, "GIFT"): 500,
        CodeLimit(LimitKind.BALANCE, "SPARE"): 436,
    }


def test_vouchers_and_codes_that_have_no_effect_consume_no_money() -> None:
    shop = replace(
        SHOP,
        promo_codes=(PromoCode(code="PURSE", kind=Absolute(400), budget_left=1000, uses_left=5),),
        vouchers=(Voucher(code="GIFT", balance=0),),
    )
    checkout = replace(lunch(donation=100), items=(CheckoutItem(1, LUNCH),), codes=("PURSE", "GIFT"))

    assert claimed_code_limits(price_checkout(checkout, catalogue=shop, at=NOW).totals) == {
        CodeLimit(LimitKind.USES, "PURSE"): 1,
        CodeLimit(LimitKind.BUDGET, "PURSE"): 400,
    }


GATEWAY, ON_SITE = PaymentProvider.GATEWAY, PaymentProvider.ON_SITE
TILL = replace(WEB, can_pay_on_site=True)
CASH_TILL = replace(TILL, policy=replace(WEB.policy, cash_increment=2))


@pytest.mark.parametrize(
    ("channel", "named", "expected"),
    [
        (WEB, {"provider": "GATEWAY"}, PaymentWay(GATEWAY)),
        (WEB, {"has_default": True}, PaymentWay(GATEWAY)),
        (TILL, {"provider": "ON_SITE", "has_default": True}, PaymentWay(ON_SITE, Tender.OTHER)),
        (TILL, {"provider": "ON_SITE", "tender": "cash"}, PaymentWay(ON_SITE, Tender.CASH)),
        (CASH_TILL, {"provider": "ON_SITE"}, PaymentWay(ON_SITE, Tender.CASH)),
    ],
)
def test_the_amount_due_is_paid_in_the_way_named(
    channel: Channel, named: dict[str, object], expected: PaymentWay
) -> None:
    assert payment_way(500, channel=channel, **named) == expected  # type: ignore[arg-type]


def test_no_payment_is_needed_when_nothing_is_due() -> None:
    assert payment_way(0, channel=WEB) == PaymentWay()


@pytest.mark.parametrize(
    ("channel", "named", "field", "message"),
    [
        (WEB, {}, "provider", "required: an amount is due"),
        (WEB, {"provider": "ON_SITE"}, "provider", "this channel does not accept payments on site"),
        (
            TILL,
            {"provider": "ON_SITE", "has_detail": True},
            "provider",
            "expected GATEWAY with a payment detail, got ON_SITE",
        ),
        (TILL, {"tender": "cash"}, "tender", "only allowed with provider ON_SITE"),
    ],
)
def test_invalid_payment_fields_are_located(
    channel: Channel, named: dict[str, object], field: str, message: str
) -> None:
    with pytest.raises(InvalidCheckout) as refused:
        payment_way(500, channel=channel, **named)  # type: ignore[arg-type]

    assert refused.value.issues == (Issue((field,), message),)


@pytest.mark.parametrize("due", [0, 500])
@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"provider": "ONSITE"}, "provider is 'ONSITE', expected 'GATEWAY' or 'ON_SITE'"),
        ({"provider": "ON_SITE", "tender": "card"}, "tender is 'card', expected 'cash' or 'other'"),
    ],
)
def test_misspelled_ways_to_pay_are_refused(due: int, named: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidOption, match=f"^{message}$"):
        payment_way(due, channel=TILL, **named)  # type: ignore[arg-type]
