"""``.fare`` on pandas frames, once this module is imported: the same as ``faregate.frames``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.frames import distributions, insights, price_counts
from faregate.insights import LOWER_PERCENT, UPPER_PERCENT

try:
    import pandas as pd
except ImportError as missing:
    raise ImportError("faregate.accessor needs pandas: install faregate[frames]") from missing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from faregate.frames import Reading
    from faregate.frames.benchmarks import Benchmark
    from faregate.frames.counting import Key
    from faregate.insights import PriceDistribution
    from faregate.quantiles import Percent

__all__ = ["FareAccessor"]


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
        self, *, price: str = "price", by: str | Sequence[str] = (), **reading: Unpack[Reading]
    ) -> pd.DataFrame:
        """How often each price occurs, as ``faregate.frames.price_counts``."""
        return price_counts(self._frame, price=price, by=by, **reading)

    def distributions(
        self, *, price: str = "price", by: str | Sequence[str] = (), **reading: Unpack[Reading]
    ) -> dict[Key, PriceDistribution]:
        """The distribution of prices in each group, as ``faregate.frames.distributions``."""
        return distributions(self._frame, price=price, by=by, **reading)

    def insights(
        self,
        *,
        price: str = "price",
        by: str | Sequence[str] = (),
        benchmark: Benchmark | None = None,
        lower: Percent = LOWER_PERCENT,
        upper: Percent = UPPER_PERCENT,
        **reading: Unpack[Reading],
    ) -> pd.DataFrame:
        """How prices are spread and how one compares, as ``faregate.frames.insights``."""
        return insights(
            self._frame, price=price, by=by, benchmark=benchmark, lower=lower, upper=upper, **reading
        )
