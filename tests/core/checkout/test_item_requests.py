"""Adding items: new items, validities, a changed catalogue, and replays. Decisions §8.1, §11.3."""

from dataclasses import replace
from datetime import UTC, date

import pytest

from faregate.checkout.changes import add_items, change_quantity, remove_items, set_conditions
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import FIRST_SERVICE_ID, Checkout, CheckoutConditions, CheckoutItem, Quote
from faregate.dates.instants import Interval
from faregate.errors import InvalidCheckout, Issue, IssueCode, UnknownEntry
from support.checkouts.asked_items import EMPTY, LATER, SUNDAY, added, conflicts, faults, ids, lunches
from support.shops.small_shop import (
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
    RESORT,
    TOUR,
    UNTAXED,
    VAT,
    days,
    dearer,
    without,
    without_media,
)


def test_an_item_has_the_requested_values_and_a_quote() -> None:
    checkout = added(EMPTY, ItemRequest(7, ADULT, SUNDAY, person=8, discount_card=HALF_FARE))

    assert checkout == Checkout(
        "web",
        (
            CheckoutItem(
                7, ADULT, days(*SUNDAY), person=8, discount_card=HALF_FARE, quote=Quote(4000, VAT, NOW)
            ),
        ),
    )


def test_a_single_request_and_a_date_are_refused() -> None:
    request = ItemRequest(7, ADULT, SUNDAY)

    with pytest.raises(InvalidCheckout, match=r"^requests is an ItemRequest, expected a list: write \[Item"):
        add_items(EMPTY, request, catalogue=RESORT, at=NOW)  # type: ignore[arg-type]
    with pytest.raises(InvalidCheckout, match=r"^requests contains 7, expected ItemRequest$"):
        add_items(EMPTY, [7], catalogue=RESORT, at=NOW)  # type: ignore[list-item]
    dated = request._replace(validity=(date(2027, 1, 10), date(2027, 1, 10)))  # type: ignore[arg-type]
    assert faults(dated) == [(("items", 0, "validity"), IssueCode.INVALID_VALIDITY)]


def test_parents_come_before_children_in_any_order_of_the_request() -> None:
    checkout = added(
        EMPTY,
        ItemRequest(1, INSURANCE, parent=2),
        ItemRequest(4, LUNCH),
        ItemRequest(2, LUNCH, parent=3),
        ItemRequest(3, LUNCH),
    )

    assert ids(checkout) == [4, 3, 2, 1]


def test_an_item_may_originate_from_another_new_or_existing_item() -> None:
    there = added(EMPTY, *lunches(1))

    checkout = added(
        there, ItemRequest(2, LUNCH, originated_from=3), ItemRequest(3, LUNCH, originated_from=1)
    )

    assert [item.originated_from for item in checkout.items] == [None, 3, 1]


@pytest.mark.parametrize("number", [1, FIRST_SERVICE_ID - 1])
def test_clients_may_use_the_lowest_and_the_highest_id(number: int) -> None:
    assert ids(added(EMPTY, *lunches(number))) == [number]


def test_each_item_of_a_request_is_judged_by_its_own_values() -> None:
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
        (("items", 1, "parent"), IssueCode.NEEDS_PARENT)
    ]


def test_an_empty_request_changes_nothing() -> None:
    assert added(EMPTY) is EMPTY


def test_a_checkout_of_an_unknown_channel_is_refused() -> None:
    with pytest.raises(UnknownEntry, match=r"^unknown channel 'nowhere'$"):
        added(Checkout("nowhere"), *lunches(1))


