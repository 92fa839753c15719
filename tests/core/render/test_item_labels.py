"""Labels of the items and lines of a checkout."""

from dataclasses import replace

import pytest

from faregate.checkout.model import CheckoutItem
from faregate.render.wording import item_label, line_labels
from faregate.translations import Text
from support.shops.small_shop import ADULT, CHILD, HALF_FARE, KEYCARD, LUNCH, SHOP, days

EVE = days("2026-12-24", "2026-12-24")


@pytest.mark.parametrize(
    ("item", "label"),
    [
        (CheckoutItem(1, CHILD, EVE), "Day ticket · Child · 24 Dec 2026"),
        (
            CheckoutItem(1, ADULT, EVE, discount_card=HALF_FARE),
            "Day ticket · Adult · 24 Dec 2026 · Half-fare card",
        ),
        (CheckoutItem(1, LUNCH), "Lunch"),
    ],
)
def test_the_label_of_an_item_has_what_distinguishes_it(item: CheckoutItem, label: str) -> None:
    assert item_label(item, SHOP) == label


def test_a_translation_is_used_as_the_label() -> None:
    first, *others = SHOP.products
    adult, child = first.variants
    named = replace(
        first, translation=Text("Tageskarte"), variants=(replace(adult, translation=Text("Gross")), child)
    )
    catalogue = replace(SHOP, products=(named, *others))

    assert item_label(CheckoutItem(1, ADULT), catalogue) == "Tageskarte · Gross"
    assert item_label(CheckoutItem(1, CHILD), catalogue) == "Tageskarte · Child"


def test_the_label_of_a_line_is_that_of_its_first_item() -> None:
    items = [CheckoutItem(7, LUNCH), CheckoutItem(3, KEYCARD), CheckoutItem(9, LUNCH)]

    assert line_labels(items, [(7, 9), (3,)], SHOP) == {7: "Lunch", 3: "Keycard"}
