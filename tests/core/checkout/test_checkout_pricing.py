"""Pricing a checkout from a catalogue built by hand. Decisions §3.8, §6, §8.1, §11.3, §11.7."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.checkout.model import Checkout, CheckoutConditions, CheckoutItem
from faregate.checkout.priced import price_checkout
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Conditions,
    DiscountLevel,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
)
from faregate.discounts.promo_codes import RejectedCode
from faregate.errors import FaregateError, InvalidCheckout
from support.checkouts.priced_checkouts import SUNDAY, accepting, adult, priced, selling
from support.shops.small_shop import (
    ADULT,
    CHILD,
    HALF_FARE,
    INSURANCE,
    KEYCARD,
    LUNCH,
    SEASON_PASS,
    SHOP,
    WEB,
    ZURICH,
    days,
)


@pytest.mark.parametrize(
    ("item", "gross"),
    [
        pytest.param(adult(1), 8000, id="a day"),
        pytest.param(adult(1, days("2026-03-29", "2026-03-29")), 8000, id="a day of 23 hours"),
    ],
)
def test_an_item_costs_what_the_catalogue_says(item: CheckoutItem, gross: int) -> None:
    result = priced(item)

    assert [item.total_gross for item in result.items] == [gross]
    assert result.totals.total_gross == gross


def test_items_keep_their_order_and_lines_are_in_ascending_order_of_id() -> None:
    result = priced(adult(9), CheckoutItem(4, LUNCH), adult(2))

    assert [item.key for item in result.items] == [9, 4, 2]
    assert result.members == ((2, 9), (4,))
    assert [(line.key, line.quantity) for line in result.totals.lines] == [(2, 2), (4, 1)]


def test_a_priced_checkout_includes_the_checkout_and_its_channel() -> None:
    result = priced(adult(1), channel="desk")

    assert result.checkout == Checkout("desk", (adult(1),))
    assert result.channel is SHOP.channels[1]


def test_the_channel_sets_the_totals_policy() -> None:
    catalogue = replace(
        SHOP, channels=(replace(WEB, policy=TotalsPolicy(price_basis=PriceBasis.NET, cash_increment=5)),)
    )

    totals = priced(adult(1), catalogue=catalogue).totals

    # 6.48 on 80.00
    assert (totals.total_net, totals.total_gross, totals.cash_due) == (8000, 8648, 8650)


def test_a_subscription_is_counted_as_one() -> None:
    totals = priced(CheckoutItem(1, SEASON_PASS), CheckoutItem(2, LUNCH)).totals

    assert (totals.total_subscription_gross, totals.total_gross) == (60_000, 61_500)


@pytest.mark.parametrize(
    ("scope", "keys"),
    [
        (Scope(products=frozenset({11})), {1, 2}),
        (Scope(variants=frozenset({CHILD})), {2}),
        (Scope(categories=frozenset({2})), {3}),
        (Scope(attributes=frozenset({("age", "adult")})), {1}),
        (Scope(discount_cards=frozenset({HALF_FARE})), {1}),
    ],
)
def test_a_discount_selects_items_by_their_catalogue_data(scope: Scope, keys: set[int]) -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(100, DiscountLevel.LINE), scope=scope)
    items = (
        CheckoutItem(1, ADULT, SUNDAY, discount_card=HALF_FARE),
        CheckoutItem(2, CHILD, days("2026-12-28", "2026-12-28")),
        CheckoutItem(3, LUNCH),
        CheckoutItem(4, INSURANCE, parent=3),
        CheckoutItem(5, KEYCARD),
    )

    result = priced(*items, catalogue=selling(rule))

    assert {item.key for item in result.items if item.auto_discount_amount} == keys


def test_fees_are_neither_discounted_nor_counted() -> None:
    minimum = Conditions(thresholds=(Threshold(spend=9000, quantity=3),))
    catalogue = accepting(PromoCode(code="ALL", kind=Percentage.percent(100), conditions=minimum))

    def all_off(*items: CheckoutItem) -> tuple[bool, int]:
        totals = priced(*items, codes=("ALL",), catalogue=catalogue).totals
        return totals.promo_codes[0].valid, totals.total_gross

    assert all_off(adult(1), CheckoutItem(2, LUNCH), CheckoutItem(3, KEYCARD)) == (False, 10_000)
    assert all_off(adult(1), CheckoutItem(2, LUNCH), CheckoutItem(3, LUNCH), CheckoutItem(4, KEYCARD)) == (
        True,
        500,
    )


def test_items_that_are_never_discounted_still_count_towards_a_minimum() -> None:
    minimum = Conditions(thresholds=(Threshold(spend=2000),))
    catalogue = accepting(PromoCode(code="ALL", kind=Percentage.percent(100), conditions=minimum))

    totals = priced(
        CheckoutItem(1, LUNCH), CheckoutItem(2, INSURANCE, parent=1), codes=("ALL",), catalogue=catalogue
    ).totals

    assert totals.promo_codes[0].valid
    assert totals.total_gross == 500


def test_the_floor_price_in_the_catalogue_applies() -> None:
    catalogue = accepting(PromoCode(code="HALF", kind=Percentage.percent(50)))

    result = priced(CheckoutItem(1, CHILD, SUNDAY), codes=("HALF",), catalogue=catalogue)

    assert result.items[0].total_gross == 3000


@pytest.mark.parametrize(("account", "valid"), [(7, True), (8, False), (None, False)])
def test_conditions_check_the_account_of_the_checkout(account: int | None, *, valid: bool) -> None:
    catalogue = accepting(
        PromoCode(code="MINE", kind=Absolute(100), conditions=Conditions(accounts=frozenset({7})))
    )

    (code,) = priced(adult(1), codes=("MINE",), catalogue=catalogue, account=account).totals.promo_codes

    assert code.valid is valid


@pytest.mark.parametrize(("channel", "valid"), [("web", True), ("desk", False)])
def test_conditions_check_the_channel_of_the_checkout(channel: str, *, valid: bool) -> None:
    catalogue = accepting(
        PromoCode(code="WEB", kind=Absolute(100), conditions=Conditions(channels=frozenset({"web"})))
    )

    (code,) = priced(adult(1), codes=("WEB",), catalogue=catalogue, channel=channel).totals.promo_codes

    assert code.valid is valid


# Half past midnight on the 22nd in Zurich is still the 21st in UTC.
AFTER_MIDNIGHT = datetime(2026, 12, 22, 0, 30, tzinfo=ZURICH)


@pytest.mark.parametrize("at", [AFTER_MIDNIGHT, AFTER_MIDNIGHT.astimezone(UTC)], ids=["local", "UTC"])
def test_lead_days_count_from_the_local_date_of_the_instant(at: datetime) -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(100, DiscountLevel.LINE), scope=Scope(min_lead_days=6))

    # The 27th is five days after the 22nd.
    assert priced(adult(1), catalogue=selling(rule), at=at).totals.auto_discount_amount == 0


def test_a_time_zone_given_dates_the_order_and_not_the_visit() -> None:
    club = frozenset({"club"})
    rule = AutomaticDiscount(
        id=1,
        kind=Absolute(100, DiscountLevel.LINE),
        scope=Scope(min_lead_days=6),
        conditions=Conditions(customer_groups=club),
    )
    asked = CheckoutConditions(donation=500)
    checkout = Checkout("web", (adult(1),), conditions=asked, customer_groups=club)

    totals = price_checkout(checkout, catalogue=selling(rule), at=AFTER_MIDNIGHT, zone=UTC).totals

    # From the 21st in UTC to the 27th in Zurich, which begins on the 26th in UTC.
    assert (totals.auto_discount_amount, totals.amount_due) == (100, 8000 - 100 + 500)


IN_UTC = Interval(SUNDAY.start.astimezone(UTC), SUNDAY.end.astimezone(UTC))


@pytest.mark.parametrize(
    "given",
    [SUNDAY, IN_UTC, Interval(SUNDAY.start, IN_UTC.end), Interval(IN_UTC.start, SUNDAY.end)],
    ids=["local", "UTC", "local start", "local end"],
)
def test_a_validity_is_priced_in_the_zone_of_the_merchant(given: Interval) -> None:
    (line,) = priced(adult(1, given)).totals.request.lines

    assert line.validity == SUNDAY
    assert line.validity is not None
    assert (line.validity.start.tzinfo, line.validity.end.tzinfo) == (ZURICH, ZURICH)


def test_an_instant_without_a_utc_offset_is_refused() -> None:
    naive = datetime(2026, 12, 21, 9, 0)  # noqa: DTZ001  the point of the test

    with pytest.raises(FaregateError, match="has no UTC offset"):
        priced(adult(1), at=naive)


def test_a_validity_without_a_utc_offset_is_refused() -> None:
    naive = Interval(datetime(2026, 12, 27), datetime(2026, 12, 28))  # noqa: DTZ001  the point of the test

    with pytest.raises(InvalidCheckout, match=r"^item 1: .*has no UTC offset"):
        priced(adult(1, naive))


def test_a_code_is_a_promo_code_a_voucher_or_unknown() -> None:
    totals = priced(adult(1), codes=(" gift", "nobody", "Ten")).totals

    unknown, ten = totals.promo_codes
    assert unknown == RejectedCode(UnknownCode("NOBODY"), RejectionReason.UNKNOWN)
    assert (ten.code, ten.total_amount) == ("TEN", 800)
    assert [(paid.voucher.code, paid.amount) for paid in totals.vouchers] == [("GIFT", 2000)]
    assert totals.amount_due == 8000 - 800 - 2000


def test_a_code_entered_twice_counts_once() -> None:
    totals = priced(adult(1), codes=("TEN", "gift", " ten ", "GIFT", "nobody", "NOBODY")).totals

    assert [code.code for code in totals.promo_codes] == ["TEN", "NOBODY"]
    assert [paid.voucher.code for paid in totals.vouchers] == ["GIFT"]
