"""A catalogue that uses every option for days, capacity, prices and pages, as a file and as values."""

from datetime import UTC, date, datetime, time

from faregate.catalogue.booking_rules import BookingRules, CutOff, StayRule
from faregate.catalogue.calendars import Calendar, DayPattern, EasterDay, Holiday, MonthDay, Season, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Category, DiscountCard, Merchant
from faregate.catalogue.gate_rules import AccessTariff
from faregate.catalogue.pools import Blocked, Counting, Pool, PoolSize, PoolUse, TimeSlot
from faregate.catalogue.presentation.content import (
    Banner,
    CallToAction,
    CtaColor,
    CtaVariant,
    Hotspot,
    Image,
    ProductContent,
    Tag,
)
from faregate.catalogue.price_rules import CardReduction, Degression, PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import Product, ProductType, Variant
from faregate.dates.durations import Duration
from faregate.tax.rates import VatRate
from faregate.translations import Text

BOOKABLE = """\
currency: CHF
merchants: [{identifier: lifts, timezone: Europe/Zurich, territory: CH}]
categories:
  - {id: 3, name: Tickets, description: {en: For lifts, de: Für Bahnen}, sortOrder: -1, tags: [ski, hike]}
discountCards: [{id: 4, name: Half-fare card}, {id: 5, name: Guest card}]
seasons:
  - {identifier: winter, name: {en: Winter, fr: Hiver}, spans: [{from: "12-01", to: "04-30"}]}
  - identifier: events
    spans:
      - {from: easter-2, to: easter}
      - {from: 2027-02-01, to: 2027-02-14}
      - "02-29"
      - 2027-08-01
      - easter+39
holidays:
  - {on: "12-25", name: {en: Christmas, de: Weihnachten}}
  - {on: easter+1}
  - {on: 2026-08-01}
pools:
  - identifier: mountain
    name: {en: Mountain, it: Montagna}
    size: 2000
    sizes:
      - {size: unlimited, when: {seasons: [events], weekdays: [1, 7], dates: ["01-01"], holidays: true}}
      - {size: 0, when: {holidays: false}}
      - {size: 5}
    blocked:
      - {units: 12, when: {dates: [{from: easter-2, to: easter+1}]}}
      - {units: 0}
  - {identifier: sledge_run, size: 40, slots: [{from: "10:00", to: "12:30"}, {from: "23:00", to: "00:00"}]}
  - {identifier: car park, size: unlimited}
products:
  - id: 11
    slug: saver-ticket
    identifier: SAVER
    name: Saver ticket
    type: TICKET
    category: 3
    merchant: lifts
    priceModel: STEPPED
    durations: [P1D, P2D]
    pools:
      - {pool: mountain}
      - {pool: sledge_run, counting: FIRST_DAY}
      - {pool: car park, counting: NONE}
    soldPool: mountain
    degression: {percent: [100, 87.5, 0], increment: 0.50}
    cardReductions: [{discountCard: 4, percent: 20.5, increment: 1}, {discountCard: 5, percent: 100}]
    booking:
      seasons: [winter, events]
      closed: [{weekdays: [1], holidays: false}, {dates: ["11-01"]}]
      stays:
        - {when: {seasons: [winter]}, startWeekdays: [6, 7], minDays: 2, maxDays: 2}
        - {}
      startTimes: ["09:00", "13:30"]
      saleStarts: 2026-08-01T12:00:00+02:00
      saleEnds: 2099-01-01T00:00:00Z
      minLeadDays: 1
      maxLeadDays: 180
      cutOff: {at: "17:30", daysBefore: 1}
    content:
      title: {en: Saver ticket, de: Sparticket}
      caption: Cheap
      shortDescription: Cheaper
      description: |
        The earlier,
        the cheaper.
      images:
        - imageUrl: /images/saver.jpg
          altText: {en: A peak, it: Una vetta}
          lqip: data:image/png;base64,iVBORw0KGgo=
          hotspot: {x: 0.5, y: 1, width: 0, height: 0.125}
        - {imageUrl: https://images.example/b.jpg}
      tags: [{caption: New, description: Since today, icon: star}, {caption: Cheap}]
      seoTitle: Saver
      seoDescription: {en: Save, de: Sparen}
      seoKeywords: [ski, {en: snow, de: Schnee}]
      seoImages: [{imageUrl: /images/seo.jpg}]
      banner:
        text: Book early
        color: yellow
        icon: clock
        cta: {title: How, color: primary, variant: button, product: {slug: run}, newTab: true}
    productVariants:
      - id: 101
        name: Adult
        vatRate: 8.1
        uses: {mountain: 4, car park: 0}
        accessTariffs: [&dear {isDepot: false, prices: [{amount: 80}], steps: {step: 3, every: 20}}]
        steps: {step: 2.05, every: 100, floor: 49, ceiling: 99.5, ratchet: true}
        prices:
          - {amount: 69}
          - amount: 59.5
            duration: P2D
            discountCard: 4
            when: {weekdays: [6]}
            minLeadDays: 14
            minSold: 500
      - {id: 102, name: Child, vatRate: 8.1, prices: [{amount: 30}], steps: {}, accessTariffs: [*dear]}
  - id: 12
    slug: run
    identifier: RUN
    name: Run
    type: TICKET
    category: 3
    merchant: lifts
    priceModel: CALENDAR
    durations: [PT2H]
    degression: {percent: [100]}
    booking: {cutOff: {minutesBefore: 15}}
    content: {banner: {text: Snow, cta: {title: News, page: {slug: news}}}}
    productVariants: [{id: 121, name: Sledge, vatRate: 8.1, prices: [{amount: 9}]}]
  - id: 13
    slug: photo
    identifier: PHOTO
    name: Photo
    type: SERVICE
    category: 3
    merchant: lifts
    hasValidity: false
    content: {banner: {text: Smile, cta: {title: Album, link: "https://photos.example/?a=1#b"}}}
    productVariants: [{id: 131, name: Photo, vatRate: 8.1, prices: [{amount: 5}]}]
"""

