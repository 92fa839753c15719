"""Strategies for baskets, discounts, vouchers and policies, for scalar and batch functions alike.

Values come from small pools on purpose: ties, groups and scopes need lines with equal prices, rates or
products. All amounts of one checkout have the same *scale*, from a few minor units (where rounding matters)
to a billion (beyond the precision of a float), so that discounts, floors and minimums are comparable with
prices.
"""

from dataclasses import fields, replace
from datetime import datetime, time, timedelta
from enum import Enum
from functools import cache
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import TotalsPolicy
from faregate.dates.instants import DateRange, Interval
from faregate.dates.times_of_day import TimeOfDay
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    ALWAYS,
    EVERYTHING,
    Absolute,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    Conditions,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
)
from faregate.money.amounts import MILLION
from faregate.money.rounding import RoundingMode
from faregate.tax.rates import VatRate

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

MOST_LINES = 60
SCALES = (9, 400, 12_000, 10**9)

ZURICH = ZoneInfo("Europe/Zurich")
NOW = datetime(2026, 3, 25, 9, 30, tzinfo=ZURICH)  # a Wednesday; the clocks go forward on the Sunday after
_DAY = timedelta(days=1)
CHANNELS = ("WEB", "POS")
PRODUCTS = (11, 12, 13)
VARIANTS = (101, 102, 103)
CATEGORIES = (1, 2)
CARDS = (5, 6)
GROUPS = ("member", "staff")
ATTRIBUTES = (("age", "adult"), ("age", "child"), ("zone", "valley"))

# Building a strategy costs more than drawing from it, so strategies are built once per scale.


@cache
def upto(most: int) -> SearchStrategy[int]:
    return st.integers(0, most)


@st.composite
def rarely(draw: DrawFn, strategy: SearchStrategy[T], default: T, *, one_in: int = 4) -> T:
    """Draw *default*, but a value of *strategy* one time in *one_in*."""
    return draw(strategy) if draw(upto(one_in - 1)) == one_in - 1 else default


@st.composite
def sized(draw: DrawFn, strategy: SearchStrategy[T], sizes: SearchStrategy[int]) -> list[T]:
    """Draw a list whose size is one of *sizes*; ``lists`` would prefer small ones."""
    return [draw(strategy) for _ in range(draw(sizes))]


def members(enum: type[E]) -> SearchStrategy[E]:
    return st.sampled_from(list(enum))


def some(values: tuple[T, ...]) -> SearchStrategy[frozenset[T]]:
    """Draw one or two of *values*."""
    return st.tuples(st.sampled_from(values), st.sampled_from(values)).map(frozenset)


rounding_modes = members(RoundingMode)
scales = st.sampled_from(SCALES)
amounts = st.one_of([st.integers(0, scale) for scale in SCALES])
quantities = st.one_of(st.just(1), st.integers(1, 12))
vat_rates = st.one_of(
    st.sampled_from(("0", "0", "2.6", "3.8", "4", "7.7", "8.1", "10", "19", "20", "25")).map(VatRate.percent),
    st.integers(101, MILLION).map(lambda parts: VatRate(parts_per_million=parts)),
)
percentages = st.one_of(
    st.sampled_from((50_000, 100_000, 150_000, 250_000, 333_333, 500_000)),
    st.sampled_from((100_000, MILLION)),
    st.integers(101, MILLION),
)
weights = st.lists(st.one_of(st.integers(0, 5), amounts), max_size=40)
_midnights = [NOW.replace(hour=0, minute=0) + count * _DAY for count in range(8)]
validities = st.sampled_from([Interval(start, start + _DAY) for start in _midnights])
contexts = st.builds(
    Context,
    at=st.sampled_from((NOW, NOW + 2 * _DAY)),
    channel=st.sampled_from(CHANNELS),
    account=st.sampled_from((None, 1, 2)),
    customer_groups=st.frozensets(st.sampled_from(GROUPS)),
    zone=st.just(ZURICH),
)

