"""Laws of gate prices: they are list prices, and never higher for fewer days. Decisions §9."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from fractions import Fraction
from operator import attrgetter
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from faregate.arguments.fields import field_names
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel, ChannelType
from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import Variant
from faregate.dates.durations import Duration
from faregate.errors import InvalidAccessRequest, IssueCode, UnknownEntry
from faregate.gate.price import GatePrice, gate_price
from faregate.gate.requests import GateRequest
from faregate.list_prices.price import ListPriceQuery, list_price
from faregate.money.amounts import MILLION
from support.booking.strategies import Situation, situations
from support.gate.strategies import (
    FIRST,
    LONGEST,
    ONE_DAY,
    Sale,
    amounts,
    catalogues,
    possible,
    price_lists,
    sales,
    tiers,
    with_ids,
)
from support.oracles.list_prices import half_up
from support.shops.booking_shop import shop, ticket, variant

_WITHOUT_PRICE = {IssueCode.NO_PRICE, IssueCode.INVALID_VALIDITY}


def charged(catalogue: Catalogue, sale: Sale, days: int | None = 1, **changes: Any) -> GatePrice | None:
    """Return the gate price, if there is one."""
    try:
        return gate_price(sale.request(days, **changes), catalogue=catalogue, sold=sale.sold)
    except InvalidAccessRequest as error:
        if any(fault.code not in _WITHOUT_PRICE for fault in error.issues):
            raise
        return None


def listed(catalogue: Catalogue, sale: Sale, duration: Duration | None) -> int | None:
    product = catalogue.products[0]
    occasion = ListPriceQuery(duration, sale.first, sale.first - sale.lead_days * ONE_DAY)
    with suppress(UnknownEntry):
        return list_price(
            product.variants[0], occasion, product=product, calendar=catalogue.calendar, capacity=sale.sold
        ).amount
    return None


def lengths(catalogue: Catalogue) -> list[int]:
    """Return the valid numbers of days: up to the longest rung, and the product's durations."""
    product = catalogue.products[0]
    rungs = [rule.duration for rule in product.variants[0].prices if rule.duration]
    longest = max((rung.days for rung in rungs if rung == Duration(days=rung.days)), default=0)
    of_days = {length.days for length in product.durations if length == Duration(days=length.days)}
    return sorted({*range(1, longest + 1), *of_days})


@given(catalogues(), sales)
def test_the_price_is_the_lowest_for_at_least_the_requested_days(catalogue: Catalogue, sale: Sale) -> None:
    known = lengths(catalogue)

    for days in range(1, LONGEST + 2):
        prices = [listed(catalogue, sale, Duration(days=more)) for more in known if more >= days]
        found = charged(catalogue, sale, days)
        if days in known:
            expected = min((price for price in prices if price is not None), default=None)
            assert (found and found.unit_price) == expected
        else:
            assert found is None


@given(catalogues(), sales, price_lists, st.booleans())
def test_a_tariff_prices_as_if_its_prices_were_the_variants_own(
    catalogue: Catalogue, sale: Sale, prices: list[PriceRule], is_online: bool
) -> None:
    product = catalogue.products[0]
    entry = product.variants[0]
    prices = possible(prices, product.price_model)
    lasting = {rule.duration: None for rule in (*entry.prices, *prices) if rule.duration}
    tariff = AccessTariff(tuple(prices), is_online=False, steps=entry.steps)

    def with_variant(changed: Variant) -> Catalogue:
        sold = replace(product, variants=(changed,), durations=(*lasting,))
        return replace(catalogue, products=(sold,))

    by_tariff = with_variant(replace(entry, access_tariffs=(tariff,)))
    by_itself = with_variant(entry if is_online else replace(entry, prices=tuple(prices)))
    for days in (None, 1, 2, 3):
        found = charged(by_tariff, sale, days, is_online_pos=is_online)
        assert (found and replace(found, tariff=None)) == charged(by_itself, sale, days)


@given(amounts, tiers, st.integers(1, 13) | st.integers(1, MILLION), sales)
def test_the_reduction_of_a_tier_is_rounded_once_in_the_total(
    amount: int, steps: tuple[QuantityTier, ...], quantity: int, sale: Sale
) -> None:
    product = ticket(with_ids(variant(1, PriceRule(amount))))
    found = charged(shop(replace(product, quantity_tiers=steps)), sale, quantity=quantity)

    total = amount * quantity
    for tier in sorted(steps, key=attrgetter("min_quantity")):
        if tier.min_quantity <= quantity:
            exact = Fraction(amount * quantity * (MILLION - tier.parts_per_million), MILLION)
            total = min(amount * quantity, half_up(exact, tier.increment))
    assert found is not None
    assert (found.unit_price, found.calculated_price) == (amount, total)


channels = st.lists(
    st.builds(
        lambda basis, sold: Channel(
            uuid=f"{basis} {sold}",
            name="Shop",
            type=ChannelType.WEB,
            currency=sold[0],
            policy=TotalsPolicy(price_basis=basis),
            products=frozenset(sold[1:]),
        ),
        st.sampled_from((PriceBasis.NET, PriceBasis.NET, PriceBasis.GROSS)),
        st.sampled_from((("CHF",), ("CHF", 11), ("CHF", 12), ("EUR",))),
    ),
    max_size=3,
    unique_by=lambda channel: channel.uuid,
)


