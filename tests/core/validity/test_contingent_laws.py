"""Laws of held units in price steps and of the contingent of a step, compared with a scan of all rules."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.list_prices.test_pricing_laws import (
    CALENDAR,
    FIRST,
    PISTE,
    a_product,
    amount_of,
    occasions,
    products,
    sold_by_day,
    sold_places,
)
from faregate.catalogue.pools import Counting, PoolSlot, PoolUsage, PoolUse
from faregate.catalogue.price_rules import PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.list_prices.price import ListPriceQuery
from faregate.validity.contingents import step_contingent
from support.oracles.list_prices import Reader

HELD = 3  # on each day, in ``amount_of``
MOST = 14
"""Units tried if no step follows: more than any rule requires."""


@given(products, occasions, sold_places)
def test_held_units_count_as_sold_if_and_only_if_the_product_counts_them(
    product: Product, occasion: ListPriceQuery, sold: list[int]
) -> None:
    counting = replace(product, counts_holds=True)
    taken = [number + HELD for number in sold]

    assert amount_of(counting, occasion, sold) == amount_of(product, occasion, taken)
    assert (
        amount_of(counting, occasion, sold)
        == Reader(product, occasion, calendar=CALENDAR, sold=sold_by_day(taken)).amount()
    )


_ladders = st.lists(
    st.builds(
        PriceRule,
        st.integers(0, 9).map(lambda n: n * 1000),
        duration=st.sampled_from((None, None, Duration(days=2))),
        min_sold=st.integers(1, 12),
    ),
    max_size=3,
)


@given(
    _ladders,
    st.sampled_from((None, PriceSteps(step=1, every=4), PriceSteps(step=1, every=5, ceiling=2))),
    st.integers(1, 3),
    sold_places,
    st.sampled_from(Counting),
    st.integers(0, 3),
)
def test_all_units_of_a_contingent_have_the_same_price(
    ladder: list[PriceRule],
    steps: PriceSteps | None,
    length: int,
    sold: list[int],
    counting: Counting,
    units: int,
) -> None:
    product = a_product(PriceModel.STEPPED, [PriceRule(5000), *ladder], steps=steps)
    variant = replace(product.variants[0], uses=((PISTE, units),))
    product = replace(product, pools=(PoolUse(PISTE, counting),), variants=(variant,))
    capacity = {PoolSlot(PISTE, day): PoolUsage(count, HELD) for day, count in sold_by_day(sold).items()}
    occasion = ListPriceQuery(Duration(days=length), FIRST)

    left = step_contingent(variant, occasion, product=product, calendar=CALENDAR, capacity=capacity)

    counted = {Counting.EACH_DAY: length, Counting.FIRST_DAY: 1, Counting.NONE: 0}[counting]
    amounts = set()
    for k in range(MOST if left is None else left):
        then = [count + units * k if n < counted else count for n, count in enumerate(sold)]
        amounts.add(Reader(product, occasion, calendar=CALENDAR, sold=sold_by_day(then)).amount())
    assert left is None or left >= 1
    assert len(amounts) == 1
