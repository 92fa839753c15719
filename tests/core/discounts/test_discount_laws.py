"""Laws of one discount alone: its amount and ``max_units``. Decisions §3.4, §3.6."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from faregate.basket.lines import Line
from faregate.basket.policy import Fairness, TotalsPolicy
from faregate.discounts.kinds import (
    ALWAYS,
    Absolute,
    Bundle,
    BuyXGetY,
    DiscountKind,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
)
from faregate.discounts.promo_codes import AppliedCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import SCALES, discount_kinds, promo_code, scales
from support.baskets.whole_checkouts import Sizes, checkouts
from support.oracles.naive_readings import Prices, taking
from support.oracles.stacking import in_key_order, room_of

KINDS: tuple[type[DiscountKind], ...] = (Percentage, Absolute, PerUnit, FixedPrice, BuyXGetY, Bundle)
CUSTOMER, MERCHANT = (TotalsPolicy(fairness=fairness) for fairness in (Fairness.CUSTOMER, Fairness.MERCHANT))
bare = Sizes(automatic=0, codes=0, vouchers=0)


@st.composite
def single_codes(draw: st.DrawFn, *kinds: type[DiscountKind], most_lines: int = 12) -> PricingRequest:
    """Draw a basket and one code, of one of *kinds*, whose conditions are met."""
    request = draw(checkouts(sizes=bare._replace(lines=most_lines), min_lines=1))
    dearest = max(line.unit_price for line in request.lines)
    code = draw(scales.flatmap(promo_code))
    kind = draw(discount_kinds(min(s for s in SCALES if s >= dearest), *kinds))
    code = replace(code, kind=kind, conditions=ALWAYS, uses_left=None, budget_left=None)
    return request._replace(promo_codes=(code,))


def the_code(request: PricingRequest) -> PromoCode:
    (code,) = request.promo_codes
    assert isinstance(code, PromoCode)
    return code


def taken_by_key(request: PricingRequest) -> tuple[dict[int, int], int]:
    """Return the amount that the code takes from every line, and the amount not applied."""
    totals = checkout_totals(
        request.lines, promo_codes=request.promo_codes, policy=request.policy, context=request.context
    )
    (result,) = totals.promo_codes
    assert [line.promo_code_discount for line in totals.lines] == list(
        result.shares if isinstance(result, AppliedCode) else [0] * len(request.lines)
    )
    unapplied = result.unapplied if isinstance(result, AppliedCode) else 0
    return {line.key: line.promo_code_discount for line in totals.lines}, unapplied


def prices_of(lines: list[Line]) -> Prices:
    listed = [line.unit_price * line.quantity for line in lines]
    return Prices(listed, room_of(lines, listed))


# ---------------------------------------------------------------- every kind


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_discount_takes_the_amount_of_its_definition(kind: type[DiscountKind], data: st.DataObject) -> None:
    request = data.draw(single_codes(kind))
    lines, code = in_key_order(request), the_code(request)

    shares, unapplied = taken_by_key(request)

    expected = taking(code, lines, prices_of(lines), code.max_amount, request.context, request.policy)
    assert [shares[line.key] for line in lines] == expected.shares
    if any(expected.shares):
        assert unapplied == expected.unapplied


# ---------------------------------------------------------------- groups, compared with single units

prices_of_few_units = st.lists(st.integers(0, 12), min_size=1, max_size=7)


def discount_on(
    prices: list[int], kind: DiscountKind, policy: TotalsPolicy, max_units: int | None = None
) -> int:
    """Return the amount that *kind* takes from single units."""
    lines = [
        Line(n, unit_price=price, quantity=1, rate=VatRate(parts_per_million=0))
        for n, price in enumerate(prices)
    ]
    code = PromoCode(code="A", kind=kind, max_units=max_units)
    return checkout_totals(lines, promo_codes=[code], policy=policy).promo_code_discount


def largest_gift(prices: list[int], buy: int, get: int) -> int:
    """Return the largest amount over all partitions into groups, each with its cheapest units free."""
    best = 0
    for group in combinations(range(len(prices)), buy + get):
        free = sum(sorted(prices[n] for n in group)[:get])
        rest = [price for n, price in enumerate(prices) if n not in group]
        best = max(best, free + largest_gift(rest, buy, get))
    return best


@given(prices_of_few_units, st.integers(1, 3), st.integers(1, 3))
def test_fair_to_the_customer_makes_as_much_free_as_any_grouping(
    prices: list[int], buy: int, get: int
) -> None:
    assert discount_on(prices, BuyXGetY(buy, get), CUSTOMER) == largest_gift(prices, buy, get)


# ---------------------------------------------------------------- max_units

counts = st.integers(1, 12)


def limited_to(request: PricingRequest, most: int | None) -> PricingRequest:
    """Return the same basket with its code limited to a number of units."""
    return request._replace(promo_codes=(replace(the_code(request), max_units=most),))


def units_as_lines(request: PricingRequest) -> PricingRequest:
    """Return the same units as single lines; units of a lower line have lower keys."""
    step = max(line.quantity for line in request.lines)
    return request._replace(
        lines=tuple(
            line._replace(key=step * place + n, quantity=1)
            for place, line in enumerate(sorted(request.lines, key=lambda line: line.key))
            for n in range(line.quantity)
        )
    )


@given(single_codes(), counts)
def test_at_most_max_units_get_cheaper(request: PricingRequest, most: int) -> None:
    assume(sum(line.quantity for line in request.lines) <= 60)
    taken, _ = taken_by_key(units_as_lines(limited_to(request, most)))

    assert sum(share > 0 for share in taken.values()) <= most


@given(single_codes(), counts, counts)
def test_a_higher_max_units_never_takes_less(request: PricingRequest, most: int, more: int) -> None:
    few, _ = taken_by_key(limited_to(request, most))
    many, _ = taken_by_key(limited_to(request, most + more))

    assert sum(few.values()) <= sum(many.values())


@given(single_codes(), st.integers(0, 3))
def test_max_units_of_at_least_all_units_change_nothing(request: PricingRequest, over: int) -> None:
    units = sum(line.quantity for line in request.lines)

    assert taken_by_key(limited_to(request, units + over)) == taken_by_key(limited_to(request, None))
