"""The catalogue: checks at construction, and lookups."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from faregate.catalogue import catalogue
from faregate.catalogue.calendars import Calendar, DayPattern, Holiday
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import ChannelType, PaymentMethodType
from faregate.catalogue.pools import Blocked, Pool, PoolSize
from faregate.catalogue.products import Attribute, MediumIntent, ProductType, Surcharge
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Scope
from faregate.errors import InvalidCatalogue, UnknownEntry, format_loc
from faregate.translations import Text
from support.shops.small_shop import ADULT, CHILD, DAY_TICKET, DESK, LUNCH, LUNCH_VOUCHER, SHOP, WEB

POOLED = Catalogue(
    pools=(Pool(identifier="mtn", size=9, sizes=(PoolSize(None, DayPattern(weekdays=frozenset({7}))),)),)
)


def test_a_catalogue_is_refused_with_every_issue_of_its_entries() -> None:
    twice = replace(LUNCH_VOUCHER, slug="supper", merchant="nobody", variants=())

    with pytest.raises(InvalidCatalogue) as refused:
        Catalogue(products=(LUNCH_VOUCHER, twice))

    assert refused.value.messages == (
        "products[1].id: 21 is used twice",
        "products[0].merchant: there is no merchant 'lifts'",
        "products[0].category: there is no category 2",
        "products[1].merchant: there is no merchant 'nobody'",
        "products[1].category: there is no category 2",
    )
    assert [format_loc(fault.loc) for fault in refused.value.issues] == [
        text.split(": ")[0] for text in refused.value.messages
    ]


def test_a_changed_catalogue_is_checked_again() -> None:
    with pytest.raises(InvalidCatalogue, match=r"^categories\[2\]\.id: 1 is used twice$"):
        replace(SHOP, categories=(*SHOP.categories, SHOP.categories[0]))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"products": DAY_TICKET}, "^products is a Product, expected a tuple$"),
        ({"products": (WEB,)}, "^products contains a Channel, expected a Product$"),
        ({"vouchers": ("GIFT",)}, "^vouchers contains 'GIFT', expected a Voucher$"),
        ({"calendar": None}, "^calendar is None, expected a Calendar$"),
    ],
)
def test_entries_of_the_wrong_type_are_refused(entries: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidCatalogue, match=message):
        Catalogue(**entries)


def test_lists_of_entries_are_kept_as_tuples() -> None:
    lists: dict[str, Any] = {"pools": [*POOLED.pools]}

    assert Catalogue(**lists) == POOLED


def test_the_cache_of_places_for_sale_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_MAX_POOL_DAYS", 2)
    week = [date(2026, 12, 21) + timedelta(days=n) for n in range(7)]

    for _ in range(2):
        assert [POOLED.for_sale("mtn", day) for day in week] == [9] * 6 + [None]
    assert len(POOLED._for_sale) <= 2
    with pytest.raises(UnknownEntry, match=r"^unknown pool 'park'$"):
        POOLED.for_sale("park", week[0])


def test_places_for_sale_follow_the_calendar_of_the_catalogue() -> None:
    closed = PoolSize(0, DayPattern(is_holiday=True))
    resort = Catalogue(
        pools=(Pool(identifier="mtn", size=9, sizes=(closed, PoolSize(7, closed.when))),),
        calendar=Calendar(holidays=(Holiday(date(2026, 12, 25)),)),
    )

    kept = replace(resort, pools=(Pool(identifier="mtn", size=9, blocked=(Blocked(4, closed.when),)),))

    assert [resort.for_sale("mtn", date(2026, 12, day)) for day in (24, 25)] == [9, 0]
    assert [kept.for_sale("mtn", date(2026, 12, day)) for day in (24, 25)] == [9, 5]


def test_an_unknown_slug_is_named() -> None:
    with pytest.raises(UnknownEntry, match=r"^unknown product 'day-tickets'$"):
        SHOP.product_at("day-tickets")


def test_entries_are_found_by_their_ids() -> None:
    assert SHOP.product(11) is DAY_TICKET
    assert SHOP.variant(CHILD) == (DAY_TICKET, DAY_TICKET.variants[1])
    assert SHOP.merchant("lifts").timezone == "Europe/Zurich"
    assert SHOP.channel("desk") is DESK
    assert SHOP.discount_card(5) is SHOP.discount_cards[0]
    assert SHOP.medium(1) is SHOP.media[0]
    assert SHOP.category(1) is SHOP.categories[0]
    assert SHOP.product_at(DAY_TICKET.slug) is DAY_TICKET
    assert POOLED.pool("mtn") is POOLED.pools[0]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("product", 99),
        ("category", 99),
        ("variant", 11),
        ("merchant", "LIFTS"),
        ("channel", ""),
        ("discount_card", 6),
        ("medium", 2),
        ("product", "11"),
        ("pool", "mtn"),
    ],
)
def test_unknown_entries_are_named(kind: str, name: int | str) -> None:
    words = kind.replace("_", " ")

    with pytest.raises(UnknownEntry, match=f"^unknown {words} {name!r}$") as raised:
        getattr(SHOP, kind)(name)

    assert (raised.value.kind, raised.value.name) == (words, name)


@pytest.mark.parametrize("code", ["TEN", "ten", " Ten "])
def test_codes_are_found_in_any_spelling(code: str) -> None:
    assert SHOP.promo_code(code) is SHOP.promo_codes[0]


@pytest.mark.parametrize("code", ["GIFT", " gift"])
def test_vouchers_are_found_in_any_spelling(code: str) -> None:
    assert SHOP.voucher(code) is SHOP.vouchers[0]


@pytest.mark.parametrize("code", ["", "NONE", "TE N"])
def test_an_unknown_code_is_none(code: str) -> None:
    assert SHOP.promo_code(code) is None
    assert SHOP.voucher(code) is None


def test_a_channel_sells_the_products_it_names_or_everything() -> None:
    assert WEB.sells(DAY_TICKET)
    assert WEB.sells(LUNCH_VOUCHER)
    assert DESK.sells(DAY_TICKET)
    assert not DESK.sells(LUNCH_VOUCHER)


def test_a_product_with_surcharges_supports_the_weather_guarantee() -> None:
    assert not DAY_TICKET.supports_weather_guarantee
    assert replace(DAY_TICKET, weather_guarantee=(Surcharge(901, 0),)).supports_weather_guarantee


def test_by_default_a_channel_accepts_codes_and_expires_after_30_minutes() -> None:
    """Decisions §11.2: 30 minutes after the last change, at most 2 hours after the start."""
    assert (WEB.can_use_promo_codes, WEB.can_use_vouchers) == (True, True)
    assert (WEB.expires_after, WEB.expires_at_most) == (timedelta(minutes=30), timedelta(hours=2))
    assert (WEB.payment_methods, WEB.form, WEB.requires_terms) == ((), (), False)
    assert WEB.redirect_urls == ()


@pytest.mark.parametrize(
    ("names", "members"),
    [
        ({"TICKET", "PASS", "SERVICE", "FEE"}, {member.value for member in ProductType}),
        ({"WEB", "CONSUMPTION", "POS"}, {member.value for member in ChannelType}),
        ({"SENDING_FEE", "DEPOSIT"}, {member.value for member in MediumIntent}),
        (
            {"PAP", "PFP", "PFC", "APL", "PAY", "VIS", "ECA", "TWI", "DIB", "EPS", "REK"},
            {member.value for member in PaymentMethodType},
        ),
    ],
)
def test_enumerations_have_the_members_of_the_specification(names: set[str], members: set[str]) -> None:
    assert members == names


@pytest.mark.parametrize(
    ("scope", "variants"),
    [
        pytest.param(Scope(variants=frozenset({CHILD})), {CHILD}, id="a variant"),
        pytest.param(Scope(attributes=frozenset({("age", "adult")})), {ADULT}, id="an attribute"),
        pytest.param(Scope(weekdays=frozenset({1})), {ADULT, CHILD, LUNCH}, id="what only an item tells"),
        pytest.param(Scope(products=frozenset({11}), categories=frozenset({2})), set(), id="nothing at all"),
    ],
)
def test_automatic_discounts_are_found_by_the_variants_they_can_select(
    scope: Scope, variants: set[int]
) -> None:
    rules = tuple(AutomaticDiscount(id=number, kind=Absolute(1), scope=scope) for number in (2, 1))
    shop = replace(SHOP, automatic_discounts=rules)

    assert {v for v in (ADULT, CHILD, LUNCH) if shop.automatic_discounts_for([v]) == rules} == variants
    assert {v for v in (ADULT, CHILD, LUNCH) if not shop.automatic_discounts_for([v])} == {
        ADULT,
        CHILD,
        LUNCH,
    } - variants
    assert shop.automatic_discounts_for([999]) == ()


def test_discounts_select_a_variant_by_its_attributes() -> None:
    attributes = tuple(
        Attribute(identifier=name, value="adult", name=Text(), translation=Text())
        for name in ("age", "tariff")
    )

    variant = replace(DAY_TICKET.variants[1], attributes=attributes)

    assert variant.selectors == {("age", "adult"), ("tariff", "adult")}
