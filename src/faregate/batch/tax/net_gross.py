"""Conversion of columns of amounts from gross to net and back. Decisions §4.

Every function returns the same integers as its namesake in ``faregate.tax.rates``, for every int64, even if
an amount times its rate does not fit int64. Results are new arrays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from faregate.arguments.checks import option
from faregate.batch.columns.values import Numbers, aligned, answer_by_row, chunks, whole_numbers
from faregate.batch.money.rounding import divided, fitting
from faregate.money.amounts import MILLION
from faregate.money.rounding import RoundingMode
from faregate.tax import rates as tax
from faregate.tax.rates import Tie, VatRate

_MILLION = np.array(MILLION)
_MAX_AMOUNT = (2**63 - 1) // MILLION
"""Largest amount whose product with a million fits int64."""


def net_from_gross(
    gross: npt.NDArray[np.integer] | int,
    rate: npt.NDArray[np.integer] | VatRate | int,
    *,
    mode: RoundingMode = RoundingMode.HALF_UP,
    tie: Tie = Tie.TAX,
) -> Numbers:
    """Return each net amount, by default *gross* minus its rounded VAT (``Tie.TAX``): int64 ``[n]``.

    *gross*: int64 ``[n]`` (or a dtype that fits) in minor units; *rate*: int64 ``[n]`` in parts per
    million. Either may be one value for all.

    >>> net_from_gross(np.array([9999, 299]), np.array([190_000, 40_000]))
    array([8403,  287])
    >>> net_from_gross(np.array([299]), VatRate.percent(4), tie=Tie.NET)
    array([288])

    Raises:
        InvalidInput: a column has the wrong dtype or shape.
        InvalidRate: a rate is not from 0 to 1 000 000.
    """
    mode, tie = option(RoundingMode, mode, "mode"), option(Tie, tie, "tie")

    def net(amounts: Numbers, rates: Numbers) -> Numbers:
        if tie is Tie.NET:
            return divided(amounts * MILLION, MILLION + rates, mode)
        return amounts - divided(amounts * rates, MILLION + rates, mode)

    def ask(amount: int, vat_rate: VatRate) -> int:
        return tax.net_from_gross(amount, vat_rate, mode=mode, tie=tie)

    return _converted("gross", gross, rate=rate, convert=net, ask=ask)


def gross_from_net(
    net: npt.NDArray[np.integer] | int,
    rate: npt.NDArray[np.integer] | VatRate | int,
    *,
    mode: RoundingMode = RoundingMode.HALF_UP,
) -> Numbers:
    """Return each gross amount, *net* plus VAT, rounded once: int64 ``[n]``.

    *net*: int64 ``[n]`` (or a dtype that fits) in minor units; *rate*: int64 ``[n]`` in parts per
    million. Either may be one value for all.

    >>> gross_from_net(np.array([324, -324]), VatRate.percent(19))
    array([ 386, -386])

    Raises:
        InvalidInput: a column has the wrong dtype or shape.
        InvalidRate: a rate is not from 0 to 1 000 000.
        InvalidAmount: a gross amount does not fit int64.
    """
    mode = option(RoundingMode, mode, "mode")

    def gross(amounts: Numbers, rates: Numbers) -> Numbers:
        return amounts + divided(amounts * rates, _MILLION, mode)

    def ask(amount: int, vat_rate: VatRate) -> int:
        return fitting(tax.gross_from_net(amount, vat_rate, mode=mode))

    return _converted("net", net, rate=rate, convert=gross, ask=ask)


def _converted(
    name: str,
    amount: npt.NDArray[np.integer] | int,
    *,
    rate: npt.NDArray[np.integer] | VatRate | int,
    convert: Callable[[Numbers, Numbers], Numbers],
    ask: Callable[[int, VatRate], int],
) -> Numbers:
    """Convert amounts chunk by chunk; call *ask* for rows with a large amount or an invalid rate."""
    parts = rate.parts_per_million if isinstance(rate, VatRate) else rate
    columns = {name: whole_numbers(name, amount), "rate": whole_numbers("rate", parts)}
    shape, (amounts, rates) = aligned(**columns)
    result = np.empty(amounts.shape, np.int64)
    for part in chunks(len(result)):
        own, by = amounts[part], rates[part]
        needs_scalar = (by < 0) | (by > MILLION) | (own > _MAX_AMOUNT) | (own < -_MAX_AMOUNT)
        if needs_scalar.any():
            own, by = np.where(needs_scalar, 0, own), np.where(needs_scalar, 0, by)
        result[part] = convert(own, by)
        answer_by_row(
            result,
            part.start + np.flatnonzero(needs_scalar),
            lambda row: ask(int(amounts[row]), VatRate(parts_per_million=int(rates[row]))),
        )
    return result.reshape(shape)
