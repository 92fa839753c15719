"""``.fare`` on pandas frames, once this module is imported: the same as ``faregate.frames``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.frames import Negatives, distributions, insights, price_counts
from faregate.insights.distribution import LOWER_PERCENT, UPPER_PERCENT

try:
    import pandas as pd
except ImportError as missing:
    raise ImportError("faregate.frames.accessor needs pandas: install faregate[frames]") from missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faregate.frames import PriceUnit
    from faregate.frames.prices.benchmarks import Benchmark
    from faregate.frames.prices.counting import Distributions
    from faregate.insights.quantiles import Percent
    from faregate.money.currency import Currency
    from faregate.money.rounding import RoundingMode


@pd.api.extensions.register_dataframe_accessor("fare")
class FareAccessor:
    """Prices of a pandas frame.

    >>> offers = pd.DataFrame({"season": ["w", "s", "w"], "rappen": [6900, 4900, 6900]})
    >>> print(offers.fare.price_counts(price="rappen", by="season").to_string(index=False))
    season  rappen  count
         s    4900      1
         w    6900      2
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def price_counts(
        self,
        *,
        price: str = "price",
        by: str | Sequence[str] = (),
        currency: Currency | str | None = None,
        currency_column: str | None = None,
        unit: PriceUnit | None = None,
        rounding: RoundingMode | None = None,
        negatives: Negatives = Negatives.REFUSED,
    ) -> pd.DataFrame:
        """How often each price occurs, as ``faregate.frames.price_counts``."""
        return price_counts(
            self._frame,
            price=price,
            by=by,
            currency=currency,
            currency_column=currency_column,
            unit=unit,
            rounding=rounding,
            negatives=negatives,
        )

    def distributions(
        self,
        *,
        price: str = "price",
        by: str | Sequence[str] = (),
        currency: Currency | str | None = None,
        currency_column: str | None = None,
        unit: PriceUnit | None = None,
        rounding: RoundingMode | None = None,
        negatives: Negatives = Negatives.REFUSED,
    ) -> Distributions:
        """The distribution of prices in each group, as ``faregate.frames.distributions``."""
        return distributions(
            self._frame,
            price=price,
            by=by,
            currency=currency,
            currency_column=currency_column,
            unit=unit,
            rounding=rounding,
            negatives=negatives,
        )

    def insights(  # noqa: PLR0913 - the options of the function
        self,
        *,
        price: str = "price",
        by: str | Sequence[str] = (),
        benchmark: Benchmark | None = None,
        lower: Percent = LOWER_PERCENT,
        upper: Percent = UPPER_PERCENT,
        currency: Currency | str | None = None,
        currency_column: str | None = None,
        unit: PriceUnit | None = None,
        rounding: RoundingMode | None = None,
        negatives: Negatives = Negatives.REFUSED,
    ) -> pd.DataFrame:
        """How prices are spread and how one compares, as ``faregate.frames.insights``."""
        return insights(
            self._frame,
            price=price,
            by=by,
            benchmark=benchmark,
            lower=lower,
            upper=upper,
            currency=currency,
            currency_column=currency_column,
            unit=unit,
            rounding=rounding,
            negatives=negatives,
        )
