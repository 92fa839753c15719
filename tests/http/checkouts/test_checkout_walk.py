"""A client that knows only the specification walks through a checkout; the identities hold at every step."""

from decimal import Decimal
from pathlib import Path

from support.service.checkout_walker import THREE_DAYS, Walker, entry, ids
from support.service.service import (
    PARTNERS,
    SUNDAY,
    day_ticket,
    item,
    running,
)

ADDRESS = {"addressLine1": "Dorfstrasse 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}


def test_the_first_items_open_the_checkout(walker: Walker) -> None:
    data = walker.add(day_ticket(1), day_ticket(2, 103))

    assert data["status"] == "OPEN"
    assert ids(data) == [1, 2]
    # 8 % early booking on 79 and on 39
    assert [entry["totalGross"] for entry in data["items"]] == [Decimal("72.68"), Decimal("35.88")]
    assert data["totalGross"] == Decimal("108.56")


def test_parents_and_children_may_be_sent_together_in_any_order(walker: Walker) -> None:
    insurance = item(2, 511, validity=THREE_DAYS, parentItemId=3)
    data = walker.add(insurance, item(3, 121, validity=THREE_DAYS), item(1, 911, parentItemId=3))

    assert ids(data) == [3, 2, 1]
    assert entry(data, 3)["childItems"] == [
        {"id": 2, "productVariantId": 511},
        {"id": 1, "productVariantId": 911},
    ]
    assert entry(data, 2)["parentItem"] == {"id": 3, "productVariantId": 121}
    assert data["requiresBillingAddress"]
    assert data["requiresShippingAddress"]


def test_quantity_adds_copies_and_removes_the_newest_first(walker: Walker) -> None:
    walker.add(day_ticket(1, discountCardTypeId=1), item(2, 411))
    more = walker.change(1, 3)
    fewer = walker.change(1, -2)

    assert ids(more) == [1, 2, 2**31, 2**31 + 1, 2**31 + 2]
    assert ids(fewer) == [1, 2, 2**31]
    assert entry(fewer, 2**31)["listPriceGross"] == entry(fewer, 1)["listPriceGross"] == Decimal("63.5")


def test_a_promo_code_that_applies_is_valid(walker: Walker) -> None:
    walker.add(item(1, 411))
    data = walker.enter(" winter10 ")

    assert data["promoCodes"] == [
        {
            "id": 1,
            "code": "WINTER10",
            "displayName": "Winter discount",
            "description": "10 % off the whole basket, up to CHF 60.",
            "discount": 10,
            "discountType": "PERCENTAGE",
            "valid": True,
            "totalAmount": Decimal("2.25"),
        }
    ]
    assert data["totalGross"] == Decimal("20.25")


def test_a_promo_code_says_what_is_missing_and_later_becomes_valid(walker: Walker) -> None:
    walker.add(item(1, 211))
    walker.remove(1)
    walker.add(item(2, 411))
    early = walker.enter("ALPINE50")
    later = walker.add(item(3, 212))

    assert early["promoCodes"] == [
        {
            "code": "ALPINE50",
            "valid": False,
            "totalAmount": 0,
            "reason": "MINIMUM_NOT_REACHED",
            "missing": {"spend": Decimal("427.5")},
        }
    ]
    [code] = later["promoCodes"]
    assert code["valid"]
    assert code["totalAmount"] == 50


def test_a_dropped_code_leaves_no_trace(walker: Walker) -> None:
    before = walker.add(day_ticket(1), item(2, 411))
    walker.enter("WINTER10")
    walker.enter("GIFT-100")
    walker.drop("GIFT-100")
    after = walker.drop("winter10")

    assert after == before


def test_addresses_are_shown_with_their_purpose(walker: Walker) -> None:
    walker.add(item(1, 411))
    walker.answer(billingAddress=ADDRESS)
    data = walker.answer(shippingAddress={**ADDRESS, "addressLine2": "c/o Meier", "state": "GR"})

    blanks = {"addressLine2": "", "state": ""}
    assert data["billingAddress"] == {"id": 1, **ADDRESS, **blanks, "purpose": ["BILLING"]}
    assert data["shippingAddress"] == {
        "id": 2,
        **ADDRESS,
        "addressLine2": "c/o Meier",
        "state": "GR",
        "purpose": ["SHIPPING"],
    }
    assert data["checkoutConditions"]["values"]["billingAddress"] == ADDRESS


def test_a_posted_medium_adds_its_fee_and_requires_an_address(walker: Walker) -> None:
    before = walker.add(day_ticket(1))
    data = walker.answer(media={"1": 1})
    after = walker.answer(media={"1": None})

    fee = entry(data, 2**31)
    assert (fee["parentItemId"], fee["productVariant"]["id"]) == (1, 911)
    assert (fee["listPriceGross"], fee["totalDiscountGross"], fee["isDeletable"]) == (6, 0, False)
    assert data["requiresShippingAddress"]
    assert not before["requiresShippingAddress"]
    assert after == before


def test_the_weather_guarantee_is_added_to_each_item_that_supports_it(walker: Walker) -> None:
    before = walker.add(day_ticket(1), day_ticket(2), item(3, 411))
    data = walker.answer(weatherGuarantee=True)
    after = walker.answer(weatherGuarantee=False)

    price = {"available": True, "price": 10}
    assert before["metadata"]["weatherGuarantee"] == {**price, "selected": False}
    assert data["metadata"]["weatherGuarantee"] == {**price, "selected": True}
    assert [entry["hasWeatherGuarantee"] for entry in data["items"]] == [True, True, False, False, False]
    assert data["totalGross"] == before["totalGross"] + 10
    assert after["items"] == before["items"]


def test_net_prices_add_up_on_the_partner_channel(tmp_path: Path) -> None:
    with running(tmp_path, channel=PARTNERS) as client:
        walker = Walker(client, net_prices=True)
        walker.add(item(1, 711, validity=SUNDAY), item(2, 712, validity=SUNDAY), item(3, 721))
        walker.change(3, 6)
        data = walker.remove(2)

        # 62.00 and seven times 18.15 (127.05); VAT of 5.022 at 8.1 % and 3.3033 at 2.6 %
        assert data["totalNet"] == Decimal("189.05")
        assert data["totalGross"] == Decimal("197.37")
