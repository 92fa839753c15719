"""Strategies for tickets at a gate, with and without price ladders, and for requests."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from faregate.catalogue.calendars import DayPattern, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.gate_rules import QuantityTier
from faregate.catalogue.pools import Pool, PoolSlot, PoolUsage
from faregate.catalogue.price_rules import Degression, PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import ExternalId, Variant
from faregate.dates.durations import Duration
from faregate.gate.requests import GateRequest
from faregate.money.amounts import MILLION
from faregate.tax.rates import VatRate
from support.booking.strategies import distinct
from support.shops.booking_shop import shop, ticket, variant

ONE_DAY = timedelta(days=1)
FIRST = date(2027, 1, 28)  # a Thursday
LONGEST = 10
PISTE = "piste"

amounts = st.integers(0, 12).map(lambda hundreds: 100 * hundreds) | st.integers(0, 3000)
_lengths = st.integers(1, LONGEST).map(lambda days: Duration(days=days))
_others = st.sampled_from([Duration(months=1), Duration(seconds=14_400), Duration(days=1, seconds=7200)])
_days = st.sampled_from(
    [
        *[DayPattern()] * 4,
        DayPattern(weekdays=frozenset({4, 5})),
        DayPattern(weekdays=frozenset({6, 7})),
        DayPattern(dates=(Span(FIRST, FIRST + 2 * ONE_DAY),)),
    ]
)
_rules = st.builds(
    lambda amount, duration, when, ahead, sold: PriceRule(
        amount, duration, discount_card=None, when=when, min_lead_days=ahead, min_sold=sold
    ),
    amounts,
    st.none() | _lengths | _lengths | _others,
    _days,
    st.sampled_from((0, 0, 0, 3)),
    st.sampled_from((0, 0, 0, 5)),
)
_steps = st.builds(
    PriceSteps,
    step=st.sampled_from((0, 1, 250)),
    every=st.integers(1, 4),
    floor=st.sampled_from((0, 40)),
    ceiling=st.sampled_from((None, 900)),
    ratchet=st.booleans(),
)
_degressions = st.builds(
    Degression,
    st.lists(st.sampled_from((MILLION, 900_000, 333_333, 0)), min_size=1, max_size=4).map(tuple),
    st.sampled_from((1, 5, 100)),
)
price_lists = st.lists(_rules, min_size=1, max_size=9)
_rates = st.sampled_from((0, 26_000, 81_000, 333_333))


def with_ids(entry: Variant) -> Variant:
    """Return the variant with its gate ids."""
    kinds = ("dta_product_id", "dta_consumer_category", "system_product_id", "system_consumer_category")
    return replace(
        entry, external_ids=tuple(ExternalId(system="gate", kind=kind, value=str(entry.id)) for kind in kinds)
    )


def possible(prices: Iterable[PriceRule], model: PriceModel) -> list[PriceRule]:
    """Return the distinct *prices* without the conditions that *model* does not support."""
    if model is PriceModel.STATIC:
        prices = [replace(rule, when=DayPattern()) for rule in prices]
    if model is not PriceModel.STEPPED:
        prices = [replace(rule, min_lead_days=0, min_sold=0) for rule in prices]
    return distinct(prices)


@st.composite
def catalogues(draw: DrawFn) -> Catalogue:
    """Draw a ticket of any price model, with rungs for some days only, missing, or out of price order."""
    model = draw(st.sampled_from(PriceModel))
    prices = possible(draw(price_lists), model)
    durations = {rule.duration: None for rule in prices if rule.duration}
    more = draw(st.lists(_lengths, max_size=2, unique=True))
    entry = replace(with_ids(variant(1, *prices)), rate=VatRate(parts_per_million=draw(_rates)))
    if model is PriceModel.STEPPED:
        entry = replace(entry, steps=draw(st.none() | _steps))
    product = replace(
        ticket(entry, durations=[*durations, *more], price_model=model),
        sold_pool=PISTE if model is PriceModel.STEPPED else None,
        degression=None if model is PriceModel.STATIC else draw(st.none() | _degressions),
    )
    return shop(product, pools=[Pool(identifier=PISTE, size=None)])


class Sale(NamedTuple):
    """The first day of a ticket, the days between order and first day, and the units sold."""

    first: date
    lead_days: int
    sold: dict[PoolSlot, PoolUsage]

    def request(self, days: int | None = 1, **changes: Any) -> GateRequest:
        return replace(
            GateRequest(
                valid_from=self.first,
                order_date=self.first - self.lead_days * ONE_DAY,
                quantity=1,
                currency_code="CHF",
                valid_to=None if days is None else self.first + (days - 1) * ONE_DAY,
                dta_product_id=1,
                dta_consumer_category=1,
            ),
            **changes,
        )


sales = st.builds(
    lambda offset, ahead, sold: Sale(
        FIRST + offset * ONE_DAY,
        ahead,
        {PoolSlot(PISTE, FIRST + n * ONE_DAY): PoolUsage(count) for n, count in enumerate(sold)},
    ),
    st.integers(0, 9),
    st.integers(0, 5),
    st.lists(st.integers(0, 9), min_size=20, max_size=20),
)

tiers = st.lists(
    st.builds(
        QuantityTier,
        st.integers(2, 12) | st.integers(2, MILLION),
        st.sampled_from((1, 500_000, MILLION)) | st.integers(1, MILLION),
        increment=st.sampled_from((1, 5, 50, 10**6)),
    ),
    max_size=4,
    unique_by=lambda tier: tier.min_quantity,
).map(tuple)
