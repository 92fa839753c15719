"""Laws of scopes and conditions: lines selected, codes refused and their reasons. Decisions §3.5, §3.7."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from faregate.basket.lines import Line, pricing_lines
from faregate.basket.policy import ThresholdBase, TotalsPolicy
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import Context, RejectionReason, Shortfall
from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    AutomaticDiscount,
    Conditions,
    DiscountLevel,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
    normalize_code,
)
from faregate.discounts.promo_codes import CodeResult, RejectedCode
from faregate.money.amounts import MILLION
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals
from support.baskets.strategies import (
    NOW,
    ZURICH,
    baskets,
    contexts,
    members,
    scope_criteria,
    some,
)
from support.oracles.naive_readings import is_in_scope, local_day

SALE = Context(at=NOW, channel="WEB", account=1, zone=ZURICH)
FREE = Percentage(parts_per_million=MILLION, level=DiscountLevel.LINE)
CODE = PromoCode(code="A", kind=Absolute(10))
TICKET = Line(1, unit_price=5000, quantity=2, rate=VatRate.percent("8.1"), product=11)
# The last two are one hour apart with the same wall-clock time.
twice = datetime(2025, 10, 26, 2, 30, tzinfo=ZURICH)
moments = st.one_of(
    st.integers(-(10**7), 10**7).map(
        lambda s: (NOW.astimezone(UTC) + timedelta(seconds=s)).astimezone(ZURICH)
    ),
    st.sampled_from((twice, twice.replace(fold=1))),
)
priced_baskets = baskets(max_lines=10).filter(
    lambda lines: any(line.unit_price and line.discountable for line in lines)
)


def outcome(
    code: PromoCode | UnknownCode,
    lines: tuple[Line, ...] = (TICKET,),
    *,
    context: Context = SALE,
    policy: TotalsPolicy = TotalsPolicy(),
) -> CodeResult:
    (result,) = checkout_totals(lines, promo_codes=[code], context=context, policy=policy).promo_codes
    return result


def reason(result: CodeResult) -> RejectionReason | None:
    return result.reason if isinstance(result, RejectedCode) else None


def only_if(**conditions: Any) -> PromoCode:
    return replace(CODE, conditions=Conditions(**conditions))


# ---------------------------------------------------------------- scopes


@pytest.mark.parametrize("criterion", scope_criteria)
@given(data=st.data(), lines=baskets(min_lines=4, max_lines=20), context=contexts)
def test_every_criterion_selects_exactly_the_lines_that_meet_it(
    criterion: str, data: st.DataObject, lines: tuple[Line, ...], context: Context
) -> None:
    scope = replace(EVERYTHING, **{criterion: data.draw(scope_criteria[criterion])})
    free = tuple(line._replace(unit_price=100, floor_price=0, discountable=True) for line in lines)

    totals = checkout_totals(free, promo_codes=[PromoCode(code="A", kind=FREE, scope=scope)], context=context)

    discounted = {line.key for line in totals.lines if line.promo_code_discount}
    assert discounted == {line.key for line in free if is_in_scope(line, scope, context)}


# ---------------------------------------------------------------- every reason, constructed


# ---------------------------------------------------------------- time and party


@given(moments, moments, moments)
def test_a_code_is_valid_from_its_start_until_just_before_its_end(
    at: datetime, starts: datetime, ends: datetime
) -> None:
    result = outcome(only_if(starts_at=starts, ends_at=ends), context=replace(SALE, at=at))

    start, now, end = (moment.timestamp() for moment in (starts, at, ends))
    assert result.valid is (start <= now < end)
    if not result.valid:
        assert reason(result) is (RejectionReason.NOT_YET_VALID if now < start else RejectionReason.EXPIRED)


@given(moments, st.frozensets(st.integers(1, 7), min_size=1))
def test_weekdays_of_a_code_are_those_of_the_order(at: datetime, weekdays: frozenset[int]) -> None:
    result = outcome(only_if(weekdays=weekdays), context=replace(SALE, at=at))

    assert result.valid is (at.isoweekday() in weekdays)
    assert result.valid or reason(result) is RejectionReason.WRONG_DAY


# ---------------------------------------------------------------- minimums


@given(priced_baskets, st.integers(0, 500), st.integers(0, 5), members(ThresholdBase))
def test_a_minimum_is_reached_with_exactly_the_missing_amount(
    lines: tuple[Line, ...], money: int, units: int, base: ThresholdBase
) -> None:
    # For a single code, the spend is the list price in every base.
    counted = [line for line in lines if line.counted]
    threshold = Threshold(
        spend=sum(line.unit_price * line.quantity for line in counted) + money,
        quantity=sum(line.quantity for line in counted) + units,
    )
    code = replace(only_if(thresholds=(threshold,)), kind=FREE)

    def refused_with(more_money: int, more_units: int) -> CodeResult:
        more = [
            Line(900 + n, 0, 1, VatRate(parts_per_million=0), discountable=False) for n in range(more_units)
        ]
        if more:
            more[0] = more[0]._replace(unit_price=more_money)
        return outcome(code, (*lines, *more), policy=TotalsPolicy(threshold_base=base))

    result = outcome(code, lines, policy=TotalsPolicy(threshold_base=base))

    if money or units:
        assert result == RejectedCode(
            code, RejectionReason.MINIMUM_NOT_REACHED, Shortfall(spend=money, quantity=units)
        )
        assert reason(refused_with(money, max(units, 1))) is not RejectionReason.MINIMUM_NOT_REACHED
    if money:
        assert reason(refused_with(money - 1, max(units, 1))) is RejectionReason.MINIMUM_NOT_REACHED
    if units:
        assert reason(refused_with(money, units - 1)) is RejectionReason.MINIMUM_NOT_REACHED


# ---------------------------------------------------------------- codes as text


@given(st.text(), st.sampled_from((" {}", "{} ", "\t{}\n")))
def test_codes_compare_trimmed_and_upper_cased(text: str, spelling: str) -> None:
    assume(normalize_code(text))

    code = PromoCode(code=spelling.format(text), kind=FREE).code

    assert code == UnknownCode(text).code == normalize_code(text)
    assert code == normalize_code(code) == code.strip()


zones = st.sampled_from(
    ("Europe/Zurich", "Pacific/Apia", "Pacific/Kiritimati", "America/Santiago", "Africa/Cairo", "UTC")
)
clocks = st.one_of(
    zones.map(ZoneInfo),
    st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)
# Around the day that Apia skipped, and two nights with clock changes in Zurich.
turns = st.sampled_from(("2011-12-30T10:00", "2026-03-28T23:00", "2026-10-24T22:00", "2024-09-08T04:00"))
instants = st.builds(
    lambda turn, micros: datetime.fromisoformat(turn).replace(tzinfo=UTC) + timedelta(microseconds=micros),
    turns,
    st.one_of(st.integers(-1, 1), st.integers(-(10**11) * 2, 10**11 * 2)),
)


@given(
    start=instants, at=instants, zone=zones, visited=st.one_of(st.none(), zones), clock=clocks, other=clocks,
    weekdays=some(tuple(range(1, 8))), lead=st.integers(-2, 3),
)  # fmt: skip
def test_the_offset_in_which_an_instant_is_written_changes_no_price(
    start: datetime, at: datetime, zone: str, visited: str | None, clock: tzinfo, other: tzinfo,
    weekdays: frozenset[int], lead: int,
) -> None:  # fmt: skip
    visit = Interval(start, start + timedelta(hours=3))
    lines = [TICKET._replace(validity=visit, zone=visited)]
    rules = [
        AutomaticDiscount(id=1, kind=FREE, scope=Scope(weekdays=weekdays, min_lead_days=lead)),
        AutomaticDiscount(id=2, kind=Absolute(10), conditions=Conditions(weekdays=weekdays)),
    ]
    again = [lines[0]._replace(validity=Interval(*(bound.astimezone(clock) for bound in visit)))]

    found = checkout_totals(lines, automatic=rules, context=Context(at=at, zone=zone))
    written = checkout_totals(again, automatic=rules, context=Context(at=at.astimezone(other), zone=zone))

    assert [row.auto_discount_amount for row in written.lines] == [
        row.auto_discount_amount for row in found.lines
    ]
    ordered, first = local_day(at, zone), local_day(start, visited or zone)
    is_free = (first - ordered).days >= lead and (not weekdays or first.isoweekday() in weekdays)
    is_reduced = not weekdays or ordered.isoweekday() in weekdays
    assert found.auto_discount_amount == (10_000 if is_free else 10 if is_reduced else 0)
    assert pricing_lines(
        [line._replace(key=n, quantity=1) for n, line in enumerate((*lines, *again))]
    ).members == ((0, 1),)
