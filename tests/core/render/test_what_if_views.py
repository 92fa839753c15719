"""Reports of a change of rules as text and HTML."""

from __future__ import annotations

from fractions import Fraction

import pytest

from faregate import render
from faregate.insights.what_if import Bridge, BridgeStep, UnmatchedCode, WhatIf
from faregate.money.currency import currency
from support.render.shown_html import texts, tree_of

FRANCS = currency("CHF")
STEPS = (
    BridgeStep("DAY", 90000, 80000),
    BridgeStep(None, 10000, 13000),
    BridgeStep("NEW\x1b", 0, 50),
    BridgeStep("SAME", 500, 500),
    BridgeStep("CENT", 1, 2),
)
FOUND = WhatIf(
    checkouts=1200,
    lines=1,
    returns=2,
    bridges=(Bridge("product", STEPS),),
    unmatched_before=(UnmatchedCode("OLD", 2, is_known=False),),
    unmatched_after=(UnmatchedCode("OLD", 2, is_known=False), UnmatchedCode("TEN", 1, is_known=True)),
    currency=FRANCS,
)


def test_text_has_a_bridge_and_notes() -> None:
    assert render.text(FOUND, width=66).splitlines() == [
        "1,200 orders, 1 line, 2 returns, amounts in CHF with VAT",
        "",
        "product                           Before   After   Change        %",
        "DAY                               900.00  800.00  -100.00   -11.11",
        "(none)                            100.00  130.00   +30.00   +30.00",
        "NEW\N{REPLACEMENT CHARACTER}                                0.00    0.50    +0.50",
        "SAME                                5.00    5.00     0.00     0.00",
        "CENT                                0.01    0.02    +0.01  +100.00",
        "Total                            1005.01  935.52   -69.49    -6.91",
        "",
        "These figures assume that nobody changed what they bought.",
        "Break-even elasticity: -1.39.",
        "2 returns priced as separate orders; a refund may differ.",
        "Codes without effect under the old rules: OLD (2 orders, unknown).",
        "Codes without effect under the new rules: OLD (2 orders, unknown),",
        "TEN (1 order, never valid).",
    ]
    assert render.text(FOUND) == render.text(FOUND, width=72)


def test_html_has_the_same_figures() -> None:
    html = render.html(FOUND)
    shown = tree_of(html)

    assert ["DAY", "900.00", "800.00", "-100.00", "-11.11"] in texts(html)
    assert '<tr class="total"><th scope="row" class="text">Total<' in html
    notes = [note.text for note in shown.iterfind("p")]
    assert notes[0] == "1,200 orders, 1 line, 2 returns, amounts in CHF with VAT"
    assert notes[2] == "Break-even elasticity: -1.39."


def test_an_elasticity_replaces_the_assumption() -> None:
    bridges = (Bridge("product", (BridgeStep("DAY", 1000, 1100),)),)
    found = WhatIf(checkouts=1, lines=1, bridges=bridges, elasticity=Fraction(-1, 2))

    *_, response, even = render.text(found, width=200, currency=FRANCS).splitlines()

    assert response == (
        "With an elasticity of -0.50 by product, buyers respond with -0.55: the total becomes 10.45 (+0.45)."
    )
    assert even == "Break-even elasticity: -0.91."
    assert render.html(found, currency=FRANCS).endswith(f"<p>{response}</p><p>{even}</p>")


def test_orders_without_groups_have_no_name_and_may_have_no_break_even() -> None:
    bridges = (Bridge("", (BridgeStep("", 100, 0),)),)
    found = WhatIf(checkouts=1, lines=1, bridges=bridges, elasticity=Fraction(0))

    title, *_, response, even = render.text(found, width=200).splitlines()
    assert title == "1 order, 1 line, 0 returns, amounts in minor units with VAT"
    assert [response, even] == [
        "With an elasticity of 0.00, buyers respond with 0: the total becomes 0 (-100).",
        "Break-even elasticity: none.",
    ]


def test_the_smallest_changes_of_many_are_added_up() -> None:
    steps = tuple([BridgeStep(f"{key:02}", 1000, 1000 + key) for key in range(60)])
    found = WhatIf(checkouts=1, lines=1, bridges=(Bridge("product", steps),))

    rows = [line.split() for line in render.text(found).splitlines()[2:54]]

    assert len(rows) == 52
    assert rows[1] == ["12", "1000", "1012", "+12", "+1.20"]
    assert rows[-4] == ["59", "1000", "1059", "+59", "+5.90"]
    assert rows[-3] == ["12", "others", "12000", "12066", "+66", "+0.55"]
    assert rows[-2] == ["Total", "60000", "61770", "+1770", "+2.95"]
    fifty = WhatIf(checkouts=1, lines=1, bridges=(Bridge("product", steps[:50]),))
    assert "others" not in render.text(fifty)


@pytest.mark.parametrize(("number", "more"), [(10, ""), (11, ", and 1 more"), (12, ", and 2 more")])
def test_many_codes_are_counted(number: int, more: str) -> None:
    codes = tuple([UnmatchedCode(f"C{key}", 1, is_known=False) for key in range(number)])
    bridges = (Bridge("product", ()),)
    found = WhatIf(checkouts=0, lines=0, bridges=bridges, unmatched_after=codes)

    assert render.text(found, width=900).endswith(f"C9 (1 order, unknown){more}.")
