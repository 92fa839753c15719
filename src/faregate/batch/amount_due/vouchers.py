"""Vouchers as payment over columns: what each of them pays of what its basket owes. Decisions §6.

Vouchers stand in flat columns, those of one basket after those of the one before, with *offsets* as in
``faregate.batch.columns.offsets``; a voucher is named by its place in them, a basket by its row. Instants are
in UTC.
The first voucher of every basket pays, then the second of every basket, as long as something is due: so
many steps as the longest basket has vouchers, and no sum that could overflow.
"""

from __future__ import annotations

from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from faregate.batch.columns.checks import described
from faregate.batch.columns.offsets import checked_offsets, integers, steps_of
from faregate.batch.columns.values import FIRST_DAY, LAST_DAY, answer_by_row, whole_numbers
from faregate.batch.columns.views import columns_html
from faregate.batch.money.rounding import EXACT_INTS, fitting
from faregate.batch.tax.net_gross import net_from_gross
from faregate.dates.instants import in_utc
from faregate.errors import (
    ContextRequired,
    FaregateError,
    InvalidAmount,
    InvalidInput,
    InvalidPeriod,
    InvalidRate,
    InvalidVoucher,
)
from faregate.money.amounts import MILLION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy.typing as npt

    from faregate.batch.columns.values import Dates, Mask, Numbers

NOT_PREPAID = -1
"""The rate of a voucher that is for any purpose: its tax is due when it pays."""

_INSTANT = np.dtype("datetime64[us]")
_NOT_A_TIME = np.iinfo(np.int64).min
_DAY = 86_400_000_000
_FIRST, _LAST = FIRST_DAY * _DAY, (LAST_DAY + 1) * _DAY - 1
"""The first and the last instant of the years 1 to 9999, in microseconds since 1970."""


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
    """What each voucher pays: earliest expiry first, then the smaller balance, then the code: int64 ``[v]``.

    Single-purpose vouchers pay first, and nothing but *goods* of their rate. Their scope is everything: one
    with a scope of its own is for ``faregate.redeem``.

    >>> redeem(np.array([9000, 3000, 500]), np.array([6300, 400]), offsets=np.array([0, 2, 3]))
    array([3300, 3000,  400])

    Args:
        balances: int64 ``[v]`` (or a dtype that fits) in minor units.
        due: int64 ``[m]``, or one int for all baskets.
        offsets: int64 ``[m + 1]``, where each basket begins and the last ends.
        at: the instants of payment, datetime64 ``[m]`` of any unit or one for all; NaT and None: not said,
            which will do where no voucher can expire.
        expires_at: datetime64[us] ``[v]``, exclusive; NaT: never.
        ranks: int64 ``[v]``: how the codes of one basket sort. None: as they stand, each another one.
        rates: int64 ``[v]`` in parts per million, ``NOT_PREPAID`` (-1) where a voucher is for any purpose.
        goods: what goods of each rate cost in each basket; needed with *rates*.

    Raises:
        InvalidInput: *rates* without *goods*, other dtypes or shapes, or *offsets* are not those of so many
            vouchers.
        InvalidPeriod: an instant is outside the years 1 to 9999, or one datetime lacks its offset.
        InvalidVoucher: a balance is negative, or two vouchers of a basket have one rank.
        ContextRequired: a voucher expires, and when its basket is paid is not said.
    """
    column = integers("balances", balances)
    bounds = checked_offsets(offsets, lines=len(column))
    baskets = len(bounds) - 1
    left = _of_each("due", whole_numbers("due", due), baskets)
    paid_at = _of_each("at", _instants(at), baskets)
    expiries = None if expires_at is None else _expiries(expires_at, len(column))
    codes = None if ranks is None else _of_vouchers("ranks", ranks, len(column))
    single = _single(rates, goods, len(column), baskets)
    _check_balances(column, bounds)
    paid = np.zeros(column.shape, np.int64)
    for rows, places in steps_of(bounds):
        vouchers = _Vouchers(
            (rows.start, places.start),
            bounds[rows.start : rows.stop + 1] - places.start,
            column[places],
            None if expiries is None else expiries[places],
            None if codes is None else codes[places],
            None if single is None else (single[0][places], single[1][:, rows].copy()),
        )
        vouchers.check(paid_at[rows])
        vouchers.pay(left[rows].copy(), paid_at[rows], paid[places])
    return paid


