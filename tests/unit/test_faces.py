"""What a notebook shows of a value: its own figures, as text that no name in a catalogue can break out of."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from html.parser import HTMLParser
from typing import Protocol

import pytest

from faregate.basket.lines import Line
from faregate.checkout.model import Checkout, CheckoutConditions, CheckoutItem
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode
from faregate.explain.explanation import explanation, item_trace
from faregate.gate.price import access_price
from faregate.insights.distribution import PriceDistribution, price_insight
from faregate.list_prices.price import list_price
from faregate.money.amounts import format_minor_units
from faregate.money.currency import currency
from faregate.render.receipts import RowKind, receipt_of
from faregate.subscriptions.schedule import FirstPeriod, YearlyOn, subscription_configuration
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.trace import Rule, Step, Trace
from faregate.translations import Text
from faregate.validity.options import (
    ValidityOptions,
)
from unit import gate_shop
from unit.booking_shop import ZURICH, at, ticket, variant
from unit.shown_html import texts, tree_of
from unit.small_shop import LUNCH, NOW, REDUCED, SHOP, VAT, days

FRANCS = currency("CHF")
NASTY = "<script>alert('&\"')</script>"
HOSTILE = FRANCS._replace(code=NASTY)
BASKET = [Line(1, 7900, 2, VAT), Line(2, 1200, 1, REDUCED)]
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))


class Shown(Protocol):
    """A value that a notebook shows."""

    def _repr_html_(self) -> str: ...


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
    """An amount in francs."""
    return round(float(text) * 100)


def sold(*items: CheckoutItem, name: str = "Day ticket") -> PricedCheckout:
    products = tuple(replace(product, name=name) for product in SHOP.products)
    checkout = Checkout("web", items, ("TEN",), CheckoutConditions(donation=150))
    rule = AutomaticDiscount(id=1, kind=Percentage.percent(20), name=Text(name))
    catalogue = replace(SHOP, products=products, automatic_discounts=(rule,), promo_codes=(TEN,))
    return price_checkout(checkout, catalogue=catalogue, at=NOW)


def day_ticket(number: int) -> CheckoutItem:
    day = date(2026, 12, 1) + timedelta(days=number)
    return CheckoutItem(number, 101, days(day.isoformat(), day.isoformat()))


# ---------------------------------------------------------------- checkouts


def test_a_priced_checkout_shows_its_receipt_in_its_currency_and_by_name() -> None:
    priced = sold(day_ticket(1), day_ticket(2))

    rows = texts(priced._repr_html_())
    (total,) = [row for row in priced.receipt().rows if row.kind is RowKind.TOTAL]

    assert rows[0][0].startswith("Day ticket")
    assert "2 Dec 2026" in rows[0][0]
    assert total.amount == priced.totals.total_gross
    assert ["Total", format_minor_units(priced.totals.total_gross, FRANCS)] in rows


def test_a_line_is_named_for_its_product_and_what_distinguishes_it() -> None:
    priced = sold(day_ticket(1), CheckoutItem(2, LUNCH), name="Pass")

    first, second = [row.label for row in priced.receipt().rows if row.kind is RowKind.LINE]

    assert first == "Pass · Adult · 2 Dec 2026"
    assert second == "Pass"


def test_without_its_catalogue_a_priced_checkout_has_lines_by_number() -> None:
    priced = sold(day_ticket(7))._replace(catalogue=None)

    assert texts(priced._repr_html_())[0][0].startswith("Line 7 ")


@pytest.mark.parametrize(("items", "said"), [(1, "1 item"), (2, "2 items")])
def test_a_priced_checkout_is_a_line_in_a_terminal(items: int, said: str) -> None:
    priced = sold(*map(day_ticket, range(1, items + 1)))

    due = format_minor_units(priced.totals.amount_due, FRANCS)

    assert repr(priced) == f"<PricedCheckout: {said}, CHF {due} due>"


def test_totals_are_shown_in_minor_units() -> None:
    totals = checkout_totals(BASKET, promo_codes=[TEN], donation=200)

    rows = texts(totals._repr_html_())

    assert "minor units" in totals._repr_html_()
    assert ["Total", str(totals.total_gross)] in rows
    assert [row[1] for row in rows if "TEN" in row[0]] == ["-1580", "-120"]


@pytest.mark.parametrize(
    ("lines", "more"), [(20, None), (21, "and 1 more line"), (500, "and 480 more lines")]
)
def test_a_long_receipt_is_cut_short_and_still_adds_up(lines: int, more: str | None) -> None:
    totals = checkout_totals(
        [Line(key, 1000 + key, 1, VAT) for key in range(1, lines + 1)], promo_codes=[TEN], donation=50
    )

    full = receipt_of(totals, currency=FRANCS)
    short = full.shortened(20)
    parts = [row for row in short.rows if row.kind in {RowKind.LINE, RowKind.DISCOUNT, RowKind.FIGURE}]

    assert sum(row.amount or 0 for row in parts) == totals.total_gross
    assert [row.label for row in short.rows if row.label.startswith("and ")] == ([more] if more else [])
    assert (short == full) == (more is None)
    assert len(totals._repr_html_()) < 40_000


# ---------------------------------------------------------------- prices and their traces


def test_a_trace_shows_what_each_figure_comes_to_and_why() -> None:
    trace = Trace(
        [
            Step("total_gross", 1, Rule.LIST_PRICE, "", 500, "1 x 500"),
            Step("total_gross", 1, Rule.PROMO_CODE, NASTY, -50),
            Step("amount_due", None, Rule.CARRIED, "total_gross", 450),
        ]
    )

    assert texts(trace._repr_html_()) == [
        ["total gross, line 1", "", "", "", "450"],
        ["", "list price", "", "1 x 500", "500"],
        ["", "promo code", NASTY, "", "-50"],
        ["amount due", "", "", "", "450"],
        ["", "carried", "total_gross", "", "450"],
    ]
    assert repr(trace) == "<Trace: 3 steps of 2 figures>"


def test_a_catalogue_says_how_much_it_holds() -> None:
    assert repr(SHOP) == "<Catalogue: products 6, variants 7, channels 2, promo codes 1>"


def test_a_list_price_shows_its_steps() -> None:
    entry = variant()
    found = list_price(entry, product=ticket(entry))

    rows = texts(found._repr_html_())

    assert tree_of(found._repr_html_()).findtext("table/caption") == (
        "the list price of one unit, in minor units"
    )
    assert rows[0] == ["list price", "", "", "", "8000"]
    assert sum(int(row[4]) for row in rows[1:]) == found.amount


def test_an_access_price_shows_its_figures_in_its_currency() -> None:
    found = access_price(gate_shop.asked(quantity=3), catalogue=gate_shop.resort())

    figures = {row[0]: minor(row[4]) for row in texts(found._repr_html_()) if row[0]}

    assert figures == {
        "list price": found.list_price.amount,
        "unit price": found.unit_price,
        "calculated price": found.calculated_price,
    }
    assert "the price of 3 at a gate, in CHF" in found._repr_html_()


def test_a_subscription_shows_its_dates() -> None:
    found = subscription_configuration(
        YearlyOn(11, 1), ordered_at=at("2026-09-15T10:30"), zone=ZURICH, first_period=FirstPeriod.PRORATE
    )

    html = found._repr_html_()
    head, *rows = tree_of(html).iterfind("table//tr")

    assert [cell.text for cell in head] == ["Subscription", "yearly-on:11-01"]
    assert {cell.get("class") for row in (head, *rows) for cell in row} == {"text"}
    assert dict(texts(html)) == {
        "starts on": "2026-09-15 00:00 CEST",
        "first payment is for": "47 of 365 days, those before 2026-11-01",
        "next billing": "2026-11-01 00:00 CET",
        "runs at least": "0 periods",
        "may end on": "2026-11-01",
        "is fetched": "no",
    }
    assert dict(texts(found._replace(has_pickup=True)._repr_html_()))["is fetched"] == "yes"


def test_an_explanation_shows_a_receipt_in_its_currency() -> None:
    totals = checkout_totals(BASKET, promo_codes=[TEN])

    in_francs, unknown = explanation(totals, currency=FRANCS), explanation(totals)

    assert in_francs._repr_html_() == receipt_of(totals, currency=FRANCS)._repr_html_()
    assert unknown._repr_html_() == totals._repr_html_()
    assert in_francs.trace.currency == FRANCS
    assert item_trace(totals, [[1, 3], [2]], currency=FRANCS).currency == FRANCS


# ---------------------------------------------------------------- what all of them promise


def nasty_totals() -> CheckoutTotals:
    code = PromoCode(code=NASTY, kind=Absolute(100))
    return checkout_totals(BASKET, promo_codes=[code])


FACES: dict[str, Shown] = {
    "a priced checkout": sold(day_ticket(1), name=NASTY),
    "totals": nasty_totals(),
    "a receipt": receipt_of(nasty_totals(), labels={1: NASTY, 2: NASTY}),
    "a trace": explanation(nasty_totals()).trace,
    "an explanation": explanation(nasty_totals(), currency=HOSTILE),
    "options": ValidityOptions((), has_capacities=False, durations=()),
    "a distribution": PriceDistribution.from_prices(range(100)),
    "an insight": price_insight(PriceDistribution.from_prices(range(100)), 7),
}


@pytest.mark.parametrize("value", FACES.values(), ids=FACES)
def test_no_name_becomes_markup(value: Shown) -> None:
    parsed = _Tags(value._repr_html_())

    assert "script" not in parsed.seen
    assert tree_of(value._repr_html_()) is not None


@pytest.mark.parametrize("name", ["a priced checkout", "totals", "a receipt", "a trace", "an explanation"])
def test_a_nasty_name_is_read_as_it_is(name: str) -> None:
    assert NASTY.upper() in _Tags(FACES[name]._repr_html_()).text.upper()


@pytest.mark.parametrize("value", FACES.values(), ids=FACES)
def test_a_face_needs_nothing_from_elsewhere(value: Shown) -> None:
    html = value._repr_html_()

    assert not [part for part in ("http", "src=", "href=", "@import", "url(", "onload") if part in html]


@pytest.mark.parametrize(
    "html",
    [
        receipt_of(nasty_totals(), currency=HOSTILE).html(),
        explanation(nasty_totals(), currency=HOSTILE).trace._repr_html_(),
        explanation(nasty_totals(), currency=HOSTILE)._repr_html_(),
        PriceDistribution.from_prices([7900, 8900]).html(price=7900, currency=HOSTILE),
        price_insight(PriceDistribution.from_prices(range(100)), 7).html(currency=HOSTILE),
    ],
    ids=["a receipt", "a trace", "an explanation", "a distribution", "an insight"],
)
def test_no_currency_becomes_markup(html: str) -> None:
    parsed = _Tags(html)

    assert "script" not in parsed.seen
    assert NASTY in parsed.text
