"""Lines selected by a scope, and the reasons why a discount does not apply. Decisions §3.5, §3.7."""

from datetime import date, datetime, timedelta, timezone

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import ThresholdBase, TotalsPolicy
from faregate.dates.instants import DateRange
from faregate.dates.zones import AnyZone
from faregate.discounts.eligibility import Context, Refusal, RejectionReason, Shortfall, not_now
from faregate.discounts.kinds import (
    ALWAYS,
    Absolute,
    AutomaticDiscount,
    Conditions,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.discounts.promo_codes import RejectedCode
from faregate.errors import ContextRequired, InvalidPeriod
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import NOW, UNTAXED, ZURICH, days

ALL_OFF = Percentage(parts_per_million=1_000_000)
MONDAY, SATURDAY, SUNDAY = 1, 6, 7

ADULT = Line(
    1,
    8000,
    2,
    UNTAXED,
    product=11,
    variant=101,
    category=1,
    attributes=frozenset({("age", "adult"), ("zone", "valley")}),
    discount_card=5,
    validity=days("2026-12-27", "2026-12-27"),  # a Sunday
)
CHILD = Line(
    2,
    4000,
    1,
    UNTAXED,
    product=11,
    variant=102,
    category=1,
    attributes=frozenset({("age", "child")}),
    validity=days("2026-12-26", "2026-12-28"),  # from a Saturday
)
LUNCH = Line(3, 1500, 1, UNTAXED, product=21, variant=201, category=2)
FEE = Line(4, 500, 1, UNTAXED, product=91, variant=901, discountable=False, counted=False)
BASKET = [ADULT, CHILD, LUNCH, FEE]


def keys_in(
    scope: Scope, *, at: datetime | None = NOW, basket: list[Line] = BASKET, zone: AnyZone | None = ZURICH
) -> set[int]:
    """Return the lines that a discount with this scope makes free."""
    rule = AutomaticDiscount(id=1, kind=ALL_OFF, scope=scope)
    totals = checkout_totals(basket, automatic=[rule], context=Context(at=at, zone=zone))
    return {line.key for line in totals.lines if line.auto_discount_amount}


# ---------------------------------------------------------------- scopes


@pytest.mark.parametrize(
    ("scope", "keys"),
    [
        pytest.param(Scope(), {1, 2, 3}, id="everything but what is never discounted"),
        pytest.param(Scope(products=frozenset({11})), {1, 2}, id="products"),
        pytest.param(Scope(variants=frozenset({102, 201})), {2, 3}, id="variants"),
        pytest.param(Scope(categories=frozenset({2})), {3}, id="categories"),
        pytest.param(Scope(attributes=frozenset({("age", "adult")})), {1}, id="attributes"),
        pytest.param(
            Scope(attributes=frozenset({("age", "child"), ("zone", "valley")})), {1, 2}, id="any attribute"
        ),
        pytest.param(Scope(discount_cards=frozenset({5})), {1}, id="discount cards"),
        pytest.param(Scope(weekdays=frozenset({SUNDAY})), {1}, id="weekday of the visit"),
        pytest.param(Scope(weekdays=frozenset({SATURDAY})), {2}, id="the first day counts"),
        pytest.param(
            Scope(days=DateRange(date(2026, 12, 26), date(2026, 12, 27))), {2}, id="a range excludes its end"
        ),
        pytest.param(
            Scope(days=DateRange(date(2026, 12, 27), date(2026, 12, 28))),
            {1},
            id="a range includes its start",
        ),
        # NOW is December 21: 6 days before the 27th, 5 before the 26th.
        pytest.param(Scope(min_lead_days=6), {1}, id="a minimum of days ahead"),
        pytest.param(Scope(max_lead_days=5), {2}, id="a maximum of days ahead"),
        pytest.param(Scope(min_lead_days=0), {1, 2}, id="lead days need a validity"),
        pytest.param(
            Scope(products=frozenset({11}), discount_cards=frozenset({5}), weekdays=frozenset({SUNDAY})),
            {1},
            id="every criterion must be met",
        ),
        pytest.param(Scope(excluded_variants=frozenset({102, 999})), {1, 3}, id="without a variant"),
        pytest.param(
            Scope(products=frozenset({11}), excluded_variants=frozenset({102})), {1}, id="a part of a product"
        ),
    ],
)
def test_a_scope_selects_the_lines_that_meet_every_criterion(scope: Scope, keys: set[int]) -> None:
    assert keys_in(scope) == keys


@pytest.mark.parametrize(
    ("at", "lead"),
    [
        pytest.param(datetime(2026, 3, 28, 23, 59, tzinfo=ZURICH), 1, id="a minute before the day"),
        pytest.param(datetime(2026, 3, 29, 0, 0, tzinfo=ZURICH), 0, id="on the day"),
        pytest.param(datetime(2026, 3, 29, 23, 59, tzinfo=ZURICH), 0, id="late on the day of 23 hours"),
        pytest.param(datetime(2026, 3, 30, 0, 0, tzinfo=ZURICH), -1, id="after it"),
    ],
)
def test_lead_days_count_local_dates_not_hours(at: datetime, lead: int) -> None:
    basket = [Line(1, 8000, 1, UNTAXED, validity=days("2026-03-29", "2026-03-29"))]

    assert keys_in(Scope(min_lead_days=lead), at=at, basket=basket) == {1}
    assert keys_in(Scope(max_lead_days=lead), at=at, basket=basket) == {1}
    assert keys_in(Scope(min_lead_days=lead + 1), at=at, basket=basket) == set()
    assert keys_in(Scope(max_lead_days=lead - 1), at=at, basket=basket) == set()


@pytest.mark.parametrize("scope", [Scope(min_lead_days=0), Scope(max_lead_days=3)])
def test_lead_days_need_the_instant(scope: Scope) -> None:
    with pytest.raises(ContextRequired, match=r"^a scope with lead days needs the instant in the context$"):
        keys_in(scope, at=None)


# ---------------------------------------------------------------- conditions

STARTS = datetime(2026, 12, 1, 0, 0, tzinfo=ZURICH)
ENDS = datetime(2027, 1, 1, 0, 0, tzinfo=ZURICH)
INSTANT = timedelta(microseconds=1)
MEMBERS = Conditions(customer_groups=frozenset({"member", "staff"}))
DECEMBER = Conditions(starts_at=STARTS, ends_at=ENDS)


@pytest.mark.parametrize(
    ("at", "refusal"),
    [
        pytest.param(
            STARTS - INSTANT,
            Refusal(RejectionReason.NOT_YET_VALID, Shortfall(until=STARTS)),
            id="just before",
        ),
        pytest.param(STARTS, None, id="the instant it starts"),
        pytest.param(ENDS - INSTANT, None, id="the last instant"),
        pytest.param(ENDS, Refusal(RejectionReason.EXPIRED), id="the instant it ends"),
    ],
)
def test_a_discount_applies_from_its_start_until_just_before_its_end(
    at: datetime, refusal: Refusal | None
) -> None:
    assert not_now(DECEMBER, Context(at=at, zone=ZURICH)) == refusal


# On 2026-10-25 the clocks show the hour from 02:00 twice: first at +02:00, then at +01:00.
FIRST_QUARTER_TO = datetime(2026, 10, 25, 2, 45, tzinfo=ZURICH)
SECOND_HALF_PAST = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZURICH)