class _Vouchers(NamedTuple):
    """Those of some baskets; ``expiries`` in microseconds since 1970, None: no voucher expires."""

    first: tuple[int, int]
    """The row of the first basket, and the place of the first voucher, among all there are."""
    offsets: Numbers
    balances: Numbers
    expiries: Numbers | None
    ranks: Numbers | None
    single: tuple[Numbers, Numbers] | None
    """The row of each in what goods cost, -1 for any purpose; and what they cost, ``[rates, baskets]``."""

    def check(self, paid_at: Numbers) -> None:
        """Refuse what has no answer, the first such basket."""
        faults = [*self._given_twice(), *self._undated(paid_at)]
        if faults:
            raise min(faults, key=itemgetter(0))[1]

    def pay(self, left: Numbers, paid_at: Numbers, paid: Numbers) -> None:
        """Write to *paid* what each pays; *left*, what is due, becomes what is not paid."""
        order, firsts, sizes = self._order(), self.offsets[:-1], np.diff(self.offsets)
        are_live = self._are_live(paid_at)
        owing, turn = np.flatnonzero(sizes), 0
        while len(owing):
            own, rest = order[firsts[owing] + turn], left[owing]
            amounts = np.minimum(self.balances[own], rest)
            if are_live is not None:
                amounts *= are_live[own]
            if self.single is not None:
                _limit(amounts, self.single[0][own], self.single[1], owing)
            paid[own] = amounts
            rest -= amounts
            left[owing] = rest
            turn += 1
            owing = owing[(rest != 0) & (sizes[owing] > turn)]

    def _given_twice(self) -> Iterator[tuple[int, FaregateError]]:
        """The first basket that has two vouchers of one rank."""
        if self.ranks is None:
            return
        places, rows = self._together()
        ranks = self.ranks[places]
        ranks = ranks[np.lexsort((ranks, rows))]
        for index in np.flatnonzero((ranks[1:] == ranks[:-1]) & (rows[1:] == rows[:-1]))[:1].tolist():
            row = self.first[0] + int(rows[index])
            yield row, InvalidVoucher(f"row {row}: a voucher is given twice: rank {ranks[index]}")

    def _undated(self, paid_at: Numbers) -> Iterator[tuple[int, FaregateError]]:
        """The first basket with a voucher that expires, of which it is not said when it is paid."""
        if self.expiries is None:
            return
        is_undated = (self.expiries != _NOT_A_TIME) & self._of_basket(paid_at == _NOT_A_TIME)
        for place in np.flatnonzero(is_undated)[:1].tolist():
            row = self.first[0] + _row_of(place, self.offsets)
            voucher = f"row {row}: voucher {self.first[1] + place}"
            yield row, ContextRequired(rule=voucher, needs="the instant")

    def _are_live(self, paid_at: Numbers) -> Mask | None:
        """Whether each has not expired; None: no voucher does."""
        if self.expiries is None:
            return None
        are_live: Mask = (self.expiries == _NOT_A_TIME) | (self._of_basket(paid_at) < self.expiries)
        return are_live

    def _order(self) -> Numbers:
        """The places of all vouchers, those of each basket in the order in which they pay."""
        places, rows = self._together()
        keys = [rows]
        if self.single is not None:
            keys.append(self.single[0][places] == NOT_PREPAID)
        if self.expiries is not None:
            expiries = self.expiries[places]
            keys.append(np.where(expiries == _NOT_A_TIME, _LAST, expiries))
        keys.append(self.balances[places])
        if self.ranks is not None:
            keys.append(self.ranks[places])
        order = np.arange(len(self.balances))
        order[places] = places[np.lexsort(keys[::-1])]
        return order

    def _together(self) -> tuple[Numbers, Numbers]:
        """The places of vouchers that are not alone in their basket, and its row."""
        sizes = np.diff(self.offsets)
        are_several = sizes > 1
        rows = np.repeat(np.arange(len(sizes)), np.where(are_several, sizes, 0))
        return np.flatnonzero(self._of_basket(are_several)), rows

    def _of_basket(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """For each voucher what *values* say of its basket."""
        return np.repeat(values, np.diff(self.offsets))


def _limit(amounts: Numbers, rates: Numbers, goods: Numbers, baskets: Numbers) -> None:
    """Limit *amounts* of single-purpose vouchers to what is left of *goods*, and take them off it."""
    own = np.flatnonzero(rates != NOT_PREPAID)
    places = rates[own], baskets[own]
    amounts[own] = np.minimum(amounts[own], goods[places])
    goods[places] -= amounts[own]


def _single(
    rates: npt.NDArray[np.integer] | None, goods: Goods | None, vouchers: int, baskets: int
) -> tuple[Numbers, Numbers] | None:
    """The row of each voucher in the costs of goods, and these, with a row of zeros for other rates."""
    if rates is None:
        return None
    column = _rates_of(rates, vouchers)
    if goods is None or goods.gross.shape != (len(goods.rates), baskets):
        raise InvalidInput("rates: expected goods too, gross [r, m] of as many rates and baskets")
    known = np.searchsorted(goods.rates, column)
    costs = np.vstack([goods.gross, np.zeros((1, baskets), np.int64)])
    is_known = np.append(goods.rates, NOT_PREPAID)[known] == column
    return np.where(column == NOT_PREPAID, NOT_PREPAID, np.where(is_known, known, len(goods.rates))), costs


def _rates_of(value: object, vouchers: int) -> Numbers:
    """Rates in parts per million, or -1."""
    by = _of_vouchers("rates", value, vouchers)
    for place in np.flatnonzero((by < NOT_PREPAID) | (by > MILLION))[:1].tolist():
        raise InvalidRate(f"voucher {place}: {by[place]} is no rate from 0 to {MILLION} parts per million")
    return by


def _check_balances(balances: Numbers, offsets: Numbers) -> None:
    if balances.min(initial=0) < 0:
        place = int(np.argmax(balances < 0))
        voucher = f"row {_row_of(place, offsets)}: voucher {place}"
        raise InvalidVoucher(f"{voucher} with a balance of {balances[place]}")


def _row_of(place: int, offsets: Numbers) -> int:
    """Which basket has that voucher."""
    return int(np.searchsorted(offsets, place, side="right")) - 1


# ---------------------------------------------------------------- tax that was paid before


class Goods(NamedTuple):
    """The cost of the goods at each VAT rate: *rates* int64 ``[r]``, ascending; *gross* int64 ``[r, m]``."""

    rates: Numbers
    gross: Numbers


class PrepaidColumns(NamedTuple):
    """What single-purpose vouchers paid, per basket and rate, ascending: int64 ``[k]`` each.

    ``basket`` is the row of it, ``rate`` in parts per million; the amounts are negative where something was
    paid, as ``gross`` is ``net`` plus ``vat``.
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
    """What single-purpose vouchers paid, as negative amounts: their tax was due when they were sold.

    *paid*: int64 ``[v]``, as from ``redeem``; *rates*: int64 ``[v]`` in parts per million, ``NOT_PREPAID``
    (-1) where a voucher is for any purpose; *offsets*: int64 ``[m + 1]``; *redeemed*: int64 ``[v]``, what
    each had paid before, its face value less its balance; or dtypes that fit.

    >>> found = prepaid_breakdown(
    ...     np.array([2052, 500]), np.array([26_000, -1]), offsets=np.array([0, 2]), redeemed=np.array([0, 0])
    ... )
    >>> found.net, found.vat, found.gross
    (array([-2000]), array([-52]), array([-2052]))

    Raises:
        InvalidInput: other dtypes or shapes, or *offsets* are not those of so many vouchers.
        InvalidRate: a rate is neither -1 nor from 0 to 1 000 000.
        InvalidAmount: what was paid before is negative, or with it does not fit int64; or what vouchers of
            one rate paid together does not.
    """
    amounts = integers("paid", paid)
    sizes = np.diff(checked_offsets(offsets, lines=len(amounts)))
    by, before = _rates_of(rates, len(amounts)), _of_vouchers("redeemed", redeemed, len(amounts))
    for place in np.flatnonzero((before < 0) | (before > 2**63 - 1 - np.maximum(amounts, 0)))[:1].tolist():
        raise InvalidAmount(
            f"voucher {place}: {amounts[place]} after {before[place]} is negative or too much"
        )
    places = np.flatnonzero((by != NOT_PREPAID) & (amounts != 0))
    rows = np.repeat(np.arange(len(sizes)), sizes)[places]
    order = np.lexsort((by[places], rows))
    places, rows = places[order], rows[order]
    by, before = by[places], before[places]
    is_first = np.ones(len(rows), np.bool_)
    is_first[1:] = (rows[1:] != rows[:-1]) | (by[1:] != by[:-1])
    starts = np.flatnonzero(is_first)
    gross = _sums(amounts[places], starts)
    now = amounts[places]
    net = _sums(net_from_gross(before + now, by) - net_from_gross(before, by), starts)
    return PrepaidColumns(rows[starts], by[starts], -net, net - gross, -gross)


def _sums(amounts: Numbers, starts: npt.NDArray[np.intp]) -> Numbers:
    """The sum from each start to the next."""
    if not len(starts):
        return amounts
    ends = np.append(starts[1:], len(amounts))

    def ask(row: int) -> int:
        return -fitting(-fitting(sum(amounts[starts[row] : ends[row]].tolist())))

    sums = np.add.reduceat(amounts, starts)
    sizes = np.add.reduceat(np.abs(amounts.astype(np.float64)), starts)
    # What is less in floats is so in int64; other sums are taken in Python ints.
    answer_by_row(sums, np.flatnonzero(sizes >= EXACT_INTS), ask)
    return sums


# ---------------------------------------------------------------- what goes in


def _of_each(name: str, column: Numbers, baskets: int) -> Numbers:
    """One value for each basket, or the same for all."""
    if column.ndim and len(column) != baskets:
        raise InvalidInput(f"{name}: expected one value or [{baskets}], got {described(column)}")
    return np.broadcast_to(column, baskets)


def _of_vouchers(name: str, value: object, vouchers: int) -> Numbers:
    column = integers(name, value)
    if len(column) != vouchers:
        raise InvalidInput(f"{name}: expected int64 [{vouchers}], got {described(column)}")
    return column


def _expiries(value: object, vouchers: int) -> Numbers:
    """Microseconds since 1970."""
    if not isinstance(value, np.ndarray) or value.dtype != _INSTANT or value.shape != (vouchers,):
        raise InvalidInput(f"expires_at: expected {_INSTANT} [{vouchers}], got {described(value)}")
    column = value.view(np.int64)
    is_odd = (column > _LAST) | ((column < _FIRST) & (column != _NOT_A_TIME))
    _refuse_odd("expires_at", is_odd)
    return column


def _instants(value: object) -> Numbers:
    """Microseconds since 1970, of one instant or a column."""
    if value is None:
        return np.array(_NOT_A_TIME)
    if isinstance(value, datetime):
        return np.array(in_utc(value).replace(tzinfo=None), _INSTANT).view(np.int64)
    column = np.asarray(value) if isinstance(value, np.ndarray | np.datetime64) else None
    if column is None or column.ndim > 1 or column.dtype.kind != "M" or column.dtype == "datetime64":
        raise InvalidInput(f"at: expected datetime64 [m] of a unit or a datetime, got {described(value)}")
    years = column.astype("datetime64[Y]")  # of what is far away, microseconds wrap
    _refuse_odd("at", (years < np.datetime64("0001")) | (years > np.datetime64("9999")))
    return column.astype(_INSTANT).view(np.int64)


def _refuse_odd(name: str, is_odd: Mask) -> None:
    if is_odd.any():
        raise InvalidPeriod(f"{name}[{int(np.argmax(is_odd))}]: outside the years 1 to 9999")
