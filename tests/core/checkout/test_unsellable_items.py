"""Issues that prevent pricing a checkout, reported together. Decisions §11.3, §11.7."""

from dataclasses import replace

import pytest

from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import ProductType
from faregate.checkout.model import CheckoutItem
from faregate.errors import InvalidCheckout, InvalidLines
from support.checkouts.priced_checkouts import SUNDAY, adult, priced
from support.shops.small_shop import ADULT, DAY_TICKET, INSURANCE, LUNCH, RENTAL, SHOP, days

PERISHED = replace(
    DAY_TICKET, id=12, slug="perished", variants=(replace(DAY_TICKET.variants[0], id=199, prices=()),)
)


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        pytest.param([CheckoutItem(1, 999)], "item 1: unknown variant 999", id="no such variant"),
        pytest.param([CheckoutItem(1, ADULT)], "item 1: product 11 needs a validity", id="no validity"),
        pytest.param(
            [CheckoutItem(1, LUNCH, SUNDAY)], "item 1: product 21 has no validity", id="a validity too much"
        ),
        pytest.param(
            [adult(1, days("2026-12-27", "2026-12-28"))],
            "item 1: 2026-12-27T00:00:00+01:00 to 2026-12-29T00:00:00+01:00"
            " has none of the product's durations: P1D, P3D",
            id="two days",
        ),
        pytest.param(
            [CheckoutItem(1, RENTAL)], "item 1: product 51 is sold in EUR, not CHF", id="another currency"
        ),
        pytest.param(
            [CheckoutItem(1, INSURANCE)], "item 1: product 31 is only sold with another item", id="alone"
        ),
        pytest.param(
            [CheckoutItem(1, LUNCH, discount_card=6)], "item 1: unknown discount card 6", id="no such card"
        ),
        pytest.param(
            [CheckoutItem(1, 199, SUNDAY)], "item 1: unknown price of variant 199 for P1D", id="no price"
        ),
    ],
)
def test_an_item_that_cannot_be_sold_says_why(items: list[CheckoutItem], fault: str) -> None:
    catalogue = replace(SHOP, products=(*SHOP.products, PERISHED))

    with pytest.raises(InvalidCheckout) as raised:
        priced(*items, catalogue=catalogue)

    assert raised.value.messages == (fault,)


def test_a_product_that_the_channel_does_not_sell_is_refused() -> None:
    with pytest.raises(InvalidCheckout) as raised:
        priced(CheckoutItem(1, LUNCH), channel="desk")

    assert raised.value.messages == ("item 1: product 21 is not sold on channel Ticket desk",)


def test_all_items_that_cannot_be_sold_are_reported_at_once() -> None:
    with pytest.raises(InvalidCheckout) as raised:
        priced(
            CheckoutItem(1, 999), adult(2), CheckoutItem(3, LUNCH, SUNDAY), CheckoutItem(4, LUNCH, parent=9)
        )

    assert raised.value.messages == (
        "item 4: there is no parent item 9",
        "item 1: unknown variant 999",
        "item 3: product 21 has no validity",
    )


def test_a_parent_changes_neither_prices_nor_lines() -> None:
    result = priced(adult(1), CheckoutItem(2, LUNCH, parent=1), CheckoutItem(3, LUNCH))

    assert result.members == ((1,), (2, 3))


def test_a_duplicate_item_id_is_refused() -> None:
    with pytest.raises(InvalidLines, match=r"^item id 1 is used twice$"):
        priced(adult(1), CheckoutItem(1, LUNCH))


def test_an_item_can_be_sold_if_its_merchant_uses_the_same_currency() -> None:
    hire = replace(SHOP.merchants[1], currency="CHF", timezone="Europe/Zurich")
    franc_rental = replace(SHOP, merchants=(SHOP.merchants[0], hire))

    assert priced(CheckoutItem(1, RENTAL), catalogue=franc_rental).totals.total_gross == 3000


def test_a_price_of_0_is_a_price() -> None:
    free = replace(
        DAY_TICKET,
        variants=(replace(DAY_TICKET.variants[0], prices=(PriceRule(0),)),),
        type=ProductType.PASS,
    )
    catalogue = replace(SHOP, products=(free, *SHOP.products[1:]))

    assert priced(adult(1), catalogue=catalogue).totals.total_gross == 0
