"""Laws of ``max_units``: the units that one use of a code makes cheaper. Decisions §3.4."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from core.discounts.test_discount_laws import discount_on, single_codes, taken_by_key, the_code
from faregate.basket.lines import Line
from faregate.basket.policy import Fairness, TotalsPolicy
from faregate.discounts.kinds import (
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
)
from faregate.discounts.promo_codes import AppliedCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import members, percentages
from support.oracles.naive_readings import MILLION, half_up

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


# ---------------------------------------------------------------- against single units

few_lines = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 4)), min_size=1, max_size=4)


@given(
    few_lines,
    counts,
    st.one_of(
        st.builds(PerUnit, st.integers(1, 8)),
        st.builds(FixedPrice, st.integers(0, 8)),
        st.builds(Percentage, parts_per_million=percentages, level=members(DiscountLevel)),
    ),
    members(Fairness),
)
def test_a_code_takes_the_sum_of_its_chosen_units(
    priced: list[tuple[int, int]], most: int, kind: PerUnit | FixedPrice | Percentage, fairness: Fairness
) -> None:
    rate = VatRate(parts_per_million=0)
    basket = [Line(n, price, units, rate) for n, (price, units) in enumerate(priced)]
    units = [(price, n) for n, (price, count) in enumerate(priced) for _ in range(count) if price]
    sign = -1 if fairness is Fairness.CUSTOMER else 1
    chosen = sorted(units, key=lambda unit: (sign * unit[0], unit[1]))[:most]

    (result,) = checkout_totals(
        basket,
        promo_codes=[PromoCode(code="A", kind=kind, max_units=most)],
        policy=TotalsPolicy(fairness=fairness),
    ).promo_codes

    of_lines = [[price for price, line in chosen if line == n] for n in range(len(priced))]
    if isinstance(kind, Percentage) and kind.level is DiscountLevel.CART:
        assert result.total_amount == half_up(percent_of(kind, sum(price for price, _ in chosen)))
    else:
        shares = [lost(kind, prices) for prices in of_lines]
        taken = list(result.shares) if isinstance(result, AppliedCode) else [0] * len(priced)
        assert taken == shares


def percent_of(kind: Percentage, amount: int) -> Fraction:
    return Fraction(amount * kind.parts_per_million, MILLION)


def lost(kind: PerUnit | FixedPrice | Percentage, prices: list[int]) -> int:
    """Return the discount of these units of one line."""
    if isinstance(kind, Percentage):
        return half_up(percent_of(kind, sum(prices)))
    if isinstance(kind, PerUnit):
        return sum(min(kind.amount, price) for price in prices)
    return sum(max(0, price - kind.price) for price in prices)


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=8),
    counts,
    st.one_of(
        st.builds(BuyXGetY, st.integers(1, 3), st.integers(1, 3)),
        st.builds(FixedPrice, st.integers(0, 12), st.integers(2, 4)),
    ),
    members(Fairness),
)
def test_a_group_rule_makes_whole_groups_within_max_units_cheaper(
    prices: list[int], most: int, kind: BuyXGetY | FixedPrice, fairness: Fairness
) -> None:
    policy, units = TotalsPolicy(fairness=fairness), prices
    if isinstance(kind, BuyXGetY):
        groups = most // kind.get
        same: DiscountKind = replace(kind, at_most=max(groups, 1))
    else:
        groups, same = most // kind.group_size, kind
        units = sorted(prices, reverse=fairness is Fairness.CUSTOMER)[: groups * kind.group_size]

    limited = discount_on(prices, kind, policy, max_units=most)

    assert limited == (discount_on(units, same, policy) if groups else 0)
