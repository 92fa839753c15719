"""Files of prices in CSV or Parquet; only the module for the format of a file is imported."""

from faregate_cli.insights.groups import PARQUET, FileInsights, InsightQuery, PriceCounter


def read_insights(query: InsightQuery) -> FileInsights:
    """Return the insights for the file that *query* names.

    Raises:
        InvalidInput: the file, its columns or its rows are faulty; lists every fault.
    """
    counter = PriceCounter(query)
    if query.file.suffix.lower() in PARQUET:
        from faregate_cli.insights.parquet_prices import count_parquet

        count_parquet(query, counter)
    else:
        from faregate_cli.insights.csv_prices import count_csv

        count_csv(query, counter)
    return counter.insights()