def test_a_discount_does_not_end_before_its_instant_in_the_repeated_hour() -> None:
    # 02:45 at +02:00 is 45 minutes before 02:30 at +01:00.
    assert not_now(Conditions(ends_at=SECOND_HALF_PAST), Context(at=FIRST_QUARTER_TO)) is None


def test_a_discount_does_not_start_before_its_instant_in_the_repeated_hour() -> None:
    refusal = not_now(Conditions(starts_at=SECOND_HALF_PAST), Context(at=FIRST_QUARTER_TO))

    assert refusal == Refusal(RejectionReason.NOT_YET_VALID, Shortfall(until=SECOND_HALF_PAST))


@pytest.mark.parametrize("conditions", [DECEMBER, Conditions(weekdays=frozenset({MONDAY}))])
def test_an_instant_without_a_utc_offset_is_refused(
    conditions: Conditions,
) -> None:
    naive = datetime(2026, 12, 21, 9, 0)  # noqa: DTZ001  the point of the test

    with pytest.raises(InvalidPeriod, match="has no UTC offset"):
        not_now(conditions, Context(at=naive))


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        pytest.param(datetime(2026, 12, 21, 0, 0, tzinfo=ZURICH), None, id="Monday"),
        pytest.param(datetime(2026, 12, 21, 23, 59, tzinfo=ZURICH), None, id="late on Monday"),
        pytest.param(datetime(2026, 12, 22, 0, 0, tzinfo=ZURICH), RejectionReason.WRONG_DAY, id="Tuesday"),
        pytest.param(datetime(2026, 12, 20, 23, 59, tzinfo=ZURICH), RejectionReason.WRONG_DAY, id="Sunday"),
        pytest.param(
            datetime(2026, 12, 20, 23, 30, tzinfo=timezone(timedelta(hours=-1))),
            None,
            id="Sunday by its own offset, Monday in the zone of the order",
        ),
    ],
)
def test_conditions_check_the_weekday_of_the_order(at: datetime, reason: RejectionReason | None) -> None:
    refusal = not_now(Conditions(weekdays=frozenset({MONDAY})), Context(at=at, zone=ZURICH))

    assert (refusal and refusal.reason) == reason


