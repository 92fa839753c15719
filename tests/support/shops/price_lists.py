"""A variant at given prices, static or by day, and its list prices in one winter's calendar."""

from dataclasses import replace
from datetime import date

from faregate.catalogue.calendars import Calendar, Holiday, MonthDay, Season, Span
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Product, Variant
from faregate.dates.durations import Duration
from faregate.list_prices.price import ListPriceQuery, list_price
from support.shops.small_shop import DAY_TICKET, VAT

HOURS, DAY, TWO_DAYS, THREE_DAYS, WEEK = map(Duration.parse, ("PT4H", "P1D", "P2D", "P3D", "P1W"))
WINTER = frozenset({"winter"})
FRI_SAT_SUN = frozenset({5, 6, 7})
CALENDAR = Calendar(
    seasons=(Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),)),),
    holidays=(Holiday(MonthDay(12, 25)),),
)
WEDNESDAY, FRIDAY = date(2027, 1, 6), date(2027, 1, 8)
JULY = date(2027, 7, 7)  # a Wednesday


def variant(*prices: PriceRule) -> Variant:
    return Variant(id=101, name="Adult", rate=VAT, prices=prices)


def by_day(*prices: PriceRule) -> Product:
    return replace(DAY_TICKET, price_model=PriceModel.CALENDAR, variants=(variant(*prices),))


def static(of: Variant, duration: Duration | None = None, card: int | None = None) -> int:
    return list_price(of, ListPriceQuery(duration, discount_card=card), product=DAY_TICKET).amount


def dated(
    product: Product, duration: Duration | None, first_day: date | None, *, card: int | None = None
) -> int:
    occasion = ListPriceQuery(duration, first_day, discount_card=card)
    return list_price(product.variants[0], occasion, product=product, calendar=CALENDAR).amount
