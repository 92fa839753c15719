"""A list price is what the rules say when they are read one by one. Decisions §8.5, §9."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from operator import add

from hypothesis import assume, given
from hypothesis import strategies as st

from faregate.catalogue.calendars import Calendar, Days, EasterDay, Holiday, MonthDay, Season, Span
from faregate.catalogue.catalogue import PriceModel, PriceRule, Product, ProductType, Variant
from faregate.catalogue.pools import PoolSlot, Taken
from faregate.catalogue.price_rules import CardReduction, Degression, PriceSteps
from faregate.dates.instants import Duration
from faregate.errors import UnknownEntry
from faregate.list_prices.price import ListPrice, Occasion, list_price
from faregate.money.amounts import MILLION
from faregate.tax.rates import VatRate
from laws.pricing_oracle import DAY, Reader, half_up

CARDS = (5, 6)
PISTE = "piste"
LEADS, COUNTS = (0, 0, 1, 3, 7), (0, 0, 2, 5, 10)  # where rules begin
FIRST = date(2027, 1, 28)  # a Thursday; carnival is from 4 to 9 February
CALENDAR = Calendar(
    seasons=(
        Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),)),
        Season(identifier="carnival", spans=(Span(EasterDay(-52), EasterDay(-47)),)),
    ),
    holidays=(Holiday(date(2027, 2, 2)), Holiday(EasterDay(-48))),
)

# ---------------------------------------------------------------- products and occasions

_amounts = st.one_of(st.integers(0, 20), st.integers(0, 12_000))
_lengths = [Duration.parse(text) for text in ("P1D", "P2D", "P3D", "P6D", "PT4H", "P1DT2H", "P1M")]
_durations = st.sampled_from(_lengths)
_sets = st.builds(
    Days,
    seasons=st.sampled_from([frozenset[str]()] * 3 + [frozenset({"winter"}), frozenset({"carnival"})]),
    weekdays=st.sampled_from([frozenset[int]()] * 3 + [frozenset({5, 6, 7}), frozenset({4, 5})]),
    dates=st.sampled_from(
        [(), (), (), (Span(FIRST, FIRST + 2 * DAY),), (Span(MonthDay(2, 1), MonthDay(2, 28)),)]
    ),
    is_holiday=st.sampled_from((None, None, None, False, True)),
)
_rules = st.builds(
    PriceRule,
    amount=_amounts,
    duration=st.one_of(st.none(), st.none(), _durations),
    discount_card=st.sampled_from((None, None, *CARDS)),
    when=st.just(Days()) | _sets,
    min_lead_days=st.sampled_from(LEADS),
    min_sold=st.sampled_from(COUNTS),
)
_steps = st.builds(
    PriceSteps,
    step=st.sampled_from((0, 1, 250)),
    every=st.integers(1, 4),
    floor=st.sampled_from((0, 0, 7, 4000)),
    ceiling=st.sampled_from((None, None, 4000, 9000)),
    ratchet=st.booleans(),
)
_factors = st.sampled_from((MILLION, 900_000, 333_333, 0)) | st.integers(0, MILLION)
_increments = st.sampled_from((1, 1, 5, 100))
_degressions = st.builds(Degression, st.lists(_factors, min_size=1, max_size=4).map(tuple), _increments)
_reductions = st.builds(
    CardReduction,
    st.sampled_from(CARDS),
    st.sampled_from((500_000, MILLION)) | st.integers(1, MILLION),
    _increments,
)
_ordinary = st.builds(PriceRule, _amounts)
price_lists = st.lists(_rules, min_size=1, max_size=8) | st.builds(
    lambda rules, rest: [*rules, rest], st.lists(_rules, max_size=8), _ordinary
)


def a_product(
    model: PriceModel,
    prices: Sequence[PriceRule],
    *,
    steps: PriceSteps | None = None,
    degression: Degression | None = None,
    reductions: Sequence[CardReduction] = (),
) -> Product:
    return Product(
        id=1,
        slug="ticket",
        identifier="TICKET",
        name="Ticket",
        type=ProductType.TICKET,
        category=1,
        merchant="lifts",
        variants=(
            Variant(id=1, name="Adult", rate=VatRate(parts_per_million=0), prices=tuple(prices), steps=steps),
        ),
        price_model=model,
        sold_pool=PISTE,
        degression=degression,
        card_reductions=tuple(reductions),
    )


products = st.builds(
    a_product,
    st.sampled_from(PriceModel),
    price_lists,
    steps=st.none() | _steps,
    degression=st.none() | _degressions,
    reductions=st.lists(_reductions, max_size=2),
)
occasions = st.builds(
    lambda duration, offset, ahead, card: Occasion(
        duration,
        None if offset is None else FIRST + offset * DAY,
        None if offset is None or ahead is None else FIRST + (offset - ahead) * DAY,
        card,
    ),
    st.none() | _durations,
    st.one_of(st.integers(0, 13), st.integers(0, 13), st.none()),
    st.one_of(st.integers(0, 9), st.none()),
    st.sampled_from((None, *CARDS, 7)),
)
sold_places = st.lists(st.integers(0, 12), min_size=20, max_size=20)
dated = st.builds(Occasion, st.just(Duration(days=1)), st.integers(0, 13).map(lambda n: FIRST + n * DAY))


DATES = [FIRST + n * DAY for n in range(20)]


def sold_by_day(sold: Sequence[int]) -> dict[date, int]:
    return dict(zip(DATES, sold, strict=False))


def priced(product: Product, occasion: Occasion, sold: Sequence[int] = ()) -> ListPrice:
    """The price with so many places sold of the first, second … day from ``FIRST``."""
    capacity = {PoolSlot(PISTE, day): Taken(number, held=3) for day, number in sold_by_day(sold).items()}
    return list_price(product.variants[0], occasion, product=product, calendar=CALENDAR, capacity=capacity)


def amount_of(product: Product, occasion: Occasion, sold: Sequence[int] = ()) -> int | None:
    try:
        return priced(product, occasion, sold).amount
    except UnknownEntry:
        return None


@given(products, occasions, sold_places)
def test_a_price_is_what_reading_every_rule_gives(
    product: Product, occasion: Occasion, sold: list[int]
) -> None:
    reader = Reader(product, occasion, calendar=CALENDAR, sold=sold_by_day(sold))

    assert amount_of(product, occasion, sold) == reader.amount()


@given(products, st.lists(occasions, min_size=2, max_size=6), sold_places)
def test_a_price_does_not_depend_on_what_was_asked_before(
    product: Product, asked: list[Occasion], sold: list[int]
) -> None:
    first = [amount_of(product, occasion, sold) for occasion in asked]

    assert [amount_of(product, occasion, sold) for occasion in reversed(asked)] == first[::-1]
    for occasion, amount in zip(asked, first, strict=True):
        anew = replace(product, variants=(replace(product.variants[0]),))
        assert amount_of(anew, occasion, sold) == amount


@given(products, occasions, sold_places)
def test_the_steps_of_a_trace_add_up_to_the_price(
    product: Product, occasion: Occasion, sold: list[int]
) -> None:
    assume(amount_of(product, occasion, sold) is not None)
    price = priced(product, occasion, sold)

    assert price.trace().amount("list_price") == price.amount
    assert price.trace().figures() == (("list_price", None),)
    assert price.amount >= 0


# ---------------------------------------------------------------- lengths


rungs = st.lists(
    st.builds(PriceRule, _amounts, st.integers(1, 12).map(lambda days: Duration(days=days))),
    min_size=1,
    max_size=6,
)


@given(rungs, st.sampled_from(PriceModel), st.integers(1, 12))
def test_a_longer_validity_on_a_ladder_never_costs_less(
    ladder: list[PriceRule], model: PriceModel, days: int
) -> None:
    product = a_product(model, ladder)
    longest = max(rung.duration.days for rung in ladder if rung.duration)

    prices = [amount_of(product, Occasion(Duration(days=n), FIRST)) for n in range(1, longest + 2)]

    assert prices.pop() is None
    known = [price for price in prices if price is not None]
    assert len(known) == longest
    assert known == sorted(known)
    assert set(known) <= {rung.amount for rung in ladder}


@given(
    st.lists(_amounts, min_size=7, max_size=7),
    _degressions,
    st.integers(1, 9),
    st.integers(0, 13),
)
def test_the_days_of_a_validity_are_weighted_added_and_rounded_once(
    week: list[int], degression: Degression, count: int, offset: int
) -> None:
    prices = [PriceRule(price, when=Days(weekdays=frozenset({n}))) for n, price in enumerate(week, start=1)]
    product = a_product(PriceModel.CALENDAR, prices, degression=degression)
    first = FIRST + offset * DAY

    factors = [*degression.factors, *[degression.factors[-1]] * count]
    weighted = sum(week[(first + n * DAY).weekday()] * factors[n] for n in range(count))
    exact = Fraction(weighted, MILLION)
    price = priced(product, Occasion(Duration(days=count), first)).amount
    assert price == half_up(exact, degression.increment)
    assert abs(price - exact) <= Fraction(degression.increment, 2)


# ---------------------------------------------------------------- which rule applies


def ever_more_specific(day: date) -> list[Days]:
    """Sets that hold *day*: for all days, for weekdays, seasons, holidays or not, and dates."""
    return [
        Days(),
        Days(weekdays=frozenset({day.isoweekday()})),
        Days(seasons=frozenset({"winter"})),
        Days(is_holiday=CALENDAR.is_holiday(day)),
        Days(dates=(Span(day, day + DAY),)),
    ]


@given(
    st.sampled_from((PriceModel.CALENDAR, PriceModel.STEPPED)),
    st.lists(st.tuples(st.integers(0, 3), _amounts, st.sampled_from(COUNTS)), max_size=6),
    st.integers(0, 6),
    dated,
    sold_places,
)
def test_a_more_specific_rule_wins_wherever_it_stands(
    model: PriceModel, others: list[tuple[int, int, int]], place: int, occasion: Occasion, sold: list[int]
) -> None:
    assert occasion.first_day is not None
    sets = ever_more_specific(occasion.first_day)
    prices = [PriceRule(price, when=sets[level], min_sold=begin) for level, price, begin in others]

    most = max((level for level, _, _ in others), default=0) + 1
    prices.insert(place, PriceRule(99_999, when=sets[most]))
    assert amount_of(a_product(model, prices), occasion, sold) == 99_999


@given(products, occasions, occasions)
def test_a_static_price_is_the_same_on_every_day(product: Product, one: Occasion, other: Occasion) -> None:
    static = replace(product, price_model=PriceModel.STATIC)

    elsewhere = other._replace(duration=one.duration, discount_card=one.discount_card)
    assert amount_of(static, one) == amount_of(static, elsewhere)


# ---------------------------------------------------------------- discount cards


@given(products, occasions, sold_places, _reductions)
def test_a_reduction_is_taken_once_off_the_ordinary_price(
    product: Product, occasion: Occasion, sold: list[int], reduction: CardReduction
) -> None:
    everybodys = [rule._replace(discount_card=None) for rule in product.variants[0].prices]
    product = a_product(
        product.price_model,
        everybodys,
        steps=product.variants[0].steps,
        degression=product.degression,
        reductions=[reduction],
    )
    base = amount_of(product, occasion._replace(discount_card=None), sold)
    paid = amount_of(product, occasion._replace(discount_card=reduction.discount_card), sold)

    if base is None or paid is None:
        assert base is paid
    else:
        exact = Fraction(base * (MILLION - reduction.parts_per_million), MILLION)
        assert 0 <= paid <= base
        assert paid == min(base, half_up(exact, reduction.increment))


# ---------------------------------------------------------------- steps and ratchet

day_rules = _rules.map(lambda rule: rule._replace(duration=None))
ordinary_rules = day_rules.map(lambda rule: rule._replace(discount_card=None))
lists_of = {
    kind: st.lists(rules, min_size=1, max_size=8)
    for kind, rules in (("ordinary", ordinary_rules), ("with cards", day_rules))
}


@given(lists_of["with cards"], _steps, occasions, sold_places)
def test_every_day_price_is_between_floor_and_ceiling(
    rules: list[PriceRule], steps: PriceSteps, occasion: Occasion, sold: list[int]
) -> None:
    product = a_product(PriceModel.STEPPED, rules, steps=steps)
    assume(steps.floor <= (steps.ceiling or 9000) and amount_of(product, occasion, sold) is not None)

    for day in priced(product, occasion, sold).days:
        assert steps.floor <= day.amount <= (day.amount if steps.ceiling is None else steps.ceiling)
        assert day.amount == day.rule.amount + day.rise + day.limit + day.kept


@given(lists_of["ordinary"], _steps, dated, st.integers(0, 9), sold_places)
def test_the_ratchet_gives_the_most_of_all_earlier_stages(
    rules: list[PriceRule], steps: PriceSteps, occasion: Occasion, ahead: int, sold: list[int]
) -> None:
    assert occasion.first_day is not None
    first_day, places = occasion.first_day, sold_by_day(sold)[occasion.first_day]
    loose, tight = (
        a_product(PriceModel.STEPPED, rules, steps=steps._replace(ratchet=ratchet))
        for ratchet in (False, True)
    )

    def at(product: Product, lead_days: int, number: int) -> int | None:
        of_day = [number if day == first_day else 0 for day in DATES]
        return amount_of(product, occasion._replace(ordered_on=first_day - lead_days * DAY), of_day)

    earlier = [at(loose, ahead + more, number) for more in range(12) for number in range(places + 1)]
    now = at(loose, ahead, places)
    known = [price for price in earlier if price is not None]
    assert at(tight, ahead, places) == (None if now is None else max(known))


histories = st.lists(
    st.tuples(st.integers(0, 4), st.lists(st.integers(0, 4), min_size=20, max_size=20)),
    min_size=2,
    max_size=6,
)


def history(product: Product, occasion: Occasion, changes: list[tuple[int, list[int]]]) -> Iterator[int]:
    """The prices there were as days passed and places were sold, last order on the first day."""
    assert occasion.first_day is not None
    ordered_on = occasion.first_day - sum(passed for passed, _ in changes) * DAY
    sold = [0] * 20
    for passed, more in changes:
        ordered_on += passed * DAY
        sold = list(map(add, sold, more))
        price = amount_of(product, occasion._replace(ordered_on=ordered_on), sold)
        if price is not None:
            yield price


@given(lists_of["ordinary"], _steps, st.none() | _degressions, dated, st.integers(1, 6), histories)
def test_with_a_ratchet_no_price_of_days_ever_falls(
    rules: list[PriceRule],
    steps: PriceSteps,
    degression: Degression | None,
    occasion: Occasion,
    days: int,
    changes: list[tuple[int, list[int]]],
) -> None:
    ratchet = steps._replace(ratchet=True)
    product = a_product(PriceModel.STEPPED, rules, steps=ratchet, degression=degression)

    prices = list(history(product, occasion._replace(duration=Duration(days=days)), changes))

    assert prices == sorted(prices)


@given(
    lists_of["with cards"],
    _steps,
    st.lists(_reductions, max_size=2),
    dated,
    st.sampled_from(CARDS),
    histories,
)
def test_with_a_ratchet_no_day_gets_cheaper_for_holders_of_a_card(
    rules: list[PriceRule],
    steps: PriceSteps,
    reductions: list[CardReduction],
    occasion: Occasion,
    card: int,
    changes: list[tuple[int, list[int]]],
) -> None:
    """In whole minor units: one reduced to another increment may differ by that from an own price."""
    exact = [reduction._replace(increment=1) for reduction in reductions]
    product = a_product(PriceModel.STEPPED, rules, steps=steps._replace(ratchet=True), reductions=exact)

    prices = list(history(product, occasion._replace(discount_card=card), changes))

    assert prices == sorted(prices)
