"""The ``.fare`` accessor for pandas DataFrames, registered when this module is imported."""

from functools import partial

from faregate.frames import compare, distributions, insights, price_counts, quantiles, ranks

try:
    import pandas as pd
except ImportError as missing:
    raise ImportError("faregate.frames.accessor needs pandas: install faregate[frames]") from missing


@pd.api.extensions.register_dataframe_accessor("fare")
class FareAccessor:
    """The price statistics of ``faregate.frames`` as methods of a pandas DataFrame, with the same options.

    >>> offers = pd.DataFrame({"season": ["w", "s", "w"], "rappen": [6900, 4900, 6900]})
    >>> print(offers.fare.price_counts("rappen", by="season").to_string(index=False))
    season  rappen  count
         s    4900      1
         w    6900      2
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.price_counts = partial(price_counts, frame)
        """Calls ``faregate.frames.price_counts`` with the frame."""
        self.distributions = partial(distributions, frame)
        """Calls ``faregate.frames.distributions`` with the frame."""
        self.insights = partial(insights, frame)
        """Calls ``faregate.frames.insights`` with the frame."""
        self.quantiles = partial(quantiles, frame)
        """Calls ``faregate.frames.quantiles`` with the frame."""
        self.ranks = partial(ranks, frame)
        """Calls ``faregate.frames.ranks`` with the frame."""
        self.compare = partial(compare, frame)
        """Calls ``faregate.frames.compare`` with the frame."""
