"""Quotes for the cases that a box office meets. Decisions §20."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line, pricing_lines
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.money.currency import currency
from faregate.refunds.orders import PaidOrder, Payment, returned_items
from faregate.refunds.policy import FeeStep, Guarantee, PayoutOrder, RefundBasis, RefundPolicy
from faregate.refunds.quoting import refund_quote
from faregate.refunds.steps import refund_trace
from faregate.tax.rates import Tie, VatRate
from faregate.totals.items import item_totals
from faregate.totals.pipeline import checkout_totals
from faregate.trace import Step, StepKind
from support.refunds.box_office import LUNCH, REDUCED, TICKETS, VAT, line, order_of, quote

ZURICH = ZoneInfo("Europe/Zurich")


def test_two_adults_and_a_free_child_by_each_basis() -> None:
    adults, child = Line(1, 5000, 2, VAT, product=1), Line(2, 2000, 1, VAT, product=2)
    family = AutomaticDiscount(
        id=1,
        kind=BuyXGetY(2, 1, rewards=Scope(products=frozenset({2}))),
        scope=Scope(products=frozenset({1})),
    )
    order = order_of(adults, child, automatic=[family])

    amounts = [quote(order, line(1, 0), policy=RefundPolicy(basis=basis)).amount for basis in RefundBasis]

    assert order.totals.total_gross == 10_000
    assert amounts == [5000, 3000, 3000]


def test_a_cheaper_rest_is_refunded_by_repricing_alone() -> None:
    voucher_day = PromoCode(code="FIFTY", kind=Absolute(5000))
    order = order_of(Line(1, 6000, 1, VAT), Line(2, 6000, 1, VAT), promo_codes=[voucher_day])

    by_basis = {basis: quote(order, line(1), policy=RefundPolicy(basis=basis)) for basis in RefundBasis}

    assert {basis: found.amount for basis, found in by_basis.items()} == {
        RefundBasis.SHARE: 3500,
        RefundBasis.REPRICE: 6000,
        RefundBasis.FLOOR: 3500,
    }
    assert [(row.line, row.units, row.credited) for row in by_basis[RefundBasis.REPRICE].lines] == [
        (1, (0,), (3500,)),
        (2, (), (2500,)),
    ]


def test_with_net_prices_the_rest_is_taxed_again() -> None:
    net = TotalsPolicy(price_basis=PriceBasis.NET)
    order = order_of(Line(1, 1005, 1, VAT), Line(2, 1005, 1, VAT), policy=net)

    found = quote(order, line(1), policy=RefundPolicy(basis=RefundBasis.REPRICE))

    assert order.totals.total_gross == 2173  # 20.10 and 8.1 % of it, 1.6281
    assert found.amount == 2173 - 1086  # 10.05 and 8.1 % of it, 0.81405


def test_the_rest_is_priced_for_the_channel_of_the_order() -> None:
    online = Conditions(channels=frozenset({"web"}))
    order = order_of(
        Line(1, 5000, 2, VAT),
        automatic=[AutomaticDiscount(id=1, kind=Percentage.percent(10), conditions=online)],
        promo_codes=[PromoCode(code="WEB", kind=Absolute(1000), conditions=online)],
        donation=300,
        context=Context(channel="web"),
    )

    found = quote(order, line(1, 0), policy=RefundPolicy(basis=RefundBasis.REPRICE))

    assert order.totals.total_gross == 8000 + 300
    assert found.amount == 8000 - (5000 - 500 - 1000)


def test_items_get_back_what_item_totals_shows() -> None:
    item = Line(3, 1000, 1, VAT)
    joined = pricing_lines([item, item._replace(key=5), item._replace(key=9)])
    order = order_of(*joined.lines, promo_codes=[PromoCode(code="TEN", kind=Absolute(1000))])

    found = quote(order, *returned_items(joined.members, [9]))

    shown = {row.key: row for row in item_totals(order.totals, joined.members)}
    assert (found.lines[0].gross, found.lines[0].net) == (shown[9].total_gross, shown[9].total_net)


def test_nothing_returned_refunds_nothing() -> None:
    found = quote(order_of(TICKETS))
    free = quote(order_of(Line(1, 0, 1, VAT)), line(1))

    assert (found.lines, found.amount, found.payments) == ((), 0, ())
    assert (free.lines[0].units, free.amount, free.payments) == ((0,), 0, ())


@pytest.mark.parametrize(
    ("at", "fee"),
    [("2026-10-24T08:00:00+02:00", 0), ("2026-10-24T08:00:01+02:00", 500), ("2026-10-26T12:00:00Z", 500)],
)
def test_notice_counts_on_the_clock_of_the_visit(at: str, fee: int) -> None:
    # The night before the visit lasts an hour longer: the clocks go back.
    start = datetime(2026, 10, 25, 8, tzinfo=ZURICH)
    visit = Line(1, 7900, 1, VAT, validity=Interval(start, start + timedelta(hours=8)))
    steps = FeeStep(notice=timedelta(days=1)), FeeStep(fee=Absolute(500), rate=VAT)

    found = refund_quote(
        order_of(visit), [line(1)], at=datetime.fromisoformat(at), policy=RefundPolicy(fees=steps)
    )

    assert found.amount == 7900 - fee


def test_a_line_without_a_visit_keeps_every_notice() -> None:
    steps = FeeStep(notice=timedelta(days=1)), FeeStep(fee=Absolute(500), rate=VAT)

    assert quote(order_of(LUNCH), line(2), policy=RefundPolicy(fees=steps)).amount == 2052


def test_a_fee_has_a_rate_of_its_own_and_never_exceeds_the_refund() -> None:
    policy = RefundPolicy(fees=(FeeStep(fee=PerUnit(5000), rate=VAT),))

    found = quote(order_of(TICKETS, LUNCH), line(1, 0), line(2), policy=policy)

    assert found.amount == 7900 - 5000
    assert [(row.rate, row.gross, row.vat) for row in found.fees] == [(VAT, 7052, 528)]
    assert [(row.net, row.gross) for row in found.vat_breakdown] == [(2000, 2052), (7308, 7900)]


@pytest.mark.parametrize(
    ("fee", "expected"),
    [
        (Percentage.percent("12.5", level=DiscountLevel.LINE), [988, 257]),  # 987.5 and 256.5
        (Absolute(3000, DiscountLevel.LINE), [3000, 2052]),
    ],
)
def test_a_fee_per_line_is_charged_on_each_returned_line(fee: Any, expected: list[int]) -> None:
    policy = RefundPolicy(fees=(FeeStep(fee=fee, rate=VAT),))

    found = quote(order_of(TICKETS, LUNCH), line(1, 0), line(2), policy=policy)

    assert [row.fee for row in found.lines] == expected


def test_the_tax_of_a_fee_is_rounded_as_in_the_order() -> None:
    policy = RefundPolicy(fees=(FeeStep(fee=PerUnit(299), rate=VatRate.percent(4)),))

    found = quote(order_of(TICKETS, policy=TotalsPolicy(tie=Tie.NET)), line(1, 0), policy=policy)

    assert [(row.net, row.vat) for row in found.fees] == [(288, 11)]  # a net of 287.5


def test_one_fee_for_a_return_is_shared_by_its_lines() -> None:
    policy = RefundPolicy(fees=(FeeStep(fee=Absolute(1000), rate=VAT),))

    found = quote(order_of(TICKETS, LUNCH), line(1, 0), line(2), policy=policy)

    assert [row.fee for row in found.lines] == [794, 206]


def test_a_guarantee_pays_a_share_without_a_fee_and_keeps_the_rest() -> None:
    policy = RefundPolicy(
        guarantee=Guarantee(payout=Percentage.percent(60), scope=Scope(lines=frozenset({1}))),
        non_refundable=Scope(lines=frozenset({2})),
        fees=(FeeStep(fee=Absolute(500), rate=VAT),),
    )

    found = quote(order_of(TICKETS, LUNCH), line(1, 0), line(2), policy=policy)

    assert (found.amount, found.fees) == (4740, ())
    assert [(row.rate, row.gross) for row in found.kept] == [(REDUCED, 2052), (VAT, 3160)]


def test_a_donation_is_kept_unless_it_is_given_up() -> None:
    order = order_of(LUNCH, donation=300)
    kept = quote(order, line(2))
    given_up = quote(order, policy=RefundPolicy(refunds_donation=True), refunded=[kept])

    assert (kept.amount, given_up.amount, given_up.donation) == (2052, 300, 300)
    again = quote(order, policy=RefundPolicy(refunds_donation=True), refunded=[kept, given_up])
    assert again.amount == 0


def test_codes_get_their_budget_back_with_the_units_and_the_use_with_the_last() -> None:
    group = PromoCode(code="GROUP", kind=Absolute(1000), scope=Scope(lines=frozenset({1})))
    order = order_of(Line(1, 1000, 3, VAT), LUNCH, promo_codes=[group])

    first = quote(order, line(1, 0))
    lunch = quote(order, line(2), refunded=[first])
    rest = quote(order, line(1, 1, 2), refunded=[first, lunch])

    assert [
        [(code.code, code.amount, code.uses) for code in each.codes] for each in (first, lunch, rest)
    ] == [
        [("GROUP", 333, 0)],
        [],
        [("GROUP", 667, 1)],
    ]


def test_a_cash_payment_counts_before_it_was_rounded() -> None:
    totals = checkout_totals([LUNCH], policy=TotalsPolicy(cash_increment=5))
    order = PaidOrder(totals=totals, payments=(Payment(name="cash", amount=2052),))

    assert (totals.cash_due, quote(order, line(2)).amount) == (2050, 2052)


def test_the_trace_explains_every_amount_of_a_quote() -> None:
    four = Conditions(thresholds=(Threshold(quantity=4, counting=Scope(lines=frozenset({1}))),))
    group = PromoCode(code="GROUP", kind=Absolute(400), scope=Scope(lines=frozenset({1})), conditions=four)
    order = order_of(
        Line(1, 1000, 4, VAT),
        Line(2, 1800, 1, REDUCED),
        promo_codes=[group],
        donation=50,
        vouchers=[Voucher(code="GIFT", balance=1000)],
    )
    policy = RefundPolicy(
        basis=RefundBasis.FLOOR,
        fees=(FeeStep(fee=PerUnit(150), rate=VAT),),
        guarantee=Guarantee(payout=Percentage.percent(50), scope=Scope(lines=frozenset({2}))),
        refunds_donation=True,
        payout_order=PayoutOrder.VOUCHERS_FIRST,
    )

    trace = refund_trace(quote(order, line(1, 0, 1), line(2), policy=policy), currency=currency("CHF"))

    # Two tickets at 900 and a lunch at 1800 get back 5400 - 2000, a share of 3400 / 3600.
    assert [*trace] == [
        Step("refund", 1, StepKind.CARRIED, "", 1800, "paid for 2 units"),
        Step("refund", 1, StepKind.REPRICED, "", -100, "the rest has another price"),
        Step("refund", 1, StepKind.REFUND_FEE, "", -300, "fee"),
        Step("refund", 2, StepKind.CARRIED, "", 1800, "paid for 1 unit"),
        Step("refund", 2, StepKind.REPRICED, "", -100, "the rest has another price"),
        Step("refund", 2, StepKind.KEPT, "", -850, "not refundable"),
        Step("refund", None, StepKind.CARRIED, "line 1", 1400),
        Step("refund", None, StepKind.CARRIED, "line 2", 850),
        Step("refund", None, StepKind.DONATION, "", 50),
        Step("paid_out", None, StepKind.CARRIED, "card", 1300),
        Step("paid_out", None, StepKind.VOUCHER, "GIFT", 1000),
    ]
    assert trace.currency == currency("CHF")


def test_a_policy_of_everything_kept_pays_nothing() -> None:
    policy = replace(RefundPolicy(), non_refundable=EVERYTHING)

    assert quote(order_of(Line(1, 500_000, 1, VAT)), line(1), policy=policy).amount == 0
