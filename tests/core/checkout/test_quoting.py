"""Quotes for items, and the issues that prevent a quote. Decisions §3.8, §8.1, §11.7."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from faregate.catalogue.calendars import Calendar, DayPattern, Holiday
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.checkout.model import CheckoutItem, Quote
from faregate.checkout.quotes import ItemQuoter, zone_of
from faregate.dates.instants import Interval
from faregate.errors import Issue, IssueCode, UnknownEntry
from support.shops.small_shop import (
    ADULT,
    CARD_FEE,
    DAY_TICKET,
    DESK,
    HALF_FARE,
    KEYCARD,
    LUNCH,
    LUNCH_VOUCHER,
    NOW,
    SHOP,
    SKI_RENTAL,
    UNTAXED,
    VAT,
    WEB,
    days,
)

SUNDAY = days("2026-12-27", "2026-12-27")


def quoted(
    item: CheckoutItem, catalogue: Catalogue = SHOP, *, desk: bool = False
) -> Quote | list[tuple[object, ...]]:
    """Return the quote, or the ``loc`` and the code of each issue."""
    found = ItemQuoter(channel=DESK if desk else WEB, catalogue=catalogue, at=NOW).quote(item)
    if isinstance(found, Quote):
        return found
    assert all(fault.message for fault in found)
    return [(*fault.loc, fault.code) for fault in found]


def test_an_older_quote_is_ignored() -> None:
    older = Quote(1, UNTAXED, datetime(2020, 1, 1, tzinfo=UTC))

    assert quoted(CheckoutItem(1, KEYCARD, quote=older)) == Quote(500, VAT, NOW)


def test_a_channel_sells_only_its_products() -> None:
    assert quoted(CheckoutItem(1, LUNCH), desk=True) == [("variant", IssueCode.NOT_SOLD_HERE)]


def test_nothing_without_a_price_is_bookable() -> None:
    for_holders = replace(LUNCH_VOUCHER.variants[0], prices=(PriceRule(1, discount_card=HALF_FARE),))
    lunch = replace(LUNCH_VOUCHER, variants=(for_holders,))
    catalogue = replace(SHOP, products=(DAY_TICKET, lunch, *SHOP.products[2:]))

    assert quoted(CheckoutItem(1, LUNCH), catalogue) == [("variant", IssueCode.NOT_BOOKABLE)]
    assert quoted(CheckoutItem(1, LUNCH, discount_card=HALF_FARE), catalogue) == Quote(
        1, for_holders.rate, NOW
    )


def test_a_validity_without_a_utc_offset_is_refused() -> None:
    naive = Interval(datetime(2026, 12, 27), datetime(2026, 12, 28))  # noqa: DTZ001  the point of the test

    assert quoted(CheckoutItem(1, ADULT, naive)) == [("validity", IssueCode.NOT_BOOKABLE)]


def test_days_are_in_the_time_zone_of_the_merchant() -> None:
    assert zone_of(SKI_RENTAL, SHOP).key == "Europe/Berlin"
    assert zone_of(CARD_FEE, SHOP).key == "Europe/Zurich"


def test_a_priced_item_that_cannot_be_booked_is_refused_with_the_reason() -> None:
    desk = ItemQuoter(channel=WEB, catalogue=SHOP, at=NOW)
    gone = CheckoutItem(1, ADULT, days("2020-12-27", "2020-12-27"))

    assert isinstance(desk.quote(gone), Quote)
    assert desk.quote_bookable(gone) == (
        Issue(("validity",), "cannot be booked: too-late", IssueCode.NOT_BOOKABLE),
    )
    assert isinstance(desk.quote_bookable(CheckoutItem(1, ADULT, SUNDAY)), Quote)


def test_bookable_items_have_each_duration_and_a_quote() -> None:
    desk = ItemQuoter(channel=WEB, catalogue=SHOP, at=NOW)
    found = desk.bookable(ADULT, date(2026, 12, 27))

    assert [(item.validity, item.quote and item.quote.list_price) for item in found] == [
        (SUNDAY, 8000),
        (days("2026-12-27", "2026-12-29"), 21_000),
    ]
    assert desk.bookable(ADULT, date(2026, 12, 27), HALF_FARE)[0].quote == Quote(4000, VAT, NOW)
    assert desk.bookable(ADULT, date(2020, 12, 27)) == []
    assert [item.validity for item in desk.bookable(KEYCARD, date(2026, 12, 27))] == [None]


def priced(*prices: PriceRule, model: PriceModel) -> Catalogue:
    """Return the shop with these prices for an adult's day; Sunday is a public holiday."""
    adult = replace(DAY_TICKET.variants[0], prices=prices)
    ticket = replace(DAY_TICKET, variants=(adult,), price_model=model)
    return replace(
        SHOP,
        products=(ticket, *SHOP.products[1:]),
        calendar=Calendar(holidays=(Holiday(date(2026, 12, 27)),)),
    )


@pytest.mark.parametrize(("validity", "price"), [(SUNDAY, 9000), (days("2026-12-28", "2026-12-28"), 5000)])
def test_a_quote_uses_the_calendar_of_the_catalogue(validity: Interval, price: int) -> None:
    catalogue = priced(
        PriceRule(5000), PriceRule(9000, when=DayPattern(is_holiday=True)), model=PriceModel.CALENDAR
    )

    assert quoted(CheckoutItem(1, ADULT, validity), catalogue) == Quote(price, VAT, NOW)


@pytest.mark.parametrize(
    ("validity", "price"),
    [
        pytest.param(SUNDAY, 6000, id="six days ahead"),
        pytest.param(days("2026-12-28", "2026-12-28"), 5000, id="seven days ahead"),
        pytest.param(days("2026-12-20", "2026-12-20"), 7000, id="begun the day before"),
    ],
)
def test_a_quote_depends_on_how_far_ahead_the_order_is(validity: Interval, price: int) -> None:
    catalogue = priced(
        PriceRule(7000),
        PriceRule(6000, min_lead_days=1),
        PriceRule(5000, min_lead_days=7),
        model=PriceModel.STEPPED,
    )

    assert quoted(CheckoutItem(1, ADULT, validity), catalogue) == Quote(price, VAT, NOW)


def test_an_unknown_card_is_reported_together_with_an_unknown_variant() -> None:
    assert quoted(CheckoutItem(1, 999, discount_card=6)) == [
        ("variant", IssueCode.UNKNOWN_VARIANT),
        ("discount_card", IssueCode.UNKNOWN_DISCOUNT_CARD),
    ]


def test_the_list_price_of_an_item_explains_itself() -> None:
    desk = ItemQuoter(channel=WEB, catalogue=SHOP, at=NOW)

    price = desk.list_price(CheckoutItem(1, ADULT, SUNDAY, discount_card=HALF_FARE))

    assert price.amount == price.trace().amount("list_price") == 4000


def test_an_item_without_a_list_price_is_refused() -> None:
    desk = ItemQuoter(channel=WEB, catalogue=SHOP, at=NOW)

    with pytest.raises(UnknownEntry):
        desk.list_price(CheckoutItem(1, 4711))
