"""Day tickets priced by days ahead or by units sold. SOURCES.md describes the source.

The list price and the gate price are equal.
"""

from datetime import date, timedelta
from typing import Protocol

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Category, Merchant
from faregate.catalogue.pools import Pool, PoolSlot, PoolUsage
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import ExternalId, Product, ProductType, Variant
from faregate.dates.durations import Duration
from faregate.gate.price import gate_price
from faregate.gate.requests import GateRequest
from faregate.list_prices.price import ListPriceQuery, list_price
from faregate.tax.rates import VatRate
from faregate.translations import Text
from support.baskets.as_written import cents

MON_TO_THU, FRI_TO_SUN = frozenset({1, 2, 3, 4}), frozenset({5, 6, 7})
# S. Guyette's slides, the variable price table of "Demo Mountain"
LADDERS = {MON_TO_THU: ("55", "61", "68", "75", "79"), FRI_TO_SUN: ("62", "69", "77", "85", "89")}
DAYS_AHEAD = (15, 14, 7, 3, 0)
QUANTITY_SOLD = (0, 4, 8, 12, 15)
MONDAY = date(2027, 1, 11)
WEEK = [MONDAY + timedelta(days=n) for n in range(7)]


GATE_IDS = (
    ExternalId(system="gate", kind="dta_product_id", value="1"),
    ExternalId(system="gate", kind="dta_consumer_category", value="1"),
)


def demo_mountain(*prices: PriceRule) -> Product:
    return Product(
        id=1,
        slug="day-ticket",
        identifier="DAY_TICKET",
        name="Day ticket",
        type=ProductType.TICKET,
        category=1,
        merchant="demo-mountain",
        variants=(
            Variant(
                id=1, name="Adult", rate=VatRate(parts_per_million=0), prices=prices, external_ids=GATE_IDS
            ),
        ),
        durations=(Duration(days=1),),
        price_model=PriceModel.STEPPED,
        sold_pool="mountain",
    )


BY_DAYS_AHEAD = demo_mountain(
    *(
        PriceRule(cents(price), when=DayPattern(weekdays=weekdays), min_lead_days=ahead)
        for weekdays, ladder in LADDERS.items()
        for ahead, price in zip(DAYS_AHEAD, ladder, strict=True)
    )
)
BY_QUANTITY_SOLD = demo_mountain(
    *(
        PriceRule(cents(price), when=DayPattern(weekdays=weekdays), min_sold=sold)
        for weekdays, ladder in LADDERS.items()
        for sold, price in zip(QUANTITY_SOLD, ladder, strict=True)
    )
)


class Price(Protocol):
    def __call__(self, product: Product, day: date, *, ahead: int = 0, sold: int = 0) -> int: ...


def listed(product: Product, day: date, *, ahead: int = 0, sold: int = 0) -> int:
    return list_price(
        product.variants[0],
        ListPriceQuery(Duration(days=1), day, day - timedelta(days=ahead)),
        product=product,
        capacity={PoolSlot("mountain", day): PoolUsage(sold)},
    ).amount


def at_the_gate(product: Product, day: date, *, ahead: int = 0, sold: int = 0) -> int:
    resort = Catalogue(
        merchants=(Merchant("demo-mountain", timezone="America/Denver", currency="USD"),),
        categories=(Category(1, Text("Tickets")),),
        products=(product,),
        pools=(Pool(identifier="mountain", size=None),),
    )
    request = GateRequest(
        valid_from=day,
        order_date=day - timedelta(days=ahead),
        quantity=1,
        currency_code="USD",
        dta_product_id=1,
        dta_consumer_category=1,
    )
    taken = {PoolSlot("mountain", day): PoolUsage(sold)}
    return gate_price(request, catalogue=resort, sold=taken).calculated_price


PRICES = pytest.mark.parametrize("price", [listed, at_the_gate])


def ladder_of(day: date) -> list[int]:
    return [cents(price) for price in LADDERS[FRI_TO_SUN if day.isoweekday() in FRI_TO_SUN else MON_TO_THU]]


@PRICES
@pytest.mark.parametrize("day", WEEK, ids=lambda day: f"GATE-X1-{day:%a}")
def test_the_price_of_a_day_rises_as_it_comes_nearer(day: date, price: Price) -> None:
    assert [price(BY_DAYS_AHEAD, day, ahead=ahead) for ahead in DAYS_AHEAD] == ladder_of(day)
    assert price(BY_DAYS_AHEAD, day, ahead=90) == ladder_of(day)[0]


@PRICES
@pytest.mark.parametrize("day", WEEK, ids=lambda day: f"GATE-X2-{day:%a}")
def test_the_price_of_a_day_rises_as_it_sells(day: date, price: Price) -> None:
    assert [price(BY_QUANTITY_SOLD, day, sold=sold) for sold in QUANTITY_SOLD] == ladder_of(day)
    assert price(BY_QUANTITY_SOLD, day, sold=400) == ladder_of(day)[-1]
