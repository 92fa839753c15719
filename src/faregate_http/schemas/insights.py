"""Response of the price insights, with the specification's names and types."""

from typing import Annotated

from msgspec import Meta

from faregate_http.schemas.base import Amount, Envelope, View

Percentage = Annotated[float, Meta(ge=0, le=100, examples=[62.5])]


class PriceBenchmarkView(View):
    """The price being compared, with its percentile and its interpolated percentile rank."""

    interpolated_percent: Percentage
    price: Amount
    percentile: Percentage


class PriceThresholdView(View):
    """Price at a percentile of the offered prices."""

    price: Amount
    percentile: Percentage


class PriceThresholdsView(View):
    """Lowest and highest typical price."""

    upper: PriceThresholdView
    lower: PriceThresholdView


class PriceInsightsView(View):
    """A price compared with the prices of everything that can be booked."""

    benchmark: PriceBenchmarkView
    thresholds: PriceThresholdsView


class PriceInsightsEnvelope(Envelope[PriceInsightsView]):
    """Response with price insights."""