_one = st.just(1)
_seldom = st.sampled_from([False] * 11 + [True])
_mostly_true, _mostly_false = (st.sampled_from([usual] * 6 + [not usual]) for usual in (True, False))


def _made_sense_of(line: Line) -> Line:
    """Convert the floor price from quarters of the list price to money.

    Only subscriptions have later periods.
    """
    floor_price = line.floor_price * (line.unit_price + 1) // 4
    recurring = line.recurring_price if line.is_subscription else None
    return line._replace(floor_price=floor_price, recurring_price=recurring)


@cache
def _likenesses(scale: int) -> SearchStrategy[Line]:
    """Draw properties that several lines of a basket may share, except key, quantity and rate."""
    return st.builds(
        Line,
        key=_one,
        unit_price=upto(scale),
        quantity=_one,
        rate=st.just(VatRate(parts_per_million=0)),
        product=st.sampled_from(PRODUCTS),
        variant=st.sampled_from(VARIANTS),
        category=st.sampled_from((None, *CATEGORIES)),
        attributes=st.sampled_from([frozenset(ATTRIBUTES[:n]) for n in range(4)]),
        discount_card=st.sampled_from((None, None, *CARDS)),
        validity=st.one_of(st.none(), validities),
        floor_price=st.sampled_from((*[0] * 8, 1, 2, 3, 4)),
        discountable=_mostly_true,
        counted=_mostly_true,
        is_subscription=_mostly_false,
        recurring_price=st.one_of(st.none(), upto(scale)),
        zone=st.none(),
    ).map(_made_sense_of)


_KEYS = MOST_LINES + 1  # a prime: multiples of any step are distinct modulo it
_steps = st.sampled_from((1, 1, _KEYS - 1, 23))
_likeness_lists = {scale: sized(_likenesses(scale), st.sampled_from((1, 6, 5, 4, 3, 2))) for scale in SCALES}
_line_counts = st.sampled_from((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 4, 5, 6, None, 0))
_rate_lists = sized(vat_rates, st.sampled_from((1, 5, 4, 3, 2)))


@st.composite
def baskets(
    draw: DrawFn,
    *,
    scale: int | None = None,
    min_lines: int = 0,
    max_lines: int = MOST_LINES,
    line_quantities: SearchStrategy[int] = quantities,
) -> tuple[Line, ...]:
    """Draw lines of up to five rates in random order of keys."""
    likenesses = draw(_likeness_lists[draw(scales) if scale is None else scale])
    rates = draw(_rate_lists)
    size = draw(_line_counts)
    size = draw(upto(max_lines)) if size is None else size
    step = draw(_steps)
    lines = []
    for index in range(min(max(size, min_lines), max_lines)):
        like = (index + draw(upto(2))) % len(likenesses)
        key, rate = step * (index + 1) % _KEYS, rates[like % len(rates)]
        lines.append(likenesses[like]._replace(key=key, quantity=draw(line_quantities), rate=rate))
    return tuple(lines)


def items(*, scale: int | None = None, max_items: int = 24) -> SearchStrategy[tuple[Line, ...]]:
    """Draw items of a checkout: single units, some of them alike."""
    return baskets(scale=scale, max_lines=max_items, line_quantities=_one)


_lead_days = st.integers(0, 6)
_days = st.sampled_from([midnight.date() for midnight in _midnights])
scope_criteria: dict[str, SearchStrategy[Any]] = {
    "lines": sized(st.integers(1, 6), st.integers(1, 4)).map(frozenset),
    "products": some(PRODUCTS),
    "variants": some(VARIANTS),
    "categories": some(CATEGORIES),
    "attributes": some(ATTRIBUTES),
    "discount_cards": some(CARDS),
    "weekdays": some((1, 2, 3, 4, 5, 6, 7)),
    "days": st.tuples(_days, _lead_days).map(lambda x: DateRange(x[0], x[0] + x[1] * _DAY)),
    "min_lead_days": _lead_days,
    "max_lead_days": _lead_days,
    "excluded_products": some(PRODUCTS),
    "excluded_variants": some(VARIANTS),
    "excluded_categories": some(CATEGORIES),
}
_criterion = st.sampled_from(list(scope_criteria))


