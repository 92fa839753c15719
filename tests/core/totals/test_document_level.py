"""Discounts and fees stated for the whole invoice, worked out by hand. Decisions §4."""

from typing import Any

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    DiscountLevel,
    Percentage,
    PromoCode,
    UnknownCode,
)
from faregate.errors import InvalidInvoice
from faregate.totals.document_level import DocumentAmount
from faregate.totals.invoice import InvoiceVat, en16931_totals
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import REDUCED, VAT

NET = TotalsPolicy(price_basis=PriceBasis.NET)
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
MEMBERS = AutomaticDiscount(id=7, kind=Percentage.percent(50))
TICKET, LUNCH = Line(1, 10_000, 1, VAT), Line(2, 3000, 1, REDUCED)
FEE = Line(3, 500, 1, VAT, discountable=False)


def amounts(rows: tuple[DocumentAmount, ...]) -> list[tuple[object, ...]]:
    return [(row.source, row.rate, row.amount) for row in rows]


def test_a_code_is_an_allowance_per_rate_and_a_fee_is_a_charge() -> None:
    totals = checkout_totals([TICKET, LUNCH, FEE], promo_codes=[TEN], policy=NET)

    invoice = en16931_totals(totals, allowances=["ten "], charges=[3])

    assert amounts(invoice.document_allowances) == [("TEN", VAT, 1000), ("TEN", REDUCED, 300)]
    assert amounts(invoice.document_charges) == [(3, VAT, 500)]
    assert invoice.lines == ((1, 10_000), (2, 3000))
    assert (invoice.line_net, invoice.allowances, invoice.charges, invoice.net) == (13_000, 1300, 500, 12_200)
    # 8.1 % of 9500 is 769.5, 2.6 % of 2700 is 70.2.
    assert invoice.breakdown == (
        InvoiceVat(rate=REDUCED, base=2700, vat=70),
        InvoiceVat(rate=VAT, base=9500, vat=770),
    )


def test_discounts_that_are_not_named_reduce_the_lines() -> None:
    totals = checkout_totals([TICKET, FEE], automatic=[MEMBERS], promo_codes=[TEN], policy=NET)

    both = en16931_totals(totals, allowances=[7, "TEN"])
    code = en16931_totals(totals, allowances=["TEN"])
    neither = en16931_totals(totals)

    assert amounts(both.document_allowances) == [(7, VAT, 5000), ("TEN", VAT, 500)]
    assert [row.lines[0][1] for row in (both, code, neither)] == [10_000, 5000, 4500]
    assert [row.net for row in (both, code, neither)] == [5000] * 3


def test_rules_and_codes_without_effect_are_not_stated() -> None:
    weaker = AutomaticDiscount(id=8, kind=Absolute(1, level=DiscountLevel.LINE))
    unknown = UnknownCode(code="OLD")
    totals = checkout_totals(
        [TICKET, FEE._replace(rate=REDUCED)], automatic=[MEMBERS, weaker], promo_codes=[unknown]
    )

    invoice = en16931_totals(totals, allowances=["OLD", 8])
    at_one_rate = en16931_totals(totals, allowances=[7])

    assert (invoice.document_allowances, invoice.allowances) == ((), 0)
    assert [row.rate for row in at_one_rate.document_allowances] == [VAT]


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        (
            {"allowances": ["NONE"]},
            "allowances contains 'NONE', expected discounts of the checkout: 'TEN', 7",
        ),
        ({"allowances": "TEN"}, "allowances is 'TEN', expected a list"),
        ({"allowances": [7.0]}, "allowances contains 7.0, expected str or int"),
        ({"charges": [4]}, "charges contains 4, expected lines of the checkout: 1"),
        ({"charges": ["1"]}, "charges contains '1', expected int"),
        ({"charges": [True]}, "charges contains True, expected int"),
    ],
)
def test_unknown_discounts_and_lines_are_refused(shown: dict[str, Any], message: str) -> None:
    totals = checkout_totals([TICKET], automatic=[MEMBERS], promo_codes=[TEN])

    with pytest.raises(InvalidInvoice, match=message):
        en16931_totals(totals, **shown)
    with pytest.raises(InvalidInvoice, match=r"expected discounts of the checkout: it has none$"):
        en16931_totals(checkout_totals([TICKET]), allowances=["TEN"])


def test_document_level_amounts_exclude_prepaid_goods() -> None:
    meal = Voucher(code="MEAL", balance=1000, face_value=1000, single_purpose=REDUCED)
    totals = checkout_totals([TICKET, LUNCH, FEE], promo_codes=[TEN], vouchers=[meal])

    assert en16931_totals(totals).lines == ()
    cases: list[dict[str, Any]] = [{"allowances": ["TEN"]}, {"charges": [3]}]
    for shown in cases:
        with pytest.raises(InvalidInvoice) as refused:
            en16931_totals(totals, **shown)
        assert str(refused.value) == (
            "expected no document-level allowances or charges, because single-purpose vouchers prepaid some"
            " goods: leave allowances and charges out"
        )
