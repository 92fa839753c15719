"""Payment with vouchers, for many baskets in columns. Decisions §6.

The vouchers of all baskets follow one another in flat columns, with *offsets* as in
``faregate.batch.columns.offsets``. Messages identify a voucher by its index in these columns and a basket by
its row. Instants are in UTC. Payments are computed basket by basket with the scalar function.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.amount_due import vouchers as scalar
from faregate.amount_due.vouchers import Redemption, Voucher
from faregate.basket.lines import Cart, Line
from faregate.batch.columns.checks import checked_column, described
from faregate.batch.columns.offsets import checked_offsets, integers
from faregate.batch.columns.values import FIRST_DAY, LAST_DAY, Dates, Mask, Numbers, whole_numbers
from faregate.batch.columns.views import columns_html
from faregate.batch.money.rounding import fitting
from faregate.dates.instants import in_utc
from faregate.discounts.eligibility import Context
from faregate.errors import (
    ContextRequired,
    InvalidAmount,
    InvalidInput,
    InvalidPeriod,
    InvalidRate,
    InvalidVoucher,
)
from faregate.money.amounts import MILLION
from faregate.tax.rates import VatRate

NOT_PREPAID = -1
"""Stands for the rate of a multi-purpose voucher, for which no VAT was paid in advance."""

_NO_CONTEXT = Context()
_INSTANT = np.dtype("datetime64[us]")
_NOT_A_TIME = np.iinfo(np.int64).min
_DAY = 86_400_000_000
_FIRST, _LAST = FIRST_DAY * _DAY, (LAST_DAY + 1) * _DAY - 1
"""The first and last instants of the years 1 to 9999, in microseconds since 1970."""


# ---------------------------------------------------------------- payment


def redeem(
    balances: npt.NDArray[np.integer],
    due: npt.NDArray[np.integer] | int,
    *,
    offsets: npt.NDArray[np.integer],
    at: Dates | np.datetime64 | datetime | None = None,
    expires_at: Dates | None = None,
    ranks: npt.NDArray[np.integer] | None = None,
    rates: npt.NDArray[np.integer] | None = None,
    goods: Goods | None = None,
) -> Numbers:
    """Return the amount that each voucher pays: int64 ``[v]``.

    Single-purpose vouchers pay first, and only for *goods* taxed at their rate; multi-purpose vouchers pay
    next. In both groups, vouchers pay in order of expiry, then balance (smallest first), then rank.
    For vouchers with a scope, use ``faregate.redeem``.

    >>> redeem(np.array([9000, 3000, 500]), np.array([6300, 400]), offsets=np.array([0, 2, 3]))
    array([3300, 3000,  400])

    Args:
        balances: the balance of each voucher, int64 ``[v]`` (or a dtype that fits) in minor units.
        due: the amount due for each basket, int64 ``[m]``, or one int for all baskets.
        offsets: int64 ``[m + 1]``, the index of each basket's first voucher, then the number of vouchers.
        at: the instants of payment, datetime64 ``[m]`` of any unit, or one instant for all baskets. An
            unknown instant (NaT or None) is allowed only if no voucher expires.
        expires_at: datetime64[us] ``[v]``, the instants from which vouchers are no longer valid; NaT for
            vouchers that never expire.
        ranks: int64 ``[v]``, the rank of each voucher within its basket; by default, the order in the
            columns.
        rates: int64 ``[v]``, VAT rates in parts per million; ``NOT_PREPAID`` (-1) for multi-purpose vouchers.
        goods: the cost of the goods at each rate in each basket; required with *rates*.

    Raises:
        InvalidInput: *rates* is given without *goods*, a column has the wrong dtype or shape, or *offsets*
            do not end with the number of vouchers.
        InvalidPeriod: an instant is outside the years 1 to 9999, or a datetime has no UTC offset.
        InvalidVoucher: a balance is negative, or two vouchers of a basket have the same rank.
        InvalidRate: as for ``prepaid_breakdown``.
        ContextRequired: a voucher expires and the instant of payment is unknown.
    """
    column = integers("balances", balances)
    bounds = checked_offsets(offsets, lines=len(column))
    baskets, count = len(bounds) - 1, len(column)
    left = _of_each("due", whole_numbers("due", due), baskets).tolist()
    paid_at = _datetimes(_of_each("at", _instants(at), baskets))
    expiries = [None] * count if expires_at is None else _datetimes(_expiries(expires_at, count))
    codes = np.arange(count) if ranks is None else checked_column("ranks", ranks, "int64", (count,))
    purposes = [None] * count if rates is None else _rates_of(rates, count)
    goods_of = [None] * baskets if rates is None else _goods_of_baskets(goods, baskets, among=purposes)
    _check_balances(column, bounds)
    every = [_voucher(*own) for own in zip(codes.tolist(), column.tolist(), expiries, purposes, strict=True)]
    paid = np.zeros(column.shape, np.int64)
    for row, (start, stop) in enumerate(pairwise(bounds.tolist())):
        own = every[start:stop]
        try:
            redemptions = scalar.redeem(own, left[row], at=paid_at[row], goods=goods_of[row])
        except InvalidVoucher:
            rank = _first_twice(codes[start:stop])
            raise InvalidVoucher(f"row {row}: two vouchers have the same rank, {rank}") from None
        except ContextRequired:
            index = start + next(n for n, voucher in enumerate(own) if voucher.expires_at)
            raise ContextRequired(rule=f"row {row}: voucher {index}", needs="the instant") from None
        paid[start:stop] = [redemption.amount for redemption in redemptions]
    return paid


def _voucher(rank: int, balance: int, expires_at: datetime | None, rate: VatRate | None) -> Voucher:
    """Return a scalar ``Voucher`` with these values, and with a code that sorts by *rank*."""
    return Voucher(
        code=f"{rank + 2**63:020}",
        balance=balance,
        expires_at=expires_at,
        single_purpose=rate,
        face_value=None if rate is None else balance,
    )


def _goods_of_baskets(
    goods: Goods | None, baskets: int, *, among: Sequence[VatRate | None]
) -> list[scalar.Goods | None]:
    """Return each basket's goods, one line per VAT rate in *among*, or None if *among* has no rate."""
    if goods is None or goods.gross.shape != (len(goods.rates), baskets):
        raise InvalidInput("goods: expected Goods with gross [r, m], since rates are given")
    rates = {rate.parts_per_million: rate for rate in among if rate is not None}
    lines = Cart.of([Line(key, 0, 1, rate) for key, rate in enumerate(rates.values())])
    gross_of = dict(zip(goods.rates.tolist(), goods.gross, strict=True))
    none = np.zeros(baskets, np.int64)
    gross = zip(*[gross_of.get(parts, none).tolist() for parts in rates], strict=True)
    return [scalar.Goods(lines, own, _NO_CONTEXT) for own in gross] if rates else [None] * baskets


