"""Quantiles of two periods side by side, one row for each group and percentage. Decisions §10."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import islice
from typing import Any, NamedTuple, TypeVar, Unpack

import numpy as np

from faregate.arguments.checks import require
from faregate.errors import InvalidInput
from faregate.frames.engines import Column
from faregate.frames.prices.counting import Distributions, Key, Tally
from faregate.frames.prices.options import TableOptions, lists_options, read_options
from faregate.frames.prices.tables import ANY_PRICE, named_percents, table_of
from faregate.insights import comparison
from faregate.insights.comparison import COMPARED_PERCENTS, CONFIDENCE, PriceInterval
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import Percent
from faregate.money.rounding import round_half_even

Native = TypeVar("Native")

_NO_PRICES = PriceDistribution()


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
        groups, index_of = counts.distributions(), {key: index for index, key in enumerate(counts.keys)}
        _require_periods(groups, period, (old, new))
        pairs: dict[Key, list[PriceDistribution]] = {}
        first_group = []
        for key in groups:
            if key[-1] in (old, new) and key[:-1] not in pairs:
                pairs[key[:-1]] = [groups.get((*key[:-1], own), _NO_PRICES) for own in (old, new)]
                first_group.append(index_of[key])
        rows = [row for before, after in pairs.values() for row in _rows(before, after, named, confidence)]
        return [
            *counts.key_columns(np.repeat(np.array(first_group, np.int64), len(named)))[:-1],
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


def _require_periods(groups: Distributions, period: str, asked: tuple[Any, Any]) -> None:
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


def _rows(
    old: PriceDistribution, new: PriceDistribution, named: dict[str, Percent], confidence: Percent
) -> list[_Row]:
    # A period without prices is given those of the other, and its figures are left out.
    found = comparison.compare(
        old if old.n else new, new if new.n else old, percents=named.values(), confidence=confidence
    )
    rows = []
    for name, own in zip(named, found.quantiles, strict=True):
        before = round_half_even(own.old) if old.n else None
        after = round_half_even(own.new) if new.n else None
        shift = None if before is None or after is None else after - before
        bounds = (
            *_bounds(own.old_interval if old.n else None),
            *_bounds(own.new_interval if new.n else None),
        )
        rows.append(_Row(name, old.n, new.n, before, after, shift, *bounds, own.is_clear))
    return rows


def _bounds(interval: PriceInterval | None) -> tuple[int | None, int | None]:
    return (None, None) if interval is None else (interval.lower, interval.upper)
