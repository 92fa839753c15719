"""How a checkout changes: removals, quantities, codes, the account, expiry. Decisions §11.2 to §11.10."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from faregate.catalogue import Catalogue, Channel
from faregate.checkout import (
    FIRST_SERVICE_ID,
    MOST_CODES,
    MOST_ITEMS,
    Address,
    Checkout,
    CheckoutConditions,
    CheckoutItem,
    CheckoutStatus,
    ItemRequest,
    ItemStatus,
    Quote,
    add_code,
    add_items,
    bind_account,
    change_quantity,
    checkout_expiry,
    drop_code,
    is_deletable,
    remove_items,
    set_conditions,
)
from faregate.checkout_pricing import price_checkout
from faregate.errors import CheckoutConflict, FaregateError, InvalidCheckout, UnknownEntry, UnknownItems
from faregate.faults import Fault, FaultCode, Place
from faregate.vouchers import Voucher
from unit.small_shop import (
    ADULT,
    CLEANING,
    GUIDED_TOUR,
    HALF_FARE,
    INSURANCE,
    LOCKER,
    LUNCH,
    LUNCH_VOUCHER,
    NOW,
    ON_KEYCARD,
    ON_PHOTO_CARD,
    RENTAL,
    RESORT,
    TOUR,
    UNTAXED,
    VAT,
    WEB,
    ZURICH,
    days,
    dearer,
    without,
)

SUNDAY = ("2026-12-27", "2026-12-27")
LATER = NOW + timedelta(minutes=10)
FIRST = FIRST_SERVICE_ID
GUARANTEED = CheckoutConditions(weather_guarantee=True)
EMPTY = Checkout("web")


def with_items(*requests: ItemRequest, to: Checkout = EMPTY) -> Checkout:
    return add_items(to, requests, catalogue=RESORT, at=NOW, persons={8})


def removed(checkout: Checkout, *ids: int, catalogue: Catalogue = RESORT) -> Checkout:
    return remove_items(checkout, ids, catalogue=catalogue)


def changed(checkout: Checkout, item_id: int, delta: int, catalogue: Catalogue = RESORT) -> Checkout:
    return change_quantity(checkout, item_id, delta, catalogue=catalogue, at=LATER)


def ids(checkout: Checkout) -> list[int]:
    return [item.id for item in checkout.items]


def refused(change: Callable[[], object]) -> tuple[type[FaregateError], list[tuple[Place, FaultCode]]]:
    """How a change is refused, and why."""
    with pytest.raises(FaregateError) as raised:
        change()
    error = raised.value
    assert isinstance(error, InvalidCheckout | CheckoutConflict)
    assert all(fault.message for fault in error.located)
    return type(error), [(fault.place, fault.code) for fault in error.located]


FAMILY = with_items(
    ItemRequest(1, LUNCH),
    ItemRequest(2, INSURANCE, parent=1),
    ItemRequest(3, LUNCH, parent=1),
    ItemRequest(4, LUNCH, parent=3),
    ItemRequest(5, LUNCH),
)
LUNCHTIME = with_items(ItemRequest(1, LUNCH))

# ---------------------------------------------------------------- removing


@pytest.mark.parametrize(
    ("asked", "left"),
    [((1,), [5]), ((3,), [1, 2, 5]), ((4, 2), [1, 3, 5]), ((5, 1, 4), []), ((), [1, 2, 3, 4, 5])],
)
def test_an_item_goes_with_all_that_hangs_below_it(asked: tuple[int, ...], left: list[int]) -> None:
    checkout = removed(FAMILY, *asked)

    assert ids(checkout) == left
    assert checkout.removed == {1, 2, 3, 4, 5} - set(left)


def test_removing_leaves_all_else_as_it_was() -> None:
    conditions = CheckoutConditions(donation=500, billing_address=Address(city="Zermatt"))
    full = add_code(bind_account(FAMILY, 7), "TEN", catalogue=RESORT)
    full = set_conditions(full, conditions, catalogue=RESORT, at=NOW)

    assert removed(full, 1) == full._replace(items=full.items[4:], removed=frozenset({1, 2, 3, 4}))


def test_items_that_are_not_there_are_named_and_nothing_is_removed() -> None:
    with pytest.raises(UnknownItems) as raised:
        removed(FAMILY, 9, 1, 8)

    assert raised.value.ids == (8, 9)


def test_an_item_is_removed_once() -> None:
    with pytest.raises(UnknownItems, match=r"^unknown items 5$"):
        removed(removed(FAMILY, 5), 5)


CLEANED = with_items(ItemRequest(1, LUNCH), ItemRequest(2, CLEANING, parent=1), ItemRequest(3, CLEANING))


def test_items_that_are_not_deletable_stay() -> None:
    assert refused(lambda: removed(CLEANED, 3, 2)) == (
        CheckoutConflict,
        [(("items", 2), FaultCode.NOT_DELETABLE), (("items", 3), FaultCode.NOT_DELETABLE)],
    )


@pytest.mark.parametrize("asked", [(1,), (1, 2), (2, 1)])
def test_what_is_not_deletable_goes_with_its_parent_named_or_not(asked: tuple[int, ...]) -> None:
    assert ids(removed(CLEANED, *asked)) == [3]


def test_a_price_component_is_not_removed_without_its_item() -> None:
    guaranteed = set_conditions(
        with_items(ItemRequest(1, TOUR, SUNDAY)), GUARANTEED, catalogue=RESORT, at=NOW
    )

    assert refused(lambda: removed(guaranteed, FIRST)) == (
        CheckoutConflict,
        [(("items", FIRST), FaultCode.NOT_DELETABLE)],
    )
    assert removed(guaranteed, *ids(guaranteed)).items == ()
    assert not is_deletable(guaranteed.items[1], RESORT)


@pytest.mark.parametrize(("variant", "deletable"), [(LUNCH, True), (CLEANING, False), (999, True)])
def test_what_may_be_removed_is_said_by_the_catalogue_or_it_is_gone(variant: int, *, deletable: bool) -> None:
    assert is_deletable(CheckoutItem(1, variant), RESORT) is deletable


def test_what_is_sold_no_longer_can_always_be_removed() -> None:
    media = GUARANTEED._replace(media=((1, ON_PHOTO_CARD),))
    tour = with_items(ItemRequest(1, TOUR, SUNDAY), to=CLEANED._replace(items=(), removed=frozenset()))
    checkout = with_items(ItemRequest(3, CLEANING), to=set_conditions(tour, media, catalogue=RESORT, at=NOW))

    assert removed(checkout, 3, 1, catalogue=Catalogue()).items == ()


# ---------------------------------------------------------------- more of an item

TICKET = with_items(
    ItemRequest(1, LUNCH),
    ItemRequest(2, ADULT, SUNDAY, parent=1, originated_from=1, person=8, discount_card=HALF_FARE),
)


def test_copies_are_like_the_item_but_for_no_one_yet_and_at_the_price_of_now() -> None:
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
    assert checkout == TICKET._replace(
        items=(*TICKET.items, copy, copy._replace(id=FIRST + 1)), next_id=FIRST + 2
    )


def test_a_copy_of_a_copy_is_one_of_the_item() -> None:
    checkout = changed(changed(LUNCHTIME, 1, 1), FIRST, 1)

    assert [(item.id, item.copy_of) for item in checkout.items] == [(1, None), (FIRST, 1), (FIRST + 1, 1)]


def test_copies_are_issued_on_the_medium_of_the_item_and_have_its_guarantee() -> None:
    conditions = GUARANTEED._replace(media=((1, ON_KEYCARD),))
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

    assert refused(lambda: changed(locker, 1, 2)) == (
        CheckoutConflict,
        [(("delta",), FaultCode.UNIQUE_ITEM)],
    )


def test_one_ticket_per_person_does_not_keep_others_from_tickets() -> None:
    assert len(changed(with_items(ItemRequest(1, TOUR, SUNDAY, person=8)), 1, 3).items) == 4


# ---------------------------------------------------------------- fewer of an item


def test_the_newest_copies_go_first_and_the_item_last() -> None:
    checkout = changed(changed(changed(LUNCHTIME, 1, 2), FIRST, 1), 1, -1)

    assert ids(checkout) == [1, FIRST, FIRST + 1]
    assert ids(changed(checkout, 1, -2)) == [1]
    assert ids(changed(checkout, FIRST, -1)) == [1, FIRST]
    assert changed(checkout, FIRST + 1, -3).items == ()
    assert changed(checkout, 1, -3).removed == {1}


def test_more_and_then_fewer_leaves_the_items_as_they_were() -> None:
    checkout = changed(changed(FAMILY, 3, 4), 3, -4)

    assert checkout == FAMILY._replace(next_id=FIRST + 4)


def test_what_hangs_below_a_copy_goes_with_it() -> None:
    insured = with_items(ItemRequest(2, INSURANCE, parent=FIRST), to=changed(LUNCHTIME, 1, 1))

    checkout = changed(insured, 1, -1)

    assert ids(checkout) == [1]
    assert checkout.removed == {2}


def test_the_media_of_copies_go_with_them() -> None:
    conditions = CheckoutConditions(media=((1, ON_PHOTO_CARD),))
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), conditions, catalogue=RESORT, at=NOW)

    checkout = changed(changed(tours, 1, 2), 1, -2)

    assert (checkout.items, checkout.conditions) == (tours.items, conditions)


def test_copies_stay_when_the_item_is_removed_and_are_still_one_quantity() -> None:
    checkout = removed(changed(LUNCHTIME, 1, 2), 1)

    assert ids(checkout) == [FIRST, FIRST + 1]
    assert ids(changed(checkout, FIRST, 1)) == [FIRST, FIRST + 1, FIRST + 2]
    assert ids(changed(checkout, FIRST, -1)) == [FIRST]
    assert refused(lambda: changed(checkout, FIRST, -3)) == (
        InvalidCheckout,
        [(("delta",), FaultCode.INVALID_DELTA)],
    )


# ---------------------------------------------------------------- quantities that cannot be


def test_the_quantity_of_what_is_not_there_is_unknown() -> None:
    with pytest.raises(UnknownItems, match=r"^unknown items 9$"):
        changed(FAMILY, 9, 0)


@pytest.mark.parametrize("delta", [0, -2, -(10**12)])
def test_a_quantity_changes_by_something_and_not_below_nothing(delta: int) -> None:
    assert refused(lambda: changed(LUNCHTIME, 1, delta)) == (
        InvalidCheckout,
        [(("delta",), FaultCode.INVALID_DELTA)],
    )


def test_a_message_says_how_many_there_are() -> None:
    with pytest.raises(InvalidCheckout, match=r"^expected at most 3 to remove, got 4$"):
        changed(changed(LUNCHTIME, 1, 2), 1, -4)


@pytest.mark.parametrize("delta", [MOST_ITEMS, 10**12])
def test_a_quantity_needs_room(delta: int) -> None:
    assert len(changed(LUNCHTIME, 1, MOST_ITEMS - 1).items) == MOST_ITEMS
    assert refused(lambda: changed(LUNCHTIME, 1, delta)) == (
        InvalidCheckout,
        [(("delta",), FaultCode.TOO_MANY_ITEMS)],
    )


def test_a_quantity_needs_room_for_its_price_components() -> None:
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), GUARANTEED, catalogue=RESORT, at=NOW)

    assert len(changed(tours, 1, 165).items) == 3 * 166
    assert refused(lambda: changed(tours, 1, 166)) == (
        InvalidCheckout,
        [(("delta",), FaultCode.TOO_MANY_ITEMS)],
    )


@pytest.mark.parametrize("delta", [1, -1, -2])
def test_the_quantity_of_a_price_component_is_that_of_its_item(delta: int) -> None:
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), GUARANTEED, catalogue=RESORT, at=NOW)

    assert refused(lambda: changed(tours, FIRST, delta)) == (
        CheckoutConflict,
        [(("delta",), FaultCode.NOT_DELETABLE)],
    )
    assert refused(lambda: changed(tours, FIRST, 0))[0] is InvalidCheckout


def test_there_are_not_fewer_of_what_is_not_deletable() -> None:
    assert len(changed(CLEANED, 3, 1).items) == 4
    assert refused(lambda: changed(CLEANED, 3, -1)) == (
        CheckoutConflict,
        [(("delta",), FaultCode.NOT_DELETABLE)],
    )
    assert refused(lambda: changed(CLEANED, 3, -2))[0] is InvalidCheckout


def test_there_are_fewer_but_not_more_of_what_is_sold_no_longer() -> None:
    catalogue = without(RESORT, LUNCH_VOUCHER)

    assert changed(LUNCHTIME, 1, -1, catalogue).items == ()
    assert refused(lambda: changed(LUNCHTIME, 1, 1, catalogue)) == (
        InvalidCheckout,
        [(("delta",), FaultCode.UNKNOWN_VARIANT)],
    )


def test_there_is_not_more_of_an_item_on_a_medium_that_is_gone() -> None:
    conditions = CheckoutConditions(media=((1, ON_PHOTO_CARD),))
    tours = set_conditions(with_items(ItemRequest(1, TOUR, SUNDAY)), conditions, catalogue=RESORT, at=NOW)

    assert refused(lambda: changed(tours, 1, 1, replace(RESORT, media=()))) == (
        InvalidCheckout,
        [(("delta",), FaultCode.UNKNOWN_MEDIUM)],
    )


# ---------------------------------------------------------------- codes


def coded(checkout: Checkout, *codes: str, catalogue: Catalogue = RESORT) -> Checkout:
    for code in codes:
        checkout = add_code(checkout, code, catalogue=catalogue)
    return checkout


def test_codes_are_kept_as_they_compare_in_the_order_entered() -> None:
    assert coded(EMPTY, " gift", "Ten").codes == ("GIFT", "TEN")


def test_a_code_entered_again_changes_nothing_even_if_it_is_gone_by_now() -> None:
    checkout = coded(EMPTY, "TEN", "GIFT")

    assert coded(checkout, "ten ", "gift") is checkout
    assert coded(checkout, "ten ", "gift", catalogue=Catalogue()) is checkout


@pytest.mark.parametrize("code", ["NOBODY", "", "  "])
def test_a_code_that_nobody_gave_out_is_unknown(code: str) -> None:
    assert refused(lambda: coded(EMPTY, code)) == (InvalidCheckout, [(("code",), FaultCode.UNKNOWN_CODE)])


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("ten", FaultCode.PROMO_CODES_NOT_ACCEPTED),
        ("gift", FaultCode.VOUCHERS_NOT_ACCEPTED),
        ("nobody", FaultCode.UNKNOWN_CODE),
    ],
)
def test_a_channel_may_take_no_codes(code: str, kind: FaultCode) -> None:
    assert refused(lambda: coded(Checkout("kiosk"), code)) == (InvalidCheckout, [(("code",), kind)])


@pytest.mark.parametrize(
    ("code", "channel"),
    [("TEN", replace(WEB, can_use_vouchers=False)), ("GIFT", replace(WEB, can_use_promo_codes=False))],
    ids=["promo code", "voucher"],
)
def test_a_channel_that_takes_one_kind_of_code_takes_that(code: str, channel: Channel) -> None:
    catalogue = replace(RESORT, channels=(channel,))

    assert coded(EMPTY, code, catalogue=catalogue).codes == (code,)


def test_a_code_that_is_both_is_refused_as_a_promo_code() -> None:
    catalogue = replace(
        RESORT,
        channels=(replace(WEB, can_use_promo_codes=False),),
        vouchers=(Voucher(code="TEN", balance=5000),),
    )

    assert refused(lambda: coded(EMPTY, "TEN", catalogue=catalogue))[1] == [
        (("code",), FaultCode.PROMO_CODES_NOT_ACCEPTED)
    ]


def test_a_checkout_takes_so_many_codes_and_not_one_more() -> None:
    cards = tuple([Voucher(code=f"CARD{n}", balance=1) for n in range(MOST_CODES + 1)])
    catalogue = replace(RESORT, vouchers=cards)
    full = coded(EMPTY, *[card.code for card in cards[1:]], catalogue=catalogue)

    assert len(full.codes) == MOST_CODES == 50
    assert coded(full, "CARD7", catalogue=catalogue) is full
    assert refused(lambda: coded(full, "CARD0", catalogue=catalogue)) == (
        InvalidCheckout,
        [(("code",), FaultCode.TOO_MANY_CODES)],
    )
    assert refused(lambda: coded(full, "NOBODY", catalogue=catalogue))[1] == [
        (("code",), FaultCode.UNKNOWN_CODE)
    ]


def test_a_code_leaves_again_however_it_is_written() -> None:
    assert drop_code(coded(EMPTY, "TEN", "GIFT"), " ten").codes == ("GIFT",)


def test_a_code_that_was_not_entered_cannot_leave() -> None:
    with pytest.raises(UnknownEntry, match=r"^unknown code 'GIFT'$"):
        drop_code(coded(EMPTY, "TEN"), "gift")


# ---------------------------------------------------------------- account, status, expiry


def test_a_checkout_is_bound_once() -> None:
    bound = bind_account(LUNCHTIME, 7)

    assert bound == LUNCHTIME._replace(account=7)
    assert bind_account(bound, 7) is bound
    assert bind_account(bound, 8) is bound


@pytest.mark.parametrize(
    ("status", "item_status"),
    [
        (CheckoutStatus.OPEN, ItemStatus.RESERVED),
        (CheckoutStatus.CLOSED, ItemStatus.SOLD),
        (CheckoutStatus.EXPIRED, ItemStatus.RELEASED),
    ],
)
def test_items_stand_where_their_checkout_stands(status: CheckoutStatus, item_status: ItemStatus) -> None:
    assert status.item_status is item_status


@pytest.mark.parametrize(
    ("minutes", "expires_after"), [(0, 30), (10, 40), (89, 119), (90, 120), (91, 120), (119, 120)]
)
def test_a_checkout_expires_after_its_last_change_but_not_long_after_its_start(
    minutes: int, expires_after: int
) -> None:
    change = NOW + timedelta(minutes=minutes)

    assert checkout_expiry(WEB, started_at=NOW, changed_at=change) == NOW + timedelta(minutes=expires_after)


def test_a_channel_says_how_long_a_checkout_stays_open() -> None:
    quick = replace(WEB, expires_after=timedelta(minutes=5), expires_at_most=timedelta(minutes=7))

    expiries = [
        checkout_expiry(quick, started_at=NOW, changed_at=NOW + timedelta(minutes=n)) - NOW for n in (0, 3)
    ]

    assert expiries == [timedelta(minutes=5), timedelta(minutes=7)]


@pytest.mark.parametrize("night", [(2026, 3, 29), (2026, 10, 25)], ids=["an hour less", "an hour more"])
def test_a_checkout_stays_open_as_long_on_the_nights_on_which_the_clocks_change(
    night: tuple[int, int, int],
) -> None:
    started = datetime(*night, 0, 50, tzinfo=UTC)
    change = started + timedelta(minutes=5)

    assert checkout_expiry(
        WEB, started_at=started.astimezone(ZURICH), changed_at=change.astimezone(ZURICH)
    ) == change + timedelta(minutes=30)
    assert checkout_expiry(
        WEB,
        started_at=started.astimezone(ZURICH),
        changed_at=(change + timedelta(minutes=110)).astimezone(ZURICH),
    ) == started + timedelta(hours=2)


# ---------------------------------------------------------------- pricing what was quoted


def test_a_quoted_item_costs_its_quote_whatever_the_catalogue_says_by_now() -> None:
    checkout = with_items(ItemRequest(1, ADULT, SUNDAY))

    (item,) = price_checkout(checkout, catalogue=dearer(RESORT), at=LATER).items

    assert (item.total_gross, item.rate) == (8000, VAT)


def test_a_quoted_item_that_is_sold_no_longer_is_refused() -> None:
    checkout = with_items(ItemRequest(2, LUNCH), ItemRequest(1, TOUR, SUNDAY))

    with pytest.raises(InvalidCheckout) as raised:
        price_checkout(checkout, catalogue=without(RESORT, GUIDED_TOUR), at=LATER)

    assert raised.value.located == (
        Fault(("items", 1, "variant"), f"item 1: unknown variant {TOUR}", FaultCode.UNKNOWN_VARIANT),
    )


def test_a_quoted_item_whose_merchant_is_gone_is_refused() -> None:
    checkout = with_items(ItemRequest(1, LUNCH))

    with pytest.raises(InvalidCheckout, match=r"^item 1: unknown merchant 'lifts'$"):
        price_checkout(checkout, catalogue=replace(RESORT, merchants=()), at=LATER)


def test_what_another_currency_buys_is_refused_before_anything_is_opened() -> None:
    assert refused(lambda: with_items(ItemRequest(1, RENTAL))) == (
        InvalidCheckout,
        [(("items", 0, "variant"), FaultCode.NOT_SOLD_HERE)],
    )
