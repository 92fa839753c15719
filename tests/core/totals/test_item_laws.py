"""Laws of items: joined into pricing lines, whose figures are shared over the items. Decisions §3.1."""

from datetime import UTC, datetime
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line, PricingLines, pricing_lines
from faregate.basket.policy import PriceBasis
from faregate.dates.instants import Interval
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import ZURICH, items
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.naive_readings import exact_gross, exact_net, hamilton, largest_remainder

AMOUNTS = (
    "list_price_gross",
    "list_price_net",
    "auto_discount_amount",
    "promo_code_discount",
    "total_discount_gross",
    "total_discount_net",
    "total_gross",
    "total_net",
)
few = Sizes(lines=24, automatic=3, codes=4, vouchers=0)
of_items = checkouts(sizes=few, min_lines=2, line_quantities=st.just(1))


def priced_items(request: PricingRequest) -> tuple[PricingLines, CheckoutTotals, tuple[LineTotals, ...]]:
    """Draw the lines of a checkout, with their totals and the totals of the items."""
    joined = pricing_lines(request.lines)
    totals = priced(request._replace(lines=joined.lines))
    return joined, totals, item_totals(totals, joined.members)


def by_line(joined: PricingLines, of: tuple[LineTotals, ...]) -> list[list[LineTotals]]:
    found = {item.key: item for item in of}
    return [[found[key] for key in ids] for ids in joined.members]


def totals_in_basis(of: list[LineTotals], request: PricingRequest) -> list[int]:
    in_net = request.policy.price_basis is PriceBasis.NET
    return [item.total_net if in_net else item.total_gross for item in of]


def discounts_in_basis(of: list[LineTotals], request: PricingRequest) -> list[int]:
    in_net = request.policy.price_basis is PriceBasis.NET
    return [item.total_discount_net if in_net else item.total_discount_gross for item in of]


@given(items())
def test_lines_hold_every_item_once_under_its_lowest_id(given_items: tuple[Line, ...]) -> None:
    joined = pricing_lines(given_items)

    assert sorted(key for ids in joined.members for key in ids) == sorted(item.key for item in given_items)
    for line, ids in zip(joined.lines, joined.members, strict=True):
        assert list(ids) == sorted(ids)
        assert (line.key, line.quantity) == (ids[0], len(ids))
    assert [line.key for line in joined.lines] == sorted(line.key for line in joined.lines)


@given(items(max_items=10))
def test_two_items_share_a_line_if_and_only_if_they_differ_only_in_id(
    given_items: tuple[Line, ...],
) -> None:
    joined = pricing_lines(given_items)

    line_of = {key: ids for ids in joined.members for key in ids}
    for one, other in combinations(given_items, 2):
        alike = one._replace(key=0) == other._replace(key=0)
        assert (line_of[one.key] == line_of[other.key]) is alike


@given(items(), st.randoms(use_true_random=False))
def test_the_order_of_items_is_irrelevant_to_lines(given_items: tuple[Line, ...], random: Random) -> None:
    shuffled = list(given_items)
    random.shuffle(shuffled)

    assert pricing_lines(shuffled) == pricing_lines(given_items)


@given(items().filter(bool))
def test_the_order_of_items_does_not_affect_the_first_day_of_a_line(
    given_items: tuple[Line, ...],
) -> None:
    # Half past eleven at night in UTC is the next day in Zurich, and the same instant.
    in_utc = Interval(datetime(2026, 3, 27, 23, 30, tzinfo=UTC), datetime(2026, 3, 28, 23, tzinfo=UTC))
    local = Interval(*(instant.astimezone(ZURICH) for instant in in_utc))
    pair = [
        given_items[0]._replace(key=100 + n, validity=validity) for n, validity in enumerate((in_utc, local))
    ]

    first_days = [
        [line.validity.first_day for line in pricing_lines(order).lines if line.validity]
        for order in (pair, pair[::-1])
    ]

    assert first_days[0] == first_days[1]


@given(of_items)
def test_items_of_a_line_sum_to_the_line_in_every_figure(request: PricingRequest) -> None:
    joined, totals, of = priced_items(request)

    for line, its_items in zip(totals.lines, by_line(joined, of), strict=True):
        for amount in AMOUNTS:
            assert sum(getattr(item, amount) for item in its_items) == getattr(line, amount), amount


