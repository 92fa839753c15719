"""VAT rates that change on a date. Decisions §4."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.catalogue.products import Product, Surcharge
from faregate.checkout.changes import add_items, set_conditions
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import Checkout, CheckoutConditions
from faregate.errors import InvalidRate
from faregate.tax.changes import RateChange, rate_on
from faregate.tax.rates import VatRate
from support.shops.refused_catalogues import said, with_products
from support.shops.small_shop import ADULT, DAY_TICKET, LUNCH, LUNCH_VOUCHER, RAIN_COVER, RESORT, SHOP

# Standard rates of Switzerland: Federal Tax Administration, "Steuersätze".
SWISS = {
    "1995-01-01": "6.5",
    "1999-01-01": "7.5",
    "2001-01-01": "7.6",
    "2011-01-01": "8.0",
    "2018-01-01": "7.7",
}
OLD, NEW = VatRate.percent("7.7"), VatRate.percent("8.1")
NEW_YEAR = RateChange(since=date(2027, 1, 1), rate=NEW)
JULY = RateChange(since=date(2027, 7, 1), rate=OLD)


def with_change(product: Product, *changes: RateChange) -> Product:
    variants = [replace(variant, rate=OLD, rate_changes=changes) for variant in product.variants]
    return replace(product, variants=tuple(variants))


@pytest.mark.parametrize(
    ("day", "percent"),
    [
        ("1994-12-31", "0"),
        ("1995-01-01", "6.5"),
        ("2023-12-31", "7.7"),
    ],
)
def test_the_swiss_standard_rate_of_a_day(day: str, percent: str) -> None:
    changes = [
        RateChange(since=date.fromisoformat(since), rate=VatRate.percent(rate))
        for since, rate in SWISS.items()
    ]

    assert rate_on(date.fromisoformat(day), VatRate.percent(0), changes) == VatRate.percent(percent)


@given(st.lists(st.dates(), unique=True), st.dates())
def test_the_rate_of_a_day_is_that_of_the_latest_change_by_then(since: list[date], day: date) -> None:
    changes = [
        RateChange(since=first, rate=VatRate(parts_per_million=1000 + sorted(since).index(first) + 1))
        for first in since
    ]

    by_then = sum(first <= day for first in since)

    assert rate_on(day, VatRate(parts_per_million=1000), changes).parts_per_million == 1000 + by_then


@pytest.mark.parametrize(
    "values", [{"since": "2027-01-01"}, {"since": datetime(2027, 1, 1, tzinfo=UTC)}, {"rate": 81_000}]
)
def test_a_change_has_a_date_and_a_rate(values: dict[str, Any]) -> None:
    with pytest.raises(InvalidRate, match=next(iter(values))):
        replace(NEW_YEAR, **values)


def test_a_day_is_a_date() -> None:
    with pytest.raises(InvalidRate, match="day is datetime"):
        rate_on(datetime(2027, 1, 1, tzinfo=UTC), OLD, [NEW_YEAR])


def test_changes_are_in_ascending_order_of_date() -> None:
    def issues(*changes: RateChange) -> list[str]:
        return said(with_products(with_change(DAY_TICKET, *changes), *SHOP.products[1:]))[:1]

    assert issues(NEW_YEAR, JULY) == []
    later = "products[0].variants[0].rate_changes[1].since: {} is not after {}"
    assert issues(JULY, NEW_YEAR) == [later.format("2027-01-01", "2027-07-01")]
    assert issues(JULY, JULY) == [later.format("2027-07-01", "2027-07-01")]


def rates(checkout: Checkout) -> list[VatRate]:
    return [item.quote.rate for item in checkout.items if item.quote is not None]


def test_the_rate_of_a_ticket_is_that_of_its_first_day() -> None:
    catalogue = replace(SHOP, products=(with_change(DAY_TICKET, NEW_YEAR), *SHOP.products[1:]))
    stays = [("2026-12-31", "2026-12-31"), ("2026-12-30", "2027-01-01"), ("2027-01-01", "2027-01-01")]
    asked = [ItemRequest(n, ADULT, stay) for n, stay in enumerate(stays, 1)]

    checkout = add_items(Checkout("web"), asked, catalogue=catalogue, at=datetime(2026, 12, 28, tzinfo=UTC))

    assert rates(checkout) == [OLD, OLD, NEW]


# New Year begins in Zurich one hour before it begins in UTC.
@pytest.mark.parametrize(("hour", "rate"), [(22, OLD), (23, NEW)])
def test_without_a_validity_the_rate_is_that_of_the_day_of_the_order(hour: int, rate: VatRate) -> None:
    products = [with_change(one, NEW_YEAR) if one.id == LUNCH_VOUCHER.id else one for one in SHOP.products]
    at = datetime(2026, 12, 31, hour, tzinfo=UTC)

    checkout = add_items(
        Checkout("web"), [ItemRequest(1, LUNCH)], catalogue=replace(SHOP, products=tuple(products)), at=at
    )

    assert rates(checkout) == [rate]


def test_a_fee_has_the_date_of_its_ticket() -> None:
    def with_guarantee(product: Product) -> Product:
        if product.id in {DAY_TICKET.id, LUNCH_VOUCHER.id}:
            return replace(product, weather_guarantee=(Surcharge(RAIN_COVER, 300),))
        fees = any(variant.id == RAIN_COVER for variant in product.variants)
        return with_change(product, NEW_YEAR) if fees else product

    catalogue = replace(RESORT, products=tuple(map(with_guarantee, RESORT.products)))
    at = datetime(2026, 12, 28, tzinfo=UTC)
    stays = [("2026-12-31", "2026-12-31"), ("2027-01-01", "2027-01-01")]
    asked = [*(ItemRequest(n, ADULT, stay) for n, stay in enumerate(stays, 1)), ItemRequest(3, LUNCH)]
    tickets = add_items(Checkout("web"), asked, catalogue=catalogue, at=at)

    checkout = set_conditions(tickets, CheckoutConditions(weather_guarantee=True), catalogue=catalogue, at=at)

    assert rates(checkout)[3:] == [OLD, NEW, OLD]  # a lunch has the date of its order