@pytest.mark.parametrize(
    ("conditions", "context", "reason"),
    [
        (Conditions(channels=frozenset({"web", "app"})), Context(channel="app"), None),
        (Conditions(channels=frozenset({"web"})), Context(channel="desk"), RejectionReason.WRONG_CHANNEL),
        (Conditions(accounts=frozenset({7})), Context(account=8), RejectionReason.WRONG_ACCOUNT),
        (Conditions(accounts=frozenset({7})), Context(), RejectionReason.WRONG_ACCOUNT),
        (MEMBERS, Context(), RejectionReason.WRONG_GROUP),
        (ALWAYS, Context(), None),
    ],
)
def test_conditions_may_name_channels_and_accounts(
    conditions: Conditions, context: Context, reason: RejectionReason | None
) -> None:
    refusal = not_now(conditions, context)

    assert refusal == (None if reason is None else Refusal(reason))


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        (
            Conditions(channels=frozenset({"web"})),
            "a discount limited to channels needs the channel in the context",
        ),
        (Conditions(starts_at=NOW), "a discount limited in time needs the instant in the context"),
        (Conditions(ends_at=NOW), "a discount limited in time needs the instant in the context"),
        (
            Conditions(weekdays=frozenset({MONDAY})),
            "a discount limited in time needs the instant in the context",
        ),
    ],
)
def test_the_context_must_contain_what_conditions_check(conditions: Conditions, message: str) -> None:
    with pytest.raises(ContextRequired) as raised:
        not_now(conditions, Context())

    assert str(raised.value) == message


# ---------------------------------------------------------------- minimums


def missing(*thresholds: Threshold, basket: list[Line] = BASKET) -> Shortfall | None:
    """Return the shortfall of a code with these thresholds; None if it applies."""
    code = PromoCode(code="MIN", kind=Absolute(100), conditions=Conditions(thresholds=thresholds))
    (result,) = checkout_totals(basket, promo_codes=[code], context=Context(at=NOW, zone=ZURICH)).promo_codes
    if isinstance(result, RejectedCode):
        assert result.reason is RejectionReason.MINIMUM_NOT_REACHED
        return result.missing
    return None


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        pytest.param(Threshold(spend=21_501), Shortfall(spend=1), id="one cent short"),
        pytest.param(
            Threshold(spend=22_000, quantity=6), Shortfall(spend=500, quantity=2), id="short of both"
        ),
        pytest.param(Threshold(spend=100, quantity=6), Shortfall(quantity=2), id="short of units only"),
        pytest.param(
            Threshold(quantity=1, counting=Scope(products=frozenset({91}))),
            Shortfall(quantity=1),
            id="fees count nowhere",
        ),
        pytest.param(Threshold(), None, id="no minimum"),
    ],
)
def test_a_minimum_reports_how_much_is_missing(threshold: Threshold, expected: Shortfall | None) -> None:
    assert missing(threshold) == expected


def test_the_first_minimum_that_is_not_reached_is_reported() -> None:
    reached, spend, units = Threshold(spend=100), Threshold(spend=22_000), Threshold(quantity=9)

    assert missing(reached, spend, units) == Shortfall(spend=500)
    assert missing(units, spend, reached) == Shortfall(quantity=5)


def test_lines_that_are_never_discounted_count_except_fees() -> None:
    insured = [*BASKET, Line(5, 500, 1, UNTAXED, discountable=False)]

    assert missing(Threshold(spend=22_000, quantity=5), basket=insured) is None


@pytest.mark.parametrize(
    ("base", "spend"),
    # 100.00 less 20.00 by an automatic discount and 5.00 by the code before
    [(ThresholdBase.LIST, 10_000), (ThresholdBase.AFTER_AUTO, 8000), (ThresholdBase.RUNNING, 7500)],
)
def test_the_threshold_base_decides_which_prices_count(base: ThresholdBase, spend: int) -> None:
    policy = TotalsPolicy(threshold_base=base)
    rule = AutomaticDiscount(id=1, kind=Absolute(2000))
    first = PromoCode(code="FIRST", kind=Absolute(500), priority=1)

    def is_valid(minimum: int) -> bool:
        conditions = Conditions(thresholds=(Threshold(spend=minimum),))
        second = PromoCode(code="SECOND", kind=Absolute(1000), conditions=conditions)
        totals = checkout_totals(
            [Line(1, 10_000, 1, UNTAXED)], automatic=[rule], promo_codes=[second, first], policy=policy
        )
        return totals.promo_codes[0].valid

    assert is_valid(spend)
    assert not is_valid(spend + 1)


def test_the_minimum_of_an_automatic_discount_counts_list_prices() -> None:
    first = AutomaticDiscount(id=1, kind=Absolute(5000), scope=Scope(lines=frozenset({1})))
    for spend, amount in ((12_000, 5200), (12_001, 5000)):
        conditions = Conditions(thresholds=(Threshold(spend=spend),))
        second = AutomaticDiscount(
            id=2, kind=Absolute(200), scope=Scope(lines=frozenset({2})), conditions=conditions
        )
        totals = checkout_totals(
            [Line(1, 10_000, 1, UNTAXED), Line(2, 2000, 1, UNTAXED)], automatic=[first, second]
        )
        assert totals.auto_discount_amount == amount
