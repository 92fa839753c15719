"""Means of payment that get a refund, and what each return adds to the earlier ones. Decisions §20."""

from datetime import UTC, datetime, timedelta

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import EVERYTHING, Percentage, Scope
from faregate.refunds.policy import Guarantee, PayoutOrder, RefundPolicy
from faregate.refunds.quote import RefundQuote
from faregate.refunds.steps import refund_trace
from support.refunds.box_office import LUNCH, REDUCED, TICKETS, VAT, line, order_of, paid_out, quote


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (PayoutOrder.PAYMENTS_FIRST, {"card": 5800, "LATE": 2100}),
        (PayoutOrder.VOUCHERS_FIRST, {"LATE": 6000, "SOON": 1900}),
        (PayoutOrder.PROPORTIONAL, {"card": 2900, "LATE": 3000, "SOON": 2000}),
    ],
)
def test_means_of_payment_are_paid_back_in_order(by: PayoutOrder, expected: dict[str, int]) -> None:
    vouchers = [Voucher(code="LATE", balance=6000), Voucher(code="SOON", balance=4000)]
    order = order_of(TICKETS, vouchers=vouchers)

    found = quote(order, line(1, 0), policy=RefundPolicy(payout_order=by))

    assert paid_out(found) == expected


def test_a_voucher_gets_back_at_most_what_earlier_quotes_left() -> None:
    order = order_of(TICKETS, vouchers=[Voucher(code="GIFT", balance=6000)])
    policy = RefundPolicy(payout_order=PayoutOrder.VOUCHERS_FIRST)

    first = quote(order, line(1, 0), policy=policy)
    second = quote(order, line(1, 1), policy=policy, refunded=[first])

    assert (paid_out(first), paid_out(second)) == ({"card": 1900, "GIFT": 6000}, {"card": 7900})
    assert [step.source for step in refund_trace(first).of("paid_out")] == ["card", "GIFT"]


@pytest.mark.parametrize("by", PayoutOrder)
def test_a_single_purpose_voucher_gets_back_its_goods_and_nothing_else(by: PayoutOrder) -> None:
    voucher = Voucher(code="LUNCH", balance=2052, face_value=2052, single_purpose=REDUCED)
    order = order_of(TICKETS, LUNCH, vouchers=[voucher])
    policy = RefundPolicy(payout_order=by)

    ticket = quote(order, line(1, 0), policy=policy)
    lunch = quote(order, line(2), policy=policy, refunded=[ticket])

    assert (paid_out(ticket), paid_out(lunch)) == ({"card": 7900}, {"LUNCH": 2052})
    assert [(row.rate, row.net, row.vat, row.gross) for row in lunch.prepaid] == [(REDUCED, 2000, 52, 2052)]


def test_equal_returns_share_net_tax_and_means_of_payment() -> None:
    order = order_of(Line(1, 1005, 3, VAT), vouchers=[Voucher(code="GIFT", balance=1005)])
    policy = RefundPolicy(
        guarantee=Guarantee(payout=Percentage.percent(60), scope=EVERYTHING),
        payout_order=PayoutOrder.PROPORTIONAL,
    )

    quotes: list[RefundQuote] = []
    for unit in range(3):
        quotes.append(quote(order, line(1, unit), policy=policy, refunded=quotes))

    # The net of 3015 is 2789; 40 % of each unit is kept.
    assert [(row.gross, row.net, row.kept_gross, row.kept_net) for each in quotes for row in each.lines] == [
        (1005, 930, 402, 372),
        (1005, 930, 402, 372),
        (1005, 929, 402, 372),
    ]
    assert [paid_out(each) for each in quotes] == [{"card": 402, "GIFT": 201}] * 3


def test_single_purpose_vouchers_are_paid_back_line_by_line_as_they_paid() -> None:
    menu = Voucher(
        code="MENU", balance=1800, face_value=2600, single_purpose=REDUCED, scope=Scope(lines=frozenset({1}))
    )
    meal = Voucher(code="MEAL", balance=1500, face_value=1500, single_purpose=REDUCED)
    ride = Voucher(code="RIDE", balance=4000, face_value=4000, single_purpose=VAT)
    lunches, tickets, drink = Line(1, 1000, 3, REDUCED), Line(2, 5000, 2, VAT), Line(3, 500, 1, REDUCED)
    order = order_of(lunches, tickets, drink, vouchers=[menu, meal, ride])

    quotes: list[RefundQuote] = []
    for returned in ([line(1, 0)], [line(1, 1), line(3)], [line(1, 2)]):
        quotes.append(quote(order, *returned, refunded=quotes))

    # MENU paid 1800 for lunches; MEAL the other 1200, and 300 for the drink.
    assert [paid_out(each) for each in quotes] == [
        {"MENU": 1000},
        {"card": 200, "MENU": 800, "MEAL": 500},
        {"MEAL": 1000},
    ]
    # Tax at 2.6 %: of MENU, 66 on 2600, 41 on 1600 and 20 on 800; of MEAL, 38 on 1500 and 25 on 1000.
    assert [[(row.rate, row.net, row.vat, row.gross) for row in each.prepaid] for each in quotes] == [
        [(REDUCED, 975, 25, 1000)],
        [(REDUCED, 1266, 21 + 13, 1300)],
        [(REDUCED, 975, 25, 1000)],
    ]


def test_the_zone_of_the_order_decides_on_the_day_of_a_visit() -> None:
    start = datetime(2026, 11, 7, 23, 30, tzinfo=UTC)  # Sunday in Zurich
    visit = Line(1, 7900, 1, VAT, validity=Interval(start, start + timedelta(hours=8)))
    sundays = Scope(weekdays=frozenset({7}))
    voucher = Voucher(code="SUNDAY", balance=9000, face_value=9000, single_purpose=VAT, scope=sundays)
    order = order_of(visit, vouchers=[voucher], context=Context(zone="Europe/Zurich"))
    policy = RefundPolicy(guarantee=Guarantee(payout=Percentage.percent(60), scope=sundays))

    assert paid_out(quote(order, line(1), policy=policy)) == {"SUNDAY": 4740}
