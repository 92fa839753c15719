"""List prices compared with a reading of the rules one by one. Decisions §8.5, §9."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import accumulate
from operator import add

from hypothesis import assume, given
from hypothesis import strategies as st

from faregate.catalogue.calendars import Calendar, DayPattern, EasterDay, Holiday, MonthDay, Season, Span
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.catalogue.price_rules import CardReduction, Degression, PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import Product, ProductType, Variant
from faregate.dates.durations import Duration
from faregate.errors import UnknownEntry
from faregate.list_prices.price import ListPriceQuery, list_price
from faregate.list_prices.steps import ListPrice
from faregate.money.amounts import MILLION
from faregate.tax.rates import VatRate
from support.oracles.list_prices import DAY, Reader

CARDS = (5, 6)
PISTE = "piste"
LEADS, COUNTS = (0, 0, 1, 3, 7), (0, 0, 2, 5, 10)  # where rules begin
FIRST = date(2027, 1, 28)  # a Thursday; carnival lasts from 4 to 9 February
CALENDAR = Calendar(
    seasons=(
        Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),)),
        Season(identifier="carnival", spans=(Span(EasterDay(-52), EasterDay(-47)),)),
    ),
    holidays=(Holiday(date(2027, 2, 2)), Holiday(EasterDay(-48))),
)

_amounts = st.one_of(st.integers(0, 20), st.integers(0, 12_000))
_lengths = [Duration.parse(text) for text in ("P1D", "P2D", "P3D", "P6D", "PT4H", "P1DT2H", "P1M")]
_durations = st.sampled_from(_lengths)
_sets = st.builds(
    DayPattern,
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
    when=st.just(DayPattern()) | _sets,
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
    increment=_increments,
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
    lambda duration, offset, ahead, card: ListPriceQuery(
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
dated = st.builds(
    ListPriceQuery, st.just(Duration(days=1)), st.integers(0, 13).map(lambda n: FIRST + n * DAY)
)

DATES = [FIRST + n * DAY for n in range(20)]


def sold_by_day(sold: Sequence[int]) -> dict[date, int]:
    return dict(zip(DATES, sold, strict=False))


def priced(product: Product, occasion: ListPriceQuery, sold: Sequence[int] = ()) -> ListPrice:
    """Return the price with a number of units sold of the first, second … day from ``FIRST``."""
    capacity = {PoolSlot(PISTE, day): PoolUsage(number, held=3) for day, number in sold_by_day(sold).items()}
    return list_price(product.variants[0], occasion, product=product, calendar=CALENDAR, capacity=capacity)


def amount_of(product: Product, occasion: ListPriceQuery, sold: Sequence[int] = ()) -> int | None:
    try:
        return priced(product, occasion, sold).amount
    except UnknownEntry:
        return None


@given(products, occasions, sold_places)
def test_a_price_matches_a_scan_of_all_rules(
    product: Product, occasion: ListPriceQuery, sold: list[int]
) -> None:
    reader = Reader(product, occasion, calendar=CALENDAR, sold=sold_by_day(sold))

    assert amount_of(product, occasion, sold) == reader.amount()


@given(products, st.lists(occasions, min_size=2, max_size=6), sold_places)
def test_a_price_does_not_depend_on_earlier_queries(
    product: Product, asked: list[ListPriceQuery], sold: list[int]
) -> None:
    first = [amount_of(product, occasion, sold) for occasion in asked]

    assert [amount_of(product, occasion, sold) for occasion in reversed(asked)] == first[::-1]
    for occasion, amount in zip(asked, first, strict=True):
        anew = replace(product, variants=(replace(product.variants[0]),))
        assert amount_of(anew, occasion, sold) == amount


@given(products, occasions, sold_places)
def test_the_steps_of_a_trace_add_up_to_the_price(
    product: Product, occasion: ListPriceQuery, sold: list[int]
) -> None:
    assume(amount_of(product, occasion, sold) is not None)
    price = priced(product, occasion, sold)

    assert price.trace().amount("list_price") == price.amount
    assert price.trace().figures() == (("list_price", None),)
    assert price.amount >= 0


# ---------------------------------------------------------------- ratchets


day_rules = _rules.map(lambda rule: replace(rule, duration=None))
ordinary_rules = day_rules.map(lambda rule: replace(rule, discount_card=None))
lists_of = {
    kind: st.lists(rules, min_size=1, max_size=8)
    for kind, rules in (("ordinary", ordinary_rules), ("with cards", day_rules))
}

histories = st.lists(
    st.tuples(st.integers(0, 4), st.lists(st.integers(0, 4), min_size=20, max_size=20)),
    min_size=2,
    max_size=6,
)


def history(
    product: Product, occasion: ListPriceQuery, changes: list[tuple[int, list[int]]]
) -> Iterator[int]:
    """Yield the prices as days pass and units are sold, up to an order on the first day."""
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
def test_with_a_ratchet_no_day_price_ever_falls(
    rules: list[PriceRule],
    steps: PriceSteps,
    degression: Degression | None,
    occasion: ListPriceQuery,
    days: int,
    changes: list[tuple[int, list[int]]],
) -> None:
    ratchet = replace(steps, ratchet=True)
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
    occasion: ListPriceQuery,
    card: int,
    changes: list[tuple[int, list[int]]],
) -> None:
    """Use whole minor units: with another increment, a reduced price may differ from an own price."""
    exact = [replace(reduction, increment=1) for reduction in reductions]
    product = a_product(PriceModel.STEPPED, rules, steps=replace(steps, ratchet=True), reductions=exact)

    prices = list(history(product, occasion._replace(discount_card=card), changes))

    assert prices == sorted(prices)


# ---------------------------------------------------------------- prices in parts, by brute force


def in_parts(days: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to split that many days into consecutive shorter validities."""
    for first in range(1, days):
        for rest in ((days - first,), *in_parts(days - first)):
            yield first, *rest


@given(products, occasions, sold_places, st.integers(2, 5), st.sets(st.integers(1, 4)))
def test_with_prices_in_parts_several_days_never_cost_more_than_single_days(
    product: Product, occasion: ListPriceQuery, sold: list[int], days: int, sold_lengths: set[int]
) -> None:
    durations = (*(Duration(days=length) for length in sold_lengths), Duration.parse("PT4H"))
    product = replace(product, durations=durations)
    capped = replace(product, never_above_single_days=True)
    occasion = occasion._replace(duration=Duration(days=days))

    def part(offset: int, length: int) -> ListPriceQuery:
        begins = occasion.first_day and occasion.first_day + offset * DAY
        return occasion._replace(duration=Duration(days=length), first_day=begins)

    whole = amount_of(product, occasion, sold)
    ways = [whole] if whole is not None else []
    for lengths in in_parts(days):
        offsets = accumulate(lengths, initial=0)
        amounts = [
            amount_of(product, part(offset, length), sold)
            for offset, length in zip(offsets, lengths, strict=False)
        ]
        if whole is not None and sold_lengths.issuperset(lengths) and None not in amounts:
            ways.append(sum(amount for amount in amounts if amount is not None))

    assert amount_of(capped, occasion, sold) == min(ways, default=None)
    if whole is not None:
        price = priced(capped, occasion, sold)
        assert price.trace().amount("list_price") == price.amount
        assert price.before_reduction == sum(each.before_reduction for each in price.parts or (price,))
