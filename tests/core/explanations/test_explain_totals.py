"""Steps of a checkout and its tax, worked out by hand."""

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import SubscriptionBasis, TotalsPolicy
from faregate.discounts.kinds import Absolute, AutomaticDiscount, DiscountLevel, Percentage, Scope
from faregate.explanations.explanation import explain
from faregate.money.currency import currency
from faregate.render import receipt
from faregate.tax.rates import VatLevel
from faregate.totals.pipeline import checkout_totals
from faregate.trace import StepKind
from support.baskets.told_steps import (
    AUTOMATIC,
    CARRIED,
    CODE,
    FRANCS,
    GIVEN_BACK,
    LISTED,
    NET,
    ODD,
    TAX,
    code,
    told,
)
from support.shops.small_shop import UNTAXED, VAT, lines


def test_net_of_a_line_is_gross_less_tax_and_the_unit_given_back() -> None:
    totals = checkout_totals([Line(key, 100, 1, VAT) for key in (1, 2, 3)])

    # 92.5 each: floors of 92, and two cents over up to 278
    assert [told(totals, "total_net", key) for key in (1, 2, 3)] == [
        [(CARRIED, "total_gross", 100), (TAX, "8.1 %", -8), (GIVEN_BACK, "8.1 %", 1)],
        [(CARRIED, "total_gross", 100), (TAX, "8.1 %", -8), (GIVEN_BACK, "8.1 %", 1)],
        [(CARRIED, "total_gross", 100), (TAX, "8.1 %", -8)],
    ]
    assert told(totals, "list_price_net", 1) == [
        (CARRIED, "total_net", 93),
        (CARRIED, "total_discount_net", 0),
    ]


def test_with_net_prices_the_gross_of_a_line_is_net_plus_tax() -> None:
    totals = checkout_totals([Line(key, 106, 1, VAT) for key in (1, 2, 3)], policy=NET)

    # 114.6 each: floors of 114, and two cents over up to 344
    assert told(totals, "list_price_net", 1) == [(LISTED, "", 106)]
    assert told(totals, "total_net", 1) == [(LISTED, "", 106)]
    assert told(totals, "total_gross", 1) == [
        (CARRIED, "total_net", 106),
        (TAX, "8.1 %", 8),
        (GIVEN_BACK, "8.1 %", 1),
    ]
    assert told(totals, "total_gross", 3) == [(CARRIED, "total_net", 106), (TAX, "8.1 %", 8)]
    assert told(totals, "list_price_gross", 3) == [
        (CARRIED, "total_gross", 114),
        (CARRIED, "total_discount_gross", 0),
    ]


@pytest.mark.parametrize("level", [VatLevel.LINE, VatLevel.UNIT])
def test_tax_rounded_line_by_line_needs_nothing_given_back(level: VatLevel) -> None:
    totals = checkout_totals([Line(1, 100, 1, VAT)], policy=TotalsPolicy(vat_level=level))

    assert told(totals, "total_net", 1) == [(CARRIED, "total_gross", 100), (TAX, "8.1 %", -7)]


@pytest.mark.parametrize("policy", [TotalsPolicy(), NET])
def test_an_untaxed_line_has_no_tax_step(policy: TotalsPolicy) -> None:
    totals = checkout_totals([Line(1, 100, 1, UNTAXED)], policy=policy)
    basis, other = ("net", "gross") if policy is NET else ("gross", "net")

    assert told(totals, f"total_{other}", 1) == [(CARRIED, f"total_{basis}", 100)]


@pytest.mark.parametrize(
    ("policy", "figure", "of_line", "of_checkout"),
    [
        # 8.1/108.1 of an amount that includes tax; 8.1 % of a net amount
        (TotalsPolicy(), "total_net", "8.1/108.1 of 1.00", "8.1/108.1 of 2.00"),
        (NET, "total_gross", "8.1 % of 1.00", "8.1 % of 2.00"),
    ],
)
def test_the_note_of_the_tax_names_its_base(
    policy: TotalsPolicy, figure: str, of_line: str, of_checkout: str
) -> None:
    totals = checkout_totals([Line(key, 100, 1, VAT) for key in (1, 2)], policy=policy)
    trace = explain(totals, currency=FRANCS).trace

    (line_tax,) = (step for step in trace.of(figure, line=1) if step.rule is TAX)
    (checkout_tax,) = (step for step in trace.of(figure) if step.rule is TAX)

    assert line_tax.note.startswith(of_line)
    assert checkout_tax.note == of_checkout