def _first_twice(ranks: Numbers) -> int:
    ascending = np.sort(ranks)
    return int(ascending[:-1][ascending[1:] == ascending[:-1]][0])


def _rates_of(value: object, vouchers: int) -> list[VatRate | None]:
    """Return *value*, rates in parts per million, as VAT rates; None for multi-purpose vouchers (-1)."""
    column = checked_column("rates", value, "int64", (vouchers,))
    for index in np.flatnonzero((column < NOT_PREPAID) | (column > MILLION))[:1].tolist():
        expected = f"expected a rate from 0 to {MILLION} parts per million"
        raise InvalidRate(f"voucher {index}: {expected}, got {column[index]}")
    rates: dict[int, VatRate | None] = {NOT_PREPAID: None}
    for index, parts in enumerate(column.tolist()):
        if parts not in rates:
            try:
                rates[parts] = VatRate(parts_per_million=parts)
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


# ---------------------------------------------------------------- tax paid in advance


class Goods(NamedTuple):
    """Cost of goods per VAT rate and basket: int64 *rates* ``[r]`` (ascending, ppm), *gross* ``[r, m]``."""

    rates: Numbers
    gross: Numbers


class PrepaidColumns(NamedTuple):
    """Payments by single-purpose vouchers, one row for each basket and VAT rate: int64 ``[k]`` columns.

    Rows are sorted by ``basket`` (the index of the basket), then by ``rate`` (in parts per million). The
    amounts are negative, and ``gross`` is ``net`` plus ``vat``.
    """

    basket: Numbers
    rate: Numbers
    net: Numbers
    vat: Numbers
    gross: Numbers

    def _repr_html_(self) -> str:
        return columns_html(self)