@given(of_items)
def test_identities_hold_for_every_item(request: PricingRequest) -> None:
    _, _, of = priced_items(request)

    for item in of:
        assert item.total_gross == item.list_price_gross - item.total_discount_gross
        assert item.total_net == item.list_price_net - item.total_discount_net
        assert 0 <= item.total_discount_gross <= item.list_price_gross
        assert 0 <= item.total_discount_net <= item.list_price_net
        assert 0 <= item.total_net <= item.total_gross
        assert item.total_net == 0 or item.total_gross > 0
        assert 0 <= item.total_discount_net <= item.total_discount_gross
        assert item.rate.parts_per_million or item.total_net == item.total_gross
        assert (item.auto_discount is None) is (item.auto_discount_amount == 0)
        assert min(item.auto_discount_amount, item.promo_code_discount) >= 0
    assert discounts_in_basis(list(of), request) == [
        item.auto_discount_amount + item.promo_code_discount for item in of
    ]


@given(of_items)
def test_an_item_has_its_unit_price_its_rate_and_the_discount_of_its_line(
    request: PricingRequest,
) -> None:
    joined, totals, of = priced_items(request)

    given_items = {item.key: item for item in request.lines}
    in_net = request.policy.price_basis is PriceBasis.NET
    for line, its_items in zip(totals.lines, by_line(joined, of), strict=True):
        for item in its_items:
            listed = item.list_price_net if in_net else item.list_price_gross
            assert listed == given_items[item.key].unit_price
            assert (item.rate, item.quantity) == (given_items[item.key].rate, 1)
            assert item.auto_discount in {None, *(own.discount for own in line.auto_discounts)}


@given(of_items)
def test_no_item_is_taken_below_its_floor_price(request: PricingRequest) -> None:
    _, _, of = priced_items(request)

    given_items = {item.key: item for item in request.lines}
    for item, total in zip(of, totals_in_basis(list(of), request), strict=True):
        assert total >= min(given_items[item.key].floor_price, given_items[item.key].unit_price)


@given(of_items)
def test_discounts_are_shared_by_remaining_prices_in_the_order_applied(request: PricingRequest) -> None:
    joined, totals, of = priced_items(request)

    codes = [result for result in totals.promo_codes if isinstance(result, AppliedCode)]
    for n, (line, its_items) in enumerate(zip(joined.lines, by_line(joined, of), strict=True)):
        won = totals.lines[n].auto_discounts
        automatic = [share for _, units, amount in won for share in hamilton(amount, [1] * units)]
        automatic += [0] * (line.quantity - len(automatic))
        left = [line.unit_price - share for share in automatic]
        for code in sorted(codes, key=lambda result: result.position):
            left = [price - share for price, share in zip(left, hamilton(code.shares[n], left), strict=True)]
        assert [item.auto_discount_amount for item in its_items] == automatic
        assert totals_in_basis(its_items, request) == left


@given(of_items)
def test_the_other_side_of_a_line_is_given_back_to_its_items(request: PricingRequest) -> None:
    joined, totals, of = priced_items(request)

    in_net = request.policy.price_basis is PriceBasis.NET
    exact, other = (exact_gross, "gross") if in_net else (exact_net, "net")
    for line, its_items in zip(totals.lines, by_line(joined, of), strict=True):
        for figure, amounts in (
            (f"total_{other}", totals_in_basis(its_items, request)),
            (f"total_discount_{other}", discounts_in_basis(its_items, request)),
        ):
            expected = largest_remainder(
                [exact(amount, line.rate) for amount in amounts], getattr(line, figure)
            )
            assert [getattr(item, figure) for item in its_items] == expected


# ---------------------------------------------------------------- §3.9


@given(of_items, st.randoms(use_true_random=False))
def test_permuting_items_only_permutes_their_results(request: PricingRequest, random: Random) -> None:
    shuffled = list(request.lines)
    random.shuffle(shuffled)

    _, totals, of = priced_items(request)
    _, other, other_of = priced_items(request._replace(lines=tuple(shuffled)))

    assert other._replace(request=totals.request) == totals
    assert {item.key: item for item in other_of} == {item.key: item for item in of}


@given(of_items, st.randoms(use_true_random=False))
def test_the_order_of_members_within_a_line_is_irrelevant(request: PricingRequest, random: Random) -> None:
    joined, totals, of = priced_items(request)
    shuffled = [random.sample(ids, len(ids)) for ids in joined.members]

    assert item_totals(totals, shuffled) == of