@given(catalogues(), sales, channels, st.integers(1, 50))
def test_a_net_price_is_converted_to_gross_per_unit(
    catalogue: Catalogue, sale: Sale, sellers: list[Channel], quantity: int
) -> None:
    before = charged(catalogue, sale, None)
    product = catalogue.products[0]
    other = replace(product, id=12, slug="other", variants=())
    sold = replace(catalogue, products=(product, other), channels=tuple(sellers))
    after = charged(sold, sale, None, quantity=quantity)

    bases = [
        seller.policy.price_basis
        for seller in sellers
        if seller.currency == "CHF" and (not seller.products or product.id in seller.products)
    ]
    is_net = PriceBasis.NET in bases and PriceBasis.GROSS not in bases
    rate = product.variants[0].rate.parts_per_million if is_net else 0
    assert (before is None) is (after is None)
    if before is not None and after is not None:
        assert after.unit_price == half_up(Fraction(before.unit_price * (MILLION + rate), MILLION), 1)
        assert after.calculated_price == quantity * after.unit_price


def at_gates(situation: Situation) -> Catalogue:
    product = situation.product
    known = tuple(map(with_ids, product.variants))
    return replace(situation.catalogue, products=(replace(product, variants=known),))


@st.composite
def cases(draw: DrawFn) -> tuple[Catalogue, GateRequest]:
    """Draw a ticket on days with clock changes, and a request for one of its variants by its dta ids."""
    situation = draw(situations())
    start = situation.anchor + draw(st.integers(-3, 5)) * ONE_DAY
    days = draw(st.none() | st.integers(0, 3))
    name = draw(st.sampled_from(situation.product.variants)).id
    ordered = start - draw(st.integers(0, 9)) * ONE_DAY
    end = None if days is None else start + days * ONE_DAY
    quantity = draw(st.integers(1, 9))
    return at_gates(situation), GateRequest(
        valid_from=start,
        order_date=ordered,
        quantity=quantity,
        currency_code="CHF",
        valid_to=end,
        dta_product_id=name,
        dta_consumer_category=name,
    )


def outcome(request: GateRequest, catalogue: Catalogue) -> GatePrice | tuple[object, ...]:
    try:
        return gate_price(request, catalogue=catalogue)
    except InvalidAccessRequest as error:
        return error.issues


@given(cases())
def test_ids_and_repetition_make_no_difference(
    case: tuple[Catalogue, GateRequest],
) -> None:
    catalogue, by_dta = case
    name = str(by_dta.dta_product_id)
    both = replace(by_dta, system_product_id=name, system_consumer_category=name)
    by_system = replace(both, dta_product_id=None, dta_consumer_category=None)

    first = outcome(by_dta, catalogue)
    assert outcome(both, catalogue) == outcome(by_system, catalogue) == first == outcome(by_dta, catalogue)
    assert outcome(by_dta, replace(catalogue)) == first


@given(cases())
def test_without_a_ladder_one_unit_costs_its_list_price(case: tuple[Catalogue, GateRequest]) -> None:
    catalogue, request = case
    product, entry = catalogue.variant(request.dta_product_id or 0)
    found = outcome(replace(request, valid_to=None, quantity=1), catalogue)

    if any(rule.duration for rule in entry.prices) or not isinstance(found, GatePrice):
        return
    assert isinstance(request.valid_from, date)
    occasion = ListPriceQuery(product.durations[0], request.valid_from)
    expected = list_price(entry, occasion, product=product, calendar=catalogue.calendar)
    assert found.list_price == expected
    assert found.unit_price == found.calculated_price == expected.amount


@given(cases())
def test_the_steps_of_a_trace_add_up_to_its_figures(case: tuple[Catalogue, GateRequest]) -> None:
    catalogue, request = case
    found = outcome(request, catalogue)

    if isinstance(found, GatePrice):
        trace = found.trace
        assert trace.amount("unit_price") == found.unit_price
        assert trace.amount("calculated_price") == found.calculated_price
        assert {figure for figure, _ in trace.figures()} == {"list_price", "unit_price", "calculated_price"}


_zone = ZoneInfo("Europe/Zurich")
_anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from((10**5000, -(10**5000), 1, 0, 2)),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(("2027-01-28", "9999-12-31", "0001-01-01", "2027-01-28T24:00", "P1", "CHF")),
    st.dates(),
    st.datetimes(),
    st.datetimes(timezones=st.sampled_from((UTC, _zone))),
    st.sampled_from(
        (datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=_zone), date.min, date.max)
    ),
    st.lists(st.integers(), max_size=2),
    st.binary(max_size=4),
    st.just({}),
)
_changes = st.dictionaries(
    st.sampled_from(field_names(GateRequest)), _anything, max_size=len(field_names(GateRequest))
)
_anytime = Sale(FIRST, 3, {})
SIMPLE = shop(ticket(with_ids(variant(1))))


@given(_changes)
def test_no_value_of_any_type_raises_an_unexpected_error(changes: dict[str, Any]) -> None:
    found = outcome(replace(_anytime.request(), **changes), SIMPLE)

    if isinstance(found, GatePrice):
        assert found.unit_price == 8000
        assert found.calculated_price == 8000 * found.quantity
    else:
        assert found
