"""Strategies for vouchers of baskets, as objects and as columns."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from faregate.amount_due.vouchers import Voucher
from support.baskets.strategies import NOW, for_any_purpose, rarely, scales, upto, vouchers
from support.columns.arrays import read_only
from support.columns.numbers import MOST, column_of, numbers

_DAY = timedelta(days=1)
_huge = st.sampled_from([2**53 + 1, 2**62, MOST - 1, MOST])


class Payment(NamedTuple):
    """A basket with its vouchers, amount due and payment instant."""

    vouchers: tuple[Voucher, ...]
    due: int
    at: datetime | None


@st.composite
def payments(draw: st.DrawFn) -> Payment:
    """Draw payments, some with balances that overflow, without an instant, or with a duplicate code."""
    scale = draw(scales)
    own = for_any_purpose(draw(vouchers(scale, max_size=6)))
    if own and draw(upto(5)) == 5:
        own = tuple(replace(voucher, balance=draw(_huge)) for voucher in own)
    if own and draw(upto(60)) == 60:
        own = (*own, replace(own[0], balance=draw(upto(scale))))
    due = draw(st.one_of(upto(scale * 12), upto(scale * 12), numbers))
    at = draw(st.sampled_from((NOW, NOW + _DAY, NOW + 2 * _DAY - timedelta(microseconds=1))))
    return Payment(own, due, draw(rarely(st.none(), at, one_in=60)))


class VoucherColumns(NamedTuple):
    """The vouchers of several baskets."""

    balances: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    expires_at: npt.NDArray[np.datetime64]
    ranks: npt.NDArray[np.int64]


def columns_of(baskets: Sequence[Sequence[Voucher]]) -> VoucherColumns:
    flat = [voucher for basket in baskets for voucher in basket]
    order = [sorted(voucher.code for voucher in basket) for basket in baskets]
    return VoucherColumns(
        column_of([voucher.balance for voucher in flat]),
        column_of([sum(map(len, baskets[:row])) for row in range(len(baskets) + 1)]),
        instants_of([voucher.expires_at for voucher in flat]),
        column_of(
            [
                codes.index(entry.code)
                for basket, codes in zip(baskets, order, strict=True)
                for entry in basket
            ]
        ),
    )


def instants_of(instants: Sequence[datetime | None]) -> npt.NDArray[np.datetime64]:
    """Return a read-only column of datetime64[us] in UTC; None is NaT."""
    naive = [instant and instant.astimezone(UTC).replace(tzinfo=None) for instant in instants]
    return read_only(np.array(naive, "datetime64[us]"))