def test_a_checkout_is_its_list_price_less_discounts_and_the_donation() -> None:
    rule = AutomaticDiscount(id=7, kind=Absolute(600))

    totals = checkout_totals(
        [Line(1, 10_000, 1, VAT), Line(2, 5000, 1, UNTAXED)],
        automatic=[rule],
        promo_codes=[code("A", Absolute(400))],
        donation=200,
    )

    # 600 off by 10000 and 5000: 400 and 200, then 266.67 and 133.33. So 9333 at 8.1 %, with a tax of 699.
    assert told(totals, "total_gross") == [
        (CARRIED, "list_price_gross", 15_000),
        (AUTOMATIC, "automatic discount 7", -600),
        (CODE, "A", -400),
        (StepKind.DONATION, "", 200),
    ]
    assert told(totals, "list_price_gross") == [(CARRIED, "line 1", 10_000), (CARRIED, "line 2", 5000)]
    assert told(totals, "total_discount_gross") == [
        (AUTOMATIC, "automatic discount 7", 600),
        (CODE, "A", 400),
    ]
    assert told(totals, "auto_discount_amount") == [(AUTOMATIC, "automatic discount 7", 600)]
    assert told(totals, "promo_code_discount") == [(CODE, "A", 400)]
    assert told(totals, "donation") == [(StepKind.DONATION, "", 200)]
    assert told(totals, "total_net") == [
        (CARRIED, "total_gross", 14_200),
        (TAX, "0 %", 0),
        (TAX, "8.1 %", -699),
    ]


def test_tax_is_added_to_a_checkout_of_net_prices() -> None:
    totals = checkout_totals([Line(1, 10_000, 1, VAT)], donation=200, policy=NET)

    assert told(totals, "total_net") == [(CARRIED, "list_price_net", 10_000), (StepKind.DONATION, "", 200)]
    assert told(totals, "total_gross") == [(CARRIED, "total_net", 10_200), (TAX, "8.1 %", 810)]


def test_without_a_donation_there_is_no_donation_step() -> None:
    assert told(checkout_totals(lines(100)), "donation") == []


def test_the_amount_due_is_the_total_less_vouchers_and_rounded_in_cash() -> None:
    totals = checkout_totals(
        lines(1002), vouchers=[Voucher(code="A", balance=500)], policy=TotalsPolicy(cash_increment=5)
    )

    assert told(totals, "amount_due") == [(CARRIED, "total_gross", 1002), (StepKind.VOUCHER, "A", -500)]
    assert told(totals, "cash_due") == [(CARRIED, "amount_due", 502), (StepKind.CASH_ROUNDING, "", -2)]


def test_a_voucher_that_pays_nothing_has_a_reason() -> None:
    totals = checkout_totals(
        lines(1002), vouchers=[Voucher(code="A", balance=0), Voucher(code="B", balance=1)]
    )

    assert [step.note for step in explain(totals).trace.of("amount_due")] == ["", "used up", ""]


def test_an_amount_that_is_already_a_cash_step_is_carried_over() -> None:
    totals = checkout_totals(lines(1000), policy=TotalsPolicy(cash_increment=5))

    assert told(totals, "cash_due") == [(CARRIED, "amount_due", 1000)]


@pytest.mark.parametrize(
    ("basis", "gross", "net"),
    [
        # 600.00 less a tenth, less 50.00: 490.00 now, 540.00 later; 45328 and 49954 net
        (SubscriptionBasis.FIRST_PERIOD, 49_000, 45_328),
        (SubscriptionBasis.RECURRING, 54_000, 49_954),
    ],
)
def test_subscription_totals_have_a_step_per_line(basis: SubscriptionBasis, gross: int, net: int) -> None:
    rule = AutomaticDiscount(
        id=1, kind=Percentage.percent(10, level=DiscountLevel.LINE), scope=Scope(lines=frozenset({3}))
    )

    totals = checkout_totals(
        [Line(3, 60_000, 1, VAT, is_subscription=True), Line(1, 500, 1, UNTAXED)],
        automatic=[rule],
        promo_codes=[code("FIFTY", Absolute(5000), 3)],
        policy=TotalsPolicy(subscription_basis=basis),
    )

    assert told(totals, "total_subscription_gross") == [(CARRIED, "line 3", gross)]
    assert told(totals, "total_subscription_net") == [(CARRIED, "line 3", net)]
    (step,) = explain(totals).trace.of("total_subscription_gross")
    assert basis.value.replace("_", " ") in step.note


def test_a_first_period_is_explained_from_the_price_of_a_whole_period() -> None:
    stub = Line(1, 3933, 2, VAT, is_subscription=True, recurring_price=11_800)

    totals = checkout_totals([stub])

    for figure in ("list_price_gross", "total_gross"):
        assert told(totals, figure, 1)[:2] == [
            (StepKind.LIST_PRICE, "", 23_600),
            (StepKind.FIRST_PERIOD, "", -15_734),
        ]
    francs = currency("CHF")
    row = receipt(explain(totals, currency=francs), currency=francs).rows[0]
    assert (row.amount, row.note) == (7866, "2 x 39.33 for the first period")


def test_lines_are_explained_in_ascending_order_of_key() -> None:
    totals = checkout_totals(lines(100, 100, 100)[::-1], promo_codes=[code("A", Absolute(100))])

    assert told(totals, "list_price_gross") == [(CARRIED, f"line {key}", 100) for key in (1, 2, 3)]
    assert told(totals, "promo_code_discount", 1) == [(CODE, "A", 33), (ODD, "A", 1)]


def test_an_empty_checkout_is_explained() -> None:
    explained = explain(checkout_totals([]))

    assert explained.trace.amount("total_gross") == explained.trace.amount("cash_due") == 0
    assert (explained.refused, explained.passed_over) == ((), ())
