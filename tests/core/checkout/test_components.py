"""Price components: the child items of media and of the weather guarantee. Decisions §11.5."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faregate.catalogue.products import ProductType
from faregate.checkout.changes import add_items, set_conditions
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import (
    FIRST_SERVICE_ID,
    Checkout,
    CheckoutConditions,
    CheckoutItem,
    Component,
    ComponentSource,
    Quote,
)
from faregate.checkout.priced import price_checkout
from faregate.checkout.surcharges import weather_guarantee_price, with_components
from faregate.discounts.kinds import Conditions, Percentage, PromoCode, Threshold
from faregate.errors import InvalidCheckout, Issue, IssueCode, Loc
from support.shops.small_shop import (
    ADULT,
    GUIDED_TOUR,
    KEYCARD,
    LUNCH,
    NOW,
    ON_KEYCARD,
    ON_PHONE,
    ON_PHOTO_CARD,
    PHOTO_CARD,
    POSTAGE,
    RAIN_COVER,
    REDUCED,
    RESORT,
    SNOW_COVER,
    TOUR,
    UNTAXED,
    VAT,
    dearer,
    without,
)

SUNDAY = ("2026-12-27", "2026-12-27")
LATER = NOW + timedelta(minutes=10)
GUARANTEED = CheckoutConditions(weather_guarantee=True)
EMPTY = Checkout("web")


def with_items(*requests: ItemRequest, to: Checkout = EMPTY) -> Checkout:
    return add_items(to, requests, catalogue=RESORT, at=NOW)


ONE_TOUR = with_items(ItemRequest(1, TOUR, SUNDAY), ItemRequest(2, LUNCH))
TWO_TOURS = with_items(ItemRequest(3, TOUR, SUNDAY), to=ONE_TOUR)


def on(*media: tuple[int, int]) -> CheckoutConditions:
    return CheckoutConditions(media=media)


def answered(checkout: Checkout, conditions: CheckoutConditions) -> Checkout:
    return set_conditions(checkout, conditions, catalogue=RESORT, at=LATER)


def components(checkout: Checkout) -> list[tuple[int, int | None, int]]:
    """Return the id, parent and variant of every component."""
    return [(item.id, item.parent, item.variant) for item in checkout.items if item.component]


FIRST, SECOND, THIRD, FOURTH = range(FIRST_SERVICE_ID, FIRST_SERVICE_ID + 4)


def test_a_medium_adds_one_child_for_each_of_its_components() -> None:
    checkout = answered(ONE_TOUR, on((1, ON_PHOTO_CARD)))

    assert checkout.items == (
        *ONE_TOUR.items,
        CheckoutItem(
            FIRST,
            PHOTO_CARD,
            parent=1,
            component=Component(ComponentSource.MEDIUM, 0, ON_PHOTO_CARD),
            quote=Quote(700, VAT, LATER),
        ),
        CheckoutItem(
            SECOND,
            POSTAGE,
            parent=1,
            component=Component(ComponentSource.MEDIUM, 1, ON_PHOTO_CARD),
            quote=Quote(250, VAT, LATER),
        ),
    )
    assert checkout.next_id == THIRD


def test_the_weather_guarantee_adds_its_components_to_every_item_that_has_one() -> None:
    checkout = answered(TWO_TOURS, GUARANTEED)

    assert components(checkout) == [
        (FIRST, 1, RAIN_COVER),
        (SECOND, 1, SNOW_COVER),
        (THIRD, 3, RAIN_COVER),
        (FOURTH, 3, SNOW_COVER),
    ]
    assert [item.quote for item in checkout.items[3:5]] == [
        Quote(300, UNTAXED, LATER),
        Quote(200, REDUCED, LATER),
    ]
    assert checkout.items[3].component == Component(ComponentSource.WEATHER_GUARANTEE, 0)


def test_items_added_later_have_the_weather_guarantee_too() -> None:
    checkout = with_items(ItemRequest(3, TOUR, SUNDAY), to=answered(ONE_TOUR, GUARANTEED))

    assert [item.id for item in checkout.items] == [1, 2, FIRST, SECOND, 3, THIRD, FOURTH]
    assert components(checkout)[2:] == [(THIRD, 3, RAIN_COVER), (FOURTH, 3, SNOW_COVER)]


def test_components_keep_their_ids_and_quotes_while_they_are_needed() -> None:
    checkout = answered(ONE_TOUR, GUARANTEED)
    kept = [item for item in checkout.items if item.component]

    changed = set_conditions(
        checkout,
        replace(GUARANTEED, donation=500, media=((1, ON_KEYCARD),)),
        catalogue=dearer(RESORT),
        at=LATER + timedelta(minutes=1),
    )

    assert [item for item in changed.items if item.component][:2] == kept
    assert components(changed)[2:] == [(THIRD, 1, KEYCARD)]


def test_items_that_have_their_components_are_unchanged() -> None:
    checkout = answered(TWO_TOURS, replace(GUARANTEED, media=((1, ON_PHOTO_CARD),)))

    assert with_components(checkout, catalogue=dearer(RESORT), at=LATER) is checkout


def test_components_are_removed_when_they_are_no_longer_needed() -> None:
    checkout = answered(ONE_TOUR, replace(GUARANTEED, media=((1, ON_PHOTO_CARD),)))

    assert components(answered(checkout, on((1, ON_PHOTO_CARD)))) == [
        (FIRST, 1, PHOTO_CARD),
        (SECOND, 1, POSTAGE),
    ]
    assert answered(checkout, CheckoutConditions()).items == ONE_TOUR.items


def test_components_missing_from_the_catalogue_are_removed_at_the_next_change() -> None:
    without_snow = without(RESORT, GUIDED_TOUR)
    rain_only = replace(GUIDED_TOUR, weather_guarantee=GUIDED_TOUR.weather_guarantee[:1])
    catalogue = replace(without_snow, products=(*without_snow.products, rain_only))

    checkout = add_items(
        answered(ONE_TOUR, GUARANTEED), [ItemRequest(4, LUNCH)], catalogue=catalogue, at=LATER
    )

    assert components(checkout) == [(FIRST, 1, RAIN_COVER)]


@pytest.mark.parametrize(
    ("conditions", "place", "code"),
    [
        (on((9, ON_KEYCARD)), ("media", 9), IssueCode.UNKNOWN_ITEM),
        (on((FIRST, ON_KEYCARD)), ("media", FIRST), IssueCode.UNKNOWN_ITEM),
        (on((2, ON_KEYCARD)), ("media", 2), IssueCode.UNKNOWN_MEDIUM),
        (on((1, 99)), ("media", 1), IssueCode.UNKNOWN_MEDIUM),
        (CheckoutConditions(donation=-1), ("donation",), IssueCode.INVALID),
    ],
    ids=["no such item", "a component", "issued on no medium", "no such medium", "negative donation"],
)
def test_impossible_conditions_are_refused(
    conditions: CheckoutConditions, place: Loc, code: IssueCode
) -> None:
    with pytest.raises(InvalidCheckout) as raised:
        answered(answered(ONE_TOUR, GUARANTEED), conditions)

    assert [(fault.loc, fault.code) for fault in raised.value.issues] == [(place, code)]


def test_all_issues_of_the_conditions_are_reported_at_once() -> None:
    with pytest.raises(InvalidCheckout) as raised:
        answered(ONE_TOUR, CheckoutConditions(donation=-1, media=((9, 1), (1, ON_PHONE), (2, 1))))

    assert [fault.loc for fault in raised.value.issues] == [("media", 9), ("media", 2), ("donation",)]


def test_components_count_towards_the_item_limit() -> None:
    full = with_items(*[ItemRequest(n, LUNCH) for n in range(4, 502)], to=ONE_TOUR)

    with pytest.raises(InvalidCheckout) as raised:
        answered(full, GUARANTEED)

    assert [(fault.loc, fault.code) for fault in raised.value.issues] == [
        (("items",), IssueCode.TOO_MANY_ITEMS)
    ]


def test_setting_the_same_conditions_changes_nothing_under_any_catalogue() -> None:
    conditions = replace(GUARANTEED, media=((1, ON_PHOTO_CARD),))
    checkout = answered(ONE_TOUR, conditions)

    for catalogue in (RESORT, dearer(RESORT), without(RESORT, GUIDED_TOUR)):
        assert set_conditions(checkout, conditions, catalogue=catalogue, at=LATER) is checkout


def test_a_medium_for_an_item_that_is_no_longer_sold_is_refused() -> None:
    with pytest.raises(InvalidCheckout) as raised:
        set_conditions(ONE_TOUR, on((1, ON_PHONE)), catalogue=without(RESORT, GUIDED_TOUR), at=LATER)

    assert raised.value.issues == (
        Issue(("media", 1), f"item 1: unknown variant {TOUR}", IssueCode.UNKNOWN_VARIANT),
    )


def test_components_are_neither_discounted_nor_counted() -> None:
    tours = Conditions(thresholds=(Threshold(spend=6001),))
    catalogue = replace(
        RESORT,
        promo_codes=(
            PromoCode(code="ALL", kind=Percentage.percent(100)),
            PromoCode(code="MORE", kind=Percentage.percent(100), conditions=tours),
        ),
    )
    checkout = answered(
        with_items(ItemRequest(1, TOUR, SUNDAY)), replace(GUARANTEED, media=((1, ON_KEYCARD),))
    )

    def total(code: str) -> int:
        return price_checkout(
            replace(checkout, codes=(code,)), catalogue=catalogue, at=NOW
        ).totals.total_gross

    assert total("MORE") == 6000 + 300 + 200 + 500
    assert total("ALL") == 300 + 200 + 500


def test_a_component_stays_a_fee_when_its_product_is_no_longer_one() -> None:
    no_fees = [
        replace(product, type=ProductType.SERVICE, weather_guarantee=()) for product in RESORT.products
    ]
    free_media = tuple([replace(medium, price_components=()) for medium in RESORT.media])
    all_off = (PromoCode(code="ALL", kind=Percentage.percent(100)),)
    checkout = replace(answered(with_items(ItemRequest(1, TOUR, SUNDAY)), GUARANTEED), codes=("ALL",))

    result = price_checkout(
        checkout,
        catalogue=replace(RESORT, products=tuple(no_fees), media=free_media, promo_codes=all_off),
        at=LATER,
    )

    assert result.totals.total_gross == 300 + 200


def test_a_component_costs_the_same_on_a_channel_that_does_not_sell_it_by_itself() -> None:
    at_the_desk = add_items(Checkout("desk"), [ItemRequest(1, ADULT, SUNDAY)], catalogue=RESORT, at=NOW)

    checkout = answered(at_the_desk, on((1, ON_KEYCARD)))

    assert price_checkout(checkout, catalogue=RESORT, at=NOW).totals.total_gross == 8500


def test_the_price_of_the_guarantee_covers_all_items_that_have_one() -> None:
    assert weather_guarantee_price(ONE_TOUR, RESORT) == 500
    assert weather_guarantee_price(TWO_TOURS, RESORT) == 1000
    assert weather_guarantee_price(answered(TWO_TOURS, GUARANTEED), RESORT) == 1000


def test_without_an_eligible_item_there_is_no_guarantee() -> None:
    assert weather_guarantee_price(EMPTY, RESORT) is None
    assert weather_guarantee_price(with_items(ItemRequest(2, LUNCH)), RESORT) is None
    assert weather_guarantee_price(TWO_TOURS, without(RESORT, GUIDED_TOUR)) is None


def test_a_free_guarantee_is_still_a_guarantee() -> None:
    free = replace(
        GUIDED_TOUR,
        weather_guarantee=tuple([replace(part, price=0) for part in GUIDED_TOUR.weather_guarantee]),
    )

    products = tuple([free if product.id == free.id else product for product in RESORT.products])

    assert weather_guarantee_price(ONE_TOUR, replace(RESORT, products=products)) == 0
