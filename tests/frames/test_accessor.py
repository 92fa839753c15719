"""``.fare`` on pandas frames returns the results of ``faregate.frames``."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pandas.testing
import pytest

import faregate.frames.accessor  # registers .fare
from faregate.frames import compare, distributions, insights, price_counts, quantiles, ranks

OFFERS = pd.DataFrame({"season": ["w", "s", "w"], "chf": ["69.00", "49.5", "79"]})


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (price_counts, {"by": "season"}),
        (insights, {"by": ["season"], "benchmark": "50", "lower": 10, "upper": 90}),
        (quantiles, {"by": "season"}),
        (ranks, {"by": "season"}),
        (compare, {"period": "season", "old": "s", "new": "w"}),
    ],
)
def test_the_accessor_returns_the_same_tables(function: Any, options: dict[str, Any]) -> None:
    own = getattr(OFFERS.fare, function.__name__)

    found = own(price="chf", currency="CHF", **options)

    pandas.testing.assert_frame_equal(found, function(OFFERS, "chf", currency="CHF", **options))
    unnamed = getattr(OFFERS.rename(columns={"chf": "price"}).fare, function.__name__)
    assert list(unnamed(currency="CHF", **options)) == ["price" if name == "chf" else name for name in found]
    assert isinstance(OFFERS.fare, faregate.frames.accessor.FareAccessor)


def test_the_accessor_returns_distributions() -> None:
    found = OFFERS.fare.distributions(price="chf", by="season", currency="CHF")

    assert found == distributions(OFFERS, price="chf", by="season", currency="CHF")
    renamed = OFFERS.rename(columns={"chf": "price"})
    assert renamed.fare.distributions(by="season", currency="CHF") == found


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'groups'"):
        OFFERS.fare.insights(price="chf", currency="CHF", groups="season")
