"""Steps of the items of a line, worked out by hand."""

from faregate.basket.lines import Line, pricing_lines
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import Absolute, AutomaticDiscount, DiscountLevel, Percentage, PromoCode
from faregate.explanations.explanation import checkout_trace, explain, item_trace
from faregate.money.currency import currency
from faregate.totals.pipeline import checkout_totals
from faregate.trace import StepKind
from faregate.translations import Text
from support.shops.small_shop import VAT, lines

GROSS, NET = TotalsPolicy(), TotalsPolicy(price_basis=PriceBasis.NET)

LISTED, AUTOMATIC, CODE = StepKind.LIST_PRICE, StepKind.AUTOMATIC_DISCOUNT, StepKind.PROMO_CODE
CARRIED, TAX, GIVEN_BACK = StepKind.CARRIED, StepKind.VAT, StepKind.GIVE_BACK

EARLY = AutomaticDiscount(id=1, kind=Absolute(500), name=Text("Early", de="Früh"))


def items_told(figure: str, item: int, *, policy: TotalsPolicy = GROSS) -> list[tuple[object, ...]]:
    """Return the steps of a figure of one of three tickets for 19.99, less 5.00 and then 10 %."""
    members = pricing_lines([Line(key, 1999, quantity=1, rate=VAT) for key in (1, 2, 3)])
    codes = [PromoCode(code="TEN", kind=Percentage.percent(10))]
    totals = checkout_totals(members.lines, automatic=[EARLY], promo_codes=codes, policy=policy)
    trace = item_trace(totals, members.members, currency=currency("CHF"))
    return [step[2:] for step in trace.of(figure, line=item)]


def test_a_discount_of_a_line_has_a_step_for_each_item() -> None:
    assert items_told("total_gross", 1) == [
        (LISTED, "", 1999, "1 x 19.99"),
        (AUTOMATIC, "Early", -167, "5.00 off: 5.00 over 3 items"),
        (CODE, "TEN", -183, "10 % off: 5.50 over 3 items"),
    ]
    assert [step[2] for step in items_told("auto_discount_amount", 3)] == [166]
    assert [step[2] for step in items_told("promo_code_discount", 3)] == [184]


def test_the_net_of_an_item_has_a_step_for_the_odd_unit() -> None:
    told_of = [items_told("total_net", item) for item in (1, 2, 3)]

    # 45.76 in total; 15.25 each would be 45.75.
    assert [[step[:3] for step in steps] for steps in told_of] == [
        [(CARRIED, "total_gross", 1649), (TAX, "8.1 %", -124), (GIVEN_BACK, "8.1 %", 1)],
        [(CARRIED, "total_gross", 1649), (TAX, "8.1 %", -124)],
        [(CARRIED, "total_gross", 1649), (TAX, "8.1 %", -124)],
    ]


def test_a_discount_has_no_step_for_an_item_it_leaves_alone() -> None:
    joined = pricing_lines([Line(key, 1000, quantity=1, rate=VAT) for key in (4, 7)])
    totals = checkout_totals(joined.lines, promo_codes=[PromoCode(code="CENT", kind=Absolute(1))])

    trace = item_trace(totals, joined.members)

    assert [step.amount for step in trace.of("promo_code_discount", line=4)] == [1]
    assert trace.of("promo_code_discount", line=7) == ()


def test_a_discount_of_each_line_is_described_for_an_item_without_the_line() -> None:
    joined = pricing_lines([Line(key, 1000, quantity=1, rate=VAT) for key in (1, 2, 3)])
    code = PromoCode(code="EACH", kind=Absolute(100, DiscountLevel.LINE))
    totals = checkout_totals(joined.lines, promo_codes=[code])

    (step,) = item_trace(totals, joined.members).of("promo_code_discount", line=1)

    assert (step.amount, step.note) == (34, "100 off: 100 over 3 items")


def test_a_single_item_is_explained_like_its_line() -> None:
    joined = pricing_lines([Line(4, 1000, quantity=1, rate=VAT), Line(7, 3000, quantity=1, rate=VAT)])
    totals = checkout_totals(joined.lines, promo_codes=[PromoCode(code="ODD", kind=Absolute(333))])

    trace = item_trace(totals, joined.members)

    lines = explain(totals).trace
    assert all(trace.of(figure, line=key) == lines.of(figure, line=key) for figure, key in trace.figures())


def test_the_caller_may_set_the_names_of_discounts() -> None:
    totals = checkout_totals(
        lines(1000), automatic=[EARLY], promo_codes=[PromoCode(code="TEN", kind=Absolute(1))]
    )

    def in_german(discount: AutomaticDiscount | PromoCode) -> str:
        return discount.name.in_language("de") or "a code"

    trace = explain(totals, name=in_german).trace

    assert [step.source for step in trace.of("total_discount_gross")] == ["Früh", "a code"]


def test_the_checkout_can_be_explained_without_its_lines() -> None:
    totals = checkout_totals(lines(7900, 1250), promo_codes=[PromoCode(code="FIVE", kind=Absolute(500))])

    told = checkout_trace(totals, name=lambda discount: f"number {discount.id}")

    taken = told.of("promo_code_discount")
    assert [(step.amount, step.source) for step in taken] == [(500, "number 0")]
    assert told.of("total_gross", line=1) == ()
