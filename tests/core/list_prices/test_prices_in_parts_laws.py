"""Capped prices compared with every way to split their days, by brute force. Decisions §8.5."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from core.list_prices.test_pricing_laws import amount_of, occasions, priced, products, sold_places
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.list_prices.price import ListPriceQuery
from support.oracles.list_prices import DAY


def in_parts(days: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to split that many days into consecutive shorter validities."""
    for first in range(1, days):
        for rest in ((days - first,), *in_parts(days - first)):
            yield first, *rest


@given(products, occasions, sold_places, st.integers(2, 5), st.sets(st.integers(1, 4)))
def test_with_prices_in_parts_several_days_never_cost_more_than_single_days(
    product: Product, occasion: ListPriceQuery, sold: list[int], days: int, sold_lengths: set[int]
) -> None:
    durations = (*(Duration(days=length) for length in sold_lengths), Duration.parse("PT4H"))
    product = replace(product, durations=durations)
    capped = replace(product, never_above_single_days=True)
    occasion = occasion._replace(duration=Duration(days=days))

    def part(offset: int, length: int) -> ListPriceQuery:
        begins = occasion.first_day and occasion.first_day + offset * DAY
        return occasion._replace(duration=Duration(days=length), first_day=begins)

    whole = amount_of(product, occasion, sold)
    ways = [whole] if whole is not None else []
    for lengths in in_parts(days):
        offsets = accumulate(lengths, initial=0)
        amounts = [
            amount_of(product, part(offset, length), sold)
            for offset, length in zip(offsets, lengths, strict=False)
        ]
        if whole is not None and sold_lengths.issuperset(lengths) and None not in amounts:
            ways.append(sum(amount for amount in amounts if amount is not None))

    assert amount_of(capped, occasion, sold) == min(ways, default=None)
    if whole is not None:
        price = priced(capped, occasion, sold)
        assert price.trace().amount("list_price") == price.amount
        assert price.before_reduction == sum(each.before_reduction for each in price.parts or (price,))