def prepaid_breakdown(
    paid: npt.NDArray[np.integer],
    rates: npt.NDArray[np.integer],
    *,
    offsets: npt.NDArray[np.integer],
    redeemed: npt.NDArray[np.integer],
) -> PrepaidColumns:
    """Return single-purpose voucher payments per basket and VAT rate as negative net, VAT and gross.

    VAT on these payments was due when the vouchers were sold.
    *paid*: int64 ``[v]``, as returned by ``redeem``; *rates*: int64 ``[v]`` in parts per million,
    ``NOT_PREPAID`` (-1) for multi-purpose vouchers; *offsets*: int64 ``[m + 1]``; *redeemed*: int64 ``[v]``,
    the earlier payments by each voucher (face value minus balance). Other dtypes that fit int64 are accepted.

    >>> found = prepaid_breakdown(
    ...     np.array([2052, 500]), np.array([26_000, -1]), offsets=np.array([0, 2]), redeemed=np.array([0, 0])
    ... )
    >>> found.net, found.vat, found.gross
    (array([-2000]), array([-52]), array([-2052]))

    Raises:
        InvalidInput: a column has the wrong dtype or shape, or *offsets* do not fit the number of vouchers.
        InvalidRate: a rate is neither -1 nor valid for ``VatRate``.
        InvalidAmount: an earlier payment is negative, or payments by one voucher or at one rate exceed int64.
    """
    amounts = integers("paid", paid)
    bounds = checked_offsets(offsets, lines=len(amounts))
    purposes = _rates_of(rates, len(amounts))
    before = checked_column("redeemed", redeemed, "int64", amounts.shape)
    for index in np.flatnonzero((before < 0) | (before > 2**63 - 1 - np.maximum(amounts, 0)))[:1].tolist():
        raise InvalidAmount(
            f"voucher {index}: expected earlier payments of at least 0 and a sum that fits int64, "
            f"got {before[index]} plus {amounts[index]}"
        )
    every = [*zip(amounts.tolist(), purposes, before.tolist(), strict=True)]
    rows: list[tuple[int, ...]] = []
    for basket, (start, stop) in enumerate(pairwise(bounds.tolist())):
        for rate, net, vat, gross in scalar.prepaid_breakdown(_redemptions(every[start:stop])):
            try:
                fitting(-gross), fitting(gross)
            except InvalidAmount as error:
                raise InvalidAmount(f"row {len(rows)}: {error}") from None
            rows.append((basket, rate.parts_per_million, net, vat, gross))
    return PrepaidColumns(*np.array(rows, np.int64).reshape(-1, 5).T.copy())


def _redemptions(paid: Sequence[tuple[int, VatRate | None, int]]) -> list[Redemption]:
    """Return the single-purpose payments in *paid* (amount, rate, earlier payments) as redemptions."""
    return [
        Redemption(Voucher(code="V", balance=0, face_value=before, single_purpose=rate), amount)
        for amount, rate, before in paid
        if rate is not None
    ]


# ---------------------------------------------------------------- input checks


def _of_each(name: str, column: Numbers, baskets: int) -> Numbers:
    """Return *column* with one value for each basket; a single value is repeated."""
    if column.ndim and len(column) != baskets:
        raise InvalidInput(f"{name}: expected one value or an array [{baskets}], got {described(column)}")
    return np.broadcast_to(column, baskets)


def _expiries(value: object, vouchers: int) -> Numbers:
    """Return *value*, a column of expiry instants, as microseconds since 1970."""
    column = checked_column("expires_at", value, str(_INSTANT), (vouchers,)).view(np.int64)
    _refuse_beyond("expires_at", (column > _LAST) | ((column < _FIRST) & (column != _NOT_A_TIME)))
    return column


def _instants(value: object) -> Numbers:
    """Return *value* (one instant, a column of instants, or None as NaT) as microseconds since 1970."""
    if value is None:
        return np.array(_NOT_A_TIME)
    if isinstance(value, datetime):
        return np.array(in_utc(value).replace(tzinfo=None), _INSTANT).view(np.int64)
    column = np.asarray(value) if isinstance(value, np.ndarray | np.datetime64) else None
    if column is None or column.ndim > 1 or column.dtype.kind != "M" or column.dtype == "datetime64":
        raise InvalidInput(f"at: expected datetime64 [m] of any unit or a datetime, got {described(value)}")
    years = column.astype("datetime64[Y]")  # microseconds would wrap for distant years
    _refuse_beyond("at", (years < np.datetime64("0001")) | (years > np.datetime64("9999")))
    return column.astype(_INSTANT).view(np.int64)


def _refuse_beyond(name: str, is_beyond: Mask) -> None:
    if is_beyond.any():
        raise InvalidPeriod(f"{name}[{int(np.argmax(is_beyond))}] is outside the years 1 to 9999")


def _datetimes(column: Numbers) -> list[datetime | None]:
    """Return microseconds since 1970 as datetimes in UTC; None for NaT."""
    return [own and own.replace(tzinfo=UTC) for own in column.view(_INSTANT).tolist()]
