"""Prices made of parts with several VAT rates. Decisions §4."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.automatic import LineDiscount
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode, Scope
from faregate.errors import InvalidLines, InvalidRefund
from faregate.explanations.explanation import explain
from faregate.refunds.orders import PaidOrder, Payment
from faregate.tax.rates import Tie, VatAmount, VatLevel, VatRate
from faregate.totals.invoice import InvoiceVat, en16931_totals
from faregate.totals.items import item_totals
from faregate.totals.parts import PricePart, with_parts
from faregate.totals.pipeline import CheckoutTotals, LineTotals, checkout_totals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import policies
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.naive_readings import MILLION, half_up
from support.shops.small_shop import REDUCED, UNTAXED, VAT

# German Ministry of Finance, letter of 2 July 2020 (III C 2 - S 7030/20/10006): of the price of a meal with
# drinks, 30 % are for the drinks.
FOOD, DRINKS = VatRate.percent(7), VatRate.percent(19)
MENU = [PricePart(rate=FOOD, value=70), PricePart(rate=DRINKS, value=30)]
HALF = AutomaticDiscount(id=7, kind=Percentage.percent(50), scope=Scope(lines=frozenset({1})))
TEN = PromoCode(code="TEN", kind=Absolute(1000))


def figures(totals: CheckoutTotals) -> list[tuple[object, ...]]:
    return [(line.key, line.rate, line.total_gross, line.total_net) for line in totals.lines]


def test_the_drinks_of_a_menu_are_taxed_at_their_own_rate() -> None:
    totals = checkout_totals([Line(1, 2000, 3, FOOD)])

    found = with_parts(totals, {1: MENU})

    # 4200 include 275 (274.8) at 7 %, 1800 include 287 (287.4) at 19 %.
    assert figures(found) == [(1, FOOD, 4200, 3925), (1, DRINKS, 1800, 1513)]
    assert found.vat_breakdown == (VatAmount(FOOD, 3925, 275, 4200), VatAmount(DRINKS, 1513, 287, 1800))
    assert (found.total_gross, found.total_net, found.list_price_net) == (6000, 5438, 5438)
    assert found.request == totals.request


def test_discounts_reduce_the_parts_in_proportion_to_their_prices() -> None:
    other = Line(2, 4000, 1, UNTAXED)
    totals = checkout_totals(
        [other, Line(1, 6000, 1, FOOD)], automatic=[HALF], promo_codes=[TEN], donation=50
    )

    found = with_parts(totals, {1: MENU})

    # Half of 6000 is taken off 4200 and 1800; of the 1000, 429 (428.6) off the rest of 2100 and 900.
    food, drinks, rest = found.lines
    assert [line.auto_discounts for line in found.lines] == [
        (LineDiscount(HALF, 1, 2100),),
        (LineDiscount(HALF, 1, 900),),
        (),
    ]
    assert [line.auto_shares for line in found.lines] == [()] * 3
    assert [line.promo_code_discount for line in found.lines] == [300, 129, 571]
    assert (food.total_gross, drinks.total_gross, rest.total_gross) == (1800, 771, 3429)
    assert found.auto_discounts[0].shares == (2100, 900, 0)
    assert [code.shares for code in found.promo_codes] == [(300, 129, 571)]  # type: ignore[union-attr]
    # 1800 include 118 (117.8) at 7 %, 771 include 123 (123.1) at 19 %.
    assert found.total_net == 1682 + 648 + 3429 + 50
    # 2400 off include 157 (157.0) at 7 %, 1029 include 164 (164.3) at 19 %.
    assert found.total_discount_net == 2243 + 865 + 571
    assert [row.key for row in item_totals(found, [[1], [1], [2]])] == [1, 1, 2]


def test_tax_rounded_per_rate_moves_between_a_whole_line_and_parts() -> None:
    half = replace(HALF, scope=Scope())
    totals = checkout_totals([Line(1, 200, 1, FOOD), Line(2, 200, 1, FOOD)], automatic=[half])

    found = with_parts(totals, {2: [PricePart(rate=DRINKS, value=1)]})

    # 200 are 187 (186.9) net at 7 %, and 100 are 93 (93.5); 100 are 84 (84.0) at 19 %.
    nets = [
        [(line.list_price_net, line.total_discount_net, line.total_net) for line in each.lines]
        for each in (totals, found)
    ]
    assert nets == [[(188, 94, 94), (186, 93, 93)], [(186, 93, 93), (168, 84, 84)]]


def test_two_automatic_discounts_on_a_line_stay_apart() -> None:
    two_free = AutomaticDiscount(id=8, kind=Percentage.percent(20), scope=Scope(lines=frozenset({1})))
    totals = checkout_totals([Line(1, 1000, 3, FOOD)], automatic=[HALF, two_free])
    line = totals.lines[0]
    both = (LineDiscount(HALF, 1, 500), LineDiscount(two_free, 2, 400))
    applied = totals.auto_discounts[0]
    totals = totals._replace(
        lines=(line._replace(auto_shares=both),),
        auto_discounts=(applied._replace(shares=(500,)), applied._replace(discount=two_free, shares=(400,))),
    )

    found = with_parts(totals, {1: MENU})

    assert [row.auto_discounts for row in found.lines] == [
        (LineDiscount(HALF, 1, 350), LineDiscount(two_free, 1, 280)),
        (LineDiscount(HALF, 1, 150), LineDiscount(two_free, 1, 120)),
    ]
    assert [row.auto_discount for row in found.lines] == [HALF, HALF]


def test_the_invoice_has_both_rates() -> None:
    totals = checkout_totals([Line(1, 10_000, 1, FOOD)], promo_codes=[TEN])

    invoice = en16931_totals(with_parts(totals, {1: MENU}), allowances=["TEN"])

    # 6300 gross are 5888 (5887.9) net, 2700 gross are 2269 (2268.9) net.
    assert invoice.breakdown == (
        InvoiceVat(rate=FOOD, base=5888, vat=412),
        InvoiceVat(rate=DRINKS, base=2269, vat=431),
    )
    assert (invoice.due, invoice.rounding) == (9000, 0)
    assert [(row.rate, row.amount) for row in invoice.document_allowances] == [(FOOD, 654), (DRINKS, 252)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({2: MENU}, r"parts names line 2, expected a line of the checkout: \[1\]"),
        ({1: []}, "the parts of line 1 have no value"),
        ({1: [PricePart(rate=FOOD, value=0)]}, "the parts of line 1 have no value"),
        ({1: MENU[0]}, "parts of line 1 is PricePart"),
        ({1: [FOOD]}, "parts of line 1 contains VatRate"),
        ([MENU], "parts is"),
    ],
)
def test_invalid_parts_are_refused(parts: Any, message: str) -> None:
    with pytest.raises(InvalidLines, match=message):
        with_parts(checkout_totals([Line(1, 2000, 3, FOOD)]), parts)


@pytest.mark.parametrize("values", [{"value": -1}, {"value": 1.5}, {"rate": 7}])
def test_a_part_has_a_rate_and_a_value(values: dict[str, Any]) -> None:
    with pytest.raises(InvalidLines, match=next(iter(values))):
        replace(MENU[0], **values)


def test_parts_are_not_combined_with_what_the_rate_of_a_line_decides() -> None:
    net = TotalsPolicy(price_basis=PriceBasis.NET, vat_level=VatLevel.UNIT)
    meal = Voucher(code="MEAL", balance=100, face_value=100, single_purpose=FOOD)
    totals = checkout_totals([Line(1, 2000, 1, FOOD, is_subscription=True)], vouchers=[meal], policy=net)

    with pytest.raises(InvalidLines) as raised:
        with_parts(totals, {1: MENU})

    assert raised.value.messages == (
        "prices with parts need gross prices",
        "prices with parts need tax rounded per rate or line",
        "prices with parts need no subscriptions",
        "prices with parts need no single-purpose vouchers",
    )


some = Sizes(lines=8, automatic=2, codes=2)
gross = policies(price_basis=PriceBasis.GROSS).filter(lambda policy: policy.vat_level is not VatLevel.UNIT)
rates = st.sampled_from((UNTAXED, REDUCED, FOOD, VAT, DRINKS))
several = st.lists(
    st.builds(PricePart, rate=rates, value=st.integers(0, 10_000)), min_size=1, max_size=4
).filter(lambda parts: any(part.value for part in parts))


def splittable(request: PricingRequest) -> CheckoutTotals:
    lines = tuple([line._replace(is_subscription=False, recurring_price=None) for line in request.lines])
    return priced(request._replace(lines=lines, vouchers=()))


@given(checkouts(sizes=some, policy=gross), st.data())
def test_parts_change_the_tax_alone_and_add_up_to_their_line(
    request: PricingRequest, data: st.DataObject
) -> None:
    totals = splittable(request)
    parts = {line.key: data.draw(several) for line in totals.lines if data.draw(st.booleans())}

    found = with_parts(totals, parts)

    in_gross = [name for name in LineTotals._fields if name.endswith("gross")]
    in_gross += ["auto_discount_amount", "promo_code_discount"]
    by_line: dict[int, Counter[str]] = {}
    for row in found.lines:
        by_line.setdefault(row.key, Counter()).update({name: getattr(row, name) for name in in_gross})
        assert 0 <= row.total_gross <= row.list_price_gross
        assert row.total_net == row.list_price_net - row.total_discount_net
    assert by_line == {
        line.key: Counter({name: getattr(line, name) for name in in_gross}) for line in totals.lines
    }
    assert (found.total_gross, found.amount_due) == (totals.total_gross, totals.amount_due)
    assert found.total_gross - found.total_net == sum(row.vat for row in found.vat_breakdown)
    is_exact = request.policy.vat_level is VatLevel.RATE and request.policy.tie is Tie.TAX
    for rate, net, vat, whole in found.vat_breakdown:
        parts_per_million = rate.parts_per_million
        own = [row for row in found.lines if row.rate.parts_per_million == parts_per_million]
        assert whole == sum(row.total_gross for row in own)
        assert net == sum(row.total_net for row in own)
        if is_exact:
            assert vat == half_up(Fraction(whole * parts_per_million, MILLION + parts_per_million))


@given(checkouts(sizes=some, policy=gross))
def test_parts_at_the_rate_of_their_line_change_no_tax(request: PricingRequest) -> None:
    totals = splittable(request)

    plain = with_parts(totals, {})
    halves = with_parts(totals, {line.key: [PricePart(rate=line.rate, value=1)] * 2 for line in totals.lines})

    def by_key(lines: tuple[LineTotals, ...]) -> list[LineTotals]:
        return sorted(lines, key=lambda line: line.key)

    assert by_key(plain.lines) == by_key(totals.lines)
    assert plain.vat_breakdown == totals.vat_breakdown
    if request.policy.vat_level is VatLevel.RATE:
        assert halves.vat_breakdown == totals.vat_breakdown
        assert halves.total_net == totals.total_net


@pytest.mark.parametrize("rates", [(VAT,), (VAT, REDUCED)])
def test_refunds_explanations_and_parts_need_whole_lines(rates: tuple[VatRate, ...]) -> None:
    # By its parts, two units would be one unit of each of several lines with the same key.
    parts = [PricePart(rate=rate, value=1) for rate in rates]
    in_parts = with_parts(checkout_totals([Line(1, 7900, 2, VAT)]), {1: parts})

    with pytest.raises(InvalidRefund, match="totals: expected the lines of the request"):
        PaidOrder(totals=in_parts, payments=(Payment(name="card", amount=15_800),))
    with pytest.raises(InvalidLines, match="expected the lines of the request: use the totals before with_"):
        explain(in_parts)
    with pytest.raises(InvalidLines, match="prices with parts need the lines of the request"):
        with_parts(in_parts, {1: parts})