_WINTER = Season(
    identifier="winter",
    name=Text("Winter", fr="Hiver"),
    spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),),
)
_EVENTS = Season(
    identifier="events",
    spans=(
        Span(EasterDay(-2), EasterDay(0)),
        Span(date(2027, 2, 1), date(2027, 2, 14)),
        Span(MonthDay(2, 29), MonthDay(2, 29)),
        Span(date(2027, 8, 1), date(2027, 8, 1)),
        Span(EasterDay(39), EasterDay(39)),
    ),
)
_CONTENT = ProductContent(
    title=Text("Saver ticket", de="Sparticket"),
    caption=Text("Cheap"),
    short_description=Text("Cheaper"),
    description=Text("The earlier,\nthe cheaper."),
    images=(
        Image(
            image_url="/images/saver.jpg",
            alt_text=Text("A peak", it="Una vetta"),
            lqip="data:image/png;base64,iVBORw0KGgo=",
            hotspot=Hotspot(x=0.5, y=1.0, width=0.0, height=0.125),
        ),
        Image("https://images.example/b.jpg"),
    ),
    tags=(Tag(caption=Text("New"), description=Text("Since today"), icon="star"), Tag(caption=Text("Cheap"))),
    seo_title=Text("Saver"),
    seo_description=Text("Save", de="Sparen"),
    seo_keywords=(Text("ski"), Text("snow", de="Schnee")),
    seo_images=(Image("/images/seo.jpg"),),
    banner=Banner(
        text=Text("Book early"),
        color="yellow",
        icon="clock",
        cta=CallToAction(
            title=Text("How"),
            color=CtaColor.PRIMARY,
            variant=CtaVariant.BUTTON,
            product="run",
            new_tab=True,
        ),
    ),
)
_DEAR = AccessTariff((PriceRule(8000),), is_depot=False, steps=PriceSteps(step=300, every=20))
_SAVER_TICKET = Product(
    id=11,
    slug="saver-ticket",
    identifier="SAVER",
    name="Saver ticket",
    translation=Text("Saver ticket"),
    type=ProductType.TICKET,
    category=3,
    merchant="lifts",
    price_model=PriceModel.STEPPED,
    durations=(Duration(days=1), Duration(days=2)),
    pools=(
        PoolUse("mountain", Counting.EACH_DAY),
        PoolUse("sledge_run", Counting.FIRST_DAY),
        PoolUse("car park", Counting.NONE),
    ),
    sold_pool="mountain",
    degression=Degression((1_000_000, 875_000, 0), increment=50),
    card_reductions=(CardReduction(4, 205_000, increment=100), CardReduction(5, 1_000_000, increment=1)),
    booking=BookingRules(
        seasons=("winter", "events"),
        closed=(
            DayPattern(weekdays=frozenset({1}), is_holiday=False),
            DayPattern(dates=(Span(MonthDay(11, 1), MonthDay(11, 1)),)),
        ),
        stays=(
            StayRule(
                DayPattern(frozenset({"winter"})), start_weekdays=frozenset({6, 7}), min_days=2, max_days=2
            ),
            StayRule(),
        ),
        start_times=(time(9), time(13, 30)),
        sale_starts=datetime(2026, 8, 1, 10, tzinfo=UTC),
        sale_ends=datetime(2099, 1, 1, tzinfo=UTC),
        min_lead_days=1,
        max_lead_days=180,
        cut_off=CutOff(at=time(17, 30), days_before=1),
    ),
    content=_CONTENT,
    variants=(
        Variant(
            id=101,
            name="Adult",
            translation=Text("Adult"),
            rate=VatRate(parts_per_million=81_000),
            uses=(("mountain", 4), ("car park", 0)),
            access_tariffs=(_DEAR,),
            steps=PriceSteps(step=205, every=100, floor=4900, ceiling=9950, ratchet=True),
            prices=(
                PriceRule(6900),
                PriceRule(
                    amount=5950,
                    duration=Duration(days=2),
                    discount_card=4,
                    when=DayPattern(weekdays=frozenset({6})),
                    min_lead_days=14,
                    min_sold=500,
                ),
            ),
        ),
        Variant(
            id=102,
            name="Child",
            translation=Text("Child"),
            rate=VatRate(parts_per_million=81_000),
            access_tariffs=(_DEAR,),
            steps=PriceSteps(),
            prices=(PriceRule(3000),),
        ),
    ),
)
_RUN = Product(
    id=12,
    slug="run",
    identifier="RUN",
    name="Run",
    translation=Text("Run"),
    type=ProductType.TICKET,
    category=3,
    merchant="lifts",
    price_model=PriceModel.CALENDAR,
    durations=(Duration(seconds=7200),),
    degression=Degression((1_000_000,)),
    booking=BookingRules(cut_off=CutOff(minutes_before=15)),
    content=ProductContent(banner=Banner(Text("Snow"), cta=CallToAction(Text("News"), page="news"))),
    variants=(
        Variant(
            id=121,
            name="Sledge",
            translation=Text("Sledge"),
            rate=VatRate(parts_per_million=81_000),
            prices=(PriceRule(900),),
        ),
    ),
)
_PHOTO = Product(
    id=13,
    slug="photo",
    identifier="PHOTO",
    name="Photo",
    translation=Text("Photo"),
    type=ProductType.SERVICE,
    category=3,
    merchant="lifts",
    has_validity=False,
    content=ProductContent(
        banner=Banner(Text("Smile"), cta=CallToAction(Text("Album"), link="https://photos.example/?a=1#b"))
    ),
    variants=(
        Variant(
            id=131,
            name="Photo",
            translation=Text("Photo"),
            rate=VatRate(parts_per_million=81_000),
            prices=(PriceRule(500),),
        ),
    ),
)