@pytest.mark.parametrize(
    "validity",
    [
        ("2026-12-26T23:00:00Z", "2026-12-27T23:00:00Z"),
        ("2026-12-27", "2026-12-27T23:59:59+01:00"),
    ],
)
def test_validities_in_every_form_are_kept_in_the_zone_of_the_merchant(
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
        (ADULT, None, IssueCode.VALIDITY_REQUIRED),
        (LUNCH, SUNDAY, IssueCode.VALIDITY_NOT_WANTED),
        (ADULT, ("2026-12-27", "2026-12-28"), IssueCode.NOT_BOOKABLE),
        (ADULT, ("tomorrow", "2026-12-27"), IssueCode.INVALID_VALIDITY),
        (ADULT, ("2026-12-27", "2026-12-26"), IssueCode.INVALID_VALIDITY),
        (ADULT, ("2026-12-27", "9000-01-01"), IssueCode.INVALID_VALIDITY),
    ],
)
def test_an_unsuitable_validity_is_reported_once(
    variant: int, validity: tuple[str, str] | None, code: IssueCode
) -> None:
    assert faults(ItemRequest(1, variant, validity)) == [(("items", 0, "validity"), code)]


@pytest.mark.parametrize("year", [2027, 8998])
def test_validities_of_seven_thousand_years_are_accepted(year: int) -> None:
    day = f"{year}-06-15"

    assert len(added(EMPTY, ItemRequest(1, ADULT, (day, day))).items) == 1


CHANGED = without(RESORT, GUIDED_TOUR, LOCKER_PASS)


def test_items_that_are_no_longer_sold_do_not_block_new_ones() -> None:
    checkout = added(EMPTY, ItemRequest(1, TOUR, SUNDAY, person=8), ItemRequest(2, LOCKER))

    assert ids(added(checkout, *lunches(3), catalogue=CHANGED)) == [1, 2, 3]


def test_an_item_that_is_no_longer_sold_cannot_be_repeated() -> None:
    checkout = added(EMPTY, ItemRequest(1, TOUR, SUNDAY))

    assert faults(ItemRequest(1, TOUR, SUNDAY), to=checkout, catalogue=CHANGED) == [
        (("items", 0, "variant"), IssueCode.UNKNOWN_VARIANT)
    ]


def test_a_missing_medium_is_reported() -> None:
    media = CheckoutConditions(media=((1, ON_PHOTO_CARD),))
    checkout = set_conditions(added(EMPTY, ItemRequest(1, TOUR, SUNDAY)), media, catalogue=RESORT, at=NOW)

    with pytest.raises(InvalidCheckout) as raised:
        added(checkout, *lunches(2), catalogue=without_media(RESORT))

    assert raised.value.issues == (Issue((), "item 1: unknown medium 2", IssueCode.UNKNOWN_MEDIUM),)


def test_a_guarantee_for_an_item_that_is_no_longer_sold_is_reported() -> None:
    guaranteed = CheckoutConditions(weather_guarantee=True)
    checkout = set_conditions(
        added(EMPTY, ItemRequest(1, TOUR, SUNDAY)), guaranteed, catalogue=RESORT, at=NOW
    )

    with pytest.raises(InvalidCheckout) as raised:
        added(checkout, *lunches(2), catalogue=CHANGED)

    assert raised.value.issues == (Issue((), f"item 1: unknown variant {TOUR}", IssueCode.UNKNOWN_VARIANT),)


def test_an_existing_item_keeps_its_price_beside_new_ones() -> None:
    checkout = add_items(added(EMPTY, *lunches(1)), lunches(1, 2), catalogue=dearer(RESORT), at=LATER)

    assert [item.quote for item in checkout.items] == [Quote(1500, REDUCED, NOW), Quote(3000, UNTAXED, LATER)]


def test_the_same_request_again_changes_nothing() -> None:
    request = ItemRequest(7, ADULT, SUNDAY, person=8, discount_card=HALF_FARE)
    checkout = added(EMPTY, request, ItemRequest(1, LUNCH, parent=7, originated_from=7))

    assert added(checkout, request) is checkout
    assert added(checkout, ItemRequest(1, LUNCH, parent=7, originated_from=7), request) is checkout


