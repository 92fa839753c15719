"""Answer of the price insights, with the names and types of the specification."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from faregate_http.schemas.base import Amount, Envelope, View

Percentage = Annotated[float, Meta(ge=0, le=100, examples=[62.5])]


class PriceBenchmarkView(View):
    """The price that is judged: its rank among the others, and the percent of which it is the quantile."""

    interpolated_percent: Percentage
    price: Amount
    percentile: Percentage


class PriceThresholdView(View):
    """The price that so many percent of all do not exceed."""

    price: Amount
    percentile: Percentage


class PriceThresholdsView(View):
    """Between these two a price is typical."""

    upper: PriceThresholdView
    lower: PriceThresholdView


class PriceInsightsView(View):
    """How a price compares with those of the validities that can be booked."""

    benchmark: PriceBenchmarkView
    thresholds: PriceThresholdsView


class PriceInsightsEnvelope(Envelope[PriceInsightsView]):
    """What is answered with price insights."""