@st.composite
def scopes(draw: DrawFn, *, most_criteria: int = 2) -> Scope:
    """Draw a scope with at most *most_criteria* criteria."""
    names = {draw(_criterion) for _ in range(draw(st.sampled_from((1, 1, 1, most_criteria))))}
    return replace(EVERYTHING, **{name: draw(scope_criteria[name]) for name in sorted(names)})


_usual_scopes = rarely(scopes(), EVERYTHING, one_in=3)


@cache
def thresholds(scale: int) -> SearchStrategy[Threshold]:
    spend = st.one_of(st.just(0), upto(scale * 3))
    return st.builds(Threshold, spend, st.sampled_from((0, 0, 1, 4)), _usual_scopes)


_starts = st.sampled_from([None, *(NOW + days * _DAY for days in (-3, 0, 2, 4))])
_ends = st.sampled_from([None, *(NOW + days * _DAY for days in (-1, 0, 2, 4))])
_clocks = st.permutations([time(9), NOW.time(), time(9, 31), time(22)]).map(lambda each: TimeOfDay(*each[:2]))


@cache
def conditions(scale: int) -> SearchStrategy[Conditions]:
    """Draw conditions of one sort each: hardly any checkout would satisfy several at once."""
    return st.one_of(
        st.builds(Conditions, starts_at=_starts, ends_at=_ends),
        st.builds(Conditions, weekdays=some((1, 3, 5))),
        st.builds(Conditions, time_of_day=_clocks),
        st.builds(Conditions, channels=some(CHANNELS)),
        st.builds(Conditions, accounts=some((1, 2))),
        st.builds(Conditions, customer_groups=some(GROUPS)),
        st.builds(Conditions, thresholds=sized(thresholds(scale), st.integers(1, 2)).map(tuple)),
    )


_at_most = st.sampled_from((None, None, 1, 2))
_parts = sized(
    st.builds(BundlePart, scopes(most_criteria=1), st.sampled_from((1, 1, 2))), st.sampled_from((1, 2, 2, 3))
).map(tuple)