EXPECTED = Catalogue(
    merchants=(Merchant("lifts", timezone="Europe/Zurich", currency="CHF", territory="CH"),),
    categories=(
        Category(
            3,
            Text("Tickets"),
            description=Text("For lifts", de="Für Bahnen"),
            sort_order=-1,
            tags=("ski", "hike"),
        ),
    ),
    discount_cards=(DiscountCard(4, Text("Half-fare card")), DiscountCard(5, Text("Guest card"))),
    calendar=Calendar(
        seasons=(_WINTER, _EVENTS),
        holidays=(
            Holiday(MonthDay(12, 25), Text("Christmas", de="Weihnachten")),
            Holiday(EasterDay(1)),
            Holiday(date(2026, 8, 1)),
        ),
    ),
    pools=(
        Pool(
            identifier="mountain",
            name=Text("Mountain", it="Montagna"),
            size=2000,
            sizes=(
                PoolSize(
                    None,
                    DayPattern(
                        seasons=frozenset({"events"}),
                        weekdays=frozenset({1, 7}),
                        dates=(Span(MonthDay(1, 1), MonthDay(1, 1)),),
                        is_holiday=True,
                    ),
                ),
                PoolSize(0, DayPattern(is_holiday=False)),
                PoolSize(5),
            ),
            blocked=(Blocked(12, DayPattern(dates=(Span(EasterDay(-2), EasterDay(1)),))), Blocked(0)),
        ),
        Pool(
            identifier="sledge_run",
            size=40,
            slots=(TimeSlot(time(10), time(12, 30)), TimeSlot(time(23), time(0))),
        ),
        Pool(identifier="car park", size=None),
    ),
    products=(_SAVER_TICKET, _RUN, _PHOTO),
)


def line_of(piece: str) -> int:
    """Return the line of the first such piece."""
    return BOOKABLE[: BOOKABLE.index(piece)].count("\n") + 1
