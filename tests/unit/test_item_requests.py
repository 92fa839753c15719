"""Adding items: replays, ids, parents, validities, refusals. Decisions §8.1, §11.3, §11.7, §11.10."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from faregate.catalogue import Catalogue
from faregate.checkout import (
    FIRST_SERVICE_ID,
    MOST_ITEMS,
    Checkout,
    CheckoutConditions,
    CheckoutItem,
    ItemRequest,
    Quote,
    add_items,
    change_quantity,
    remove_items,
    set_conditions,
)
from faregate.dates import Interval
from faregate.errors import CheckoutConflict, InvalidCheckout, UnknownEntry
from faregate.faults import Fault, FaultCode, Place
from unit.small_shop import (
    ADULT,
    GUIDED_TOUR,
    HALF_FARE,
    INSURANCE,
    LOCKER,
    LOCKER_PASS,
    LUNCH,
    NOW,
    ON_PHOTO_CARD,
    REDUCED,
    RENTAL,
    RESORT,
    TOUR,
    UNTAXED,
    VAT,
    days,
    dearer,
    without,
)

SUNDAY = ("2026-12-27", "2026-12-27")
LATER = NOW + timedelta(minutes=10)
EMPTY = Checkout("web")
PERSONS = frozenset({8, 9})


def added(
    checkout: Checkout,
    *requests: ItemRequest,
    catalogue: Catalogue = RESORT,
    persons: frozenset[int] = PERSONS,
) -> Checkout:
    return add_items(checkout, requests, catalogue=catalogue, at=NOW, persons=persons)


def lunches(*ids: int) -> list[ItemRequest]:
    return [ItemRequest(number, LUNCH) for number in ids]


def ids(checkout: Checkout) -> list[int]:
    return [item.id for item in checkout.items]


def faults(
    *requests: ItemRequest, to: Checkout = EMPTY, catalogue: Catalogue = RESORT
) -> list[tuple[Place, FaultCode]]:
    """Where and of which kind: what is impossible in any checkout."""
    with pytest.raises(InvalidCheckout) as raised:
        added(to, *requests, catalogue=catalogue)
    assert len(raised.value.faults) == len(raised.value.located)
    return [(fault.place, fault.code) for fault in raised.value.located]


def conflicts(*requests: ItemRequest, to: Checkout) -> list[tuple[Place, FaultCode]]:
    """Where and of which kind: what this checkout does not allow."""
    with pytest.raises(CheckoutConflict) as raised:
        added(to, *requests)
    return [(fault.place, fault.code) for fault in raised.value.located]


# ---------------------------------------------------------------- what is added


def test_an_item_is_what_was_asked_for_and_its_quote() -> None:
    checkout = added(EMPTY, ItemRequest(7, ADULT, SUNDAY, person=8, discount_card=HALF_FARE))

    assert checkout == Checkout(
        "web",
        (
            CheckoutItem(
                7, ADULT, days(*SUNDAY), person=8, discount_card=HALF_FARE, quote=Quote(4000, VAT, NOW)
            ),
        ),
    )


def test_items_are_added_behind_the_others_in_the_order_asked_for() -> None:
    assert ids(added(added(EMPTY, *lunches(5, 3)), *lunches(9, 1))) == [5, 3, 9, 1]


def test_parents_of_the_same_request_stand_before_their_children_whatever_the_order() -> None:
    checkout = added(
        EMPTY,
        ItemRequest(1, INSURANCE, parent=2),
        ItemRequest(4, LUNCH),
        ItemRequest(2, LUNCH, parent=3),
        ItemRequest(3, LUNCH),
    )

    assert ids(checkout) == [4, 3, 2, 1]


def test_a_parent_may_be_there_already() -> None:
    checkout = added(added(EMPTY, *lunches(1)), ItemRequest(2, INSURANCE, parent=1))

    assert [(item.id, item.parent) for item in checkout.items] == [(1, None), (2, 1)]


def test_a_parent_may_be_repeated_beside_a_new_child() -> None:
    there = added(EMPTY, *lunches(1))

    assert added(there, ItemRequest(1, LUNCH), ItemRequest(2, INSURANCE, parent=1)).items[0] == there.items[0]


def test_an_item_may_originate_from_another_of_the_request_or_of_the_checkout() -> None:
    there = added(EMPTY, *lunches(1))

    checkout = added(
        there, ItemRequest(2, LUNCH, originated_from=3), ItemRequest(3, LUNCH, originated_from=1)
    )

    assert [item.originated_from for item in checkout.items] == [None, 3, 1]


@pytest.mark.parametrize("number", [1, FIRST_SERVICE_ID - 1])
def test_the_least_and_the_greatest_id_are_the_clients(number: int) -> None:
    assert ids(added(EMPTY, *lunches(number))) == [number]


def test_requests_of_one_call_are_judged_each_by_what_it_asks() -> None:
    monday = ("2026-12-28", "2026-12-28")
    three_days = ("2026-12-27", "2026-12-29")
    checkout = added(
        EMPTY,
        ItemRequest(1, ADULT, SUNDAY),
        ItemRequest(2, ADULT, SUNDAY, discount_card=HALF_FARE),
        ItemRequest(3, ADULT, three_days),
        ItemRequest(4, TOUR, SUNDAY),
        ItemRequest(5, ADULT, monday, person=8, parent=1),
    )

    assert [item.quote and item.quote.list_price for item in checkout.items] == [
        8000,
        4000,
        21_000,
        6000,
        8000,
    ]
    assert [item.validity for item in checkout.items] == [
        days(*when) for when in (SUNDAY, SUNDAY, three_days, SUNDAY, monday)
    ]
    assert faults(ItemRequest(1, INSURANCE, parent=3), ItemRequest(2, INSURANCE), *lunches(3)) == [
        (("items", 1, "parent"), FaultCode.NEEDS_PARENT)
    ]


def test_nothing_asked_for_changes_nothing() -> None:
    assert added(EMPTY) is EMPTY


def test_a_checkout_of_a_channel_that_is_gone_is_unknown() -> None:
    with pytest.raises(UnknownEntry, match=r"^unknown channel 'nowhere'$"):
        added(Checkout("nowhere"), *lunches(1))


# ---------------------------------------------------------------- validities


@pytest.mark.parametrize(
    "validity",
    [
        ("2026-12-27", "2026-12-27"),
        ("2026-12-27T00:00:00+01:00", "2026-12-28T00:00:00+01:00"),
        ("2026-12-27T00:00:00", "2026-12-28T00:00:00"),
        ("2026-12-26T23:00:00Z", "2026-12-27T23:00:00Z"),
        ("2026-12-27", "2026-12-27T23:59:59+01:00"),
    ],
)
def test_a_validity_is_read_in_every_form_and_kept_in_the_zone_of_the_merchant(
    validity: tuple[str, str],
) -> None:
    (item,) = added(EMPTY, ItemRequest(1, ADULT, validity)).items

    assert item.validity is not None
    assert [bound.isoformat() for bound in item.validity] == [
        "2026-12-27T00:00:00+01:00",
        "2026-12-28T00:00:00+01:00",
    ]


@pytest.mark.parametrize(
    ("variant", "validity", "code"),
    [
        (ADULT, None, FaultCode.VALIDITY_REQUIRED),
        (LUNCH, SUNDAY, FaultCode.VALIDITY_NOT_WANTED),
        (ADULT, ("2026-12-27", "2026-12-28"), FaultCode.NOT_BOOKABLE),
        (ADULT, ("2026-12-27T06:00", "2026-12-28T06:00"), FaultCode.NOT_BOOKABLE),
        (ADULT, ("tomorrow", "2026-12-27"), FaultCode.INVALID_VALIDITY),
        (ADULT, ("2026-12-27", "2026-12-26"), FaultCode.INVALID_VALIDITY),
        (ADULT, ("2026-02-29", "2026-02-29"), FaultCode.INVALID_VALIDITY),
        (ADULT, ("1899-12-30", "1899-12-30"), FaultCode.INVALID_VALIDITY),
        (ADULT, ("9000-01-01", "9000-01-01"), FaultCode.INVALID_VALIDITY),
        (ADULT, ("0001-01-01", "0001-01-01"), FaultCode.INVALID_VALIDITY),
        (ADULT, ("9999-12-31", "9999-12-31"), FaultCode.INVALID_VALIDITY),
        (ADULT, ("2026-12-27", "9000-01-01"), FaultCode.INVALID_VALIDITY),
        (LUNCH, ("tomorrow", "2026-12-27"), FaultCode.INVALID_VALIDITY),
    ],
)
def test_a_validity_that_does_not_fit_is_told_once(
    variant: int, validity: tuple[str, str] | None, code: FaultCode
) -> None:
    assert faults(ItemRequest(1, variant, validity)) == [(("items", 0, "validity"), code)]


@pytest.mark.parametrize("year", [2027, 8998])
def test_validities_of_seven_thousand_years_are_read(year: int) -> None:
    day = f"{year}-06-15"

    assert len(added(EMPTY, ItemRequest(1, ADULT, (day, day))).items) == 1


# ---------------------------------------------------------------- replays and ids


def test_the_same_request_again_changes_nothing() -> None:
    request = ItemRequest(7, ADULT, SUNDAY, person=8, discount_card=HALF_FARE)
    checkout = added(EMPTY, request, ItemRequest(1, LUNCH, parent=7, originated_from=7))

    assert added(checkout, request) is checkout
    assert added(checkout, ItemRequest(1, LUNCH, parent=7, originated_from=7), request) is checkout


def test_a_replay_needs_no_person_any_more_and_gives_no_new_price() -> None:
    request = ItemRequest(7, ADULT, SUNDAY, person=8)
    checkout = added(EMPTY, request)

    assert add_items(checkout, [request], catalogue=RESORT, at=LATER) is checkout


def test_a_replay_may_write_its_validity_in_another_form() -> None:
    checkout = added(EMPTY, ItemRequest(7, ADULT, SUNDAY))

    assert added(checkout, ItemRequest(7, ADULT, ("2026-12-26T23:00:00Z", "2026-12-28T00:00:00"))) is checkout


# The night on which the clock strikes two twice: from two to six there are five hours, or four.
FIRST_TWO, SECOND_TWO = "2027-10-31T02:00:00+02:00", "2027-10-31T02:00:00+01:00"


def test_a_replay_is_recognised_in_the_hour_that_comes_twice() -> None:
    request = ItemRequest(7, TOUR, (FIRST_TWO, "2027-10-31T05:00:00+01:00"))
    checkout = added(EMPTY, request)
    (item,) = checkout.items
    assert item.validity is not None
    kept_in_utc = item._replace(validity=Interval(*[bound.astimezone(UTC) for bound in item.validity]))

    assert added(checkout, request) is checkout
    assert added(checkout._replace(items=(kept_in_utc,)), request).items == (kept_in_utc,)


def test_the_other_of_two_equal_hours_is_other_content() -> None:
    until = "2027-10-31T05:00:00+01:00"
    checkout = added(EMPTY, ItemRequest(7, TOUR, (FIRST_TWO, until)))

    def other_hour() -> Interval:
        validity = checkout.items[0].validity
        assert validity is not None
        return Interval(validity.start.replace(fold=1), validity.end)

    later = checkout._replace(items=(checkout.items[0]._replace(validity=other_hour()),))

    assert conflicts(ItemRequest(7, TOUR, (FIRST_TWO, until)), to=later) == [
        (("items", 0, "id"), FaultCode.ID_TAKEN)
    ]


@pytest.mark.parametrize(
    "request_again",
    [
        ItemRequest(7, LUNCH),
        ItemRequest(7, ADULT, ("2026-12-28", "2026-12-28"), person=8),
        ItemRequest(7, ADULT, SUNDAY, person=9),
        ItemRequest(7, ADULT, SUNDAY),
        ItemRequest(7, ADULT, SUNDAY, person=8, discount_card=HALF_FARE),
        ItemRequest(7, ADULT, SUNDAY, person=8, parent=1),
        ItemRequest(7, ADULT, SUNDAY, person=8, originated_from=1),
    ],
)
def test_an_id_with_other_content_is_taken(request_again: ItemRequest) -> None:
    checkout = added(EMPTY, ItemRequest(7, ADULT, SUNDAY, person=8), ItemRequest(1, LUNCH))

    assert conflicts(request_again, to=checkout) == [(("items", 0, "id"), FaultCode.ID_TAKEN)]


def test_an_id_that_was_removed_does_not_come_back() -> None:
    checkout = remove_items(added(EMPTY, *lunches(1, 2)), {1}, catalogue=RESORT)

    assert conflicts(*lunches(3, 1), to=checkout) == [(("items", 1, "id"), FaultCode.ID_USED)]


@pytest.mark.parametrize("number", [0, -1, FIRST_SERVICE_ID, 2**64])
def test_an_id_is_a_number_of_the_client(number: int) -> None:
    assert faults(*lunches(number)) == [(("items", 0, "id"), FaultCode.INVALID)]


def test_ids_chosen_here_are_not_the_clients_even_to_repeat() -> None:
    one = added(EMPTY, *lunches(1))
    checkout = change_quantity(one, 1, 1, catalogue=RESORT, at=NOW)

    assert faults(*lunches(FIRST_SERVICE_ID), to=checkout) == [(("items", 0, "id"), FaultCode.INVALID)]


def test_an_id_is_used_once_in_a_request() -> None:
    assert faults(*lunches(1, 2, 1)) == [(("items", 2, "id"), FaultCode.INVALID)]
    assert faults(*lunches(1, 1), to=added(EMPTY, *lunches(1))) == [(("items", 1, "id"), FaultCode.INVALID)]


# ---------------------------------------------------------------- parents, origins, persons


@pytest.mark.parametrize(
    ("item", "field", "code"),
    [
        (ItemRequest(1, LUNCH, parent=1), "parent", FaultCode.INVALID),
        (ItemRequest(2, LUNCH, parent=9), "parent", FaultCode.UNKNOWN_ITEM),
        (ItemRequest(1, INSURANCE), "parent", FaultCode.NEEDS_PARENT),
        (ItemRequest(1, LUNCH, originated_from=9), "originated_from", FaultCode.UNKNOWN_ITEM),
        (ItemRequest(1, LUNCH, originated_from=1), "originated_from", FaultCode.UNKNOWN_ITEM),
        (ItemRequest(1, LUNCH, person=10), "person", FaultCode.UNKNOWN_PERSON),
        (ItemRequest(1, LUNCH, discount_card=6), "discount_card", FaultCode.UNKNOWN_DISCOUNT_CARD),
        (ItemRequest(1, 999, SUNDAY), "variant", FaultCode.UNKNOWN_VARIANT),
        (ItemRequest(1, RENTAL), "variant", FaultCode.NOT_SOLD_HERE),
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
def test_what_does_not_exist_is_told_with_its_place(item: ItemRequest, field: str, code: FaultCode) -> None:
    assert faults(ItemRequest(7, LUNCH), item) == [(("items", 1, field), code)]


def test_items_of_a_request_are_not_each_others_parents() -> None:
    assert faults(ItemRequest(1, LUNCH, parent=2), ItemRequest(2, LUNCH, parent=1)) == [
        (("items", 0, "parent"), FaultCode.INVALID),
        (("items", 1, "parent"), FaultCode.INVALID),
    ]


def test_the_place_of_a_lost_parent_counts_repeated_items_too() -> None:
    there = added(EMPTY, *lunches(1))

    assert faults(*lunches(1), ItemRequest(2, LUNCH, parent=9), to=there) == [
        (("items", 1, "parent"), FaultCode.UNKNOWN_ITEM)
    ]


def test_a_removed_item_is_no_parent() -> None:
    checkout = remove_items(added(EMPTY, *lunches(1, 2)), {1}, catalogue=RESORT)

    assert faults(ItemRequest(3, LUNCH, parent=1), to=checkout) == [
        (("items", 0, "parent"), FaultCode.UNKNOWN_ITEM)
    ]


def test_a_price_component_is_no_parent() -> None:
    guaranteed = CheckoutConditions(weather_guarantee=True)
    checkout = set_conditions(
        added(EMPTY, ItemRequest(1, TOUR, SUNDAY)), guaranteed, catalogue=RESORT, at=NOW
    )

    assert faults(ItemRequest(2, LUNCH, parent=FIRST_SERVICE_ID), to=checkout) == [
        (("items", 0, "parent"), FaultCode.INVALID)
    ]


def test_without_an_account_there_are_no_persons() -> None:
    with pytest.raises(InvalidCheckout, match=r"^person 8 does not belong to the account of this checkout$"):
        add_items(EMPTY, [ItemRequest(1, LUNCH, person=8)], catalogue=RESORT, at=NOW)


# ---------------------------------------------------------------- all at once


def test_all_faults_of_a_request_are_told_at_once_in_its_order() -> None:
    there = added(EMPTY, *lunches(1))

    assert faults(
        ItemRequest(2, 999, SUNDAY, parent=99, person=10),
        *lunches(1),
        ItemRequest(0, ADULT, ("x", "y"), discount_card=6),
        ItemRequest(1, 999),
        ItemRequest(4, INSURANCE, SUNDAY, originated_from=98),
        to=there,
    ) == [
        (("items", 0, "variant"), FaultCode.UNKNOWN_VARIANT),
        (("items", 0, "parent"), FaultCode.UNKNOWN_ITEM),
        (("items", 0, "person"), FaultCode.UNKNOWN_PERSON),
        (("items", 2, "id"), FaultCode.INVALID),
        (("items", 2, "validity"), FaultCode.INVALID_VALIDITY),
        (("items", 2, "discount_card"), FaultCode.UNKNOWN_DISCOUNT_CARD),
        (("items", 3, "id"), FaultCode.INVALID),
        (("items", 3, "variant"), FaultCode.UNKNOWN_VARIANT),
        (("items", 4, "parent"), FaultCode.NEEDS_PARENT),
        (("items", 4, "validity"), FaultCode.VALIDITY_NOT_WANTED),
        (("items", 4, "originated_from"), FaultCode.UNKNOWN_ITEM),
    ]


def test_all_conflicts_are_told_at_once_in_the_order_of_the_request() -> None:
    checkout = remove_items(added(EMPTY, *lunches(1, 2), ItemRequest(3, LOCKER)), {1}, catalogue=RESORT)

    assert conflicts(ItemRequest(4, LOCKER), *lunches(1), ItemRequest(2, LOCKER), to=checkout) == [
        (("items", 0, "variant"), FaultCode.UNIQUE_ITEM),
        (("items", 1, "id"), FaultCode.ID_USED),
        (("items", 2, "id"), FaultCode.ID_TAKEN),
    ]


def test_what_is_impossible_anywhere_is_told_before_what_is_impossible_here() -> None:
    checkout = added(EMPTY, *lunches(1), ItemRequest(3, LOCKER))

    assert faults(ItemRequest(1, LOCKER), ItemRequest(4, LOCKER), ItemRequest(5, 999), to=checkout) == [
        (("items", 2, "variant"), FaultCode.UNKNOWN_VARIANT)
    ]


def test_a_taken_id_does_not_hide_that_the_other_content_cannot_be_sold() -> None:
    assert faults(ItemRequest(1, RENTAL), to=added(EMPTY, *lunches(1))) == [
        (("items", 0, "variant"), FaultCode.NOT_SOLD_HERE)
    ]


def test_faults_of_what_is_there_already_are_not_those_of_the_request() -> None:
    torn = Checkout("web", (CheckoutItem(1, LUNCH, parent=9),))

    assert ids(added(torn, *lunches(2))) == [1, 2]


# ---------------------------------------------------------------- once a checkout, once a person and time


def test_a_unique_item_is_sold_once_a_checkout() -> None:
    checkout = added(EMPTY, ItemRequest(1, LOCKER))

    assert conflicts(ItemRequest(2, LOCKER), to=checkout) == [
        (("items", 0, "variant"), FaultCode.UNIQUE_ITEM)
    ]
    assert conflicts(ItemRequest(2, LOCKER), ItemRequest(3, LOCKER), to=EMPTY) == [
        (("items", 1, "variant"), FaultCode.UNIQUE_ITEM)
    ]


def test_another_variant_of_a_unique_product_is_another_item() -> None:
    assert len(added(EMPTY, ItemRequest(1, LOCKER), ItemRequest(2, LOCKER + 1)).items) == 2


def test_a_unique_item_can_be_had_again_once_it_is_removed() -> None:
    checkout = remove_items(added(EMPTY, ItemRequest(1, LOCKER)), {1}, catalogue=RESORT)

    assert ids(added(checkout, ItemRequest(2, LOCKER))) == [2]


MORNING = ("2026-12-27T08:00", "2026-12-27T12:00")


@pytest.mark.parametrize(
    ("validity", "overlaps"),
    [
        (MORNING, True),
        (SUNDAY, True),
        (("2026-12-27T11:59:59", "2026-12-27T15:59:59"), True),
        (("2026-12-27T04:00:01", "2026-12-27T08:00:01"), True),
        (("2026-12-27T12:00", "2026-12-27T16:00"), False),
        (("2026-12-27T04:00", "2026-12-27T08:00"), False),
        (("2026-12-28", "2026-12-28"), False),
    ],
)
def test_one_ticket_per_person_and_time(validity: tuple[str, str], *, overlaps: bool) -> None:
    checkout = added(EMPTY, ItemRequest(1, TOUR, MORNING, person=8))
    another = ItemRequest(2, TOUR, validity, person=8)

    if overlaps:
        assert conflicts(another, to=checkout) == [(("items", 0, "person"), FaultCode.ONE_PER_PERSON)]
    else:
        assert ids(added(checkout, another)) == [1, 2]


def test_the_first_overlap_with_any_ticket_of_the_person_counts() -> None:
    afternoon = ("2026-12-27T14:00", "2026-12-27T18:00")
    requests = [
        ItemRequest(n, TOUR, when, person=8) for n, when in enumerate((MORNING, afternoon, MORNING), 1)
    ]

    assert conflicts(*requests, to=EMPTY) == [(("items", 2, "person"), FaultCode.ONE_PER_PERSON)]


@pytest.mark.parametrize(
    "another",
    [
        ItemRequest(2, TOUR, MORNING, person=9),
        ItemRequest(2, TOUR, MORNING),
        ItemRequest(2, ADULT, SUNDAY, person=8),
    ],
    ids=["another person", "nobody yet", "another product"],
)
def test_others_may_have_a_ticket_for_that_time(another: ItemRequest) -> None:
    assert ids(added(EMPTY, ItemRequest(1, TOUR, MORNING, person=8), another)) == [1, 2]


def test_what_is_valid_at_all_times_overlaps_with_itself() -> None:
    products = [
        replace(product, is_max_one_ticket_per_person=product.id == 21) for product in RESORT.products
    ]
    catalogue = replace(RESORT, products=tuple(products))
    checkout = added(EMPTY, ItemRequest(1, LUNCH, person=8))

    with pytest.raises(CheckoutConflict, match=r"^person 8 has a ticket of product 21 for that time$"):
        added(checkout, ItemRequest(2, LUNCH, person=8), catalogue=catalogue)


# ---------------------------------------------------------------- room

FULL = added(EMPTY, *lunches(*range(1, MOST_ITEMS + 1)))
NO_ROOM = [(("items",), FaultCode.TOO_MANY_ITEMS)]


def test_a_checkout_holds_five_hundred_items() -> None:
    assert len(FULL.items) == 500
    assert added(FULL, *lunches(*range(1, 501))) is FULL
    assert faults(*lunches(501), to=FULL) == NO_ROOM
    assert faults(*lunches(*range(1, 502))) == NO_ROOM


def test_price_components_need_room_too() -> None:
    guaranteed = CheckoutConditions(weather_guarantee=True)
    tours = [ItemRequest(n, TOUR, SUNDAY) for n in range(1, 168)]
    checkout = set_conditions(EMPTY, guaranteed, catalogue=RESORT, at=NOW)

    assert len(added(checkout, *tours[:166]).items) == 3 * 166
    assert faults(*tours, to=checkout) == NO_ROOM


def test_far_too_many_items_are_refused_before_they_are_read() -> None:
    circle = [ItemRequest(n, 999, SUNDAY, parent=n + 1) for n in range(1, 30_000)]

    assert faults(*circle) == NO_ROOM
    assert faults(*circle[:1] * 30_000, to=added(EMPTY, *lunches(1))) == NO_ROOM


# ---------------------------------------------------------------- a catalogue that changed since

CHANGED = without(RESORT, GUIDED_TOUR, LOCKER_PASS)


def test_what_is_sold_no_longer_does_not_keep_others_out() -> None:
    checkout = added(EMPTY, ItemRequest(1, TOUR, SUNDAY, person=8), ItemRequest(2, LOCKER))

    assert ids(added(checkout, *lunches(3), catalogue=CHANGED)) == [1, 2, 3]


def test_what_is_sold_no_longer_cannot_be_repeated() -> None:
    checkout = added(EMPTY, ItemRequest(1, TOUR, SUNDAY))

    assert faults(ItemRequest(1, TOUR, SUNDAY), to=checkout, catalogue=CHANGED) == [
        (("items", 0, "variant"), FaultCode.UNKNOWN_VARIANT)
    ]


def test_what_a_merchant_who_is_gone_sold_is_sold_no_longer() -> None:
    assert faults(ItemRequest(1, ADULT, SUNDAY), catalogue=replace(RESORT, merchants=())) == [
        (("items", 0, "variant"), FaultCode.UNKNOWN_VARIANT)
    ]


def test_a_medium_that_is_gone_is_told() -> None:
    media = CheckoutConditions(media=((1, ON_PHOTO_CARD),))
    checkout = set_conditions(added(EMPTY, ItemRequest(1, TOUR, SUNDAY)), media, catalogue=RESORT, at=NOW)

    with pytest.raises(InvalidCheckout) as raised:
        added(checkout, *lunches(2), catalogue=replace(RESORT, media=()))

    assert raised.value.located == (Fault((), "item 1: unknown medium 2", FaultCode.UNKNOWN_MEDIUM),)


def test_a_guarantee_for_what_is_sold_no_longer_is_told() -> None:
    guaranteed = CheckoutConditions(weather_guarantee=True)
    checkout = set_conditions(
        added(EMPTY, ItemRequest(1, TOUR, SUNDAY)), guaranteed, catalogue=RESORT, at=NOW
    )

    with pytest.raises(InvalidCheckout) as raised:
        added(checkout, *lunches(2), catalogue=CHANGED)

    assert raised.value.located == (Fault((), f"item 1: unknown variant {TOUR}", FaultCode.UNKNOWN_VARIANT),)


def test_an_item_that_was_there_keeps_its_price_beside_new_ones() -> None:
    checkout = add_items(added(EMPTY, *lunches(1)), lunches(1, 2), catalogue=dearer(RESORT), at=LATER)

    assert [item.quote for item in checkout.items] == [Quote(1500, REDUCED, NOW), Quote(3000, UNTAXED, LATER)]
