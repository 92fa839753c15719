"""Checkouts worked out by hand, to the last figure. Decisions §3.1, §4 to §6."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from faregate.discounts import (
    Absolute,
    AutomaticDiscount,
    Conditions,
    Level,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.eligibility import Context
from faregate.errors import ContextRequired, InvalidAmount, InvalidDiscount, InvalidLines, InvalidVoucher
from faregate.lines import Line, pricing_lines
from faregate.policy import PriceBasis, SubscriptionBasis, TotalsPolicy
from faregate.stacking import AppliedCode
from faregate.tax import VatAmount, VatRate
from faregate.totals import CheckoutTotals, LineTotals, checkout_totals, item_totals
from faregate.vouchers import Voucher
from unit.small_shop import NOW, REDUCED, UNTAXED, VAT, lines

TICKETS = Line(1, 7900, 2, VAT)
LUNCH = Line(2, 1200, 1, REDUCED)
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
NET = TotalsPolicy(price_basis=PriceBasis.NET)


def figures(of: CheckoutTotals | LineTotals, *names: str) -> tuple[int, ...]:
    return tuple(getattr(of, name) for name in names)


def both_sides(of: CheckoutTotals | LineTotals) -> tuple[int, ...]:
    return figures(
        of,
        "list_price_gross",
        "list_price_net",
        "total_discount_gross",
        "total_discount_net",
        "total_gross",
        "total_net",
    )


# ---------------------------------------------------------------- whole checkouts


def test_a_checkout_with_gross_prices() -> None:
    totals = checkout_totals([TICKETS, LUNCH], promo_codes=[TEN])

    # 10 % of 170.00, shared as 15.80 and 1.20.
    # 142.20 holds 10.66 at 8.1 %, 10.80 holds 0.27 at 2.6 %; the discounts hold 1.18 and 0.03.
    tickets, lunch = totals.lines
    assert both_sides(tickets) == (15_800, 14_616, 1580, 1462, 14_220, 13_154)
    assert both_sides(lunch) == (1200, 1170, 120, 117, 1080, 1053)
    assert both_sides(totals) == (17_000, 15_786, 1700, 1579, 15_300, 14_207)
    assert totals.vat_breakdown == (VatAmount(REDUCED, 1053, 27, 1080), VatAmount(VAT, 13_154, 1066, 14_220))
    assert (totals.promo_code_discount, totals.auto_discount_amount) == (1700, 0)
    assert (tickets.key, tickets.quantity, tickets.rate) == (1, 2, VAT)
    assert (tickets.auto_discount, tickets.auto_discount_amount, tickets.promo_code_discount) == (
        None,
        0,
        1580,
    )


def test_a_checkout_with_net_prices() -> None:
    totals = checkout_totals([TICKETS, LUNCH], promo_codes=[TEN], policy=NET)

    # The same amounts are net now: 11.52 on 142.20, 0.28 on 10.80; 1.28 and 0.03 on the discounts.
    tickets, lunch = totals.lines
    assert both_sides(tickets) == (17_080, 15_800, 1708, 1580, 15_372, 14_220)
    assert both_sides(lunch) == (1231, 1200, 123, 120, 1108, 1080)
    assert both_sides(totals) == (18_311, 17_000, 1831, 1700, 16_480, 15_300)
    assert totals.vat_breakdown == (VatAmount(REDUCED, 1080, 28, 1108), VatAmount(VAT, 14_220, 1152, 15_372))
    assert totals.promo_code_discount == 1700


def test_automatic_discounts_and_codes_share_a_line() -> None:
    rule = AutomaticDiscount(id=1, kind=PerUnit(400), scope=Scope(lines=frozenset({1})))

    totals = checkout_totals([TICKETS, LUNCH], automatic=[rule], promo_codes=[TEN])

    # 10 % of 150.00 and 12.00
    tickets, lunch = totals.lines
    assert (tickets.auto_discount, tickets.auto_discount_amount, tickets.promo_code_discount) == (
        rule,
        800,
        1500,
    )
    assert (lunch.auto_discount, lunch.auto_discount_amount, lunch.promo_code_discount) == (None, 0, 120)
    assert figures(totals, "auto_discount_amount", "promo_code_discount", "total_discount_gross") == (
        800,
        1620,
        2420,
    )
    assert totals.total_gross == 17_000 - 2420


def test_without_discounts_nothing_is_off() -> None:
    totals = checkout_totals([TICKETS])

    names = ("auto_discount_amount", "promo_code_discount", "total_discount_gross", "total_discount_net")
    assert figures(totals, *names) == figures(totals.lines[0], *names) == (0, 0, 0, 0)
    assert (totals.auto_discounts, totals.promo_codes, totals.lines[0].auto_discount) == ((), (), None)


def test_an_empty_checkout_costs_nothing() -> None:
    totals = checkout_totals([])

    assert both_sides(totals) == (0, 0, 0, 0, 0, 0)
    assert (totals.lines, totals.vat_breakdown, totals.promo_codes, totals.vouchers) == ((), (), (), ())
    assert (totals.amount_due, totals.cash_due, totals.cash_rounding) == (0, 0, 0)


def test_a_free_checkout_has_a_breakdown_of_nothing() -> None:
    totals = checkout_totals([Line(1, 0, 1, VAT)])

    assert totals.vat_breakdown == (VatAmount(VAT, 0, 0, 0),)
    assert totals.total_gross == 0


# ---------------------------------------------------------------- the order of lines


def test_lines_are_answered_in_the_order_of_the_request() -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(1000, Level.LINE), scope=Scope(lines=frozenset({1})))

    totals = checkout_totals([LUNCH, TICKETS], automatic=[rule], promo_codes=[TEN])

    # 10 % of 12.00 and 148.00
    assert [line.key for line in totals.lines] == [2, 1]
    assert totals.auto_discounts[0].shares == (0, 1000)
    (ten,) = totals.promo_codes
    assert isinstance(ten, AppliedCode)
    assert ten.shares == (120, 1480)


def test_ties_go_to_the_lower_key_in_any_order() -> None:
    cent = PromoCode(code="CENT", kind=Absolute(1))

    totals = checkout_totals(lines(100, 100, 100)[::-1], promo_codes=[cent])

    assert [(line.key, line.total_gross) for line in totals.lines] == [(3, 100), (2, 100), (1, 99)]


def test_a_refused_code_stays_as_it_is_when_lines_are_put_back_in_order() -> None:
    used_up = PromoCode(code="A", kind=Absolute(1), uses_left=0)

    (result,) = checkout_totals([LUNCH, TICKETS], promo_codes=[used_up]).promo_codes

    assert not result.valid


# ---------------------------------------------------------------- donation, vouchers, cash


@pytest.mark.parametrize("donation", [-1, 2.0, True, None, "2"])
def test_a_donation_is_no_less_than_nothing(donation: int) -> None:
    with pytest.raises(InvalidAmount) as raised:
        checkout_totals([TICKETS], donation=donation)

    assert str(raised.value) == f"donation is {donation!r}, expected an int of at least 0"


@pytest.mark.parametrize("policy", [TotalsPolicy(), NET])
def test_a_donation_is_once_in_gross_and_in_net_and_bears_no_tax(policy: TotalsPolicy) -> None:
    plain = checkout_totals([TICKETS], promo_codes=[TEN], policy=policy)

    totals = checkout_totals([TICKETS], promo_codes=[TEN], donation=200, policy=policy)

    assert totals.donation == 200
    assert totals.total_gross == plain.total_gross + 200
    assert totals.total_net == plain.total_net + 200
    assert totals.amount_due == plain.amount_due + 200
    assert totals.vat_breakdown == plain.vat_breakdown
    assert totals.total_discount_gross == plain.total_discount_gross


@pytest.mark.parametrize(
    ("pays_donation", "paid", "due"),
    [(False, 15_800, 200), (True, 16_000, 0)],
)
def test_vouchers_pay_the_donation_only_where_the_policy_says_so(
    paid: int, due: int, *, pays_donation: bool
) -> None:
    totals = checkout_totals(
        [TICKETS],
        donation=200,
        vouchers=[Voucher(code="A", balance=20_000)],
        policy=TotalsPolicy(vouchers_pay_donation=pays_donation),
    )

    (redemption,) = totals.vouchers
    assert (redemption.amount, redemption.balance_left) == (paid, 20_000 - paid)
    assert (totals.total_gross, totals.amount_due) == (16_000, due)


def test_a_voucher_pays_the_gross_where_prices_are_net() -> None:
    totals = checkout_totals([TICKETS], vouchers=[Voucher(code="A", balance=20_000)], policy=NET)

    # 12.80 on 158.00
    assert totals.vouchers[0].amount == 17_080


def test_a_single_purpose_voucher_is_reported_beside_the_breakdown() -> None:
    lunch = Voucher(code="LUNCH", balance=1026, single_purpose=REDUCED)

    totals = checkout_totals([TICKETS, LUNCH], vouchers=[lunch])

    assert totals.prepaid == (VatAmount(REDUCED, -1000, -26, -1026),)
    assert totals.vat_breakdown == checkout_totals([TICKETS, LUNCH]).vat_breakdown
    assert totals.amount_due == 17_000 - 1026


@pytest.mark.parametrize(
    ("price", "cash_due", "rounding"),
    [(1002, 1000, -2), (1003, 1005, 2), (1005, 1005, 0), (2, 0, -2), (3, 5, 2)],
)
def test_cash_is_due_in_steps(price: int, cash_due: int, rounding: int) -> None:
    totals = checkout_totals(lines(price), policy=TotalsPolicy(cash_increment=5))

    assert (totals.amount_due, totals.cash_due, totals.cash_rounding) == (price, cash_due, rounding)


@pytest.mark.parametrize(("step", "cash_due"), [(1, 1003), (2, 1004), (50, 1000), (100, 1000)])
def test_the_policy_sets_the_cash_step(step: int, cash_due: int) -> None:
    assert checkout_totals(lines(1003), policy=TotalsPolicy(cash_increment=step)).cash_due == cash_due


def test_cash_is_rounded_after_vouchers() -> None:
    totals = checkout_totals(
        lines(1002), vouchers=[Voucher(code="A", balance=499)], policy=TotalsPolicy(cash_increment=5)
    )

    assert (totals.amount_due, totals.cash_due) == (503, 505)


@pytest.mark.parametrize("step", [0, -5])
def test_a_cash_step_is_at_least_one(step: int) -> None:
    with pytest.raises(InvalidAmount, match=f"^increment is {step}, expected an int of at least 1$"):
        checkout_totals(lines(1002), policy=TotalsPolicy(cash_increment=step))


# ---------------------------------------------------------------- subscriptions

PASS = Line(1, 60_000, 1, VAT, is_subscription=True)
TENTH_OFF = AutomaticDiscount(id=1, kind=Percentage.percent(10, level=Level.LINE))
FIFTY_OFF = PromoCode(code="FIFTY", kind=Absolute(5000))


@pytest.mark.parametrize(
    ("basis", "gross", "net"),
    [
        (SubscriptionBasis.FIRST_PERIOD, 49_000, 45_328),
        (SubscriptionBasis.RECURRING, 54_000, 49_954),
    ],
)
def test_subscription_totals_are_what_is_paid_now_or_what_recurs(
    basis: SubscriptionBasis, gross: int, net: int
) -> None:
    # 600.00 less a tenth is 540.00, which holds 40.46 at 8.1 %; less 50.00 it is 490.00, which holds 36.72.
    totals = checkout_totals(
        [PASS],
        automatic=[TENTH_OFF],
        promo_codes=[FIFTY_OFF],
        policy=TotalsPolicy(subscription_basis=basis),
    )

    assert (totals.total_subscription_gross, totals.total_subscription_net) == (gross, net)


@pytest.mark.parametrize("basis", SubscriptionBasis)
def test_only_subscriptions_count_as_such(basis: SubscriptionBasis) -> None:
    policy = TotalsPolicy(subscription_basis=basis)
    basket = [
        Line(1, 10_810, 1, VAT),
        Line(2, 21_620, 1, VAT, is_subscription=True),
        Line(3, 500, 1, UNTAXED),
    ]

    totals = checkout_totals(basket, policy=policy)

    assert (totals.total_subscription_gross, totals.total_subscription_net) == (21_620, 20_000)


@pytest.mark.parametrize("basis", SubscriptionBasis)
def test_without_a_subscription_its_totals_are_nothing(basis: SubscriptionBasis) -> None:
    totals = checkout_totals([TICKETS], policy=TotalsPolicy(subscription_basis=basis))

    assert (totals.total_subscription_gross, totals.total_subscription_net) == (0, 0)


def test_what_recurs_follows_the_price_of_a_whole_period() -> None:
    # A stub of 150.00 now; 600.00 less a tenth later. The tenth is for 500.00 and more.
    from_500 = replace(TENTH_OFF, conditions=Conditions(thresholds=(Threshold(50_000),)))
    stub = PASS._replace(unit_price=15_000, recurring_price=60_000)

    first, later = (
        checkout_totals([stub], automatic=[from_500], policy=TotalsPolicy(subscription_basis=basis))
        for basis in SubscriptionBasis
    )

    assert (first.total_gross, first.auto_discount_amount) == (later.total_gross, 0) == (15_000, 0)
    assert (first.total_subscription_gross, later.total_subscription_gross) == (15_000, 54_000)


def test_what_does_not_recur_keeps_its_price_beside_what_does() -> None:
    # The tenth is for 700.00 and more: the whole period at 600.00 and the ticket reach it, the stub does not.
    from_700 = replace(TENTH_OFF, conditions=Conditions(thresholds=(Threshold(70_000),)))
    stub = PASS._replace(unit_price=15_000, recurring_price=60_000)
    ticket = Line(stub.key + 1, 10_000, 1, UNTAXED)

    first, later = (
        checkout_totals(
            [stub, ticket], automatic=[from_700], policy=TotalsPolicy(subscription_basis=basis)
        ).total_subscription_gross
        for basis in SubscriptionBasis
    )

    assert (first, later) == (15_000, 54_000)


def test_what_recurs_is_discounted_by_the_instant_of_the_checkout() -> None:
    over = replace(TENTH_OFF, conditions=Conditions(ends_at=NOW))
    stub = PASS._replace(unit_price=15_000, recurring_price=60_000)
    policy = TotalsPolicy(subscription_basis=SubscriptionBasis.RECURRING)

    assert [
        checkout_totals(
            [stub], automatic=[over], policy=policy, context=Context(at=at)
        ).total_subscription_gross
        for at in (NOW - timedelta(seconds=1), NOW)
    ] == [54_000, 60_000]


def test_a_recurring_price_must_be_an_amount() -> None:
    policy = TotalsPolicy(subscription_basis=SubscriptionBasis.RECURRING)

    with pytest.raises(InvalidLines, match=r"^line 1: unit_price is -1, expected at least 0$"):
        checkout_totals([PASS._replace(recurring_price=-1)], policy=policy)


def test_what_recurs_is_taxed_on_top_where_prices_are_net() -> None:
    policy = TotalsPolicy(price_basis=PriceBasis.NET, subscription_basis=SubscriptionBasis.RECURRING)

    totals = checkout_totals([PASS], automatic=[TENTH_OFF], promo_codes=[FIFTY_OFF], policy=policy)

    # 43.74 on 540.00
    assert (totals.total_subscription_gross, totals.total_subscription_net) == (58_374, 54_000)


# ---------------------------------------------------------------- what cannot be priced


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"lines": [Line(1, -1, 1, VAT)]}, InvalidLines),
        ({"donation": -1}, InvalidAmount),
        ({"promo_codes": [TEN, TEN]}, InvalidDiscount),
        ({"automatic": [TENTH_OFF, TENTH_OFF]}, InvalidDiscount),
        ({"vouchers": [Voucher(code="A", balance=1), Voucher(code="a", balance=2)]}, InvalidVoucher),
        ({"vouchers": [Voucher(code="A", balance=1, expires_at=NOW)]}, ContextRequired),
    ],
)
def test_every_impossible_argument_has_its_error(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        checkout_totals(**({"lines": [TICKETS]} | arguments))


def test_the_context_reaches_the_vouchers() -> None:
    voucher = Voucher(code="A", balance=100, expires_at=NOW)

    totals = checkout_totals([TICKETS], vouchers=[voucher], context=Context(at=NOW))

    assert totals.vouchers[0].amount == 0


# ---------------------------------------------------------------- items


def items(count: int, price: int, *, rate: VatRate = UNTAXED, floor_price: int = 0) -> list[Line]:
    return [Line(key, price, 1, rate, floor_price=floor_price) for key in range(1, count + 1)]


def priced_items(entered: list[Line], **arguments: Any) -> tuple[LineTotals, ...]:
    joined = pricing_lines(entered)
    return item_totals(checkout_totals(joined.lines, **arguments), joined.members)


def test_a_line_is_shared_over_its_items_on_both_sides() -> None:
    ten_francs = PromoCode(code="TEN", kind=Absolute(1000))

    shared = priced_items(items(3, 1000, rate=VAT), promo_codes=[ten_francs])

    # 334, 333, 333 off. 20.00 hold 1.50, so 18.50 net: 616, 617, 617 whole. 10.00 hold 0.75, so 9.25 net:
    # 308 each and one cent over, to the largest remainder of 308.97, 308.05, 308.05.
    assert [both_sides(item) for item in shared] == [
        (1000, 925, 334, 309, 666, 616),
        (1000, 925, 333, 308, 667, 617),
        (1000, 925, 333, 308, 667, 617),
    ]
    assert [(item.key, item.quantity) for item in shared] == [(1, 1), (2, 1), (3, 1)]
    assert [(item.rate, item.promo_code_discount) for item in shared] == [(VAT, 334), (VAT, 333), (VAT, 333)]


def test_the_only_item_of_a_line_is_the_line_under_its_own_id() -> None:
    totals = checkout_totals([LUNCH])

    assert item_totals(totals, [(2,)]) == totals.lines
    assert item_totals(totals, [(7,)]) == (totals.lines[0]._replace(key=7),)


def test_there_are_items_for_every_line_and_no_others() -> None:
    for members in ([(1, 3)], [(1, 3), (2,), (4,)]):
        with pytest.raises(ValueError, match=r"^zip"):
            item_totals(checkout_totals([TICKETS, LUNCH]), members)


def test_each_code_is_shared_by_what_the_codes_before_it_left() -> None:
    codes = [PromoCode(code=name, kind=Absolute(100)) for name in "AB"]

    shared = priced_items(items(3, 100), promo_codes=codes)

    # 34, 33, 33 off; then 100 by 66, 67, 67 is 33, 33.5, 33.5.
    assert [item.promo_code_discount for item in shared] == [67, 67, 66]


def test_a_code_for_other_lines_leaves_the_items_of_a_line_alone() -> None:
    lunch = [item._replace(key=item.key + 9, product=41) for item in items(2, 500)]
    code = PromoCode(code="LUNCH", kind=Absolute(100), scope=Scope(products=frozenset({41})))

    shared = priced_items([*items(2, 100), *lunch], promo_codes=[code])

    assert [item.promo_code_discount for item in shared] == [0, 0, 50, 50]


def test_an_item_whose_share_is_nothing_has_no_automatic_discount() -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(2, Level.LINE))

    shared = priced_items(items(3, 100), automatic=[rule])

    assert [(item.auto_discount, item.auto_discount_amount) for item in shared] == [
        (rule, 1),
        (rule, 1),
        (None, 0),
    ]


def test_codes_are_shared_by_what_automatic_discounts_left_of_each_item() -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(10, Level.LINE))

    shared = priced_items(
        items(3, 100), automatic=[rule], promo_codes=[PromoCode(code="A", kind=Absolute(29))]
    )

    # 4, 3, 3 off; then 29 by 96, 97, 97 is 9.6, 9.7, 9.7.
    assert [
        figures(item, "auto_discount_amount", "promo_code_discount", "total_gross") for item in shared
    ] == [(4, 9, 87), (3, 10, 87), (3, 10, 87)]


def test_items_of_net_prices_are_given_back_gross() -> None:
    shared = priced_items(items(3, 106, rate=VAT), policy=NET)

    # 25.76 on 318: 344 gross, 114 whole each
    assert [(item.total_net, item.total_gross) for item in shared] == [(106, 115), (106, 115), (106, 114)]
    assert all(item.list_price_net == 106 for item in shared)


def test_codes_of_net_prices_are_shared_in_net() -> None:
    shared = priced_items(
        items(3, 100, rate=VAT), promo_codes=[PromoCode(code="A", kind=Absolute(100))], policy=NET
    )

    # 34, 33, 33 off. 16.2 on 200: 216 gross, of which 71.35, 72.43 and 72.43.
    # 8.1 on 100: 108 gross, of which 36.75, 35.67 and 35.67.
    assert [figures(item, "promo_code_discount", "total_net", "total_gross") for item in shared] == [
        (34, 66, 71),
        (33, 67, 73),
        (33, 67, 72),
    ]
    assert [item.total_discount_gross for item in shared] == [37, 36, 35]


def test_items_come_in_ascending_id_within_each_line() -> None:
    adult, child = Line(1, 100, 1, UNTAXED, variant=1), Line(1, 50, 1, UNTAXED, variant=2)
    totals = checkout_totals([adult._replace(key=4, quantity=2), child._replace(key=1, quantity=2)])

    shared = item_totals(totals, [(9, 4), (3, 1)])

    assert [(item.key, item.total_gross) for item in shared] == [(4, 100), (9, 100), (1, 50), (3, 50)]


@pytest.mark.parametrize(("members", "count"), [([(1,)], 1), ([(1, 2, 3)], 3), ([()], 0)])
def test_a_line_has_as_many_items_as_units(members: list[tuple[int, ...]], count: int) -> None:
    totals = checkout_totals([TICKETS])

    with pytest.raises(InvalidLines, match=f"^line 1 has quantity 2 but {count} items$"):
        item_totals(totals, members)
