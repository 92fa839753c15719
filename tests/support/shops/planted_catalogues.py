"""Random catalogues without anomalies, and anomalies to plant in them, each with its finding."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel, ChannelType
from faregate.catalogue.entries import Category, DiscountCard, Merchant
from faregate.catalogue.price_rules import CardReduction, Degression, PriceModel, PriceRule
from faregate.catalogue.products import Product, ProductType, Variant
from faregate.dates.durations import Duration
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    Conditions,
    DiscountLevel,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.tax.rates import VatRate
from faregate.translations import Text

Planted = tuple[Catalogue, str]

PLANTED = 9
"""Id of a planted discount, and of the product it is for."""

ONE, TWO, THREE = (Duration(days=n) for n in (1, 2, 3))
_LINE = DiscountLevel.LINE
_SCOPE = Scope(products=frozenset({PLANTED}))
_VARIANT = PLANTED * 10


def clean_catalogue(random: Random) -> Catalogue:
    """Return a catalogue in which longer, larger and joint purchases always cost more, or the same."""
    models = [_static, _ladder, _calendar, _stepped, _without_validity]
    products = [
        random.choice(models)(id_, 100 * random.randint(20, 90)) for id_ in range(1, random.randint(2, 4))
    ]
    channel = Channel(uuid="shop", name="Shop", type=ChannelType.WEB, currency="CHF")
    return Catalogue(
        merchants=(Merchant(identifier="lifts", timezone="Europe/Zurich", currency="CHF", territory="CH"),),
        categories=(Category(id=1, name=Text("Tickets")),),
        discount_cards=(DiscountCard(id=5, name=Text("Half-fare")),),
        channels=(channel,),
        products=tuple(products),
        automatic_discounts=(
            AutomaticDiscount(
                id=1,
                kind=Percentage.percent(random.randint(2, 20), level=_LINE),
                scope=Scope(products=frozenset({1}), discount_cards=frozenset({5})),
            ),
        ),
        promo_codes=(
            PromoCode(code="TEN", kind=Percentage.percent(10)),
            PromoCode(
                code="LESS", kind=PerUnit(random.randint(50, 300)), scope=Scope(products=frozenset({1}))
            ),
        ),
    )


def _product(id_: int, *prices: PriceRule, **fields: object) -> Product:
    """Return a product with one variant, whose id is ten times the product's."""
    variant = Variant(id=10 * id_, name="Adult", rate=VatRate.percent("8.1"), prices=prices)
    ticket = Product(
        id=id_,
        slug=f"ticket-{id_}",
        identifier=f"T{id_}",
        name=f"Ticket {id_}",
        type=ProductType.TICKET,
        category=1,
        merchant="lifts",
        variants=(variant,),
        durations=(ONE,),
    )
    return replace(ticket, **fields)  # type: ignore[arg-type]


def _static(id_: int, price: int) -> Product:
    return _product(id_, PriceRule(price))


