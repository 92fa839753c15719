"""Changes to a checkout: removals, codes, the account, expiry, units. Decisions §11.2, §11.4 to §11.10."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.checkout.changes import (
    MAX_CODES,
    add_code,
    bind_account,
    check_units,
    enter_code,
    is_deletable,
    remove_code,
    set_conditions,
    units_of,
)
from faregate.checkout.expiry import CheckoutStatus, ItemStatus, checkout_expiry
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import (
    Address,
    Checkout,
    CheckoutConditions,
    CheckoutItem,
    Component,
    ComponentSource,
)
from faregate.checkout.priced import price_checkout
from faregate.discounts.kinds import Conditions, Percentage, PromoCode
from faregate.errors import CheckoutConflict, InvalidCheckout, Issue, IssueCode, UnknownEntry, UnknownItems
from support.checkouts.asked_items import EMPTY, LATER, SUNDAY, added, ids, lunches
from support.checkouts.changed_checkouts import (
    CLEANED,
    FAMILY,
    FIRST,
    GUARANTEED,
    LUNCHTIME,
    refused,
    removed,
    with_items,
)
from support.shops.small_shop import (
    ADULT,
    CLEANING,
    DESK,
    GUIDED_TOUR,
    LUNCH,
    NOW,
    ON_PHOTO_CARD,
    RESORT,
    TOUR,
    VAT,
    WEB,
    dearer,
    without,
)


@pytest.mark.parametrize(("asked", "left"), [((4, 2), [1, 3, 5]), ((5, 1, 4), [])])
def test_an_item_is_removed_with_all_its_descendants(asked: tuple[int, ...], left: list[int]) -> None:
    checkout = removed(FAMILY, *asked)

    assert ids(checkout) == left
    assert checkout.removed == {1, 2, 3, 4, 5} - set(left)


def test_removing_leaves_everything_else_unchanged() -> None:
    conditions = CheckoutConditions(donation=500, billing_address=Address(city="Zermatt"))
    full = add_code(bind_account(FAMILY, 7), "TEN", catalogue=RESORT)
    full = set_conditions(full, conditions, catalogue=RESORT, at=NOW)

    assert removed(full, 1) == replace(full, items=full.items[4:], removed=frozenset({1, 2, 3, 4}))


def test_unknown_items_are_named_and_nothing_is_removed() -> None:
    with pytest.raises(UnknownItems) as raised:
        removed(FAMILY, 9, 1, 8)

    assert raised.value.ids == (8, 9)


def test_items_that_are_not_deletable_are_kept() -> None:
    assert refused(lambda: removed(CLEANED, 3, 2)) == (
        CheckoutConflict,
        [(("items", 2), IssueCode.NOT_DELETABLE), (("items", 3), IssueCode.NOT_DELETABLE)],
    )


@pytest.mark.parametrize("asked", [(1,), (1, 2), (2, 1)])
def test_an_item_that_is_not_deletable_is_removed_with_its_parent(asked: tuple[int, ...]) -> None:
    assert ids(removed(CLEANED, *asked)) == [3]


def test_a_price_component_is_not_removed_without_its_item() -> None:
    guaranteed = set_conditions(
        with_items(ItemRequest(1, TOUR, SUNDAY)), GUARANTEED, catalogue=RESORT, at=NOW
    )

    assert refused(lambda: removed(guaranteed, FIRST)) == (
        CheckoutConflict,
        [(("items", FIRST), IssueCode.NOT_DELETABLE)],
    )
    assert removed(guaranteed, *ids(guaranteed)).items == ()
    assert not is_deletable(guaranteed.items[1], RESORT)


@pytest.mark.parametrize(("variant", "deletable"), [(LUNCH, True), (CLEANING, False), (999, True)])
def test_the_catalogue_decides_whether_an_item_is_deletable(variant: int, *, deletable: bool) -> None:
    assert is_deletable(CheckoutItem(1, variant), RESORT) is deletable


def test_an_item_that_is_no_longer_sold_can_always_be_removed() -> None:
    media = replace(GUARANTEED, media=((1, ON_PHOTO_CARD),))
    tour = with_items(ItemRequest(1, TOUR, SUNDAY), to=replace(CLEANED, items=(), removed=frozenset()))
    checkout = with_items(ItemRequest(3, CLEANING), to=set_conditions(tour, media, catalogue=RESORT, at=NOW))

    assert removed(checkout, 3, 1, catalogue=Catalogue()).items == ()


def coded(checkout: Checkout, *codes: str, catalogue: Catalogue = RESORT) -> Checkout:
    for code in codes:
        checkout = add_code(checkout, code, catalogue=catalogue)
    return checkout


def test_codes_are_kept_normalized_in_the_order_entered() -> None:
    assert coded(EMPTY, " gift", "Ten").codes == ("GIFT", "TEN")


def test_entering_a_code_again_changes_nothing_even_if_it_no_longer_exists() -> None:
    checkout = coded(EMPTY, "TEN", "GIFT")

    assert coded(checkout, "ten ", "gift") is checkout
    assert coded(checkout, "ten ", "gift", catalogue=Catalogue()) is checkout


@pytest.mark.parametrize("code", ["NOBODY", "", "  "])
def test_a_code_that_does_not_exist_is_unknown(code: str) -> None:
    assert refused(lambda: coded(EMPTY, code)) == (InvalidCheckout, [(("code",), IssueCode.UNKNOWN_CODE)])


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("ten", IssueCode.PROMO_CODES_NOT_ACCEPTED),
        ("gift", IssueCode.VOUCHERS_NOT_ACCEPTED),
        ("nobody", IssueCode.UNKNOWN_CODE),
    ],
)
def test_a_channel_may_accept_no_codes(code: str, kind: IssueCode) -> None:
    assert refused(lambda: coded(Checkout("kiosk"), code)) == (InvalidCheckout, [(("code",), kind)])


@pytest.mark.parametrize(
    ("code", "channel"),
    [("TEN", replace(WEB, can_use_vouchers=False)), ("GIFT", replace(WEB, can_use_promo_codes=False))],
    ids=["promo code", "voucher"],
)
def test_a_channel_may_accept_only_one_kind_of_code(code: str, channel: Channel) -> None:
    catalogue = replace(RESORT, channels=(channel,))

    assert coded(EMPTY, code, catalogue=catalogue).codes == (code,)


def test_a_checkout_has_a_maximum_number_of_codes() -> None:
    cards = tuple([Voucher(code=f"CARD{n}", balance=1) for n in range(MAX_CODES + 1)])
    catalogue = replace(RESORT, vouchers=cards)
    full = coded(EMPTY, *[card.code for card in cards[1:]], catalogue=catalogue)

    assert len(full.codes) == MAX_CODES == 50
    assert coded(full, "CARD7", catalogue=catalogue) is full
    assert refused(lambda: coded(full, "CARD0", catalogue=catalogue)) == (
        InvalidCheckout,
        [(("code",), IssueCode.TOO_MANY_CODES)],
    )
    assert refused(lambda: enter_code(full, "CARD0", catalogue=catalogue)) == (
        InvalidCheckout,
        [(("code",), IssueCode.TOO_MANY_CODES)],
    )
    assert refused(lambda: coded(full, "NOBODY", catalogue=catalogue))[1] == [
        (("code",), IssueCode.UNKNOWN_CODE)
    ]


@pytest.mark.parametrize("code", ["ten", "gift", "nobody"])
def test_customers_see_codes_that_a_channel_does_not_accept_as_unknown(code: str) -> None:
    unknown = (InvalidCheckout, [(("code",), IssueCode.UNKNOWN_CODE)])

    assert refused(lambda: enter_code(Checkout("kiosk"), code, catalogue=RESORT)) == unknown


def test_customers_can_enter_only_codes_of_their_own_channel() -> None:
    def of(channel: str) -> Catalogue:
        conditions = Conditions(channels=frozenset({channel}))
        code = PromoCode(code="TEN", kind=Percentage.percent(10), conditions=conditions)
        return replace(RESORT, promo_codes=(code,))

    assert enter_code(EMPTY, "ten", catalogue=of("web")).codes == ("TEN",)
    assert refused(lambda: enter_code(EMPTY, "ten", catalogue=of("kiosk"))) == (
        InvalidCheckout,
        [(("code",), IssueCode.UNKNOWN_CODE)],
    )


def test_a_code_is_removed_in_any_spelling() -> None:
    assert remove_code(coded(EMPTY, "TEN", "GIFT"), " ten").codes == ("GIFT",)


def test_a_code_that_was_not_entered_cannot_be_removed() -> None:
    with pytest.raises(UnknownEntry, match=r"^unknown code 'GIFT'$"):
        remove_code(coded(EMPTY, "TEN"), "gift")


def test_a_checkout_is_bound_to_only_one_account() -> None:
    bound = bind_account(LUNCHTIME, 7)

    assert bound == replace(LUNCHTIME, account=7)
    assert bind_account(bound, 7) is bound
    assert bind_account(bound, 8) is bound


def test_a_checkout_takes_over_only_the_groups_of_its_own_account() -> None:
    staff = frozenset({"staff"})
    bound = bind_account(LUNCHTIME, 7, customer_groups=staff)

    assert bound == replace(LUNCHTIME, account=7, customer_groups=staff)
    assert bind_account(bound, 8, customer_groups=frozenset({"press"})) is bound
    assert bind_account(bound, 7, customer_groups=staff) is bound
    assert bind_account(bound, 7) == replace(LUNCHTIME, account=7)


@pytest.mark.parametrize(
    ("status", "item_status"),
    [
        (CheckoutStatus.OPEN, ItemStatus.RESERVED),
        (CheckoutStatus.CLOSED, ItemStatus.SOLD),
        (CheckoutStatus.EXPIRED, ItemStatus.RELEASED),
    ],
)
def test_the_status_of_items_follows_their_checkout(status: CheckoutStatus, item_status: ItemStatus) -> None:
    assert status.item_status is item_status


@pytest.mark.parametrize(("minutes", "expires_after"), [(10, 40), (90, 120)])
def test_a_checkout_expires_after_its_last_change_up_to_a_maximum(minutes: int, expires_after: int) -> None:
    change = NOW + timedelta(minutes=minutes)

    assert checkout_expiry(WEB, started_at=NOW, changed_at=change) == NOW + timedelta(minutes=expires_after)


def test_a_channel_sets_how_long_a_checkout_stays_open() -> None:
    quick = replace(WEB, expires_after=timedelta(minutes=5), expires_at_most=timedelta(minutes=7))

    expiries = [
        checkout_expiry(quick, started_at=NOW, changed_at=NOW + timedelta(minutes=n)) - NOW for n in (0, 3)
    ]

    assert expiries == [timedelta(minutes=5), timedelta(minutes=7)]


def test_a_quoted_item_costs_its_quote_even_if_the_catalogue_changes() -> None:
    checkout = with_items(ItemRequest(1, ADULT, SUNDAY))

    (item,) = price_checkout(checkout, catalogue=dearer(RESORT), at=LATER).items

    assert (item.total_gross, item.rate) == (8000, VAT)


def test_a_quoted_item_that_is_no_longer_sold_is_refused() -> None:
    checkout = with_items(ItemRequest(2, LUNCH), ItemRequest(1, TOUR, SUNDAY))

    with pytest.raises(InvalidCheckout) as raised:
        price_checkout(checkout, catalogue=without(RESORT, GUIDED_TOUR), at=LATER)

    assert raised.value.issues == (
        Issue(("items", 1, "variant"), f"item 1: unknown variant {TOUR}", IssueCode.UNKNOWN_VARIANT),
    )


THREE_AT_MOST = replace(WEB, max_units=3)
SHOP: Catalogue = replace(RESORT, channels=(THREE_AT_MOST, DESK))


def of_units(units: int) -> Checkout:
    return added(EMPTY, *lunches(*range(1, units + 1))) if units else EMPTY


def test_a_checkout_may_have_as_many_units_as_its_channel_allows() -> None:
    check_units(of_units(3), EMPTY, catalogue=SHOP)


@pytest.mark.parametrize("before", [0, 3], ids=["all at once", "one after the others"])
def test_a_checkout_without_an_account_cannot_exceed_the_unit_limit(before: int) -> None:
    with pytest.raises(InvalidCheckout) as caught:
        check_units(of_units(4), of_units(before), catalogue=SHOP)

    (fault,) = caught.value.issues
    assert (fault.loc, fault.code) == (("items",), IssueCode.TOO_MANY_UNITS)
    assert fault.message == "a checkout without an account has at most 3 units, got 4"


@pytest.mark.parametrize("units", [4, 5], ids=["fewer", "as many"])
def test_a_checkout_that_already_exceeds_the_limit_may_keep_its_units(units: int) -> None:
    check_units(of_units(units), of_units(5), catalogue=SHOP)


def test_the_unit_limit_does_not_apply_to_accounts_or_protected_channels() -> None:
    check_units(bind_account(of_units(4), 7), EMPTY, catalogue=SHOP)
    check_units(replace(of_units(4), channel=DESK.uuid), EMPTY, catalogue=SHOP)


def test_components_are_not_units() -> None:
    (lunch,) = of_units(1).items
    component = lunch._replace(id=2, parent=1, component=Component(ComponentSource.MEDIUM, 0))

    assert units_of(Checkout("web", (lunch, component))) == 1


@pytest.mark.parametrize(
    ("minutes", "short", "expected"), [(30, 10, 10), (30, 45, 30), (5, 10, 5)], ids=["short", "long", "both"]
)
def test_when_places_are_scarce_a_checkout_expires_at_the_earlier_time(
    minutes: int, short: int, expected: int
) -> None:
    channel = replace(
        WEB, expires_after=timedelta(minutes=minutes), expires_when_scarce=timedelta(minutes=short)
    )

    expiry = checkout_expiry(channel, started_at=NOW, changed_at=NOW, is_scarce=True)

    assert expiry == NOW + timedelta(minutes=expected)
    usual = checkout_expiry(channel, started_at=NOW, changed_at=NOW)
    assert usual == NOW + timedelta(minutes=minutes)
