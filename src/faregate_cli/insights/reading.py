"""Reading the file that is asked about; only what reads its kind is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faregate_cli.insights.groups import FileInsights, Inquiry

__all__ = ["read_insights"]


def read_insights(inquiry: Inquiry) -> FileInsights:
    """What the file of *inquiry* says.

    Raises:
        InvalidInput: lists every row at fault; or the file or its columns are at fault.
    """
    if inquiry.is_parquet:
        from faregate_cli.insights.parquet_prices import parquet_insights

        return parquet_insights(inquiry)
    from faregate_cli.insights.csv_prices import csv_insights

    return csv_insights(inquiry)
