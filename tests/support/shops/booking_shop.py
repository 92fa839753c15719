"""One ticket and its limits; each test supplies the pools, seasons and rules."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.calendars import Calendar, Holiday, MonthDay, Season, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Category, DiscountCard, Merchant
from faregate.catalogue.pools import Pool, PoolUse
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Product, ProductType, Variant
from faregate.dates.durations import Duration
from faregate.tax.rates import VatRate
from faregate.translations import Text
from support.shops.small_shop import HALF_FARE

TICKET, ADULT, CHILD, FAMILY, COMBO = 11, 101, 102, 103, 104
MOUNTAIN, PARK = "mtn", "park"
DAY, THREE_DAYS, MONTH, FOUR_HOURS = map(Duration.parse, ("P1D", "P3D", "P1M", "PT4H"))

ZURICH = ZoneInfo("Europe/Zurich")
# Over the new year, like most winter seasons.
WINTER = Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),))
SUMMER = Season(identifier="summer", spans=(Span(MonthDay(6, 15), MonthDay(9, 30)),))


def at(text: str, zone: ZoneInfo = ZURICH) -> datetime:
    """Return the instant in *text*, in *zone* if it has no offset."""
    instant = datetime.fromisoformat(text)
    return instant.replace(tzinfo=zone) if instant.tzinfo is None else instant.astimezone(zone)


def variant(
    variant_id: int = ADULT,
    *prices: PriceRule,
    uses: Sequence[tuple[str, int]] = (),
    is_standard: bool = False,
) -> Variant:
    """Return a variant, at 80.00 unless *prices* are given."""
    return Variant(
        id=variant_id,
        name=f"variant {variant_id}",
        rate=VatRate(parts_per_million=81_000),
        prices=prices or (PriceRule(8000),),
        uses=tuple(uses),
        is_standard=is_standard,
    )


def ticket(
    *variants: Variant,
    product_id: int = TICKET,
    durations: Sequence[Duration] = (DAY,),
    pools: Sequence[PoolUse] = (),
    booking: BookingRules = BookingRules(),
    price_model: PriceModel = PriceModel.STATIC,
    sold_pool: str | None = None,
) -> Product:
    """Return a ticket for one day, for an adult unless *variants* are given."""
    return Product(
        id=product_id,
        slug=f"ticket-{product_id}",
        identifier=f"TICKET_{product_id}",
        name="Ticket",
        type=ProductType.TICKET,
        category=1,
        merchant="lifts",
        variants=variants or (variant(),),
        durations=tuple(durations),
        pools=tuple(pools),
        booking=booking,
        price_model=price_model,
        sold_pool=sold_pool,
    )


def shop(
    *products: Product,
    pools: Sequence[Pool] = (),
    seasons: Sequence[Season] = (WINTER, SUMMER),
    holidays: Sequence[Holiday] = (),
    timezone: str = "Europe/Zurich",
) -> Catalogue:
    """Return a catalogue of one merchant with *products*."""
    return Catalogue(
        merchants=(Merchant("lifts", timezone=timezone, currency="CHF"),),
        categories=(Category(1, Text("Tickets")),),
        discount_cards=(DiscountCard(HALF_FARE, Text("Half-fare card")),),
        products=products,
        pools=tuple(pools),
        calendar=Calendar(seasons=tuple(seasons), holidays=tuple(holidays)),
    )
