"""Changes of the quantity of an item, by adding and removing copies. Decisions §11.3."""

from dataclasses import replace

import pytest

from faregate.checkout.changes import set_conditions
from faregate.checkout.item_requests import MAX_ITEMS, ItemRequest
from faregate.checkout.model import CheckoutConditions, CheckoutItem, Quote
from faregate.checkout.priced import price_checkout
from faregate.errors import CheckoutConflict, InvalidCheckout, IssueCode, UnknownItems
from support.checkouts.asked_items import LATER, SUNDAY, ids
from support.checkouts.changed_checkouts import (
    CLEANED,
    FAMILY,
    FIRST,
    GUARANTEED,
    LUNCHTIME,
    changed,
    refused,
    removed,
    with_items,
)
from support.shops.small_shop import (
    ADULT,
    HALF_FARE,
    INSURANCE,
    LOCKER,
    LUNCH,
    LUNCH_VOUCHER,
    NOW,
    ON_KEYCARD,
    ON_PHOTO_CARD,
    RESORT,
    TOUR,
    UNTAXED,
    days,
    dearer,
    without,
    without_media,
)

TICKET = with_items(
    ItemRequest(1, LUNCH),
    ItemRequest(2, ADULT, SUNDAY, parent=1, originated_from=1, person=8, discount_card=HALF_FARE),
)


def test_copies_have_no_person_and_the_current_price() -> None:
    checkout = changed(TICKET, 2, 2, dearer(RESORT))

    copy = CheckoutItem(
        FIRST,
        ADULT,
        days(*SUNDAY),
        parent=1,
        discount_card=HALF_FARE,
        copy_of=2,
        quote=Quote(8000, UNTAXED, LATER),
    )
    assert checkout == replace(
        TICKET, items=(*TICKET.items, copy, copy._replace(id=FIRST + 1)), next_id=FIRST + 2
    )


def test_a_copy_of_a_copy_is_a_copy_of_the_item() -> None:
    checkout = changed(changed(LUNCHTIME, 1, 1), FIRST, 1)

    assert [(item.id, item.copy_of) for item in checkout.items] == [(1, None), (FIRST, 1), (FIRST + 1, 1)]


def test_copies_are_issued_on_the_medium_of_the_item_and_have_its_guarantee() -> None:
    conditions = replace(GUARANTEED, media=((1, ON_KEYCARD),))
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), conditions, catalogue=RESORT, at=NOW)

    checkout = changed(tours, 1, 2)

    one, other = FIRST + 3, FIRST + 4
    assert checkout.conditions.media == ((1, ON_KEYCARD), (one, ON_KEYCARD), (other, ON_KEYCARD))
    assert ids(checkout)[4:] == [one, other, *range(FIRST + 5, FIRST + 11)]
    assert [item.parent for item in checkout.items[6:]] == [one] * 3 + [other] * 3
    assert price_checkout(checkout, catalogue=RESORT, at=LATER).totals.total_gross == 3 * (6000 + 500 + 500)


def test_children_that_a_customer_added_are_not_copied() -> None:
    assert ids(changed(FAMILY, 1, 1)) == [1, 2, 3, 4, 5, FIRST]


def test_a_unique_item_has_no_copies() -> None:
    locker = with_items(ItemRequest(1, LOCKER))

    unique = (CheckoutConflict, [(("delta",), IssueCode.UNIQUE_ITEM)])
    assert refused(lambda: changed(locker, 1, 1)) == refused(lambda: changed(locker, 1, 2)) == unique


def test_one_ticket_per_person_does_not_prevent_copies_for_others() -> None:
    assert len(changed(with_items(ItemRequest(1, TOUR, SUNDAY, person=8)), 1, 3).items) == 4


def test_the_newest_copies_are_removed_first_and_the_item_last() -> None:
    checkout = changed(changed(changed(LUNCHTIME, 1, 2), FIRST, 1), 1, -1)

    assert ids(checkout) == [1, FIRST, FIRST + 1]
    assert ids(changed(checkout, 1, -2)) == [1]
    assert ids(changed(checkout, FIRST, -1)) == [1, FIRST]
    assert changed(checkout, FIRST + 1, -3).items == ()
    assert changed(checkout, 1, -3).removed == {1}


def test_the_children_of_a_copy_are_removed_with_it() -> None:
    insured = with_items(ItemRequest(2, INSURANCE, parent=FIRST), to=changed(LUNCHTIME, 1, 1))

    checkout = changed(insured, 1, -1)

    assert ids(checkout) == [1]
    assert checkout.removed == {2}


