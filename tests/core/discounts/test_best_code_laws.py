"""``CodeOrder.BEST`` compared with all ordered selections by brute force. Decisions §3.3."""

from datetime import UTC, datetime
from random import Random

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, Fairness, PercentRounding, Stacking, ThresholdBase, TotalsPolicy
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    ALWAYS,
    EVERYTHING,
    Absolute,
    BuyXGetY,
    Conditions,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.baskets.reading import after_auto
from support.effort import share_of
from support.oracles.stacking import promo_codes

pytestmark = pytest.mark.search
_CONTEXT = Context(at=datetime(2026, 1, 1, tzinfo=UTC))
_SOME = Scope(products=frozenset({1}))


def a_kind(random: Random) -> DiscountKind:
    level = random.choice(list(DiscountLevel))
    kinds: list[DiscountKind] = [
        Percentage(parts_per_million=random.randint(101, 600_000), level=level),
        Absolute(random.randint(1, 900), level),
        PerUnit(random.randint(1, 200)),
        FixedPrice(random.randint(100, 900)),
        FixedPrice(random.randint(300, 2000), random.randint(2, 3)),
        BuyXGetY(random.randint(1, 2), 1),
    ]
    return random.choice(kinds)


def a_code(random: Random, number: int) -> PromoCode:
    has_minimum = random.random() < 0.2
    return PromoCode(
        code=f"C{number}",
        kind=a_kind(random),
        lane=random.randint(0, 1),
        exclusive=random.random() < 0.1,
        scope=random.choice([EVERYTHING, EVERYTHING, _SOME]),
        max_amount=random.choice([None, None, 300]),
        max_units=random.choice([None, None, None, 1, 2]),
        conditions=Conditions(thresholds=(Threshold(random.randint(1, 1500)),)) if has_minimum else ALWAYS,
    )


def a_line(random: Random, key: int) -> Line:
    price, product, floor = random.randint(50, 1500), random.randint(1, 2), random.choice([0, 0, 20])
    rate = VatRate.percent("8.1")
    return Line(key, price, random.randint(1, 3), rate, product=product, floor_price=floor)


def a_basket(random: Random, codes: int) -> CheckoutTotals:
    policy = TotalsPolicy(
        code_order=CodeOrder.BEST,
        stacking=random.choice(list(Stacking)),
        threshold_base=random.choice(list(ThresholdBase)),
        percent_rounding=random.choice(list(PercentRounding)),
        fairness=random.choice(list(Fairness)),
    )
    return checkout_totals(
        [a_line(random, key) for key in range(1, random.randint(2, 4))],
        promo_codes=[a_code(random, number) for number in range(codes)],
        policy=policy,
        context=_CONTEXT,
    )


@pytest.mark.parametrize(("codes", "baskets"), [(4, 2000), (6, 80)])
def test_best_is_the_cheapest_of_all_ordered_selections(codes: int, baskets: int) -> None:
    for seed in range(share_of(baskets)):
        totals = a_basket(Random(seed), codes)

        left, outcomes = promo_codes(totals.request, after_auto(totals.request, totals))
        assert totals.codes_are_exact, seed
        assert [line.total_gross for line in totals.lines] == left, seed
        refused = [result.code for result in totals.promo_codes if not result.valid]
        assert refused == [f"C{n}" for n in range(codes) if hasattr(outcomes[f"C{n}"], "reason")], seed
