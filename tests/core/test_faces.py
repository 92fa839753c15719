"""Values in notebooks: figures, and names of a catalogue escaped as text."""

from dataclasses import replace
from datetime import date, timedelta
from html.parser import HTMLParser

import pytest

from faregate import render
from faregate.basket.lines import Line
from faregate.checkout.model import Checkout, CheckoutConditions, CheckoutItem
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode
from faregate.explanations.explanation import explain, item_trace
from faregate.gate.price import gate_price
from faregate.insights.distribution import PriceDistribution, price_insight
from faregate.list_prices.price import list_price
from faregate.money.amounts import format_minor_units
from faregate.money.currency import currency
from faregate.render import receipt
from faregate.render.receipts import RowKind
from faregate.subscriptions.rules import YearlyOn
from faregate.subscriptions.terms import FirstPeriod, subscription_configuration
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.trace import Step, StepKind, Trace
from faregate.translations import Text
from faregate.validity.options import (
    ValidityOptions,
)
from support.render.shown_html import texts, tree_of
from support.shops import gate_shop
from support.shops.booking_shop import ZURICH, at, ticket, variant
from support.shops.small_shop import LUNCH, NOW, REDUCED, SHOP, VAT, days

FRANCS = currency("CHF")
NASTY = "<script>alert('&\"')</script>"
HOSTILE = replace(FRANCS, code=NASTY)
BASKET = [Line(1, 7900, 2, VAT), Line(2, 1200, 1, REDUCED)]
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))


class _Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def minor(text: str) -> int:
    """Return an amount in francs."""
    return round(float(text) * 100)


def sold(*items: CheckoutItem, name: str = "Day ticket") -> PricedCheckout:
    products = tuple(replace(product, name=name) for product in SHOP.products)
    checkout = Checkout("web", items, codes=("TEN",), conditions=CheckoutConditions(donation=150))
    rule = AutomaticDiscount(id=1, kind=Percentage.percent(20), name=Text(name))
    catalogue = replace(SHOP, products=products, automatic_discounts=(rule,), promo_codes=(TEN,))
    return price_checkout(checkout, catalogue=catalogue, at=NOW)


def day_ticket(number: int) -> CheckoutItem:
    day = date(2026, 12, 1) + timedelta(days=number)
    return CheckoutItem(number, 101, days(day.isoformat(), day.isoformat()))


def test_a_priced_checkout_shows_its_receipt_in_its_currency_and_by_name() -> None:
    priced = sold(day_ticket(1), day_ticket(2))

    rows = texts(render.html(priced))
    (total,) = [row for row in receipt(priced).rows if row.kind is RowKind.TOTAL]

    assert rows[0][0].startswith("Day ticket")
    assert "2 Dec 2026" in rows[0][0]
    assert total.amount == priced.totals.total_gross
    assert ["Total", format_minor_units(priced.totals.total_gross, FRANCS)] in rows


def test_a_line_is_named_after_its_product_and_distinguishing_values() -> None:
    priced = sold(day_ticket(1), CheckoutItem(2, LUNCH), name="Pass")

    first, second = [row.label for row in receipt(priced).rows if row.kind is RowKind.LINE]

    assert first == "Pass · Adult · 2 Dec 2026"
    assert second == "Pass"


def test_without_its_catalogue_a_priced_checkout_has_lines_by_number() -> None:
    priced = replace(sold(day_ticket(7)), catalogue=None)

    assert texts(render.html(priced))[0][0].startswith("Line 7 ")


@pytest.mark.parametrize(("items", "said"), [(1, "1 item"), (2, "2 items")])
def test_a_priced_checkout_is_a_single_line_in_a_terminal(items: int, said: str) -> None:
    priced = sold(*map(day_ticket, range(1, items + 1)))

    due = format_minor_units(priced.totals.amount_due, FRANCS)

    assert repr(priced) == f"<PricedCheckout: {said}, CHF {due} due>"


def test_totals_are_shown_in_minor_units() -> None:
    totals = checkout_totals(BASKET, promo_codes=[TEN], donation=200)

    rows = texts(render.html(totals))

    assert "minor units" in render.html(totals)
    assert ["Total", str(totals.total_gross)] in rows
    assert [row[1] for row in rows if "TEN" in row[0]] == ["-1580", "-120"]


@pytest.mark.parametrize(
    ("lines", "more"), [(20, None), (21, "and 1 more line"), (500, "and 480 more lines")]
)
def test_a_long_receipt_is_cut_short_and_still_adds_up(lines: int, more: str | None) -> None:
    totals = checkout_totals(
        [Line(key, 1000 + key, 1, VAT) for key in range(1, lines + 1)], promo_codes=[TEN], donation=50
    )

    full = receipt(totals, currency=FRANCS)
    short = full.shortened(20)
    parts = [row for row in short.rows if row.kind in {RowKind.LINE, RowKind.DISCOUNT, RowKind.FIGURE}]

    assert sum(row.amount or 0 for row in parts) == totals.total_gross
    assert [row.label for row in short.rows if row.label.startswith("and ")] == ([more] if more else [])
    assert (short == full) == (more is None)
    assert len(render.html(totals)) < 40_000


