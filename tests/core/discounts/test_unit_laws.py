"""Laws of automatic discounts per unit: a basket bought in parts is not cheaper. Decisions §3.2."""

from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line, pricing_lines
from faregate.discounts.kinds import (
    EVERYTHING,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    Scope,
)
from faregate.tax.rates import VatRate
from faregate.totals.items import item_totals
from faregate.totals.pipeline import checkout_totals
from support.oracles.units import MILLION, most_gain
from support.shops.small_shop import VISITS

prices = st.sampled_from((10, 20, 25, 40, 50, 99))
scopes = st.just(EVERYTHING) | st.builds(
    Scope, lines=st.frozensets(st.integers(1, 4), min_size=1, max_size=3)
)
parts = st.sampled_from((100_000, 333_333, 500_000, MILLION))
limits = st.sampled_from((None, 1, 2))
bundle_parts = st.lists(st.builds(BundlePart, scopes, st.integers(1, 2)), min_size=1, max_size=3).map(tuple)
kinds: st.SearchStrategy[DiscountKind] = st.one_of(
    st.builds(Percentage, parts_per_million=parts, level=st.just(DiscountLevel.LINE)),
    st.builds(PerUnit, st.integers(1, 30)),
    st.builds(FixedPrice, st.integers(0, 60)),
    st.builds(FixedPrice, st.integers(0, 150), st.integers(2, 4)),
    st.builds(BuyXGetY, st.integers(1, 3), st.integers(1, 2), parts, limits),
    st.builds(
        BuyXGetY, st.integers(1, 3), st.integers(1, 2), parts, st.sampled_from((None, 1)), rewards=scopes
    ),
    st.builds(Bundle, parts=bundle_parts, price=st.integers(0, 150), at_most=limits),
    st.builds(Bundle, parts=bundle_parts, parts_per_million=parts, at_most=limits),
)

UNTAXED = VatRate(parts_per_million=0)
days = st.none() | st.sampled_from(VISITS)


@st.composite
def several_rules(draw: st.DrawFn) -> list[AutomaticDiscount]:
    drawn = draw(st.lists(st.tuples(kinds, scopes, st.integers(0, 1)), min_size=1, max_size=4))
    return [
        AutomaticDiscount(id=n, kind=kind, scope=scope, priority=priority)
        for n, (kind, scope, priority) in enumerate(drawn)
    ]


@st.composite
def few_units(draw: st.DrawFn) -> list[Line]:
    quantities = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4).filter(lambda own: sum(own) <= 8))
    return [
        Line(key, draw(prices), quantity, UNTAXED, validity=draw(days), zone="UTC")
        for key, quantity in enumerate(quantities, start=1)
    ]


@given(few_units(), several_rules())
def test_no_other_grouping_of_units_takes_more(lines: list[Line], rules: list[AutomaticDiscount]) -> None:
    totals = checkout_totals(lines, automatic=rules)

    # Half a minor unit per rounding: for each rule in each line, and for each group rule in the basket
    slack = len(rules) * (len(lines) + 1) * MILLION // 2
    assert totals.automatic_is_exact
    assert abs(totals.auto_discount_amount * MILLION - most_gain(lines, rules)) <= slack


unlimited = several_rules().map(
    lambda rules: [
        rule for rule in rules if not isinstance(rule.kind, BuyXGetY | Bundle) or rule.kind.at_most is None
    ]
)


@given(few_units(), unlimited, st.data())
def test_a_basket_bought_in_parts_is_not_cheaper(
    lines: list[Line], rules: list[AutomaticDiscount], data: st.DataObject
) -> None:
    first = [data.draw(st.integers(0, line.quantity)) for line in lines]
    parts_of_it = [
        [line._replace(quantity=n) for line, n in zip(lines, numbers, strict=True) if n]
        for numbers in (first, [line.quantity - n for line, n in zip(lines, first, strict=True)])
    ]

    whole = checkout_totals(lines, automatic=rules).total_gross
    in_parts = sum(checkout_totals(part, automatic=rules).total_gross for part in parts_of_it)

    # A percentage is rounded once in each line of each part.
    assert in_parts >= whole - sum(len(part) * len(rules) for part in parts_of_it)


@given(few_units(), several_rules(), st.integers(2, 60))
def test_many_units_are_discounted_at_least_as_well_as_few(
    lines: list[Line], rules: list[AutomaticDiscount], times: int
) -> None:
    # Multiplied units take at least the multiplied best, and at most the amount of single units.
    many = [line._replace(quantity=line.quantity * times) for line in lines]
    free = [
        rule for rule in rules if not isinstance(rule.kind, BuyXGetY | Bundle) or rule.kind.at_most is None
    ]

    once, often = (checkout_totals(own, automatic=free) for own in (lines, many))

    slack = (times + 1) * len(free) * (len(lines) + 1)
    assert not often.automatic_is_exact or (
        often.auto_discount_amount >= times * once.auto_discount_amount - slack
    )


@given(few_units(), several_rules())
def test_every_item_has_one_discount_of_its_line(lines: list[Line], rules: list[AutomaticDiscount]) -> None:
    single = [line._replace(quantity=1) for line in lines for _ in range(line.quantity)]
    joined = pricing_lines([line._replace(key=key) for key, line in enumerate(single, start=1)])
    totals = checkout_totals(joined.lines, automatic=rules)

    items = iter(item_totals(totals, joined.members))

    for line in totals.lines:
        own = [next(items) for _ in range(line.quantity)]
        assert sum(units for _, units, _ in line.auto_discounts) <= line.quantity
        assert sum(amount for *_, amount in line.auto_discounts) == line.auto_discount_amount
        for discount, units, amount in line.auto_discounts:
            taken = [item.auto_discount_amount for item in own if item.auto_discount == discount]
            assert (len(taken), sum(taken)) == (min(units, amount), amount)
