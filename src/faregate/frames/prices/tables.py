"""Tables of prices: frames in the engine that came in, or their faulty rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import narwhals.stable.v2 as nw
import numpy as np

from faregate.arguments.checks import option
from faregate.batch.insights.grouped import Exact
from faregate.errors import InvalidInput, InvalidPercent
from faregate.frames.columns.faults import faulty_rows
from faregate.frames.columns.prices import OnError, PriceReader
from faregate.frames.engines import Column, Frame, frame_of, in_kind_of
from faregate.frames.prices.counting import Tally, refuse_faults, tallied
from faregate.frames.prices.options import TableOptions, read_options
from faregate.insights.distribution import PriceDistribution, PriceLevel, price_insight
from faregate.insights.percentiles import Percent, exact_percent

Native = TypeVar("Native")


def table_of(
    native: Native,
    price: str,
    options: TableOptions,
    columns_of: Callable[[Tally], list[Column]],
) -> Native:
    """Return the columns that *columns_of* makes of the prices, as a frame in the engine of *native*.

    With ``on_error="return"``, faulty rows are returned in its place, if there are any.
    """
    returns_faults = option(OnError, options.pop("on_error", OnError.RAISE), "on_error") is OnError.RETURN
    column, by = read_options(price, options)
    frame = frame_of(native)
    if returns_faults:
        require_rows(frame, "on_error='return'")
    tally = tallied(frame, column, by)
    if returns_faults and tally.faulty():
        result: Native = _table(frame, _fault_columns(frame, tally.reader))
    else:
        refuse_faults(tally, frame)
        result = _table(frame, columns_of(tally))
    return result


def require_rows(frame: Frame, what: str) -> None:
    """Refuse a lazy frame, whose rows have no order."""
    if isinstance(frame, nw.LazyFrame):
        raise InvalidInput(f"{what} needs rows in order, and a lazy frame has none: collect it first")


def _fault_columns(frame: Frame, reader: PriceReader) -> list[Column]:
    faulty = list(faulty_rows(frame, reader)) if isinstance(frame, nw.DataFrame) else []
    faults = [cell.fault for cell in faulty]
    return [
        int_column("row", [cell.row for cell in faulty]),
        Column("column", [own.column for own in faults], "string"),
        Column(
            "fault", [f"{own.what} ({own.detail})" if own.detail else own.what for own in faults], "string"
        ),
    ]


def _table(frame: Frame, columns: Sequence[Column]) -> Any:
    names = [column.name for column in columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(*(f"column {name!r}: a result has the same name; rename it" for name in twice))
    return in_kind_of(frame, columns)


# ---------------------------------------------------------------- columns


def int_column(name: str, values: Any) -> Column:
    """Return a column of int64."""
    return Column(name, values, "int64")


def rank_columns(ranked: tuple[Exact, Exact], prices: Exact, lower: Exact, upper: Exact) -> list[Column]:
    """Return the columns of ranks, given in ten-thousandths of a percent, and of the levels of *prices*."""
    # Dividing two ints gives the nearest binary fraction, which prints as these four decimals.
    percentile, interpolated = (own.astype(np.int64) / 10_000 for own in ranked)
    levels = (prices >= lower).astype(np.int64) + (prices > upper)
    return [
        Column("percentile", percentile, "float64"),
        Column("interpolated_percent", interpolated, "float64"),
        Column("level", _LEVELS[levels].tolist(), "string"),
    ]


_LEVELS = np.array([PriceLevel.LOW.value, PriceLevel.TYPICAL.value, PriceLevel.HIGH.value], object)


# ---------------------------------------------------------------- percentages


def thresholds(lower: Percent, upper: Percent) -> tuple[Percent, Percent]:
    """Return *lower* and *upper* as checked percentages."""
    low, high = exact_percent(lower), exact_percent(upper)
    price_insight(ANY_PRICE, 0, lower=low, upper=high)
    return low, high


ANY_PRICE = PriceDistribution((0,), (1,))
"""A distribution with which arguments are checked before a frame is read."""


def named_percents(percents: object) -> dict[str, Percent]:
    """Return *percents*, each under the name of its column: p10 for 10, p97_5 for Fraction("97.5")."""
    if isinstance(percents, str) or not isinstance(percents, Iterable):
        raise InvalidPercent(f"percents: expected a list such as [10, 50, 90], got {percents!r}")
    checked = [exact_percent(each) for each in percents]
    named = {_column_of(each): each for each in checked}
    if len(named) < len(checked):
        raise InvalidPercent(f"percents: expected each once, got {', '.join(map(str, checked))}")
    return named


def _column_of(at: Percent) -> str:
    """Return the name of the column of a quantile: a decimal with _ for the point, or else a fraction."""
    places = next((places for places in range(_MAX_PLACES) if 10**places % at.denominator == 0), None)
    if places is None:
        return f"p{at}"
    whole, rest = divmod(at.numerator * 10**places // at.denominator, 10**places)
    return f"p{whole}_{rest:0{places}}" if places else f"p{whole}"


_MAX_PLACES = 10