def test_a_trace_shows_each_figure_and_its_steps() -> None:
    trace = Trace(
        [
            Step("total_gross", 1, StepKind.LIST_PRICE, "", 500, "1 x 500"),
            Step("total_gross", 1, StepKind.PROMO_CODE, NASTY, -50),
            Step("amount_due", None, StepKind.CARRIED, "total_gross", 450),
        ]
    )

    assert texts(render.html(trace)) == [
        ["total gross, line 1", "", "", "", "450"],
        ["", "list price", "", "1 x 500", "500"],
        ["", "promo code", NASTY, "", "-50"],
        ["amount due", "", "", "", "450"],
        ["", "carried", "total_gross", "", "450"],
    ]
    assert repr(trace) == "<Trace: 3 steps of 2 figures>"


def test_a_catalogue_shows_how_many_entries_it_has() -> None:
    assert repr(SHOP) == "<Catalogue: products 6, variants 7, channels 2, promo codes 1>"


def test_a_list_price_shows_its_steps() -> None:
    entry = variant()
    found = list_price(entry, product=ticket(entry))

    rows = texts(render.html(found))

    assert tree_of(render.html(found)).findtext("table/caption") == (
        "the list price of one unit, in minor units"
    )
    assert rows[0] == ["list price", "", "", "", "8000"]
    assert sum(int(row[4]) for row in rows[1:]) == found.amount


def test_an_access_price_shows_its_figures_in_its_currency() -> None:
    found = gate_price(gate_shop.asked(quantity=3), catalogue=gate_shop.resort())

    figures = {row[0]: minor(row[4]) for row in texts(render.html(found)) if row[0]}

    assert figures == {
        "list price": found.list_price.amount,
        "unit price": found.unit_price,
        "calculated price": found.calculated_price,
    }
    assert "the price of 3 at a gate, in CHF" in render.html(found)


def test_a_subscription_shows_its_dates() -> None:
    found = subscription_configuration(
        YearlyOn(11, 1), ordered_at=at("2026-09-15T10:30"), zone=ZURICH, first_period=FirstPeriod.PRORATE
    )

    html = render.html(found)
    head, *rows = tree_of(html).iterfind("table//tr")

    assert [cell.text for cell in head] == ["Subscription", "yearly-on:11-01"]
    assert {cell.get("class") for row in (head, *rows) for cell in row} == {"text"}
    assert dict(texts(html)) == {
        "starts on": "2026-09-15 00:00 CEST",
        "first payment covers": "47 of 365 days, before 2026-11-01",
        "next billing": "2026-11-01 00:00 CET",
        "minimum term": "0 periods",
        "earliest end": "2026-11-01",
        "pickup": "no",
    }
    assert dict(texts(render.html(replace(found, has_pickup=True))))["pickup"] == "yes"


def test_an_explanation_shows_a_receipt_in_its_currency() -> None:
    totals = checkout_totals(BASKET, promo_codes=[TEN])

    in_francs, unknown = explain(totals, currency=FRANCS), explain(totals)

    assert render.html(in_francs) == receipt(totals, currency=FRANCS)._repr_html_()
    assert render.html(unknown) == render.html(totals)
    assert in_francs.trace.currency == FRANCS
    assert item_trace(totals, [[1, 3], [2]], currency=FRANCS).currency == FRANCS


def nasty_totals() -> CheckoutTotals:
    code = PromoCode(code=NASTY, kind=Absolute(100))
    return checkout_totals(BASKET, promo_codes=[code])


FACES: dict[str, object] = {
    "a priced checkout": sold(day_ticket(1), name=NASTY),
    "totals": nasty_totals(),
    "a receipt": receipt(nasty_totals(), labels={1: NASTY, 2: NASTY}),
    "a trace": explain(nasty_totals()).trace,
    "an explanation": explain(nasty_totals(), currency=HOSTILE),
    "options": ValidityOptions(options=(), has_capacities=False, durations=()),
    "a distribution": PriceDistribution.from_prices(range(100)),
    "an insight": price_insight(PriceDistribution.from_prices(range(100)), 7),
}


@pytest.mark.parametrize("value", FACES.values(), ids=FACES)
def test_no_name_becomes_markup(value: object) -> None:
    parsed = _Tags(render.html(value))

    assert "script" not in parsed.seen
    assert tree_of(render.html(value)) is not None


@pytest.mark.parametrize("name", ["a priced checkout", "totals", "a receipt", "a trace", "an explanation"])
def test_a_hostile_name_is_shown_as_text(name: str) -> None:
    assert NASTY.upper() in _Tags(render.html(FACES[name])).text.upper()


@pytest.mark.parametrize("value", FACES.values(), ids=FACES)
def test_html_has_no_external_references(value: object) -> None:
    html = render.html(value)

    assert not [part for part in ("http", "src=", "href=", "@import", "url(", "onload") if part in html]


@pytest.mark.parametrize(
    "html",
    [
        receipt(nasty_totals(), currency=HOSTILE).html(),
        render.html(explain(nasty_totals(), currency=HOSTILE).trace),
        render.html(explain(nasty_totals(), currency=HOSTILE)),
        render.html(PriceDistribution.from_prices([7900, 8900]), price=7900, currency=HOSTILE),
        render.html(price_insight(PriceDistribution.from_prices(range(100)), 7), currency=HOSTILE),
    ],
    ids=["a receipt", "a trace", "an explanation", "a distribution", "an insight"],
)
def test_no_currency_becomes_markup(html: str) -> None:
    parsed = _Tags(html)

    assert "script" not in parsed.seen
    assert NASTY in parsed.text
