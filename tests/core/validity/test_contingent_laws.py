"""Laws of held units in price steps and of the contingent of a step, compared with a scan of all rules."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.list_prices.test_pricing_laws import (
    CALENDAR,
    PISTE,
    amount_of,
    occasions,
    products,
    sold_by_day,
    sold_places,
)
from faregate.catalogue.pools import Counting, PoolSlot, PoolUsage, PoolUse
from faregate.catalogue.products import Product
from faregate.list_prices.price import ListPriceQuery
from faregate.validity.contingents import step_contingent
from support.oracles.list_prices import DAY, Reader

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


@given(products, occasions, sold_places, st.sampled_from(Counting), st.booleans(), st.integers(0, 3))
def test_all_units_of_a_contingent_have_the_same_price(
    product: Product,
    occasion: ListPriceQuery,
    sold: list[int],
    counting: Counting,
    counts_holds: bool,
    units: int,
) -> None:
    variant = replace(product.variants[0], uses=((PISTE, units),))
    product = replace(
        product, pools=(PoolUse(PISTE, counting),), counts_holds=counts_holds, variants=(variant,)
    )
    days = sold_by_day(sold)
    capacity = {PoolSlot(PISTE, day): PoolUsage(number, HELD) for day, number in days.items()}

    left = step_contingent(variant, occasion, product=product, calendar=CALENDAR, capacity=capacity)

    first, length = occasion.first_day, occasion.duration.days if occasion.duration else 1
    amounts = set()
    for k in range(MOST if left is None else left):
        then = {}
        for day, number in days.items():
            is_taken = first is not None and first <= day < first + max(length, 1) * DAY
            if counting is Counting.NONE or (counting is Counting.FIRST_DAY and day != first):
                is_taken = False
            then[day] = number + HELD * counts_holds + units * k * is_taken
        amounts.add(Reader(product, occasion, calendar=CALENDAR, sold=then).amount())
    assert left is None or left >= 1
    assert len(amounts) == 1
