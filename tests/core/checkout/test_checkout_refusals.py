"""Messages of refused changes to a checkout; one issue does not hide another."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from faregate.catalogue.pools import Pool, PoolSlot, PoolUsage, PoolUse
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Product, ProductType, Variant
from faregate.checkout.changes import add_code, add_items, change_quantity, enter_code, set_conditions
from faregate.checkout.item_requests import ItemRequest, exclusive_conflicts
from faregate.checkout.model import FIRST_SERVICE_ID, Checkout, CheckoutConditions, CheckoutItem
from faregate.dates.durations import Duration
from faregate.dates.instants import Interval
from faregate.errors import CheckoutConflict, FaregateError, InvalidCheckout
from support.shops.small_shop import GUIDED_TOUR, LOCKER, LUNCH, NOW, ON_PHONE, RESORT, TOUR, VAT, days

SUNDAY = days("2026-12-27", "2026-12-27")
LUNCHTIME = add_items(Checkout("web"), [ItemRequest(1, LUNCH)], catalogue=RESORT, at=NOW)


def said(change: Callable[[], object]) -> list[str]:
    """Return the messages with which a change is refused."""
    with pytest.raises(FaregateError) as raised:
        change()
    error = raised.value
    assert isinstance(error, InvalidCheckout | CheckoutConflict)
    return [fault.message for fault in error.issues]


@pytest.mark.parametrize(
    ("channel", "code", "message"),
    [
        ("kiosk", "TEN", "promo codes are not accepted here"),
        ("kiosk", "GIFT", "vouchers are not accepted here"),
        ("web", "NOBODY", "unknown code"),
    ],
)
def test_the_message_for_a_refused_code_is_exact(channel: str, code: str, message: str) -> None:
    assert said(lambda: add_code(Checkout(channel), code, catalogue=RESORT)) == [message]
    assert said(lambda: enter_code(Checkout(channel), code, catalogue=RESORT)) == ["unknown code"]


def test_the_message_for_a_quantity_change_of_0_is_exact() -> None:
    assert said(lambda: change_quantity(LUNCHTIME, 1, 0, catalogue=RESORT, at=NOW)) == [
        "expected a number other than 0"
    ]


def test_a_medium_for_a_missing_variant_does_not_hide_the_next_issue() -> None:
    items = (CheckoutItem(1, 999), CheckoutItem(2, LUNCH))
    conditions = CheckoutConditions(media=((1, ON_PHONE), (2, ON_PHONE)))

    assert said(lambda: set_conditions(Checkout("web", items), conditions, catalogue=RESORT, at=NOW)) == [
        "item 1: unknown variant 999",
        f"item 2 is not issued on medium {ON_PHONE}",
    ]


def test_copies_and_new_items_are_priced_by_the_current_sales() -> None:
    variant = Variant(id=990, name="Seat", rate=VAT, prices=(PriceRule(6000), PriceRule(7000, min_sold=10)))
    stepped = Product(
        id=99,
        slug="stepped",
        identifier="STEPPED",
        type=ProductType.TICKET,
        name="Stepped",
        category=1,
        merchant="lifts",
        durations=(Duration(days=1),),
        price_model=PriceModel.STEPPED,
        sold_pool="mountain",
        pools=(PoolUse("mountain"),),
        variants=(variant,),
    )
    shop = replace(
        RESORT, products=(*RESORT.products, stepped), pools=(Pool(identifier="mountain", size=99),)
    )
    sold = {PoolSlot("mountain", SUNDAY.first_day): PoolUsage(sold=10)}
    seat = ItemRequest(1, 990, ("2026-12-27", "2026-12-27"))
    one = add_items(Checkout("web"), [seat], catalogue=shop, at=NOW)

    two = change_quantity(one, 1, 1, catalogue=shop, at=NOW, sold=sold)
    three = add_items(two, [seat._replace(id=2)], catalogue=shop, at=NOW, sold=sold)

    assert [item.quote.list_price for item in three.items if item.quote] == [6000, 7000, 7000]


def test_a_copy_has_its_components_quoted_at_the_instant_of_the_change() -> None:
    ticket = add_items(
        Checkout("web", conditions=CheckoutConditions(weather_guarantee=True)),
        [ItemRequest(1, TOUR, ("2026-12-27", "2026-12-27"))],
        catalogue=RESORT,
        at=NOW,
    )

    two = change_quantity(ticket, 1, 1, catalogue=RESORT, at=NOW)

    assert {item.quote.at for item in two.items if item.quote} == {NOW}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (ItemRequest(0, LUNCH), f"expected a number from 1 to {FIRST_SERVICE_ID - 1}, got 0"),
        (ItemRequest(1, 999), "unknown variant 999"),
        (ItemRequest(1, TOUR, ("tomorrow", "2026-12-27")), "invalid date or date-time: 'tomorrow'"),
        (ItemRequest(1, TOUR, ("2026-12-27", "9000-01-01")), "expected years from 1900 to 8999"),
    ],
)
def test_the_message_for_a_refused_item_is_exact(asked: ItemRequest, message: str) -> None:
    assert said(lambda: add_items(Checkout("web"), [asked], catalogue=RESORT, at=NOW)) == [message]


def test_a_different_end_is_different_content() -> None:
    day, from_ten = ("2026-12-27", "2026-12-27"), ("2026-12-27T00:00", "2026-12-27T04:00")
    checkout = add_items(Checkout("web"), [ItemRequest(1, TOUR, day)], catalogue=RESORT, at=NOW)

    assert said(lambda: add_items(checkout, [ItemRequest(1, TOUR, from_ten)], catalogue=RESORT, at=NOW)) == [
        "item 1 already exists with different content"
    ]


def test_a_replay_is_recognised_though_the_item_could_no_longer_be_sold() -> None:
    tour = ItemRequest(1, TOUR, ("2026-12-27", "2026-12-27"))
    checkout = add_items(Checkout("web"), [tour], catalogue=RESORT, at=NOW)
    hours_only = replace(GUIDED_TOUR, durations=(Duration(seconds=4 * 3600),))
    catalogue = replace(
        RESORT, products=tuple(hours_only if kept is GUIDED_TOUR else kept for kept in RESORT.products)
    )

    assert add_items(checkout, [tour], catalogue=catalogue, at=NOW) is checkout


def test_an_item_that_is_no_longer_sold_does_not_hide_the_next_conflict() -> None:
    gone, locker = CheckoutItem(1, 999), CheckoutItem(2, LOCKER)

    assert [fault.loc for fault in exclusive_conflicts([gone, locker], [gone, locker], RESORT)] == [
        (1, "variant")
    ]


def test_an_item_without_a_person_does_not_hide_the_next_conflict() -> None:
    seat = CheckoutItem(1, TOUR, SUNDAY, person=8)

    conflicts = exclusive_conflicts([seat], [seat._replace(person=None), seat], RESORT)

    assert [fault.loc for fault in conflicts] == [(1, "person")]


@pytest.mark.parametrize("validities", [(None, SUNDAY), (SUNDAY, None), (None, None)])
def test_a_ticket_without_a_validity_is_valid_at_all_times(
    validities: tuple[Interval | None, Interval | None],
) -> None:
    held, new = (CheckoutItem(1, TOUR, validity, person=8) for validity in validities)

    assert [fault.loc for fault in exclusive_conflicts([held], [new], RESORT)] == [(0, "person")]
