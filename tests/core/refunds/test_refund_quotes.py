"""Quotes for the cases that a box office meets, and the returns that are refused. Decisions §20."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line, pricing_lines
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.dates.instants import Interval
from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    DiscountLevel,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
)
from faregate.errors import InvalidRefund
from faregate.refunds.orders import PaidOrder, Payment, ReturnedUnits, returned_items
from faregate.refunds.policy import FeeStep, Guarantee, PayoutOrder, RefundBasis, RefundPolicy
from faregate.refunds.quote import RefundQuote
from faregate.refunds.quoting import refund_quote
from faregate.refunds.steps import refund_trace
from faregate.tax.rates import VatRate
from faregate.totals.items import item_totals
from faregate.totals.pipeline import checkout_totals
from faregate.trace import StepKind

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)
ZURICH = ZoneInfo("Europe/Zurich")
VAT, REDUCED = VatRate.percent("8.1"), VatRate.percent("2.6")
TICKETS, LUNCH = Line(1, 7900, 2, VAT), Line(2, 2052, 1, REDUCED)


def order_of(*lines: Line, **rules: Any) -> PaidOrder:
    totals = checkout_totals(lines, **rules)
    return PaidOrder(totals=totals, payments=(Payment(name="card", amount=totals.amount_due),))


def quote(order: PaidOrder, *returned: ReturnedUnits, **options: Any) -> RefundQuote:
    return refund_quote(order, returned, at=AT, **options)


def line(key: int, *units: int) -> ReturnedUnits:
    return ReturnedUnits(line=key, units=units or None)


def paid_out(of: RefundQuote) -> dict[str, int]:
    return {pay.name: pay.amount for pay in (*of.payments, *of.vouchers)}


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


def test_items_get_back_what_item_totals_shows() -> None:
    item = Line(3, 1000, 1, VAT)
    joined = pricing_lines([item, item._replace(key=5), item._replace(key=9)])
    order = order_of(*joined.lines, promo_codes=[PromoCode(code="TEN", kind=Absolute(1000))])

    found = quote(order, *returned_items(joined.members, [9]))

    shown = {row.key: row for row in item_totals(order.totals, joined.members)}
    assert (found.lines[0].gross, found.lines[0].net) == (shown[9].total_gross, shown[9].total_net)


def test_nothing_returned_refunds_nothing() -> None:
    found = quote(order_of(TICKETS))

    assert (found.lines, found.amount, found.payments) == ((), 0, ())


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
    assert [(row.rate, row.gross) for row in found.vat_breakdown] == [(REDUCED, 2052), (VAT, 7900)]


@pytest.mark.parametrize(
    ("fee", "expected"),
    [
        (Percentage.percent(10, level=DiscountLevel.LINE), [790, 205]),
        (Absolute(3000, DiscountLevel.LINE), [3000, 2052]),
    ],
)
def test_a_fee_per_line_is_charged_on_each_returned_line(fee: Any, expected: list[int]) -> None:
    policy = RefundPolicy(fees=(FeeStep(fee=fee, rate=VAT),))

    found = quote(order_of(TICKETS, LUNCH), line(1, 0), line(2), policy=policy)

    assert [row.fee for row in found.lines] == expected


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


def test_codes_get_their_budget_back_with_the_units_and_the_use_with_the_last() -> None:
    order = order_of(Line(1, 1000, 10, VAT), promo_codes=[PromoCode(code="GROUP", kind=Absolute(2000))])

    first = quote(order, line(1, 0))
    rest = quote(order, line(1, *range(1, 10)), refunded=[first])

    assert [(code.code, code.amount, code.uses) for code in (*first.codes, *rest.codes)] == [
        ("GROUP", 200, 0),
        ("GROUP", 1800, 1),
    ]


def test_a_cash_payment_counts_before_it_was_rounded() -> None:
    totals = checkout_totals([LUNCH], policy=TotalsPolicy(cash_increment=5))
    order = PaidOrder(totals=totals, payments=(Payment(name="cash", amount=2052),))

    assert (totals.cash_due, quote(order, line(2)).amount) == (2050, 2052)


def test_the_trace_names_what_was_taken_from_the_price() -> None:
    policy = RefundPolicy(
        basis=RefundBasis.FLOOR,
        fees=(FeeStep(fee=Absolute(100), rate=VAT),),
        guarantee=Guarantee(payout=Percentage.percent(50), scope=Scope(lines=frozenset({2}))),
        refunds_donation=True,
    )
    minimum = PromoCode(code="FIFTH", kind=BuyXGetY(1, 1, 500_000, rewards=None))
    order = order_of(Line(1, 1000, 2, VAT), LUNCH, promo_codes=[minimum], donation=50)

    trace = refund_trace(quote(order, line(1, 1), line(2), policy=policy))

    kinds = [step.rule for step in trace.of("refund", line=1)]
    assert kinds == [StepKind.CARRIED, StepKind.REPRICED, StepKind.REFUND_FEE]
    assert StepKind.KEPT in [step.rule for step in trace.of("refund", line=2)]
    assert trace.amount("refund") == trace.amount("paid_out")


def messages(error: pytest.ExceptionInfo[InvalidRefund]) -> tuple[str, ...]:
    return error.value.messages


def test_every_fault_of_a_return_is_listed() -> None:
    order = order_of(TICKETS, LUNCH)
    earlier = quote(order, line(2))
    returned = [line(9), line(2), line(1, 1, 2, 1)]

    with pytest.raises(InvalidRefund) as error:
        refund_quote(order, returned, at=datetime(2026, 11, 2), refunded=[earlier])  # noqa: DTZ001

    assert messages(error) == (
        "at: expected a datetime with a UTC offset, got 2026-11-02 00:00:00",
        "returned[0]: unknown line 9, expected one of [1, 2]",
        "returned[1]: unit 0 of line 2 is returned already",
        "returned[2]: line 1 has no unit 2, expected 0 to 1",
        "returned[2]: unit 1 of line 1 is returned already",
    )


def test_quotes_of_another_order_are_refused() -> None:
    other = quote(order_of(Line(7, 100, 1, VAT)), line(7))

    with pytest.raises(InvalidRefund) as error:
        quote(order_of(TICKETS), line(1), refunded=[other])

    assert messages(error) == ("refunded[0]: line 7 does not fit the order",)


@pytest.mark.parametrize(
    "changed",
    [
        {"rate": REDUCED},
        {"credited": (7900,)},
        {"units": (2,)},
        {"units": (0, 0), "paid": 15_800},
        {"paid": 7800},
        {"credited": (8000, 0), "gross": 8000},
        {"gross": 7899},
    ],
)
def test_a_quote_that_was_changed_is_refused(changed: dict[str, Any]) -> None:
    order = order_of(TICKETS)
    sound = quote(order, line(1, 0))

    with pytest.raises(InvalidRefund) as error:
        quote(order, line(1, 1), refunded=[replace(sound, lines=(replace(sound.lines[0], **changed),))])

    assert messages(error)[0] == "refunded[0]: line 1 does not fit the order"


@pytest.mark.parametrize(
    "changed", [{"amount": 7899}, {"donation": 1}, {"payments": ()}, {"vat_breakdown": ()}, {"lines": ()}]
)
def test_a_quote_whose_amounts_do_not_add_up_is_refused(changed: dict[str, Any]) -> None:
    order = order_of(TICKETS)

    with pytest.raises(InvalidRefund) as error:
        quote(order, line(1, 1), refunded=[replace(quote(order, line(1, 0)), **changed)])

    assert messages(error) == ("refunded[0]: its amounts do not add up",)


def test_a_quote_given_twice_and_one_paid_back_otherwise_are_refused() -> None:
    order = order_of(TICKETS)
    first = quote(order, line(1, 0))
    to_cash = replace(quote(order, line(1, 1)), payments=(Payment(name="cash", amount=7900),))

    with pytest.raises(InvalidRefund) as error:
        quote(order, refunded=[first, first, to_cash])

    assert messages(error) == (
        "refunded[1]: an earlier quote has units of line 1 that this one has too",
        "refunded[2]: the order was not paid with 'cash'",
    )


@pytest.mark.parametrize("amounts", [(), (15_799,), (15_801,), (15_800, 15_800)])
def test_payments_must_add_up_to_the_amount_due(amounts: tuple[int, ...]) -> None:
    payments = tuple(Payment(name=f"card {n}", amount=amount) for n, amount in enumerate(amounts))

    with pytest.raises(InvalidRefund, match="expected payments of 15800 in total, the amount due, got"):
        PaidOrder(totals=checkout_totals([TICKETS]), payments=payments)


def test_payments_have_different_names() -> None:
    half = Payment(name="card", amount=7900)

    with pytest.raises(InvalidRefund, match="the name 'card' is used 2 times, expected different names"):
        PaidOrder(totals=checkout_totals([TICKETS]), payments=(half, half))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"notice": timedelta(days=-1)}, "expected a notice from 0 to 36525 days, got -1 day, 0:00:00"),
        ({"notice": timedelta(days=36_526)}, "expected a notice from 0 to 36525 days"),
        ({"fee": Absolute(500)}, "the fee has no VAT rate: give rate"),
    ],
)
def test_impossible_fees_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRefund, match=message):
        FeeStep(**fields)


def test_fees_must_cover_late_returns_too() -> None:
    with pytest.raises(InvalidRefund, match="the last fee step has a notice"):
        RefundPolicy(fees=(FeeStep(notice=timedelta(days=1)),))


def test_unknown_items_are_all_named() -> None:
    assert returned_items([(1, 4), (2,)], [4]) == (ReturnedUnits(line=1, units=(1,)),)
    with pytest.raises(InvalidRefund) as error:
        returned_items([(1, 4)], [4, 5, 6])

    assert messages(error) == ("unknown item 5", "unknown item 6")


def test_a_policy_of_everything_kept_pays_nothing() -> None:
    policy = replace(RefundPolicy(), non_refundable=EVERYTHING)

    assert quote(order_of(TICKETS), line(1), policy=policy).amount == 0
