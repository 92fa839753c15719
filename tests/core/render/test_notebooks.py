"""Notebooks render values automatically, without importing anything before the first is displayed."""

import importlib
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import faregate
from faregate import PriceDistribution
from faregate.render import html, notebooks, receipt, values
from faregate.render.receipts import Receipt

IN_A_NOTEBOOK = """
import sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
import faregate

before = {name for name in sys.modules if name.startswith("faregate")}
totals = faregate.checkout_totals([faregate.Line(1, 7900, 1, faregate.VatRate.percent("8.1"))])
print(sorted(before))
print(shell.display_formatter.format(totals)[0].get("text/html", "").count("<table"))
"""


@pytest.mark.slow
def test_ipython_shows_totals_as_a_receipt() -> None:
    pytest.importorskip("IPython")
    told = subprocess.run([sys.executable, "-c", IN_A_NOTEBOOK], capture_output=True, text=True, check=True)

    loaded, tables = told.stdout.splitlines()
    assert loaded == "['faregate', 'faregate._lazy', 'faregate.render', 'faregate.render.notebooks']"
    assert int(tables) >= 1


def test_formatters_are_registered_in_a_running_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {}
    formatter = SimpleNamespace(
        for_type_by_name=lambda module, name, draw: told.update({f"{module}.{name}": draw})
    )
    shell = SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": formatter}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))

    importlib.reload(faregate)

    prices = PriceDistribution.from_prices([5900, 6900])
    assert told["faregate.insights.distribution.PriceDistribution"](prices) == html(prices)


def test_every_value_with_a_picture_is_drawn_in_notebooks() -> None:
    named = {
        getattr(importlib.import_module(module), name)
        for module, names in notebooks.DRAWN.items()
        for name in names
    }
    drawn: Any = values.html
    own = {Receipt}  # has its own ``_repr_html_``

    assert named == {*drawn.registry} - {object} - own


def test_a_type_that_cannot_be_rendered_is_refused_with_the_expected_types() -> None:
    with pytest.raises(TypeError, match="cannot render int as HTML: expected CheckoutTotals, Difference"):
        html(1)
    with pytest.raises(TypeError, match="cannot render int as text: expected CheckoutTotals"):
        values.text(1)


def test_totals_as_text_are_their_receipt() -> None:
    totals = faregate.checkout_totals([faregate.Line(1, 7900, 1, faregate.VatRate.percent("8.1"))])

    assert values.text(totals, width=40) == receipt(totals).text(width=40)
