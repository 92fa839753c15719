"""Items that a checkout refuses, all reported together. Decisions §11.3, §11.7, §11.10."""

from dataclasses import replace

import pytest

from faregate.checkout.changes import add_items, remove_items, set_conditions
from faregate.checkout.item_requests import MAX_ITEMS, ItemRequest
from faregate.checkout.model import FIRST_SERVICE_ID, Checkout, CheckoutConditions, CheckoutItem
from faregate.errors import CheckoutConflict, InvalidCheckout, IssueCode
from support.checkouts.asked_items import EMPTY, SUNDAY, added, conflicts, faults, ids, lunches
from support.shops.small_shop import ADULT, INSURANCE, LOCKER, LUNCH, NOW, RENTAL, RESORT, TOUR


@pytest.mark.parametrize(
    ("item", "field", "code"),
    [
        (ItemRequest(1, LUNCH, parent=1), "parent", IssueCode.INVALID),
        (ItemRequest(2, LUNCH, parent=9), "parent", IssueCode.UNKNOWN_ITEM),
        (ItemRequest(1, INSURANCE), "parent", IssueCode.NEEDS_PARENT),
        (ItemRequest(1, LUNCH, originated_from=9), "originated_from", IssueCode.UNKNOWN_ITEM),
        (ItemRequest(1, LUNCH, originated_from=1), "originated_from", IssueCode.UNKNOWN_ITEM),
        (ItemRequest(1, LUNCH, person=10), "person", IssueCode.UNKNOWN_PERSON),
        (ItemRequest(1, LUNCH, discount_card=6), "discount_card", IssueCode.UNKNOWN_DISCOUNT_CARD),
        (ItemRequest(1, 999, SUNDAY), "variant", IssueCode.UNKNOWN_VARIANT),
        (ItemRequest(1, RENTAL), "variant", IssueCode.NOT_SOLD_HERE),
    ],
    ids=[
        "parent of itself",
        "no such parent",
        "only sold with another",
        "no such origin",
        "origin of itself",
        "person of somebody else",
        "no such card",
        "no such variant",
        "another currency",
    ],
)
def test_unknown_references_are_reported_with_their_location(
    item: ItemRequest, field: str, code: IssueCode
) -> None:
    assert faults(ItemRequest(7, LUNCH), item) == [(("items", 1, field), code)]


def test_items_of_a_request_cannot_be_each_others_parents() -> None:
    assert faults(ItemRequest(1, LUNCH, parent=2), ItemRequest(2, LUNCH, parent=1)) == [
        (("items", 0, "parent"), IssueCode.INVALID),
        (("items", 1, "parent"), IssueCode.INVALID),
    ]


def test_the_index_of_a_missing_parent_counts_repeated_items() -> None:
    there = added(EMPTY, *lunches(1))

    assert faults(*lunches(1), ItemRequest(2, LUNCH, parent=9), to=there) == [
        (("items", 1, "parent"), IssueCode.UNKNOWN_ITEM)
    ]


def test_a_price_component_cannot_be_a_parent() -> None:
    guaranteed = CheckoutConditions(weather_guarantee=True)
    checkout = set_conditions(
        added(EMPTY, ItemRequest(1, TOUR, SUNDAY)), guaranteed, catalogue=RESORT, at=NOW
    )

    assert faults(ItemRequest(2, LUNCH, parent=FIRST_SERVICE_ID), to=checkout) == [
        (("items", 0, "parent"), IssueCode.INVALID)
    ]


def test_without_an_account_there_are_no_persons() -> None:
    with pytest.raises(InvalidCheckout, match=r"^person 8 does not belong to the account of this checkout$"):
        add_items(EMPTY, [ItemRequest(1, LUNCH, person=8)], catalogue=RESORT, at=NOW)


def test_all_issues_of_a_request_are_reported_at_once_in_its_order() -> None:
    there = added(EMPTY, *lunches(1))

    assert faults(
        ItemRequest(2, 999, SUNDAY, parent=99, person=10),
        *lunches(1),
        ItemRequest(0, ADULT, ("x", "y"), discount_card=6),
        ItemRequest(1, 999),
        ItemRequest(4, INSURANCE, SUNDAY, originated_from=98),
        to=there,
    ) == [
        (("items", 0, "variant"), IssueCode.UNKNOWN_VARIANT),
        (("items", 0, "parent"), IssueCode.UNKNOWN_ITEM),
        (("items", 0, "person"), IssueCode.UNKNOWN_PERSON),
        (("items", 2, "id"), IssueCode.INVALID),
        (("items", 2, "validity"), IssueCode.INVALID_VALIDITY),
        (("items", 2, "discount_card"), IssueCode.UNKNOWN_DISCOUNT_CARD),
        (("items", 3, "id"), IssueCode.INVALID),
        (("items", 3, "variant"), IssueCode.UNKNOWN_VARIANT),
        (("items", 4, "parent"), IssueCode.NEEDS_PARENT),
        (("items", 4, "validity"), IssueCode.VALIDITY_NOT_WANTED),
        (("items", 4, "originated_from"), IssueCode.UNKNOWN_ITEM),
    ]