@cache
def _kinds(scale: int) -> dict[type[DiscountKind], SearchStrategy[DiscountKind]]:
    """Return strategies of amounts that are mostly small against the prices of *scale*, and rarely too
    large.
    """
    return {
        Percentage: st.builds(Percentage, parts_per_million=percentages, level=members(DiscountLevel)),
        Absolute: st.builds(
            Absolute, st.integers(1, scale // 2) | st.integers(1, scale * 6), members(DiscountLevel)
        ),
        PerUnit: st.builds(PerUnit, st.integers(1, scale // 4) | st.integers(1, scale)),
        FixedPrice: st.builds(FixedPrice, upto(scale // 4) | upto(scale), st.sampled_from((1, 2, 3, 5))),
        BuyXGetY: st.builds(
            BuyXGetY,
            st.integers(1, 3),
            st.integers(1, 4),
            st.just(MILLION) | percentages,
            at_most=_at_most,
            rewards=st.none() | scopes(most_criteria=1),
        ),
        Bundle: st.builds(Bundle, price=upto(scale), **_of_bundles)
        | st.builds(Bundle, parts_per_million=percentages, **_of_bundles),
    }


_of_bundles: dict[str, Any] = {"parts": _parts, "at_most": _at_most, "same_day": st.booleans()}


def discount_kinds(scale: int, *only: type[DiscountKind]) -> SearchStrategy[DiscountKind]:
    """Draw any discount, or one of the given kinds."""
    return st.one_of([_kinds(scale)[kind] for kind in only or _kinds(scale)])


@cache
def automatic_discount(scale: int) -> SearchStrategy[AutomaticDiscount]:
    return st.builds(
        AutomaticDiscount,
        id=_one,
        kind=discount_kinds(scale),
        scope=scopes() | _usual_scopes,
        conditions=rarely(conditions(scale), ALWAYS, one_in=6),
        priority=upto(2),
        max_amount=rarely(st.integers(1, scale * 2), None),
    )


_few = st.sampled_from((1, 0, 2, 2, 3, 3, 4, 4))


@st.composite
def automatic_discounts(
    draw: DrawFn, scale: int, *, min_size: int = 0, max_size: int = 4
) -> tuple[AutomaticDiscount, ...]:
    size = min(max(min_size, draw(_few)), max_size)
    drawn = [draw(automatic_discount(scale)) for _ in range(size)]
    step = draw(_steps)
    return tuple(replace(discount, id=step * (n + 1) % _KEYS) for n, discount in enumerate(drawn))


@cache
def promo_code(scale: int) -> SearchStrategy[PromoCode]:
    return st.builds(
        PromoCode,
        code=st.just("A"),
        kind=discount_kinds(scale),
        scope=_usual_scopes,
        conditions=rarely(conditions(scale), ALWAYS),
        lane=st.sampled_from((0, 0, 0, -1, 1)),
        priority=upto(2),
        exclusive=_seldom,
        max_amount=rarely(st.integers(1, scale * 2), None),
        max_units=st.sampled_from((None, None, None, 1, 2, 3, 5)),
        max_units_per_line=st.sampled_from((None, None, None, 1, 2)),
        uses_left=st.sampled_from([None] * 10 + [0, 1]),
        budget_left=rarely(upto(scale * 2), None, one_in=6),
    )


@st.composite
def entered_codes(
    draw: DrawFn, scale: int, *, min_size: int = 0, max_size: int = 4
) -> tuple[PromoCode | UnknownCode, ...]:
    """Draw the codes that a customer enters, some of which do not exist."""
    size = min(max(min_size, draw(_few)), max_size)
    drawn = [draw(promo_code(scale)) for _ in range(size)]
    names = [chr(ord("A") + 5 * n % 26) for n in range(size)]
    if draw(st.booleans()):
        names.reverse()
    codes = [replace(promo, code=name) for promo, name in zip(drawn, names, strict=True)]
    unknown = draw(upto(15))
    return tuple(UnknownCode(code.code) if n == unknown else code for n, code in enumerate(codes))


_purposes = rarely(
    st.sampled_from((VatRate(parts_per_million=26_000), VatRate(parts_per_million=81_000))) | vat_rates,
    None,
    one_in=2,
)
_expiries = st.sampled_from([None, None, *(NOW + days * _DAY for days in (0, 1, 2, 9))])


@st.composite
def vouchers(draw: DrawFn, scale: int, *, max_size: int = 4) -> tuple[Voucher, ...]:
    """Draw vouchers with various codes, expiries and balances, some of them single-purpose."""
    return tuple(draw(_voucher("CADB"[n % 4] * (n // 4 + 1), scale)) for n in range(draw(upto(max_size))))


def for_any_purpose(given: tuple[Voucher, ...]) -> tuple[Voucher, ...]:
    """Return the same vouchers as multi-purpose ones."""
    return tuple(replace(voucher, single_purpose=None, face_value=None) for voucher in given)


@st.composite
def _voucher(draw: DrawFn, code: str, scale: int) -> Voucher:
    balance, purpose = draw(upto(scale * 6)), draw(_purposes)
    return Voucher(
        code=code,
        balance=balance,
        expires_at=draw(_expiries),
        single_purpose=purpose,
        face_value=None if purpose is None else balance + draw(upto(scale)),
    )


_choices = [field for field in fields(TotalsPolicy) if isinstance(field.default, Enum)]
_policy_fields: dict[str, SearchStrategy[Any]] = {
    **{field.name: members(type(field.default)) for field in _choices},
    "vouchers_pay_donation": st.booleans(),
    "cash_increment": st.sampled_from((1, 5, 10, 100)),
}


def policies(**fixed: Any) -> SearchStrategy[TotalsPolicy]:
    """Draw any policy; fields in *fixed* have the given value."""
    chosen = {name: st.just(value) for name, value in fixed.items()}
    return st.builds(TotalsPolicy, **(_policy_fields | chosen))


every_policy = policies()
