"""Gate prices by tariffs, tiers and taxes, and their traces. Decisions §9."""

from dataclasses import replace
from datetime import date

import pytest

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.catalogue.channels import Channel, ChannelType
from faregate.catalogue.entries import Merchant
from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.catalogue.price_rules import PriceModel, PriceRule, PriceSteps
from faregate.gate.price import GatePrice, gate_price
from faregate.tax.changes import RateChange
from faregate.tax.rates import VatRate
from faregate.trace import StepKind
from support.shops.booking_shop import ADULT, DAY, THREE_DAYS
from support.shops.gate_shop import SATURDAY, SUNDAY, asked, price, resort

SIMPLE = resort()
LADDER = resort(PriceRule(10_000, DAY), PriceRule(17_000, THREE_DAYS), durations=(DAY, THREE_DAYS))

TARIFFS = (
    AccessTariff((PriceRule(7000),), is_online=False, is_depot=True),
    AccessTariff((PriceRule(9000),), is_online=False),
    AccessTariff((PriceRule(6000),), is_depot=True),
)


@pytest.mark.parametrize(
    ("is_online", "is_depot", "unit_price"),
    [
        (None, None, 8000),
        (True, False, 8000),
        (True, None, 8000),
        (False, None, 9000),
        (False, False, 9000),
        (False, True, 7000),
        (None, True, 6000),
        (True, True, 6000),
    ],
)
def test_the_first_tariff_for_a_sale_replaces_the_prices(
    is_online: bool | None, is_depot: bool | None, unit_price: int
) -> None:
    catalogue = resort(tariffs=TARIFFS, allows_depot=True)

    assert price(catalogue, asked(is_online_pos=is_online, depot_flag=is_depot)) == unit_price
    assert price(catalogue, asked(dta_consumer_category=2, is_online_pos=is_online)) == 3000


def test_a_tariff_has_a_ladder_and_steps_of_its_own() -> None:
    steps = PriceSteps(step=100, every=1)
    catalogue = resort(
        PriceRule(8000),
        model=PriceModel.STEPPED,
        sold_pool="mountain",
        durations=(DAY, THREE_DAYS),
        tariffs=(
            AccessTariff((PriceRule(9000), PriceRule(12_000, THREE_DAYS)), is_online=False, steps=steps),
        ),
    )
    sold = {PoolSlot("mountain", date(2027, 1, 9)): PoolUsage(2)}

    def at_the_gate(last: str) -> int:
        request = asked(SATURDAY, last, is_online_pos=False)
        return gate_price(request, catalogue=catalogue, sold=sold).unit_price

    assert [at_the_gate(last) for last in (SATURDAY, SUNDAY)] == [9200, 12_000]
    assert gate_price(asked(), catalogue=catalogue, sold=sold).unit_price == 8000


def test_both_pairs_of_ids_share_the_same_variants() -> None:
    catalogue = resort(tariffs=TARIFFS, allows_depot=True)

    by_dta, by_system = catalogue.access_point((1, 1)), catalogue.access_point(("P1", "A"))
    assert by_dta is by_system
    assert by_dta is not None
    assert by_dta.offers[True, False].variant is catalogue.variant(ADULT)[1]
    assert by_dta.offers[False, False].variant.prices is TARIFFS[1].prices


@pytest.mark.parametrize(
    ("quantity", "total"),
    [
        (1, 8005),
        (9, 72_045),  # 96000, rounded, would be higher
        (10, 72_050),  # 72045
        (19, 136_900),  # 136885.5
        (20, 80_050),
        (1_000_000, 4_002_500_000),
    ],
)
def test_the_highest_tier_reached_reduces_the_total_and_rounds_once(quantity: int, total: int) -> None:
    tiers = (
        QuantityTier(10, 100_000, increment=50),
        QuantityTier(20, 500_000),
        QuantityTier(2, 1, increment=48_000),
    )
    catalogue = resort(PriceRule(8005), quantity_tiers=tiers)

    found = gate_price(asked(quantity=quantity), catalogue=catalogue)

    assert (found.unit_price, found.calculated_price) == (8005, total)


def channel(basis: PriceBasis, *products: int, currency: str = "CHF") -> Channel:
    return Channel(
        uuid=f"{basis.value} {products} {currency}",
        name=basis.value,
        type=ChannelType.WEB,
        currency=currency,
        policy=TotalsPolicy(price_basis=basis),
        products=frozenset(products),
    )


GROSS, NET = PriceBasis.GROSS, PriceBasis.NET