def test_all_conflicts_are_reported_at_once_in_the_order_of_the_request() -> None:
    checkout = remove_items(added(EMPTY, *lunches(1, 2), ItemRequest(3, LOCKER)), {1}, catalogue=RESORT)

    assert conflicts(ItemRequest(4, LOCKER), *lunches(1), ItemRequest(2, LOCKER), to=checkout) == [
        (("items", 0, "variant"), IssueCode.UNIQUE_ITEM),
        (("items", 1, "id"), IssueCode.ID_USED),
        (("items", 2, "id"), IssueCode.ID_TAKEN),
    ]


def test_issues_of_the_input_are_reported_before_conflicts() -> None:
    checkout = added(EMPTY, *lunches(1), ItemRequest(3, LOCKER))

    assert faults(ItemRequest(1, LOCKER), ItemRequest(4, LOCKER), ItemRequest(5, 999), to=checkout) == [
        (("items", 2, "variant"), IssueCode.UNKNOWN_VARIANT)
    ]


def test_issues_of_existing_items_are_not_issues_of_the_request() -> None:
    torn = Checkout("web", (CheckoutItem(1, LUNCH, parent=9),))

    assert ids(added(torn, *lunches(2))) == [1, 2]


def test_a_unique_item_is_sold_once_per_checkout() -> None:
    checkout = added(EMPTY, ItemRequest(1, LOCKER))

    assert conflicts(ItemRequest(2, LOCKER), to=checkout) == [
        (("items", 0, "variant"), IssueCode.UNIQUE_ITEM)
    ]
    assert conflicts(ItemRequest(2, LOCKER), ItemRequest(3, LOCKER), to=EMPTY) == [
        (("items", 1, "variant"), IssueCode.UNIQUE_ITEM)
    ]


def test_another_variant_of_a_unique_product_is_another_item() -> None:
    assert len(added(EMPTY, ItemRequest(1, LOCKER), ItemRequest(2, LOCKER + 1)).items) == 2


MORNING = ("2026-12-27T08:00", "2026-12-27T12:00")


@pytest.mark.parametrize(
    ("validity", "overlaps"),
    [
        (MORNING, True),
        (("2026-12-27T11:59:59", "2026-12-27T15:59:59"), True),
        (("2026-12-27T04:00:01", "2026-12-27T08:00:01"), True),
        (("2026-12-27T12:00", "2026-12-27T16:00"), False),
        (("2026-12-27T04:00", "2026-12-27T08:00"), False),
    ],
)
def test_one_ticket_per_person_and_time(validity: tuple[str, str], *, overlaps: bool) -> None:
    checkout = added(EMPTY, ItemRequest(1, TOUR, MORNING, person=8))
    another = ItemRequest(2, TOUR, validity, person=8)

    if overlaps:
        assert conflicts(another, to=checkout) == [(("items", 0, "person"), IssueCode.ONE_PER_PERSON)]
    else:
        assert ids(added(checkout, another)) == [1, 2]


def test_the_first_overlap_with_any_ticket_of_the_person_counts() -> None:
    afternoon = ("2026-12-27T14:00", "2026-12-27T18:00")
    requests = [
        ItemRequest(n, TOUR, when, person=8) for n, when in enumerate((MORNING, afternoon, MORNING), 1)
    ]

    assert conflicts(*requests, to=EMPTY) == [(("items", 2, "person"), IssueCode.ONE_PER_PERSON)]


@pytest.mark.parametrize(
    "another",
    [
        ItemRequest(2, TOUR, MORNING, person=9),
        ItemRequest(2, TOUR, MORNING),
        ItemRequest(2, ADULT, SUNDAY, person=8),
    ],
    ids=["another person", "nobody yet", "another product"],
)
def test_other_persons_or_products_may_have_a_ticket_for_that_time(another: ItemRequest) -> None:
    assert ids(added(EMPTY, ItemRequest(1, TOUR, MORNING, person=8), another)) == [1, 2]


def test_tickets_without_a_validity_overlap() -> None:
    products = [
        replace(product, is_max_one_ticket_per_person=product.id == 21) for product in RESORT.products
    ]
    catalogue = replace(RESORT, products=tuple(products))
    checkout = added(EMPTY, ItemRequest(1, LUNCH, person=8))

    with pytest.raises(CheckoutConflict, match=r"^person 8 already has a ticket of product 21 for that"):
        added(checkout, ItemRequest(2, LUNCH, person=8), catalogue=catalogue)


FULL = added(EMPTY, *lunches(*range(1, MAX_ITEMS + 1)))
NO_ROOM = [(("items",), IssueCode.TOO_MANY_ITEMS)]


def test_a_checkout_has_at_most_five_hundred_items() -> None:
    assert len(FULL.items) == 500
    assert added(FULL, *lunches(*range(1, 501))) is FULL
    assert faults(*lunches(501), to=FULL) == faults(ItemRequest(501, 999), to=FULL) == NO_ROOM
    assert faults(*lunches(*range(1, 502))) == NO_ROOM


def test_far_too_many_items_are_refused_before_they_are_checked() -> None:
    circle = [ItemRequest(n, 999, SUNDAY, parent=n + 1) for n in range(1, 30_000)]

    assert faults(*circle) == NO_ROOM
    assert faults(*circle[:1] * 30_000, to=added(EMPTY, *lunches(1))) == NO_ROOM
