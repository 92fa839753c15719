"""Findings on catalogues small enough to calculate by hand, and rules that an audit leaves out."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from random import Random

import pytest

from faregate.audit import Finding, FindingKind, audit
from faregate.catalogue.booking_rules import BookingRules, StayRule
from faregate.catalogue.calendars import DayPattern, MonthDay, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Pool
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Product
from faregate.checkout.quotes import ItemQuoter
from faregate.dates.durations import Duration
from faregate.dates.instants import DateRange
from faregate.dates.times_of_day import TimeOfDay
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    Conditions,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.errors import InvalidInput
from faregate.money.currency import currency
from support.shops.planted_catalogues import clean_catalogue
from support.shops.small_shop import NOW

TODAY = NOW.date()
TICKET = replace(clean_catalogue(Random(1)).products[0], id=1)
TICKET = replace(
    TICKET,
    price_model=PriceModel.STATIC,
    has_validity=True,
    durations=(Duration(days=1),),
    degression=None,
    card_reductions=(),
    variants=(replace(TICKET.variants[0], prices=(PriceRule(8000),)),),
)
TEN = Percentage.percent(10)
HOURS = Duration.parse("PT4H")


def shop(product: Product = TICKET, **entries: object) -> Catalogue:
    """Return a catalogue with one product and no discounts."""
    only = {"products": (product,), "automatic_discounts": (), "promo_codes": (), **entries}
    return replace(clean_catalogue(Random(1)), **only)  # type: ignore[arg-type]


def audited(catalogue: Catalogue, baskets: int = 60) -> dict[str, Finding]:
    found = audit(catalogue, at=NOW, draw=Random(1).randrange, baskets=baskets)
    return {finding.identifier: finding for finding in found}


def group_price(units: int = 10) -> AutomaticDiscount:
    """Return 9.00 off each unit from *units* units on: ten cost 710.00, nine cost 720.00."""
    return AutomaticDiscount(
        id=5, kind=PerUnit(900), conditions=Conditions(thresholds=(Threshold(quantity=units),))
    )


def test_ten_tickets_cost_less_than_nine() -> None:
    finding = audited(shop(automatic_discounts=(group_price(),)))["one-more/discount-5"]

    assert finding.kind is FindingKind.ONE_MORE
    assert [len(basket.checkout.items) for basket in (*finding.dearer, *finding.cheaper)] == [9, 10]
    assert (finding.saving, finding.units) == (9 * 8000 - 10 * 7100, 19)
    dearer, cheaper = finding.explanations()
    assert (dearer.trace.currency, cheaper.trace.currency) == (currency("CHF"), currency("CHF"))
    assert dearer.trace.amount("total_gross") == 72_000
    assert cheaper.trace.amount("total_gross") == 71_000


def test_saving_within_rounding_is_no_finding() -> None:
    discount = replace(group_price(), kind=PerUnit(801))  # ten cost 71 990, nine 72 000: 10 for 19 units

    assert audited(shop(automatic_discounts=(discount,))) == {}


@pytest.mark.parametrize(("saving", "is_found"), [(19, False), (20, True)])
def test_saving_of_a_minor_unit_per_unit_is_rounding(saving: int, *, is_found: bool) -> None:
    # Nine cost 720.00; ten cost that much less, and both baskets together have 19 units.
    discount = replace(group_price(), kind=Absolute(8000 + saving))

    found = audited(shop(automatic_discounts=(discount,)))

    assert ("one-more/discount-5" in found) is is_found


def test_finding_without_baskets_has_no_explanations() -> None:
    never = PromoCode(code="NEVER", kind=TEN, scope=Scope(products=frozenset({1}), min_lead_days=900))

    found = audited(shop(promo_codes=(never,)))

    assert [*found] == ["unreachable/code-NEVER"]
    assert found["unreachable/code-NEVER"].explanations() == ()
    assert found["unreachable/code-NEVER"].saving == 0


@pytest.mark.parametrize(
    "kind",
    [
        BuyXGetY(2, 1),
        BuyXGetY(2, 1, rewards=Scope(weekdays=frozenset({1}))),
        FixedPrice(20_000, group_size=3),
        Bundle(parts=(BundlePart(Scope(), 3),), price=20_000),
    ],
)
def test_offer_for_several_units_is_reached(kind: object) -> None:
    discount = AutomaticDiscount(id=1, kind=kind)  # type: ignore[arg-type]

    assert "unreachable/discount-1" not in audited(shop(automatic_discounts=(discount,)))


@pytest.mark.parametrize(
    "conditions",
    [
        Conditions(starts_at=NOW + timedelta(days=30)),
        Conditions(weekdays=frozenset({3})),
        Conditions(time_of_day=TimeOfDay(time(18), time(20))),
        Conditions(channels=frozenset({"shop"})),
        Conditions(thresholds=(Threshold(spend=100_000),)),
    ],
)
def test_condition_that_can_be_met_is_met(conditions: Conditions) -> None:
    assert "unreachable/code-TEN" not in audited(
        shop(promo_codes=(PromoCode(code="TEN", kind=TEN, conditions=conditions),))
    )


def test_condition_that_cannot_be_met_is_found() -> None:
    only_monday = Conditions(weekdays=frozenset({3}), ends_at=NOW + timedelta(days=1))
    spend = Conditions(thresholds=(Threshold(spend=10_000_000),))
    codes = [PromoCode(code="DAY", kind=TEN, conditions=only_monday)]
    codes.append(PromoCode(code="RICH", kind=TEN, conditions=spend))

    assert [*audited(shop(promo_codes=tuple(codes)))] == ["unreachable/code-DAY", "unreachable/code-RICH"]


def test_code_is_unreachable_if_no_channel_takes_codes() -> None:
    catalogue = shop(promo_codes=(PromoCode(code="TEN", kind=TEN),))
    channel = replace(catalogue.channels[0], can_use_promo_codes=False)

    assert [*audited(replace(catalogue, channels=(channel,)))] == ["unreachable/code-TEN"]


@pytest.mark.parametrize(
    "fields",
    [
        {"conditions": Conditions(ends_at=NOW)},
        {"conditions": Conditions(starts_at=NOW + timedelta(days=500))},
        {"conditions": Conditions(customer_groups=frozenset({"member"}))},
        {"conditions": Conditions(accounts=frozenset({7}))},
        {"scope": Scope(days=DateRange(TODAY - timedelta(days=2), TODAY))},
        {"scope": Scope(days=DateRange(TODAY + timedelta(days=500), TODAY + timedelta(days=501)))},
        {"uses_left": 0},
    ],
)
def test_past_future_and_personal_rules_are_not_reported(fields: dict[str, object]) -> None:
    code = PromoCode(code="TEN", kind=TEN, **fields)  # type: ignore[arg-type]

    assert audited(shop(promo_codes=(code,))) == {}


def test_days_of_a_scope_are_visited() -> None:
    week = DateRange(TODAY + timedelta(days=100), TODAY + timedelta(days=103))
    code = PromoCode(code="TEN", kind=TEN, scope=Scope(days=week, max_lead_days=101))

    assert audited(shop(promo_codes=(code,))) == {}


def priced(*rules: PriceRule, **fields: object) -> Product:
    variants = (replace(TICKET.variants[0], prices=rules),)
    return replace(TICKET, price_model=PriceModel.CALENDAR, variants=variants, **fields)  # type: ignore[arg-type]


def on(first: date | MonthDay, last: date | MonthDay) -> DayPattern:
    return DayPattern(dates=(Span(first, last),))


@pytest.mark.parametrize(
    ("days", "is_unreachable"),
    [
        (on(TODAY - timedelta(days=9), TODAY - timedelta(days=5)), False),
        (on(TODAY + timedelta(days=900), TODAY + timedelta(days=901)), False),
        (on(TODAY + timedelta(days=90), TODAY + timedelta(days=91)), True),
        (on(MonthDay(7, 1), MonthDay(7, 31)), True),
    ],
)
def test_price_for_days_on_which_nothing_runs(days: DayPattern, *, is_unreachable: bool) -> None:
    closed = BookingRules(
        closed=(
            on(TODAY + timedelta(days=90), TODAY + timedelta(days=91)),
            on(MonthDay(7, 1), MonthDay(7, 31)),
        )
    )
    product = priced(PriceRule(8000), PriceRule(9000, when=days), booking=closed)

    found = audited(shop(product))

    assert ("unreachable/price-10-2" in found) is is_unreachable


def test_product_that_is_no_longer_sold_is_not_examined() -> None:
    no_day = PriceRule(9000, when=on(MonthDay(2, 1), MonthDay(2, 1)))
    closed = on(MonthDay(2, 1), MonthDay(2, 1))
    product = priced(PriceRule(8000), no_day, booking=BookingRules(closed=(closed,), sale_ends=NOW))

    assert audited(shop(product)) == {}


def test_price_for_a_later_stage_of_sales_is_not_examined() -> None:
    product = priced(PriceRule(8000), PriceRule(9000, min_sold=50), sold_pool="hill")

    stepped = replace(product, price_model=PriceModel.STEPPED)

    assert audited(shop(stepped, pools=(Pool(identifier="hill", size=100),))) == {}


def test_variant_without_a_price_for_everybody_is_sold_to_holders_of_a_card() -> None:
    code = PromoCode(code="TEN", kind=TEN)

    assert audited(shop(priced(PriceRule(4000, discount_card=5)), promo_codes=(code,))) == {}


def test_price_above_that_of_single_days_is_unreachable() -> None:
    days = [Duration(days=1), Duration(days=2)]
    prices = tuple(
        PriceRule(amount, duration=each) for amount, each in zip((8000, 20_000), days, strict=True)
    )
    variant = replace(TICKET.variants[0], prices=prices)
    product = replace(TICKET, durations=(*days,), never_above_single_days=True, variants=(variant,))

    assert f"unreachable/price-{variant.id}-2" in audited(shop(product))


def in_rungs(*rungs: PriceRule) -> Product:
    """Return a product with these *rungs*, each the price of a duration."""
    durations = dict.fromkeys(rung.duration for rung in rungs if rung.duration)
    return replace(priced(*rungs), durations=tuple(durations))


ONE_DAY, TWO_DAYS = Duration(days=1), Duration(days=2)
FRIDAY = DayPattern(weekdays=frozenset({5}))


@pytest.mark.parametrize(
    ("product", "kind", "saving", "units"),
    [
        # Four hours cost more than the day that contains them.
        (
            in_rungs(PriceRule(9000, duration=HOURS), PriceRule(8000, duration=ONE_DAY)),
            FindingKind.MORE_DAYS,
            1000,
            2,
        ),
        # A Saturday costs more than Friday and Saturday.
        (
            in_rungs(PriceRule(9000, duration=ONE_DAY), PriceRule(8000, duration=TWO_DAYS, when=FRIDAY)),
            FindingKind.DAY_EARLIER,
            1000,
            2,
        ),
        # Two days cost more than two tickets for a day.
        (
            in_rungs(PriceRule(20_000, duration=TWO_DAYS), PriceRule(8000, duration=ONE_DAY)),
            FindingKind.SPLIT,
            4000,
            3,
        ),
    ],
)
def test_validity_that_others_contain_for_less(
    product: Product, kind: FindingKind, saving: int, units: int
) -> None:
    variant = product.variants[0].id

    found = audited(shop(product))

    assert [*found] == [f"{kind.value}/variant-{variant}"]
    finding = found[f"{kind.value}/variant-{variant}"]
    assert (finding.kind, finding.saving, finding.units) == (kind, saving, units)


def test_amount_that_each_order_gets_is_had_twice() -> None:
    conditions = Conditions(thresholds=(Threshold(quantity=2),))
    discount = AutomaticDiscount(id=5, kind=Absolute(2000), conditions=conditions)

    finding = audited(shop(automatic_discounts=(discount,)))["split/discount-5"]

    assert [len(basket.items) for basket in (*finding.dearer, *finding.cheaper)] == [4, 2, 2]
    assert finding.saving == 2000


def test_code_that_excludes_a_better_one_makes_a_basket_dearer() -> None:
    codes = (
        PromoCode(code="FIVE", kind=Percentage.percent(5), exclusive=True),
        PromoCode(code="TEN", kind=TEN),
    )

    found = audited(shop(promo_codes=codes))

    assert [*found] == ["code/FIVE"]
    finding = found["code/FIVE"]
    assert [basket.checkout.codes for basket in finding.cheaper] == [("TEN",)]
    assert set(finding.dearer[0].checkout.codes) == {"FIVE", "TEN"}
    assert (finding.saving, finding.units) == (400, 2)


@pytest.mark.parametrize(("days_ahead", "is_examined"), [(398, True), (399, False)])
def test_days_within_400_days_are_examined(days_ahead: int, *, is_examined: bool) -> None:
    first = TODAY + timedelta(days=days_ahead)
    rich = Conditions(thresholds=(Threshold(spend=10_000_000),))
    scope = Scope(days=DateRange(first, first + timedelta(days=1)))
    code = PromoCode(code="TEN", kind=TEN, scope=scope, conditions=rich)

    found = audited(shop(promo_codes=(code,)))

    assert [*found] == (["unreachable/code-TEN"] if is_examined else [])


def test_two_days_that_begin_on_a_saturday_are_not_split_into_a_sunday() -> None:
    weekend = BookingRules(stays=(StayRule(start_weekdays=frozenset({6})),))
    durations = (Duration(days=1), Duration(days=2))

    assert audited(shop(replace(TICKET, durations=durations, booking=weekend))) == {}


def test_hours_are_not_split_into_days() -> None:
    product = replace(TICKET, durations=(HOURS,), booking=BookingRules(start_times=(time(2, 30),)))
    catalogue = shop(product)
    quoter = ItemQuoter(channel=catalogue.channels[0], catalogue=catalogue, at=NOW)

    assert audited(catalogue) == {}
    assert quoter.bookable(TICKET.variants[0].id, date(2027, 3, 28)) == [], "there is no 02:30"


def test_rule_that_the_first_baskets_do_not_use_is_tried_again() -> None:
    assert [*audited(shop(automatic_discounts=(group_price(30),)), baskets=1)] == ["one-more/discount-5"]


def test_fee_is_sold_with_a_ticket_only() -> None:
    assert audited(shop(replace(TICKET, standalone=False)), baskets=5) == {}


def test_product_without_validity_has_no_day_to_compare() -> None:
    assert audited(shop(replace(TICKET, has_validity=False, durations=())), baskets=5) == {}


def test_catalogue_without_channels_has_only_unreachable_rules() -> None:
    code = PromoCode(code="TEN", kind=TEN)

    assert [*audited(Catalogue(promo_codes=(code,)))] == ["unreachable/code-TEN"]


@pytest.mark.parametrize(("at", "baskets"), [(datetime(2026, 12, 1), 10), (NOW, 0), (NOW, True)])  # noqa: DTZ001
def test_wrong_arguments_are_refused(at: datetime, baskets: int) -> None:
    with pytest.raises(InvalidInput):
        audit(Catalogue(), at=at, draw=Random(1).randrange, baskets=baskets)


def identifiers(findings: Sequence[Finding]) -> list[str]:
    return [finding.identifier for finding in findings]


def test_same_random_numbers_give_the_same_findings() -> None:
    catalogue = shop(automatic_discounts=(group_price(),))

    one, other = (audit(catalogue, at=NOW, draw=Random(3).randrange, baskets=40) for _ in range(2))

    assert one == other
    assert identifiers(one) == ["one-more/discount-5"]
