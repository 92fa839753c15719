"""Quantiles of two periods side by side, one row for each group and percentage. Decisions §10."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar, Unpack

import numpy as np

from faregate.arguments.checks import require
from faregate.batch.insights.grouped import GroupedPrices
from faregate.errors import InvalidInput
from faregate.frames.engines import Column
from faregate.frames.prices.counting import Key, Tally
from faregate.frames.prices.options import TableOptions, lists_options, read_options
from faregate.frames.prices.tables import ANY_PRICE, named_percents, table_of
from faregate.insights import comparison
from faregate.insights.comparison import COMPARED_PERCENTS, CONFIDENCE, interval_ranks
from faregate.insights.percentiles import Percent

Native = TypeVar("Native")


@lists_options(TableOptions)
def compare(
    frame: Native,
    price: str = "price",
    *,
    period: str,
    old: object,
    new: object,
    percents: Iterable[Percent] = COMPARED_PERCENTS,
    confidence: Percent = CONFIDENCE,
    **options: Unpack[TableOptions],
) -> Native:
    """Compare the prices of two periods in each group: one row for each group and each of *percents*.

    *period* is the column with the periods; rows with other values than *old* and *new* are not compared. The
    columns *by* are followed by ``quantile``, which is named as in ``quantiles``, and by ``old_n``,
    ``new_n``, ``old``, ``new``, ``shift``, ``old_lower``, ``old_upper``, ``new_lower``, ``new_upper`` and
    ``is_clear``. The figures are those of ``faregate.insights.compare``; ``old`` and ``new`` are rounded half
    even to whole minor units, and ``shift`` is the difference of the rounded amounts.

    A bound is null if there are too few prices. If a group has prices in only one of the two periods, the
    amounts of the other and the shift are null.

    >>> import pandas as pd
    >>> sales = pd.DataFrame({"year": [2025, 2026] * 6, "rappen": [5900, 6900, 6100, 7400] * 3})
    >>> found = compare(sales, "rappen", period="year", old=2025, new=2026, percents=[50])
    >>> print(found.drop(columns=["old_n", "new_n"]).to_string(index=False))
    quantile  old  new  shift  old_lower  old_upper  new_lower  new_upper  is_clear
         p50 6000 7150   1150       5900       6100       6900       7400      True

    Raises:
        InvalidInput: as for ``price_counts``; or *old* or *new* does not occur in *period*, both are equal,
            or *period* is not the name of a column other than *by*.
        InvalidPercent: as for ``quantiles``, *percents* is empty, or *confidence* is not from 50 to
            below 100.
        InvalidAmount, InvalidWeights, UnknownCurrency, UnitRequired, InvalidOption: as for ``price_counts``.
    """
    named = named_percents(percents)
    comparison.compare(ANY_PRICE, ANY_PRICE, percents=named.values(), confidence=confidence)
    _, by = read_options(price, {"by": options.get("by", ())})
    require(str, period, "period", InvalidInput)
    if period in by:
        raise InvalidInput(f"period: expected the name of a column other than those of by, got {period!r}")

    def columns(tally: Tally) -> list[Column]:
        counts = tally.counts()
        group_of = {counts.keys[group]: group for group in counts.prices.observed.tolist()}
        _require_periods(group_of, period, (old, new))
        compared = {key[:-1]: group for key, group in group_of.items() if key[-1] in (old, new)}
        before, after = (
            _period(counts.prices, [group_of.get((*key, own), -1) for key in compared], named, confidence)
            for own in (old, new)
        )
        rows = [*map(_row, [*named] * len(compared), before, after)]
        return [
            *counts.key_columns(np.repeat([*compared.values()], len(named)))[:-1],
            *(
                Column(name, [row[index] for row in rows], _TYPES.get(name, "int64"))
                for index, name in enumerate(_Row._fields)
            ),
        ]

    grouped: Any = {**options, "by": (*by, period)}
    return table_of(frame, price, grouped, columns)


class _Row(NamedTuple):
    """A quantile of a group in both periods; amounts are in minor units."""

    quantile: str
    old_n: int
    new_n: int
    old: int | None
    new: int | None
    shift: int | None
    old_lower: int | None
    old_upper: int | None
    new_lower: int | None
    new_upper: int | None
    is_clear: bool


_TYPES = {"quantile": "string", "is_clear": "bool"}


def _require_periods(groups: Iterable[Key], period: str, asked: tuple[Any, Any]) -> None:
    found = dict.fromkeys(key[-1] for key in groups)
    shown = [*map(repr, islice(found, _MAX_SHOWN)), *(["…"] if len(found) > _MAX_SHOWN else [])]
    only = f", only {', '.join(shown)}" if shown else ", which is empty"
    missing = [
        f"{name}: no {own!r} in column {period!r}{only}"
        for name, own in zip(("old", "new"), asked, strict=True)
        if not isinstance(own, Hashable) or own not in found
    ]
    if missing:
        raise InvalidInput(*missing)
    if asked[0] == asked[1]:
        raise InvalidInput(f"new: expected another period than old, got {asked[1]!r}")


_MAX_SHOWN = 5


def _period(
    prices: GroupedPrices, groups: Sequence[int], named: dict[str, Percent], confidence: Percent
) -> Any:
    """Return n, the quantile and its bounds for each of *groups* and of *named*; -1 has no prices."""
    rows = np.flatnonzero(np.array(groups) >= 0)
    own = np.array(groups)[rows]
    n, amounts = prices.n(own), np.full((len(groups), len(named), 4), None, object)
    amounts[:, :, 0] = 0
    amounts[rows, :, 0] = n[:, np.newaxis]
    sizes, size_of = np.unique(n, return_inverse=True)
    for index, percent in enumerate(named.values()):
        amounts[rows, index, 1] = prices.quantile(own, percent)
        found = [interval_ranks(size, percent, confidence) or (0, 0) for size in sizes.tolist()]
        for place in (0, 1):
            ranks = np.array([each[place] for each in found], np.int64)[size_of]
            amounts[rows[ranks > 0], index, 2 + place] = prices.price_at(own[ranks > 0], ranks[ranks > 0])
    return amounts.reshape(-1, 4).tolist()


def _row(name: str, old: list[Any], new: list[Any]) -> _Row:
    shift = None if old[1] is None or new[1] is None else new[1] - old[1]
    bounds = (*old[2:], *new[2:])
    is_clear = None not in bounds and (old[3] < new[2] or new[3] < old[2])
    return _Row._make([name, old[0], new[0], old[1], new[1], shift, *bounds, is_clear])
