"""Laws of bundles: brute force over all sets of units, order of lines, split lines. Decisions §3.6."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line
from faregate.basket.policy import Fairness, TotalsPolicy
from faregate.dates.instants import Interval
from faregate.discounts.kinds import AutomaticDiscount, Bundle, BundlePart, Scope
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals
from support.oracles.units import MILLION, most_gain
from support.shops.small_shop import VISITS

UNTAXED = VatRate(parts_per_million=0)
products = st.integers(1, 2)
parts = st.lists(
    st.builds(
        BundlePart,
        st.sampled_from([Scope(products=frozenset(own)) for own in ((1,), (2,), (1, 2))]),
        st.sampled_from((1, 1, 2)),
    ),
    min_size=2,
    max_size=3,
).map(tuple)
limits = st.sampled_from((None, 1, 2))
at_a_price = st.builds(Bundle, parts=parts, price=st.integers(20, 120), at_most=limits)
in_percent = st.builds(Bundle, parts=parts, parts_per_million=st.integers(101, MILLION), at_most=limits)
bundles = st.builds(replace, at_a_price | in_percent, same_day=st.booleans())
DAYS: list[list[Interval | None]] = [[None], [*VISITS[:1]], [*VISITS], [None, *VISITS]]
days = st.sampled_from(DAYS)
policies = st.sampled_from(Fairness).map(lambda fairness: TotalsPolicy(fairness=fairness))


@st.composite
def baskets(draw: st.DrawFn) -> list[Line]:
    """Draw up to eight units in up to four lines."""
    quantities = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4).filter(lambda own: sum(own) <= 8))
    own_days = draw(days)
    return [
        Line(
            key,
            draw(st.sampled_from((0, 10, 20, 25, 50, 99))),
            quantity,
            UNTAXED,
            product=draw(products),
            validity=draw(st.sampled_from(own_days)),
            zone="UTC",
        )
        for key, quantity in enumerate(quantities, start=1)
    ]


def by_key(rule: Bundle, lines: list[Line]) -> Bundle:
    """Return *rule* with the keys of the lines instead of their products, as the oracle reads scopes."""
    found = [
        frozenset(line.key for line in lines if line.product in part.scope.products) or frozenset({0})
        for part in rule.parts
    ]
    parts = tuple(
        BundlePart(Scope(lines=keys), part.units) for keys, part in zip(found, rule.parts, strict=True)
    )
    return replace(rule, parts=parts)


def discounts(lines: list[Line], kind: Bundle, policy: TotalsPolicy) -> dict[int, int]:
    totals = checkout_totals(lines, automatic=[AutomaticDiscount(id=1, kind=kind)], policy=policy)
    return {line.key: line.auto_discount_amount for line in totals.lines}


@given(baskets(), bundles)
def test_no_other_units_in_bundles_would_save_more(lines: list[Line], kind: Bundle) -> None:
    most = most_gain(lines, [AutomaticDiscount(id=1, kind=by_key(kind, lines))])

    # A price is exact; a percentage is rounded half up, once.
    assert sum(discounts(lines, kind, TotalsPolicy()).values()) == (most + MILLION // 2) // MILLION


@given(baskets(), bundles, policies, st.data())
def test_a_line_split_in_two_saves_the_same(
    lines: list[Line], kind: Bundle, policy: TotalsPolicy, data: st.DataObject
) -> None:
    several = [line for line in lines if line.quantity > 1] or [lines[0]._replace(quantity=2)]
    line = data.draw(st.sampled_from(several))
    first = data.draw(st.integers(1, line.quantity - 1))
    rest = [other for other in lines if other.key != line.key]
    split = [line._replace(quantity=first), line._replace(key=9, quantity=line.quantity - first)]

    in_one, in_two = (discounts([*rest, *own], kind, policy) for own in ([line], split))

    assert sum(in_two.values()) == sum(in_one.values())


@given(baskets(), bundles, policies)
def test_a_basket_of_one_day_does_not_depend_on_the_day(
    lines: list[Line], kind: Bundle, policy: TotalsPolicy
) -> None:
    together = [line._replace(validity=lines[0].validity) for line in lines]

    on_any_day = discounts(lines, replace(kind, same_day=False), policy)

    assert discounts(together, replace(kind, same_day=True), policy) == on_any_day
