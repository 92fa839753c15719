"""Duplicate ids and references to missing entries, anywhere in a catalogue."""

from dataclasses import replace

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.catalogue.booking_rules import BookingRules, StayRule
from faregate.catalogue.calendars import Calendar, DayPattern
from faregate.catalogue.entries import Category, DiscountCard, Entries, Merchant
from faregate.catalogue.pools import Blocked, PoolSize, PoolUse
from faregate.catalogue.presentation.content import Banner, CallToAction, ProductContent
from faregate.catalogue.price_rules import CardReduction, PriceModel, PriceRule
from faregate.catalogue.products import Medium, MediumIntent, PriceComponent, Surcharge
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    Conditions,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.translations import Text
from support.shops.refused_catalogues import (
    ENTRIES,
    MOUNTAIN,
    WINTER,
    said,
    with_components,
    with_desk,
    with_guarantee,
    with_prices,
    with_products,
    with_ticket,
    with_variants,
)
from support.shops.small_shop import DAY_TICKET, DESK, KEYCARD, LUNCH_VOUCHER, SHOP, WEB

LOST = DayPattern(seasons=frozenset({"winter", "monsoon"}))
MORE = Text("More")


def leading(cta: CallToAction) -> ProductContent:
    return ProductContent(banner=Banner(Text("Book early"), cta=cta))


def with_code(scope: Scope, conditions: Conditions | None = None) -> Entries:
    code = PromoCode(code="A", kind=Absolute(1), scope=scope, conditions=conditions or Conditions())
    return replace(ENTRIES, promo_codes=(code,))


