"""The subscription of a checkout: its start, the price of its first period, and conflicts."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from faregate.basket.policy import SubscriptionBasis, TotalsPolicy
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Merchant
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import Product, ProductType, Variant
from faregate.checkout.changes import add_items, change_quantity
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import Checkout, CheckoutItem, Quote
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.dates.instants import DateRange
from faregate.errors import InvalidCheckout, Issue, IssueCode
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.rules import Monthly, MonthlyOn, Yearly, YearlyOn
from faregate.subscriptions.terms import FirstPeriod, SubscriptionTerms
from support.shops.small_shop import LUNCH, RESORT, VAT, ZURICH

# 10 of the 30 days of November remain, and 20 of the 365 days until the next 11 December.
ORDERED = datetime(2026, 11, 21, 10, 30, tzinfo=ZURICH)
PASS = 1001


def subscription(number: int, terms: SubscriptionTerms, *, merchant: str = "lifts") -> Product:
    """Return a pass for 90.00 per period, with variant ``PASS + number``."""
    return Product(
        id=100 + number,
        slug=f"pass-{number}",
        identifier=f"PASS_{number}",
        name="Pass",
        type=ProductType.PASS,
        category=1,
        merchant=merchant,
        has_validity=False,
        subscription=terms,
        variants=(Variant(id=PASS + number, name="Pass", rate=VAT, prices=(PriceRule(9000),)),),
    )


def resort(*terms: SubscriptionTerms) -> Catalogue:
    passes = [subscription(number, each) for number, each in enumerate(terms)]
    return replace(RESORT, products=(*RESORT.products, *passes))


def priced(catalogue: Catalogue, *items: CheckoutItem, at: datetime = ORDERED) -> PricedCheckout:
    return price_checkout(Checkout("web", items), catalogue=catalogue, at=at)


MONTHLY_ON_1 = SubscriptionTerms(rule=MonthlyOn(1))


@pytest.mark.parametrize(
    ("first_period", "price", "starts_on", "next_billing"),
    [
        (FirstPeriod.WAIT, 9000, "2026-12-01T00:00:00+01:00", "2027-01-01T00:00:00+01:00"),
        (FirstPeriod.PRORATE, 3000, "2026-11-21T00:00:00+01:00", "2026-12-01T00:00:00+01:00"),
        (FirstPeriod.FULL, 9000, "2026-11-21T00:00:00+01:00", "2026-12-01T00:00:00+01:00"),
        (FirstPeriod.FREE, 0, "2026-11-21T00:00:00+01:00", "2026-12-01T00:00:00+01:00"),
    ],
)
def test_days_before_the_first_given_date_are_charged_by_the_terms(
    first_period: FirstPeriod, price: int, starts_on: str, next_billing: str
) -> None:
    catalogue = resort(replace(MONTHLY_ON_1, first_period=first_period))

    found = priced(catalogue, CheckoutItem(1, PASS))

    assert found.subscription is not None
    assert found.subscription.starts_on.isoformat() == starts_on
    assert found.subscription.next_billing_date.isoformat() == next_billing
    assert [item.list_price_gross for item in found.items] == [price]
    assert found.totals.total_subscription_gross == price


def test_a_first_period_is_prorated_by_the_day_count_of_the_terms() -> None:
    # 20 of 365 days at 90.00, or 20 of 360 days
    terms = SubscriptionTerms(rule=YearlyOn(12, 11), first_period=FirstPeriod.PRORATE)
    catalogue = resort(terms, replace(terms, day_count=DayCount.EVERY_MONTH_30))

    found = priced(catalogue, CheckoutItem(1, PASS), CheckoutItem(2, PASS + 1))

    assert [item.list_price_gross for item in found.items] == [493, 500]


def test_every_unit_of_a_line_costs_its_first_period() -> None:
    catalogue = resort(replace(MONTHLY_ON_1, first_period=FirstPeriod.PRORATE))

    found = priced(catalogue, CheckoutItem(1, PASS), CheckoutItem(2, PASS), CheckoutItem(3, LUNCH))

    assert found.members == ((1, 2), (3,))
    assert found.totals.list_price_gross == 3000 + 3000 + 1500
    assert found.totals.total_subscription_gross == 6000


def test_the_recurring_price_is_that_of_a_whole_period() -> None:
    catalogue = resort(replace(MONTHLY_ON_1, first_period=FirstPeriod.PRORATE))
    policy = TotalsPolicy(subscription_basis=SubscriptionBasis.RECURRING)
    channel = replace(catalogue.channel("web"), policy=policy)

    found = priced(replace(catalogue, channels=(channel,)), CheckoutItem(1, PASS))

    assert (found.totals.total_gross, found.totals.total_subscription_gross) == (3000, 9000)


def test_a_quoted_whole_period_is_prorated_from_the_day_of_pricing() -> None:
    catalogue = resort(replace(MONTHLY_ON_1, first_period=FirstPeriod.PRORATE))
    promised = CheckoutItem(1, PASS, quote=Quote(6000, VAT, ORDERED))

    prices = [
        priced(catalogue, promised, at=ORDERED.replace(day=day)).totals.total_gross for day in (1, 16, 30)
    ]

    # on the first of the month, the period is a whole one
    assert prices == [6000, 3000, 200]


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (datetime(2026, 11, 21, 22, 59, 59, tzinfo=UTC), date(2026, 11, 21)),
        (datetime(2026, 11, 21, 23, 0, tzinfo=UTC), date(2026, 11, 22)),
    ],
)
def test_the_day_of_the_order_is_in_the_time_zone_of_the_merchant(at: datetime, day: date) -> None:
    found = priced(resort(SubscriptionTerms(rule=Monthly())), CheckoutItem(1, PASS), at=at).subscription

    assert found is not None
    assert found.first == DateRange(day, day.replace(month=12))


def test_a_subscription_has_pickup_if_any_of_its_items_has() -> None:
    catalogue = resort(MONTHLY_ON_1, replace(MONTHLY_ON_1, has_pickup=True))

    found = priced(catalogue, CheckoutItem(1, PASS), CheckoutItem(2, PASS + 1)).subscription

    assert found is not None
    assert found.has_pickup


def test_a_subscription_runs_for_as_many_periods_as_its_terms_say() -> None:
    catalogue = resort(replace(MONTHLY_ON_1, minimal_run_periods=3))

    found = priced(catalogue, CheckoutItem(1, PASS)).subscription

    assert found is not None
    assert found.minimal_run_periods == 3


def test_a_checkout_without_subscription_items_has_no_subscription() -> None:
    assert priced(RESORT, CheckoutItem(1, LUNCH)).subscription is None
    assert priced(RESORT).subscription is None


TWO_MERCHANTS = replace(
    resort(MONTHLY_ON_1),
    merchants=(*RESORT.merchants, Merchant("museum", timezone="Europe/Zurich", currency="CHF")),
    products=(
        *RESORT.products,
        subscription(0, MONTHLY_ON_1),
        subscription(1, MONTHLY_ON_1, merchant="museum"),
    ),
)


@pytest.mark.parametrize(
    ("catalogue", "differing"),
    [
        (resort(MONTHLY_ON_1, replace(MONTHLY_ON_1, rule=MonthlyOn(2))), "rule"),
        (resort(replace(MONTHLY_ON_1, rule=Monthly()), replace(MONTHLY_ON_1, rule=Yearly())), "rule"),
        (resort(MONTHLY_ON_1, replace(MONTHLY_ON_1, first_period=FirstPeriod.FULL)), "first period"),
        (resort(MONTHLY_ON_1, replace(MONTHLY_ON_1, minimal_run_periods=2)), "minimal run periods"),
        (TWO_MERCHANTS, "merchant"),
    ],
)
def test_a_second_subscription_on_other_terms_is_refused(catalogue: Catalogue, differing: str) -> None:
    first = add_items(Checkout("web"), [ItemRequest(1, PASS)], catalogue=catalogue, at=ORDERED)

    message = f"expected the same {differing} for all subscriptions of a checkout"
    requests = [ItemRequest(2, PASS + 1), ItemRequest(3, LUNCH), ItemRequest(4, PASS + 1)]

    with pytest.raises(InvalidCheckout) as caught:
        add_items(first, requests, catalogue=catalogue, at=ORDERED)

    assert caught.value.issues == tuple(
        Issue(("items", index, "variant"), message, IssueCode.SUBSCRIPTION_CONFLICT) for index in (0, 2)
    )


def test_conflicting_subscriptions_in_one_request_are_refused() -> None:
    catalogue = resort(MONTHLY_ON_1, SubscriptionTerms(rule=Yearly(), minimal_run_periods=1))
    both = [ItemRequest(1, PASS), ItemRequest(2, PASS + 1), ItemRequest(3, PASS)]

    with pytest.raises(InvalidCheckout, match=r"the same rule and minimal run periods for all") as caught:
        add_items(Checkout("web"), both, catalogue=catalogue, at=ORDERED)

    assert [fault.loc for fault in caught.value.issues] == [("items", 1, "variant")]


def test_subscriptions_may_differ_in_pickup_and_day_count() -> None:
    other = replace(MONTHLY_ON_1, has_pickup=True, day_count=DayCount.FIXED30)
    catalogue = resort(MONTHLY_ON_1, other)

    added = add_items(
        Checkout("web"), [ItemRequest(1, PASS), ItemRequest(2, PASS + 1)], catalogue=catalogue, at=ORDERED
    )

    assert [item.id for item in added.items] == [1, 2]


def test_the_quantity_of_a_subscription_can_be_raised() -> None:
    catalogue = resort(MONTHLY_ON_1)
    one = add_items(Checkout("web"), [ItemRequest(1, PASS)], catalogue=catalogue, at=ORDERED)

    assert len(change_quantity(one, 1, 2, catalogue=catalogue, at=ORDERED).items) == 3


def test_subscriptions_that_conflict_after_a_catalogue_change_have_a_price() -> None:
    catalogue = resort(MONTHLY_ON_1, SubscriptionTerms(rule=Yearly()))
    held = CheckoutItem(5, PASS + 1), CheckoutItem(2, PASS)

    found = priced(catalogue, *held)
    added = add_items(Checkout("web", held), [ItemRequest(1, LUNCH)], catalogue=catalogue, at=ORDERED)

    assert found.subscription is not None
    assert found.subscription.rule == MonthlyOn(1)  # the rule of the lowest id
    assert len(added.items) == 3


def test_an_item_that_is_no_longer_sold_conflicts_with_nothing() -> None:
    catalogue = resort(MONTHLY_ON_1)
    gone = Checkout("web", (CheckoutItem(1, 999),))

    added = add_items(gone, [ItemRequest(2, PASS)], catalogue=catalogue, at=ORDERED)

    assert [item.id for item in added.items] == [1, 2]
