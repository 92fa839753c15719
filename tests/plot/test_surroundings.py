"""The dependencies of plots, and the global state that they leave unchanged."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

import pytest

DRAW_ALL = """
import sys
from datetime import UTC, date, datetime
import matplotlib
before = matplotlib.rcParams.copy()
from faregate import Duration, PriceDistribution, ValidityQuery, price_insight, validity_options
from faregate.insights import compare
from faregate.money.currency import currency
from faregate.plot import *
from faregate.files import demo_catalogue
francs, now = currency("CHF"), datetime(2027, 1, 15, tzinfo=UTC)
query = ValidityQuery(15, date(2027, 2, 1), date(2027, 3, 28), durations=(Duration(days=1),))
options = validity_options(query, catalogue=demo_catalogue(), capacity={}, now=now).options
prices = PriceDistribution.from_prices(option.price.min for option in options)
price_calendar(options, currency=francs)
price_distribution(prices, currency=francs, insight=price_insight(prices, 6200))
price_distribution(prices, currency=francs, log="both", style="dark")
price_ecdf({"2027": prices}, currency=francs)
lead_time_fan({0: prices, 7: prices}, currency=francs)
amount_bridge([("old", 5), ("new", 5)], currency=francs)
quantile_shifts(compare(prices, prices), currency=francs)
lead_time_curves({"Tuesday": {0: 7900, 30: 5500}}, currency=francs)
print("matplotlib.pyplot" in sys.modules)
print(dict(matplotlib.rcParams) == dict(before))
"""


@pytest.mark.slow
def test_drawing_creates_no_pyplot_state_and_changes_no_style() -> None:
    named = {**os.environ, "MPLBACKEND": "agg"}  # otherwise matplotlib detects it, which changes the setting

    done = subprocess.run(
        [sys.executable, "-c", DRAW_ALL], capture_output=True, text=True, check=True, env=named
    )

    assert done.stdout.split() == ["False", "True"]


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("faregate.plot")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ["matplotlib", *(name for name in sys.modules if name.startswith("matplotlib."))]:
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(ModuleNotFoundError, match=r"install faregate\[plot\]") as refused:
        importlib.import_module("faregate.plot")

    assert (refused.value.name or "").startswith("matplotlib")