def test_the_media_of_copies_are_removed_with_them() -> None:
    conditions = CheckoutConditions(media=((1, ON_PHOTO_CARD),))
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), conditions, catalogue=RESORT, at=NOW)

    checkout = changed(changed(tours, 1, 2), 1, -2)

    assert (checkout.items, checkout.conditions) == (tours.items, conditions)


def test_copies_remain_one_quantity_when_the_item_is_removed() -> None:
    checkout = removed(changed(LUNCHTIME, 1, 2), 1)

    assert ids(checkout) == [FIRST, FIRST + 1]
    assert ids(changed(checkout, FIRST, 1)) == [FIRST, FIRST + 1, FIRST + 2]
    assert ids(changed(checkout, FIRST, -1)) == [FIRST]
    assert refused(lambda: changed(checkout, FIRST, -3)) == (
        InvalidCheckout,
        [(("delta",), IssueCode.INVALID_DELTA)],
    )


def test_the_quantity_of_an_unknown_item_cannot_be_changed() -> None:
    with pytest.raises(UnknownItems, match=r"^unknown items 9$"):
        changed(FAMILY, 9, 0)


@pytest.mark.parametrize("delta", [0, -2])
def test_a_quantity_cannot_change_by_0_or_fall_below_0(delta: int) -> None:
    assert refused(lambda: changed(LUNCHTIME, 1, delta)) == (
        InvalidCheckout,
        [(("delta",), IssueCode.INVALID_DELTA)],
    )


def test_a_quantity_is_limited_by_the_maximum_number_of_items() -> None:
    too_many = (InvalidCheckout, [(("delta",), IssueCode.TOO_MANY_ITEMS)])

    assert len(changed(LUNCHTIME, 1, MAX_ITEMS - 1).items) == MAX_ITEMS
    assert refused(lambda: changed(LUNCHTIME, 1, MAX_ITEMS)) == too_many
    # Far too many copies are refused before they are made.
    assert refused(lambda: changed(LUNCHTIME, 1, MAX_ITEMS, without(RESORT, LUNCH_VOUCHER))) == too_many


def test_the_price_components_of_a_quantity_count_towards_the_item_limit() -> None:
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), GUARANTEED, catalogue=RESORT, at=NOW)

    assert len(changed(tours, 1, 165).items) == 3 * 166
    assert refused(lambda: changed(tours, 1, 166)) == (
        InvalidCheckout,
        [(("delta",), IssueCode.TOO_MANY_ITEMS)],
    )


@pytest.mark.parametrize("delta", [1, -1])
def test_the_quantity_of_a_price_component_is_that_of_its_item(delta: int) -> None:
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), GUARANTEED, catalogue=RESORT, at=NOW)

    assert refused(lambda: changed(tours, FIRST, delta)) == (
        CheckoutConflict,
        [(("delta",), IssueCode.NOT_DELETABLE)],
    )
    assert refused(lambda: changed(tours, FIRST, 0))[0] is InvalidCheckout


def test_the_quantity_of_an_item_that_is_not_deletable_cannot_be_lowered() -> None:
    assert len(changed(CLEANED, 3, 1).items) == 4
    assert refused(lambda: changed(CLEANED, 3, -1)) == (
        CheckoutConflict,
        [(("delta",), IssueCode.NOT_DELETABLE)],
    )
    assert refused(lambda: changed(CLEANED, 3, -2))[0] is InvalidCheckout


def test_an_item_that_is_no_longer_sold_can_only_be_reduced_in_quantity() -> None:
    catalogue = without(RESORT, LUNCH_VOUCHER)

    assert changed(LUNCHTIME, 1, -1, catalogue).items == ()
    assert refused(lambda: changed(LUNCHTIME, 1, 1, catalogue)) == (
        InvalidCheckout,
        [(("delta",), IssueCode.UNKNOWN_VARIANT)],
    )


def test_the_quantity_of_an_item_on_a_missing_medium_cannot_be_raised() -> None:
    conditions = CheckoutConditions(media=((1, ON_PHOTO_CARD),))
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), conditions, catalogue=RESORT, at=NOW)

    assert refused(lambda: changed(tours, 1, 1, without_media(RESORT))) == (
        InvalidCheckout,
        [(("delta",), IssueCode.UNKNOWN_MEDIUM)],
    )
