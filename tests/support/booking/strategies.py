"""Strategies for small catalogues of one ticket, the units taken from its pools, and queries.

Everything lies within days of an anchor close to a clock change, so that seasons begin, pools run out and
cut-offs pass within the few days that a law examines.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from faregate.catalogue.booking_rules import BookingRules, CutOff, StayRule
from faregate.catalogue.calendars import DayPattern, Holiday, MonthDay, Season, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Blocked, Counting, Pool, PoolSize, PoolSlot, PoolUsage, PoolUse, TimeSlot
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Product, Variant
from faregate.dates.durations import Duration, validity_from
from faregate.dates.instants import Interval, in_utc
from faregate.validity.options import ValidityQuery
from support.baskets.strategies import members, rarely, upto
from support.shops.booking_shop import ADULT, CHILD, FAMILY, TICKET, shop, ticket, variant

T = TypeVar("T")

ONE_DAY = timedelta(days=1)
POOLS = ("gate", "lift", "park")
VARIANTS = (ADULT, CHILD, FAMILY)
DURATIONS = tuple(map(Duration.parse, ("P1D", "P2D", "P3D", "P1M", "P1DT2H", "PT4H", "PT1H", "PT30H")))
ANCHORS = (
    ("Europe/Zurich", date(2026, 12, 30)),  # the new year
    ("Europe/Zurich", date(2026, 3, 28)),  # 02:00 to 03:00 the day after
    ("Europe/Zurich", date(2026, 10, 24)),  # 03:00 to 02:00 the day after
    ("America/Santiago", date(2024, 9, 7)),  # the day after begins at 01:00
    ("Australia/Lord_Howe", date(2024, 4, 6)),  # half an hour back the day after
    ("Pacific/Apia", date(2011, 12, 29)),  # the day after does not exist
)
_TIMES = tuple(time(hour, minute) for hour in (0, 2, 8, 12, 22) for minute in (0, 30))
_SLOTS = (
    (TimeSlot(time(8), time(12)), TimeSlot(time(12), time(16))),
    (TimeSlot(time(2), time(2, 30)), TimeSlot(time(2, 30), time(8))),
    (TimeSlot(time(22), time(2)),),
    (TimeSlot(time(6), time(6)),),
)


class Situation(NamedTuple):
    """A catalogue of one ticket, the units taken, and the instant of the query, near the day ``anchor``."""

    catalogue: Catalogue
    taken: dict[PoolSlot, PoolUsage]
    now: datetime
    anchor: date

    @property
    def product(self) -> Product:
        return self.catalogue.product(TICKET)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.catalogue.merchants[0].timezone)

    @property
    def today(self) -> date:
        return in_utc(self.now).astimezone(self.zone).date()  # now may be a local time that does not exist


# Building a strategy costs more than drawing from it: each is built once, or once per anchor.


_near = st.integers(-4, 8)
_moments = st.sampled_from((*_TIMES, time(23, 59, 59)))
# Not st.builds, which would also draw the fields with defaults of a NamedTuple.
_weekdays = st.frozensets(st.integers(1, 7), min_size=1, max_size=4).map(lambda few: DayPattern(weekdays=few))


def _span(anchor: date, offset: int, length: int, is_dated: bool) -> Span:
    first = anchor + offset * ONE_DAY
    last = first + length * ONE_DAY
    if is_dated:
        return Span(first, last)
    return Span(MonthDay(first.month, first.day), MonthDay(last.month, last.day))


@cache
def spans(anchor: date) -> SearchStrategy[Span]:
    """Draw days near *anchor*, of one year or of every year."""
    return st.builds(_span, st.just(anchor), _near, upto(9), st.booleans())


@cache
def some_days(anchor: date) -> SearchStrategy[DayPattern]:
    dated = spans(anchor).map(lambda span: DayPattern(dates=(span,)))
    return st.one_of(_weekdays, dated, dated, st.just(DayPattern(is_holiday=True)))


@cache
def day_sets(anchor: date) -> SearchStrategy[DayPattern]:
    return st.one_of(st.just(DayPattern()), some_days(anchor))


def _instant(zone: ZoneInfo, anchor: date, offset: int, at: time, fold: int) -> datetime:
    return datetime.combine(anchor + offset * ONE_DAY, at, zone).replace(fold=fold)


@cache
def instants(zone: ZoneInfo, anchor: date) -> SearchStrategy[datetime]:
    return st.builds(_instant, st.just(zone), st.just(anchor), _near, _moments, upto(1))


@cache
def pools(identifier: str, anchor: date) -> SearchStrategy[Pool]:
    sizes = st.sampled_from((None, *range(7)))
    return st.builds(
        Pool,
        identifier=st.just(identifier),
        size=sizes,
        sizes=_few(st.builds(PoolSize, sizes, day_sets(anchor))),
        blocked=_few(st.builds(Blocked, upto(3), day_sets(anchor))),
        slots=rarely(st.sampled_from(_SLOTS), (), one_in=3),
    )


def _few(strategy: SearchStrategy[T]) -> SearchStrategy[tuple[T, ...]]:
    """Draw nothing as a rule, otherwise one or two values."""
    return rarely(st.lists(strategy, min_size=1, max_size=2).map(tuple), (), one_in=3)


_taken = st.builds(PoolUsage, upto(4), upto(2))
_offsets = st.lists(st.integers(-2, 8), max_size=6, unique=True)


@st.composite
def stocks(draw: DrawFn, all_pools: tuple[Pool, ...], anchor: date) -> dict[PoolSlot, PoolUsage]:
    """Draw the units taken on some days, for pools with slots in some slots."""
    taken = {}
    for pool in all_pools:
        for offset in draw(_offsets):
            start = pool.slots[draw(upto(len(pool.slots) - 1))].start if pool.slots else None
            taken[PoolSlot(pool.identifier, anchor + offset * ONE_DAY, start)] = draw(_taken)
    return taken


@st.composite
def fewer(draw: DrawFn, taken: dict[PoolSlot, PoolUsage]) -> dict[PoolSlot, PoolUsage]:
    """Draw a stock with some of *taken* released."""
    left = {}
    for slot, (sold, held) in taken.items():
        unsold, unheld = draw(_taken)
        left[slot] = PoolUsage(max(sold - unsold, 0), max(held - unheld, 0))
    return left


_amounts = st.integers(0, 20).map(lambda francs: 100 * francs)
_some_pools = st.lists(st.sampled_from(POOLS), max_size=3, unique=True)
_places = st.sampled_from((1, 1, 2, 0, 3))
_durations = st.lists(st.sampled_from(DURATIONS), min_size=1, max_size=3, unique=True).map(tuple)


def _price_rule(amount: int, duration: Duration | None, when: DayPattern) -> PriceRule:
    return PriceRule(amount, duration, when=when)


def distinct(rules: Iterable[PriceRule]) -> list[PriceRule]:
    """Return the first of the rules with equal conditions."""
    known: dict[PriceRule, PriceRule] = {}
    for rule in rules:
        known.setdefault(replace(rule, amount=0), rule)
    return list(known.values())


@cache
def _prices(
    durations: tuple[Duration, ...], anchor: date, model: PriceModel
) -> SearchStrategy[list[PriceRule]]:
    """Draw prices for every validity, or only for some durations."""
    is_static = model is PriceModel.STATIC
    when = st.just(DayPattern()) if is_static else rarely(some_days(anchor), DayPattern(), one_in=2)
    of_any = st.lists(st.builds(_price_rule, _amounts, st.none(), when), max_size=2)
    of_some = st.builds(_price_rule, _amounts, st.sampled_from(durations), when)
    return st.one_of(
        of_any.map(lambda rules: [*rules, PriceRule(5000)]), st.lists(of_some, min_size=1, max_size=3)
    ).map(distinct)


@st.composite
def variants(
    draw: DrawFn, variant_id: int, prices: SearchStrategy[list[PriceRule]], used: list[str]
) -> Variant:
    """Draw variants, with or without pools of their own."""
    own = draw(st.lists(st.sampled_from(used), unique=True)) if used else []
    return variant(variant_id, *draw(prices), uses=[(pool, draw(_places)) for pool in own])


def _rules(
    starts: datetime | None, ends: datetime | None, least: int, most: int | None, **rules: Any
) -> BookingRules:
    """Return booking rules in which no end precedes its start."""
    if starts is not None and ends is not None and in_utc(ends) <= in_utc(starts):
        ends = None
    most = None if most is None else max(least, most)
    return BookingRules(sale_starts=starts, sale_ends=ends, min_lead_days=least, max_lead_days=most, **rules)


@cache
def booking_rules(zone: ZoneInfo, anchor: date) -> SearchStrategy[BookingRules]:
    moments = instants(zone, anchor)
    stay_rules = st.builds(
        lambda when, weekdays, bounds: StayRule(
            when, start_weekdays=weekdays, min_days=bounds[0], max_days=bounds[1]
        ),
        day_sets(anchor),
        rarely(st.frozensets(st.integers(1, 7), min_size=2), frozenset(), one_in=2),
        st.sampled_from(((1, None), (1, None), (1, 2), (2, None), (2, 2), (3, None))),
    )
    cut_offs = st.one_of(
        st.builds(CutOff, st.sampled_from(_TIMES), upto(2)), st.builds(CutOff, minutes_before=upto(90))
    )
    times = st.lists(st.sampled_from(_TIMES), min_size=1, max_size=3, unique=True).map(tuple)
    return st.builds(
        _rules,
        rarely(moments, None, one_in=8),
        rarely(moments, None, one_in=8),
        rarely(upto(3), 0, one_in=6),
        rarely(upto(8), None, one_in=6),
        seasons=st.sampled_from(((), (), ("one",), ("one", "two"))),
        closed=_few(some_days(anchor)),
        stays=_few(stay_rules),
        start_times=rarely(times, (), one_in=3),
        cut_off=rarely(cut_offs, None, one_in=3),
    )


_counting = members(Counting)
_models = st.sampled_from((PriceModel.STATIC, PriceModel.CALENDAR))
_anchors = st.sampled_from(ANCHORS)


@st.composite
def situations(draw: DrawFn) -> Situation:
    timezone, anchor = draw(_anchors)
    zone = ZoneInfo(timezone)
    all_pools = tuple([draw(pools(name, anchor)) for name in POOLS])
    durations, model, used = draw(_durations), draw(_models), draw(_some_pools)
    prices = _prices(durations, anchor, model)
    product = ticket(
        *[draw(variants(name, prices, used)) for name in VARIANTS[: 1 + draw(upto(2))]],
        durations=durations,
        pools=[PoolUse(name, draw(_counting)) for name in used],
        booking=draw(booking_rules(zone, anchor)),
        price_model=model,
    )
    catalogue = shop(
        product,
        pools=all_pools,
        seasons=[Season(identifier=name, spans=(draw(spans(anchor)),)) for name in ("one", "two")],
        holidays=[Holiday(anchor + ONE_DAY)],
        timezone=timezone,
    )
    now = draw(instants(zone, anchor - 2 * ONE_DAY))
    return Situation(catalogue, draw(stocks(all_pools, anchor)), now, anchor)


def _with_a_season(situation: Situation) -> Situation:
    product = situation.product
    if product.booking.seasons:
        return situation
    product = replace(product, booking=replace(product.booking, seasons=("one",)))
    return situation._replace(catalogue=replace(situation.catalogue, products=(product,)))


seasonal = situations().map(_with_a_season)
"""Offer products for a few days only, so that a law can check every day."""


@st.composite
def queries(draw: DrawFn, situation: Situation) -> ValidityQuery:
    """Draw a window of at most twelve days near the anchor, for some or all variants and durations."""
    product = situation.product
    first = situation.anchor + draw(st.integers(-3, 3)) * ONE_DAY
    known = [entry.id for entry in product.variants]
    return ValidityQuery(
        TICKET,
        first,
        first + draw(upto(11)) * ONE_DAY,
        durations=tuple(draw(rarely(st.lists(st.sampled_from(product.durations), unique=True), []))),
        variants=tuple(draw(rarely(st.lists(st.sampled_from(known), unique=True), []))),
        quantity=draw(st.sampled_from((1, 1, 2, 3, 5))),
        only_available=draw(rarely(st.just(True), False, one_in=3)),
    )


@st.composite
def asked(draw: DrawFn) -> tuple[Situation, ValidityQuery]:
    situation = draw(situations())
    return situation, draw(queries(situation))


@st.composite
def validities(draw: DrawFn, situation: Situation) -> Interval:
    """Draw a validity of one of the offered durations, from any instant near the anchor."""
    start = draw(instants(situation.zone, situation.anchor))
    return validity_from(draw(st.sampled_from(DURATIONS)), start, situation.zone)


@st.composite
def parties(draw: DrawFn, situation: Situation) -> list[tuple[int, Interval | None]]:
    """Draw units of the ticket, several of them alike."""
    known = [entry.id for entry in situation.product.variants]
    some_validities = draw(st.lists(st.one_of(st.none(), validities(situation)), min_size=1, max_size=3))
    units = st.tuples(st.sampled_from(known), st.sampled_from(some_validities))
    return draw(st.lists(units, max_size=8))
