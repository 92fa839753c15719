"""Receipts as rows, as text and as HTML."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from faregate.currency import currency
from faregate.discounts import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    Level,
    Percentage,
    PromoCode,
    Threshold,
    UnknownCode,
)
from faregate.eligibility import Context
from faregate.explain import explanation
from faregate.lines import Line
from faregate.policy import PriceBasis, TotalsPolicy
from faregate.receipt import Receipt, ReceiptRow, RowKind, receipt
from faregate.text import Text
from faregate.totals import CheckoutTotals, checkout_totals
from faregate.vouchers import Voucher
from unit.small_shop import NOW, REDUCED, UNTAXED, VAT, lines

FRANCS, YEN = currency("CHF"), currency("JPY")
NET = TotalsPolicy(price_basis=PriceBasis.NET)
Entered = PromoCode | UnknownCode
LABELS = {1: "Day ticket", 2: "Lunch"}
BASKET = [Line(1, 7900, 2, VAT), Line(2, 1200, 1, REDUCED)]
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))


def printed(totals: CheckoutTotals, labels: dict[int, str] | None = None) -> Receipt:
    return receipt(explanation(totals, currency=FRANCS), currency=FRANCS, labels=labels)


def rows(of: Receipt, kind: RowKind) -> list[tuple[str, int | None]]:
    return [(row.label, row.amount) for row in of.rows if row.kind is kind]


def everything(policy: TotalsPolicy = TotalsPolicy(cash_increment=5)) -> CheckoutTotals:
    """Two lines, a code, a donation, a voucher, a cash step and a code that does not exist."""
    return checkout_totals(
        BASKET,
        promo_codes=[TEN, UnknownCode("NOBODY")],
        donation=202,
        vouchers=[Voucher(code="GIFT", balance=5000)],
        policy=policy,
    )


# ---------------------------------------------------------------- rows


def test_a_receipt_shows_lines_discounts_totals_tax_and_payment() -> None:
    shown = printed(everything(), LABELS)

    # A tenth off 158.00 and 12.00; 142.20 hold 10.66 at 8.1 %, 10.80 hold 0.27 at 2.6 %.
    # 153.00 and 2.02 given are 155.02, of which 50.00 are paid by voucher.
    assert [(row.kind, row.label, row.amount) for row in shown.rows] == [
        (RowKind.LINE, "Day ticket", 15_800),
        (RowKind.DISCOUNT, "TEN", -1580),
        (RowKind.LINE, "Lunch", 1200),
        (RowKind.DISCOUNT, "TEN", -120),
        (RowKind.FIGURE, "Donation", 202),
        (RowKind.TOTAL, "Total", 15_502),
        (RowKind.VAT, "VAT 2.6 %", 27),
        (RowKind.VAT, "VAT 8.1 %", 1066),
        (RowKind.FIGURE, "Voucher GIFT", -5000),
        (RowKind.TOTAL, "To pay", 10_502),
        (RowKind.FIGURE, "In cash", 10_500),
        (RowKind.REFUSED, "NOBODY not applied", None),
    ]


def test_a_receipt_of_net_prices_adds_the_tax_to_its_total() -> None:
    shown = printed(checkout_totals(BASKET, promo_codes=[TEN], donation=200, policy=NET), LABELS)

    # 11.52 on 142.20, 0.28 on 10.80
    assert [(row.kind, row.label, row.amount) for row in shown.rows] == [
        (RowKind.LINE, "Day ticket", 15_800),
        (RowKind.DISCOUNT, "TEN", -1580),
        (RowKind.LINE, "Lunch", 1200),
        (RowKind.DISCOUNT, "TEN", -120),
        (RowKind.FIGURE, "Donation", 200),
        (RowKind.TOTAL, "Total without VAT", 15_500),
        (RowKind.VAT, "VAT 2.6 %", 28),
        (RowKind.VAT, "VAT 8.1 %", 1152),
        (RowKind.TOTAL, "Total with VAT", 16_680),
    ]


@pytest.mark.parametrize("policy", [TotalsPolicy(), NET, TotalsPolicy(cash_increment=5)])
def test_the_amounts_up_to_the_first_total_add_up_to_it(policy: TotalsPolicy) -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(333))
    codes: list[Entered] = [PromoCode(code="A", kind=Absolute(101)), TEN, UnknownCode("NOBODY")]
    totals = checkout_totals(
        [*BASKET, *(Line(key, 100, 1, VAT) for key in (3, 4, 5))],
        automatic=[rule],
        promo_codes=codes,
        donation=7,
        policy=policy,
    )

    shown = printed(totals)

    first = next(place for place, row in enumerate(shown.rows) if row.kind is RowKind.TOTAL)
    assert sum(row.amount or 0 for row in shown.rows[:first]) == shown.rows[first].amount
    assert shown.rows[first].amount == (totals.total_net if policy is NET else totals.total_gross)


def test_odd_units_belong_to_the_discount_that_they_are_of() -> None:
    totals = checkout_totals(lines(100, 100, 100), promo_codes=[PromoCode(code="A", kind=Absolute(100))])

    assert rows(printed(totals), RowKind.DISCOUNT) == [("A", -34), ("A", -33), ("A", -33)]


def test_a_line_without_a_label_is_told_by_its_key() -> None:
    shown = printed(checkout_totals(BASKET), {2: "Lunch"})

    assert rows(shown, RowKind.LINE) == [("Line 1", 15_800), ("Lunch", 1200)]


def test_lines_stand_in_the_order_of_the_request() -> None:
    shown = printed(checkout_totals(BASKET[::-1]), LABELS)

    assert [label for label, _ in rows(shown, RowKind.LINE)] == ["Lunch", "Day ticket"]


def test_a_line_is_explained_by_the_steps_of_both_its_totals() -> None:
    shown = printed(checkout_totals(BASKET[:1], promo_codes=[TEN]))

    steps = shown.rows[0].steps
    assert {step.figure for step in steps} == {"total_gross", "total_net"}
    # 15800 less 1580, less 1066 of tax
    assert sum(step.amount for step in steps) == 13_154


def test_discounts_of_one_name_are_worded_each_as_it_is() -> None:
    tenth = AutomaticDiscount(id=1, kind=Percentage.percent(10, level=Level.LINE), name=Text("Sale"))
    fixed = AutomaticDiscount(id=2, kind=Absolute(300, Level.LINE), name=Text("Sale"))

    shown = printed(checkout_totals(lines(10_000, 1000), automatic=[tenth, fixed]))

    # A tenth of 100.00 is more than 3.00, of 10.00 it is less.
    tenth_row, fixed_row = (row for row in shown.rows if row.kind is RowKind.DISCOUNT)
    assert (tenth_row.label, tenth_row.amount, fixed_row.label, fixed_row.amount) == (
        "Sale",
        -1000,
        "Sale",
        -300,
    )
    assert "10 %" in tenth_row.note
    assert "3.00" in fixed_row.note


@pytest.mark.parametrize(("step", "shown"), [(1, []), (2, [("In cash", 10_502)]), (5, [("In cash", 10_500)])])
def test_cash_is_shown_where_it_is_paid_in_steps(step: int, shown: list[tuple[str, int]]) -> None:
    receipt_shown = printed(everything(TotalsPolicy(cash_increment=step)))

    assert [row for row in rows(receipt_shown, RowKind.FIGURE) if row[0] == "In cash"] == shown


@pytest.mark.parametrize(("balance", "paid", "note"), [(500, 500, "used up"), (2500, 1000, "15.00")])
def test_a_voucher_tells_what_stays_on_it(balance: int, paid: int, note: str) -> None:
    shown = printed(checkout_totals(lines(1000), vouchers=[Voucher(code="A", balance=balance)]))

    (row,) = (row for row in shown.rows if row.label == "Voucher A")
    assert row.amount == -paid
    assert note in row.note


def test_without_vouchers_the_total_is_what_is_to_be_paid() -> None:
    shown = printed(checkout_totals(lines(1000)))

    assert rows(shown, RowKind.TOTAL) == [("Total", 1000)]
    assert rows(shown, RowKind.FIGURE) == []


def test_an_empty_checkout_has_a_receipt() -> None:
    assert printed(checkout_totals([])).rows == (ReceiptRow(RowKind.TOTAL, "Total", 0),)


# ---------------------------------------------------------------- refused codes


def why(code: PromoCode | UnknownCode, *others: PromoCode) -> str:
    totals = checkout_totals(
        lines(1000), promo_codes=[code, *others], context=Context(NOW, channel="web", account=None)
    )
    (row,) = (row for row in printed(totals).rows if row.kind is RowKind.REFUSED)
    assert row.label == f"{code.code} not applied"
    assert row.amount is None
    return row.note


PLAIN = PromoCode(code="A", kind=Absolute(1000))
TOMORROW = NOW + timedelta(days=1)


@pytest.mark.parametrize(
    ("code", "note"),
    [
        (UnknownCode("A"), "there is no such code"),
        (replace(PLAIN, conditions=Conditions(channels=frozenset({"desk"}))), "not on this channel"),
        (replace(PLAIN, conditions=Conditions(accounts=frozenset({7}))), "not for this account"),
        (
            replace(PLAIN, conditions=Conditions(starts_at=TOMORROW)),
            "not valid yet, from 2026-12-22T09:00:00+01:00",
        ),
        (replace(PLAIN, conditions=Conditions(ends_at=NOW)), "expired"),
        (replace(PLAIN, conditions=Conditions(weekdays=frozenset({7}))), "not on this weekday"),
        (replace(PLAIN, uses_left=0), "used up"),
        (replace(PLAIN, kind=Percentage(parts_per_million=1)), "nothing here it applies to"),
        (
            replace(PLAIN, conditions=Conditions(thresholds=(Threshold(spend=3000),))),
            "minimum not reached, 20.00 CHF missing",
        ),
        (replace(PLAIN, kind=BuyXGetY(1, 1)), "minimum not reached, 1 more unit missing"),
        (replace(PLAIN, kind=BuyXGetY(2, 1)), "minimum not reached, 2 more units missing"),
        (
            replace(PLAIN, conditions=Conditions(thresholds=(Threshold(spend=1050, quantity=3),))),
            "minimum not reached, 0.50 CHF and 2 more units missing",
        ),
    ],
)
def test_a_refused_code_says_why_and_what_is_missing(code: PromoCode | UnknownCode, note: str) -> None:
    assert why(code) == note


def test_a_code_that_stands_beside_an_exclusive_one_says_so() -> None:
    alone = PromoCode(code="ALONE", kind=Absolute(1), exclusive=True)

    assert why(PLAIN, alone) == "not together with the other code"


# ---------------------------------------------------------------- text


def test_text_at_forty_columns() -> None:
    shown = printed(
        checkout_totals(
            BASKET,
            promo_codes=[TEN],
            donation=200,
            vouchers=[Voucher(code="GIFT", balance=5000)],
        ),
        LABELS,
    )

    assert shown.text(width=40).splitlines() == [
        "Day ticket  2 x 79.00             158.00",
        "    TEN  10 % off                 -15.80",
        "Lunch  1 x 12.00                   12.00",
        "    TEN  10 % off                  -1.20",
        "Donation                            2.00",
        "----------------------------------------",
        "Total CHF                         155.00",
        "    VAT 2.6 %  on 10.53             0.27",
        "    VAT 8.1 %  on 131.54           10.66",
        "Voucher GIFT  used up             -50.00",
        "----------------------------------------",
        "To pay CHF                        105.00",
    ]


@pytest.mark.parametrize("width", [40, 72, 100])
def test_amounts_end_in_the_last_column(width: int) -> None:
    shown = printed(everything(), LABELS)

    texts = [line for line in shown.text(width=width).splitlines() if not line.startswith("-")]

    priced_rows = [row for row in shown.rows if row.amount is not None]
    assert len(texts) >= len(shown.rows) > len(priced_rows)
    for row, text in zip(priced_rows, texts, strict=False):
        assert len(text) == width
        assert text.endswith(f" {shown.amount(row)}")


@pytest.mark.parametrize("width", [20, 40, 72])
def test_why_a_code_was_refused_is_never_cut_off(width: int) -> None:
    unknown = UnknownCode("FAMILYSUMMER2026")
    shown = printed(checkout_totals(lines(1000), promo_codes=[unknown]))

    text = shown.text(width=width)

    assert "FAMILYSUMMER2026 not applied there is no such code" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= width


def test_a_voucher_that_pays_nothing_says_so() -> None:
    empty = Voucher(code="EMPTY", balance=0)

    shown = printed(checkout_totals(lines(1000), vouchers=[empty]))

    assert [row.note for row in shown.rows if "EMPTY" in row.label] == ["pays nothing"]


def test_text_is_72_columns_wide_by_default() -> None:
    shown = printed(everything(), LABELS)

    assert shown.text() == shown.text(width=72)
    assert max(map(len, shown.text().splitlines())) == 72


@pytest.mark.parametrize("width", [40, 72])
def test_a_rule_over_each_total_is_as_wide_as_the_text(width: int) -> None:
    texts = printed(everything()).text(width=width).splitlines()

    for rule, total in pairwise(texts):
        assert (rule == "-" * width) is (total.startswith(("Total", "To pay")))


@pytest.mark.parametrize("width", [40, 72])
def test_a_label_that_is_too_long_is_cut_and_its_amount_is_not(width: int) -> None:
    label = "Day ticket for the whole valley, all lifts and the mountain railway included"

    first = printed(checkout_totals(BASKET), {1: label}).text(width=width).splitlines()[0]

    assert first == f"{label[: width - 7]} 158.00"
    assert len(first) == width


def test_no_line_ends_in_blanks() -> None:
    texts = printed(everything(), LABELS).text().splitlines()

    assert [text for text in texts if text != text.rstrip()] == []


def test_yen_are_printed_without_decimals() -> None:
    totals = checkout_totals([Line(1, 7900, 2, UNTAXED)], donation=200)

    shown = receipt(explanation(totals, currency=YEN), currency=YEN, labels=LABELS)

    assert shown.text(width=30).splitlines() == [
        "Day ticket  2 x 7900     15800",
        "Donation                   200",
        "------------------------------",
        "Total JPY                16000",
        "    VAT 0 %  on 15800        0",
    ]


@pytest.mark.parametrize(("amount", "text"), [(None, ""), (0, "0.00"), (-5, "-0.05"), (123_456, "1234.56")])
def test_an_amount_is_in_major_units_or_empty(amount: int | None, text: str) -> None:
    assert Receipt((), FRANCS).amount(ReceiptRow(RowKind.FIGURE, "Donation", amount)) == text


# ---------------------------------------------------------------- HTML

NASTY = """<script>alert("1 < 2")</script> & 'friends'"""


class Balance(HTMLParser):
    """Checks that every element is closed where it must be, and collects the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] != "style":
            self.text.append(data)


