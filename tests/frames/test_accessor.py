"""``.fare`` on pandas frames returns the results of ``faregate.frames``."""

from __future__ import annotations

import pandas as pd
import pandas.testing
import pytest

import faregate.frames.accessor  # registers .fare
from faregate.frames import compare, distributions, insights, price_counts, quantiles, ranks

OFFERS = pd.DataFrame({"season": ["w", "s", "w"], "chf": ["69.00", "49.5", "79"]})


def test_the_accessor_counts_prices() -> None:
    found = OFFERS.fare.price_counts(price="chf", by="season", currency="CHF")

    pandas.testing.assert_frame_equal(found, price_counts(OFFERS, price="chf", by="season", currency="CHF"))


def test_the_accessor_returns_distributions() -> None:
    found = OFFERS.fare.distributions(price="chf", by="season", currency="CHF")

    assert found == distributions(OFFERS, price="chf", by="season", currency="CHF")


def test_the_accessor_returns_insights() -> None:
    options = {"by": ["season"], "benchmark": "50", "lower": 10, "upper": 90, "currency": "CHF"}

    found = OFFERS.fare.insights(price="chf", **options)

    pandas.testing.assert_frame_equal(found, insights(OFFERS, price="chf", **options))  # type: ignore[arg-type]
    assert isinstance(OFFERS.fare, faregate.frames.accessor.FareAccessor)


def test_the_accessor_compares_periods() -> None:
    options = {"period": "season", "old": "s", "new": "w", "currency": "CHF"}

    found = OFFERS.fare.compare("chf", **options)

    pandas.testing.assert_frame_equal(found, compare(OFFERS, "chf", **options))  # type: ignore[arg-type]


def test_a_column_called_price_need_not_be_named() -> None:
    offers = OFFERS.rename(columns={"chf": "price"})

    for found, named in (
        (offers.fare.price_counts(currency="CHF"), price_counts(offers, price="price", currency="CHF")),
        (offers.fare.insights(currency="CHF"), insights(offers, price="price", currency="CHF")),
        (offers.fare.quantiles(currency="CHF"), quantiles(offers, "price", currency="CHF")),
        (offers.fare.ranks(currency="CHF"), ranks(offers, "price", currency="CHF")),
    ):
        pandas.testing.assert_frame_equal(found, named)
    assert offers.fare.distributions(currency="CHF") == distributions(offers, currency="CHF")


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'groups'"):
        OFFERS.fare.insights(price="chf", currency="CHF", groups="season")