def _ladder(id_: int, price: int) -> Product:
    rungs = [PriceRule(price * n * (50 - n) // 49, Duration(days=n)) for n in (1, 2, 3)]
    return _product(id_, *rungs, durations=(ONE, TWO, THREE))


def _calendar(id_: int, price: int) -> Product:
    weekend = PriceRule(price + 900, when=DayPattern(weekdays=frozenset({6, 7})))
    degression = Degression((1_000_000, 900_000, 850_000), increment=50)
    return _product(
        id_,
        weekend,
        PriceRule(price),
        price_model=PriceModel.CALENDAR,
        durations=(ONE, TWO, THREE),
        degression=degression,
        card_reductions=(CardReduction(5, 200_000),),
    )


def _stepped(id_: int, price: int) -> Product:
    late, early = PriceRule(price), PriceRule(price * 3 // 4, min_lead_days=14)
    return _product(
        id_,
        late,
        early,
        price_model=PriceModel.STEPPED,
        durations=(ONE, TWO),
        never_above_single_days=True,
    )


def _without_validity(id_: int, price: int) -> Product:
    return _product(id_, PriceRule(price), has_validity=False, durations=())


def _with(catalogue: Catalogue, product: Product, *discounts: AutomaticDiscount | PromoCode) -> Catalogue:
    return replace(
        catalogue,
        products=(*catalogue.products, product),
        automatic_discounts=(
            *catalogue.automatic_discounts,
            *(each for each in discounts if isinstance(each, AutomaticDiscount)),
        ),
        promo_codes=(*catalogue.promo_codes, *(each for each in discounts if isinstance(each, PromoCode))),
    )


def _automatic(kind: object, **fields: object) -> AutomaticDiscount:
    return AutomaticDiscount(**{"id": PLANTED, "kind": kind, "scope": _SCOPE, **fields})  # type: ignore[arg-type]


def split(catalogue: Catalogue, random: Random) -> Planted:
    """Plant a discount that each order gets only once."""
    price = 100 * random.randint(20, 90)
    bundle = Bundle(parts=(BundlePart(_SCOPE, 2),), price=price, at_most=1)
    spend = Conditions(thresholds=(Threshold(spend=price * random.randint(1, 4), counting=_SCOPE),))
    once = random.choice(
        [
            _automatic(Absolute(price // 4), conditions=spend),
            _automatic(Percentage.percent(30), max_amount=price // 3),
            _automatic(bundle, scope=Scope()),
        ]
    )
    return _with(catalogue, _static(PLANTED, price), once), f"split/discount-{PLANTED}"


def split_stay(catalogue: Catalogue, random: Random) -> Planted:
    """Plant a duration that costs more than its days."""
    price, days = 100 * random.randint(20, 90), random.choice([2, 3])
    rungs = PriceRule(price, ONE), PriceRule(price * days + random.randint(10, 900), Duration(days=days))
    product = _product(PLANTED, *rungs, durations=(ONE, Duration(days=days)))
    return _with(catalogue, product), f"split/variant-{_VARIANT}"


def more_days(catalogue: Catalogue, random: Random) -> Planted:
    """Plant a short ticket that costs more than a longer one."""
    price = 100 * random.randint(20, 90)
    short, long = random.choice([(Duration(seconds=14_400), ONE), (TWO, Duration(months=1))])
    rungs = PriceRule(price + random.randint(10, 900), short), PriceRule(price, long)
    return _with(
        catalogue, _product(PLANTED, *rungs, durations=(short, long))
    ), f"more-days/variant-{_VARIANT}"


def day_earlier(catalogue: Catalogue, random: Random) -> Planted:
    """Plant two days from a random weekday that cost less than the second of them alone."""
    first = random.randint(1, 7)
    begins, next_day = (DayPattern(weekdays=frozenset({day})) for day in (first, first % 7 + 1))
    low = 100 * random.randint(20, 50)
    rungs = (
        PriceRule(low, ONE, when=begins),
        PriceRule(low + 2000, ONE, when=next_day),
        PriceRule(low + 500, ONE),
        PriceRule(low + random.randint(100, 1900), TWO, when=begins),
        PriceRule(low + 2100, TWO),
    )
    product = _product(PLANTED, *rungs, durations=(ONE, TWO), price_model=PriceModel.CALENDAR)
    return _with(catalogue, product), f"day-earlier/variant-{_VARIANT}"


def one_more(catalogue: Catalogue, random: Random) -> Planted:
    """Plant a group price from which the last unit of a group brings more than its price."""
    price, units = 100 * random.randint(20, 90), random.randint(3, 12)
    enough = Conditions(thresholds=(Threshold(quantity=units, counting=_SCOPE),))
    kind = random.choice([PerUnit(price // units + 100), Percentage.percent(-(-120 // units), level=_LINE)])
    discount = _automatic(kind, conditions=enough)
    return _with(catalogue, _static(PLANTED, price), discount), f"one-more/discount-{PLANTED}"


def dearer_code(catalogue: Catalogue, random: Random) -> Planted:
    """Plant an exclusive code that takes off less than the code it excludes."""
    weak = PromoCode(code="WEAK", kind=Percentage.percent(random.randint(1, 5)), scope=_SCOPE, exclusive=True)
    strong = PromoCode(code="STRONG", kind=Percentage.percent(random.randint(15, 50)), scope=_SCOPE)
    return _with(catalogue, _static(PLANTED, 100 * random.randint(20, 90)), weak, strong), "code/WEAK"


def unreachable_price(catalogue: Catalogue, random: Random) -> Planted:
    """Plant a price that a cheaper, a more specific or an earlier one always replaces."""
    price = 100 * random.randint(20, 90)
    workdays, weekend = (DayPattern(weekdays=frozenset(days)) for days in ({1, 2, 3, 4, 5}, {6, 7}))
    one_day = DayPattern(weekdays=frozenset({random.randint(1, 5)}))
    closed = BookingRules(closed=(weekend,))
    cheaper_rung = _product(
        PLANTED, PriceRule(price, TWO), PriceRule(price - 100, THREE), durations=(TWO, THREE)
    )
    rules, booking, rule = random.choice(
        [
            ([PriceRule(price, when=workdays), PriceRule(price, when=one_day), PriceRule(price)], None, 2),
            ([PriceRule(price, when=workdays), PriceRule(price, when=weekend), PriceRule(price)], None, 3),
            ([PriceRule(price, when=weekend), PriceRule(price)], closed, 1),
            ([], None, 1),
        ]
    )
    dated = _product(PLANTED, *rules, price_model=PriceModel.CALENDAR, booking=booking or BookingRules())
    product = dated if rules else cheaper_rung
    return _with(catalogue, product), f"unreachable/price-{_VARIANT}-{rule}"


def unreachable_discount(catalogue: Catalogue, random: Random) -> Planted:
    """Plant a discount that a better one always replaces, or that is for tickets that are not sold."""
    weak = _automatic(Percentage.percent(2, level=_LINE))
    better = replace(weak, id=PLANTED + 1, kind=Percentage.percent(30, level=_LINE))
    soon = BookingRules(max_lead_days=10)
    early = _automatic(weak.kind, scope=replace(_SCOPE, min_lead_days=30))
    product = _static(PLANTED, 100 * random.randint(20, 90))
    sold, discounts = random.choice(
        [
            (product, (weak, better)),
            (replace(product, booking=soon), (early,)),
            (replace(product, discountable=False), (weak,)),
        ]
    )
    return _with(catalogue, sold, *discounts), f"unreachable/discount-{PLANTED}"


def unreachable_code(catalogue: Catalogue, random: Random) -> Planted:
    """Plant a code for tickets that are not sold, or that leaves nothing to take off."""
    product = _static(PLANTED, 5000)
    full = replace(product.variants[0], floor_price=5000)
    closed = BookingRules(closed=(DayPattern(weekdays=frozenset({2})),))
    on_tuesdays = replace(_SCOPE, weekdays=frozenset({2}))
    sold, scope = random.choice(
        [
            (replace(product, discountable=False), _SCOPE),
            (replace(product, variants=(full,)), _SCOPE),
            (replace(product, booking=closed), on_tuesdays),
        ]
    )
    code = PromoCode(code="NEVER", kind=Percentage.percent(10), scope=scope)
    return _with(catalogue, sold, code), "unreachable/code-NEVER"


PLANTS: tuple[Callable[[Catalogue, Random], Planted], ...] = (
    split,
    split_stay,
    more_days,
    day_earlier,
    one_more,
    dearer_code,
    unreachable_price,
    unreachable_discount,
    unreachable_code,
)