@pytest.mark.parametrize(
    ("channels", "unit_price"),
    [
        ((), 8005),
        ((channel(GROSS),), 8005),
        ((channel(NET),), 8653),  # 8005 * 1.081 = 8653.405
        ((channel(NET), channel(NET, 11)), 8653),
        ((channel(NET), channel(GROSS, 12)), 8653),
        ((channel(NET), channel(GROSS, currency="EUR")), 8653),
        ((channel(NET), channel(GROSS, 11)), 8005),
        ((channel(NET, 12),), 8005),
        ((channel(NET, currency="EUR"),), 8005),
    ],
)
def test_a_price_that_is_net_on_every_channel_is_converted_per_unit(
    channels: tuple[Channel, ...], unit_price: int
) -> None:
    sold = resort(PriceRule(8005))
    other = replace(sold.products[0], id=12, slug="other", variants=())
    catalogue = replace(sold, products=(*sold.products, other), channels=channels)

    found = gate_price(asked(quantity=1000), catalogue=catalogue)

    assert (found.unit_price, found.calculated_price) == (unit_price, 1000 * unit_price)


@pytest.mark.parametrize("has_validity", [True, False])
def test_a_net_price_has_the_rate_of_its_day(*, has_validity: bool) -> None:
    sold = resort(PriceRule(8005))
    adult = sold.products[0].variants[0]
    on_sunday = RateChange(since=date.fromisoformat(SUNDAY), rate=VatRate.percent(10))
    variant = replace(adult, rate_changes=(on_sunday,))
    product = replace(sold.products[0], variants=(variant,), has_validity=has_validity)
    catalogue = replace(sold, products=(product,), channels=(channel(NET),))

    def unit_price(day: str) -> int:
        return gate_price(asked(day, order_date=day), catalogue=catalogue).unit_price

    assert (unit_price(SATURDAY), unit_price(SUNDAY)) == (8653, 8806)  # 8005 * 1.1 = 8805.5


def test_the_currency_is_that_of_the_merchant() -> None:
    catalogue = replace(SIMPLE, merchants=(Merchant("lifts", timezone="Asia/Tokyo", currency="JPY"),))

    assert gate_price(asked(currency_code="JPY"), catalogue=catalogue).currency == "JPY"


def told(found: GatePrice) -> list[tuple[str, StepKind, str, int, str]]:
    trace = found.trace
    assert trace.amount("list_price") == found.list_price.amount
    assert trace.amount("unit_price") == found.unit_price
    assert trace.amount("calculated_price") == found.calculated_price
    return [(step.figure, step.rule, step.source, step.amount, step.note) for step in trace]


def test_a_gate_price_has_its_steps() -> None:
    found = gate_price(asked(SATURDAY, SUNDAY, quantity=4), catalogue=LADDER)

    assert told(found) == [
        ("list_price", StepKind.LIST_PRICE, "P3D", 17_000, ""),
        ("unit_price", StepKind.CARRIED, "list_price", 17_000, ""),
        ("calculated_price", StepKind.CARRIED, "unit_price", 68_000, "4 × 17000"),
    ]


def test_a_price_has_steps_for_tax_tariff_and_tier() -> None:
    catalogue = replace(
        resort(tariffs=TARIFFS, allows_depot=True, quantity_tiers=(QuantityTier(10, 75_000, increment=50),)),
        channels=(channel(NET),),
    )

    found = gate_price(asked(quantity=10, is_online_pos=False), catalogue=catalogue)
    assert told(found) == [
        ("list_price", StepKind.LIST_PRICE, "", 9000, ""),
        ("unit_price", StepKind.CARRIED, "list_price", 9000, "tariff: not online"),
        ("unit_price", StepKind.VAT, "8.1 %", 729, ""),
        ("calculated_price", StepKind.CARRIED, "unit_price", 97_290, "10 × 9729"),
        ("calculated_price", StepKind.QUANTITY_TIER, "at least 10 units", -7290, "7.5 % off"),
    ]


@pytest.mark.parametrize(
    ("tariff", "words"),
    [
        (AccessTariff((PriceRule(1),)), "tariff: all sales"),
        (
            AccessTariff((PriceRule(1),), is_online=True, is_depot=False),
            "tariff: online, not kept at the gate",
        ),
        (AccessTariff((PriceRule(1),), is_depot=False), "tariff: not kept at the gate"),
    ],
)
def test_a_tariff_is_described_by_its_sales(tariff: AccessTariff, words: str) -> None:
    found = gate_price(asked(), catalogue=resort(tariffs=(tariff,)))

    assert told(found)[1][-1] == words


def test_a_tariff_for_tickets_kept_at_the_gate_is_described() -> None:
    catalogue = resort(tariffs=TARIFFS[:1], allows_depot=True)

    found = gate_price(asked(is_online_pos=False, depot_flag=True), catalogue=catalogue)

    assert told(found)[1][-1] == "tariff: not online, kept at the gate"


def test_a_variant_without_ids_is_unknown_at_gates() -> None:
    catalogue = resort(PriceRule(8000))
    unknown = replace(catalogue.products[0].variants[1], external_ids=())
    product = replace(catalogue.products[0], variants=(catalogue.products[0].variants[0], unknown))
    catalogue = replace(catalogue, products=(product,))

    assert catalogue.access_point((1, 1)) is not None
    assert catalogue.access_point((1, 2)) is None
