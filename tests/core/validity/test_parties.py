"""A party: units of several variants that must fit together. Decisions §8.4.

The mountain has 9 units, the park 3. An adult takes 1 unit of the mountain, a family 4, a combined ticket 1
of each pool, a child none.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.catalogue.price_rules import PriceRule
from faregate.errors import InvalidInput
from faregate.validity.bookability import Obstacle
from faregate.validity.offered_prices import offered_prices
from faregate.validity.offers import PriceRange, ValidityOption
from faregate.validity.options import ValidityQuery, next_available, validity_options
from support.shops.booking_shop import (
    ADULT,
    CHILD,
    COMBO,
    DAY,
    FAMILY,
    MONTH,
    PARK,
    TICKET,
    shop,
    ticket,
    variant,
)
from support.shops.offered_tickets import HILL, MONDAY, NOW, ON_MONDAY

IN_THE_PARK = PoolSlot(PARK, MONDAY)


def query(party: Any, **more: Any) -> ValidityQuery:
    return ValidityQuery(TICKET, MONDAY, MONDAY, durations=(DAY,), party=party, **more)


def option(party: Mapping[int, int], taken: Mapping[PoolSlot, PoolUsage] = {}) -> ValidityOption:
    (found,) = validity_options(query(party), catalogue=HILL, capacity=taken, now=NOW).options
    return found


def test_units_of_a_shared_pool_are_added() -> None:
    assert option({ADULT: 5, FAMILY: 1}).is_available  # 5 + 4 = 9
    assert option({ADULT: 6, FAMILY: 1}).obstacle is Obstacle.SOLD_OUT
    assert option({ADULT: 5, FAMILY: 1}, {ON_MONDAY: PoolUsage(held=1)}).obstacle is Obstacle.SOLD_OUT


def test_a_party_needs_places_for_all_its_variants() -> None:
    for party, count in (({ADULT: 6, COMBO: 3}, 1), ({ADULT: 2, COMBO: 4}, 0)):  # the park has three
        available = query(party, only_available=True)
        assert len(validity_options(available, catalogue=HILL, capacity={}, now=NOW).options) == count


def test_the_total_adds_the_price_of_each_unit() -> None:
    found = option({ADULT: 2, FAMILY: 1, CHILD: 3})

    assert [(unit.variant, unit.price, unit.quantity) for unit in found.units] == [
        (ADULT, 8000, 2),
        (FAMILY, 20000, 1),
        (CHILD, 0, 3),
    ]
    assert found.total == 36000
    assert found.price == PriceRange(0, 20000)
    assert [(row.variant, row.price, row.quantity) for row in found.rows()] == [
        (ADULT, 8000, 2),
        (FAMILY, 20000, 1),
        (CHILD, 0, 3),
    ]


def test_without_a_party_there_is_no_total() -> None:
    one = ValidityQuery(TICKET, MONDAY, MONDAY, variants=(ADULT,), quantity=2, durations=(DAY,))

    (found,) = validity_options(one, catalogue=HILL, capacity={}, now=NOW).options

    assert (found.total, found.units[0].quantity) == (None, 2)


@pytest.mark.parametrize(
    ("party", "bottleneck"),
    [
        pytest.param({ADULT: 3, COMBO: 3}, IN_THE_PARK, id="no combined ticket is left beyond the party"),
        pytest.param({ADULT: 2, COMBO: 4}, IN_THE_PARK, id="one combined ticket too many"),
        pytest.param({CHILD: 9}, None, id="nothing is limited"),
    ],
)
def test_the_bottleneck_limits_the_variant_with_the_least_to_spare(
    party: dict[int, int], bottleneck: PoolSlot | None
) -> None:
    assert option(party).bottleneck == bottleneck


def test_a_period_without_a_price_for_one_variant_is_not_offered() -> None:
    monthly = ticket(variant(ADULT), variant(CHILD, PriceRule(4000, DAY)), durations=[DAY, MONTH])
    both = ValidityQuery(TICKET, MONDAY, MONDAY, party={ADULT: 1, CHILD: 1})
    catalogue = shop(monthly)

    found = validity_options(both, catalogue=catalogue, capacity={}, now=NOW).options

    assert [(entry.duration, entry.total) for entry in found] == [(DAY, 12000)]


# ---------------------------------------------------------------- invalid parties


@pytest.mark.parametrize(
    ("party", "more", "messages"),
    [
        ({}, {}, ["expected units keyed by variant id, such as {101: 2}, got {}"]),
        ([(ADULT, 2)], {}, ["expected units keyed by variant id, such as {101: 2}, got [(101, 2)]"]),
        ({ADULT: True}, {}, ["expected at least 1 unit of variant 101, got True"]),
        ({ADULT: 1.0}, {}, ["expected at least 1 unit of variant 101, got 1.0"]),
        ({ADULT: 1}, {"variants": (ADULT,)}, ["expected neither variants nor a quantity beside a party"]),
        ({ADULT: 1}, {"quantity": 2}, ["expected neither variants nor a quantity beside a party"]),
        (
            {ADULT: -1, 7: 2, CHILD: None},
            {"quantity": 2},
            [
                "expected neither variants nor a quantity beside a party",
                "expected at least 1 unit of variant 101, got -1",
                "unknown variant 7 of product 11",
                "expected at least 1 unit of variant 102, got None",
            ],
        ),
    ],
)
def test_an_invalid_party_is_refused_with_all_errors(
    party: Any, more: dict[str, Any], messages: list[str]
) -> None:
    with pytest.raises(InvalidInput) as caught:
        validity_options(query(party, **more), catalogue=HILL, capacity={}, now=NOW)

    assert [issue.message for issue in caught.value.issues] == messages
    assert {issue.loc for issue in caught.value.issues} == {("party",)}


def test_the_next_period_refuses_an_invalid_party() -> None:
    with pytest.raises(InvalidInput, match="unknown variant 7 of product 11"):
        next_available(HILL.product(TICKET), catalogue=HILL, capacity={}, now=NOW, party={7: 1})


def test_a_party_has_no_single_price_to_compare() -> None:
    with pytest.raises(InvalidInput, match=r"expected a single variant, got the party \{101: 2\}"):
        offered_prices(query({ADULT: 2}), catalogue=HILL, capacity={}, now=NOW)


def test_queries_with_a_party_can_be_compared_and_hashed() -> None:
    assert query({ADULT: 2}) == query({ADULT: 2}) != query({ADULT: 3})
    assert hash(query({ADULT: 2})) == hash(query({ADULT: 2}))
