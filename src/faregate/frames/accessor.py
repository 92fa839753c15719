"""``.fare`` on pandas frames, once this module is imported: the same as ``faregate.frames``."""

from __future__ import annotations

from functools import partial

from faregate.frames import distributions, insights, price_counts

try:
    import pandas as pd
except ImportError as missing:
    raise ImportError("faregate.frames.accessor needs pandas: install faregate[frames]") from missing


@pd.api.extensions.register_dataframe_accessor("fare")
class FareAccessor:
    """Prices of a pandas frame: the functions of ``faregate.frames``, with the same options.

    >>> offers = pd.DataFrame({"season": ["w", "s", "w"], "rappen": [6900, 4900, 6900]})
    >>> print(offers.fare.price_counts(price="rappen", by="season").to_string(index=False))
    season  rappen  count
         s    4900      1
         w    6900      2
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.price_counts = partial(price_counts, frame)
        """``faregate.frames.price_counts`` of the frame."""
        self.distributions = partial(distributions, frame)
        """``faregate.frames.distributions`` of the frame."""
        self.insights = partial(insights, frame)
        """``faregate.frames.insights`` of the frame."""
