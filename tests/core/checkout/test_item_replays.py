"""Replays: a repeated request adds nothing, and an id always identifies the same item. Decisions §11.3."""

from dataclasses import replace
from datetime import UTC

import pytest

from faregate.checkout.changes import add_items, change_quantity, remove_items
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import FIRST_SERVICE_ID
from faregate.dates.instants import Interval
from faregate.errors import IssueCode
from support.checkouts.asked_items import EMPTY, LATER, SUNDAY, added, conflicts, faults, lunches
from support.shops.small_shop import ADULT, HALF_FARE, LUNCH, NOW, RESORT, TOUR


def test_the_same_request_again_changes_nothing() -> None:
    request = ItemRequest(7, ADULT, SUNDAY, person=8, discount_card=HALF_FARE)
    checkout = added(EMPTY, request, ItemRequest(1, LUNCH, parent=7, originated_from=7))

    assert added(checkout, request) is checkout
    assert added(checkout, ItemRequest(1, LUNCH, parent=7, originated_from=7), request) is checkout


def test_a_replay_checks_no_person_and_changes_no_price() -> None:
    request = ItemRequest(7, ADULT, SUNDAY, person=8)
    checkout = added(EMPTY, request)

    assert add_items(checkout, [request], catalogue=RESORT, at=LATER) is checkout


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
        ItemRequest(7, ADULT, SUNDAY, person=9),
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


@pytest.mark.parametrize("number", [0, -1, FIRST_SERVICE_ID, 2**64])
def test_an_id_is_in_the_range_for_clients(number: int) -> None:
    assert faults(*lunches(number)) == [(("items", 0, "id"), IssueCode.INVALID)]


def test_clients_cannot_use_ids_of_the_service_even_in_a_replay() -> None:
    one = added(EMPTY, *lunches(1))
    checkout = change_quantity(one, 1, 1, catalogue=RESORT, at=NOW)

    assert faults(*lunches(FIRST_SERVICE_ID), to=checkout) == [(("items", 0, "id"), IssueCode.INVALID)]


def test_an_id_is_used_once_in_a_request() -> None:
    assert faults(*lunches(1, 2, 1)) == [(("items", 2, "id"), IssueCode.INVALID)]
    assert faults(*lunches(1, 1), to=added(EMPTY, *lunches(1))) == [(("items", 1, "id"), IssueCode.INVALID)]
