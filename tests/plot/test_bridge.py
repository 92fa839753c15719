"""The bridge from one amount to another, and the parts of a price."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes

from faregate import AutomaticDiscount, Line, Percentage, PromoCode, VatRate, checkout_totals, explain
from faregate.basket import PriceBasis, TotalsPolicy
from faregate.errors import CurrencyMismatch, InvalidAmount, InvalidInput
from faregate.money.currency import currency
from faregate.plot import alt_text, amount_bridge, price_waterfall
from support.plot.drawn import bars, overlaps, rendered, texts

STEPS = [("Sold", 38_545), ("Day tickets", -5705), ("Rental", 450), ("Repriced", 33_290)]


def spans(ax: Axes) -> list[tuple[float, float]]:
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars(ax)]


def test_each_change_begins_at_the_end_of_the_one_before() -> None:
    ax = amount_bridge(STEPS, currency="CHF")

    assert spans(ax) == [(0, 38_545), (38_545, 32_840), (32_840, 33_290), (0, 33_290)]
    assert texts(ax) == ["385.45", "−57.05", "+4.50", "332.90"]


@given(st.integers(-(10**6), 10**6), st.lists(st.integers(-(10**6), 10**6), max_size=38))
def test_bars_of_changes_add_up_to_the_end(start: int, changes: list[int]) -> None:
    steps = [("start", start), *((str(n), change) for n, change in enumerate(changes))]

    ax = amount_bridge([*steps, ("end", start + sum(changes))], currency="CHF")

    found = [end - begin for begin, end in spans(ax)]
    assert found[1:-1] == changes
    left, right = sorted(ax.get_xlim())
    assert all(left <= end <= right for _, end in spans(ax))


def test_falls_are_told_apart_in_greyscale() -> None:
    hatches = [patch.get_hatch() for patch in amount_bridge(STEPS, currency="CHF").patches]

    assert hatches == ["", "////", "", ""]


def test_axis_of_small_changes_begins_near_the_totals_and_says_so() -> None:
    ax = amount_bridge([("old", 1_000_000), ("change", 1000), ("new", 1_001_000)], currency="CHF")

    assert ax.get_xlim()[0] == 999_000
    assert ax.get_xlabel() == "Amount (CHF), axis from 9,990.00"


def test_forty_rows_and_long_labels_do_not_overlap() -> None:
    steps = [(f"{n} Day ticket, adult, all mountains, $5 or $10 off", 100) for n in range(38)]

    assert overlaps(rendered(amount_bridge([("start", 0), *steps, ("end", 3800)], currency="CHF"))) == []


@pytest.mark.parametrize(
    ("steps", "error", "message"),
    [
        ([("old", 5), ("change", 1), ("new", 7)], InvalidAmount, "add up to 6, but 'new' is 7"),
        ([("old", 5)], InvalidInput, "from 2 to 40 steps, got 1$"),
        ([("old", 0)] * 41, InvalidInput, "got 41: add up small changes"),
        ([("old", 5.0), ("new", 5.0)], InvalidInput, r"5\.0"),
        ([(5, "old"), (5, "new")], InvalidInput, "a step"),
        ([5, 5], InvalidInput, "a step is 5"),
        ({"old": 5, "new": 5}, InvalidInput, "expected a list"),
    ],
)
def test_wrong_steps_are_refused(steps: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        amount_bridge(steps, currency="CHF")


# ---------------------------------------------------------------- parts of a price


LINES = [Line(key, unit_price=7900, quantity=2, rate=VatRate.percent("8.1")) for key in (1, 2)]
FIVE = AutomaticDiscount(id=3, kind=Percentage.percent(5))
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))


@pytest.mark.parametrize("basis", PriceBasis)
def test_parts_of_a_price_add_up_to_its_total(basis: PriceBasis) -> None:
    policy = TotalsPolicy(price_basis=basis)
    totals = checkout_totals(LINES, automatic=[FIVE], promo_codes=[TEN], donation=200, policy=policy)

    ax = price_waterfall(explain(totals), currency="CHF")

    *parts, end = [stop - start for start, stop in spans(ax)]
    assert sum(parts) == end == totals.total_gross
    labels = [label.get_text() for label in ax.get_yticklabels()]
    vat = ["VAT 8.1 %"] if basis is PriceBasis.NET else []
    assert labels == ["List price", "automatic discount 3", "Promo code TEN", *vat, "Donation", "Total"]


def test_waterfall_without_discounts_has_list_price_and_total() -> None:
    ax = price_waterfall(explain(checkout_totals(LINES)), currency="CHF")

    assert alt_text(ax) == "Parts of the price. List price CHF 316.00; Total CHF 316.00."


def test_wrong_explanations_are_refused() -> None:
    with pytest.raises(InvalidInput, match="explanation is"):
        price_waterfall(checkout_totals(LINES), currency="CHF")  # type: ignore[arg-type]
    with pytest.raises(CurrencyMismatch, match="expected EUR, got CHF"):
        price_waterfall(explain(checkout_totals(LINES), currency=currency("EUR")), currency="CHF")