def test_a_replay_may_give_its_validity_in_another_form() -> None:
    checkout = added(EMPTY, ItemRequest(7, ADULT, SUNDAY))

    assert added(checkout, ItemRequest(7, ADULT, ("2026-12-26T23:00:00Z", "2026-12-28T00:00:00"))) is checkout


# The night on which two o'clock comes twice: from two to six, there are five hours or four.
FIRST_TWO, SECOND_TWO = "2027-10-31T02:00:00+02:00", "2027-10-31T02:00:00+01:00"


def test_a_replay_is_recognised_in_the_repeated_hour() -> None:
    request = ItemRequest(7, TOUR, (FIRST_TWO, "2027-10-31T05:00:00+01:00"))
    checkout = added(EMPTY, request)
    (item,) = checkout.items
    assert item.validity is not None
    kept_in_utc = item._replace(validity=Interval(*[bound.astimezone(UTC) for bound in item.validity]))

    assert added(checkout, request) is checkout
    assert added(replace(checkout, items=(kept_in_utc,)), request).items == (kept_in_utc,)


def test_the_second_of_two_repeated_hours_is_different_content() -> None:
    until = "2027-10-31T05:00:00+01:00"
    checkout = added(EMPTY, ItemRequest(7, TOUR, (FIRST_TWO, until)))

    def other_hour() -> Interval:
        validity = checkout.items[0].validity
        assert validity is not None
        return Interval(validity.start.replace(fold=1), validity.end)

    later = replace(checkout, items=(checkout.items[0]._replace(validity=other_hour()),))

    assert conflicts(ItemRequest(7, TOUR, (FIRST_TWO, until)), to=later) == [
        (("items", 0, "id"), IssueCode.ID_TAKEN)
    ]


@pytest.mark.parametrize(
    "request_again",
    [
        ItemRequest(7, LUNCH),
        ItemRequest(7, ADULT, ("2026-12-28", "2026-12-28"), person=8),
        ItemRequest(7, ADULT, SUNDAY),
        ItemRequest(7, ADULT, SUNDAY, person=8, discount_card=HALF_FARE),
        ItemRequest(7, ADULT, SUNDAY, person=8, parent=1),
        ItemRequest(7, ADULT, SUNDAY, person=8, originated_from=1),
    ],
)
def test_an_id_with_different_content_is_taken(request_again: ItemRequest) -> None:
    checkout = added(EMPTY, ItemRequest(7, ADULT, SUNDAY, person=8), ItemRequest(1, LUNCH))

    assert conflicts(request_again, to=checkout) == [(("items", 0, "id"), IssueCode.ID_TAKEN)]


def test_the_id_of_a_removed_item_cannot_be_reused() -> None:
    checkout = remove_items(added(EMPTY, *lunches(1, 2)), {1}, catalogue=RESORT)

    assert conflicts(*lunches(3, 1), to=checkout) == [(("items", 1, "id"), IssueCode.ID_USED)]


@pytest.mark.parametrize("number", [0, FIRST_SERVICE_ID])
def test_an_id_is_in_the_range_for_clients(number: int) -> None:
    assert faults(*lunches(number)) == [(("items", 0, "id"), IssueCode.INVALID)]


def test_clients_cannot_use_ids_of_the_service_even_in_a_replay() -> None:
    one = added(EMPTY, *lunches(1))
    checkout = change_quantity(one, 1, 1, catalogue=RESORT, at=NOW)

    assert faults(*lunches(FIRST_SERVICE_ID), to=checkout) == [(("items", 0, "id"), IssueCode.INVALID)]


def test_an_id_is_used_once_in_a_request() -> None:
    assert faults(*lunches(1, 2, 1)) == [(("items", 2, "id"), IssueCode.INVALID)]
    assert faults(*lunches(1, 1), to=added(EMPTY, *lunches(1))) == [(("items", 1, "id"), IssueCode.INVALID)]
