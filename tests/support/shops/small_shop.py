"""A shop with one of everything, small enough to calculate every price by hand; and a larger resort."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel, ChannelType
from faregate.catalogue.entries import Category, DiscountCard, Merchant
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import (
    Attribute,
    Medium,
    MediumIntent,
    PriceComponent,
    Product,
    ProductType,
    Surcharge,
    Variant,
)
from faregate.dates.durations import Duration
from faregate.dates.instants import Interval, parse_interval
from faregate.discounts.kinds import Percentage, PromoCode
from faregate.subscriptions.rules import Yearly
from faregate.subscriptions.terms import SubscriptionTerms
from faregate.tax.rates import VatRate
from faregate.translations import Text

UNTAXED = VatRate(parts_per_million=0)
VAT = VatRate(parts_per_million=81_000)
REDUCED = VatRate(parts_per_million=26_000)

ZURICH = ZoneInfo("Europe/Zurich")
NOW = datetime(2026, 12, 21, 9, 0, tzinfo=ZURICH)  # a Monday

ADULT, CHILD, LUNCH, INSURANCE, SEASON_PASS, KEYCARD, RENTAL = 101, 102, 201, 301, 401, 901, 501
HALF_FARE = 5


def lines(*unit_prices: int, rate: VatRate = UNTAXED) -> list[Line]:
    """Return lines of one unit, with keys from 1."""
    return [Line(key, price, 1, rate) for key, price in enumerate(unit_prices, start=1)]


def days(first: str, last: str) -> Interval:
    """Return a validity between local dates, both included."""
    return parse_interval(first, last, ZURICH)


DAY_TICKET = Product(
    id=11,
    slug="day-ticket",
    identifier="DAY_TICKET",
    name="Day ticket",
    type=ProductType.TICKET,
    category=1,
    merchant="lifts",
    durations=(Duration(days=1), Duration(days=3)),
    media=(1,),
    variants=(
        Variant(
            id=ADULT,
            name="Adult",
            rate=VAT,
            prices=(
                PriceRule(8000, Duration(days=1)),
                PriceRule(21000, Duration(days=3)),
                PriceRule(4000, Duration(days=1), discount_card=HALF_FARE),
            ),
            attributes=(
                Attribute(identifier="age", value="adult", name=Text("Age"), translation=Text("Adult")),
            ),
            is_standard=True,
        ),
        Variant(id=CHILD, name="Child", rate=VAT, prices=(PriceRule(4000),), floor_price=3000),
    ),
)
LUNCH_VOUCHER = Product(
    id=21,
    slug="lunch",
    identifier="LUNCH",
    name="Lunch",
    type=ProductType.SERVICE,
    category=2,
    merchant="lifts",
    has_validity=False,
    variants=(Variant(id=LUNCH, name="Lunch", rate=REDUCED, prices=(PriceRule(1500),)),),
)
RESCUE_INSURANCE = Product(
    id=31,
    slug="insurance",
    identifier="INSURANCE",
    name="Rescue insurance",
    type=ProductType.SERVICE,
    category=2,
    merchant="lifts",
    has_validity=False,
    standalone=False,
    discountable=False,
    variants=(Variant(id=INSURANCE, name="Insurance", rate=UNTAXED, prices=(PriceRule(500),)),),
)
SEASON = Product(
    id=41,
    slug="season-pass",
    identifier="SEASON_PASS",
    name="Season pass",
    type=ProductType.PASS,
    category=1,
    merchant="lifts",
    has_validity=False,
    subscription=SubscriptionTerms(rule=Yearly()),
    variants=(Variant(id=SEASON_PASS, name="Season pass", rate=VAT, prices=(PriceRule(60000),)),),
)
CARD_FEE = Product(
    id=91,
    slug="keycard",
    identifier="KEYCARD",
    name="Keycard",
    type=ProductType.FEE,
    category=2,
    merchant="lifts",
    has_validity=False,
    variants=(Variant(id=KEYCARD, name="Keycard", rate=VAT, prices=(PriceRule(500),)),),
)
SKI_RENTAL = Product(
    id=51,
    slug="ski-rental",
    identifier="SKI_RENTAL",
    name="Ski rental",
    type=ProductType.SERVICE,
    category=2,
    merchant="hire",
    has_validity=False,
    variants=(Variant(id=RENTAL, name="Skis", rate=VAT, prices=(PriceRule(3000),)),),
)

WEB = Channel(uuid="web", name="Web shop", type=ChannelType.WEB, currency="CHF")
DESK = Channel(
    uuid="desk", name="Ticket desk", type=ChannelType.POS, currency="CHF", products=frozenset({11, 41})
)

SHOP = Catalogue(
    merchants=(
        Merchant("lifts", timezone="Europe/Zurich", currency="CHF"),
        Merchant("hire", timezone="Europe/Berlin", currency="EUR"),
    ),
    categories=(Category(1, Text("Lifts")), Category(2, Text("Extras"))),
    discount_cards=(DiscountCard(HALF_FARE, Text("Half-fare card")),),
    products=(DAY_TICKET, LUNCH_VOUCHER, RESCUE_INSURANCE, SEASON, CARD_FEE, SKI_RENTAL),
    media=(
        Medium(
            id=1,
            type="KEYCARD",
            name=Text("Keycard"),
            price_components=(PriceComponent(variant=KEYCARD, price=500, intent=MediumIntent.DEPOSIT),),
        ),
    ),
    channels=(WEB, DESK),
    promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),),
    vouchers=(Voucher(code="GIFT", balance=2000),),
)

TOUR, LOCKER, CLEANING, RAIN_COVER, SNOW_COVER, PHOTO_CARD, POSTAGE = 601, 701, 801, 902, 903, 904, 905
ON_KEYCARD, ON_PHOTO_CARD, ON_PHONE = 1, 2, 3

GUIDED_TOUR = Product(
    id=61,
    slug="guided-tour",
    identifier="GUIDED_TOUR",
    name="Guided tour",
    type=ProductType.TICKET,
    category=1,
    merchant="lifts",
    durations=(Duration(days=1), Duration(seconds=4 * 3600)),
    media=(ON_KEYCARD, ON_PHOTO_CARD, ON_PHONE),
    is_max_one_ticket_per_person=True,
    weather_guarantee=(Surcharge(RAIN_COVER, 300), Surcharge(SNOW_COVER, 200)),
    variants=(Variant(id=TOUR, name="Seat", rate=REDUCED, prices=(PriceRule(6000),)),),
)
LOCKER_PASS = Product(
    id=71,
    slug="locker",
    identifier="LOCKER",
    name="Locker",
    type=ProductType.SERVICE,
    category=2,
    merchant="lifts",
    has_validity=False,
    is_unique_item=True,
    variants=(
        Variant(id=LOCKER, name="Locker", rate=VAT, prices=(PriceRule(1000),)),
        Variant(id=LOCKER + 1, name="Large locker", rate=VAT, prices=(PriceRule(1500),)),
    ),
)
FINAL_CLEANING = Product(
    id=81,
    slug="cleaning",
    identifier="CLEANING",
    name="Final cleaning",
    type=ProductType.SERVICE,
    category=2,
    merchant="lifts",
    has_validity=False,
    is_deletable=False,
    variants=(Variant(id=CLEANING, name="Cleaning", rate=VAT, prices=(PriceRule(9000),)),),
)
OTHER_FEES = Product(
    id=92,
    slug="fees",
    identifier="FEES",
    name="Fees",
    type=ProductType.FEE,
    category=2,
    merchant="lifts",
    has_validity=False,
    # Other prices of the components.
    variants=(
        Variant(id=RAIN_COVER, name="Rain cover", rate=UNTAXED, prices=(PriceRule(1),)),
        Variant(id=SNOW_COVER, name="Snow cover", rate=REDUCED, prices=(PriceRule(2),)),
        Variant(id=PHOTO_CARD, name="Photo card", rate=VAT, prices=(PriceRule(3),)),
        Variant(id=POSTAGE, name="Postage", rate=VAT, prices=(PriceRule(4),)),
    ),
)

KIOSK = Channel(
    uuid="kiosk",
    name="Kiosk",
    type=ChannelType.POS,
    currency="CHF",
    can_use_promo_codes=False,
    can_use_vouchers=False,
)

RESORT = replace(
    SHOP,
    products=(*SHOP.products, GUIDED_TOUR, LOCKER_PASS, FINAL_CLEANING, OTHER_FEES),
    media=(
        *SHOP.media,
        Medium(
            id=ON_PHOTO_CARD,
            type="PHOTO_CARD",
            name=Text("Card with photo, by post"),
            price_components=(
                PriceComponent(variant=PHOTO_CARD, price=700, intent=MediumIntent.DEPOSIT),
                PriceComponent(variant=POSTAGE, price=250, intent=MediumIntent.SENDING_FEE),
            ),
        ),
        Medium(id=ON_PHONE, type="PHONE", name=Text("Phone")),
    ),
    channels=(*SHOP.channels, KIOSK),
)


def without(catalogue: Catalogue, *products: Product) -> Catalogue:
    """Return a catalogue without *products*."""
    return replace(catalogue, products=tuple([kept for kept in catalogue.products if kept not in products]))


def without_media(catalogue: Catalogue) -> Catalogue:
    """Return a catalogue whose tickets have no media."""
    products = [replace(product, media=()) for product in catalogue.products]
    return replace(catalogue, products=tuple(products), media=())


def dearer(catalogue: Catalogue) -> Catalogue:
    """Return a catalogue with doubled prices and without VAT."""
    return replace(catalogue, products=tuple([_dearer(product) for product in catalogue.products]))


def _dearer(product: Product) -> Product:
    variants = [
        replace(
            variant,
            rate=UNTAXED,
            prices=tuple([replace(price, amount=2 * price.amount) for price in variant.prices]),
        )
        for variant in product.variants
    ]
    surcharges = [replace(surcharge, price=2 * surcharge.price) for surcharge in product.weather_guarantee]
    return replace(product, variants=tuple(variants), weather_guarantee=tuple(surcharges))
