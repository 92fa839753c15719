"""Decisions §3.4, §3.6: how much one discount takes, told by a single code without anything beside it."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line
from faregate.basket.policy import Fairness, PercentRounding, TotalsPolicy
from faregate.discounts.kinds import (
    ALWAYS,
    EVERYTHING,
    Absolute,
    BuyXGetY,
    DiscountKind,
    FixedPrice,
    Level,
    Percentage,
    PerUnit,
    PromoCode,
)
from faregate.discounts.promo_codes import AppliedCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import PricingRequest, checkout_totals
from laws.oracles import MILLION, Prices, half_up, lines_in_scope, percent_of, taking
from laws.stacking_oracle import in_key_order, room_of
from strategies import SCALES, baskets, discount_kinds, members, percentages, promo_code, quantities, scales
from whole_checkouts import Sizes, checkouts

KINDS: tuple[type[DiscountKind], ...] = (Percentage, Absolute, PerUnit, FixedPrice, BuyXGetY)
CUSTOMER, MERCHANT = (TotalsPolicy(fairness=fairness) for fairness in (Fairness.CUSTOMER, Fairness.MERCHANT))
bare = Sizes(automatic=0, codes=0, vouchers=0)


@st.composite
def single_codes(draw: st.DrawFn, *kinds: type[DiscountKind], most_lines: int = 12) -> PricingRequest:
    """A basket and one code, of one of *kinds*, whose conditions are met."""
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


def uncapped(request: PricingRequest, **changes: Any) -> PromoCode:
    """The code without a cap on money or units, its kind changed."""
    code = the_code(request)
    return replace(code, kind=replace(code.kind, **changes), max_amount=None, max_units=None)


def taken_by_key(request: PricingRequest) -> tuple[dict[int, int], int]:
    """What the code takes of every line, and what it could not take."""
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


def scope_of(request: PricingRequest) -> list[Line]:
    lines = in_key_order(request)
    indices = lines_in_scope(lines, the_code(request).scope, request.context)
    return [lines[n] for n in indices if lines[n].discountable]


# ---------------------------------------------------------------- every kind


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_discount_takes_what_its_definition_says(kind: type[DiscountKind], data: st.DataObject) -> None:
    request = data.draw(single_codes(kind))
    lines, code = in_key_order(request), the_code(request)

    shares, unapplied = taken_by_key(request)

    expected = taking(code, lines, prices_of(lines), code.max_amount, request.context, request.policy)
    assert [shares[line.key] for line in lines] == expected.shares
    if any(expected.shares):
        assert unapplied == expected.unapplied


@given(single_codes())
def test_a_discount_touches_only_discountable_lines_in_scope(request: PricingRequest) -> None:
    shares, _ = taken_by_key(request)

    code = the_code(request)
    reachable = {line.key for line in scope_of(request)}
    if isinstance(code.kind, BuyXGetY) and code.kind.rewards is not None:
        rewards = replace(code, scope=code.kind.rewards)
        reachable = {line.key for line in scope_of(request._replace(promo_codes=(rewards,)))}
    assert {key for key, share in shares.items() if share} <= reachable


@given(single_codes(), st.integers(1, 500))
def test_a_capped_code_never_takes_more_than_its_cap(request: PricingRequest, cap: int) -> None:
    code = the_code(request)

    capped, _ = taken_by_key(request._replace(promo_codes=(replace(code, max_amount=cap),)))
    budgeted, _ = taken_by_key(request._replace(promo_codes=(replace(code, budget_left=cap),)))

    assert sum(capped.values()) <= cap
    assert sum(budgeted.values()) <= min(cap, code.max_amount or cap)


@given(single_codes())
def test_a_cap_takes_nothing_away_from_a_discount_below_it(request: PricingRequest) -> None:
    code = the_code(request)
    free, unapplied = taken_by_key(request._replace(promo_codes=(replace(code, max_amount=None),)))
    enough = sum(free.values()) + unapplied

    capped, _ = taken_by_key(request._replace(promo_codes=(replace(code, max_amount=enough + 1),)))

    assert capped == free


@given(single_codes())
def test_something_stays_unapplied_only_if_every_line_it_could_come_from_is_at_its_floor(
    request: PricingRequest,
) -> None:
    shares, unapplied = taken_by_key(request)

    code = the_code(request)
    if unapplied and isinstance(code.kind, (Absolute, Percentage)) and code.kind.level is Level.CART:
        for line in scope_of(request):
            left = line.unit_price * line.quantity - shares[line.key]
            assert left <= max(line.floor_price * line.quantity, 0) or not line.unit_price


# ---------------------------------------------------------------- percentages and amounts


@given(single_codes(Percentage))
def test_a_cart_percentage_is_rounded_once_on_the_sum(request: PricingRequest) -> None:
    code = uncapped(request, level=Level.CART)
    assert isinstance(code.kind, Percentage)

    shares, unapplied = taken_by_key(request._replace(promo_codes=(code,)))

    total = sum(line.unit_price * line.quantity for line in scope_of(request))
    if any(shares.values()):
        wanted = percent_of(total, code.kind.parts_per_million, request.policy)
        assert sum(shares.values()) + unapplied == wanted


@given(single_codes(Percentage))
def test_a_line_percentage_is_of_the_line_and_never_per_unit(request: PricingRequest) -> None:
    code = uncapped(request, level=Level.LINE)
    assert isinstance(code.kind, Percentage)

    shares, _ = taken_by_key(request._replace(promo_codes=(code,)))

    for line in scope_of(request):
        listed, floor = line.unit_price * line.quantity, line.floor_price * line.quantity
        wanted = percent_of(listed, code.kind.parts_per_million, request.policy)
        assert shares[line.key] == min(wanted, max(0, listed - floor))


@given(baskets(), percentages)
def test_percent_rounding_decides_which_side_of_a_line_is_rounded(
    lines: tuple[Line, ...], parts: int
) -> None:
    code = PromoCode(code="A", kind=Percentage(parts_per_million=parts, level=Level.LINE))
    free = [line._replace(floor_price=0, discountable=True) for line in lines]
    of_discount, of_price = (
        checkout_totals(free, promo_codes=[code], policy=TotalsPolicy(percent_rounding=rounding))
        for rounding in (PercentRounding.DISCOUNT, PercentRounding.PRICE)
    )

    for line, first, second in zip(free, of_discount.lines, of_price.lines, strict=True):
        listed = line.unit_price * line.quantity
        assert first.promo_code_discount == half_up(Fraction(listed * parts, MILLION))
        assert second.total_gross == half_up(Fraction(listed * (MILLION - parts), MILLION))


@given(single_codes(Absolute))
def test_a_cart_amount_is_taken_whole_as_far_as_prices_and_floors_allow(request: PricingRequest) -> None:
    code = uncapped(request, level=Level.CART)
    assert isinstance(code.kind, Absolute)

    shares, unapplied = taken_by_key(request._replace(promo_codes=(code,)))

    prices = [line.unit_price * line.quantity for line in scope_of(request)]
    room = sum(room_of(scope_of(request), prices))
    assert sum(shares.values()) == min(code.kind.amount, room)
    if any(shares.values()):
        assert sum(shares.values()) + unapplied == min(code.kind.amount, sum(prices))


@given(single_codes(Absolute))
def test_a_line_amount_is_taken_of_every_line(request: PricingRequest) -> None:
    code = uncapped(request, level=Level.LINE)
    assert isinstance(code.kind, Absolute)

    shares, _ = taken_by_key(request._replace(promo_codes=(code,)))

    for line in scope_of(request):
        (room,) = room_of([line], [line.unit_price * line.quantity])
        assert shares[line.key] == min(code.kind.amount, room)


@given(single_codes(PerUnit))
def test_a_discount_per_unit_is_that_often_but_never_more_than_the_line(request: PricingRequest) -> None:
    code = uncapped(request)
    assert isinstance(code.kind, PerUnit)

    shares, _ = taken_by_key(request._replace(promo_codes=(code,)))

    for line in scope_of(request):
        (room,) = room_of([line], [line.unit_price * line.quantity])
        assert shares[line.key] == min(code.kind.amount * line.quantity, room)


@given(single_codes(FixedPrice))
def test_a_fixed_price_per_unit_never_raises_a_price(request: PricingRequest) -> None:
    code = uncapped(request, group_size=1)
    assert isinstance(code.kind, FixedPrice)

    shares, _ = taken_by_key(request._replace(promo_codes=(code,)))

    for line in scope_of(request):
        left = line.unit_price * line.quantity - shares[line.key]
        assert left == max(
            min(line.unit_price, code.kind.price) * line.quantity,
            min(line.floor_price, line.unit_price) * line.quantity,
        )


# ---------------------------------------------------------------- groups, against single units

prices_of_few_units = st.lists(st.integers(0, 12), min_size=1, max_size=7)


def discount_on(
    prices: list[int], kind: DiscountKind, policy: TotalsPolicy, max_units: int | None = None
) -> int:
    """What *kind* takes from single units."""
    lines = [
        Line(n, unit_price=price, quantity=1, rate=VatRate(parts_per_million=0))
        for n, price in enumerate(prices)
    ]
    code = PromoCode(code="A", kind=kind, max_units=max_units)
    return checkout_totals(lines, promo_codes=[code], policy=policy).promo_code_discount


def largest_gift(prices: list[int], buy: int, get: int) -> int:
    """The most that whole groups can make free, if in each the cheapest units are free: all partitions."""
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


@given(prices_of_few_units, st.integers(1, 3), st.integers(1, 3))
def test_fair_to_the_merchant_makes_the_cheapest_units_free(prices: list[int], buy: int, get: int) -> None:
    free = len(prices) // (buy + get) * get

    assert discount_on(prices, BuyXGetY(buy, get), MERCHANT) == sum(sorted(prices)[:free])


@given(prices_of_few_units, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_at_most_so_many_groups_are_given(prices: list[int], buy: int, get: int, at_most: int) -> None:
    for policy in (CUSTOMER, MERCHANT):
        limited = discount_on(prices, BuyXGetY(buy, get, at_most=at_most), policy)
        free, dearest = at_most * get, sorted(prices, reverse=True)
        assert limited <= min(discount_on(prices, BuyXGetY(buy, get), policy), sum(dearest[:free]))
        if len(prices) // (buy + get) <= at_most:
            assert limited == discount_on(prices, BuyXGetY(buy, get), policy)


@given(prices_of_few_units, st.integers(1, 3), st.integers(1, 3), percentages)
def test_a_reduced_unit_is_reduced_by_the_percentage_of_a_free_one(
    prices: list[int], buy: int, get: int, parts: int
) -> None:
    for policy in (CUSTOMER, MERCHANT):
        free = discount_on(prices, BuyXGetY(buy, get), policy)
        reduced = discount_on(prices, BuyXGetY(buy, get, parts), policy)
        assert reduced == percent_of(free, parts, policy)


@given(prices_of_few_units, st.integers(0, 20), st.integers(2, 4))
def test_a_bundle_prices_the_dearest_or_the_cheapest_units_of_whole_groups(
    prices: list[int], price: int, size: int
) -> None:
    dearest, groups = sorted(prices, reverse=True), len(prices) // size
    bundles = [sum(dearest[n * size : (n + 1) * size]) for n in range(groups)]
    cheapest = sum(sorted(prices)[: groups * size])

    bundle = FixedPrice(price, size)
    assert discount_on(prices, bundle, CUSTOMER) == sum(max(0, worth - price) for worth in bundles)
    assert discount_on(prices, bundle, MERCHANT) == max(0, cheapest - price * groups)


@given(single_codes(BuyXGetY, FixedPrice), members(Fairness))
def test_a_line_of_many_units_is_worth_as_many_lines_of_one(
    request: PricingRequest, fairness: Fairness
) -> None:
    # No floors, no cap: then units share a group discount as their line does, but for odd units.
    changes = {"rewards": None} if isinstance(the_code(request).kind, BuyXGetY) else {"group_size": 3}
    code = replace(uncapped(request, **changes), scope=EVERYTHING)
    policy = TotalsPolicy(fairness=fairness)
    free = [line._replace(floor_price=0) for line in request.lines]
    units = [line._replace(key=100 * line.key + n, quantity=1) for line in free for n in range(line.quantity)]

    together = checkout_totals(free, promo_codes=[code], policy=policy)
    apart = checkout_totals(units, promo_codes=[code], policy=policy)

    assert together.promo_code_discount == apart.promo_code_discount


@given(
    st.integers(0, 10**6), st.one_of(quantities, st.integers(1, 10**12)), st.integers(1, 9), st.integers(1, 9)
)
def test_groups_are_counted_without_expanding_units(price: int, quantity: int, buy: int, get: int) -> None:
    line = Line(1, unit_price=price, quantity=quantity, rate=VatRate(parts_per_million=0))
    code = PromoCode(code="A", kind=BuyXGetY(buy, get))

    for policy in (CUSTOMER, MERCHANT):
        totals = checkout_totals([line], promo_codes=[code], policy=policy)
        assert totals.promo_code_discount == quantity // (buy + get) * get * price
