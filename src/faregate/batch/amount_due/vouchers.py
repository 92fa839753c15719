"""Payment with vouchers, for many baskets in columns. Decisions §6.

Messages identify a voucher by its index in the columns and a basket by its row. Payments are computed basket
by basket with the scalar function.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from faregate.amount_due import vouchers as scalar
from faregate.amount_due.vouchers import Goods, Voucher
from faregate.batch.columns.checks import checked_column
from faregate.batch.columns.offsets import checked_offsets, integers
from faregate.batch.columns.values import FIRST_DAY, LAST_DAY, Dates, Numbers
from faregate.errors import ContextRequired, InvalidPeriod, InvalidRate, InvalidVoucher
from faregate.tax.rates import VatRate

_MULTI_PURPOSE = -1
_INSTANT = np.dtype("datetime64[us]")
_NOT_A_TIME = np.iinfo(np.int64).min
_DAY = 86_400_000_000
_FIRST, _LAST = FIRST_DAY * _DAY, (LAST_DAY + 1) * _DAY - 1
"""The first and last instants of the years 1 to 9999, in microseconds since 1970."""


class VoucherColumns(NamedTuple):
    """Vouchers of all baskets, basket by basket.

    Vouchers with a scope have no columns: price their baskets with ``faregate.checkout_totals``.
    ``balances`` are int64 ``[v]`` in minor units. ``offsets``, int64 ``[m + 1]``, are the index of each
    basket's first voucher, then the number of vouchers. ``expires_at``, datetime64[us] in UTC, are the
    instants from which vouchers are no longer valid; NaT for vouchers that never expire. ``ranks``, int64,
    order the vouchers of a basket that are alike in expiry and balance, by default as in the columns.
    ``rates`` are the VAT rates of single-purpose vouchers, in ppm, and -1 for multi-purpose vouchers.

    >>> from faregate.batch import LineColumns, checkout_totals
    >>> lines = LineColumns(
    ...     offsets=np.array([0, 1, 2]), unit_price=np.array([6300, 400]),
    ...     quantity=np.array([1, 1]), rate=np.array([81_000, 81_000]),
    ... )
    >>> vouchers = VoucherColumns(np.array([9000, 3000, 500]), offsets=np.array([0, 2, 3]))
    >>> checkout_totals(lines, vouchers=vouchers).vouchers
    array([3300, 3000,  400])
    """

    balances: Numbers
    offsets: Numbers
    expires_at: Dates | None = None
    ranks: Numbers | None = None
    rates: Numbers | None = None


def redeemed(
    vouchers: VoucherColumns, payable: Numbers, *, at: Dates | None, goods: Sequence[Goods] | None
) -> tuple[Numbers, Numbers]:
    """Return the amount that each voucher pays, int64 ``[v]``, and the checked offsets.

    *payable* and *goods*, required with rates, have one entry for each basket; *at* may have one for all.

    Raises:
        InvalidInput: a column has the wrong dtype or shape, or *offsets* do not fit.
        InvalidPeriod: an expiry is outside the years 1 to 9999.
        InvalidVoucher: a balance is negative, or two vouchers of a basket have the same rank.
        InvalidRate: a rate is neither -1 nor valid for ``VatRate``.
        ContextRequired: a voucher expires and the instant of payment is unknown.
    """
    balances = integers("balances", vouchers.balances)
    count, baskets = len(balances), len(payable)
    offsets = checked_offsets(vouchers.offsets, lines=count, baskets=baskets)
    codes: Numbers = np.arange(count)
    if vouchers.ranks is not None:
        codes = checked_column("ranks", vouchers.ranks, "int64", (count,))
    expiries, rates = _expiries(vouchers.expires_at, count), _rates(vouchers.rates, count)
    _check_balances(balances, offsets)
    every = [_voucher(*own) for own in zip(codes.tolist(), balances.tolist(), expiries, rates, strict=True)]
    paid_at = [None] * baskets if at is None else _datetimes(np.broadcast_to(at, baskets))
    paid = np.zeros(count, np.int64)
    for row, (start, stop) in enumerate(pairwise(offsets.tolist())):
        own, bought = every[start:stop], None if goods is None else goods[row]
        try:
            redemptions = scalar.redeem(own, int(payable[row]), at=paid_at[row], goods=bought)
        except InvalidVoucher:
            rank = _first_twice(codes[start:stop])
            raise InvalidVoucher(f"row {row}: two vouchers have the same rank, {rank}") from None
        except ContextRequired:
            index = start + next(n for n, voucher in enumerate(own) if voucher.expires_at)
            raise ContextRequired(rule=f"row {row}: voucher {index}", needs="the instant") from None
        paid[start:stop] = [redemption.amount for redemption in redemptions]
    return paid, offsets


def _voucher(rank: int, balance: int, expires_at: datetime | None, rate: VatRate | None) -> Voucher:
    """Return a scalar ``Voucher`` with these values, and with a code that sorts by *rank*."""
    return Voucher(
        code=f"{rank + 2**63:020}",
        balance=balance,
        expires_at=expires_at,
        single_purpose=rate,
        face_value=None if rate is None else balance,
    )


def _first_twice(ranks: Numbers) -> int:
    ascending = np.sort(ranks)
    return int(ascending[:-1][ascending[1:] == ascending[:-1]][0])


def _expiries(value: object, count: int) -> list[datetime | None]:
    if value is None:
        return [None] * count
    column = checked_column("expires_at", value, str(_INSTANT), (count,))
    instants = column.view(np.int64)
    is_beyond = (instants > _LAST) | ((instants < _FIRST) & (instants != _NOT_A_TIME))
    if is_beyond.any():
        raise InvalidPeriod(f"expires_at[{int(np.argmax(is_beyond))}] is outside the years 1 to 9999")
    return _datetimes(column)


def _rates(value: object, count: int) -> list[VatRate | None]:
    if value is None:
        return [None] * count
    column = checked_column("rates", value, "int64", (count,))
    distinct, firsts = np.unique(column, return_index=True)
    rates: dict[int, VatRate | None] = {}
    for parts, index in zip(distinct.tolist(), firsts.tolist(), strict=True):
        try:
            rates[parts] = None if parts == _MULTI_PURPOSE else VatRate(parts_per_million=parts)
        except InvalidRate as error:
            raise InvalidRate(f"voucher {index}: {error}") from None
    return [rates[parts] for parts in column.tolist()]


def _check_balances(balances: Numbers, offsets: Numbers) -> None:
    if balances.min(initial=0) < 0:
        index = int(np.argmax(balances < 0))
        row = int(np.searchsorted(offsets, index, side="right")) - 1
        raise InvalidVoucher(
            f"row {row}: the balance of voucher {index} is {balances[index]}, expected at least 0"
        )


def _datetimes(column: Dates) -> list[datetime | None]:
    """Return instants as datetimes in UTC; None for NaT."""
    return [own and own.replace(tzinfo=UTC) for own in column.tolist()]
