"""Laws of scopes and conditions: lines selected, codes refused and their reasons. Decisions §3.5, §3.7."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line, pricing_lines
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    AutomaticDiscount,
    Conditions,
    DiscountLevel,
    Percentage,
    PromoCode,
    Scope,
)
from faregate.money.amounts import MILLION
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals
from support.baskets.strategies import (
    baskets,
    contexts,
    scope_criteria,
    some,
)
from support.oracles.naive_readings import is_in_scope, local_day

FREE = Percentage(parts_per_million=MILLION, level=DiscountLevel.LINE)
TICKET = Line(1, unit_price=5000, quantity=2, rate=VatRate.percent("8.1"), product=11)
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


# ---------------------------------------------------------------- codes as text


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