def parsed(html: str) -> Balance:
    balance = Balance()
    balance.feed(html)
    balance.close()
    assert balance.open == []
    return balance


def cells(html: str) -> Iterator[tuple[str, str]]:
    """The label and the amount of every row of the receipt's own table, what it can unfold left out."""
    body = ET.fromstring(f"<div>{html}</div>").find("table/tbody")
    assert body is not None
    for row in body:
        header, amount = row
        summary = header.find("details/summary")
        yield "".join((header if summary is None else summary).itertext()), "".join(amount.itertext())


def test_html_is_well_formed_and_tells_the_rows() -> None:
    shown = printed(everything(), LABELS)

    parsed(shown.html())

    expected = [(f"{row.label} {row.note}".strip(), shown.amount(row)) for row in shown.rows]
    assert list(cells(shown.html())) == expected


def test_labels_are_escaped_and_read_back_as_they_are() -> None:
    shown = printed(checkout_totals(BASKET, promo_codes=[TEN]), {1: NASTY})

    html = shown.html()

    assert "<script" not in html
    assert "script" not in parsed(html).seen
    assert "&lt;script&gt;alert(&quot;1 &lt; 2&quot;)&lt;/script&gt; &amp; &#x27;friends&#x27;" in html
    assert next(cells(html))[0].startswith(NASTY)


