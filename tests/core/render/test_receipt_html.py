"""Receipts as HTML: well-formed, escaped, with a collapsed explanation for each line."""

from collections.abc import Iterator
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

from faregate.amount_due.vouchers import Voucher
from faregate.discounts.kinds import Absolute, AutomaticDiscount, PromoCode, UnknownCode
from faregate.render import receipt
from faregate.totals.pipeline import checkout_totals
from faregate.translations import Text
from support.render.printed_receipts import BASKET, FRANCS, LABELS, TEN, Entered, everything, printed
from support.shops.small_shop import lines


class Balance(HTMLParser):
    """A parser that checks that every element is closed, and collects the text."""

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
    """Yield the label and the amount of every row of the receipt, without collapsed explanations."""
    body = ET.fromstring(f"<div>{html}</div>").find("table/tbody")
    assert body is not None
    for row in body:
        header, amount = row
        summary = header.find("details/summary")
        yield "".join((header if summary is None else summary).itertext()), "".join(amount.itertext())


def test_html_is_well_formed_and_contains_the_rows() -> None:
    shown = printed(everything(), LABELS)

    parsed(shown.html())

    expected = [(f"{row.label} {row.note}".strip(), shown.amount(row)) for row in shown.rows]
    assert list(cells(shown.html())) == expected


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


def test_the_explanation_of_a_line_is_folded_under_it() -> None:
    html = printed(checkout_totals(BASKET[:1], promo_codes=[TEN])).html()

    details = ET.fromstring(f"<div>{html}</div>").findall(".//details")

    assert len(details) == 1
    steps = ["".join(step.itertext()) for step in details[0].findall("table/tr")]
    # gross and net, at the end of their steps
    assert any(step.endswith("142.20") for step in steps)
    assert steps[-1].endswith("131.54")
    assert "(2 x 79.00)" in steps[0]


def test_free_lines_add_nothing_to_the_amount_of_the_lines_cut_off() -> None:
    *_, last = receipt(checkout_totals(lines(500, 0, 0, 700))).shortened(2).rows[:3]

    assert (last.label, last.amount) == ("and 2 more lines", 700)


def test_totals_are_explained_in_the_currency_of_their_receipt() -> None:
    totals = everything()

    assert receipt(totals, currency=FRANCS) == printed(totals)


def test_html_names_the_currency_in_its_header() -> None:
    head = ET.fromstring(f"<div>{printed(everything()).html()}</div>").find("table/thead")

    assert head is not None
    assert [cell.text for cell in head.iter("th")] == ["Receipt", "CHF"]
