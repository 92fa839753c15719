# The public names, for type checkers: at run time __init__.py loads each on first use.

from faregate.frames.columns.prices import Negatives as Negatives
from faregate.frames.columns.prices import Nulls as Nulls
from faregate.frames.columns.prices import OnError as OnError
from faregate.frames.columns.prices import PriceColumn as PriceColumn
from faregate.frames.columns.prices import PriceUnit as PriceUnit
from faregate.frames.orders.fields import Lines as Lines
from faregate.frames.orders.parquet import reprice_parquet as reprice_parquet
from faregate.frames.orders.reprice import reprice as reprice
from faregate.frames.orders.reprice import totals as totals
from faregate.frames.orders.reprice import unknown_codes as unknown_codes
from faregate.frames.orders.what_if import explain_order as explain_order
from faregate.frames.orders.what_if import what_if as what_if
from faregate.frames.prices.arrow import PriceTable as PriceTable
from faregate.frames.prices.arrow import counts_table as counts_table
from faregate.frames.prices.comparing import compare as compare
from faregate.frames.prices.options import PriceOptions as PriceOptions
from faregate.frames.prices.options import TableOptions as TableOptions
from faregate.frames.prices.ranking import ranks as ranks
from faregate.frames.prices.reports import distributions as distributions
from faregate.frames.prices.reports import insights as insights
from faregate.frames.prices.reports import price_counts as price_counts
from faregate.frames.prices.reports import quantiles as quantiles