def test_codes_and_names_are_escaped_everywhere() -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(100), name=Text("<i>Sale</i>"))
    codes: list[Entered] = [PromoCode(code="<b>", kind=Absolute(50)), UnknownCode("<U>&")]
    totals = checkout_totals(
        lines(1000), automatic=[rule], promo_codes=codes, vouchers=[Voucher(code="<p>", balance=5)]
    )

    html = printed(totals).html()

    assert {"i", "b", "u", "p"}.isdisjoint(parsed(html).seen)
    text = "".join(parsed(html).text)
    for name in ("<i>Sale</i>", "<B>", "<U>& not applied", "Voucher <P>"):
        assert name in text


def test_what_explains_a_line_is_folded_under_it() -> None:
    html = printed(checkout_totals(BASKET[:1], promo_codes=[TEN])).html()

    details = ET.fromstring(f"<div>{html}</div>").findall(".//details")

    assert len(details) == 1
    steps = ["".join(step.itertext()) for step in details[0].findall("table/tr")]
    # Gross and net at the end of their steps
    assert any(step.endswith("142.20") for step in steps)
    assert steps[-1].endswith("131.54")
    assert "(2 x 79.00)" in steps[0]


def test_a_notebook_shows_the_html() -> None:
    shown = printed(everything())

    assert shown._repr_html_() == shown.html()


def test_html_names_the_currency_in_its_head() -> None:
    head = ET.fromstring(f"<div>{printed(everything()).html()}</div>").find("table/thead")

    assert head is not None
    assert [cell.text for cell in head.iter("th")] == ["Receipt", "CHF"]