def with_bundle_of(scope: Scope) -> Entries:
    rule = AutomaticDiscount(id=1, kind=Bundle(parts=(BundlePart(scope),), price=1))
    return replace(ENTRIES, automatic_discounts=(rule,))


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            replace(
                ENTRIES,
                merchants=(*SHOP.merchants, Merchant("lifts", timezone="Europe/Zurich", currency="CHF")),
            ),
            "merchants[2].identifier: 'lifts' is used twice",
        ),
        (
            replace(ENTRIES, categories=(*SHOP.categories, Category(1, Text("Again")))),
            "categories[2].id: 1 is used twice",
        ),
        (
            replace(ENTRIES, discount_cards=(*SHOP.discount_cards, DiscountCard(5, Text("Again")))),
            "discount_cards[1].id: 5 is used twice",
        ),
        (
            with_products(*SHOP.products, replace(LUNCH_VOUCHER, slug="dinner", variants=())),
            "products[6].id: 21 is used twice",
        ),
        (
            with_products(*SHOP.products, replace(LUNCH_VOUCHER, id=22, variants=())),
            "products[6].slug: 'lunch' is used twice",
        ),
        (
            replace(ENTRIES, media=(*SHOP.media, Medium(id=1, type="PAPER", name=Text()))),
            "media[1].id: 1 is used twice",
        ),
        (
            replace(ENTRIES, channels=(WEB, DESK, replace(WEB, name="Again"))),
            "channels[2].uuid: 'web' is used twice",
        ),
        (
            replace(ENTRIES, automatic_discounts=(AutomaticDiscount(id=1, kind=Absolute(1)),) * 2),
            "automatic_discounts[1].id: 1 is used twice",
        ),
        (
            with_variants(DAY_TICKET.variants[0], replace(DAY_TICKET.variants[1], id=201)),
            "products[1].variants[0].id: 201 is used twice",
        ),
        (
            replace(ENTRIES, promo_codes=(*SHOP.promo_codes, PromoCode(code=" ten", kind=Absolute(1)))),
            "promo_codes[1].code: 'TEN' is used twice",
        ),
        (
            replace(ENTRIES, vouchers=(*SHOP.vouchers, Voucher(code="ten", balance=1))),
            "vouchers[1].code: 'TEN' is used twice",
        ),
        (
            replace(ENTRIES, calendar=Calendar(seasons=(WINTER, WINTER))),
            "calendar.seasons[1].identifier: 'winter' is used twice",
        ),
        (
            replace(ENTRIES, pools=(MOUNTAIN, replace(MOUNTAIN, size=200))),
            "pools[1].identifier: 'mountain' is used twice",
        ),
    ],
)
def test_a_duplicate_id_is_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [fault]


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            with_ticket(merchant="nobody"),
            "products[0].merchant: there is no merchant 'nobody'",
        ),
        (
            with_ticket(category=9),
            "products[0].category: there is no category 9",
        ),
        (
            with_ticket(media=(1, 9)),
            "products[0].media[1]: there is no medium 9",
        ),
        (
            with_prices(PriceRule(8000), PriceRule(4000, discount_card=6)),
            "products[0].variants[0].prices[1].discount_card: there is no discount card 6",
        ),
        (
            with_components(PriceComponent(variant=999, price=500, intent=MediumIntent.DEPOSIT)),
            "media[0].price_components[0].variant: there is no variant 999",
        ),
        (
            with_guarantee(Surcharge(KEYCARD, 500), Surcharge(999, 500)),
            "products[0].weather_guarantee[1].variant: there is no variant 999",
        ),
        (
            with_desk(products=frozenset({11, 99})),
            "channels[1].products: there is no product 99",
        ),
        (
            with_code(Scope(products=frozenset({11, 99}))),
            "promo_codes[0].scope.products: there is no product 99",
        ),
        (with_code(Scope(variants=frozenset({11}))), "promo_codes[0].scope.variants: there is no variant 11"),
        (
            with_code(Scope(categories=frozenset({9}))),
            "promo_codes[0].scope.categories: there is no category 9",
        ),
        (
            with_code(Scope(discount_cards=frozenset({6}))),
            "promo_codes[0].scope.discount_cards: there is no discount card 6",
        ),
        (
            with_code(Scope(excluded_products=frozenset({99}))),
            "promo_codes[0].scope.excluded_products: there is no product 99",
        ),
        (
            with_code(Scope(), Conditions(channels=frozenset({"web", "app"}))),
            "promo_codes[0].conditions.channels: there is no channel 'app'",
        ),
        (
            with_code(
                Scope(),
                Conditions(thresholds=(Threshold(1), Threshold(1, counting=Scope(products=frozenset({99}))))),
            ),
            "promo_codes[0].conditions.thresholds[1].counting.products: there is no product 99",
        ),
        (
            replace(
                ENTRIES,
                automatic_discounts=(
                    AutomaticDiscount(id=1, kind=BuyXGetY(2, 1, rewards=Scope(variants=frozenset({999})))),
                ),
            ),
            "automatic_discounts[0].kind.rewards.variants: there is no variant 999",
        ),
        (
            with_bundle_of(Scope(products=frozenset({99}))),
            "automatic_discounts[0].kind.parts[0].scope.products: there is no product 99",
        ),
        (
            with_ticket(booking=BookingRules(seasons=("winter", "monsoon"))),
            "products[0].booking.seasons[1]: there is no season 'monsoon'",
        ),
        (
            with_ticket(booking=BookingRules(closed=(DayPattern(), LOST))),
            "products[0].booking.closed[1].seasons: there is no season 'monsoon'",
        ),
        (
            with_ticket(booking=BookingRules(stays=(StayRule(LOST),))),
            "products[0].booking.stays[0].when.seasons: there is no season 'monsoon'",
        ),
        (
            with_ticket(
                price_model=PriceModel.CALENDAR,
                variants=(replace(DAY_TICKET.variants[0], prices=(PriceRule(1), PriceRule(2, when=LOST))),),
            ),
            "products[0].variants[0].prices[1].when.seasons: there is no season 'monsoon'",
        ),
        (
            replace(
                ENTRIES,
                calendar=Calendar(seasons=(WINTER,)),
                pools=(replace(MOUNTAIN, sizes=(PoolSize(1, LOST),)),),
            ),
            "pools[0].sizes[0].when.seasons: there is no season 'monsoon'",
        ),
        (
            replace(
                ENTRIES,
                calendar=Calendar(seasons=(WINTER,)),
                pools=(replace(MOUNTAIN, blocked=(Blocked(1), Blocked(1, LOST))),),
            ),
            "pools[0].blocked[1].when.seasons: there is no season 'monsoon'",
        ),
        (
            with_ticket(pools=(PoolUse("mountain"), PoolUse("glacier"))),
            "products[0].pools[1].pool: there is no pool 'glacier'",
        ),
        (
            with_ticket(price_model=PriceModel.STEPPED, sold_pool="glacier"),
            "products[0].sold_pool: there is no pool 'glacier'",
        ),
        (
            with_ticket(card_reductions=(CardReduction(5, 200_000), CardReduction(6, 200_000))),
            "products[0].card_reductions[1].discount_card: there is no discount card 6",
        ),
        (
            with_ticket(content=leading(CallToAction(MORE, product="dinner"))),
            "products[0].content.banner.cta.product: there is no product at 'dinner'",
        ),
    ],
)
def test_references_to_missing_entries_are_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [fault]
